"""How much work a communication step is with a fixed step: what docs/performance.md promises to real-time targets."""

import pathlib
import re

import pytest

from conftest import ROBOTS
from robot_fmu import RobotFmu

every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
STEP, INNER, N = 0.005, 0.001, 100


@pytest.mark.sampled
@every_robot
@pytest.mark.parametrize("solver, evaluations", [(2, 3), (3, 4)])
def test_fixed_steps_take_a_known_number_of_evaluations(robot, solver, evaluations, export):
    fmu = RobotFmu(export(robot, "--platforms", "native"))
    told = []
    options = {"loggingOn": True, "logMessage": lambda *words: told.append(words[-1].decode())}
    text = (pathlib.Path(fmu.folder) / "modelDescription.xml").read_text()
    switches = 'hasEventMode="true"' in text or 'needsCompletedIntegratorStep="true"' in text
    with fmu.slave(start={"solver": solver, "solver_step": INNER}, **options) as slave:
        slave.fmi.fmi3SetDebugLogging(slave.fmi.component, True, 0, None)
        for i in range(N):
            slave.step_to((i + 1) * STEP)
    counts = [int(found.group(1)) for found in map(lambda text: re.search(r"with (\d+) right-hand sides and 0 Jacobians", text), told) if found]
    steps = round(STEP / INNER)
    if not any(v.name.endswith((".acceleration", "_rate", ".spool_acceleration")) or v.derivative for v in fmu.description.modelVariables):
        return  # inverse dynamics integrates nothing
    assert len(counts) == N
    if switches:
        # Indicators may have the derivatives computed already; each event is found by halving a step.
        assert max(counts) <= steps * (evaluations + 1) + 2 * 53 * evaluations
    else:
        assert max(counts) <= steps * evaluations  # fewer where the robot rests, and a state comes again
