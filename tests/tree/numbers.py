#!/usr/bin/env python3
"""Fails where a number of an element at joints is named outside the element's file and its tests.

The lists are read by passes and as tables (joint_lists.h), so that readers, rules, rows and the robot file name no number. What other formats of robots
say, or what shows how a joint moves without any drive, has to be named where it is translated: these are listed here, with the reason.
"""

import re
import sys

from element_lists import listed
from tree import ROOT, files

# Not product code, or what tells of numbers by design.
LEFT_OUT = ("bench", "docs", "examples", "resources", "scripts", "tests", "viewer")
# Elements that dynamics itself reads: how far a joint goes, what turns with it.
READ_BY_ALL = {"limit", "rotor"}
# Numbers that URDF, MJCF or SDFormat have too, so that their readers, writers and `inspect` name them.
OF_FORMATS = {("friction", "viscous"), ("friction", "coulomb"), ("friction", "coulomb_negative"), ("friction", "width"),
              ("spring", "stiffness"), ("spring", "damping"), ("spring", "rest"),
              ("servo", "kp"), ("servo", "kd"), ("servo", "torque_limit")}
# One-sided effects, which a few points need not show; and which numbers a snake has of arms' elements.
PROBE, SNAKE = "model/plant/probe.c", "model/snake/rows/snake_lists.h"
DATA_SHEETS = "import/own/joint_elements.c"
# Semi-implicit Euler counts a stop's spring and damper at the end of the step, for one state and in lanes.
IMPLICIT = {"interface/fixed_steps.c", "solve/lanes/lane_joints.h"}
ALSO = {
    ("motor", "efficiency_back"): {PROBE}, ("motor", "voltage_limit"): {PROBE},
    ("motor", "current_limit"): {PROBE}, ("friction", "breakaway"): {PROBE}, ("friction", "breakaway_negative"): {PROBE},
    ("stop", "stiffness"): {SNAKE} | IMPLICIT, ("stop", "damping"): {SNAKE} | IMPLICIT,
    ("motor", "torque_constant"): {"cli/commands/identification/motion_log.c"},  # what a log of currents is worth
    ("motor", "resistance"): {DATA_SHEETS}, ("motor", "efficiency"): {DATA_SHEETS, PROBE},
}


def says(element, number):
    """What names a number in C or Python: as a member, in a table, as a constant, or by its row."""
    name, row = number[0], number[2]
    return re.compile(rf'\b{element.name}(?:\.|->){name}\b|\bX\({element.name}, {name},|\b{element.name.upper()}_{name.upper()}\b'
                      rf'|"(?:joint\.[^"]*\.)?{row}"')


def main():
    sources = {path.as_posix(): re.sub(r"//.*", "", (ROOT / path).read_text(encoding="utf-8"))
               for path in files("*.c", "*.h", "*.py") if path.parts[0] not in LEFT_OUT}
    elements = listed("at_joints.h")
    lists = {path for path in sources if path.startswith("model/elements/")}  # other elements' rows may have the same words
    faults, seen = [], 0
    for element in elements:
        for number in element.numbers():
            if element.name in READ_BY_ALL or (element.name, number[0]) in OF_FORMATS:
                continue
            seen += 1
            found = {path for path in set(sources) - lists
                     if (number[0] in sources[path].lower() or number[2] in sources[path])
                     and says(element, number).search(sources[path])}
            allowed = ALSO.get((element.name, number[0]), set())
            faults += [f"{path} names {element.name}.{number[0]}; read it by the lists (joint_lists.h)" for path in sorted(found - allowed)]
            faults += [f"tests/tree/numbers.py allows {path} to name {element.name}.{number[0]}, which it does not"
                       for path in sorted(allowed - found)]
    known = {(element.name, number[0]) for element in elements for number in element.numbers()}
    faults += [f"tests/tree/numbers.py knows {'.'.join(pair)}, which no element has" for pair in sorted((OF_FORMATS | set(ALSO)) - known)]
    print("\n".join(faults) or f"{seen} numbers stand in their elements alone")
    return bool(faults) or seen < 20


if __name__ == "__main__":
    sys.exit(main())
