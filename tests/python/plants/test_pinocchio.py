"""Pinocchio and our FMUs agree on every robot in the example-robot-data wheel that has inertias.

Not only on the serial arms: also on hands and humanoids, with their bases bolted to the ground; and
on random trees with joints of every kind.
Tolerances and their reasons are in agreement.py.
"""

import json
import re

import numpy as np
import pinocchio as pin
import pytest

from agreement import agree, outputs_agree, solution, states
from conftest import SOURCE
from figures import close
from pinocchio_arm import PinocchioArm
from random_urdf import random_urdf
from robot_fmu import TIP_FORCE, TIP_TORQUE, RobotFmu

STATES = 12

FOLDER = SOURCE / "build" / "robots"
URDFS = {str(path.relative_to(FOLDER)): path for path in sorted(FOLDER.rglob("*.urdf"))}

# The files that are no robots which move by Newton's laws, and the words in which we say so.
REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf":
        "<mimic> of joint 'Left_index_q2' names the joint 'index_q1', which is not in the file",
    "romeo_description/urdf/romeo.urdf":
        "link 'LFinger11Link' moves but has no inertia about the axis of joint 'LHand'",
    "romeo_description/urdf/romeo_laas_small.urdf":
        "the inertia of link 'body' is not positive semi-definite",
    "ur_description/urdf/ur3.urdf": "the robot has no links",
}
MOTIONLESS = {"hector_description/robots/quadrotor_base.urdf",
              "iris_description/robots/iris_simple.urdf"}
MOVING = sorted(set(URDFS) - set(REFUSED) - MOTIONLESS)
ALSO_FMI_2 = ["panda_description/urdf/panda.urdf", "kinova_description/robots/kinova.urdf",
              "ur_description/urdf/ur5_robot.urdf", "xarm_description/urdf/xarm7.urdf"]

needs_robots = pytest.mark.skipif(not URDFS, reason="skipped: build/robots not found; scripts/test "
                                                    "fetches it")


def every(names):
    return pytest.mark.parametrize("name", names, ids=lambda name: name.rpartition("/")[2][:-5])


@needs_robots
def test_the_wheel_holds_what_the_lists_say():
    assert set(REFUSED) | MOTIONLESS <= set(URDFS)
    assert len(MOVING) == 63


@needs_robots
@every(sorted(REFUSED))
def test_a_file_that_is_no_robot_is_refused_in_words(name, refuse):
    assert REFUSED[name] in refuse("check", URDFS[name])


@needs_robots
@every(sorted(MOTIONLESS))
def test_a_robot_without_joints_is_exported_all_the_same(name, export):
    assert RobotFmu(export(URDFS[name], "--bare")).joints == []


@pytest.mark.sampled(2)
@needs_robots
@every(MOVING)
def test_fmi_3_moves_as_pinocchio_says(name, export, forearm, tmp_path):
    compare(name, export, forearm, 3, tmp_path)


@needs_robots
@every(ALSO_FMI_2)
def test_fmi_2_moves_as_pinocchio_says(name, export, forearm, tmp_path):
    compare(name, export, forearm, 2, tmp_path)


def tip_of(forearm, *options):
    return json.loads(forearm("inspect", "--json", *options))["robot"]["tip_link"]


def heavy(path, folder):
    """The file as Pinocchio reads it: gravity pulls on links whose <gazebo> switches it off, and no <gazebo> has springs."""
    text = path.read_text(errors="surrogateescape")
    if not re.search("turnGravityOff|springStiffness", text):
        return path
    copy = folder / path.name
    copy.write_text(re.sub("(?s)<gazebo[^>]*>.*?</gazebo>", "", text), errors="surrogateescape")
    return copy


def compare(name, export, forearm, fmi, folder):
    path = heavy(URDFS[name], folder)
    fmu = RobotFmu(export(path, "--fmi", fmi, "--bare"))
    agree(PinocchioArm(path, fmu, tip_of(forearm, path)), f"{name} FMI {fmi}", STATES)


@pytest.mark.parametrize("seed", range(24))
def test_a_random_tree_moves_as_pinocchio_says(seed, export, forearm, tmp_path):
    urdf = tmp_path / f"random{seed}.urdf"
    urdf.write_text(random_urdf(seed))
    arm = PinocchioArm(urdf, RobotFmu(export(urdf, "--bare")), tip_of(forearm, urdf))
    agree(arm, f"random tree {seed}", 5)


