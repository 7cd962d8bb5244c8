"""Benchmarks out: one module a format, all of them into one folder that appears whole or not at all."""
