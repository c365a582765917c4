"""The study of Grigorov's manipulator in examples/grigorov, against reference trajectories."""

import json
import sys

import numpy
import pytest

from conftest import FOREARM, SOURCE
from test_golden_points import REFERENCE

sys.path.insert(0, str(SOURCE / "examples" / "grigorov"))

import study  # noqa: E402

GOLDEN = json.loads((REFERENCE.parent / "arm_trajectories.json").read_text())


@pytest.fixture(scope="module")
def forearm_here(tmp_path_factory):
    return study.Forearm(FOREARM, tmp_path_factory.mktemp("grigorov"))


def test_the_load_goes_through_its_points_with_the_reference_torques(forearm_here):
    golden = GOLDEN["grigorov_inverse"]
    t, q, qd, qdd, tau = study.follow(forearm_here)
    assert t == pytest.approx(golden["t"], abs=1e-12)
    # The points are those of the reference's joint angles to the last digit of their coordinates.
    for got, want in ((q, golden["q"]), (qd, golden["qd"]), (qdd, golden["qdd"])):
        assert numpy.abs(got - numpy.array(want)).max() < 1e-12
    assert numpy.abs(tau - numpy.array(golden["tau"])).max() < 1e-12 * numpy.abs(tau).max()
    assert numpy.abs(q[:, 1] + q[:, 2] + q[:, 3]).max() < 1e-12  # the load stays level


def test_closed_valves_oscillate_as_the_reference_does(forearm_here):
    golden = GOLDEN["grigorov_valve_closure"]
    t, q, weight, _ = study.close_valves(forearm_here)
    assert weight == pytest.approx(golden["gravity_torque"], rel=1e-12, abs=1e-9)
    want = numpy.array(golden["y"])[:, :5]
    # solver_tolerance is 1e-8 per step; some hundred steps.
    assert numpy.abs(q - want).max() < 1e-6


def test_oil_is_linear_until_it_cavitates(forearm_here):
    rows, runs = study.oil_column(forearm_here)
    for name, lever, push, k, at_joint, _ in rows:
        assert k * lever**2 == at_joint and abs(push * lever) > 1000, name
    lowest = {share: p for share, _, _, _, p, *_ in runs}
    off = {share: x for share, _, _, x, *_ in runs}
    assert off[0.05] < 0.05 and lowest[0.05] > 5e5  # no chamber near vapour
    assert off[1.0] > 0.5 and 1e4 < lowest[1.0] < 2e4  # cavitation: the linear law is of no use
    assert min(lowest.values()) > 1e4


def test_what_cannot_be_reached_is_refused():
    with pytest.raises(ValueError, match="cannot be brought"):
        study.inverse_kinematics(9, 0, 0, 0)
