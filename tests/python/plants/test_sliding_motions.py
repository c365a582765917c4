"""Snakes that slide or roll, over five seconds: the golden motions of tests/reference/sliding, by Co-Simulation.

MOTION  1e-9 of the largest entry, or 5 times what the two programs behind the numbers differ by.
CORNERS 1e-6: the rate of the positive work has corners, at which no solver stops.
"""

import json

import numpy as np
import pytest

from conftest import SOURCE
from robot_fmu import RobotFmu

MOTION = 1e-9
CORNERS = 1e-6
FOLDER = SOURCE / "tests" / "reference" / "sliding"


def each(n, kind, quantity):
    return [f"{kind}{i + 1}.{quantity}" for i in range(n)]


def told(golden, time):
    """Inputs at a time: tables, or the motion of prescribed joints."""
    values = {}
    for word, table in golden.get("tables", {}).items():
        values[f"gait.{word}"] = np.interp(time, *np.transpose(table))
    wave = golden.get("reference")
    for k in range(len(golden["start"]["angle"]) - 1 if wave else 0):
        angle, w = wave["frequency"] * time + k * wave["shift"], wave["frequency"]
        values[f"joint{k + 1}.reference"] = wave["amplitude"] * np.sin(angle) + wave["bias"]
        values[f"joint{k + 1}.reference_rate"] = wave["amplitude"] * w * np.cos(angle)
        values[f"joint{k + 1}.reference_acceleration"] = -wave["amplitude"] * w * w * np.sin(angle)
    return values


def compare(model, golden, point):
    n = len(point["angle"])
    rows = {"angle": (each(n, "link", "angle"), point["angle"], MOTION), "place": (["x", "y"], [point["x"], point["y"]], MOTION),
            "com": (["com.x", "com.y"], point["com"], MOTION),
            "works": ([f"energy.{w}_work" for w in ("drive", "ground", "contact", "joint")],
                      [point[f"{w}_work"] for w in ("drive", "ground", "contact", "joint")], MOTION),
            "positive": (["energy.positive_work"], [point["positive_work"]], CORNERS)}
    if "rates" in point:
        rows["rates"] = (each(n, "link", "rate"), point["rates"], MOTION)
        rows["velocity"] = (["velocity.x", "velocity.y"], point["velocity"], MOTION)
    else:  # wheels that do not slip
        rows["speed"] = (["speed", "rate"], [point["speed"], point["rate"]], MOTION)
    for what, (names, expected, tolerance) in rows.items():
        error = np.abs(model.get(names) - expected).max()
        allowed = max(tolerance, 5 * golden["agreement"]) * max(1, np.abs(expected).max())
        assert error <= allowed, f"{what} at {point['t']}: {error}"


PERIOD = ["duration", "distance", "speed", "heading", "work", "net_work", "cost_of_transport"]


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", ["coulomb_slope", "wheel_ice", "pegs", "ideal_slope"])
def test_motions(export, name, fmi):
    golden = json.loads((FOLDER / "trajectories" / f"{name}.json").read_text())
    snake = RobotFmu(export(FOLDER / "robots" / f"{name}.xml", "--fmi", fmi, "--bare"))
    start, n = golden["start"], len(golden["start"]["angle"])
    values = dict(zip(each(n, "link", "initial_angle"), start["angle"]))
    if "rates" in start:
        values.update(zip(each(n, "link", "initial_rate"), start["rates"]))
    else:
        values.update({"initial_speed": start["speed"], "initial_rate": start["rate"]})
    values.update({"initial_x": start["x"], "initial_y": start["y"], "solver_tolerance": 1e-13})
    over = []
    with snake.slave(values) as model:
        for point in golden["values"][1:]:
            while model.time < point["t"] - 1e-9:
                model.step_to(min(point["t"], model.time + 0.1))
                ended = model.get([f"period.{word}" for word in PERIOD])
                if ended[0] and (not over or (ended != over[-1]).any()):
                    over.append(ended)
            compare(model, golden, point)
    assert len(over) == len(golden["periods"])
    for ended, period in zip(over, golden["periods"]):
        expected = np.array([period[word] for word in PERIOD])
        assert np.abs(ended - expected).max() <= CORNERS * max(1, np.abs(expected).max())
