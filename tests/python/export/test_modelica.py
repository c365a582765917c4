"""Packages of `forearm export --modelica`: the C functions behind them drive ten models with feedback, whose
equations stand here, against the same equations around Pinocchio or `forearm simulate`; the text is read; and
compilers look at it where there are some.

The models are those in which plain import of FMUs fails in OpenModelica (docs/openmodelica.md).
"""

import os
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from conftest import ROBOTS, SOURCE
from figures import note
from modelica_package import Package
from pinocchio_arm import PinocchioArm
from robot_fmu import RobotFmu

# Both sides are integrated to 1e-12 per step; a second of these motions amplifies that and rounding by some
# thousands. Eight digits are what users compare.
EIGHT_DIGITS = 1e-8
SCARA = SOURCE / "examples" / "scara" / "scara.urdf"
DOUBLE = """<robot name="double"><link name="base"/>{}</robot>""".format("".join(f"""
  <link name="{name}"><inertial><origin xyz="0.25 0 0.01"/><mass value="{mass}"/>
    <inertia ixx="0.001" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="{joint}" type="continuous"><parent link="{parent}"/><child link="{name}"/>
    <origin xyz="{x} 0 0"/><axis xyz="0 1 0"/></joint>""" for name, joint, parent, x, mass in (
        ("upper", "shoulder", "base", 0, 1.2), ("lower", "elbow", "upper", 0.5, 0.8))))
# Six axes that no plane holds.
SIX = """<robot name="six"><link name="base"/>{}</robot>""".format("".join(f"""
  <link name="l{i}"><inertial><origin xyz="0.02 {0.01 * i} 0.1"/><mass value="{4 - 0.5 * i}"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
  <joint name="j{i}" type="revolute"><parent link="{'base' if i == 0 else f'l{i - 1}'}"/><child link="l{i}"/>
    <origin xyz="0 0 0.2" rpy="{(0, 1.5708, 0, -1.5708, 1.5708, -1.5708)[i]} 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="50" velocity="5"/></joint>""" for i in range(6)))


@pytest.fixture(scope="module")
def package(forearm, tmp_path_factory):
    made = {}

    def get(robot, *options):
        key = (str(robot), *map(str, options))
        if key not in made:
            folder = tmp_path_factory.mktemp("modelica")
            if str(robot).startswith("<"):
                name = re.search(r'name="(\w+)"', robot).group(1)
                (folder / f"{name}.urdf").write_text(robot)
                robot = folder / f"{name}.urdf"
            forearm("export", robot, "--modelica", folder / "out", "--platforms", "native", *options)
            (found,) = (folder / "out").iterdir()
            made[key] = Package(found)
            made[key].file = robot
        return made[key]

    return get


@pytest.fixture
def reference(export):
    """The arm by Pinocchio, with joints and signs as ours."""
    return lambda package, tip: PinocchioArm(package.file, RobotFmu(export(package.file, "--platforms", "native")), tip)


def integrate(rates, start, stop, **options):
    done = solve_ivp(rates, (0, stop), start, method="DOP853", rtol=1e-12, atol=1e-13, **options)
    assert done.success, done.message
    return done.y[:, -1]


def agree(name, ours, theirs):
    worst = float(np.max(np.abs(np.asarray(ours) - theirs) / np.maximum(1, np.abs(theirs))))
    note(f"Modelica: {name}", worst, EIGHT_DIGITS)
    assert worst < EIGHT_DIGITS, (ours, theirs)


def torques(robot, tau, wrench=None):
    """The inputs of an arm: joints, then force and torque at its tip."""
    u = np.zeros(len(robot.package.inputs))
    u[:len(tau)] = tau
    if wrench is not None:
        u[[i for i, name in enumerate(robot.package.inputs) if "tip_from_frame" in name]] = wrench
    return u


def arm_rates(robot, control):
    """x' of an arm whose torques are control(t, q, w)."""
    def rates(t, x):
        n = len(x) // 2
        return robot.derivatives(t, x, torques(robot, control(t, x[:n], x[n:])))
    return rates


def pinocchio_rates(arm, control):
    def rates(t, x):
        n = len(x) // 2
        return np.concatenate([x[n:], arm.solve(x[:n], x[n:], control(t, x[:n], x[n:]), np.zeros(6))])
    return rates


