"""Every robot's FMUs against the checkers that other people wrote: as scalars, as arrays, with sources,
and with every option that changes what is in an FMU. Each FMU has both interfaces."""

import contextlib
import functools
import io
import pathlib
import subprocess
import sys
import zipfile

import fmpy
import fmpy.validation
import fmu_manipulation_toolbox.checker
import lxml.etree
import pytest
from fmu_manipulation_toolbox.cli.fmutool import fmutool as fmutool_program

import check_description as rules
from conftest import ROBOTS
from variants import every_special, every_variant

every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)


def read(fmu, name="modelDescription.xml"):
    with zipfile.ZipFile(fmu) as archive:
        return archive.read(name)


def broken(fmu, folder, old, new):
    """A copy of an FMU with one thing changed in its description."""
    copy = folder / "broken.fmu"
    with zipfile.ZipFile(fmu) as source, zipfile.ZipFile(copy, "w") as target:
        for info in source.infolist():
            data = source.read(info)
            if info.filename == "modelDescription.xml":
                assert old in data
                data = data.replace(old, new, 1)
            target.writestr(info, data)
    return copy


# ---------------------------------------------------------------------------------------- schemas


@functools.cache
def schema_of(fmi):
    folder = pathlib.Path(fmpy.__file__).parent / "schema" / f"fmi{fmi}"
    return lxml.etree.XMLSchema(file=str(folder / f"fmi{fmi}ModelDescription.xsd"))


def schema_faults(fmu, fmi):
    schema = schema_of(fmi)
    schema.validate(lxml.etree.fromstring(read(fmu)))
    return [str(fault) for fault in schema.error_log]


@pytest.mark.sampled
@every_robot
@every_variant
def test_description_fits_the_schema(robot, options, fmi, export):
    assert schema_faults(export(robot, "--fmi", fmi, *options), fmi) == []


def test_the_schema_finds_a_fault(export, tmp_path):
    fmu = export(ROBOTS[0], "--fmi", 3)
    assert schema_faults(broken(fmu, tmp_path, b"<Output ", b"<Outputs "), 3)


# ------------------------------------------------------------------------------------------- FMPy


@pytest.mark.sampled
@every_robot
@every_variant
def test_fmpy_finds_nothing(robot, options, fmi, export):
    assert fmpy.validation.validate_fmu(str(export(robot, "--fmi", fmi, *options))) == []


def test_fmpy_finds_a_fault(export, tmp_path):
    fmu = broken(export(ROBOTS[0], "--fmi", 3), tmp_path, b'initial="calculated"', b'initial="exact"')
    assert fmpy.validation.validate_fmu(str(fmu))


# ---------------------------------------------------------------------------------------- fmutool


# Its schemas do not change while this runs.
fmu_manipulation_toolbox.checker.xmlschema.XMLSchema = functools.cache(fmu_manipulation_toolbox.checker.xmlschema.XMLSchema)


def fmutool(fmu, said={}):
    """What the tool says; it reads the description alone, so it is asked once about equal ones. It runs in this process:
    one of its own takes ten times as long as the check."""
    key = read(fmu)
    if key not in said:
        text, words = io.StringIO(), sys.argv
        sys.argv = ["fmutool", "-input", str(fmu), "-check"]
        try:
            with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text), contextlib.suppress(SystemExit):
                fmutool_program()
        finally:
            sys.argv = words
        said[key] = text.getvalue()
    return said[key]


def test_fmutool_says_as_a_program_what_it_says_here(export):
    fmu = export(ROBOTS[0], "--fmi", 3)
    tool = pathlib.Path(sys.executable).parent / "fmutool"
    done = subprocess.run([tool, "-input", fmu, "-check"], capture_output=True, text=True)
    assert is_content(done.stdout + done.stderr, 3) and is_content(fmutool(fmu), 3)


def is_content(text, fmi):
    return (f"compliant with FMI-{fmi}.0" in text and "No semantic error" in text
            and "ERROR" not in text and "WARNING" not in text)


@pytest.mark.sampled
@every_robot
@every_variant
def test_fmutool_finds_nothing(robot, options, fmi, export):
    text = fmutool(export(robot, "--fmi", fmi, *options))
    assert is_content(text, fmi), text


def test_fmutool_finds_a_fault(export, tmp_path):
    fmu = broken(export(ROBOTS[0], "--fmi", 3), tmp_path, b"<Output ", b"<Outputs ")
    assert not is_content(fmutool(fmu), 3)


# --------------------------------------------------------------------------- all of them, and our own


@pytest.mark.sampled
@every_special
@every_variant
def test_nobody_finds_anything_in_what_options_add(special, options, fmi, export_special):
    fmu = export_special(special, "--fmi", fmi, *options)
    assert schema_faults(fmu, fmi) == []
    assert fmpy.validation.validate_fmu(str(fmu)) == []
    assert is_content(fmutool(fmu), fmi), fmutool(fmu)
    assert rules.check_fmu(fmu) == []


@every_special
def test_both_versions_show_the_same_of_what_options_add(special, export_special):
    two, three = (rules.Description(read(export_special(special, "--fmi", fmi))) for fmi in (2, 3))
    assert list(rules.check_versions_agree(two, three)) == []
