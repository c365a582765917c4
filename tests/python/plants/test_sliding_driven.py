"""Snakes that slide while somebody drives them: the golden motions with inputs over time (tests/reference/sliding), and what
physics says of any motion.

MOTION  1e-9 of the largest entry, or 5 times what the two programs behind the numbers differ by.
CORNERS 1e-6: the rate of the positive work has corners, at which no solver stops.
"""

import csv
import io
import json

import numpy as np
import pytest
from scipy.integrate import DOP853

from cli import ok
from conftest import SOURCE
from robot_fmu import RobotFmu

MOTION, CORNERS = 1e-9, 1e-6
FOLDER = SOURCE / "tests" / "reference" / "sliding"
WORKS = ["drive", "ground", "contact", "joint"]


def each(n, kind, quantity):
    return [f"{kind}{i + 1}.{quantity}" for i in range(n)]


def golden_of(name):
    return json.loads((FOLDER / "trajectories" / f"{name}.json").read_text())


def start_of(golden):
    start, n = golden["start"], len(golden["start"]["angle"])
    values = dict(zip(each(n, "link", "initial_angle"), start["angle"]))
    values |= dict(zip(each(n, "link", "initial_rate"), start["rates"]))
    return values | {"initial_x": start["x"], "initial_y": start["y"], "initial_velocity.x": start["velocity"][0],
                     "initial_velocity.y": start["velocity"][1]}


def compare(get, golden, point):
    """`get` gives the numbers of names."""
    n = len(point["angle"])
    rows = {"angle": (each(n, "link", "angle"), point["angle"], MOTION), "rates": (each(n, "link", "rate"), point["rates"], MOTION),
            "place": (["x", "y"], [point["x"], point["y"]], MOTION), "centre": (["com.x", "com.y"], point["com"], MOTION),
            "velocity": (["velocity.x", "velocity.y"], point["velocity"], MOTION),
            "works": ([f"energy.{word}_work" for word in WORKS], [point[f"{word}_work"] for word in WORKS], MOTION),
            "positive": (["energy.positive_work"], [point["positive_work"]], CORNERS)}
    for what, (names, expected, tolerance) in rows.items():
        error = np.abs(np.array(get(names)) - expected).max()
        allowed = max(tolerance, 5 * golden["agreement"]) * max(1, np.abs(expected).max())
        assert error <= allowed, f"{what} at {point['t']}: {error}"


def test_steering_by_continuous_inputs(tmp_path):
    """Frequency and bias rise along lines, over which the program stops where they bend."""
    golden = golden_of("viscous_steer")
    times = sorted({t for table in golden["tables"].values() for t, _ in table})
    words = list(golden["tables"])
    lines = [",".join(["time", *(f"gait.{word}" for word in words)])]
    lines += [",".join(map(repr, [float(t), *(float(np.interp(t, *np.transpose(golden["tables"][word]))) for word in words)]))
              for t in times]
    (tmp_path / "inputs.csv").write_text("\n".join(lines) + "\n")
    said = [word for name, value in start_of(golden).items() for word in ("--set", f"{name}={value!r}")]
    found = list(csv.DictReader(io.StringIO(ok(
        "simulate", FOLDER / "robots" / "viscous_steer.xml", "--inputs", "gait", "--input", tmp_path / "inputs.csv", "--interpolate",
        "linear", "--stop", golden["end"], "--step", 0.5, "--tolerance", "1e-13", *said))))
    assert [float(row["time"]) for row in found] == golden["times"]
    for row, point in zip(found, golden["values"]):
        compare(lambda names: [float(row[name]) for name in names], golden, point)
    assert int(float(found[-1]["period.count"])) == len(golden["periods"])
    last = golden["periods"][-1]
    for word in ("duration", "distance", "speed", "heading", "work", "net_work", "cost_of_transport"):
        assert float(found[-1][f"period.{word}"]) == pytest.approx(last[word], rel=CORNERS, abs=CORNERS)


