"""A report appears whole or not at all, and never over an earlier one."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rageval.errors import RagevalError
from rageval.report.publish import new_run_id, publish

FILES = {"report.html": b"<p>", "results.json": b"{}\n", "per_query.csv": b"\xef\xbb\xbfa\r\n"}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def listing(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_report_is_published_with_all_its_files(tmp_path):
    folder = publish(tmp_path / "reports", "demo", "r1", FILES)
    assert folder == tmp_path / "reports" / "demo" / "r1"
    assert contents(folder) == FILES
    assert listing(folder.parent) == ["latest", "r1"]


def test_latest_is_a_relative_link_to_the_newest(tmp_path):
    publish(tmp_path, "demo", "r1", FILES)
    publish(tmp_path, "demo", "r2", {"a": b"2"})
    latest = tmp_path / "demo" / "latest"
    assert latest.readlink() == Path("r2")
    assert contents(latest) == {"a": b"2"}
    moved = tmp_path / "elsewhere"
    (tmp_path / "demo").rename(moved)
    assert contents(moved / "latest") == {"a": b"2"}


def test_an_earlier_report_is_never_overwritten(tmp_path):
    publish(tmp_path, "demo", "r1", FILES)
    with pytest.raises(RagevalError, match="exists already, and is never overwritten") as caught:
        publish(tmp_path, "demo", "r1", {"a": b"2"})
    assert str(tmp_path / "demo" / "r1") in str(caught.value)
    assert contents(tmp_path / "demo" / "r1") == FILES
    assert listing(tmp_path / "demo") == ["latest", "r1"]


@pytest.mark.parametrize(
    ("name", "run_id", "file"),
    [
        ("../x", "r", "a"),
        ("x", "../r", "a"),
        ("x", "r", "../a"),
        ("x", "/tmp/r", "a"),
        ("..", "r", "a"),
        ("x", ".", "a"),
        ("", "r", "a"),
        ("x", "", "a"),
        ("x", "r\n", "a"),
        ("x", "r", ".hidden"),
        ("x", "latest", "a"),
        ("x", "latest.txt", "a"),
        ("x", "r\0", "a"),
        ("x", "r" * 201, "a"),
        ("x/y", "r", "a"),
        ("x\\y", "r", "a"),
    ],
)
def test_no_name_leads_anywhere_else(tmp_path, name, run_id, file):
    with pytest.raises(RagevalError, match="cannot name a report's folder or file"):
        publish(tmp_path / "in" / "reports", name, run_id, {file: b""})
    assert listing(tmp_path) == []


def test_an_evaluation_may_be_called_latest(tmp_path):
    folder = publish(tmp_path, "latest", "latest-1", FILES)
    assert contents(folder) == contents(tmp_path / "latest" / "latest") == FILES


def test_a_file_in_place_of_the_folder(tmp_path):
    (tmp_path / "reports").write_bytes(b"mine")
    with pytest.raises(RagevalError, match="cannot be written"):
        publish(tmp_path / "reports", "demo", "r1", FILES)
    assert (tmp_path / "reports").read_bytes() == b"mine"


def test_what_a_dead_run_left_is_removed_and_nothing_else(tmp_path):
    publish(tmp_path, "demo", "r1", FILES)
    home = tmp_path / "demo"
    (home / ".r0.0011aabb.partial").mkdir()
    (home / ".r0.0011aabb.partial" / "report.html").write_bytes(b"<")
    (home / ".latest.r0.0011aabb.partial").symlink_to("r0")
    (home / "notes.txt").write_text("mine", encoding="utf-8")
    publish(tmp_path, "demo", "r2", FILES)
    assert listing(home) == ["latest", "notes.txt", "r1", "r2"]


def test_what_a_living_run_writes_is_left_alone(tmp_path):
    home = tmp_path / "demo"
    home.mkdir()
    script = (
        "import fcntl, os, sys; h = os.open(sys.argv[1], os.O_RDONLY);"
        "fcntl.flock(h, fcntl.LOCK_SH); os.mkdir(sys.argv[1] + '/.r0.aa.partial');"
        "print('ready', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(home)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        publish(tmp_path, "demo", "r1", FILES)
        assert listing(home) == [".r0.aa.partial", "latest", "r1"]
        other.communicate("")
    publish(tmp_path, "demo", "r2", FILES)
    assert listing(home) == ["latest", "r1", "r2"]


KILLED = """
import os, sys
from pathlib import Path
from rageval.report.publish import publish

class Deadly(dict):
    def items(self):
        yield "a", b"1"
        os._exit(9)

