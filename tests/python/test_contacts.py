"""Contacts, line springs and servos against tests/mechanisms, closed forms, the balance of energy, and each other."""

import math

import fmpy
import numpy as np
import pytest

from cli import fails, ok, table
from mechanism_points import Points
from robot_fmu import RobotFmu

POINTS = ["ball_on_box", "bouncing_ball", "bristle_ball", "rolling_ball", "quadruped", "servo_planar_cart"]


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", POINTS)
def test_states_of_mechanisms_are_as_expected(name, fmi, export):
    points = Points(name)
    fmu = RobotFmu(export(points.robot, "--fmi", fmi, "--bare", *points.options()))
    for point in points.data["points"]:
        with fmu.model(points.start(point)) as model:
            given, expected = points.inputs(point), points.expected(point)
            if given:
                model.set(list(given), given.values())
            names = list(expected)
            np.random.default_rng(3).shuffle(names)  # no get hangs on those before it
            for name, got in zip(names, model.get(names)):
                want, size = expected[name]
                assert abs(got - want) < 1e-10 * size, (name, got, want)
