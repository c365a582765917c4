#!/usr/bin/env python3
"""Fails on a file that is too large to be looked at, one mebibyte is the most, and on a folder with more sources of the
product than show what belongs together (docs/style.md)."""

import collections
import sys

from tree import ROOT, files

MOST = 1 << 20  # [bytes]
MOST_SOURCES = 40
LISTS = ("model/elements",)  # folders of many things of one kind, a file each


def crowded(sources):
    """Returns the folders, with their numbers of sources, that have too many."""
    return {folder: n for folder, n in collections.Counter(str(path.parent) for path in sources).items()
            if n > MOST_SOURCES and folder not in LISTS}


def main():
    sizes = {path: (ROOT / path).stat().st_size for path in files()}
    sources = [path for path in files("*.c", "*.h", "*.js", "*.py") if path.parts[0] != "tests"]
    faults = [f"{path} has {size} bytes, of which {MOST} are the most; split it" for path, size in sizes.items() if size > MOST]
    faults += [f"{folder}/ has {n} sources, of which {MOST_SOURCES} are the most; form folders by subject"
               for folder, n in crowded(sources).items()]
    if not crowded(sources[:1] * (MOST_SOURCES + 1)):
        faults.append("tests/tree/sizes.py does not see a crowded folder")
    print("\n".join(faults) or f"{len(sizes)} files, the largest of {max(sizes.values())} bytes")
    return bool(faults) or not sizes


if __name__ == "__main__":
    sys.exit(main())