JACOBIAN = 1e-11  # solved with the mass matrix twice; the worst seen was 8e-14

# Robots whose joints are all free: what Pinocchio differentiates. Friction is set to zero.
FREE = ["ur_description/urdf/ur5_robot.urdf", "kinova_description/robots/kinova.urdf",
        "xarm_description/urdf/xarm7.urdf", "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        "anymal_b_simple_description/robots/anymal.urdf", "z1_description/urdf/z1.urdf"]


@needs_robots
@every(FREE)
def test_jacobians_are_pinocchios(name, export, forearm):
    """Of forward and inverse dynamics."""
    fmu = RobotFmu(export(URDFS[name], "--bare"))
    arm = PinocchioArm(URDFS[name], fmu, tip_of(forearm, URDFS[name]))
    inverse = RobotFmu(export(URDFS[name], "--kind", "inverse", "--bare"))
    frictionless = {f"joint.{joint}.{what}": 0.0 for joint in fmu.joints for what in arm.friction
                    if what != "friction_width"}
    assert not arm.coupled
    with fmu.model(frictionless) as model, inverse.model(frictionless) as other:
        for at, (q, qd, tau, _) in states(arm, name, 3):
            model.set_state(q, qd)
            model.set(fmu.efforts, tau)
            pin.computeABADerivatives(arm.model, arm.data, arm.configuration(q), arm.G @ qd,
                                      arm.G @ tau)
            minverse = np.triu(arm.data.Minv) + np.triu(arm.data.Minv, 1).T
            for what, known, want in (("q", fmu.positions, arm.data.ddq_dq),
                                      ("qd", fmu.velocities, arm.data.ddq_dv),
                                      ("tau", fmu.efforts, minverse)):
                close(f"d qdd / d {what}", model.jacobian(fmu.accelerations, known),
                      arm.G.T @ want @ arm.G, JACOBIAN, at)
            qdd = model.accelerations()
            other.set(fmu.positions + fmu.velocities + fmu.accelerations, [*q, *qd, *qdd])
            pin.computeRNEADerivatives(arm.model, arm.data, arm.configuration(q), arm.G @ qd,
                                       arm.G @ qdd)
            for what, known, want in (("q", fmu.positions, arm.data.dtau_dq),
                                      ("qd", fmu.velocities, arm.data.dtau_dv)):
                close(f"d tau / d {what}", other.jacobian(fmu.efforts, known),
                      arm.G.T @ want @ arm.G, JACOBIAN, at)


@needs_robots
def test_a_locked_joint_is_part_of_its_link(export, forearm):
    urdf = URDFS["xarm_description/urdf/xarm7.urdf"]
    options = [urdf, "--lock", "joint3=0.7", "--lock", "joint6=-0.4"]
    fmu = RobotFmu(export(*options, "--bare"))
    arm = PinocchioArm(urdf, fmu, tip_of(forearm, urdf), {"joint3": 0.7, "joint6": -0.4})
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, "xarm7", STATES):
            model.set_state(q, qd)
            model.set(fmu.efforts + TIP_FORCE + TIP_TORQUE, [*tau, *wrench])
            close("accelerations, joints locked", model.accelerations(),
                  arm.solve(q, qd, tau, wrench), solution(arm, q), at)
            outputs_agree(model, arm.outputs(q, qd, model.accelerations()), at)


@needs_robots
def test_a_wrench_on_a_link_acts_at_its_centre_of_mass(export, forearm):
    urdf = URDFS["ur_description/urdf/ur5_robot.urdf"]
    fmu = RobotFmu(export(urdf, "--wrench", "forearm_link", "--bare"))
    arm = PinocchioArm(urdf, fmu, tip_of(forearm, urdf))
    com = [fmu.start(f"link.forearm_link.com.{axis}") for axis in "xyz"]
    frame = arm.model.getFrameId("forearm_link")
    inputs = [f"link.forearm_link.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, "ur5", STATES):
            wrench = wrench + 5.0
            model.set_state(q, qd)
            model.set(fmu.efforts + inputs, [*tau, *wrench])
            want = arm.solve(q, qd, tau, np.zeros(6), arm.effort_of_wrench(q, frame, wrench, com))
            close("accelerations, wrench on a link", model.accelerations(), want, solution(arm, q),
                  at)
