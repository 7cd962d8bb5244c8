"""From items as generated to items that stand: review, later splits."""
