"""What the PDF needs from the system beside Python packages: libraries and a font.

`python -m rageval.cli.system` says what is missing and installs it where it may (as root, where
there is apt-get); it ends with 0 if the PDF can be made and 1 if not.
"""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

LIBRARIES = {
    "pango-1.0": "libpango-1.0-0",
    "pangoft2-1.0": "libpangoft2-1.0-0",
    "harfbuzz-subset": "libharfbuzz-subset0",
}
"""Library -> Debian package."""
FONT_PACKAGE = "fonts-dejavu-core"
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "/System/Library/Fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "~/.local/share/fonts",
    "~/.fonts",
)
FONT_ENDINGS = (".ttf", ".otf", ".ttc", ".pfb")


def missing_packages() -> list[str]:
    """Return the Debian packages of what is missing."""
    absent = [package for name, package in LIBRARIES.items() if not has_library(name)]
    return absent if has_font() else [*absent, FONT_PACKAGE]


def has_library(name: str) -> bool:
    """Return whether the system's linker finds a library."""
    return ctypes.util.find_library(name) is not None


def has_font() -> bool:
    """Return whether any font is installed."""
    folders = (Path(folder).expanduser() for folder in FONT_FOLDERS)
    return any(
        path.suffix.lower() in FONT_ENDINGS for folder in folders for path in folder.rglob("*")
    )


def install_command(packages: list[str]) -> list[str]:
    """Return the one command that installs packages on Debian and its kin."""
    return ["apt-get", "install", "-y", "--no-install-recommends", *packages]


def install(packages: list[str]) -> bool:
    """Install packages, after fetching the lists they are in; return whether that went well."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["apt-get", "update"], install_command(packages))
    return all(
        subprocess.run(command, env=quiet, stdin=subprocess.DEVNULL, check=False).returncode == 0
        for command in commands
    )


def may_install() -> bool:
    """Return whether this process may install packages here."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def main() -> int:
    """Make the PDF possible if that can be done, and return 0 if it is."""
    packages = missing_packages()
    if packages and may_install():
        print("Installing what the PDF needs: " + ", ".join(packages), flush=True)
        install(packages)
        packages = missing_packages()
    if packages:
        print(advice(packages), flush=True)
    return 1 if packages else 0


def advice(packages: list[str]) -> str:
    """Return what to tell somebody whose system lacks packages."""
    command = " ".join(install_command(packages))
    return (
        f"There will be no PDF: the system lacks {', '.join(packages)}.\n"
        f"On Debian and Ubuntu this installs what is missing:\n    sudo {command}\n"
        "Elsewhere: https://doc.courtbouillon.org/weasyprint/stable/first_steps.html"
    )


if __name__ == "__main__":
    sys.exit(main())