publish(Path(sys.argv[1]), "demo", "r2", Deadly(a=b"1"))
"""


def test_a_run_that_is_killed_leaves_no_report_and_the_next_cleans_up(tmp_path):
    publish(tmp_path, "demo", "r1", FILES)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert killed.returncode == 9
    assert len(listing(tmp_path / "demo")) == 3
    home = tmp_path / "demo"
    assert not (home / "r2").exists()
    assert (home / "latest").readlink() == Path("r1")
    publish(tmp_path, "demo", "r3", FILES)
    assert listing(home) == ["latest", "r1", "r3"]


class Vanishing(dict[str, bytes]):
    """Files of which writing the second meets a folder that is gone."""

    def __init__(self, home: Path) -> None:
        super().__init__(a=b"1", b=b"2")
        self.home = home

    def items(self):  # type: ignore[no-untyped-def,override]
        yield "a", b"1"
        for path in self.home.glob(".*.partial"):
            path.rename(self.home / "gone")
        yield "b", b"2"


def test_a_folder_that_vanishes_while_it_is_written(tmp_path):
    with pytest.raises(RagevalError, match="vanished while the report was written"):
        publish(tmp_path, "demo", "r1", Vanishing(tmp_path / "demo"))
    assert listing(tmp_path / "demo") == ["gone"]


def test_many_publish_at_once(tmp_path):
    runs = [f"r{i}" for i in range(20)]
    with ThreadPoolExecutor(8) as pool:
        folders = list(pool.map(lambda run: publish(tmp_path, "demo", run, FILES), runs))
    assert all(contents(folder) == FILES for folder in folders)
    assert listing(tmp_path / "demo") == sorted(["latest", *runs])
    assert (tmp_path / "demo" / "latest").readlink().name in runs


def test_two_with_one_run_id_at_once(tmp_path):
    def attempt(content: bytes) -> str:
        try:
            publish(tmp_path, "demo", "r1", {"a": content, "b": content})
        except RagevalError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(attempt, [bytes([i]) for i in range(8)]))
    assert told.count("") == 1
    assert all("never overwritten" in text for text in told if text)
    kept = contents(tmp_path / "demo" / "r1")
    assert kept["a"] == kept["b"]
    assert listing(tmp_path / "demo") == ["latest", "r1"]


def test_where_there_are_no_links_a_text_file_names_the_newest(tmp_path, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    publish(tmp_path, "demo", "r0", FILES)
    monkeypatch.setattr(os, "symlink", refuse)
    (tmp_path / "demo" / "latest").unlink()
    publish(tmp_path, "demo", "r1", FILES)
    publish(tmp_path, "demo", "r2", FILES)
    assert listing(tmp_path / "demo") == ["latest.txt", "r0", "r1", "r2"]
    assert (tmp_path / "demo" / "latest.txt").read_text(encoding="utf-8") == "r2\n"


def test_a_real_folder_named_latest_is_left_alone(tmp_path):
    (tmp_path / "demo" / "latest").mkdir(parents=True)
    publish(tmp_path, "demo", "r1", FILES)
    assert listing(tmp_path / "demo") == ["latest", "latest.txt", "r1"]
    assert (tmp_path / "demo" / "latest.txt").read_text(encoding="utf-8") == "r1\n"


@pytest.fixture
def tiny_disk(tmp_path):
    """Return a file system of 256 kB; only root may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs root and the right to mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk(tiny_disk):
    publish(tiny_disk, "demo", "r1", FILES)
    with pytest.raises(RagevalError, match="no space left on device") as caught:
        publish(tiny_disk, "demo", "r2", {"a": b"1", "b": bytes(1_000_000)})
    assert "earlier reports are untouched" in str(caught.value)
    assert listing(tiny_disk / "demo") == ["latest", "r1"]
    assert contents(tiny_disk / "demo" / "latest") == FILES
    publish(tiny_disk, "demo", "r3", FILES)


def test_a_read_only_disk(tiny_disk):
    publish(tiny_disk, "demo", "r1", FILES)
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    with pytest.raises(RagevalError, match="read-only file system"):
        publish(tiny_disk, "demo", "r2", FILES)
    assert listing(tiny_disk / "demo") == ["latest", "r1"]


def test_a_folder_without_permission(tmp_path):
    """Try as a user who owns nothing here, since root may write anywhere."""
    publish(tmp_path, "demo", "r1", FILES)
    home = tmp_path / "demo"
    home.chmod(0o555)
    told = _as_nobody(tmp_path) if os.geteuid() == 0 else _attempt(tmp_path)
    home.chmod(0o755)
    assert "permission denied (name a folder that can be written to)" in told
    assert listing(home) == ["latest", "r1"]


def _attempt(reports: Path) -> str:
    try:
        publish(reports, "demo", "r2", FILES)
    except RagevalError as error:
        return str(error)
    return ""


def _as_nobody(reports: Path) -> str:
    opened = [p for p in (reports, *reports.parents) if p != Path("/") and p.stat().st_uid == 0]
    modes = [(path, path.stat().st_mode & 0o7777) for path in opened]
    for path, mode in modes:
        path.chmod(mode | 0o055)
    os.seteuid(65534)
    try:
        return _attempt(reports)
    finally:
        os.seteuid(0)
        for path, mode in modes:
            path.chmod(mode)


def test_published_files_have_the_usual_permissions(tmp_path):
    usual = tmp_path / "usual"
    usual.mkdir()
    folder = publish(tmp_path, "demo", "r1", FILES)
    assert folder.stat().st_mode == usual.stat().st_mode


def test_run_ids_are_utc_to_the_second_with_a_suffix():
    assert new_run_id("2026-11-30T06:00:00Z", "3f9a2c") == "20261130T060000Z-3f9a2c"
