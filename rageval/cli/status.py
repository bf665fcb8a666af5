"""From whatever happens in a command to an exit status and, where something is wrong, one message.

0 done, 1 a gate failed, 2 bad input, 3 our fault; 130 and 141 are the shell's own for an
interrupt and for a reader that went away.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rageval.errors import RagevalError

DONE = 0
GATE_FAILED = 1
BAD_INPUT = 2
OUR_FAULT = 3
INTERRUPTED = 130
READER_GONE = 141

Action = Callable[[], int]
"""What a command does once its options are understood; returns the exit status."""


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line, write what is wrong to stderr, and return the exit status."""
    _never_fail_on_a_character()
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except RagevalError as error:
        return bad_input(str(error))
    except KeyboardInterrupt:
        say("interrupted; no report was published")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return READER_GONE
    except Exception as error:
        return our_fault(error)
    return status


def _run(arguments: Sequence[str]) -> int:
    from rageval.cli.app import USAGE_ERROR, app

    try:
        action: Action | int | None = app(
            list(arguments), prog_name="rageval", standalone_mode=False
        )
    except USAGE_ERROR as error:
        error.show()
        return BAD_INPUT
    return action() if callable(action) else action or DONE


def say(message: str) -> None:
    """Write a message to stderr, where it can be written."""
    with suppress(OSError):
        print(f"rageval: {message}", file=sys.stderr, flush=True)


def bad_input(message: str) -> int:
    """Say what is wrong with the input, one problem a line, and return the exit status."""
    lines = [_visible(line) for line in message.splitlines()]
    say(lines[0] if len(lines) == 1 else "\n  ".join(["problems with the input:", *lines]))
    return BAD_INPUT


def our_fault(error: BaseException) -> int:
    """Say in one line that this is a fault of rageval and where its log is."""
    summary = _visible(f"{type(error).__name__}: {error}")[:300]
    say(f"a fault of rageval, not of your input ({summary}); the log is in {_write_log(error)}")
    return OUR_FAULT


def _write_log(error: BaseException) -> Path | str:
    text = "".join(traceback.format_exception(error))
    for folder in _log_folders():
        path = folder / f"{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.log"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            return path
    sys.stderr.write(text)
    return "the lines above"


def _log_folders() -> tuple[Path, ...]:
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "rageval", Path(tempfile.gettempdir()) / "rageval"


def _visible(text: str) -> str:
    from rageval.report.text import visible

    return visible(text)


def _never_fail_on_a_character() -> None:
    # A terminal that cannot show a character gets an escape, not an error.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _drop_stdout() -> None:
    # Python flushes stdout once more at exit, which would fail again and say so.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
