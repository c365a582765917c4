"""The DD Arm under its voltages in examples/dd_arm, against the reference trajectory."""

import json
import sys

import numpy

from conftest import FOREARM, SOURCE
from test_golden_points import REFERENCE

sys.path.insert(0, str(SOURCE / "examples" / "dd_arm"))

import schedule  # noqa: E402


def test_kuttas_rule_gives_the_reference_digits(tmp_path):
    golden = json.loads((REFERENCE.parent / "arm_trajectories.json").read_text())["cmu_dd_arm_schedule"]
    motion = schedule.run(FOREARM, tmp_path, solver=schedule.KUTTA, solver_step=1e-3)
    names = [f"joint.{j}.{what}" for what in ("position", "velocity") for j in schedule.JOINTS]
    got = numpy.array([motion[name] for name in names]).T
    # The same discrete solution: rounding of a thousand steps.
    assert numpy.abs(got - numpy.array(golden["rk3_1ms"])).max() < 1e-11
    assert numpy.abs(motion["joint.joint1.current"]).max() > 5  # the motors are at work
