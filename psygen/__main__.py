"""`python -m psygen`."""

from psygen.cli.main import main

if __name__ == "__main__":
    main()
