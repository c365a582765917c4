"""Stick-slip and stops on the robots of resources/robots, given to them by side files: as many events by FMPy's solver in
Model Exchange as in Co-Simulation, rest on stops that lasts, and side files that say what the robot file could.
"""

import json

import fmpy
import numpy as np
import pytest

from cli import ROBOTS, SOURCE, fails, ok, run, table
from test_energy import side_file

STICKY = '<friction viscous="{v}" coulomb="{c}" static="{s}" stribeck="0.1" law="stick-slip"/>'
STOP = '<limit lower="{0}" upper="{1}"/><stop stiffness="{2}" damping="{3}"/>'
MOTOR = '<motor resistance="2" torque-constant="0.5" inductance="{}"/><rotor inertia="1e-3" gear="-8"/>'


def resource(name):
    return next(path for path in ROBOTS if path.stem == name)


# A robot, what its joints have, how it starts, and how many events may be in two seconds.
CASES = {
    "double_pendulum": ({"shoulder": STICKY.format(v=0.05, c=0.3, s=0.4) + STOP.format(-2, 0.5, 1e4, 20),
                         "elbow": STICKY.format(v=0.05, c=0.2, s=0.2) + STOP.format(-1, 1, 1e4, 10)},
                        {"joint.elbow.initial_velocity": 12.0}, 100),
    "ascher2": ({"first": STICKY.format(v=1, c=2, s=3) + STOP.format(-0.2, 0.2, 1e5, 100) + MOTOR.format(0),
                 "second": STICKY.format(v=1, c=2, s=2) + STOP.format(-0.3, 0.3, 1e5, 100) + MOTOR.format(0.01)},
                {"joint.first.initial_velocity": 1.0, "joint.second.initial_velocity": -2.0}, 100),
    "cmu_dd_arm": ({f"joint{i}": STICKY.format(v=0.5, c=0.4, s=0.6) + STOP.format(-0.3, 0.3, 1e4, 30) for i in (2, 3, 5)},
                   {"joint.joint2.initial_velocity": 2.0, "joint.joint3.initial_velocity": -3.0}, 200),
}


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", CASES)
def test_both_kinds_of_simulation_meet_the_same_events(name, fmi, export, tmp_path):
    joints, start, most = CASES[name]
    path = export(resource(name), "--fmi", fmi, "--actuators", side_file(tmp_path, name, joints))
    names = [f"joint.{joint}.position" for joint in joints]
    counted, motion = {}, {}
    for kind in ("ModelExchange", "CoSimulation"):
        told = []
        rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=2, output_interval=0.01, relative_tolerance=1e-9,
                                 start_values={**start, "solver_tolerance": 1e-9}, output=names, record_events=False,
                                 debug_logging=True, logger=lambda *a, told=told: told.append(str(a[-1])))
        counted[kind] = sum("an event at" in line and "t = 0 s" not in line for line in told)
        motion[kind] = np.array([list(row)[1:] for row in rows])
    assert counted["ModelExchange"] == counted["CoSimulation"]
    assert 5 <= counted["CoSimulation"] <= most  # no chatter
    # Two integrators with 1e-9 in a step, and impacts between.
    assert np.abs(motion["ModelExchange"] - motion["CoSimulation"]).max() < 1e-4


# Heavily damped stops: the joint fades into its rest and never turns round. With an integrator's error it seemed to, as long
# as 1e-8 rad/s counted as turning: one to three events more by FMPy's solver in the first four, three more in
# Co-Simulation in the last.
@pytest.mark.parametrize("lower, stiffness, damping, v, c, s, speed",
                         [(-0.95, 89094, 3280, 0.071, 0.47, 0.65, -1.9), (-1.05, 16639, 324, 0.071, 0.64, 0.72, -2.4),
                          (-0.44, 74835, 822, 0.084, 0.79, 0.92, -2.5), (-0.8, 9911, 145, 0.023, 0.82, 1.0, -2.8),
                          (-0.89, 5141, 148, 0.01, 0.34, 0.42, -3.7)])
