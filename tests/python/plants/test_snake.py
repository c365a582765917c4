"""Snakes through their FMUs: the golden points and trajectories, events, derivatives.

POINT  1e-12 of the largest entry: plain double attains 4e-14.
TIGHT  1e-9 of the largest entry of the state up to t = 2 s, as the reference asks. Co-Simulation
       integrates with an error of at most 1e-12 in each of its steps; where torques vary, we
       integrate Model Exchange ourselves, by Runge and Kutta's method of fourth order in steps of
       0.25 ms; in steps of 1 ms the worst was 1.5e-9 for the robot whose links differ.
STOPS  1e-6: both integrators find the times of contact; FMPy's by halving its steps' ends.
"""

import contextlib
import csv
import io
import json
import math
import tempfile

import fmpy
import numpy as np
import pytest
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave

from conftest import SOURCE
from figures import close
from robot_fmu import Model, Slave

POINT = 1e-12
TIGHT = 1e-9
STOPS = 1e-6

FILE = SOURCE / "tests" / "reference" / "snake_points_and_trajectories.json"
REFERENCE = json.loads(FILE.read_text())
POINTS = REFERENCE["points"]
TRAJECTORIES = {t["id"]: t for t in REFERENCE["trajectories"]}


def snake_xml(params, start=None):
    """A <snake> with the reference's numbers, every digit of them."""
    n = params["n"]
    lines = [f'<snake name="golden" links="{n}" rolling-width="{params["vs"]!r}">', "  <every/>",
             '  <every-joint stops="no"/>']
    for i in range(n):
        a, b = params["a"][i], params["b"][i]
        lines.append(f'  <link index="{i + 1}" length="{a + b!r}" wheel="{a!r}" '
                     f'com="{params["c"][i]!r} {params["d"][i]!r}" mass="{params["m"][i]!r}" '
                     f'inertia="{params["I"][i]!r}" rolling-viscous="{params["cr"][i]!r}" '
                     f'rolling-coulomb="{params["fc"][i]!r}"/>')
    for i in range(n - 1):
        lines.append(f'  <joint index="{i + 1}" viscous="{params["cj"][i]!r}" '
                     f'stiffness="{params["kj"][i]!r}" rest="{params["phi0"][i]!r}"/>')
    gait = params["serp"]
    if gait:
        lines.append(f'  <input kind="gait" amplitude="{gait["A"]!r}" frequency="{gait["om"]!r}" '
                     f'shift="{gait["beta"]!r}" bias="{gait["gam"]!r}" phase="{gait["psi"]!r}" '
                     f'stiffness="{gait["kp"]!r}" damping="{gait["kd"]!r}"/>')
    if start:
        angles = " ".join(map(repr, start[:n]))
        lines.append(f'  <start angles="{angles}" x="{start[n]!r}" y="{start[n + 1]!r}" '
                     f'speed="{start[n + 2]!r}" rate="{start[n + 3]!r}"/>')
    return "\n".join([*lines, "</snake>"])


class SnakeFmu:
    """As RobotFmu of robot_fmu.py, for what a snake has."""

    def __init__(self, path):
        self.path = path
        self.description = fmpy.read_model_description(str(path), validate=False)
        self.fmi = int(self.description.fmiVersion[0])
        self._folder = tempfile.TemporaryDirectory()
        self.folder = fmpy.extract(str(path), self._folder.name)
        self.variable = {v.name: v for v in self.description.modelVariables}
        self.links = sum(name.endswith(".initial_angle") for name in self.variable)
        self.states = [row.variable.derivative.name for row in self.description.derivatives]
        self.n_states = len(self.states)

    def names(self, pattern, last=0):
        return [pattern.format(i + 1) for i in range(self.links - last)]

    def model(self, start=None):
        return contextlib.closing(Model(self, (FMU2Model, FMU3Model)[self.fmi - 2], start))

    def slave(self, start=None):
        return contextlib.closing(Slave(self, (FMU2Slave, FMU3Slave)[self.fmi - 2], start))


@pytest.fixture(params=[2, 3], ids=["fmi2", "fmi3"])
def make(request, export, tmp_path_factory):
    made = {}

    def get(text):
        if text not in made:
            path = tmp_path_factory.mktemp("snake") / "snake.xml"
            path.write_text(text)
            made[text] = SnakeFmu(export(path, "--fmi", request.param, "--outputs", "energy"))
        return made[text]

    return get


# ----------------------------------------------------------------------------------------- golden


