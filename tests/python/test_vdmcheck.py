"""Every robot's FMI 2.0 FMU against VDMCheck2, the standard's text as a formal model.

Apart from the other validators because it takes as long as all of them: four seconds for each FMU.
"""

import shutil
import subprocess

import pytest

from conftest import SOURCE
from test_validators import ROBOTS, broken, every_robot

VDMCHECK = SOURCE / "build" / "vdmcheck" / "vdmcheck-1.1.3" / "vdmcheck2.jar"


def vdmcheck(fmu):
    if not VDMCHECK.exists() or not shutil.which("java"):
        pytest.skip("VDMCheck2 not found: scripts/test fetches it where Java and Maven are")
    done = subprocess.run(["java", "-jar", VDMCHECK, fmu], capture_output=True, text=True)
    return done.stdout + done.stderr


@every_robot
def test_vdmcheck_finds_nothing_in_fmi2(robot, export):
    assert vdmcheck(export(robot, "--fmi", 2)).strip() == "No errors found."


def test_vdmcheck_finds_a_fault(export, tmp_path):
    fmu = broken(export(ROBOTS[0], "--fmi", 2), tmp_path, b'initial="calculated"', b'initial="exact"')
    assert vdmcheck(fmu).strip() != "No errors found."
