"""forearm excite: within limits, at rest at both ends, and with the condition number that it tells."""

import re
import subprocess

import numpy as np
import pytest

from conftest import FOREARM, SOURCE
from core_package import GOLDEN, TWO, fa, load


def excite(forearm, robot, out, *options):
    said = forearm("excite", robot, "-o", out, *options)
    names = out.read_text().splitlines()[0].split(",")
    table = np.loadtxt(out, delimiter=",", skiprows=1)
    return names, table, [float(word) for word in re.search(r"condition number ([\d.]+) \(([\d.]+) before", said).groups()]


@pytest.mark.parametrize("name", ["planar2", "arm6"])
def test_a_motion_within_limits_that_tells_much(name, forearm, tmp_path):
    path = GOLDEN / f"ident_{name}.urdf"
    robot = load(path)
    names, table, (condition, before) = excite(forearm, path, tmp_path / "motion.csv", "--time", "10", "--harmonics", "4", "--step", "0.02")
    n = robot.n
    assert names == ["time", *(f"joint.{joint}.{what}" for what in ("position", "velocity", "acceleration") for joint in robot.joints)]
    t, q, qd, qdd = table[:, 0], table[:, 1:n + 1], table[:, n + 1:2 * n + 1], table[:, 2 * n + 1:]
    assert len(t) == 501 and t[-1] == 10
    assert (q >= robot.limits.lower).all() and (q <= robot.limits.upper).all() and (np.abs(qd) <= robot.limits.velocity).all()
    assert np.abs(qdd).max() <= 10 and (np.abs(robot.inverse(q, qd, qdd)) <= robot.limits.effort).all()
    assert np.abs(table[[0, -1], n + 1:]).max() < 1e-12 and np.abs(q[0] - q[-1]).max() < 1e-12  # it rests, and is periodic
    assert np.abs(np.gradient(q, t, axis=0)[5:-5] - qd[5:-5]).max() < 1e-2  # central differences over 0.02 s
    assert condition < before
    # Its equations, and their columns' condition, by another way.
    rows = robot.regressor(q, qd, qdd)
    extra = [np.eye(n) * values[:, None, :] for values in (qdd, qd, np.sign(qd))]
    Y = np.concatenate([rows, *extra], axis=-1).reshape(len(t) * n, -1)
    random = np.random.default_rng(0).uniform(-2, 2, (3, 300, n))
    base = np.concatenate([robot.regressor(*random), *(np.eye(n) * values[:, None, :] for values in (random[2], random[1], np.sign(random[1])))], axis=-1)
    pivots = fa.BaseParameters.of(base.reshape(300 * n, -1), tuple(map(str, range(Y.shape[1]))), 1e-9).pivots
    W = Y[:, pivots] / np.linalg.norm(Y[:, pivots], axis=0)
    assert abs(np.linalg.cond(W) / condition - 1) < 0.1  # it takes 60 samples


def test_a_seed_gives_one_motion(forearm, tmp_path):
    (tmp_path / "two.xml").write_text(TWO)
    tables = [excite(forearm, tmp_path / "two.xml", tmp_path / f"{k}.csv", "--seed", seed)[1] for k, seed in enumerate("112")]
    assert (tables[0] == tables[1]).all() and (tables[0] != tables[2]).any()


FAULTS = [
    (("--harmonics", "1"), "--harmonics must be from 2 to 100"),
    ((), "no motion keeps within the limits of effort of this robot"),
]


def test_limits_to_one_side_hold(forearm, tmp_path):
    (tmp_path / "two.xml").write_text(TWO.replace('name="elbow" type="revolute" a="1">', 'name="elbow" type="revolute" a="1"><limit lower="1"/>'))
    names, table, _ = excite(forearm, tmp_path / "two.xml", tmp_path / "motion.csv")
    elbow = table[:, names.index("joint.elbow.position")]
    assert elbow.min() >= 1 and elbow.max() > 2


def test_joints_without_room_are_named(tmp_path):
    (tmp_path / "two.xml").write_text(TWO.replace('name="elbow" type="revolute" a="1">', 'name="elbow" type="revolute" a="1"><limit lower="1" upper="1"/>'))
    done = subprocess.run([FOREARM, "excite", tmp_path / "two.xml", "-o", tmp_path / "out.csv"], capture_output=True, text=True)
    assert done.returncode == 2 and "the limits of joint 'elbow' and of those that follow it leave it no room to move" in done.stderr


@pytest.mark.parametrize("options, sentence", FAULTS, ids=[row[1][:30] for row in FAULTS])
def test_what_cannot_be_is_said(options, sentence, tmp_path):
    weak = (GOLDEN / "ident_planar2.urdf").read_text().replace('effort="200"', 'effort="0.5"')
    (tmp_path / "weak.urdf").write_text(weak)
    done = subprocess.run([FOREARM, "excite", tmp_path / "weak.urdf", "-o", tmp_path / "out.csv", *options], capture_output=True, text=True)
    assert done.returncode != 0 and sentence in done.stderr and not (tmp_path / "out.csv").exists()


def test_a_snake_is_refused():
    snake = SOURCE / "resources" / "robots" / "serpenoid.xml"
    for command, sentence in (("excite", "forearm excite finds motions of trees of joints with one freedom each"),
                              ("identify", "forearm identify finds the masses of arms, and this robot is none")):
        done = subprocess.run([FOREARM, command, snake, *(["--log", "none.csv"] if command == "identify" else [])], capture_output=True, text=True)
        assert done.returncode != 0 and sentence in done.stderr
