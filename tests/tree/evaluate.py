#!/usr/bin/env python3
"""Fails where a plant is evaluated past fa_plant_evaluate, which alone knows what groups need of each other."""

import re
import sys

from tree import ROOT, files

CALL = re.compile(r"(->|\.)\s*evaluate\s*\(")
PARTS = ("model", "fmu", "import", "export", "measure", "plot", "render", "cli", "bench")
ONLY = "model/plant/plant.c"


def main():
    faults, calls = [], 0
    for path in files("*.c", "*.h"):
        if path.parts[0] not in PARTS:
            continue
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if CALL.search(line.split("//")[0]):
                calls += 1
                if str(path) != ONLY:
                    faults.append(f"{path}:{number}: call fa_plant_evaluate in place of a plant's own evaluate()")
    print("\n".join(faults) or f"{calls} call of evaluate(), in {ONLY}")
    return bool(faults) or calls != 1


if __name__ == "__main__":
    sys.exit(main())
