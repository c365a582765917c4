"""The Python package in the source tree: functions, faults, and every line of docs/python.md."""

import os
import re
import subprocess
import sys

import pytest

from conftest import FOREARM, SOURCE


@pytest.fixture
def forearm(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python")
    monkeypatch.setenv("FOREARM", str(FOREARM))
    import forearm as package

    return package


def test_the_page_s_program_runs(tmp_path):
    pytest.importorskip("pandas")
    code = re.search(r"```python\n(.*?)```", (SOURCE / "docs" / "python.md").read_text(), re.DOTALL)[1]
    for folder in ("resources", "tests"):
        (tmp_path / folder).symlink_to(SOURCE / folder)
    checks = "\nassert len(frame) == 201 and robot and report.warnings == []\n"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code + checks], cwd=tmp_path, capture_output=True,
                          text=True, env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(FOREARM)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tests/bad/mass_comma.urdf 7 20 value in <mass> of link 'l1'")


def test_faults_carry_file_line_column_and_code(forearm, tmp_path):
    with pytest.raises(forearm.Error) as fault:
        forearm.check(SOURCE / "tests" / "bad" / "mass_comma.urdf")
    assert (fault.value.line, fault.value.column, fault.value.code) == (7, 20, 1)
    assert str(fault.value).startswith(f"{SOURCE}/tests/bad/mass_comma.urdf:7:20: value in <mass>")
    with pytest.raises(forearm.Error) as fault:
        forearm.export(tmp_path / "nothing.xml")
    assert fault.value.file == str(tmp_path / "nothing.xml") and fault.value.line is None
    import pickle

    assert str(pickle.loads(pickle.dumps(fault.value))) == str(fault.value)


def test_warnings_are_python_s(forearm, tmp_path):
    odd = tmp_path / "odd.xml"
    odd.write_text((SOURCE / "resources" / "robots" / "puma560.xml").read_text().replace(' inertia-as-published="true"', ""))
    with pytest.warns(forearm.Warning, match="trunk"):
        path = forearm.export(odd, tmp_path / "x.fmu", platforms="native", lock={"waist": 0.5})
    assert path == tmp_path / "x.fmu" and path.exists()
    assert [warning.line for warning in forearm.check(odd).warnings] == [20, 34]


def test_further_words_of_the_program_can_be_said(forearm):
    scara = SOURCE / "resources" / "robots" / "scara.xml"
    names = {variable["name"] for variable in forearm.inspect(scara, options=["--outputs", "poses"])["variables"]}
    assert "link.quill.position.z" in names
    with pytest.raises(forearm.Error) as fault:
        forearm.check(scara, options=["--actuators", "none.xml"])
    assert fault.value.file == "none.xml"


def test_a_missing_program_is_told(forearm, monkeypatch):
    monkeypatch.delenv("FOREARM")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("forearm.program._INSTALLED", SOURCE / "nowhere")
    monkeypatch.setattr("forearm.program._BUILT", SOURCE / "nowhere")
    with pytest.raises(forearm.Error, match="the program forearm is not there"):
        forearm.check("x.xml")


def test_the_version_is_the_project_s(forearm):
    project = re.search(r"project\(forearm VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())
    assert forearm.__version__ == project[1]
