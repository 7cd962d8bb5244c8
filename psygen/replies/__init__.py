"""Model text is read here and nowhere else: text in, drafts of questions and all the rest out, never an exception."""
