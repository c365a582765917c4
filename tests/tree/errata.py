#!/usr/bin/env python3
"""Fails on a remark such as (M2) in a source or on a page that has no row in docs/theory/errata.md, and on a row that is
incomplete or there twice."""

import re
import sys

from tree import ROOT, files

PAGE = "docs/theory/errata.md"
FOLDERS = ("model/", "measure/", "bench/", "tests/", "resources/", "examples/", "docs/theory/")
ROW = re.compile(r"^\| ([A-Z]\d+) \|(.*)\|$", re.MULTILINE)
TAG = re.compile(r"\b[A-Z][1-9]\d?\b")
COMMENT = {".md": re.compile(r"(.*)"), ".xml": re.compile(r"(.*)"), ".py": re.compile(r"#(.*)")}


def tags_of(text, suffix):
    """Each tag in brackets, such as (M9), (M9, M10), (M2: a word), with its line."""
    comment = COMMENT.get(suffix, re.compile(r"//(.*)"))
    for number, line in enumerate(text.splitlines(), 1):
        said = comment.search(line)
        for inside in re.findall(r"\(([A-Z][1-9]\d?(?:[,;:)][^()]*)?)", said.group(1) if said else ""):
            for tag in TAG.findall(inside.split(":")[0]):
                yield number, tag


def faults_in(rows, texts):
    """Sentences on what is wrong, and how many remarks there are."""
    faults, count, seen = [], 0, set()
    for tag, cells in rows:
        if tag in seen:
            faults.append(f"{PAGE}: {tag} is there twice")
        if len(cells) != 4 or not all(cells):
            faults.append(f"{PAGE}: {tag} needs place, kind, what is printed and what is right")
        seen.add(tag)
    for name, text in texts:
        for number, tag in tags_of(text, name[name.rfind("."):]):
            count += 1
            if tag not in seen:
                faults.append(f"{name}:{number}: ({tag}) is no row of {PAGE}; add it there, with its equation")
    return faults, count


def check_itself():
    """The test must see a remark without a row; else it could not fail."""
    rows = [("M1", ["a", "E", "b", "c"])]
    wrong, _ = faults_in(rows, [("a.c", "x = 1; // right (M1)\n// see (M2: why), (M1; W3) and G4\n")])
    return len(wrong) == 2 and "a.c:2: (M2)" in wrong[0] and "(W3)" in wrong[1]


def main():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    rows = [(tag, [cell.strip() for cell in rest.split("|")]) for tag, rest in ROW.findall(page)]
    names = [str(path) for path in files("*.c", "*.h", "*.cpp", "*.hpp", "*.py", "*.xml", "*.md")
             if str(path) not in (PAGE, "tests/tree/errata.py") and str(path).startswith(FOLDERS)]
    texts = [(name, (ROOT / name).read_text(encoding="utf-8", errors="replace")) for name in names]
    faults, count = faults_in(rows, texts)
    if not check_itself():
        faults.append("tests/tree/errata.py does not see a remark without a row")
    print("\n".join(faults) or f"{count} remarks point to {len(rows)} rows")
    return bool(faults) or not count


if __name__ == "__main__":
    sys.exit(main())