def test_a_joint_that_creeps_to_rest_in_its_stop_does_not_turn_round(lower, stiffness, damping, v, c, s, speed, export,
                                                                     tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text('<arm name="arm" convention="standard" gravity="0 -9.81 0"><joint name="j" type="revolute" a="0.7">'
                    + STICKY.format(v=v, c=c, s=s) + STOP.format(lower, 0.5, stiffness, damping)
                    + '<link name="l" mass="1.8" com="-0.35 0 0" inertia="0.01 0.1 0.1 0 0 0"/></joint></arm>')
    fmu = export(path)
    counted = {}
    for kind in ("ModelExchange", "CoSimulation"):
        told = []
        rows = fmpy.simulate_fmu(str(fmu), fmi_type=kind, stop_time=5, output_interval=0.01, output=["joint.j.velocity"],
                                 start_values={"joint.j.initial_velocity": speed}, record_events=False, debug_logging=True,
                                 logger=lambda *a, told=told: told.append(str(a[-1])))
        counted[kind] = sum("an event at" in line and "t = 0 s" not in line for line in told)
        assert abs(rows["joint.j.velocity"][-1]) < 1e-7  # of a solver with a tolerance of 1e-8
    assert counted["ModelExchange"] == counted["CoSimulation"] >= 3


@pytest.mark.parametrize("joint", [STOP.format(-0.5, 0.5, 1e4, 50),
                                   STOP.format(-0.5, 0.5, 1e4, 50) + STICKY.format(v=0.1, c=0.2, s=0.3),
                                   STOP.format(-0.5, 0.5, 1e4, 50) + STICKY.format(v=0.1, c=0.2, s=0.3) + MOTOR.format(0.01)],
                         ids=["stop", "stick-slip", "motor"])
def test_what_lies_on_its_stop_stays_there_for_a_thousand_seconds(joint, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(f'<arm name="arm" convention="standard" gravity="0 -9.81 0"><joint name="j" type="revolute" a="1">{joint}'
                    '<link name="l" mass="1" com="-0.5 0 0" inertia="0.01 0.02 0.02 0 0 0"/></joint></arm>')
    rows = table(ok("simulate", path, "--stop", 1000, "--step", 1, "--set", "joint.j.initial_position=-0.4", "--outputs", "energy", "--out", "-"))
    rest = rows[100:]
    assert len({round(row["joint.j.position"], 9) for row in rest}) == 1
    assert -0.51 < rest[-1]["joint.j.position"] < -0.5
    # Nothing happens to it any more: no loss, to rounding.
    assert rest[-1]["energy.stop_loss"] - rest[0]["energy.stop_loss"] < 1e-9


@pytest.mark.parametrize("fmi", [2, 3])
def test_a_joint_can_start_in_its_stop_where_another_run_has_left_it(fmi, export, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text('<arm name="arm" convention="standard" gravity="0 -9.81 0"><joint name="j" type="revolute" a="1">'
                    + STOP.format(-0.5, 0.5, 1e4, 50) + '<link name="l" mass="1" com="-0.5 0 0" '
                    'inertia="0.01 0.02 0.02 0 0 0"/></joint></arm>')
    fmu = export(path, "--fmi", fmi, "--outputs", "energy")
    states = ["joint.j.position", "joint.j.velocity"]
    options = {"fmi_type": "CoSimulation", "output_interval": 1, "record_events": False}
    first = fmpy.simulate_fmu(str(fmu), stop_time=100, output=states, **options)[-1]
    start = {"joint.j.initial_position": first["joint.j.position"], "joint.j.initial_velocity": first["joint.j.velocity"]}
    assert first["joint.j.position"] < -0.5
    again = fmpy.simulate_fmu(str(fmu), stop_time=10, start_values=start, output=[*states, "joint.j.stop", "energy.residual"],
                              **options)
    assert set(again["joint.j.stop"]) == {-1}
    assert np.ptp(again["joint.j.position"]) < 1e-12 and np.abs(again["energy.residual"]).max() < 1e-12


def test_a_side_file_says_what_the_robot_file_could(tmp_path):
    inside = STICKY.format(v=1, c=2, s=3) + '<rotor inertia="1e-3" gear="-8"/>' + \
        '<motor resistance="2" torque-constant="0.5" inductance="0.01"/><limit lower="-1" upper="1"/>' + \
        '<stop stiffness="1e5" damping="10"/><spring stiffness="3" damping="0.1" rest="0.2"/><lock input="true"/>'
    link = '<link name="l" mass="1" com="-0.5 0 0" inertia="0.01 0.02 0.02 0 0 0"/>'
    whole, bare, side = (tmp_path / name for name in ("whole.xml", "bare.xml", "side.xml"))
    form = '<arm name="one" convention="standard" gravity="0 -9.81 0"><joint name="j" type="revolute" a="1">{}' + link + \
        "</joint></arm>"
    whole.write_text(form.format(inside))
    bare.write_text(form.format(""))
    side.write_text(f'<actuators for="one"><joint name="j">{inside}</joint></actuators>')
    tokens = []
    for options in ([whole], [bare, "--actuators", side]):
        fmu = tmp_path / f"{len(tokens)}.fmu"
        ok("export", *options, "-o", fmu, "--platforms", "native")
        tokens.append(fmpy.read_model_description(str(fmu)).guid)
    assert tokens[0] == tokens[1]  # the hash of the robot
    first, second = (json.loads(ok("inspect", *options, "--json"))["variables"]
                     for options in ([whole], [bare, "--actuators", side]))
    assert first == second


# What is wrong in a side file, and what is said of its second line.
WRONG = {
    '<motor part="maxon-RE40-42V"/>': "there is no motor 'maxon-RE40-42V' among the parts that are built in; the nearest name is",
    '<rotor part="puma560-wrist"/>': "there is no gearbox 'puma560-wrist' among the parts",
    '<motor resistance="0" torque-constant="1"/>': "the resistance of joint 'j' is 0; it must be a finite number",
    '<motor resistance="1" torque-constant="1" efficiency="1.2"/>': "the efficiency of joint 'j' is 1.2; it must be a share",
    '<motor resistance="1" torque-constant="1" amps="3"/>': "amps",
    '<motor voltage="24" stall-torque="1"/>': "no-load-speed",
    '<friction coulomb="2" static="1" law="stick-slip"/>': "joint 'j' has a static friction below its Coulomb friction",
    '<friction viscous="-1"/>': "viscous",
    '<stop stiffness="1e4" damping="1"/>': "joint 'j' has stops but no limit of its position",
    '<limit lower="1" upper="-1"/>': "above its upper limit",
    '<valve-closure stiffness="0" damping="1"/>': "stiffness",
    '<spring stiffness="nan"/>': "stiffness",
    '<brake/>': "brake",
}


@pytest.mark.parametrize("inside", WRONG)
def test_a_side_file_is_refused_with_file_line_and_remedy(inside, tmp_path):
    robot, side = tmp_path / "robot.xml", tmp_path / "side.xml"
    robot.write_text('<arm name="one" convention="standard" gravity="0 -9.81 0"><joint name="j" type="revolute" a="1">'
                     '<link name="l" mass="1" com="-0.5 0 0" inertia="0.01 0.02 0.02 0 0 0"/></joint></arm>')
    side.write_text(f'<actuators for="one">\n<joint name="j">{inside}</joint></actuators>')
    for command in (["check"], ["export", "-o", tmp_path / "one.fmu"], ["inspect"]):
        told = fails(1, command[0], robot, *command[1:], "--actuators", side)
        assert f"{side}:2:" in told and WRONG[inside] in told, told
    assert not (tmp_path / "one.fmu").exists()


def test_a_joint_stands_in_a_side_file_once(tmp_path):
    side = tmp_path / "side.xml"
    side.write_text('<actuators for="double_pendulum">\n<joint name="elbow"><spring stiffness="1"/></joint>\n'
                    '<joint name="elbow"><spring damping="1"/></joint></actuators>')
    told = fails(1, "check", resource("double_pendulum"), "--actuators", side)
    assert f"{side}:3:1: joint 'elbow' is here a second time, after line 2" in told


@pytest.mark.parametrize("hose, missing", [('diameter="0.01"', ["length"]), ('length="1"', ["diameter"]),
                                           ('bulk-modulus="7e8"', ["diameter", "length"]), ('diameter="0.01" length="1"', [])])
def test_a_hose_without_a_measure_is_none_and_it_is_said(hose, missing, tmp_path):
    path = tmp_path / "crane.xml"
    path.write_text(resource("patu655").read_text().replace('<hose diameter="0.0127" length="1.5" bulk-modulus="7e8"/>',
                                                            f"<hose {hose}/>", 1))
    told = run("check", path).stderr.decode().splitlines()
    assert [line.split(" has no ")[1].split(",")[0] for line in told if "so there is no oil in it" in line] == missing
    assert all(line.startswith(f"{path}:") for line in told)


def test_numbers_of_sticking_have_no_effect_on_smooth_friction_and_it_is_said(tmp_path):
    side = tmp_path / "side.xml"
    for law, warnings in (("smooth", 2), ("stick-slip", 0)):
        side.write_text(f'<actuators for="double_pendulum">\n<joint name="elbow"><friction coulomb="1" static="2" '
                        f'stribeck="0.1" law="{law}"/></joint></actuators>')
        told = run("check", resource("double_pendulum"), "--actuators", side).stderr.decode()
        assert told.count(f"{side}:2:") == told.count("has no effect with law=\"smooth\"") == warnings


@pytest.mark.parametrize("said, there, back", [('efficiency="0.9" efficiency-back="0.3"', 0.9, 0.3),
                                               ('efficiency="0.9"', 0.9, 0.9), ('efficiency-back="0.3"', 1, 0.3)])
def test_what_the_motor_says_of_its_gear_counts_before_the_gearbox(said, there, back, tmp_path):
    side = tmp_path / "side.xml"
    side.write_text('<actuators for="double_pendulum"><joint name="elbow"><motor resistance="1" torque-constant="1" '
                    f'{said}/><rotor part="puma560-elbow"/></joint></actuators>')
    rows = json.loads(ok("inspect", resource("double_pendulum"), "--actuators", side, "--json"))["variables"]
    value = {row["name"]: row["start"] for row in rows}
    assert (value["joint.elbow.efficiency"], value["joint.elbow.efficiency_back"]) == (there, back)


BAD = SOURCE / "tests" / "bad"
CYLINDERS = [line for line in (BAD / "expected.txt").read_text().splitlines()
             if line.startswith(("arm_cylinder_", "arm_four_bar_")) and ":10:" in line]


@pytest.mark.parametrize("expected", CYLINDERS, ids=lambda line: line.partition(".")[0])
def test_a_cylinder_is_refused_in_a_side_file_as_in_the_robot_file(expected, tmp_path):
    name, _, told = expected.partition(":")
    lines = (BAD / name).read_text().splitlines()
    robot, side = tmp_path / "robot.xml", tmp_path / "side.xml"
    robot.write_text("\n".join([*lines[:9], "</arm>"]))
    side.write_text("\n".join(['<actuators for="crane">', *[""] * 8, *lines[9:-1], "</actuators>"]))
    assert f"{side}:{told}" in fails(1, "check", robot, "--actuators", side)


def test_the_list_of_bad_cylinders_has_what_people_get_wrong():
    told = "\n".join(CYLINDERS)
    for what in ("at the same place at the start", "closed-length of cylinder 'lift' is 0", "it can only be",
                 "bulk-modulus of cylinder 'lift' is -1500000000", "cannot be assembled with joint"):
        assert what in told