def test_1_pd_on_position_and_velocity(package, reference):
    p = package(DOUBLE)
    robot, arm = p.robot(joint_shoulder_initial_position=0.3), reference(p, "lower")
    def control(t, q, w):
        return 40 * (np.array([0.2, -0.4]) - q) - 4 * w
    agree("PD", integrate(arm_rates(robot, control), robot.start(), 1.0),
          integrate(pinocchio_rates(arm, control), robot.start(), 1.0))
    robot.close()


def test_2_spring_and_damper_at_the_tip(package, reference):
    p = package(DOUBLE)
    robot, arm = p.robot(joint_elbow_initial_position=0.7), reference(p, "lower")
    anchor, k, d = np.array([0.3, 0, -0.4]), 80.0, 3.0

    def push(point, velocity):
        return np.concatenate([k * (anchor - point) - d * velocity, np.zeros(3)])

    def ours(t, x):
        y = robot.outputs(t, x, None)
        load = push(np.array([y[f"tip_{a}"] for a in "xyz"]), np.array([y[f"tip_velocity_{a}"] for a in "xyz"]))
        return robot.derivatives(t, x, torques(robot, [0, 0], load))

    def theirs(t, x):
        q, w = x[:2], x[2:]
        out = arm.outputs(q, w, np.zeros(2))
        return np.concatenate([w, arm.solve(q, w, np.zeros(2), push(out["point"], out["velocity"]))])

    agree("spring and damper at the tip", integrate(ours, robot.start(), 1.0), integrate(theirs, robot.start(), 1.0))
    robot.close()


class LimPid:
    """Modelica.Blocks.Continuous.LimPID of each joint, with its own states: integral and filtered derivative."""

    def __init__(self, n, k, ti, td, most, wish, ni=0.9, nd=10):
        self.n, self.k, self.ti, self.td, self.most, self.wish, self.ni, self.nd = n, k, ti, td, most, wish, ni, nd

    def __call__(self, t, q, integral, filtered):
        error = self.wish - q
        slope = (error - filtered) / max(self.td / self.nd, 1e-14)
        whole = self.k * (error + integral + self.td * slope)
        y = np.clip(whole, -self.most, self.most)
        return y, (error + (y - whole) / (self.k * self.ni)) / self.ti, slope


def pid_rates(accelerations, pid):
    def rates(t, x):
        n = pid.n
        q, w, integral, filtered = x[:n], x[n:2 * n], x[2 * n:3 * n], x[3 * n:]
        tau, di, df = pid(t, q, integral, filtered)
        return np.concatenate([accelerations(t, np.concatenate([q, w]), tau), di, df])
    return rates


def pid_agrees(name, robot, arm, pid, stop):
    n = pid.n
    x = robot.start()
    start = np.concatenate([x, np.zeros(n), pid.wish - x[:n]])
    agree(name,
          integrate(pid_rates(lambda t, x, tau: robot.derivatives(t, x, torques(robot, tau)), pid), start, stop),
          integrate(pid_rates(lambda t, x, tau: np.concatenate([x[n:], arm.solve(x[:n], x[n:], tau, np.zeros(6))]), pid),
                    start, stop))
    robot.close()


def test_3_a_limited_pid_controller_at_each_joint(package, reference):
    p = package(DOUBLE)
    pid_agrees("LimPID", p.robot(), reference(p, "lower"), LimPid(2, 60, 0.5, 0.1, 1e3, np.array([0.4, -0.2])), 1.0)


