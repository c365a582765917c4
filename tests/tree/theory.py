#!/usr/bin/env python3
"""Fails on a row of the methods' tables whose page in docs/theory is not there or does not name it."""

import re
import sys

from tree import ROOT

TABLES = ["model/dynamics/dynamics.c", "model/dynamics/usual_methods.c", "model/snake/kane/snake_methods.c"]
ROW = re.compile(r'\.name = "([^"]+)",\s*\.page = "([^"]+)"')


def main():
    faults, count = [], 0
    for table in TABLES:
        text = (ROOT / table).read_text(encoding="utf-8")
        rows = ROW.findall(text)
        count += len(rows)
        if len(rows) != text.count(".name =") or not rows:
            faults.append(f"{table}: this check reads rows that start .name = ..., .page = ...")
        for method, name in rows:
            page = ROOT / "docs" / "theory" / f"{name}.md"
            if not page.is_file() or f"`{method}`" not in page.read_text(encoding="utf-8"):
                faults.append(f"{page.relative_to(ROOT)} does not speak of `{method}`; write it, with its symbols")
    print("\n".join(faults) or f"{count} methods have a page")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
