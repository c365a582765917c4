#!/usr/bin/env python3
"""Fails where a pointer keeps the text of a struct that a function returns, such as fa_number_text(x).text: the struct ends with the expression.

As an argument of a call the text lives long enough. What keeps it longer has to keep the struct.
"""

import re
import sys

from callers import code
from tree import ROOT, files

CHARACTER = re.compile(r"'(?:[^'\\\n]|\\.)'")
TEXT = re.compile(r"\)\s*\.\s*text\b(?!\s*\[)")


def kept(source, end):
    """Whether the expression that ends with the bracket at `end` is no argument: back to its beginning there is no open bracket."""
    depth = 0
    for k in range(end, -1, -1):
        if source[k] in ")}":
            depth += 1
        elif source[k] in "({":
            depth -= 1
            if depth < 0:
                return source[k] == "{"
        elif source[k] == ";" and depth == 0:
            return True
    return True


def main():
    faults, seen = [], 0
    for path in files("*.c", "*.h", "*.cpp"):
        source = code(CHARACTER.sub("0", (ROOT / path).read_text(encoding="utf-8")))
        for found in TEXT.finditer(source):
            seen += 1
            if kept(source, found.start()):
                faults.append(f"{path}: '{' '.join(source[:found.end()].split()[-6:])}' is kept, and its struct is not; keep the struct")
    print("\n".join(faults) or f"{seen} texts of structs are arguments")
    return bool(faults) or not seen


if __name__ == "__main__":
    sys.exit(main())
