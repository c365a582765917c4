"""Servos at joints against a model of their own: the equations of docs/servos.md in numpy, the arm's dynamics by Pinocchio.

Model Exchange at random states, Co-Simulation against an integrator of scipy, the account of energy, and what is refused.
"""

import fmpy
import numpy as np
import pinocchio as pin
import pytest
from scipy.integrate import solve_ivp

from cli import fails, ok, table
from robot_fmu import RobotFmu

URDF = """<robot name="arm3"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0.02 0.05"/><mass value="2"/>
  <inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0.002" izz="0.04"/></inertial></link>
<link name="b"><inertial><origin xyz="0.2 0 0.03"/><mass value="1.5"/>
  <inertia ixx="0.01" ixy="0" ixz="0.001" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
<link name="c"><inertial><origin xyz="0.05 0.01 0.1"/><mass value="0.7"/>
  <inertia ixx="0.004" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.002"/></inertial></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0 0 0.3" rpy="0.1 0 0"/>
  <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="100" velocity="5"/></joint>
<joint name="j2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.4 0 0" rpy="0 0.2 0.3"/>
  <axis xyz="0 0.8 0.6"/><limit lower="-2" upper="2" effort="100" velocity="5"/></joint>
<joint name="j3" type="prismatic"><parent link="b"/><child link="c"/><origin xyz="0.3 0 0" rpy="0.3 0.2 0"/>
  <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="100" velocity="5"/></joint></robot>"""
SERVOS = {"j1": {"kp": 60, "kd": 4, "ki": 20, "torque-limit": 25, "gravity": "true"},
          "j2": {"kp": 80, "kd": 5, "velocity-limit": 1.5, "bandwidth": 40, "effort-time": 0.02, "gravity": "true"},
          "j3": {"kp": 0, "kd": 30, "ki": 3, "torque-limit": 11, "antiwindup-time": 0.2}}
STATE = {"reference": "velocity-limit", "integral": "ki", "servo_effort": "effort-time"}
EFFORT = {"j1": "torque", "j2": "torque", "j3": "force"}


def side_file(folder, servos, root="mechanism", inside=""):
    path = folder / "side.xml"
    joints = "".join(f'<joint name="{name}"><servo {" ".join(f"""{k}="{v}" """ for k, v in servo.items())}/></joint>'
                     for name, servo in servos.items())
    path.write_text(f'<{root} for="arm3">{joints}{inside}</{root}>')
    return path


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("servo")
    (folder / "arm3.urdf").write_text(URDF)
    return folder / "arm3.urdf", side_file(folder, SERVOS)


class Model:
    """What the FMU should say: `state` and `input` by the names of its variables, without "joint."."""

    def __init__(self, urdf, payload=0.0):
        self.file, self.arm = (pin.buildModelFromUrdf(str(urdf)) for _ in range(2))
        if payload:
            self.arm.inertias[3] = self.arm.inertias[3] + pin.Inertia(payload, np.zeros(3), np.zeros((3, 3)))
        self.data = self.file.createData(), self.arm.createData()

    def __call__(self, state, given):
        q, v = (np.array([state[f"{j}.{what}"] for j in SERVOS]) for what in ("position", "velocity"))
        weight = pin.computeGeneralizedGravity(self.file, self.data[0], q)
        rate, effort, clipped = {}, [], {}
        for i, (j, servo) in enumerate(SERVOS.items()):
            r, dr = given[f"{j}.target"], given[f"{j}.target_velocity"]
            if "velocity-limit" in servo:
                most = servo["velocity-limit"]
                dr = np.clip(servo["bandwidth"] * (r - state[f"{j}.reference"]) + dr, -most, most)
                rate[f"{j}.reference"] = dr
                r = state[f"{j}.reference"]
            asked = servo["kp"] * (r - q[i]) + servo["kd"] * (dr - v[i]) + given[f"{j}.feedforward"]
            asked += state.get(f"{j}.integral", 0) + (weight[i] if servo.get("gravity") == "true" else 0)
            limit = servo.get("torque-limit", np.inf)
            tau = clipped[j] = np.clip(asked, -limit, limit)
            if "ki" in servo:
                over = servo.get("antiwindup-time") or servo["kd"] / servo["kp"]
                rate[f"{j}.integral"] = servo["ki"] * (r - q[i]) + (tau - asked) / over
            if "effort-time" in servo:
                rate[f"{j}.servo_effort"] = (tau - state[f"{j}.servo_effort"]) / servo["effort-time"]
                tau = state[f"{j}.servo_effort"]
            effort.append(tau)
        qdd = pin.aba(self.arm, self.data[1], q, v, np.array(effort))
        for i, j in enumerate(SERVOS):
            rate[f"{j}.position"], rate[f"{j}.velocity"] = v[i], qdd[i]
        return rate, dict(zip(SERVOS, effort))


def inputs():
    return [f"{j}.{what}" for j in SERVOS for what in ("target", "target_velocity", "feedforward")]


def states():
    return [f"{j}.{what}" for what in ("position", "velocity") for j in SERVOS] + \
        [f"{j}.{state}" for j, servo in SERVOS.items() for state, with_it in STATE.items() if with_it in servo]


def rate_of(fmu, name):
    return next(row.name for row in fmu.description.modelVariables
                if row.derivative is not None and row.derivative.name == f"joint.{name}")


