#!/usr/bin/env python3
"""Fails on a file that is too large to be looked at: one mebibyte is the most (docs/style.md)."""

import sys

from tree import ROOT, files

MOST = 1 << 20  # [bytes]


def main():
    sizes = {path: (ROOT / path).stat().st_size for path in files()}
    faults = [f"{path} has {size} bytes, of which {MOST} are the most; split it" for path, size in sizes.items() if size > MOST]
    print("\n".join(faults) or f"{len(sizes)} files, the largest of {max(sizes.values())} bytes")
    return bool(faults) or not sizes


if __name__ == "__main__":
    sys.exit(main())