def test_4_a_motor_with_a_gear(package, reference):
    """Its rotor is rigidly connected, so that the torque at the flange follows from the acceleration and the other
    way round: the loop that a Modelica compiler solves with the functions' derivatives."""
    p = package(DOUBLE)
    robot, arm = p.robot(), reference(p, "lower")
    J, ratio, k, R, L = 1e-3, 20.0, 0.2, 0.5, 1e-3

    def voltage(t):
        return 12 * np.sin(2 * np.pi * t)

    def ours(t, x):
        state, current = x[:4], x[4]
        # tau = ratio (k i - J ratio a), a = a0 + c tau
        a0 = robot.derivatives(t, state, torques(robot, [0, 0]))
        c = robot.derivatives_der(t, state, torques(robot, [0, 0]), 0.0, np.zeros(4), torques(robot, [1, 0]))
        tau = ratio * (k * current - J * ratio * a0[2]) / (1 + J * ratio**2 * c[2])
        return np.append(robot.derivatives(t, state, torques(robot, [tau, 0])),
                         (voltage(t) - R * current - k * ratio * state[2]) / L)

    def theirs(t, x):
        q, w, current = x[:2], x[2:4], x[4]
        free = arm.solve(q, w, np.zeros(2), np.zeros(6))
        M = arm.mass_matrix(q)
        a = np.linalg.solve(M + np.diag([J * ratio**2, 0]), M @ free + [ratio * k * current, 0])
        return np.concatenate([w, a, [(voltage(t) - R * current - k * ratio * w[0]) / L]])

    start = np.append(robot.start(), 0.0)
    agree("motor with a gear", integrate(ours, start, 1.0), integrate(theirs, start, 1.0))
    robot.close()


def test_5_two_robots_are_coupled(package, reference):
    p = package(DOUBLE)
    one, two, arm = p.robot(), p.robot(joint_shoulder_initial_position=0.5), reference(p, "lower")

    def spring(x):
        return 30 * (x[4] - x[0]) + 2 * (x[6] - x[2])

    def ours(t, x):
        f = spring(x)
        return np.concatenate([one.derivatives(t, x[:4], torques(one, [f, 0])), two.derivatives(t, x[4:], torques(two, [-f, 0]))])

    def theirs(t, x):
        f = spring(x)
        return np.concatenate([np.concatenate([s[2:], arm.solve(s[:2], s[2:], np.array([sign * f, 0]), np.zeros(6))])
                               for s, sign in ((x[:4], 1), (x[4:], -1))])

    start = np.concatenate([one.start(), two.start()])
    agree("two robots", integrate(ours, start, 1.0), integrate(theirs, start, 1.0))
    one.close()
    two.close()


def simulated(forearm, tmp_path, robot, *options, step=0.05, stop=1.0):
    """The last line of `forearm simulate`, by names as Modelica has them."""
    forearm("simulate", robot, "--stop", stop, "--step", step, "--set", "solver_tolerance=1e-11", *options, "-o", tmp_path / "r.csv")
    lines = (tmp_path / "r.csv").read_text().splitlines()
    head = [name.split(" ")[0].strip('"').replace(".", "_") for name in lines[0].split(",")]
    return dict(zip(head, map(float, lines[-1].split(","))))


def test_6_chambers_with_a_valve_in_modelica(package, forearm, tmp_path):
    """The valve of docs/hydraulics.md outside, against the same valve inside."""
    patu = SOURCE / "resources" / "robots" / "patu655.xml"
    p = package(patu, "--cut", "chamber", "--name", "patu")
    robot = p.robot()
    names = [("lift", 4e-4), ("tilt", 9e-4)]
    drop, overlap, transition, supply, tank = 3.5e6, 0.03, 1e5, 1e7, 1e5
    omega, zeta = 2 * np.pi * 20, 0.8
    command = {"lift": 0.3, "tilt": -0.2}
    at = {name: p.states.index(f"cylinder_{name}_pressure_a") for name, _ in names}
    order = [re.fullmatch(r"cylinder_(\w+)_flow_([ab])", name) for name in p.inputs]

    def edge(k, opening, difference):
        return k * opening * difference / (difference**2 + transition**2) ** 0.25

    def ours(t, x):
        n = len(p.states)
        u, spools = np.zeros(len(p.inputs)), []
        for j, (name, nominal) in enumerate(names):
            place, speed = x[n + 2 * j:n + 2 * j + 2]
            a, b = x[at[name]], x[at[name] + 1]
            k = nominal / np.sqrt(drop)
            up = max(place - overlap, 0) / (1 - overlap)
            down = max(-place - overlap, 0) / (1 - overlap)
            flow = {"a": edge(k, up, supply - a) - edge(k, down, a - tank), "b": edge(k, down, supply - b) - edge(k, up, b - tank)}
            for i, match in enumerate(order):
                if match and match.group(1) == name:
                    u[i] = flow[match.group(2)]
            spools += [speed, omega**2 * (command[name] - place) - 2 * zeta * omega * speed]
        return np.concatenate([robot.derivatives(t, x[:n], u), spools])

    (tmp_path / "in.csv").write_text("time,cylinder.lift.spool,cylinder.tilt.spool\n0,0.3,-0.2\n1,0.3,-0.2\n")
    end = simulated(forearm, tmp_path, patu, "--cut", "valve", "--input", tmp_path / "in.csv", stop=0.5)
    start = np.concatenate([robot.start(), np.zeros(4)])
    done = solve_ivp(ours, (0, 0.5), start, method="LSODA", rtol=1e-11, atol=np.concatenate([np.full(len(p.states), 1e-12), np.full(4, 1e-12)])
                     * np.where(np.abs(start) > 1e3, 1e6, 1))
    assert done.success
    ours_end = {name: value for name, value in zip(p.states, done.y[:, -1])}
    joints = [name for name in p.states if name.startswith("joint_")]
    # LSODA and our integrator at 1e-11 of 100 bar: 7 digits of what the stiff oil makes of it.
    worst = max(abs(ours_end[name] - end[name]) for name in joints)
    pressures = max(abs(ours_end[name] - end[name]) / 1e7 for name in p.states if "pressure" in name)
    note("Modelica: chambers with a valve outside, angles", worst, 1e-7)
    note("Modelica: chambers with a valve outside, pressures of 100 bar", pressures, 1e-6)
    assert worst < 1e-7 and pressures < 1e-6
    robot.close()


