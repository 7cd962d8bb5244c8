"""Rows become tables for people, JSON, Markdown. The one place that rounds."""
