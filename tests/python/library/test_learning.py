"""The example of learning: a few generations bring the tip nearer to its points, and a policy goes its way whatever its neighbours."""

import sys

import numpy as np
import pytest

from conftest import SOURCE
from core_package import fa

pytest.importorskip("gymnasium", reason="gymnasium is not installed")
sys.path.insert(0, str(SOURCE / "examples" / "learning"))

import reach  # noqa: E402


def test_a_few_generations_come_nearer(monkeypatch):
    monkeypatch.setattr(reach, "PAIRS", 32)
    monkeypatch.setattr(reach, "POINTS", 8)
    robot = fa.load(SOURCE / "resources" / "robots" / "puma560.xml")
    said = []
    parameters, curve = reach.learn(robot, 25, say=said.append)
    assert curve.shape == (25, 3) and np.isfinite(curve).all() and np.isfinite(parameters).all() and len(said) == 1
    assert curve[-5:, 1].mean() < 0.6 * curve[:5, 1].mean()

    goal, env = reach.points(robot, 6, np.random.default_rng(2)), reach.environments(robot, 6, seed=3)
    way, end = reach.episode(env, goal, parameters[None])
    again = reach.episode(reach.environments(robot, 6, seed=3), goal, np.tile(parameters, (6, 1)))
    # One policy for all is the same as one for each: matrix products differ by rounding, which forty periods hardly amplify.
    assert np.abs(way - again[0]).max() < 1e-9 and np.abs(end - again[1]).max() < 1e-9
