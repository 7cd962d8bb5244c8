"""What leaves with an export as it stands: code that runs without psygen, inside somebody else's harness.

The files are copied byte for byte and may import only the standard library, each other, and the harness they serve.
"""