@pytest.mark.parametrize("fmi", [2, 3])
def test_all_joints_prescribed_by_a_host_with_its_own_solver(export, fmi):
    """Model Exchange with the solver of SciPy: references are sines, with both derivatives."""
    golden = golden_of("prescribed")
    wave, n = golden["reference"], len(golden["start"]["angle"])
    k = np.arange(n - 1)
    inputs = [name for i in range(n - 1) for name in (f"joint{i + 1}.reference", f"joint{i + 1}.reference_rate",
                                                      f"joint{i + 1}.reference_acceleration")]

    def told(t):
        angle, w, a = wave["frequency"] * t + k * wave["shift"], wave["frequency"], wave["amplitude"]
        return np.transpose([a * np.sin(angle) + wave["bias"], a * w * np.cos(angle), -a * w * w * np.sin(angle)]).ravel()

    snake = RobotFmu(export(FOLDER / "robots" / "prescribed.xml", "--fmi", fmi, "--bare"))
    values = start_of(golden) | dict(zip(inputs, told(0.0)))
    with snake.model(values) as model:
        derivatives = [row.variable.name for row in snake.description.derivatives]
        states = [row.variable.derivative.name for row in snake.description.derivatives]

        def rate(t, x):
            model.fmi.setTime(t)
            model.set(states, x)
            model.set(inputs, told(t))
            return model.get(derivatives)

        solver = DOP853(rate, 0.0, model.get(states), golden["end"], rtol=1e-12, atol=1e-13)
        for point in golden["values"][1:]:
            while solver.t < point["t"]:
                solver.t_bound = point["t"]
                solver.status = "running"
                solver.step()
            rate(solver.t, solver.y)
            compare(model.get, golden, point)


SNAKE = """<snake name="any" links="6"><every length="0.2" mass="0.8" inertia="0.003"/><every-joint viscous="0.02" stops="no"/>
<ground law="viscous" tangential="0.7" normal="0.7"/>
<input kind="gait" amplitude="0.5" frequency="4" shift="0.8" stiffness="2" damping="0.02"/></snake>"""


def test_on_isotropic_ground_the_centre_of_mass_knows_nothing_of_the_joints(export, tmp_path):
    """m dv/dt = -c v, whatever joints do, from accelerations of links alone: forces are not asked."""
    path = tmp_path / "any.xml"
    path.write_text(SNAKE.replace('', ""))
    n, draw = 6, np.random.default_rng(7)
    snake = RobotFmu(export(path, "--bare"))
    for _ in range(5):
        angle, rate, v = draw.uniform(-3, 3, n), draw.uniform(-5, 5, n), draw.uniform(-2, 2, 2)
        values = dict(zip(each(n, "link", "initial_angle"), angle)) | dict(zip(each(n, "link", "initial_rate"), rate))
        values |= {"initial_velocity.x": v[0], "initial_velocity.y": v[1], "gait.phase": draw.uniform(-3, 3)}
        values |= {f"joint{i + 1}.torque": draw.uniform(-4, 4) for i in range(n - 1)}
        with snake.model(values) as model:
            alpha = model.get(each(n, "link", "angular_acceleration"))
            a = complex(*model.get(["acceleration.x", "acceleration.y"]))
            half = 0.1 * np.exp(1j * angle)  # wheels, and centres of mass, are in the middle of links
            velocity, acceleration = [complex(*v)], [a]
            for i in range(n - 1):
                turn = 1j * (rate[i] * half[i] + rate[i + 1] * half[i + 1])
                bend = sum((1j * alpha[j] - rate[j] ** 2) * half[j] for j in (i, i + 1))
                velocity.append(velocity[-1] + turn)
                acceleration.append(acceleration[-1] + bend)
            size = max(1, np.abs(acceleration).max())
            left = 0.8 * np.mean(acceleration) + 0.7 * np.mean(velocity)
            assert abs(left) <= 1e-13 * size  # rounding of some hundred rad/s^2


