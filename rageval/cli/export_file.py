"""`rageval export`: find the results, make the output, and write it where it harms nothing."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path

from rageval.cli.status import DONE, say
from rageval.cli.values import RESULTS, read_result
from rageval.data import EvaluationResult
from rageval.errors import InputError, RagevalError
from rageval.formats.values import ValuesFile
from rageval.report.export import Output, find_output
from rageval.report.publish import LATEST

STDOUT = "-"
REPORTS = "reports"
"""Where reports go unless a configuration says otherwise."""


def export_file(
    results: str, to: str, out: str | None, *, templates: Path | None, force: bool
) -> int:
    """Write one output of an evaluation, print where it is, and return the exit status."""
    output = find_output(to)
    place = find_results(results)
    target = None if out == STDOUT else _target(place, output, out, force=force)
    if target is None and not output.text:
        raise InputError(f"{output.key} is not for stdout", where="--out", hint="name a file")
    result = _read(place)
    if output.templates and templates is None:
        _say_templates(result)
    content = output.make(result, templates)
    if target is None:
        _print(content)
    else:
        _write(target, content, force=force)
        print(target)
    return DONE


def find_results(text: str) -> Path:
    """Return the results.json that is meant by a file, a folder, or the word `latest`."""
    if not text.strip():
        raise InputError("the name of the results is empty", where="RESULTS")
    path = Path(text)
    try:
        if path.is_dir():
            return _in_folder(path)
        if text == LATEST and not path.exists():
            return _newest(Path(REPORTS))
    except (OSError, ValueError) as error:  # a name that is too long, say
        reason = getattr(error, "strerror", None) or "not a usable path"
        raise InputError(f"cannot be read: {reason}", where=text[:60]) from None
    return path


def _in_folder(folder: Path) -> Path:
    """Return the results in a report's folder, or in the newest report of an evaluation."""
    for place in (folder, folder / LATEST, folder / _named_in(folder / f"{LATEST}.txt")):
        if (place / RESULTS).is_file():
            return place / RESULTS
    raise InputError(f"this folder holds no {RESULTS}", where=str(folder))


def _named_in(file: Path) -> str:
    """Return the folder that a text file names, where a file system has no links."""
    with suppress(OSError, UnicodeDecodeError):
        return Path(file.read_text(encoding="utf-8").strip()).name
    return ""


def _newest(reports: Path) -> Path:
    found = [place.resolve() for place in reports.glob(f"*/{LATEST}/{RESULTS}")]
    if not found:
        hint = "name a results.json or the folder of a report"
        raise InputError(f"there is no report below {reports}/", where=LATEST, hint=hint)
    newest = max(found, key=lambda place: (place.parent.name, place))  # run ids sort by time
    return Path(os.path.relpath(newest))


def _read(place: Path) -> EvaluationResult:
    result = read_result(ValuesFile(str(place)))
    if result is None:
        hint = "rageval run writes one into the folder of every report"
        raise InputError(f"this is no {RESULTS}", where=str(place), hint=hint)
    return result


def _say_templates(result: EvaluationResult) -> None:
    own = result.config.get("report", {}).get("templates")
    if own:
        say(f"note: the report was made with the templates in {own}, which --templates would name")


def _print(content: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


# --- files


def _target(place: Path, output: Output, out: str | None, *, force: bool) -> Path:
    """Return where an output goes; raise `InputError` where it may not, before it is made."""
    if out is not None and not out.strip():
        raise InputError("the name of the file is empty", where="--out")
    target = Path(out) if out else place.parent / output.file
    try:
        if target.exists() and not target.is_file():
            what = "a folder" if target.is_dir() else "no ordinary file"
            raise InputError(f"{what} where a file is expected", where=str(target))
        if not force and os.path.lexists(target):
            raise _taken(target)
    except (OSError, ValueError):
        raise InputError("not a usable path", where=str(target)[:60]) from None
    return target


def _taken(target: Path) -> InputError:
    hint = "name another with --out, or replace it with --force"
    return InputError("there is a file of this name already", where=str(target), hint=hint)


def _write(target: Path, content: bytes, *, force: bool) -> None:
    """Let a file appear whole; without `force`, never in the place of another."""
    target = Path(os.path.realpath(target))
    partial = target.parent / f".{secrets.token_hex(8)}.partial"
    try:
        try:
            partial.write_bytes(content)
            _place(partial, target, force=force)
        finally:
            partial.unlink(missing_ok=True)
    except FileExistsError:
        raise _taken(target) from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        hint = "name another place with --out"
        raise RagevalError(f"cannot be written: {reason}", where=str(target), hint=hint) from None


def _place(partial: Path, target: Path, *, force: bool) -> None:
    if force:
        partial.replace(target)
        return
    try:
        target.hardlink_to(partial)  # which fails where there is a file, and rename would not
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        with target.open("xb") as file:
            file.write(partial.read_bytes())
