"""The implicit solver on a crane with closed valves (examples/stiff_crane), counted in evaluations."""

import sys

import pytest

from conftest import FOREARM, SOURCE

sys.path.insert(0, str(SOURCE / "examples" / "stiff_crane"))

import stiffness  # noqa: E402


def test_a_pump_at_its_relief_valve_costs_the_implicit_solver_a_twentieth(tmp_path):
    *_, (_, width, volume, h, _) = stiffness.CASES
    found = stiffness.compare(FOREARM, tmp_path, width, volume, h, stop=4)
    explicit = found[stiffness.EXPLICIT][1]
    for solver in (stiffness.IMPLICIT, stiffness.AUTOMATIC):
        off, cost = found[solver]
        assert cost * 20 < explicit  # 70 times as many; 94 over 5 s
        # `off` is the distance from the solution at 1e-10; 8e-8 was seen after 5 s. A tolerance bounds the error of a step, and these add up along the way.
        assert off < 20 * stiffness.TOLERANCE
    assert found[stiffness.EXPLICIT][0] < 20 * stiffness.TOLERANCE  # so both are right


def test_ringing_oil_alone_is_not_stiff_and_the_automatic_choice_knows(tmp_path):
    (_, width, volume, h, _), *_ = stiffness.CASES
    found = stiffness.compare(FOREARM, tmp_path, width, volume, h, stop=1)
    assert found[stiffness.AUTOMATIC] == found[stiffness.EXPLICIT]
    assert found[stiffness.IMPLICIT][1] > found[stiffness.EXPLICIT][1]
    assert found[stiffness.AUTOMATIC][0] == pytest.approx(0, abs=20 * stiffness.TOLERANCE)  # 1.4e-7; as above
