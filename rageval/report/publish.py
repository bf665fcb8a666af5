"""Put a report where readers find it: whole or not at all, and never over an earlier one."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from rageval.errors import RagevalError

LATEST = "latest"
PARTIAL = ".partial"
"""Ending of what is being written; such names also begin with a dot."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
_TAKEN = {errno.EEXIST, errno.ENOTEMPTY}
_ADVICE = {
    errno.ENOSPC: "free some space; earlier reports are untouched",
    errno.EDQUOT: "free some space; earlier reports are untouched",
    errno.EROFS: "name a folder that can be written to",
    errno.EACCES: "name a folder that can be written to",
    errno.EPERM: "name a folder that can be written to",
    errno.ENOENT: "the folder vanished while the report was written",
    errno.ENOTDIR: "there is a file where a folder should be",
}


def new_run_id(created: str, random: str) -> str:
    """Return a run id: UTC to the second, and a suffix that tells runs of one second apart.

    `20261130T060000Z-3f9a2c`, of `2026-11-30T06:00:00Z`; ids sort by time.
    """
    return f"{re.sub('[-:]', '', created)}-{random}"


def publish(reports: Path, name: str, run_id: str, files: Mapping[str, bytes]) -> Path:
    """Write files to `reports/name/run_id` and let `reports/name/latest` lead there.

    The folder appears with all its files or not at all: they are written beside it, forced to
    disk and renamed in one step. `latest` is a relative link, or a text file `latest.txt` where
    the file system has no links. Raises `RagevalError` for a name that is no plain file name, a
    run id that is taken and whatever the file system refuses; nothing half-written stays.
    """
    require_free(reports, name, run_id)
    _plain_names(*files)
    home = reports / name
    folder = home / run_id
    try:
        home.mkdir(parents=True, exist_ok=True)
        with _attended(home):
            _appear(folder, files)
    except OSError as error:
        raise _refusal(error, folder) from None
    return folder


def require_free(reports: Path, name: str, run_id: str) -> None:
    """Raise `RagevalError` where no report can be published under that name and run id."""
    _plain_names(name, run_id)
    if run_id in (LATEST, f"{LATEST}.txt"):
        raise RagevalError(f"{run_id!r} cannot name a report's folder or file: it names the newest")
    if os.path.lexists(reports / name / run_id):
        raise _taken(reports / name / run_id)


def _plain_names(*names: str) -> None:
    for name in names:
        if not _NAME.fullmatch(name):
            hint = "letters, digits, dots, dashes and underscores"
            raise RagevalError(f"{name!r} cannot name a report's folder or file", hint=hint)


def _appear(folder: Path, files: Mapping[str, bytes]) -> None:
    token = f"{folder.name}.{secrets.token_hex(4)}{PARTIAL}"
    partial, link = folder.parent / f".{token}", folder.parent / f".{LATEST}.{token}"
    try:
        _write_all(partial, files)
        # The link is made first, so that a full disk is noticed before the report appears.
        linked = _make_link(link, folder.name)
        partial.rename(folder)
        _replace_latest(link, linked)
        _force_to_disk(folder.parent)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        with suppress(OSError):
            link.unlink(missing_ok=True)


def _write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, content in files.items():
        with (folder / name).open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    _force_to_disk(folder)


def _make_link(link: Path, target: str) -> bool:
    """Make a link, or a text file where there are none; return whether it is a link."""
    try:
        link.symlink_to(target, target_is_directory=True)
    except (OSError, NotImplementedError):
        link.write_text(f"{target}\n", encoding="utf-8")
        return False
    return True


def _replace_latest(link: Path, linked: bool) -> None:
    latest = link.parent / LATEST
    text = latest.with_suffix(".txt")
    if linked and not (latest.is_dir() and not latest.is_symlink()):
        link.replace(latest)
        text.unlink(missing_ok=True)
    else:  # no links here, or somebody has put a real folder of that name
        target = link.readlink().name if linked else link.read_text(encoding="utf-8").strip()
        link.unlink()
        link.write_text(f"{target}\n", encoding="utf-8")
        link.replace(text)


@contextmanager
def _attended(home: Path) -> Iterator[None]:
    """Mark a folder as being written to, after removing what dead runs left in it.

    Every writer holds a shared lock, so whoever gets it exclusively knows that nobody is writing
    and that all partial folders are dead. The system drops a lock when its process dies. Where
    there are no locks, nothing is removed.
    """
    handle = os.open(home, os.O_RDONLY)
    try:
        with suppress(OSError, ImportError):
            _remove_leftovers(home, handle)
        yield
    finally:
        os.close(handle)


def _remove_leftovers(home: Path, handle: int) -> None:
    import fcntl

    with suppress(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for left in sorted(home.glob(f".*{PARTIAL}")):
            if left.is_symlink() or left.is_file():
                left.unlink(missing_ok=True)
            else:
                shutil.rmtree(left, ignore_errors=True)
    fcntl.flock(handle, fcntl.LOCK_SH)


def _force_to_disk(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refusal(error: OSError, folder: Path) -> RagevalError:
    if error.errno in _TAKEN and os.path.lexists(folder):
        return _taken(folder)
    reason = (error.strerror or str(error)).lower()
    hint = _ADVICE.get(error.errno or 0, "")
    return RagevalError(f"the report cannot be written: {reason}", where=str(folder), hint=hint)


def _taken(folder: Path) -> RagevalError:
    what = "a report with this run id exists already, and is never overwritten"
    return RagevalError(what, where=str(folder), hint="choose another run id")