def test_7_six_joints_with_limited_pid_controllers(package, reference):
    p = package(SIX)
    pid_agrees("six joints with LimPID", p.robot(), reference(p, "l5"),
               LimPid(6, 80, 0.5, 0.1, 50.0, np.array([0.2, -0.1, 0.15, 0.1, -0.2, 0.1])), 0.5)


def test_8_a_joint_that_slides(package, reference):
    """PD at a SCARA, whose friction the package's parameters take away."""
    p = package(SCARA)
    free = {name: 0.0 for name in p.parameter if re.search(r"_(viscous|coulomb)_friction", name)}
    robot, arm = p.robot(**free), reference(p, "quill")
    for values in arm.friction.values():
        values[:] = 0
    arm.friction["friction_width"][:] = 1
    def control(t, q, w):
        return np.array([80, 40, 4000]) * (np.array([0.3, -0.2, 0.05]) - q) - np.array([8, 4, 400]) * w
    agree("SCARA with PD", integrate(arm_rates(robot, control), robot.start(), 1.0),
          integrate(pinocchio_rates(arm, control), robot.start(), 1.0))
    robot.close()


BEHIND = 1e-9  # [s]: the error of one step of Euler's is its square


def with_events(robot, rates, start, stop, toggles=lambda t: (), times=()):
    """What a Modelica compiler does: integrates to where an indicator changes its sign, a Boolean input changes, or
    time comes, and calls `update` there."""
    t, x = 0.0, np.array(start, dtype=float)
    x, soon = robot.update(t, x, toggles(t))
    times = sorted([*times, stop, *([soon] if soon < stop else [])])
    updates = 0
    while t < stop:
        z0 = robot.indicators(t, x, robot.inputs_now(t, x))
        marks = []
        for i in range(robot.n_indicators):
            mark = lambda s, y, i=i: robot.indicators(s, y, robot.inputs_now(s, y))[i]
            mark.terminal = True
            mark.direction = -1 if z0[i] > 0 else 1
            marks.append(mark)
        until = next(when for when in times if when > t)
        done = solve_ivp(rates, (t, until), x, method="DOP853", rtol=1e-11, atol=1e-12, events=marks or None, max_step=0.01)
        assert done.success
        t, x = float(done.t[-1]), done.y[:, -1]
        if t < until:  # a solver lands behind the crossing, not on either side of it as rounding has it
            t, x = t + BEHIND, x + BEHIND * rates(t, x)
        if t < stop:
            robot.indicators(t, x, robot.inputs_now(t, x))  # what the condition of the event is evaluated by
            x, _ = robot.update(t, x, toggles(t))
            x, _ = robot.update(t, x, toggles(t))  # as event iteration does
            updates += 1
        assert updates < 200
    return x, updates


