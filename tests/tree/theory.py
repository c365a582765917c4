#!/usr/bin/env python3
"""Fails on a row of the methods' table that no page of docs/theory speaks of."""

import re
import sys

from tree import ROOT


def main():
    table = (ROOT / "model/dynamics/dynamics.c").read_text(encoding="utf-8")
    methods = re.findall(r'\{\.name = "([^"]+)"', table)
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/theory").glob("*.md")
                    if page.name not in ("operation-counts.md", "single-precision.md"))
    missing = [name for name in methods if f"`{name}`" not in pages]
    for name in missing:
        print(f"docs/theory has no page on the method {name}; write one, with its symbols")
    if not methods:
        print("no method found in model/dynamics/dynamics.c; this check reads rows that start {.name =")
    print(f"{len(methods) - len(missing)} of {len(methods)} methods have a page")
    return 1 if missing or not methods else 0


if __name__ == "__main__":
    sys.exit(main())
