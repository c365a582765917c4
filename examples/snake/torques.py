#!/usr/bin/env python3
"""Writes the torques of Table II, sin(t)/(n - k) at joint k = 1 … n - 1, as an input table.

    torques.py LINKS STOP STEP > torques.csv
"""

import math
import sys


def main(links, stop, step):
    print("time," + ",".join(f"joint{k}.torque" for k in range(1, links)))
    for i in range(round(stop / step) + 1):
        t = i * step
        print(f"{t:.9g}," + ",".join(repr(math.sin(t) / (links - k)) for k in range(1, links)))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