LIMITED = DOUBLE.replace('type="continuous"', 'type="revolute"').replace(
    "<axis xyz", '<limit lower="-0.3" upper="0.4" effort="100" velocity="9"/><axis xyz')


def test_9_a_stop_is_an_event(package, forearm, tmp_path):
    p = package(LIMITED, "--stops=stiffness=2000,damping=5")
    robot = p.robot()
    assert robot.n_indicators > 0
    robot.inputs_now = lambda t, x: torques(robot, -2 * x[2:4])
    x, updates = with_events(robot, lambda t, x: robot.derivatives(t, x, robot.inputs_now(t, x)), robot.start(), 0.6)
    assert updates >= 2
    # Dampers of 2 N m s at the joints, as a side file says them.
    (tmp_path / "dampers.xml").write_text('<actuators for="double">' + "".join(
        f'<joint name="{j}"><damper damping="2" band="0"/></joint>' for j in ("shoulder", "elbow")) + "</actuators>")
    end = simulated(forearm, tmp_path, p.file, "--stops=stiffness=2000,damping=5", "--actuators", tmp_path / "dampers.xml", stop=0.6)
    # Where the stop is met, both sides find it to about 1e-9 s.
    worst = max(abs(value - end[name]) for name, value in zip(p.states, x))
    note("Modelica: stops", worst, 1e-6)
    assert worst < 1e-6
    robot.close()


def test_10_a_boolean_input_acts_at_once(package, forearm, tmp_path):
    """A lock closes at 0.2 s and opens at 0.4 s."""
    p = package(DOUBLE, "--inputs", "lock")
    robot = p.robot()
    assert re.search(r"when \{.*change\(joint_shoulder_lock\)", p.text)
    robot.inputs_now = lambda t, x: torques(robot, [0, 0])
    def toggles(t):
        return (1 if 0.2 <= t < 0.4 else 0, 0)
    x, _ = with_events(robot, lambda t, x: robot.derivatives(t, x, robot.inputs_now(t, x)), robot.start(), 0.6,
                       toggles, times=[0.2, 0.4])
    (tmp_path / "in.csv").write_text("time,joint.shoulder.lock\n0,0\n0.2,1\n0.4,0\n")
    end = simulated(forearm, tmp_path, p.file, "--inputs", "lock", "--input", tmp_path / "in.csv", stop=0.6)
    worst = max(abs(value - end[name]) for name, value in zip(p.states, x))
    note("Modelica: a lock", worst, 1e-6)
    assert worst < 1e-6
    robot.close()


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_11_a_real_input_that_locks_acts_where_it_passes_half(package, forearm, tmp_path, start):
    """From 0 or from 1, the other way in 0.4 s, and back: what is on when the simulation begins is locked then, too."""
    p = package(DOUBLE, "--inputs", "lock-real")
    robot = p.robot(joint_shoulder_initial_position=0.3)
    assert re.search(r"RealInput joint_shoulder_lock\b", p.text) and "change(joint_shoulder_lock)" not in p.text

    def level(t):
        ramp = t / 0.4 if t < 0.4 else 2 - t / 0.4
        return ramp if start == 0 else 1 - ramp

    def inputs(t, x):
        u = torques(robot, [0, 0])
        u[p.inputs.index("joint_shoulder_lock")] = level(t)
        return u

    robot.inputs_now = inputs
    x, updates = with_events(robot, lambda t, x: robot.derivatives(t, x, inputs(t, x)), robot.start(), 0.7)
    assert updates >= 2
    (tmp_path / "in.csv").write_text("time,joint.shoulder.lock\n" + "".join(f"{t},{level(t)}\n" for t in (0, 0.4, 0.8)))
    end = simulated(forearm, tmp_path, p.file, "--inputs", "lock-real", "--input", tmp_path / "in.csv",
                    "--interpolate", "linear", "--set", "joint.shoulder.initial_position=0.3", stop=0.7)
    worst = max(abs(value - end[name]) for name, value in zip(p.states, x))
    note("Modelica: a real lock", worst, 1e-6)
    assert worst < 1e-6
    robot.close()


MECHANISMS = SOURCE / "tests" / "mechanisms" / "robots"


