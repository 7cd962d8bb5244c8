"""The embedded engine: no network, no key, seeded. Honest questions made from the concept bank itself."""
