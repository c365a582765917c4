"""The notebook-style example, as a program and cell by cell, against the balance of energy and the linear model."""

import os
import re
import subprocess
import sys

import pytest

from conftest import FOREARM, SOURCE

NOTEBOOK = SOURCE / "examples" / "notebook" / "double_pendulum.py"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(FOREARM), "PYTHONWARNINGS": "ignore"}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    done = subprocess.run([sys.executable, NOTEBOOK], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done.stderr
    assert "<svg" in (folder / "swing.svg").read_text() and "see swing.svg" in done.stdout
    return done.stdout


def test_it_tells_a_fault_by_line_and_column(said):
    assert "line 7, column 20: value in <mass> of link 'l1': '1,5' has a decimal comma" in said


def test_energy_is_kept(said):
    # 1e-6 is the tolerance of the automatic solver relative to the states; energies here are some 10 J.
    assert float(re.search(r"at most (\S+) J", said)[1]) < 1e-4


def test_neighbours_part_as_in_chaos(said):
    first, most, rate = map(float, re.search(r"by (\S+) m at first and by (\S+) m at most; growth (\S+) per", said).groups())
    assert first < 1e-5 and most > 0.5 and 0.5 < rate < 20


def test_small_swings_have_the_frequencies_of_the_linear_model(said):
    rows = re.findall(r"^ *(\d+\.\d+) +(\d+\.\d+)$", said, re.MULTILINE)
    assert len(rows) == 2
    for linear, simulated in rows:
        assert float(simulated) == pytest.approx(float(linear), abs=0.01)  # a step of the spectrum of 100 s


def test_cells_alternate_between_words_and_code():
    text = NOTEBOOK.read_text()
    cells = re.split(r"^# %%", text, flags=re.MULTILINE)[1:]
    assert len(cells) > 10 and sum(cell.startswith(" [markdown]") for cell in cells) > 5
    for cell in cells:
        lines = cell.splitlines()[1:]
        if cell.startswith(" [markdown]"):
            assert all(line.startswith("#") or not line for line in lines)


def test_cells_run_one_by_one_in_the_files_folder(tmp_path, monkeypatch):
    """As Jupyter does: without a __file__, in the folder where the file lies."""
    folder = tmp_path / "examples" / "notebook"
    folder.mkdir(parents=True)
    for name in ("resources", "tests"):
        (tmp_path / name).symlink_to(SOURCE / name)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(SOURCE / "python")
    monkeypatch.setenv("FOREARM", str(FOREARM))
    known = {}
    for cell in re.split(r"^# %%.*$", NOTEBOOK.read_text(), flags=re.MULTILINE)[1:4]:
        exec(compile(cell, "cell", "exec"), known)  # what the reader runs, as the reader does
    assert known["ROBOT"].is_file()
