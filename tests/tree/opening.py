#!/usr/bin/env python3
"""Fails on a source that does not open with a sentence on what it is, and on a comment or docstring outside tests that opens
with a clause in the place of its subject, such as "What the search walks on." (docs/style.md, "Words")."""

import pathlib
import re
import sys

from tree import ROOT, files

# Reference data and third formats that are written by a program have none.
OPENING = re.compile(r"\A(?://|/\*)\s*\S+(?:\s+\S+){1,}")
SCRIPT = re.compile(r'\A(?:#![^\n]*\n)?(?:#[^\n]*\S+\s+\S+|"""\S+\s+\S+)')


def opens(path, text):
    """Whether the text begins with a comment, or a docstring, of some words."""
    return bool((SCRIPT if path.suffix == ".py" else OPENING).match(text))


# "What", "Whether", "Who" or "Of" at the head of a comment's block; a question may begin so.
CLAUSE = re.compile(r'(?:\A|\n)(?![ \t]*(?://|#))[^\n]*(?:\n|\A)[ \t]*(?:(?://|#)[ \t]*|"""|/\*+[ \t]*)((?:What|Whether|Who|Whose|Of) [^?\n]*)(?=\n)')


def clauses(text):
    """Returns the openings of comments that have a clause in the place of their subject."""
    return CLAUSE.findall("\n" + text)


def main():
    paths = [path for path in files("*.c", "*.h", "*.cpp", "*.hpp", "*.js", "*.py")
             if (ROOT / path).stat().st_size and path.name != "conf.py"]
    faults = [f"{path}: it does not open with a sentence on what it is" for path in paths
              if not opens(path, (ROOT / path).read_text(encoding="utf-8"))]
    if opens(pathlib.PurePath("a.c"), "#include <a.h>\n// words come too late\n"):
        faults.append("tests/tree/opening.py takes any source")
    faults += [f"{path}: the comment '{clause}' does not name its subject" for path in paths
               if path.parts[0] != "tests" for clause in clauses((ROOT / path).read_text(encoding="utf-8"))]
    if clauses("int a;\n// Returns a.\n// What follows is b.\n") or not clauses("int a;\n// What b is.\nint b;\n"):
        faults.append("tests/tree/opening.py does not tell a clause from a subject")
    print("\n".join(faults) or f"{len(paths)} sources open with a sentence")
    return bool(faults) or not paths


if __name__ == "__main__":
    sys.exit(main())
