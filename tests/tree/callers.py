#!/usr/bin/env python3
"""Fails where a function of the product has no caller in the product: names that stand only where they are declared and defined.

A name counts as used wherever else it stands, in code that is compiled or in a macro's text, also in its own file.
"""

import collections
import re
import sys

from tree import ROOT

FOLDERS = ("model", "solve", "system", "run", "fmu", "lawc", "import", "export", "raster", "plot", "render", "cli", "measure", "interface", "python/core")
# What hosts, programs of users and the linker call, and headers of which each reader takes what it wants.
OUTSIDE = {"run/", "interface/", "fmu/standard/", "model/maths/spatial.h", "model/maths/real", "model/elements/passes.h"}
# Said for itself, for tests, benchmarks and fuzzers: what methods of papers give besides, what the lists say by name, one step of a road.
TESTED = {"fa_library_ending", "fa_form_holder", "fa_check_schema", "fa_xacro_check_table", "fa_methods_work_size", "fa_joint_reactions",
          "fa_gibbs_function", "fa_element_named", "fa_element_usual", "fa_axis_uses", "fa_points_prepare", "fa_snake_methods_work_size",
          "fa_snake_lagrange_rates", "fa_snake_centre", "fa_snake_heading", "fa_snake_points",
          "fa_lanes_kernel"}
# Whose names a macro puts together: fa_add_##name, fa_snake_##element##_rows.
MADE = {"fa_add_gravity", "fa_add_position", "fa_add_wanted", "fa_snake_pace_rows"}
NAMED = re.compile(r"\bfa_\w+")
DECLARED = re.compile(r"^(?:static inline |FA_INLINED |extern )?(?:const |unsigned |struct )*\w+[\s*]+(fa_\w+)\((?=[^;{]*[;{])", re.MULTILINE)


def code(text):
    """Without comments and strings."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"", " ", text, flags=re.DOTALL)


def main():
    seen, declared, where = collections.Counter(), collections.Counter(), {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".cpp", ".hpp", ".in"):
                continue
            text = code(path.read_text(encoding="utf-8"))
            name = str(path.relative_to(ROOT))
            seen.update(NAMED.findall(text))
            for found in DECLARED.findall(text):
                declared[found] += 1
                where.setdefault(found, name)
    faults = [f"{where[name]}: {name}" for name in declared
              if seen[name] <= declared[name] and name not in TESTED | MADE and not any(where[name].startswith(outside) for outside in OUTSIDE)]
    if faults:
        print("\n".join(sorted(faults)) + "\nnobody in the product calls these; remove them, or let tests have them")
        return 1
    print(f"{len(declared)} functions have a caller")
    return 0


if __name__ == "__main__":
    sys.exit(main())
