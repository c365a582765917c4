#!/usr/bin/env python3
"""Fails on C that clang-format would lay out otherwise. Versions differ, so it asks for one."""

import shutil
import subprocess
import sys

from tree import ROOT, files

VERSION = 14  # Debian 12's


def clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format", str(ROOT / "build" / "venv" / "bin" / "clang-format")):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
            if f"version {VERSION}." in said:
                return name
    return None


def main():
    tool = clang_format()
    if not tool:
        print(f"skipped: clang-format {VERSION} not found")
        return 0
    sources = [str(path) for path in files("*.c", "*.h")]
    cut = [path for path in sources if not (ROOT / path).read_bytes().endswith(b"\n")]
    if cut:  # clang warns of it, gcc and clang-format 14 do not
        print("no newline at the end of", *cut)
        return 1
    if "--fix" in sys.argv:
        return subprocess.run([tool, "-i", *sources], cwd=ROOT).returncode
    code = subprocess.run([tool, "--dry-run", "--Werror", *sources], cwd=ROOT).returncode
    print("run tests/tree/format.py --fix" if code else f"{len(sources)} files are laid out by {tool}")
    return code


if __name__ == "__main__":
    sys.exit(main())
