"""The one SQLite file. Only this room speaks SQL."""
