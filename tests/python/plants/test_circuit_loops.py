"""Circuits whose cylinders and motors act on mechanisms with closed loops: a golden machine with its cylinder as barrel, rod
and eye; a motor at a joint that a loop determines, or is a state; an excavator's accounts; its FMUs."""

import csv
import io
import json
import math
import re

import fmpy
import numpy as np
import pytest

from cli import ok, run
from conftest import SOURCE

REFERENCE = SOURCE / "tests" / "reference" / "circuits"
EXAMPLES = SOURCE / "examples" / "excavator"
EXCAVATOR = [EXAMPLES / "excavator.urdf", "--tip", "bucket", "--actuators", EXAMPLES / "circuit.xml"]


def columns(text):
    rows = list(csv.reader(io.StringIO(text)))
    return {name: np.array([float(row[i]) for row in rows[1:]]) for i, name in enumerate(rows[0])}


def link(name, mass=1e-9, com="0 0 0", inertia=1e-9):
    return (f"<link name='{name}'><inertial><origin xyz='{com}'/><mass value='{mass!r}'/><inertia ixx='{inertia!r}' "
            f"iyy='{inertia!r}' izz='{inertia!r}' ixy='0' ixz='0' iyz='0'/></inertial></link>")


def joint(name, kind, parent, child, xyz, axis):
    return (f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><origin xyz='{xyz}'/>"
            f"<axis xyz='{axis}'/><limit lower='-9' upper='9' effort='1e9' velocity='1e9'/></joint>")


def with_links(folder):
    """The golden machine "lowering", whose cylinder is a barrel on a pin, a rod that slides in it, and an eye."""
    own = (REFERENCE / "lowering.xml").read_text()
    cylinder = re.search(r"<cylinder .*?</cylinder>", own, re.DOTALL)[0]
    circuit = re.search(r"<circuit>.*</circuit>", own, re.DOTALL)[0]
    pin, eye = (0.26, -1.04), (0.3025, -0.105)  # from-xyz and to-xyz; the boom starts at 0
    length, angle = math.dist(pin, eye), math.atan2(eye[1] - pin[1], eye[0] - pin[0])
    (folder / "lowering.urdf").write_text(
        "<robot name='lowering'>" + link("base") + link("boom", 643.66, "2.512 0.0292 0", 560.0) + link("barrel") + link("rod")
        + joint("lift", "revolute", "base", "boom", "0 0 0", "0 0 1")
        + joint("pin", "revolute", "base", "barrel", f"{pin[0]} {pin[1]} 0", "0 0 1")
        + joint("slide", "prismatic", "barrel", "rod", "0 0 0", "1 0 0")
        + f"<loop name='eye' type='revolute'><predecessor link='rod'/><successor link='boom'><origin xyz='{eye[0]} {eye[1]} 0'/>"
          "</successor><axis xyz='0 0 1'/></loop></robot>")
    cylinder = re.sub(r'from="base".*?cut=', 'joint="slide" offset="0" cut=', cylinder, flags=re.DOTALL)
    (folder / "side.xml").write_text(
        f"<mechanism for='lowering' gravity='0 -9.81 0'><joint name='pin'><initial position='{angle!r}'/></joint>"
        f"<joint name='slide'><initial position='{length!r}'/></joint><independent joints='lift'/>{cylinder}{circuit}</mechanism>")
    return [folder / "lowering.urdf", "--actuators", folder / "side.xml", "--tip", "boom"]


def test_a_golden_machine_with_its_cylinder_as_links_moves_as_it_does_without(tmp_path):
    golden = json.loads((REFERENCE / "lowering.json").read_text())
    inputs = golden["inputs"]
    knots = sorted({t for name in inputs for t in inputs[name]["time"]})
    rows = [[t, *(float(np.interp(t, inputs[n]["time"], inputs[n]["value"])) for n in inputs)] for t in knots]
    (tmp_path / "inputs.csv").write_text("\n".join([",".join(["time", *inputs]), *(",".join(map(repr, r)) for r in rows)]))
    step = golden["time"][-1] / (len(golden["time"]) - 1)
    got = columns(ok("simulate", *with_links(tmp_path), "--input", tmp_path / "inputs.csv", "--interpolate", "linear",
                     "--outputs", "energy", "--tolerance", "1e-12", "--step", repr(step), "--stop", repr(golden["time"][-1])))
    for name, want in golden["variables"].items():
        peak = np.max(np.abs(want))
        if peak < 1e-15:
            continue
        # 1e-8 as for the machine itself, 1e-7 for the spool's velocity; links of 1e-9 kg are 1e-12 of the boom.
        allowed = 1e-7 if name.endswith("spool_velocity") else 1e-8
        assert np.max(np.abs(got[name] - want)) <= allowed * peak, name


