"""The command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command `rageval` and end the process with its exit status."""
    from rageval.cli.status import run_command

    sys.exit(run_command(sys.argv[1:]))
