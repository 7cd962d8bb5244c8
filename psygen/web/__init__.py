"""The review page: a small server over psygen.curate. It works without JavaScript and without network."""
