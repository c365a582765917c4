"""Snakes on real ground, sliding or on ideal wheels, through their FMUs, at the golden points of tests/reference/sliding.

POINT    1e-12 of the largest entry, at least 1: the two programs behind the numbers reach 3e-13 in double.
TOUCHING 1e-11 where a link touches an obstacle: a depth of a millimetre loses three digits.
"""

import json

import numpy as np
import pytest

from cli import ok
from conftest import SOURCE
from robot_fmu import RobotFmu

POINT = 1e-12
TOUCHING = 1e-11
FOLDER = SOURCE / "tests" / "reference" / "sliding"
NAMES = sorted(path.stem for path in (FOLDER / "points").glob("*.json"))


@pytest.fixture(scope="module")
def fmu(export):
    return lambda name, fmi: RobotFmu(export(FOLDER / "robots" / f"{name}.xml", "--fmi", fmi, "--outputs", "reactions", "--bare"))


def each(n, kind, quantity):
    return [f"{kind}{i + 1}.{quantity}" for i in range(n)]


def known(golden, point):
    """Parameters and inputs of a point, and what it starts from."""
    n, state, given = golden["links"], point["state"], point["input"]
    values = dict(zip(each(n, "link", "initial_angle"), state["angle"]))
    values.update({"initial_x": state["x"], "initial_y": state["y"]})
    if golden["law"] == "ideal":
        values.update({"initial_speed": state["speed"], "initial_rate": state["rate"]})
    else:
        values.update(zip(each(n, "link", "initial_rate"), state["rates"]))
        values.update({"initial_velocity.x": state["velocity"][0], "initial_velocity.y": state["velocity"][1]})
    if golden["drive"] == "gait":
        values.update({f"gait.{word}": given[word] for word in ("phase", "amplitude", "frequency", "shift", "bias")})
    told = given.get("joint_acceleration") or [None] * (n - 1)
    torque = given.get("torque") or [0.0] * (n - 1)
    for k in range(n - 1):
        if told[k] is None:
            values[f"joint{k + 1}.torque"] = torque[k]
            continue
        values[f"joint{k + 1}.reference"] = state["angle"][k + 1] - state["angle"][k]
        values[f"joint{k + 1}.reference_rate"] = state["rates"][k + 1] - state["rates"][k]
        values[f"joint{k + 1}.reference_acceleration"] = told[k]
    return values


def sum_of_forces(contacts, name):
    return [sum(c[axis] for c in contacts if c["obstacle"] == name) for axis in ("fx", "fy")]


def compared(golden, expect):
    """Names of outputs, and what they should be."""
    n = golden["links"]
    rows = {"angular_acceleration": (each(n, "link", "angular_acceleration"), expect["angular_acceleration"]),
            "acceleration": (["acceleration.x", "acceleration.y"], expect["acceleration"][0]),
            "rate": (each(n, "link", "rate"), expect["rate"]),
            "velocity": (["velocity.x", "velocity.y"], expect["velocity"][0]),
            "joint": (each(n - 1, "joint", "acceleration"), expect["joint_acceleration"]),
            "com": (["com.x", "com.y"], expect["com"]),
            "com_velocity": (["com.velocity.x", "com.velocity.y"], expect["com_velocity"]),
            "torque": (each(n - 1, "joint", "drive_torque"), expect["torque"]),
            "energy": (["energy.kinetic", "energy.potential", "energy.contact_stored"],
                       [expect["kinetic"], expect["potential"], expect["contact_stored"]]),
            "power": (["energy.drive_power", "energy.positive_power", "energy.ground_power", "energy.obstacle_power",
                       "energy.joint_power"], [expect["power"][k] for k in ("drive", "positive", "ground", "contact",
                                                                            "joints")])}
    for i, axis in enumerate("xy"):
        rows[f"ground {axis}"] = (each(n, "link", f"ground.force.{axis}"), [g[i] for g in expect["ground"]])
        rows[f"joint force {axis}"] = (each(n - 1, "joint", f"force.{axis}"), [f[i] for f in expect["joint_force"]])
    rows["moment"] = (each(n, "link", "ground.torque"), [g[2] for g in expect["ground"]])
    if golden["law"] == "ideal":
        rows["speed"] = (["speed_derivative", "rate_derivative"], [expect["speed_derivative"], expect["angular_acceleration"][0]])
    if "reference" in expect:
        rows["reference"] = (each(n - 1, "joint", "reference"), expect["reference"])
    for name in sorted({c["obstacle"] for c in expect["contact"]}):
        kind = "wall" if name.startswith("w") else "peg"
        rows[name] = ([f"{kind}.{name}.force.{axis}" for axis in "xy"], sum_of_forces(expect["contact"], name))
    return rows


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_points(fmu, name, fmi):
    golden = json.loads((FOLDER / "points" / f"{name}.json").read_text())
    snake = fmu(name, fmi)
    for point in golden["points"]:
        touching = any(c["depth"] > 0 for c in point["expect"]["contact"])
        with snake.model(known(golden, point)) as model:
            for what, (names, expected) in compared(golden, point["expect"]).items():
                error = np.abs(np.array(model.get(names)) - expected).max()
                allowed = (TOUCHING if touching else POINT) * max(1, np.abs(expected).max())
                assert error <= allowed, f"{what}: {error} of {np.abs(expected).max()}"


@pytest.mark.parametrize("name", NAMES)
def test_check_tells_of_every_snake_that_slides(name):
    golden = json.loads((FOLDER / "points" / f"{name}.json").read_text())
    said = ok("check", FOLDER / "robots" / f"{name}.xml").splitlines()
    n, law = golden["links"], name.split("_")[0]
    ground, freedom = ("wheels", 2) if law == "ideal" else (f"ground of the law '{law}'", n + 2)
    assert said[0].startswith(f"snake '{name}': {n} links on {ground}, {freedom} degrees of freedom")
    assert sum(line.startswith("link") for line in said) == n + 1
    assert any(line.startswith("total mass: ") for line in said)
    assert said[-1].startswith("warnings: ")