@pytest.mark.parametrize("name, flanges", [
    ("satellite", [f"a{i}" for i in range(1, 7)]),  # on a floating base, whose quaternion is not of length 1 in the file
    ("servo_four_bar", ["crank"]),                  # a loop, whose other joints follow, and a servo at one of them
    ("planar_cart", ["pole"]),
    ("ball_on_box", []),                            # a contact, which is an event
])
def test_12_mechanisms_have_flanges_where_a_state_is_driven(name, flanges, package, forearm, tmp_path):
    """Inputs of joints that loops determine, or that have several freedoms, are signals."""
    file, side = MECHANISMS / f"{name}.urdf", MECHANISMS / f"{name}.mechanism.xml"
    p = package(file, "--actuators", side)
    assert re.findall(r"Flange_a flange_(\w+)", p.text) == flanges
    robot = p.robot()
    start = dict(re.findall(r"RealInput (\w+)\(start=([^,)]+)", p.text))
    u = np.array([float(start.get(name, 0)) for name in p.inputs])
    robot.inputs_now = lambda t, x: u

    def rates(t, x):
        return robot.derivatives(t, x, u)

    x = with_events(robot, rates, robot.start(), 0.3)[0] if robot.n_indicators else integrate(rates, robot.start(), 0.3)
    end = simulated(forearm, tmp_path, file, "--actuators", side, stop=0.3)
    worst = max(abs(value - end[name]) for name, value in zip(p.states, x))
    note(f"Modelica: {name}", worst, 1e-6)
    assert worst < 1e-6  # where a contact begins is found to 1e-9 s on both sides
    robot.close()


@pytest.mark.parametrize("robot, options", [(SOURCE / "resources" / "robots" / "patu655.xml", ["--cut", "chamber"]),
                                            (SOURCE / "resources" / "robots" / "grigorov5.xml", ["--inputs", "lock-real"]),
                                            (SCARA, ["--inputs", "lock,base", "--outputs", "poses"])])
def test_examples_leave_no_input_open(robot, options, package):
    """Each has a connection or an equation, or Modelica has fewer equations than unknowns."""
    p = package(robot, *options)
    inputs = re.findall(r"Interfaces\.(?:Real|Boolean)Input (\w+)", p.text.split("protected")[0])
    inputs = [name for name in inputs if name != "tip_wrench"]
    assert inputs
    text = (p.folder / "Examples.mo").read_text()
    models = re.findall(r"\n  model (\w+) (.*?)\n  end \1;", text, re.S)
    assert models
    for name, body in models:
        for one in re.findall(r"\bRobot (\w+)[(;]", body):
            for wanted in inputs:
                assert re.search(rf"\b{one}\.{wanted}(?: = |\))", body), (name, one, wanted)
        assert body.count("  equation\n") == 1


def test_derivatives_are_those_of_differences(package):
    p = package(SIX)
    robot = p.robot()
    random = np.random.default_rng(5)
    x, u = random.normal(size=len(p.states)), random.normal(size=len(p.inputs))
    dx, du, h = random.normal(size=len(x)), random.normal(size=len(u)), 1e-5

    def difference(f):
        a, b = f(x + h * dx, u + h * du), f(x - h * dx, u - h * du)
        return {k: (a[k] - b[k]) / (2 * h) for k in a} if isinstance(a, dict) else (a - b) / (2 * h)

    n = len(x) // 2
    got, want = robot.derivatives_der(0, x, u, 0, dx, du), difference(lambda x, u: robot.derivatives(0, x, u))
    # Differences of 1e-5 leave 1e-10 of the third derivative and 1e-11 of rounding, times a hundred.
    np.testing.assert_allclose(got[n:], want[n:], rtol=1e-6, atol=1e-6)
    for function in ("outputs", "through"):
        got = robot.outputs_der(0, x, u, 0, dx, du, function)
        want = difference(lambda x, u: robot.outputs(0, x, u, function))
        assert got.keys() == want.keys() and got
        for name in got:
            assert abs(got[name] - want[name]) < 1e-5 * max(1, abs(want[name])), name
    # Without feed-through is without feed-through.
    before = robot.outputs(0, x, None)
    robot.derivatives(0, x, u + 10)
    assert robot.outputs(0, x, None) == before
    robot.close()


