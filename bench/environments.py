#!/usr/bin/env python3
"""What a control period costs in environments for learning, beside MuJoCo's rollout of the same arm; docs/performance.md.

    build/venv/bin/python3 bench/environments.py     # the preset release; needs the packages mujoco and gymnasium

A Panda with its fingers fixed, seven position servos, a period of 10 ms in five steps of semi-implicit Euler with implicit damping,
MuJoCo's `implicitfast`. Processor time of one thread, the lowest of several turns by turns; then how far apart both are after 2 s.
MuJoCo takes `<limit effort>` of a URDF for a limit of the joint's actuators; here both have the limits of the servos alone.
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

import mujoco  # noqa: E402
import mujoco.rollout  # noqa: E402
import numpy as np  # noqa: E402

import forearm as fa  # noqa: E402

ROBOT = SOURCE / "build" / "robots" / "panda_description" / "urdf" / "panda.urdf"
LOCKED = {"panda_finger_joint1": 0}  # the other finger follows
KP, KD = [4500, 4500, 3500, 3500, 2000, 2000, 2000], [450, 450, 350, 350, 200, 200, 200]
MOST = [87, 87, 87, 87, 12, 12, 12]
SEMI_IMPLICIT = 0  # as forearm.environments.METHODS
PERIODS, ARMS, MANY, STEPS, STEP, TURNS = 200, 64, 1024, 5, 0.002, 5


def mujoco_model(robot):
    """The same bodies, joint by joint, from the numbers that Forearm has read."""
    locks = [word for name, value in LOCKED.items() for word in ("--lock", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "panda.mjcf"
        subprocess.run([os.environ["FOREARM"], "convert", ROBOT, "-o", path, *locks], check=True, capture_output=True)
        spec = mujoco.MjSpec.from_string(path.read_text())
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    for name, kp, kd, most in zip(robot.joints, KP, KD, MOST, strict=True):
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT, gaintype=mujoco.mjtGain.mjGAIN_FIXED,
                                  biastype=mujoco.mjtBias.mjBIAS_AFFINE, forcelimited=True, forcerange=[-most, most], ctrllimited=False)
        servo.gainprm[0], servo.biasprm[1], servo.biasprm[2] = kp, -kp, -kd
    model = spec.compile()
    model.opt.timestep, model.opt.integrator = STEP, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.jnt_actfrclimited[:] = 0
    model.dof_damping[:], model.dof_frictionloss[:], model.dof_armature[:] = 0, 0, 0
    return model


def targets():
    knots = np.random.default_rng(1).uniform(-0.5, 0.5, (PERIODS // 20 + 1, ARMS, 7))
    found = np.repeat(knots, 20, axis=0)[:PERIODS]
    found[..., 3] -= 1.2
    return np.ascontiguousarray(found)


def by_mujoco(model, robot, wanted):
    """States after each period (periods, arms, 14)."""
    joints = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name) for name in robot.joints]
    begin = np.zeros((ARMS, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    control = np.repeat(np.swapaxes(wanted, 0, 1), STEPS, axis=1).copy()
    states, _ = mujoco.rollout.rollout(model, [mujoco.MjData(model)], begin, control, nstep=STEPS * PERIODS)
    at = np.array([1 + model.jnt_qposadr[j] for j in joints] + [1 + model.nq + model.jnt_dofadr[j] for j in joints])
    return np.swapaxes(states[:, STEPS - 1::STEPS][:, :, at], 0, 1)


def in_c(robot, wanted, single=False):
    """The same by the C function for fixed steps, a call for each period."""
    gains = [np.array(row, dtype=float) for row in (KP, KD, MOST)]
    arms = wanted.shape[1]
    q, qd, states = np.zeros((arms, 7)), np.zeros((arms, 7)), np.empty((PERIODS, arms, 14))
    for period in range(PERIODS):
        robot._fixed_steps(SEMI_IMPLICIT, STEPS, STEP, *gains, wanted[period], q, qd, 1, single)
        states[period, :, :7], states[period, :, 7:] = q, qd
    return states


def environment(robot, n, **options):
    env = fa.VectorEnv(robot, n=n, period=STEPS * STEP, steps=STEPS, kp=KP, kd=KD, effort=MOST, time_limit=np.inf, **options)
    env.reset(seed=0)
    return env, np.random.default_rng(0).uniform(-0.3, 0.3, (n, 7))


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = fa.load(ROBOT, lock=LOCKED)
    robot = robot.with_parameters({f"joint.{name}.viscous_friction": 0.0 for name in robot.joints})
    payload = np.random.default_rng(2).uniform(0, 1, MANY)
    heavy, light = (robot.with_parameters({"payload.mass": payload}) for _ in range(2))
    wanted, model = targets(), mujoco_model(robot)
    often = np.tile(wanted, (1, MANY // ARMS, 1))
    many = {n: environment(robot, n) for n in (16, 64, 256, 1024, 4096)}
    own, action = environment(robot, 1024, randomise={"payload.mass": (0, 2)})
    cases = {f"MuJoCo {mujoco.__version__} rollout": (PERIODS * ARMS, lambda: by_mujoco(model, robot, wanted)),
             "fixed steps, double": (PERIODS * MANY, lambda: in_c(robot, often)),
             "fixed steps, another payload in each": (PERIODS * MANY, lambda: in_c(heavy, often)),
             "fixed steps, float32": (PERIODS * MANY, lambda: in_c(robot, often, True)),
             "fixed steps, float32, another payload in each": (PERIODS * MANY, lambda: in_c(light, often, True))}
    for n, (env, act) in many.items():
        cases[f"VectorEnv.step, {n} environments"] = (20 * n, lambda env=env, act=act: [env.step(act) for _ in range(20)])
    floats, action = environment(robot, 1024, dtype=np.float32)
    cases["VectorEnv.step, 1024, float32"] = (20 * 1024, lambda: [floats.step(action) for _ in range(20)])
    cases["VectorEnv.step, 1024, another payload in each"] = (20 * 1024, lambda: [own.step(action) for _ in range(20)])
    best = dict.fromkeys(cases, np.inf)
    for _ in range(TURNS):
        for what, (periods, work) in cases.items():
            began = time.process_time()
            work()
            best[what] = min(best[what], 1e6 * (time.process_time() - began) / periods)
    peer = next(iter(best.values()))
    print("| | µs a period | million periods/s | times MuJoCo |\n|---|---|---|---|")
    for what, took in best.items():
        print(f"| {what} | {took:.3g} | {1 / took:.3g} | {peer / took:.1f} |")
    apart = np.abs(in_c(robot, wanted) - by_mujoco(model, robot, wanted))
    off = np.abs(in_c(robot, wanted, True) - by_mujoco(model, robot, wanted))[..., :7].max(axis=(0, 2))
    print(f"float32: {np.median(off):.1e} rad in the median environment, {off.max():.1e} in the worst")
    print(f"after 2 s, worst of all: {apart[..., :7].max():.1e} rad, {apart[..., 7:].max():.1e} rad/s")


if __name__ == "__main__":
    sys.exit(main())
