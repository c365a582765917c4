"""Pinocchio and our FMUs agree on every robot in the example-robot-data wheel that has inertias.

Not only on the serial arms: also on hands and humanoids, with their bases bolted to the ground.

Tolerances, relative to the largest entry of what is compared:
  PRODUCTS  1e-12  kinematics: products along the branch, in both programs
  SOLUTION         accelerations: 1e-12, or RECIPE * cond(M) where that is more, because two
                   programs that solve with the mass matrix by different roads differ by that much
"""

import json

import numpy as np
import pytest

from conftest import SOURCE
from figures import close, scale
from pinocchio_arm import PinocchioArm
from robot_fmu import (ENERGIES, TIP_ACCELERATION, TIP_ANGULAR_ACCELERATION, TIP_ANGULAR_VELOCITY,
                       TIP_FORCE, TIP_POINT, TIP_TORQUE, TIP_VELOCITY, RobotFmu)

PRODUCTS = 1e-12
RECIPE = 1e-15  # four or five roundings of 2.2e-16
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
    "tiago_description/robots/tiago.urdf":
        "the inertia of link 'base_antenna_left_link' is not positive semi-definite",
    "tiago_description/robots/tiago_dual.urdf":
        "the inertia of link 'base_antenna_left_link' is not positive semi-definite",
    "tiago_description/robots/tiago_no_hand.urdf":
        "the inertia of link 'base_antenna_left_link' is not positive semi-definite",
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
    assert len(MOVING) == 60


@needs_robots
@every(sorted(REFUSED))
def test_a_file_that_is_no_robot_is_refused_in_words(name, refuse):
    assert REFUSED[name] in refuse("check", URDFS[name])


@needs_robots
@every(sorted(MOTIONLESS))
def test_a_robot_without_joints_is_exported_all_the_same(name, export):
    assert RobotFmu(export(URDFS[name])).joints == []


@needs_robots
@every(MOVING)
def test_fmi_3_moves_as_pinocchio_says(name, export, forearm):
    compare(name, export, forearm, 3)


@needs_robots
@every(ALSO_FMI_2)
def test_fmi_2_moves_as_pinocchio_says(name, export, forearm):
    compare(name, export, forearm, 2)


def tip_of(forearm, *options):
    return json.loads(forearm("inspect", "--json", *options))["robot"]["tip_link"]


def compare(name, export, forearm, fmi):
    fmu = RobotFmu(export(URDFS[name], "--fmi", fmi))
    arm = PinocchioArm(URDFS[name], fmu, tip_of(forearm, URDFS[name]))
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, f"{name} FMI {fmi}"):
            model.set_state(q, qd)
            model.set(fmu.efforts, tau)
            model.set(TIP_FORCE + TIP_TORQUE, wrench)
            close("accelerations", model.accelerations(), arm.solve(q, qd, tau, wrench),
                  solution(arm, q), at)
            compare_outputs(model, arm.outputs(q, qd, model.accelerations()), at)


def solution(arm, q):
    return max(1e-12, RECIPE * np.linalg.cond(arm.mass_matrix(q)))


def states(arm, name):
    """Random positions, velocities, efforts and wrenches on the tip, as the FMU has them."""
    chance = np.random.default_rng(1)
    n = len(arm.fmu.joints)
    sliding = np.array([effort.endswith(".force") for effort in arm.fmu.efforts])
    for state in range(STATES):
        # Any angle, whatever its limits; distances of the size of such robots [rad], [m].
        q = np.where(sliding, 0.2, 3.0) * chance.uniform(-1, 1, n)
        qd = np.where(sliding, 0.5, 2.0) * chance.uniform(-1, 1, n)
        # Efforts that alone would give the joints some 20 rad/s2, so that fingers of grams do not
        # drown the rest; in every other state a wrench on the tip [N], [N m].
        inertia = np.diag(arm.mass_matrix(q))
        tau = inertia * chance.uniform(-20, 20, n)
        wrench = np.concatenate([chance.uniform(-1, 1, 3), chance.uniform(-0.1, 0.1, 3)])
        yield f"{name} state {state}", (q, qd, tau, (state % 2) * np.mean(inertia) * wrench)


@needs_robots
def test_a_locked_joint_is_part_of_its_link(export, forearm):
    urdf = URDFS["xarm_description/urdf/xarm7.urdf"]
    options = [urdf, "--lock", "joint3=0.7", "--lock", "joint6=-0.4"]
    fmu = RobotFmu(export(*options))
    arm = PinocchioArm(urdf, fmu, tip_of(forearm, urdf), {"joint3": 0.7, "joint6": -0.4})
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, "xarm7"):
            model.set_state(q, qd)
            model.set(fmu.efforts + TIP_FORCE + TIP_TORQUE, [*tau, *wrench])
            close("accelerations, joints locked", model.accelerations(),
                  arm.solve(q, qd, tau, wrench), solution(arm, q), at)
            compare_outputs(model, arm.outputs(q, qd, model.accelerations()), at)


@needs_robots
def test_a_wrench_on_a_link_acts_at_its_centre_of_mass(export, forearm):
    urdf = URDFS["ur_description/urdf/ur5_robot.urdf"]
    fmu = RobotFmu(export(urdf, "--wrench", "forearm_link"))
    arm = PinocchioArm(urdf, fmu, tip_of(forearm, urdf))
    com = [fmu.start(f"link.forearm_link.com.{axis}") for axis in "xyz"]
    frame = arm.model.getFrameId("forearm_link")
    inputs = [f"link.forearm_link.{what}.{axis}" for what in ("force", "torque") for axis in "xyz"]
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, "ur5"):
            wrench = wrench + 5.0
            model.set_state(q, qd)
            model.set(fmu.efforts + inputs, [*tau, *wrench])
            want = arm.solve(q, qd, tau, np.zeros(6), arm.effort_of_wrench(q, frame, wrench, com))
            close("accelerations, wrench on a link", model.accelerations(), want, solution(arm, q),
                  at)


def compare_outputs(model, want, at):
    reach = max(1.0, scale(want["point"]))
    close("tip rotation", model.tip_rotation(), want["rotation"], PRODUCTS, at)
    close("tip position", model.get(TIP_POINT), want["point"], PRODUCTS, at, reach)
    for what, names in (("velocity", TIP_VELOCITY), ("angular_velocity", TIP_ANGULAR_VELOCITY),
                        ("acceleration", TIP_ACCELERATION),
                        ("angular_acceleration", TIP_ANGULAR_ACCELERATION)):
        close(f"tip {what.replace('_', ' ')}", model.get(names), want[what], PRODUCTS, at)
    kinetic, potential = model.get(ENERGIES)
    close("kinetic energy", [kinetic], [want["kinetic"]], PRODUCTS, at)
    close("potential energy", [potential], [want["potential"]], PRODUCTS, at)
