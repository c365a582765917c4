#!/usr/bin/env python3
"""What a state costs in large batches from Python, beside Pinocchio's Python; docs/performance.md.

    build/venv/bin/python3 bench/state_functions.py     # the preset release; Pinocchio where the package pin is installed

A UR5 in 100,000 random states: forward and inverse dynamics, pose and Jacobian of the tip, and forward dynamics of one state alone.
Processor time of one thread, the lowest of several turns by turns; both agree to 1e-9 of the largest number.
"""

import os
import pathlib
import sys
import time
import warnings

SOURCE = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("FOREARM", str(SOURCE / "build" / "release" / "cli" / "forearm"))
sys.path.insert(0, str(SOURCE / "python"))

import numpy as np  # noqa: E402

import forearm as fa  # noqa: E402

try:
    import pinocchio as pin
except ImportError:
    pin = None

ROBOT = SOURCE / "build" / "robots" / "ur_description" / "urdf" / "ur5_robot.urdf"
STATES, OF_PEER, ALONE, TURNS, FRAME = 100_000, 2000, 5000, 5, "ee_link"


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = fa.load(ROBOT, tip=FRAME)
    q, qd, tau = np.random.default_rng(1).uniform(-2, 2, (3, STATES, robot.n))
    out, T, J = np.empty_like(q), np.empty((STATES, 4, 4)), np.empty((STATES, 6, robot.n))
    one = (q[0].copy(), qd[0].copy(), tau[0].copy())
    cases = {"forward": (STATES, lambda: robot.forward(q, qd, tau, out=out)), "inverse": (STATES, lambda: robot.inverse(q, qd, tau, out=out)),
             "pose": (STATES, lambda: robot.pose(q, out=T)), "Jacobian": (STATES, lambda: robot.jacobian(q, out=J)),
             "forward, one state": (ALONE, lambda: [robot.forward(*one) for _ in range(ALONE)])}
    if pin:
        model = pin.buildModelFromUrdf(str(ROBOT))
        data, frame = model.createData(), model.getFrameId(FRAME)
        rows = [tuple(row) for row in zip(q[:OF_PEER], qd[:OF_PEER], tau[:OF_PEER])]
        peers = {"forward": lambda: [pin.aba(model, data, *row).copy() for row in rows],
                 "inverse": lambda: [pin.rnea(model, data, *row).copy() for row in rows],
                 "pose": lambda: [(pin.framesForwardKinematics(model, data, row[0]), data.oMf[frame].homogeneous)[1] for row in rows],
                 "Jacobian": lambda: [pin.computeFrameJacobian(model, data, row[0], frame, pin.LOCAL_WORLD_ALIGNED).copy() for row in rows]}
        for what, ours in {"forward": robot.forward(q, qd, tau), "inverse": robot.inverse(q, qd, tau), "pose": robot.pose(q),
                           "Jacobian": robot.jacobian(q)}.items():
            want = np.array(peers[what]())
            assert np.abs(ours[:OF_PEER] - want).max() < 1e-9 * np.abs(want).max(), what
        cases |= {f"{what}, Pinocchio {pin.__version__} from Python": (OF_PEER, work) for what, work in peers.items()}
    best = dict.fromkeys(cases, np.inf)
    for _ in range(TURNS):
        for what, (states, work) in cases.items():
            began = time.process_time()
            work()
            best[what] = min(best[what], 1e9 * (time.process_time() - began) / states)
    print("| | ns a state |\n|---|---|")
    for what, took in best.items():
        print(f"| {what} | {took:.0f} |")


if __name__ == "__main__":
    sys.exit(main())
