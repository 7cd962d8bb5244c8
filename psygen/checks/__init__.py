"""What makes an item wrong (hard checks), doubtful (soft checks), and a bank unhealthy. Pure: no database, no files."""
