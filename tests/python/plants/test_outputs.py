"""Outputs on request: Pinocchio's joint forces, Jacobians, mass matrices, poses and regressors, and derivatives.

Tolerances are relative to the largest entry of what is compared; those of agreement.py, and of a
central difference with steps of 1e-6: rounding over the step and the step squared, the worst seen 3.4e-10.
"""

import json
import re

import numpy as np
import pinocchio as pin
import pytest

from agreement import PRODUCTS, states
from conftest import SOURCE
from figures import close, scale
from pinocchio_arm import PinocchioArm, segment
from random_urdf import random_urdf
from robot_fmu import TIP_FORCE, TIP_TORQUE, RobotFmu

FOLDER = SOURCE / "build" / "robots"
ROBOTS = {"panda": FOLDER / "panda_description/urdf/panda.urdf",  # two fingers, one a mimic
          "ur5": FOLDER / "ur_description/urdf/ur5_robot.urdf",
          "talos": FOLDER / "talos_data/robots/talos_full_v2.urdf"}
ALL = ["--outputs", "reactions,jacobian,mass-matrix,poses"]
STATES = 6
DIFFERENCE = 3e-9

needs_robots = pytest.mark.skipif(not FOLDER.exists(), reason="skipped: build/robots not found; "
                                                              "scripts/test fetches it")


def wrench_names(of):
    return [f"{of}.reaction.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]


def jacobian_names(fmu):
    return [f"tip.jacobian.{what}.{axis}.{joint}" for what in ("velocity", "angular_velocity")
            for axis in "xyz" for joint in fmu.joints]


def mass_names(fmu):
    return [f"mass_matrix.{a}.{b}" for a in fmu.joints for b in fmu.joints]


def vector(of):
    return [f"{of}.{axis}" for axis in "xyz"]


def frames(arm, fmu):
    """Pinocchio's frames of the links that the FMU shows, by the FMU's names."""
    named = {segment(frame.name): i for i, frame in enumerate(arm.model.frames)
             if frame.type == pin.BODY}
    links = [name.split(".")[1] for name in fmu.variable if name.endswith(".position.x")]
    assert links and all(f"link.{link}.mass" in fmu.variable for link in links)
    return {link: named[link] for link in links}


def forces(arm, q, qd, qdd, wrench):
    """Force and torque in every moving joint, by name, and what the ground has to hold."""
    configuration = arm.configuration(q)
    pin.framesForwardKinematics(arm.model, arm.data, configuration)
    frame = arm.model.frames[arm.tip]
    # The wrench on the tip stands in world axes; at the joint, it is part of the external forces.
    at_tip = pin.Force(np.array(wrench))
    turn = pin.SE3(arm.data.oMf[arm.tip].rotation.T, np.zeros(3))
    loads = pin.StdVec_Force([pin.Force.Zero() for _ in arm.model.joints])
    loads[frame.parentJoint] = frame.placement.act(turn.act(at_tip))
    pin.rnea(arm.model, arm.data, configuration, arm.G @ qd, arm.G @ qdd, loads)
    of = {name: arm.data.f[i].vector.copy() for i, name in enumerate(arm.model.names) if i > 0}
    ground = pin.Force.Zero()
    for i, parent in enumerate(arm.model.parents):
        if i > 0 and parent == 0:
            ground += arm.data.liMi[i].act(arm.data.f[i])
    bolted = arm.model.inertias[0]
    ground -= pin.Force(bolted.mass * arm.model.gravity.linear,
                        np.cross(bolted.mass * bolted.lever, arm.model.gravity.linear))
    return of, ground.vector


def compare(urdf, export, forearm, fmi=3, count=STATES):
    fmu = RobotFmu(export(urdf, *ALL, "--fmi", fmi, "--bare"))
    tip = json.loads(forearm("inspect", "--json", urdf))["robot"]["tip_link"]
    arm = PinocchioArm(urdf, fmu, tip)
    n = len(fmu.joints)
    links = frames(arm, fmu)
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, urdf.stem, count):
            model.set_state(q, qd)
            model.set(fmu.efforts + TIP_FORCE + TIP_TORQUE, [*tau, *wrench])
            want, ground = forces(arm, q, qd, model.accelerations(), wrench)
            size = max(np.max(np.abs(list(want.values()))), np.max(np.abs(ground)))
            for name, force in want.items():
                joint = re.sub(r"[^A-Za-z0-9_]", "_", name)
                close("force in a joint", model.get(wrench_names(f"joint.{joint}")), force,
                      PRODUCTS, f"{at} {name}", size)
            close("force at the base", model.get(wrench_names("base")), ground, PRODUCTS, at, size)
            full = pin.computeFrameJacobian(arm.model, arm.data, arm.configuration(q), arm.tip,
                                            pin.LOCAL_WORLD_ALIGNED)
            close("Jacobian", model.get(jacobian_names(fmu)).reshape(6, n), full @ arm.G, PRODUCTS,
                  at)
            for link, frame in links.items():
                pose = arm.data.oMf[frame]
                close("place of a link", model.get(vector(f"link.{link}.position")),
                      pose.translation, PRODUCTS, f"{at} {link}", 1)
                for k, axis in enumerate("xyz"):
                    close("axis of a link", model.get(vector(f"link.{link}.{axis}_axis")),
                          pose.rotation[:, k], PRODUCTS, f"{at} {link}", 1)
            close("mass matrix", model.get(mass_names(fmu)).reshape(n, n), arm.mass_matrix(q),
                  PRODUCTS, at)


