"""FMUs that do not show everything: `--without` and `--payload fixed`. What is left has the numbers that it had."""

import ctypes
import subprocess
import zipfile

import fmpy
import numpy as np
import pytest

import check_description
from conftest import FOREARM, ROBOTS, SOURCE
from robot_fmu import RobotFmu

SCARA = SOURCE / "examples" / "scara" / "scara.urdf"
WORDS = ["tip-inputs", "tip-outputs", "terminals", "energy"]
every_robot = pytest.mark.parametrize("robot", [*ROBOTS, SCARA], ids=lambda path: f"{path.parent.name}_{path.stem}")
both_versions = pytest.mark.parametrize("fmi", [2, 3])


def hidden(v, words):
    return ((v.causality == "input" and v.name.startswith("tip.") and "tip-inputs" in words)
            or (v.causality in ("output", "local") and v.name.startswith("tip.") and "tip-outputs" in words)
            or (v.causality in ("output", "local") and v.name.startswith("energy.") and "energy" in words))


@pytest.mark.sampled
@every_robot
@both_versions
def test_what_is_left_out_is_what_was_named(robot, fmi, export):
    usual = fmpy.read_model_description(str(export(robot, "--fmi", fmi, "--platforms", "native")), validate=True)
    for words in [WORDS[:1], WORDS[1:2], WORDS[3:], WORDS]:
        path = export(robot, "--fmi", fmi, "--platforms", "native", "--without", ",".join(words))
        description = fmpy.read_model_description(str(path), validate=True)
        assert [v.name for v in description.modelVariables] == [v.name for v in usual.modelVariables if not hidden(v, words)]
        assert [v.valueReference for v in description.modelVariables] == list(range(1, len(description.modelVariables) + 1))
        assert [d.variable.name for d in description.derivatives] == [d.variable.name for d in usual.derivatives]
        with zipfile.ZipFile(path) as archive:
            if fmi == 3:
                page = archive.read("terminalsAndIcons/terminalsAndIcons.xml").decode()
                assert ("<Terminals>" in page) <= ("terminals" not in words)
                assert ("tip." not in page) or not {"tip-inputs", "tip-outputs"} <= set(words)
            results = [name for name in archive.namelist() if name.endswith("results.csv")]
            for name in results:
                head = archive.read(name).decode().splitlines()[0].split(",")
                assert [h.split(" ")[0].strip('"') for h in head[1:]] == [
                    v.name for v in description.modelVariables if v.causality == "output"]
        faults = [fault for fault in check_description.check_fmu(str(path)) if "terminals" not in words or "(rule 16)" not in fault]
        assert not faults, faults


@pytest.mark.sampled
@every_robot
@both_versions
def test_the_numbers_are_those_that_were(robot, fmi, export):
    whole = RobotFmu(export(robot, "--fmi", fmi, "--platforms", "native"))
    part = RobotFmu(export(robot, "--fmi", fmi, "--platforms", "native", "--without", ",".join(WORDS), "--payload", "fixed"))
    reals = [v.name for v in part.description.modelVariables if v.type in ("Real", "Float64") and v.causality in ("output", "local")
             and not v.name.endswith("_indicator")]
    got = []
    for fmu in (whole, part):
        with fmu.slave() as slave:
            inputs = [v for v in part.description.modelVariables if v.causality == "input" and v.type in ("Real", "Float64")]
            slave.set([v.name for v in inputs], [float(v.start) + 0.1 * (i % 3) for i, v in enumerate(inputs)])
            seen = [slave.get(reals)]
            for i in range(5):
                slave.step_to(0.02 * (i + 1))
                seen.append(slave.get(reals))
        got.append(np.array(seen, dtype=float))
    assert np.array_equal(got[0], got[1])


@both_versions
def test_derivatives_and_states_go_with_what_is_left(fmi, export):
    """Jacobians by value reference, saved states, and slopes of inputs (FMI 2.0), where references have moved."""
    whole = RobotFmu(export(SCARA, "--fmi", fmi, "--platforms", "native"))
    part = RobotFmu(export(SCARA, "--fmi", fmi, "--platforms", "native", "--without", "tip-inputs,energy"))
    jacobians = []
    for fmu in (whole, part):
        with fmu.model() as model:
            model.set_state(np.arange(1, 7) * 0.1)
            jacobians.append(model.jacobian(fmu.accelerations, [*fmu.positions, *fmu.efforts]))
            saved = model.saved()
            model.restore(saved)
    assert np.array_equal(*jacobians)
    if fmi == 2:
        ends = []
        for fmu in (whole, part):
            with fmu.slave() as slave:
                reference = fmu.variable["joint.elbow.torque"].valueReference
                slave.fmi.fmi2SetRealInputDerivatives(slave.fmi.component, (ctypes.c_uint * 1)(reference), 1, (ctypes.c_int * 1)(1),
                                                      (ctypes.c_double * 1)(5.0))
                slave.step_to(0.1)
                ends.append(slave.get(["joint.elbow.position"]))
        assert np.array_equal(*ends)


@both_versions
def test_a_fixed_payload_is_a_fixed_parameter(fmi, export):
    fmu = RobotFmu(export(SCARA, "--fmi", fmi, "--platforms", "native", "--payload", "fixed"))
    payload = [v for v in fmu.description.modelVariables if v.name.startswith("payload.")]
    assert payload and all(v.variability == "fixed" and v.causality == "parameter" for v in payload)
    with fmu.slave(start={"payload.mass": 1.5}) as slave:
        assert slave.get(["payload.mass"]) == [1.5]
        slave.step_to(0.01)
        with pytest.raises(Exception):
            slave.set(["payload.mass"], [2.0])


def test_options_that_do_not_go_together_are_refused(tmp_path):
    for options, words in ((["--without", "tip"], "an FMU cannot do without 'tip'"),
                           (["--without", "energy", "--arrays"], "leave --arrays and --modelica out"),
                           (["--payload", "fixed", "--modelica", tmp_path / "m"], "leave --arrays and --modelica out")):
        done = subprocess.run([FOREARM, "export", SCARA, "--platforms", "native", "-o", tmp_path / "x.fmu", *options],
                              capture_output=True, text=True)
        assert done.returncode != 0 and words in done.stderr, done.stderr


def test_files_for_hosts_leave_out_the_same(tmp_path):
    done = subprocess.run([FOREARM, "export", SCARA, "--platforms", "native", "--fmi", "2", "--ssp", "--simulink", "--without", "tip-inputs,tip-outputs",
                           "-o", tmp_path / "x.fmu"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    structure = zipfile.ZipFile(tmp_path / "x.ssp").read("SystemStructure.ssd").decode()
    script = (tmp_path / "scara_simulink.m").read_text()
    assert "tip." not in structure and "tip." not in script
    assert "joint.elbow.torque" in structure and "joint.elbow.torque" in script