# Every family, the smallest, some middle and the largest of each.
def chosen():
    for family in sorted({p["family"] for p in POINTS}):
        of = sorted((p for p in POINTS if p["family"] == family), key=lambda p: p["params"]["n"])
        for p in {id(p): p for p in (of[0], of[len(of) // 2], of[-1])}.values():
            yield p


@pytest.mark.parametrize("point", list(chosen()), ids=lambda p: p["id"])
def test_points(point, make):
    fmu, n, expect = make(snake_xml(point["params"])), point["params"]["n"], point["expect"]
    with fmu.model() as model:
        model.fmi.setTime(point["t"])
        model.set_state(point["theta"], point["xy"], point["u"], [0.0])
        model.set(fmu.names("joint{}.torque", 1), point["T"])
        assert len(fmu.states) == n + 5 and fmu.states[-1] == "energy.work"
        for name, value in (("ud", model.get(["speed_derivative", "rate_derivative"])),
                            ("lam", model.get(fmu.names("wheel{}.lateral_force"))),
                            ("V", model.get(fmu.names("link{}.speed"))),
                            ("omega", model.get(fmu.names("link{}.rate"))),
                            ("K", model.get(["energy.kinetic"])),
                            ("Kdot", model.get(["energy.power"]))):
            close(f"a snake's golden {name}", value, np.atleast_1d(expect[name]), POINT, point["id"])
        ratio = expect["sigma_ctrl"][1] / expect["sigma_ctrl"][0]
        assert abs(model.get(["controllability"])[0] - ratio) <= 1e-7


def torque_of(trajectory, n):
    law = trajectory["torque"]
    if law["kind"] == "paper":
        return lambda t: [math.sin(t) / (n - k) for k in range(1, n)]
    return lambda t: [A * math.sin(w * t + p) for A, w, p in zip(law["A"], law["w"], law["p"])]


def runge_kutta(model, names, torque, y, t, end, steps):
    """The state at `end`, of a Model Exchange instance whose inputs follow a function."""
    h = (end - t) / steps

    def rates(time, state):
        model.fmi.setTime(time)
        model.set_state(state)
        model.set(names, torque(time))
        return model.rates()

    for i in range(steps):
        now = t + i * h
        k1 = rates(now, y)
        k2 = rates(now + h / 2, y + h / 2 * k1)
        k3 = rates(now + h / 2, y + h / 2 * k2)
        k4 = rates(now + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@pytest.mark.parametrize("name", [t["id"] for t in TRAJECTORIES.values()
                                  if t["torque"]["kind"] != "zero"])
def test_trajectories_with_torques(name, make):
    trajectory = TRAJECTORIES[name]
    n = trajectory["params"]["n"]
    fmu = make(snake_xml(trajectory["params"], trajectory["y0"]))
    rows = [i for i, t in enumerate(trajectory["t"]) if t <= 2][::10]
    with fmu.model() as model:
        y, t = np.array([*trajectory["y0"], 0.0]), 0.0
        for row in rows:
            end = trajectory["t"][row]
            steps = round((end - t) * 4000)
            if steps:
                y = runge_kutta(model, fmu.names("joint{}.torque", 1), torque_of(trajectory, n), y,
                                t, end, steps)
            t = end
            close("a snake's trajectory to 2 s, Model Exchange", y, np.array(trajectory["y"][row]),
                  TIGHT, f"{name} at {t}")


def test_a_trajectory_with_a_gait(make):
    trajectory = TRAJECTORIES["pub-serp-n3"]
    fmu = make(snake_xml(trajectory["params"], trajectory["y0"]))
    with fmu.slave({"solver_tolerance": 1e-12}) as slave:
        for t, y in zip(trajectory["t"], trajectory["y"]):
            if t > 2:
                break
            if t > 0:
                slave.step_to(t)
            close("a snake's trajectory to 2 s, Co-Simulation", slave.get(fmu.states), np.array(y),
                  TIGHT, f"at {t}")


GAIT = """<snake name="tuned" links="6"><every length="0.2" mass="1" inertia="0.005"/>
<input kind="gait" amplitude="0.3" frequency="2" shift="0.6" phase="0.4" stiffness="20" damping="0.5"/>
</snake>"""


def test_a_gait_that_is_tuned_goes_on_where_it_is(make):
    fmu = make(GAIT)
    references = fmu.names("joint{}.reference", last=1)
    state_of = {2: "getFMUstate", 3: "getFMUState"}[fmu.fmi], {2: "setFMUstate", 3: "setFMUState"}[fmu.fmi]
    with fmu.slave() as slave:
        assert abs(slave.get(references)[0] - 0.3 * math.sin(0.4)) < 1e-15
        slave.step_to(3.0)
        angle = 2 * 3.0 + 0.4
        for name, value in (("gait.frequency", 7.0), ("gait.phase", -1.0), ("gait.frequency", -2.0)):
            slave.set([name], [value])
            got = slave.get(references)
            expected = [0.3 * math.sin(angle + 0.6 * k) for k in range(5)]
            assert np.abs(np.array(got) - expected).max() < 1e-13, name
        # A shift moves each joint's angle by itself and leaves that of the gait, which is the first joint's.
        slave.set(["gait.shift"], [0.9])
        assert abs(slave.get(references)[0] - 0.3 * math.sin(angle)) < 1e-13
        saved = getattr(slave.fmi, state_of[0])()
        slave.step_to(3.5)
        expected = [0.3 * math.sin(angle - 2 * 0.5 + 0.9 * k) for k in range(5)]
        assert np.abs(np.array(slave.get(references)) - expected).max() < 1e-12
        slave.set(["gait.frequency"], [11.0])
        getattr(slave.fmi, state_of[1])(saved)
        expected = [0.3 * math.sin(angle + 0.9 * k) for k in range(5)]
        assert np.abs(np.array(slave.get(references)) - expected).max() < 1e-13


def test_a_gait_of_inputs_has_an_angle_that_is_a_state(export, tmp_path, refuse):
    path = tmp_path / "snake.xml"
    path.write_text(GAIT)
    for fmi in (2, 3):
        fmu = SnakeFmu(export(path, "--fmi", fmi, "--inputs", "gait"))
        numbers = [f"gait.{name}" for name in ("amplitude", "frequency", "shift", "bias")]
        assert all(fmu.variable[name].causality == "input" for name in numbers)
        assert fmu.states[-1] == "gait.angle" and "gait.offset" not in fmu.variable
        for kind in ("ModelExchange", "CoSimulation"):
            # From 1.5 s on; the frequency jumps from 2 to 6 at 2.5 s.
            signals = np.array([(1.5, 2.0), (2.5, 2.0), (2.5, 6.0), (3.5, 6.0)],
                               dtype=[("time", float), ("gait.frequency", float)])
            result = fmpy.simulate_fmu(str(fmu.path), fmi_type=kind, start_time=1.5, stop_time=3.5, input=signals,
                                       output_interval=0.5, relative_tolerance=1e-9,
                                       output=["gait.angle", "joint3.reference"])
            angle = {row["time"]: row["gait.angle"] for row in result}
            reference = {row["time"]: row["joint3.reference"] for row in result}
            for t, expected in ((1.5, 3.4), (2.0, 4.4), (3.5, 5.4 + 6.0)):
                assert abs(angle[t] - expected) < 1e-6, (fmi, kind, t)
                assert abs(reference[t] - 0.3 * math.sin(expected + 1.2)) < 1e-6
    path.write_text(THROWN)
    assert "its only further inputs are those of gait" in refuse("inspect", path, "--inputs", "gait")


# ----------------------------------------------------------------------------------------- events

THROWN = """<snake name="thrown" links="4"><every length="0.2" mass="1" inertia="0.005"/>
<start angles="-0.5 0.5 -0.5 0.5" speed="0.5" rate="4"/></snake>"""


def test_joint_stops_act_alike_in_model_exchange_and_co_simulation(make):
    fmu = make(THROWN)
    shown = [*fmu.states, "energy.kinetic"]
    results = [fmpy.simulate_fmu(str(fmu.path), fmi_type=kind, solver="CVode", stop_time=2.0,
                                 output_interval=0.05, relative_tolerance=1e-10,
                                 start_values={"solver_tolerance": 1e-10}, output=shown,
                                 record_events=False)
               for kind in ("ModelExchange", "CoSimulation")]
    exchange, simulation = (np.array([r[name] for name in shown]).T for r in results)
    assert exchange[-1][-1] < 0.5 * exchange[0][-1]  # the stops have taken energy
    close("a snake at its stops, Model Exchange against Co-Simulation", exchange, simulation, STOPS,
          f"FMI {fmu.fmi}")
    work = simulation[:, -1] - simulation[:, fmu.states.index("energy.work")]
    close("energy less work at the stops", work, np.full(len(work), work[0]), STOPS, "thrown")


def flag(instance, name):
    get = instance.fmi.getBoolean
    return bool(get([instance.fmu.variable[name].valueReference])[0])


def test_flags_come_at_the_right_time(make):
    # A straight snake has lost control from the start; a slow one keeps its grip, a pushed one not.
    straight = '<snake name="s" links="5"><every length="0.2" mass="1" inertia="0.005"/>{}</snake>'
    with make(straight.format("")).slave() as slave:
        assert flag(slave, "control_lost") and not flag(slave, "slipped")
    with make(straight.format('<start angles="-0.5 0.5 -0.2 0.5 0"/>')).slave() as slave:
        assert not flag(slave, "control_lost")
        slave.set(["joint2.torque"], [0.1])
        slave.step_to(0.1)
        assert not flag(slave, "slipped")
        slave.set(["joint2.torque"], [20.0])
        slave.step_to(0.11)
        assert flag(slave, "slipped")
        slave.set(["joint2.torque"], [0.0])
        slave.step_to(0.12)
        assert flag(slave, "slipped")


# ------------------------------------------------------------------------------------ derivatives


@pytest.mark.parametrize("kind", ['kind="torque"',
                                  'kind="voltage" resistance="2" torque-constant="0.05"',
                                  'kind="gait" amplitude="0.4" frequency="2" stiffness="1"',
                                  'kind="prescribed" joints="1 3"', 'kind="speeds"'])
def test_directional_derivatives_are_those_of_differences(kind, make):
    fmu = make(f'<snake name="d" links="5"><every length="0.2" mass="1" inertia="0.005"/>'
               f'<input {kind}/><start angles="0.3 -0.5 0.1 0.8 -0.2" speed="0.4" rate="0.3"/>'
               f"</snake>")
    inputs = [v.name for v in fmu.description.modelVariables if v.causality == "input"]
    unknowns = [v.name for v in fmu.description.modelVariables
                if v.causality == "output" and v.variability == "continuous"]
    knowns = [*fmu.states, *inputs]
    with fmu.model() as model:
        middle, h = model.get(knowns), 1e-6
        jacobian = model.jacobian(unknowns, knowns)
        for i, known in enumerate(knowns):
            side = []
            for sign in (1, -1):
                model.set([known], [middle[i] + sign * h])
                side.append(model.get(unknowns))
            model.set([known], [middle[i]])
            close("a snake's derivatives against differences", jacobian[:, i],
                  (side[0] - side[1]) / (2 * h), 1e-6, f"{kind} {known}")


def test_prescribed_joints_follow_and_speeds_are_kept(make):
    fmu = make('<snake name="p" links="5"><every length="0.2" mass="1" inertia="0.005"/>'
               '<input kind="prescribed" joints="1 2"/>'
               '<start angles="0.3 -0.5 0.1 0.8 -0.2"/></snake>')
    with fmu.slave() as slave:
        slave.set(["joint1.reference", "joint2.reference"], [-0.6, 0.4])
        slave.step_to(3.0)  # thirty times the time in which deviations die out
        close("prescribed joints", slave.get(["joint1.angle", "joint2.angle"]),
              np.array([-0.6, 0.4]), 1e-6, "")
    fmu = make('<snake name="u" links="5" base="5"><every length="0.2" mass="1" inertia="0.005"/>'
               '<input kind="speeds"/><start angles="0.3 -0.5 0.1 0.8 -0.2"/></snake>')
    with fmu.slave() as slave:
        slave.set(["speed_command", "rate_command"], [0.1, 0.2])
        slave.step_to(1.0)
        close("commanded speeds", slave.get(["speed", "rate"]), np.array([0.1, 0.2]), 1e-4, "")


def crawl(forearm, robot, *options):
    """Where the snake's centre of mass gets to in a minute, its speed in the end, and whether a wheel
    would have slipped."""
    table = forearm("simulate", robot, "--stop", 60, "--step", 1, "--out", "-", *options)
    rows = list(csv.DictReader(io.StringIO(table)))
    first, last = rows[0], rows[-1]
    mean = np.mean([float(row["speed"]) for row in rows[-12:]])  # two waves
    return float(last["com.x"]) - float(first["com.x"]), mean, last["slipped"] == "1"


def test_the_serpenoid_gait_carries_the_snake(forearm, source):
    robot = source / "resources" / "robots" / "serpenoid.xml"
    way, speed, slipped = crawl(forearm, robot)
    assert way > 15 and speed > 0.28 and not slipped  # eight lengths of its body, no slower than it began
    _, coasting, _ = crawl(forearm, robot, "--set", "gait.amplitude=0", "--set", "gait.stiffness=0",
                           "--set", "gait.damping=0")
    assert coasting < 0.2  # what rolling friction leaves of 0.32 m/s
