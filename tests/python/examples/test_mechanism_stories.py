"""The mechanisms of docs/stories through their FMUs: closed forms, balances and final poses.

What the pages themselves print is test_docs.py's.
"""

import csv
import math
import sys

import numpy as np
import pytest

from conftest import SOURCE
from robot_fmu import RobotFmu, rotation

EXAMPLES = SOURCE / "examples"
sys.path.insert(0, str(EXAMPLES / "delta"))

import path  # noqa: E402


def fmu_of(export, name, side, *options):
    return RobotFmu(export(EXAMPLES / name / f"{name}.urdf", "--actuators", EXAMPLES / name / side, *options, "--bare"))


def rows(name, table):
    with open(EXAMPLES / name / table, encoding="utf-8") as lines:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]


def play(slave, table, until, step):
    """Sets the inputs of a table, straight between its lines, at each step."""
    names = [name for name in table[0] if name != "time"]
    times = [row["time"] for row in table]
    for i in range(round(until / step)):
        slave.set(names, [np.interp((i + 1) * step, times, [row[name] for row in table]) for name in names])
        slave.step_to((i + 1) * step)


def axes(name, letters="xyz"):
    return [f"{name}.{letter}" for letter in letters]


@pytest.mark.parametrize("fmi", [2, 3])
def test_the_gripper_holds_with_what_its_torque_makes(fmi, export):
    """Virtual work at rest: the torque, the ball's force at the pad and the weights do none along the crank's motion."""
    fmu = fmu_of(export, "gripper", "grip.xml", "--tip", "left_finger", "--fmi", fmi)
    with fmu.slave() as slave:
        play(slave, rows("gripper", "close.csv"), 1.2, 0.01)
        angle, torque = slave.get(["joint.left_crank.position", "joint.left_crank.torque"])
        force = slave.get(axes("contact.left_pad.force"))
        assert torque == pytest.approx(0.6, rel=1e-12)  # the limit
        # The finger moves on a circle of 60 mm about the crank: dy = -0.06 cos, dz = -0.06 sin, by the crank's angle.
        dy, dz = -0.06 * math.cos(angle), -0.06 * math.sin(angle)
        weight = 9.81 * dz * (0.05 + 0.5 * (0.04 + 0.03))  # crank and follower at half the radius
        assert torque + force[1] * dy + force[2] * dz - weight == pytest.approx(0, abs=1e-6)
        # The parallelogram keeps the finger upright, and the other one does the same.
        assert slave.get(["joint.left_finger.position"])[0] == pytest.approx(-angle, abs=1e-12)
        assert slave.get(["contact.right_pad.force.y"])[0] == pytest.approx(-force[1], rel=1e-9)


def test_the_delta_robot_goes_where_its_closed_form_says(export):
    fmu = fmu_of(export, "delta", "servos.xml", "--outputs", "energy")
    table = list(path.table(0.4))
    start = {f"joint.arm{i}.initial_position": table[0][i] for i in (1, 2, 3)}
    names = [f"joint.arm{i}.{what}" for what in ("target", "target_velocity") for i in (1, 2, 3)]
    place = axes("joint.platform.position")
    with fmu.slave(start) as slave:
        slave.set(names, table[0][1:])
        for before, row in zip(table[0::2], table[2::2]):
            slave.set(names, (np.array(before[1:]) + row[1:]) / 2)
            slave.step_to(row[0])
            # What servos of these gains lag behind.
            assert slave.get(place) == pytest.approx(path.place(row[0], 0.4), abs=3e-3)
            angles = slave.get([f"joint.arm{i}.position" for i in (1, 2, 3)])
            # The closed form of other code, and the digits of the robot's file: 1e-6 m.
            assert angles == pytest.approx(path.angles(*slave.get(place)), abs=1e-5)
        assert slave.get([f"loop.rod{i}{k}.error" for i in (1, 2, 3) for k in "ab"]) == pytest.approx([0] * 6, abs=1e-14)
        # Work of the servos becomes motion and losses; of some 1 J that turn over, with the solver's 1e-8.
        assert slave.get(["energy.residual"])[0] == pytest.approx(0, abs=1e-6)


def test_cylinders_of_the_platform_bear_its_weight(export):
    """At rest, from the start on: forces times how legs lengthen when it rises are the change of potential energy."""
    fmu = fmu_of(export, "stewart", "cylinders.xml")
    forces = [f"cylinder.leg{k}.force" for k in range(1, 7)]
    height, legs = ["joint.platform.position.z"], [f"cylinder.leg{k}.length" for k in range(1, 7)]
    with fmu.slave() as slave:
        slave.step_to(0.5)
        assert slave.get(height)[0] == pytest.approx(1.8, abs=1e-9)
        length, rise = slave.get(legs)[0], 1.8 / slave.get(legs)[0]  # dL/dz
        # Platform; rods, 0.55 m below the ball joints; barrels, 0.6 m up their legs.
        weight = 9.81 * (1200 + 6 * 15 * (1 - 0.55 * (1 / length - 1.8 ** 2 / length ** 3))
                         + 6 * 30 * 0.6 * (1 / length - 1.8 ** 2 / length ** 3))
        assert sum(slave.get(forces)) * rise == pytest.approx(weight, rel=1e-6)


