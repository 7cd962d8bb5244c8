"""Every export in the real harness it is made for: `python -m tests.peers`, in environments of its own, offline."""
