"""From concepts to items."""
