"""`python -m rageval` is the command."""

from rageval.cli import main

if __name__ == "__main__":
    main()