def test_a_failure_is_a_sentence(package):
    p = package(DOUBLE)
    robot = p.robot()
    import ctypes
    from modelica_package import doubles
    x, u, dx = doubles([np.nan] * 4), doubles(np.zeros(len(p.inputs))), doubles(np.zeros(4))
    assert p.c.may_fail(robot.handle, ctypes.c_double(0), *x[1:], *u[1:], dx[1]) == 1
    assert b"must be a finite number" in p.c.said()
    robot.close()


# ---------------------------------------------------------------------------------------------- the text

KEYWORDS = set("""algorithm and annotation block break class connect connector constant constrainedby der discrete each else
elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import
impure in initial inner input loop model not operator or outer output package parameter partial protected public pure record
redeclare replaceable return stream then true type when while within""".split())
EVERY = [*ROBOTS, SCARA]


@pytest.mark.parametrize("robot", EVERY, ids=lambda path: f"{path.parent.name}_{path.stem}")
def test_names_are_identifiers_and_the_files_are_whole(robot, forearm, tmp_path):
    forearm("export", robot, "--modelica", tmp_path, "--platforms", "native")
    (folder,) = tmp_path.iterdir()
    assert folder.name[0].isupper()
    assert (folder / "package.order").read_text().split() == ["Robot", "Examples", "Internal"]
    for file in sorted(folder.glob("*.mo")):
        text = file.read_text()
        plain = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
        for a, b in ("()", "{}", "[]"):
            assert plain.count(a) == plain.count(b), file
        assert text.startswith("within") and text.rstrip().endswith(f"end {file.stem if file.stem != 'package' else folder.name};")
        declared = re.findall(r"^  (?:  )?(?:parameter |constant |discrete |input |output )*"
                              r"(?:Real|Integer|Boolean|Modelica[\w.]*) (\w+)", plain, re.M)
        for name in declared:
            assert re.fullmatch(r"[A-Za-z_]\w*", name) and name not in KEYWORDS, name
    text = (folder / "Robot.mo").read_text()
    plain = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    names = re.findall(r"^  (?:parameter |constant |discrete )?(?:Real|Integer|Boolean|Modelica[\w.]*|Internal[\w.]*) (\w+)", plain, re.M)
    assert len(names) == len(set(names)), sorted(n for n in names if names.count(n) > 1)
    # Whatever the equations say is declared.
    known = {*names, "time", "pre", "der", "change", "if", "then", "else", "reinit", "for", "in", "loop", "end", "when", "i",
             "Internal", "connect", "integer", "and", "or"}
    equations = plain[plain.index("\nequation\n"):plain.index("  annotation(Icon")]
    for name in re.findall(r"(?<![.\w])[A-Za-z_]\w*", equations):
        assert name in known or name in ("fill", "equation"), name
    states = re.findall(r"^  robot_x\[\d+\]", text, re.M)
    assert len(re.findall(r"^  der\(", text, re.M)) == len(states)
    assert "displayUnit=\"deg\"" in text or not re.search(r'unit="rad"', text)
    assert "Line(points" in (folder / "package.mo").read_text()
    # A digit is before the comma in every exponent and number.
    assert not re.search(r"\b(nan|inf)\b", plain.replace("Modelica.Constants.inf", ""))


def test_parameters_are_in_tabs_and_examples_are_there(package):
    p = package(SCARA)
    assert 'tab="Joint slide"' in p.text and 'tab="Link quill"' in p.text and 'tab="Payload"' in p.text
    assert "Translational.Interfaces.Flange_a flange_slide" in p.text
    examples = (p.folder / "Examples.mo").read_text()
    for name in ("PDControl", "PIDControl", "MotorDrive", "TwoRobots", "SpringAtTip", "Animation"):
        assert f"model {name} " in examples and f"end {name};" in examples
    chamber = package(SOURCE / "resources" / "robots" / "patu655.xml", "--cut", "chamber", "--name", "patu")
    assert "model ValveInModelica" in (chamber.folder / "Examples.mo").read_text()


def test_what_cannot_be_in_a_package_is_refused(tmp_path):
    program = os.environ.get("FOREARM", SOURCE / "build" / "dev" / "cli" / "forearm")
    for options, words in ((["--sources"], "leave --sources"), (["--platforms", "none"], "would run nowhere")):
        done = subprocess.run([program, "export", SCARA, "--modelica", tmp_path / "x", *options], capture_output=True, text=True)
        assert done.returncode != 0 and words in done.stderr
        assert not (tmp_path / "x").exists()
    (tmp_path / "file").write_text("")
    done = subprocess.run([program, "export", SCARA, "--modelica", tmp_path / "file"], capture_output=True, text=True)
    assert done.returncode != 0 and "the folder cannot be made" in done.stderr


