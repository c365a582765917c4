#!/usr/bin/env python3
"""Fails on a fa_error that is declared without an initialiser, so that none can be read before it is written.

A member of a struct is given its value with the struct, and what is static starts as zeros; all
others are local, and begin with `= fa_no_error()` or a value of their own.
"""

import re
import sys

from tree import ROOT, files

# Members of structs: fa_run, fa_lane, fa_course, motion_work and outcome, which are set whole when a run begins; core_robot,
# fa_sim_arm, fa_bare_parts and fa_workspace, when they are made. status.h
# has fa_no_error itself.
MEMBERS = {"run/ensemble.h", "interface/courses.h", "interface/motions.c", "interface/bare_mechanism.h", "interface/workspace.h",
           "python/core/held_runs.c", "python/core/core.h",
           "cli/sim/sim_arm.h", "solve/lockstep.h",
           "model/base/status.h"}
DECLARED = re.compile(r"(?<![\w*(])fa_error\s+(?=\w)[^;={}()]*;")

# What the check must find, and what it must pass: it proves on them that it can fail.
FAULTS = ["    fa_error error;", "fa_error  why, other;", "    fa_error error[4];"]
RIGHT = ["    fa_error error = fa_no_error();", "static fa_error error;", "fa_status f(fa_error *error);",
         "    fa_error error = *later;"]


def faults(text):
    """Lines, counted from 1, of declarations without an initialiser."""
    return [text.count("\n", 0, m.start()) + 1 for m in DECLARED.finditer(text)
            if not text[:m.start()].endswith("static ")]


def main():
    wrong = [f"{text!r} is not found" for text in FAULTS if not faults(text)]
    wrong += [f"{text!r} is taken for a fault" for text in RIGHT if faults(text)]
    sources = [path for path in files("*.c", "*.h", "*.cpp", "*.hpp") if str(path) not in MEMBERS]
    for path in sources:
        for line in faults((ROOT / path).read_text()):
            wrong.append(f"{path}:{line}: write fa_error … = fa_no_error();")
    print("\n".join(wrong) or f"every fa_error in {len(sources)} files has an initialiser")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
