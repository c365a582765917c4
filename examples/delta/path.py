#!/usr/bin/env python3
"""A packing cycle for delta.urdf as a table of its servos' targets: 25 mm up, 305 mm across, 25 mm down, and back.

    examples/delta/path.py [SECONDS] > path.csv

SECONDS is the time of one way; 0.4 if not said. Angles are those of the closed form: of each arm the elbow lies where the circle
about its joint meets the ball about the platform's joint.
"""

import math
import sys

BASE, ARM, ROD, PLATFORM = 0.17, 0.25, 0.55, 0.05  # as delta.urdf has them [m]
UP, ACROSS, LOW = 0.025, 0.305, -0.475  # [m]
STEP = 0.002  # [s]


def angles(x, y, z):
    """Returns the angles [rad] of the three arms with the platform at x, y, z [m]."""
    found = []
    for arm in range(3):
        c, s = math.cos(2 * math.pi * arm / 3), math.sin(2 * math.pi * arm / 3)
        out, side = c * x + s * y + PLATFORM - BASE, c * y - s * x
        reach = (ARM ** 2 + out ** 2 + side ** 2 + z ** 2 - ROD ** 2) / (2 * ARM)
        found.append(math.atan2(-z, out) - math.acos(reach / math.hypot(out, z)))
    return found


def smooth(share):
    """From 0 to 1 with speed and acceleration zero at both ends."""
    share = min(max(share, 0), 1)
    return share ** 3 * (10 - 15 * share + 6 * share ** 2)


def place(time, way):
    """The platform at a time: up and down overlap with the way across."""
    share = time / way if time <= way else 2 - time / way
    height = smooth(share / 0.3) - smooth((share - 0.7) / 0.3)
    return ACROSS * (smooth((share - 0.1) / 0.8) - 0.5), 0.0, LOW + UP * height


def table(way):
    """Rows of time, targets and target velocities."""
    for i in range(round(2 * way / STEP) + 1):
        time = i * STEP
        before, now, after = (angles(*place(min(max(t, 0), 2 * way), way)) for t in (time - 1e-5, time, time + 1e-5))
        yield [time, *now, *((b - a) / 2e-5 for a, b in zip(before, after))]


if __name__ == "__main__":
    print("time," + ",".join(f"joint.arm{i}.{what}" for what in ("target", "target_velocity") for i in (1, 2, 3)))
    for row in table(float(sys.argv[1]) if len(sys.argv) > 1 else 0.4):
        print(",".join(f"{x:.9g}" for x in row))