@needs_robots
@pytest.mark.parametrize("name", ROBOTS)
def test_forces_jacobians_and_mass_matrices_are_pinocchios(name, export, forearm):
    compare(ROBOTS[name], export, forearm)


@needs_robots
def test_fmi_2_has_them_too(export, forearm):
    compare(ROBOTS["ur5"], export, forearm, 2)


@pytest.mark.parametrize("seed", range(8))
def test_a_random_tree_has_pinocchios(seed, export, forearm, tmp_path):
    urdf = tmp_path / f"random{seed}.urdf"
    urdf.write_text(random_urdf(seed))
    compare(urdf, export, forearm, 3, 3)


# Pinocchio's order of a tensor's elements, in ours.
ELEMENTS = ["xx", "xy", "yy", "xz", "yz", "zz"]


@needs_robots
def test_the_regressor_is_pinocchios(export, forearm, tmp_path):
    urdf = ROBOTS["ur5"]
    fmu = RobotFmu(export(urdf, "--bare"))
    arm = PinocchioArm(urdf, fmu, json.loads(forearm("inspect", "--json", urdf))["robot"]["tip_link"])
    chance = np.random.default_rng(5)
    motion = tmp_path / "motion.csv"
    names = fmu.positions + fmu.velocities + fmu.accelerations
    values = chance.uniform(-2, 2, (STATES, len(names)))
    motion.write_text("\n".join([",".join(names)] + [",".join(map(repr, map(float, row)))
                                                     for row in values]))
    lines = forearm("inverse", urdf, "--regressor", "--in", motion).splitlines()
    column = {name: i for i, name in enumerate(lines[0].split(","))}
    n = len(fmu.joints)
    for row, line in zip(values, lines[1:]):
        got = [float(word) for word in line.split(",")]
        q, qd, qdd = row[:n], row[n:2 * n], row[2 * n:]
        want = pin.computeJointTorqueRegressor(arm.model, arm.data, arm.configuration(q),
                                               arm.G @ qd, arm.G @ qdd)
        for i, link in enumerate(["shoulder_link", "upper_arm_link", "forearm_link", "wrist_1_link",
                                  "wrist_2_link", "wrist_3_link"]):
            parts = (["mass"] + [f"mass_com.{axis}" for axis in "xyz"] +
                     [f"origin_inertia.{element}" for element in ELEMENTS])
            mine = [[got[column[f"{effort}/link.{link}.{part}"]] for part in parts]
                    for effort in fmu.efforts]
            close("regressor", mine, want[:, 10 * i:10 * i + 10], PRODUCTS, link, scale(want))


def test_derivatives_are_the_limit_of_differences(export):
    """Of every output, by every state and input; and the transpose, by the dot-product identity."""
    fmu = RobotFmu(export(SOURCE / "resources" / "robots" / "stanford.xml", *ALL, "--bare"))
    chance = np.random.default_rng(3)
    outputs = [v.name for v in fmu.description.modelVariables
               if v.causality == "output" and v.name not in fmu.states]
    inputs = [v.name for v in fmu.description.modelVariables if v.causality == "input"]
    knowns = fmu.states + inputs
    assert len(outputs) > 6 * 7 + 6 * 6 + 36
    with fmu.model() as model:
        x = chance.uniform(-1, 1, len(knowns))

        def put(values):
            model.set_state(values[:len(fmu.states)])
            model.set(inputs, values[len(fmu.states):])

        put(x)
        jacobian = model.jacobian(outputs, knowns)
        size = np.max(np.abs(jacobian))
        for i, known in enumerate(knowns):
            step = np.zeros(len(knowns))
            step[i] = 1e-6
            sides = []
            for sign in (1, -1):
                put(x + sign * step)
                sides.append(model.get(outputs))
            close("outputs by differences", jacobian[:, i], (sides[0] - sides[1]) / 2e-6,
                  DIFFERENCE, known, size)
        put(x)
        slope, direction = chance.uniform(-1, 1, len(outputs)), chance.uniform(-1, 1, len(knowns))
        reference = {v.name: v.valueReference for v in fmu.description.modelVariables}
        back = np.array(model.fmi.getAdjointDerivative([reference[name] for name in outputs],
                                                       [reference[name] for name in knowns], slope,
                                                       len(knowns)))
        terms = slope * model.derivative(outputs, knowns, direction)
        close("adjoint of outputs", [back @ direction], [np.sum(terms)], PRODUCTS, "",
              np.sum(np.abs(terms)))