@pytest.mark.parametrize("inputs", [False, True])
def test_a_step_of_the_frequency_leaves_every_reference_where_it_is(export, tmp_path, inputs):
    path = tmp_path / "any.xml"
    path.write_text(SNAKE.replace('', ""))
    snake = RobotFmu(export(path, *(("--inputs", "gait") if inputs else ()), "--bare"))
    references = each(5, "joint", "reference")
    with snake.slave({"gait.frequency": 2.0}) as model:
        for frequency in (6.0, -1.0, 2.5):
            model.step_to(model.time + 0.37)
            before = model.get(references)
            model.set(["gait.frequency"], [frequency])
            assert np.abs(model.get(references) - before).max() <= 1e-15  # rounding of the angle
            model.step_to(model.time + 1e-6)
            assert 0 < np.abs(model.get(references) - before).max() <= 1e-5  # as fast as frequency times amplitude


@pytest.mark.parametrize("path", [FOLDER / "robots" / "map_viscous.xml", SOURCE / "resources" / "robots" / "serpenoid.xml"])
def test_works_of_joints_add_up_to_that_of_all_drives(path):
    """Also where the wheels do not slip and nothing is said of the ground. They are integrals of the same powers at the same
    steps: what is left is rounding."""
    rows = list(csv.DictReader(io.StringIO(ok("simulate", path, "--outputs", "work", "--stop", 0.5, "--step", 0.25))))
    works = [name for name in rows[0] if name.startswith("joint") and name.endswith(".work")]
    n = sum(name.startswith("link") and name.endswith(".angle") for name in rows[0])
    assert works == each(n - 1, "joint", "work")
    assert np.abs([float(rows[-1][name]) for name in works]).max() > 1e-6
    for row in rows:
        sizes = [float(row[name]) for name in works]
        assert abs(sum(sizes) - float(row["energy.drive_work"])) <= 1e-13 * max(1, np.abs(sizes).max())


TOLD = SNAKE.replace('stiffness="2" damping="0.02"', 'drive="prescribed" smoothing="0.3" bandwidth="9" bias="0.1"')


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("inputs", [False, True])
def test_a_prescribed_gait_follows_smoothed_numbers(export, tmp_path, fmi, inputs):
    """All four numbers step once. Each then follows its critically damped filter, whose solution is known, and the angle is the
    integral of the frequency's. Joints have these angles exactly, once the start has died out: 9 rad/s over 4 s leave 1e-14."""
    path, tau, start, step = tmp_path / "told.xml", 0.3, 4.0, {"amplitude": 0.3, "frequency": -2.0, "shift": 1.1, "bias": -0.2}
    path.write_text(TOLD)
    first = {"amplitude": 0.5, "frequency": 4.0, "shift": 0.8, "bias": 0.1}
    snake = RobotFmu(export(path, "--fmi", fmi, *(("--inputs", "gait") if inputs else ()), "--bare"))
    torques = each(5, "joint", "torque")
    causality = {v.name: v.causality for v in snake.description.modelVariables}
    assert {causality[name] for name in torques} == {"output"}
    with snake.slave({"solver_tolerance": 1e-12}) as model:
        model.step_to(start)
        model.set([f"gait.{word}" for word in step], list(step.values()))
        for t in (1e-6, 0.05, 0.4, 1.0, 2.0):
            model.step_to(start + t)
            left = np.exp(-t / tau)
            now = {word: step[word] + (first[word] - step[word]) * (1 + t / tau) * left for word in step}
            turned = step["frequency"] * t + (first["frequency"] - step["frequency"]) * (2 * tau - (2 * tau + t) * left)
            wave = (now["amplitude"] * np.sin(first["frequency"] * start + turned + np.arange(5) * now["shift"]) + now["bias"])
            # Rounding and the solver, over some 10 rad of the angle.
            assert np.abs(np.array(model.get(each(5, "joint", "reference"))) - wave).max() <= 1e-9
            assert np.abs(np.array(model.get(each(5, "joint", "angle"))) - wave).max() <= 1e-9
            assert model.get(["gait.bias_now"])[0] == pytest.approx(now["bias"], abs=1e-9)
            assert np.abs(model.get(torques)).max() > 1e-3
            assert list(model.get(torques)) == list(model.get(each(5, "joint", "drive_torque")))
