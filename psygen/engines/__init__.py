"""Whoever answers a request: a server, a batch file, or psygen itself. A Request goes in, a Reply comes out."""