@pytest.mark.parametrize("fmi", [2, 3])
def test_torques_and_rates_are_those_of_the_equations(arm, fmi, export):
    fmu = RobotFmu(export(arm[0], "--fmi", fmi, "--actuators", arm[1], "--bare"))
    own = Model(arm[0], payload=2.5)  # which the servos do not know of
    draw = np.random.default_rng(5)
    names = states()
    assert {v.derivative.name for v in fmu.description.modelVariables if v.derivative is not None} == \
        {f"joint.{name}" for name in names}
    clipped = 0
    with fmu.model({"payload.mass": 2.5}) as model:
        for _ in range(60):
            given = {name: draw.uniform(-1, 1) * (8 if "feed" in name else 1) for name in inputs()}
            at = {name: draw.uniform(-1, 1) * (10 if name.endswith(("integral", "effort")) else 1) for name in names}
            model.set([f"joint.{name}" for name in given], given.values())
            model.set([f"joint.{name}" for name in at], at.values())
            rate, effort = own(at, given)
            got = model.get([rate_of(fmu, name) for name in names])
            want = np.array([rate[name] for name in names])
            assert np.abs(got - want).max() < 1e-11 * (1 + np.abs(want).max())  # rounding of two recursions
            told = model.get([f"joint.{j}.{EFFORT[j]}" for j in SERVOS])
            assert told == pytest.approx(list(effort.values()), abs=1e-12 * 100)
            clipped += abs(effort["j1"]) == 25
    assert 5 < clipped < 55  # both sides of the clip


@pytest.mark.parametrize("fmi", [2, 3])
def test_a_motion_is_that_of_another_integrator(arm, fmi, export):
    path = export(arm[0], "--fmi", fmi, "--actuators", arm[1], "--outputs", "energy")
    target = {"j1.target": 0.8, "j2.target": -0.9, "j2.target_velocity": 0.0, "j3.target_velocity": 0.2, "j1.feedforward": 2.0}
    given = {name: target.get(name, 0.0) for name in inputs()}
    own, names = Model(arm[0]), states()

    def right_hand_side(_, x):
        rate, _ = own(dict(zip(names, x)), given)
        return [rate[name] for name in names]

    exact = solve_ivp(right_hand_side, (0, 1), np.zeros(len(names)), "DOP853", rtol=1e-11, atol=1e-12,
                      t_eval=np.linspace(0, 1, 11), max_step=0.002)
    for kind in ("CoSimulation", "ModelExchange"):
        rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=1, output_interval=0.1, relative_tolerance=1e-10,
                                 start_values={f"joint.{name}": value for name, value in given.items()} |
                                 {"solver_tolerance": 1e-10}, output=[f"joint.{name}" for name in names] +
                                 ["energy.residual", "energy.actuator_work"], record_events=False)
        for i, name in enumerate(names):
            # Ten thousand steps' tolerances at worst, and the corners of the clips.
            assert np.abs(rows[f"joint.{name}"] - exact.y[i]).max() < 1e-6, (kind, name)
        assert np.abs(rows["energy.residual"]).max() < 1e-7 * np.abs(rows["energy.actuator_work"]).max()


def test_numbers_of_a_servo_can_be_tuned_while_it_runs(arm, export):
    fmu = RobotFmu(export(arm[0], "--actuators", arm[1], "--bare"))
    for name in ("servo_kp", "servo_kd", "servo_ki", "torque_limit", "servo_antiwindup_time"):
        assert fmu.variable[f"joint.j1.{name}"].variability == "tunable"
    with fmu.slave() as slave:
        slave.set(["joint.j1.target"], [1.5])
        slave.fmi.doStep(0, 0.01)
        before = slave.get(["joint.j1.torque"])[0]
        slave.set(["joint.j1.torque_limit"], [5])
        slave.fmi.doStep(0.01, 1e-9)
        assert before == 25 and slave.get(["joint.j1.torque"])[0] == 5


def test_the_pose_that_a_servo_holds_is_an_equilibrium(arm):
    found = ok("linearise", arm[0], "--actuators", arm[1], "--equilibrium", "torques", "--set", "payload.mass=1",
               "--set", "joint.j1.initial_position=0.4", "--json")
    assert '"joint.j1.feedforward"' in found
    fails(2, "linearise", arm[0], "--actuators", arm[1], "--equilibrium", "pose")


def test_a_joint_in_the_middle_of_its_servo_rests_there(arm):
    rows = table(ok("simulate", arm[0], "--actuators", arm[1], "--stop", 2, "--set", "joint.j3.target_velocity=0", "--out", "-"))
    assert abs(rows[-1]["joint.j1.position"]) < 0.01 and abs(rows[-1]["joint.j2.position"]) < 0.01


@pytest.mark.parametrize("servo, other, words", [
    ({"kp": -1}, "", "servo_kp"), ({"kd": -1}, "", "servo_kd"), ({"torque-limit": -2}, "", "torque_limit"),
    ({"velocity-limit": -2}, "", "servo_velocity_limit"),
    ({"kd": 3, "ki": 2, "torque-limit": 5}, "", "antiwindup-time"),
    ({"kp": 3}, '<motor resistance="1" torque-constant="1"/>', "two drives"),
])
def test_what_makes_no_sense_is_refused(arm, tmp_path, servo, other, words):
    path = side_file(tmp_path, {"j1": servo})
    path.write_text(path.read_text().replace("</joint>", other + "</joint>"))
    said = fails(1, "check", arm[0], "--actuators", path)
    assert words in said and "side.xml:1" in said


def test_a_session_says_that_it_is_not_for_servos(arm):
    assert "joint 'j1' has a servo, and sim is for arms with motors or with torques at their joints" in fails(
        2, "sim", arm[0], "--actuators", arm[1])
