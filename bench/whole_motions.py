#!/usr/bin/env python3
"""Whole simulations of many motions from Python: Robot.simulate beside MuJoCo's rollout, one thread each, docs/performance.md.

    build/venv/bin/python3 bench/whole_motions.py     # the preset release; MuJoCo where the package mujoco is installed

A UR5 with some friction at every joint falls from random positions: 10 s, a sample every 10 ms. Both have the same bodies: MuJoCo
gets what `forearm convert` writes. Processor time, the lowest of several turns by turns; errors are the worst of all samples and
joints of some runs against steps with a tolerance of 1e-12.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

SOURCE = pathlib.Path(__file__).resolve().parents[1]
os.environ.setdefault("FOREARM", str(SOURCE / "build" / "release" / "cli" / "forearm"))
sys.path.insert(0, str(SOURCE / "python"))

import numpy as np  # noqa: E402

import forearm as fa  # noqa: E402

try:
    import mujoco
    import mujoco.rollout
except ImportError:
    mujoco = None

ROBOT = SOURCE / "build" / "robots" / "ur_description" / "urdf" / "ur5_robot.urdf"
RUNS, OF_MUJOCO, COMPARED, TURNS = 1000, 10, 20, 5


def mujoco_model(step):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "ur5.mjcf"
        subprocess.run([os.environ["FOREARM"], "convert", ROBOT, "-o", path], check=True, capture_output=True)
        model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.timestep = step
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    return model


def by_mujoco(model, robot, q, friction):
    """Positions (runs, samples, n): one model for each run, which differ in friction."""
    models = []
    for values in friction:
        models.append(mujoco.MjModel.__copy__(model))
        models[-1].dof_damping[:] = values
    order = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint) for joint in robot.joints]
    place = model.jnt_qposadr[order]
    begin = np.zeros((len(q), mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    begin[:, 1 + place] = q
    steps = round(10 / model.opt.timestep)
    states, _ = mujoco.rollout.rollout(models, mujoco.MjData(model), initial_state=begin, nstep=steps)
    every = round(0.01 / model.opt.timestep)
    return states[:, every - 1::every][:, :, 1 + place]


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = fa.load(ROBOT)
    random = np.random.default_rng(1)
    q, friction = random.uniform(-1, 1, (RUNS, robot.n)), random.uniform(0.3, 1.5, (RUNS, robot.n))
    payload = random.uniform(0, 1, RUNS)

    def with_friction(runs, **more):
        return robot.with_parameters({**{f"joint.{joint}.viscous_friction": friction[:runs, i] for i, joint in enumerate(robot.joints)}, **more})

    alike, heavy = with_friction(RUNS), with_friction(RUNS, **{"payload.mass": payload})
    cases = {"simulate, all samples": (RUNS, lambda: alike.simulate(10, q=q)),
             "simulate, the last sample": (RUNS, lambda: alike.simulate(10, q=q, step=10)),
             "simulate, another payload in each": (RUNS, lambda: heavy.simulate(10, q=q)),
             "simulate, tolerance 1e-5": (RUNS, lambda: alike.simulate(10, q=q, tolerance=1e-5))}
    models = {}
    for step in (0.002, 0.01) if mujoco else ():
        models[step] = mujoco_model(step)
        cases[f"MuJoCo {mujoco.__version__} rollout, RK4, {1e3 * step:g} ms"] = (
            OF_MUJOCO, lambda step=step: by_mujoco(models[step], robot, q[:OF_MUJOCO], friction[:OF_MUJOCO]))
    best = dict.fromkeys(cases, np.inf)
    for _ in range(TURNS):
        for what, (runs, work) in cases.items():
            began = time.process_time()
            work()
            best[what] = min(best[what], 1e3 * (time.process_time() - began) / runs)
    few = with_friction(COMPARED)
    exact = few.simulate(10, q=q[:COMPARED], tolerance=1e-12).q
    errors = {"simulate, all samples": np.abs(few.simulate(10, q=q[:COMPARED]).q - exact).max(),
              "simulate, tolerance 1e-5": np.abs(few.simulate(10, q=q[:COMPARED], tolerance=1e-5).q - exact).max()}
    for step, model in models.items():
        found = by_mujoco(model, robot, q[:OF_MUJOCO], friction[:OF_MUJOCO])
        errors[f"MuJoCo {mujoco.__version__} rollout, RK4, {1e3 * step:g} ms"] = np.abs(found - exact[:OF_MUJOCO, 1:]).max()
    print("| | ms a run | runs/s | error of positions [rad] |\n|---|---|---|---|")
    for what, took in best.items():
        error = f"{errors[what]:.1e}" if what in errors else ""
        print(f"| {what} | {took:.3g} | {1e3 / took:.0f} | {error} |")


if __name__ == "__main__":
    sys.exit(main())
