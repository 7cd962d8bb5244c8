"""Model text is read here and nowhere else: bytes in, drafts of questions out, never an exception."""
