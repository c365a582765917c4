#!/usr/bin/env python3
"""Fails where the table of modules in docs/architecture.md and the tree differ: a folder without a row, a module that its
folder's row does not name, a name of nothing."""

import re
import sys

from tree import ROOT, files

PAGE = "docs/architecture.md"
PARTS = ("model", "solve", "run", "system", "lawc", "fmu", "import", "export", "raster", "plot", "render", "cli", "measure", "viewer", "interface")
ROW = re.compile(r"^\| `([\w/]+)` \|(?:[^|]*)\|(.*)\|$", re.MULTILINE)
NAME = re.compile(r"`(\w+)`")


def tree():
    """Folder: base names of its headers and sources."""
    found = {}
    for path in files("*.c", "*.h", "*.cpp", "*.hpp", "*.js"):
        if path.parts[0] in PARTS and ".config." not in path.name:
            found.setdefault(str(path.parent), set()).add(path.stem)
    return found


def differences(told, there):
    for folder in sorted(told.keys() | there.keys()):
        named, modules = told.get(folder, set()), there.get(folder, set())
        if folder not in told:
            yield f"{PAGE}: no row for {folder}/, which holds {', '.join(sorted(modules))}"
            continue
        yield from (f"{PAGE}: the row of {folder} does not name {name}" for name in sorted(modules - named))
        yield from (f"{PAGE}: the row of {folder} names {name}, which is not there" for name in sorted(named - modules))


def main():
    told = {folder: set(NAME.findall(names)) for folder, names in ROW.findall((ROOT / PAGE).read_text())}
    there = tree()
    faults = list(differences(told, there))
    # The check proves on a tree with one more module and one less that it can fail.
    folder, modules = sorted(there.items())[0]
    for other in ({*modules, "no_such_module"}, set(sorted(modules)[1:])):
        if not list(differences(told, {**there, folder: other})):
            faults.append("tests/tree/modules.py does not see a difference")
    print("\n".join(faults) or f"{sum(map(len, there.values()))} modules in {len(there)} folders are in {PAGE}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
