#!/usr/bin/env python3
"""Fails where a name of ours stands for two things: two types, or a type and a function."""

import collections
import re
import sys

from tree import ROOT, files

TYPE = re.compile(r"^\} (fa_\w+);|^typedef [^{;]*?\b(fa_\w+)(?:\([^;{]*\))?;", re.MULTILINE)
FUNCTION = re.compile(r"^(?!typedef)(?:[a-z_][\w ]*?[ *]+)(fa_\w+)\((?=[^;{]*\)\s*;)", re.MULTILINE)
# A type that four headers announce.
EXCEPT = {"fa_xacro"}


def meanings(paths):
    """The files in which each name is defined as a type, and those in which it is declared as a function."""
    types, functions = collections.defaultdict(set), collections.defaultdict(set)
    for path in paths:
        text = (ROOT / path).read_text(encoding="utf-8")
        for found in TYPE.finditer(text):
            types[found[1] or found[2]].add(path.as_posix())
        for found in FUNCTION.finditer(text):
            functions[found[1]].add(path.as_posix())
    return types, functions


def main():
    paths = [path for path in files("*.c", "*.h") if path.parts[0] not in ("tests", "bench")]
    types, functions = meanings(paths)
    faults = [f"{name} is a type in {' and '.join(sorted(places))}"
              for name, places in sorted(types.items()) if len(places) > 1 and name not in EXCEPT]
    faults += [f"{name} is a type in {min(types[name])} and a function in {min(functions[name])}"
               for name in sorted(set(types) & set(functions) - EXCEPT)]
    print("\n".join(faults) or f"each of {len(types)} types has a name of its own")
    return bool(faults) or len(types) < 200 or len(functions) < 500


if __name__ == "__main__":
    sys.exit(main())
