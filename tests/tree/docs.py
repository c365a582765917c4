#!/usr/bin/env python3
"""Fails on a page that names a file of this project that is not there.

A line that says "planned" may name what is still to come.
"""

import pathlib
import re
import sys

from tree import ROOT, files

TOPS = "model|fmu|import|export|cli|resources|tests|bench|python|examples|docs|cmake|scripts"
NAMED = re.compile(rf"(?<![\w/.<-])((?:{TOPS}|\.ci|\.devcontainer)/[\w./-]*)(?![\w<*])")
LINKED = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")


def exists(name, folder=pathlib.PurePath()):
    path = ROOT / folder / name.rstrip(".")
    # `model/spatial` stands for the header and the source.
    return path.exists() or path.with_name(path.name + ".h").exists()


def main():
    faults, count = [], 0
    for page in files("*.md"):
        for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
            if "planned" in line:
                continue
            named = [(name, pathlib.PurePath()) for name in NAMED.findall(line)]
            linked = [(name, page.parent) for name in LINKED.findall(line)]
            count += len(named) + len(linked)
            faults += [f"{page}:{number}: there is no {name}" for name, folder in named + linked
                       if not exists(name, folder)]
    print("\n".join(faults) or f"{count} paths in the pages exist")
    return bool(faults) or not count


if __name__ == "__main__":
    sys.exit(main())