def four_bar(folder, state):
    """The crank at 2.2 rad, where neither it nor the rocker is near a dead point; lengths 0.2, 0.5, 0.45, ground 0.6."""
    crank = 2.2
    pin = (0.2 * math.cos(crank), 0.2 * math.sin(crank))
    apart, along = math.dist(pin, (0.6, 0)), math.atan2(-pin[1], 0.6 - pin[0])
    coupler = along + math.acos((0.5**2 + apart**2 - 0.45**2) / (2 * 0.5 * apart))
    rocker = math.atan2(pin[1] + 0.5 * math.sin(coupler), pin[0] + 0.5 * math.cos(coupler) - 0.6)
    robots = SOURCE / "tests" / "mechanisms" / "robots"
    text = (robots / "four_bar.urdf").read_text().replace(' independent="true"', "")
    text = text.replace(f'<joint name="{state}" type="continuous"', f'<joint name="{state}" type="continuous" independent="true"')
    side = "<mechanism for='four_bar'>" + "".join(
        f"<joint name='{name}'><initial position='{angle!r}'/></joint>"
        for name, angle in (("crank", crank), ("coupler", coupler - crank), ("rocker", rocker))) + """
      <circuit><oil bulk-modulus="1.5e9"/><tank name="T" pressure="2e5"/><supply name="P" pressure="6e6"/>
      <orifice name="in" from="P" to="A" nominal-flow="1e-4" nominal-drop="1e6"/>
      <orifice name="out" from="B" to="T" nominal-flow="1e-4" nominal-drop="1e6"/>
      <hydraulic-motor name="m" joint="rocker" a="A" b="B" case="T" displacement="1e-6" gear="3" leakage="1e-12" coulomb="0.05"
        viscous="0.01" inertia="1e-3" volume-a="2e-5" volume-b="2e-5"/></circuit></mechanism>"""
    (folder / "robot.urdf").write_text(text)
    (folder / "side.xml").write_text(side)
    return [folder / "robot.urdf", "--actuators", folder / "side.xml", "--tip", "coupler"]


def test_a_motor_turns_a_joint_that_a_loop_determines_as_one_that_is_a_state(tmp_path):
    end = {}
    for state in ("crank", "rocker"):
        robot = four_bar(tmp_path, state)
        assert f"states are the coordinates of '{state}'" in ok("check", *robot)
        got = columns(ok("simulate", *robot, "--outputs", "energy", "--tolerance", "1e-11", "--step", "0.01", "--stop", "0.12"))
        account = [got[f"circuit.{n}"] for n in ("supplied_energy", "mechanical_work", "loss_energy", "stored_energy")]
        # An identity of the flows, to rounding.
        assert np.max(np.abs(account[0] - account[1] - account[2] - account[3])) <= 1e-12 * np.max(np.abs(account[0])) * 30
        end[state] = got
        assert np.ptp(got["joint.rocker.position"]) > 0.05  # it moves
    for name in ("joint.crank.position", "joint.rocker.velocity", "node.A.pressure", "hydraulic_motor.m.torque", "circuit.loss_energy"):
        # Two choices of states at a tolerance of 1e-11: its error grows over thousands of steps, 1e-8 at most.
        assert np.max(np.abs(end["crank"][name] - end["rocker"][name])) <= 1e-8 * np.max(np.abs(end["rocker"][name])), name


def test_a_mechanism_under_a_circuit_warns_of_its_dead_point(tmp_path):
    done = run("simulate", *four_bar(tmp_path, "rocker"), "--stop", "0.3")
    assert done.returncode != 0
    assert "warning: a dead point is near" in done.stderr.decode()
    assert "choose 'crank' as independent" in done.stderr.decode()


@pytest.fixture(scope="module")
def dig():
    return columns(ok("simulate", *EXCAVATOR, "--input", EXAMPLES / "levers.csv", "--interpolate", "linear", "--outputs", "energy",
                      "--tolerance", "1e-10", "--step", "0.05", "--stop", "1.5"))


def test_an_excavator_with_its_linkages_keeps_its_accounts(dig):
    supplied = np.max(np.abs(dig["circuit.supplied_energy"]))
    left = dig["circuit.supplied_energy"] - dig["circuit.mechanical_work"] - dig["circuit.loss_energy"] - dig["circuit.stored_energy"]
    assert supplied > 1000
    assert np.max(np.abs(left)) <= 1e-12 * supplied * len(left)  # an identity of the flows
    # What the oil does is what the mechanism's motion, friction and height have: 1e-8 of the supplied energy.
    assert np.max(np.abs(dig["energy.residual"])) <= 1e-8 * supplied
    for loop in ("boom_cylinder_eye", "stick_cylinder_eye", "knee", "bucket_cylinder_eye"):
        assert np.max(np.abs(dig[f"loop.{loop}.error"])) < 1e-9  # [m]


@pytest.mark.parametrize("fmi, kind", [(2, "CoSimulation"), (3, "ModelExchange")])
def test_its_fmus_move_as_the_program_says(fmi, kind, dig, export):
    fmu = export(EXCAVATOR[0], *EXCAVATOR[1:], "--fmi", fmi)
    with open(EXAMPLES / "levers.csv", encoding="utf-8") as lines:
        levers = columns(lines.read())
    times = np.linspace(0, 1.5, 1501)
    names = [name for name in levers if name != "time"]
    table = np.array([(t, *(np.interp(t, levers["time"], levers[n]) for n in names)) for t in times],
                     dtype=[("time", float), *((n, float) for n in names)])
    shown = ["joint.boom.position", "joint.guide.position", "node.boom.a.pressure", "pump.main.flow"]
    got = fmpy.simulate_fmu(str(fmu), fmi_type=kind, stop_time=1.5, output_interval=1e-3, input=table, output=shown,
                            **({"relative_tolerance": 1e-8} if kind == "ModelExchange" else {}))
    for name in shown:
        # Inputs are held for 1 ms, 1/200 of the ramps, which shifts the motion by half of that.
        off = np.max(np.abs(np.interp(dig["time"], got["time"], got[name]) - dig[name]))
        assert off <= 1e-2 * np.max(np.abs(dig[name])), name


def test_a_circuit_stands_in_one_file(tmp_path):
    (tmp_path / "side.xml").write_text(
        "<mechanism for='lowering'><circuit><tank name='T' pressure='1e5'/></circuit></mechanism>")
    done = run("check", REFERENCE / "lowering.xml", "--actuators", tmp_path / "side.xml")
    assert done.returncode != 0
    assert "the robot 'lowering' has a <circuit> in its own file; put all parts into one of the two" in done.stderr.decode()
