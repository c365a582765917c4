"""Every robot's FMI 2.0 FMU against VDMCheck2, the standard's text as a formal model.

Apart from the other validators because it takes as long as all of them: four seconds for each FMU. So it
is asked about FMUs with sources; what is said without is the same, less the list of the source files.
"""

import shutil
import subprocess

import lxml.etree
import pytest

from conftest import SOURCE
from test_validators import ROBOTS, broken, every_robot, read
from variants import every_special

VDMCHECK = SOURCE / "build" / "vdmcheck" / "vdmcheck-1.1.3" / "vdmcheck2.jar"


def vdmcheck(fmu):
    if not VDMCHECK.exists() or not shutil.which("java"):
        pytest.skip("VDMCheck2 not found: scripts/test --all fetches it where Java and Maven are")
    done = subprocess.run(["java", "-jar", VDMCHECK, fmu], capture_output=True, text=True)
    return done.stdout + done.stderr


def canonical(text):
    """The description without its list of source files."""
    root = lxml.etree.fromstring(text, lxml.etree.XMLParser(remove_blank_text=True))
    for listed in root.findall(".//SourceFiles"):
        listed.getparent().remove(listed)
    return lxml.etree.tostring(root, method="c14n")


def check(plain, with_sources):
    text = read(with_sources)
    assert b"<SourceFiles>" in text and canonical(text) == canonical(read(plain))
    assert vdmcheck(with_sources).strip() == "No errors found."


@every_robot
def test_vdmcheck_finds_nothing_in_fmi2(robot, export):
    check(export(robot, "--fmi", 2), export(robot, "--fmi", 2, "--sources"))


@every_special
def test_vdmcheck_finds_nothing_in_what_options_add(special, export_special):
    check(export_special(special, "--fmi", 2), export_special(special, "--fmi", 2, "--sources"))


def test_vdmcheck_finds_a_fault(export, tmp_path):
    fmu = broken(export(ROBOTS[0], "--fmi", 2), tmp_path, b'initial="calculated"', b'initial="exact"')
    assert vdmcheck(fmu).strip() != "No errors found."