def test_the_platform_rises_by_the_oil_that_flows(export):
    fmu = fmu_of(export, "stewart", "cylinders.xml")
    area = math.pi / 4 * 0.08 ** 2
    with fmu.slave() as slave:
        play(slave, [row for row in rows("stewart", "spools.csv") if row["time"] < 1.25], 1.0, 0.01)
        flow, speed = slave.get(["cylinder.leg3.flow_a", "cylinder.leg3.velocity"])
        # Oil and hoses give way by little while pressures are steady.
        assert speed == pytest.approx(flow / area, rel=5e-3)
        assert slave.get(axes("joint.platform.quaternion")) == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_excavator_stands_on_its_oil_and_keeps_its_energy(export):
    """Nothing sinks before a valve opens: forces of cylinders are found through the loops."""
    fmu = fmu_of(export, "excavator", "hydraulics.xml", "--tip", "bucket", "--outputs", "energy")
    joints = [f"joint.{name}.position" for name in ("boom", "stick", "bucket")]
    with fmu.slave() as slave:
        first = slave.get(joints)
        slave.step_to(0.3)
        assert slave.get(joints) == pytest.approx(first, abs=1e-9)
        table = rows("excavator", "dig.csv")
        for step in range(15, 100):
            for name in table[0]:
                if name != "time":
                    slave.set([name], [np.interp(step / 50, [r["time"] for r in table], [r[name] for r in table])])
            slave.step_to((step + 1) / 50)
        assert slave.get(joints)[0] > first[0] + 0.1
        # The cylinder's length is its joint's position; of some 1e4 J the solver leaves 1e-8.
        length, position = slave.get(["cylinder.boom.length", "joint.boom_cylinder.position"])
        assert length == pytest.approx(position, abs=1e-12)
        assert slave.get(["energy.residual"])[0] == pytest.approx(0, abs=1e-4)


def test_the_feet_of_the_quadruped_bear_its_weight(export):
    fmu = fmu_of(export, "quadruped", "legs.xml", "--base", "free", "--tip", "trunk", "--wrench", "trunk")
    mass = sum(fmu.start(name) for name in fmu.variable if name.endswith(".mass"))
    feet = [f"contact.{leg}.force" for leg in ("fl", "fr", "hl", "hr")]
    stand = {f"joint.{leg}_{joint}.{what}": angle for leg in ("fl", "fr", "hl", "hr")
             for joint, angle in (("hip", -0.7), ("knee", 1.45)) for what in ("initial_position", "target")}
    with fmu.slave({"solver_tolerance": 1e-5, "joint.root_joint.initial_position.z": 0.318} | stand) as slave:
        slave.step_to(0.6)
        total = np.sum([slave.get(axes(foot)) for foot in feet], axis=0)
        # It still creeps and swings by a hundredth of its weight.
        assert total == pytest.approx([0, 0, 9.81 * mass], abs=0.03 * 9.81 * mass)
        turn = rotation(slave.get(axes("joint.root_joint.quaternion", "wxyz")))
        assert turn[2, 2] > 0.999 and slave.get(["joint.root_joint.position.z"])[0] == pytest.approx(0.312, abs=2e-3)


def test_a_satellite_that_returns_its_arm_has_turned(export):
    """Two ways round the same loop of the arm turn it by opposite angles, and it stays where its momentum leaves it."""
    fmu = fmu_of(export, "satellite", "servos.xml", "--outputs", "energy")
    turned = []
    table = rows("satellite", "round.csv")
    for way in (table, [dict(row, time=other["time"]) for row, other in zip([*table[-2::-1], table[0]], table)]):
        with fmu.slave({"solver_tolerance": 1e-10}) as slave:
            play(slave, way, 25, 0.25)
            assert slave.get(["joint.lift.position", "joint.elbow.position"]) == pytest.approx([-0.5, 1.2], abs=1e-3)
            turned.append(rotation(slave.get(axes("joint.body.quaternion", "wxyz"))))
            assert slave.get(["energy.kinetic"])[0] == pytest.approx(0, abs=1e-6)
    angle = math.acos((np.trace(turned[0]) - 1) / 2)
    assert angle == pytest.approx(0.524, abs=5e-3)
    # Servos lag, so that the paths are the same but for milliradians.
    assert turned[0] @ turned[1] == pytest.approx(np.eye(3), abs=0.05)