# ----------------------------------------------------------------------------------------- compilers

@pytest.mark.parametrize("robot", EVERY, ids=lambda path: f"{path.parent.name}_{path.stem}")
def test_rumoca_reads_every_file(robot, forearm, tmp_path):
    rumoca = pytest.importorskip("rumoca", reason="skipped: rumoca (PyPI) not found")
    forearm("export", robot, "--modelica", tmp_path, "--platforms", "native")
    for file in sorted(tmp_path.glob("*/*.mo")):
        wrong = [str(d) for d in rumoca.validate_source(file.read_text()) if d.level == "error" and "EP0" in str(d)]
        assert not wrong, (file, wrong[0])


def without_external_object(folder, to):
    """The package with a number for the external object and zeros for its functions: what rumoca takes, which has no
    external objects; the equations around them are the same."""
    to.mkdir(parents=True)
    (to / "package.order").write_text((folder / "package.order").read_text())

    def body(match):
        text = match.group(0)
        zeros = "".join(f"    {name} := {f'zeros({size[1:-1]})' if size else '0'};\n" for name, size in
                        re.findall(r"output (?:Real|Integer) (\w+)(\[[^;\]]*\])?", text))
        return re.sub(r"    external .*?;\n(?=    annotation\(deriv|  end)", "  algorithm\n" + zeros, text, flags=re.S)

    for file in folder.glob("*.mo"):
        text = file.read_text()
        if file.name == "Internal.mo":
            text = re.sub(r"  class Handle .*?  end Handle;\n", "  type Handle = Integer;\n", text, flags=re.S)
            text = re.sub(r"  (?:impure )?function (\w+) .*?  end \1;\n", body, text, flags=re.S).replace("impure ", "")
        text = re.sub(r"Internal\.Handle robot_handle = Internal\.Handle\(.*?\)\n    \"", 'Internal.Handle robot_handle = 1\n    "', text, flags=re.S)
        (to / file.name).write_text(text)
    return to


@pytest.mark.parametrize("model", ["Robot", "Examples.PDControl", "Examples.PIDControl", "Examples.MotorDrive", "Examples.TwoRobots"])
def test_rumoca_flattens_and_finds_as_many_equations_as_unknowns(model, package, tmp_path):
    """With the Modelica Standard Library that MODELICAPATH names."""
    rumoca = pytest.importorskip("rumoca", reason="skipped: rumoca (PyPI) not found")
    path = os.environ.get("MODELICAPATH", "")
    if not (pathlib.Path(path) / "Modelica" / "package.mo").exists():
        pytest.skip("skipped: MODELICAPATH names no folder with the Modelica Standard Library")
    folder = without_external_object(package(DOUBLE).folder, tmp_path / "Double_")
    folder = folder.rename(tmp_path / "Robot_double") if package(DOUBLE).folder.name == "Robot_double" else folder.rename(
        tmp_path / package(DOUBLE).folder.name)
    session = rumoca.Session(roots=[path])
    structure = session.load(str(folder / "package.mo"), model=f"{folder.name}.{model}").structure()
    assert structure.is_balanced and structure.is_matched and structure.n_states >= 4


OMC = """
loadModel(Modelica); getErrorString();
loadFile("{package}"); getErrorString();
{runs}
"""


def test_omc_simulates_every_example(package, tmp_path):
    omc = shutil.which("omc")
    if not omc:
        pytest.skip("skipped: omc not found; the C functions are driven by the equations of ten models above")
    p = package(DOUBLE)
    names = re.findall(r"^  model (\w+) ", (p.folder / "Examples.mo").read_text(), re.M)
    runs = "\n".join(f'simulate({p.folder.name}.Examples.{name}); getErrorString();' for name in names)
    (tmp_path / "all.mos").write_text(OMC.format(package=p.folder / "package.mo", runs=runs))
    done = subprocess.run([omc, "all.mos"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.stdout.count("The simulation finished successfully") == len(names), done.stdout
