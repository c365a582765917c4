"""The DD Arm under its voltages in examples/dd_arm, against the reference trajectory."""

import json
import re
import sys

import fmpy
import numpy
import pytest

from conftest import FOREARM, SOURCE
from test_golden_points import REFERENCE

sys.path.insert(0, str(SOURCE / "examples" / "dd_arm"))

import schedule  # noqa: E402

ROBOT = SOURCE / "resources" / "robots" / "cmu_dd_arm.xml"
GOLDEN = json.loads((REFERENCE.parent / "arm_trajectories.json").read_text())["cmu_dd_arm_schedule"]
VOLTS = [f"joint.{j}.voltage" for j in schedule.JOINTS]


def test_kuttas_rule_gives_the_reference_digits(tmp_path):
    motion = schedule.run(FOREARM, tmp_path, solver=schedule.KUTTA, solver_step=1e-3)
    names = [f"joint.{j}.{what}" for what in ("position", "velocity") for j in schedule.JOINTS]
    got = numpy.array([motion[name] for name in names]).T
    # The same discrete solution: rounding of a thousand steps.
    assert numpy.abs(got - numpy.array(GOLDEN["rk3_1ms"])).max() < 1e-11
    assert numpy.abs(motion["joint.joint1.current"]).max() > 5  # the motors are at work


# ---------------------------------------------------------------------- the same in FMPy's own loop

def jumps(gap, columns=()):
    """The schedule as a table for FMPy: both values of each jump, the first one `gap` seconds before it."""
    times, rows = schedule.schedule()
    volts = [[row[name] for name in VOLTS] + [0.0] * len(columns) for row in rows]
    table = [(0.0, *volts[0])]
    for time, before, after in zip(times[1:], volts, volts[1:]):
        table += [(time - gap, *before), (time, *after)]
    table.append((schedule.STOP, *volts[-1]))
    return numpy.array(table, dtype=[(name, float) for name in ["time", *VOLTS, *columns]])


def end_of(path, kind, table, **options):
    """Positions at the end, by fmpy.simulate_fmu, and what the FMU told."""
    told = []
    names = [f"joint.{j}.position" for j in schedule.JOINTS]
    rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=schedule.STOP, output_interval=schedule.STEP, input=table,
                             output=names, debug_logging=True, logger=lambda *a: told.append(str(a[-1])), **options)
    return numpy.array(list(rows[-1])[1:]), told


@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
@pytest.mark.parametrize("fmi", [2, 3])
def test_jumps_with_both_values_at_one_time_are_events_for_fmpy(fmi, kind, export):
    path = export(ROBOT, "--fmi", fmi)
    end, _ = end_of(path, kind, jumps(0), relative_tolerance=1e-9)
    want = numpy.array(GOLDEN["exact"][-1])[:6]
    assert GOLDEN["t"][-1] == schedule.STOP
    # CVode with 1e-9 in each of some thousand steps; ours comes to 1e-9.
    assert numpy.abs(end - want).max() < 1e-6
    # Where both values are a nanosecond apart, there is no event. In Co-Simulation the values of a step are then those at
    # its begin, which are right; FMPy's CVode is not started anew, and may give up.
    if kind == "CoSimulation":
        near, _ = end_of(path, kind, jumps(1e-9), relative_tolerance=1e-9)
        assert numpy.abs(near - want).max() < 1e-6


def test_the_slope_of_a_jump_is_discarded_with_a_sentence(export):
    """FMPy takes the slope between two rows that are a nanosecond apart for that of the whole step."""
    nine = [f"tip.force.{axis}" for axis in "xyz"]  # FMPy 0.3.32 has room for nine derivatives, no more and no fewer
    told = []
    with pytest.raises(Exception):  # it goes on where a saved state should be restored
        fmpy.simulate_fmu(str(export(ROBOT, "--fmi", 2)), fmi_type="CoSimulation", stop_time=schedule.STOP,
                          output_interval=schedule.STEP, input=jumps(1e-9, nine), set_input_derivatives=True,
                          start_values={"solver": schedule.KUTTA}, debug_logging=True,
                          logger=lambda *a: told.append(str(a[-1])))
    sentence, = (line for line in told if "are not finite" in line or "is not a finite" in line)
    change = re.search(r"the host lets 'joint.joint1.voltage' change by (\S+) within this step", sentence)
    assert float(change[1]) == pytest.approx(24 / 1e-9 * schedule.STEP, rel=1e-6)
    assert "let it give both values at the same time, or no derivative" in sentence
    # Both values at one time: the same derivatives lead to the reference.
    end, _ = end_of(export(ROBOT, "--fmi", 2), "CoSimulation", jumps(0, nine), set_input_derivatives=True,
                    start_values={"solver": schedule.KUTTA, "solver_step": 1e-3})
    assert numpy.abs(end - numpy.array(GOLDEN["rk3_1ms"][-1])[:6]).max() < 1e-11
