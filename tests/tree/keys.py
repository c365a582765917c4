#!/usr/bin/env python3
"""Fails where code reads a variable's name to learn what the variable is; its key says so (model/plant/key.h)."""

import re
import sys

from tree import ROOT, files

# Folders that see tables of variables. Names are composed in key.c.
FOLDERS = ("model/plant/", "model/arm/", "model/snake/", "solve/", "run/", "fmu/", "export/fmu/",
           "export/hosts/", "export/modelica/", "export/pages/", "cli/")
COMPOSER = "model/plant/key.c"
# How many names of files a source reads.
EXCEPT = {"cli/commands/fmus/export.c": 1}
LOOK = r"(?:strn?cmp|strstr|strr?chr|memr?chr|strc?spn|sscanf|ends_with|starts_with|begins_with|is_or_begins)"
CALL = re.compile(LOOK + r"\s*\(((?:[^()]|\([^()]*\))*)\)")


def owners():
    """The words that variables' names begin with."""
    listed = (ROOT / "model/plant/key.h").read_text(encoding="utf-8")
    return [word for word in re.findall(r'X\(FA_OF_\w+, "(\w*)"\)', listed) if word]


def is_piece(literal, words):
    """Whether a literal is a piece of a variable's name: joint, joint., .position, a dot."""
    head = re.fullmatch(rf"(?:{'|'.join(words)})(?:\.\w*)*", literal)
    return bool(head or re.fullmatch(r"\.\w*|\w*\.", literal))


def faults_in(path, text, words):
    """Each place where a call takes a name to pieces."""
    found = []
    for call in CALL.finditer(text):
        arguments = call[1]
        literals = re.findall(r'"((?:[^"\\]|\\.)*)"', arguments) + (["."] if "'.'" in arguments else [])
        if re.search(r"\bname\b", arguments) and any(is_piece(literal, words) for literal in literals):
            line = text.count("\n", 0, call.start()) + 1
            found.append(f"{path}:{line}: {call[0]} reads a name; ask the row's key")
    return found


def main():
    words = owners()
    faults = []
    paths = [path for path in files("*.c", "*.h") if path.as_posix().startswith(FOLDERS)]
    for path in paths:
        found = faults_in(path, (ROOT / path).read_text(encoding="utf-8"), words)
        faults += found if path.as_posix() != COMPOSER and len(found) > EXCEPT.get(path.as_posix(), 0) else []
    for seen in ('strncmp(row->name, "joint.", 6)', 'ends_with(v->name, ".locked")', "strrchr(name, '.')",
                 'strncmp(member[0].name, "cylinder", 8)'):
        if not faults_in("a.c", seen, words):
            faults.append(f"tests/tree/keys.py takes {seen}")
    print("\n".join(faults) or f"no name is read in {len(paths)} sources")
    return bool(faults) or len(words) < 5 or not paths


if __name__ == "__main__":
    sys.exit(main())
