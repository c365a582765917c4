#!/usr/bin/env python3
"""Fails on a call of libm whose last digit differs from one C library to the next, in a folder that an FMU computes with: an
FMU gives the same bits on every platform (docs/platforms.md). model/maths has functions of our own."""

import re
import sys

from tree import ROOT, files

# IEEE 754 rounds sqrt and fma correctly; floor, fmin, ldexp and their kin are exact.
INEXACT = (r"(?<![\w.>])(?:a?(?:sin|cos|tan)h?|atan2|sincos|exp|exp2|expm1|log|log2|log10|log1p|pow|hypot|cbrt"
           r"|erfc?|[lt]gamma)[fl]?\s*\(")

# Places whose result is no number of an FMU.
MAY = {
    "model/dynamics/papers/plain_matrix.h": "the papers' own algorithms, which no FMU calls",
    "model/loops/building/robot_loops.c": "digits and angles of a sentence",
    "model/maths/sincos.h": "angles beyond its range, which docs/platforms.md excepts",
    "model/robot/robot_check.c": "a pose without a pattern, for a check",
    "model/robot/robot_circuit.c": "digits of a sentence",
    "model/snake/kane/snake_methods.c": "digits of a sentence",
    "model/snake/papers/snake_kane_paper.c": "the papers' own algorithms, which no FMU calls",
    "model/snake/papers/snake_lagrange.c": "the papers' own algorithms, which no FMU calls",
    "model/snake/robot_snake.c": "a warning about pegs at the start",
    "model/elements/oil/four_bar.c": "the place of an extremum, to within the range that a check looks at",
}


def calls(text):
    """Returns the calls of inexact functions outside comments and strings."""
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)
    return [call.rstrip("( ") for call in re.findall(INEXACT, code)]


def main():
    found = {str(path): calls((ROOT / path).read_text(encoding="utf-8"))
             for path in files("*.c", "*.h") if path.parts[0] in ("model", "fmu", "solve")}
    faults = [f"{path}: calls {', '.join(sorted(set(names)))} of libm; model/maths has its own"
              for path, names in sorted(found.items()) if names and path not in MAY]
    faults += [f"tests/tree/libm.py: {path} calls none of them" for path in MAY if not found.get(path)]
    if calls("sqrt(a); fa_atan2(b, c); // sin(x)\n") or calls("x = 2 * atan2 (a, b);") != ["atan2"]:
        faults.append("tests/tree/libm.py does not tell libm's functions from ours")
    print("\n".join(faults) or f"{len(found)} sources call no inexact function of libm")
    return bool(faults) or len(found) < 100


if __name__ == "__main__":
    sys.exit(main())
