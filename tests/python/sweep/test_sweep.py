"""`forearm sweep`: what a study may say, what its results hold, and how failures are told."""

import os
import pathlib
import platform
import pty
import re
import shutil
import subprocess
import sys

import numpy
import pytest

import foreign_fmu
from conftest import BUILD, SOURCE
from sweeps import ENVIRONMENT, GRID, PENDULUM, STUDY, TOGETHER, folder, result, sweep, write  # noqa: F401 (folder is a fixture)


def test_a_terminal_shows_bar_rate_and_time_left(folder):
    study = write(folder, STUDY.format(runs=400))
    terminal, end = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "1"], env=ENVIRONMENT,
                               stdout=subprocess.DEVNULL, stderr=end)
    os.close(end)
    shown = ""
    while True:
        try:
            shown += os.read(terminal, 65536).decode()
        except OSError:  # Linux says so at the end
            break
    os.close(terminal)
    assert process.wait() == 0
    lines = re.findall(r"\r\x1b\[K(forearm: [^\r]*)", shown)
    done = [int(re.fullmatch(r"forearm: \[#*-*\] +\d+%, (\d+) of 400 runs, \d+ runs/s(, \d+:\d\d left)?", line)[1])
            for line in lines]
    assert len(done) > 2 and done == sorted(done) and done[-1] == 400
    assert any("left" in line for line in lines) and max(map(len, lines)) < 80
    assert shown.endswith("\r\x1b[K")


def test_together_the_answer_is_fmpy_s_and_depends_on_nobody(folder):
    """Against the FMU in FMPy. Both err by some tens of the tolerance of a step, 1e-8, in motions that do not run apart."""
    text = TOGETHER.replace("stop = 40.0\nstep = 0.5", "stop = 2.0\nstep = 0.1").format(runs=150)
    for name, study, workers in (("one", text, 1), ("three", text, 3), ("fmpy", text.replace('"built-in"', '"fmpy"'), 2)):
        done = sweep(write(folder, study, name), "--workers", workers)  # one: a task of 150 runs; three: of 50
        assert done.returncode == 0, done.stderr
    assert (folder / "one" / "results.parquet").read_bytes() == (folder / "three" / "results.parquet").read_bytes()
    ours, fmpys = result(folder / "one"), result(folder / "fmpy")
    assert list(fmpys.columns) == list(ours.columns) and (fmpys.dtypes == ours.dtypes).all()
    off = max((fmpys[name] - ours[name]).abs().max() for name in fmpys.columns if name.endswith((".last", ".max")))
    assert 0 < off < 100 * 1e-8, off


def test_failures_are_told_with_their_message_and_tried_again(folder):
    study = write(folder, 'retries = 2\n' + GRID)
    done = sweep(study, "--workers", 1)
    assert done.stdout.startswith("6 runs, 6 of them now, 2 of these failed"), done.stderr
    rows = result(folder / "study")
    assert rows["gravity.y"].tolist() == [-10, -9] * 3  # the last name turns fastest
    assert rows["payload.mass"].tolist() == [0, 0, 1e308, 1e308, 2, 2]
    assert rows["status"].tolist() == ["done", "done", "failed", "failed", "done", "done"]
    assert rows["attempts"].tolist() == [1, 1, 3, 3, 1, 1]
    assert all("some joint moves nothing that has inertia" in message and "FMICallException" in message
               for message in rows["message"][2:4])
    assert numpy.isnan(rows["tip.y"][2]) and not numpy.isnan(rows["tip.y"][4])


def test_together_failures_are_told_with_the_program_s_sentence(folder):
    done = sweep(write(folder, 'integrator = "built-in"\n' + GRID.replace('"tip.y"', '"tip.y", "tip.x"')), "--workers", 1)
    assert done.stdout.startswith("6 runs, 6 of them now, 2 of these failed") and done.stderr == ""
    rows = result(folder / "study")
    assert rows["gravity.y"].tolist() == [-10, -9] * 3 and rows["payload.mass"].tolist() == [0, 0, 1e308, 1e308, 2, 2]
    assert rows["attempts"].tolist() == [1] * 6
    assert [message[:42] for message in rows["message"]] == ["", ""] + ["in this position some joint moves nothing "] * 2 + ["", ""]
    assert rows["status"].tolist() == ["done", "done", "failed", "failed", "done", "done"]
    assert rows["tip.y"].isna().tolist() == rows["tip.x"].isna().tolist() == [False, False, True, True, False, False]


def test_together_every_sample_is_kept(folder):
    study = write(folder, 'integrator = "built-in"\nkeep = "all"\n' + GRID)
    assert sweep(study, "--workers", 1).returncode == 0
    rows = result(folder / "study")
    assert rows["run"].tolist() == [0] * 3 + [1] * 3 + [2, 3] + [4] * 3 + [5] * 3
    assert rows["time"].dropna().tolist() == [0, 0.1, 0.2] * 4
    assert rows.groupby("run")["tip.y"].nunique().tolist() == [3, 3, 0, 0, 3, 3]


TANK = """fmu = "tank.fmu"
stop = 1.0
step = 0.5
outputs = ["level"]
[start]
open = true
[design]
kind = "list"
[design.of]
"start level" = [1.0, -2.0, 13.0, 3.0, 13.0]
valves = [1, 2, 2, 1, 1]
"""


def test_an_fmu_of_somebody_else_runs_and_its_failures_and_crashes_are_told(folder):
    foreign_fmu.make(folder)
    study = write(folder, TANK)
    for workers in (1, 2):
        done = sweep(study, "--workers", workers, "-o", folder / str(workers))
        assert done.stdout.startswith("5 runs, 5 of them now, 3 of these failed"), done.stderr
        assert done.stderr == ""  # nothing of what Dask says about workers that die
    assert (folder / "1" / "results.parquet").read_bytes() == (folder / "2" / "results.parquet").read_bytes()
    rows = result(folder / "1")
    for _, row in rows.iterrows():
        start, valves = row["start level"], row["valves"]
        assert row["level"] == pytest.approx(start * numpy.exp(-valves)) if start in (1, 3) else numpy.isnan(row["level"])
        assert row["message"] == {
            -2: f"a tank cannot hold {start:g} m (FMICallException: fmi2ExitInitializationMode failed with status 3 (error).)",
            13: "the process that ran it died, 3 times"}.get(start, "")


@pytest.fixture
def complaint(monkeypatch, capsys):
    """What `forearm sweep` says about a study that it refuses. It runs in this process: one of its own takes some tenths of
    a second, and there are many faults. test_a_faulty_robot_is_told_with_its_line has one."""
    monkeypatch.syspath_prepend(SOURCE / "python")
    monkeypatch.setenv("FOREARM", ENVIRONMENT["FOREARM"])
    from forearm.__main__ import main

    def of(study):
        assert main(["sweep", str(study), "--workers", "1"]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        return err

    return of


@pytest.mark.parametrize("old, new, line, said", [
    ("valves =", "label =", 11, "'label' is of type String, and a sweep sets single numbers"),
    ("valves = [1, 2, 2, 1, 1]", "valves = { from = 1, to = 2, n = 5 }", 11, "'valves' takes whole numbers, and 1.25 is none"),
    ("valves =", "level =", 11, "'level' cannot be set: the FMU calculates it"),
    ("open = true", "open = 2", 6, "'open' is true or false, and 2 is neither"),
    ('outputs = ["level"]', "", 1, "the FMU's variable 'status' is called like a column of the results; leave it out of "
                                   "outputs, which has to be said then"),
    ("open = true", 'closed = true', 6, "the FMU has no variable 'closed'; fmpy info lists them"),
    ('outputs = ["level"]', 'type = "ModelExchange"\noutputs = ["level"]', 4,
     "the FMU has no ModelExchange; give another type, or another FMU"),
])
def test_what_an_fmu_cannot_do_is_told_before_the_first_run(folder, complaint, old, new, line, said):
    foreign_fmu.make(folder)
    study = write(folder, TANK.replace(old, new))
    place = f"{study}:{line}:1: " if line > 1 else f"forearm: {study}: "
    assert complaint(study) == f"{place}{said}\n"
    assert not (folder / "study").exists()


def test_a_forearm_for_one_platform_only_sweeps_too(folder):
    name = pathlib.Path(f"{platform.machine()}-linux") / "forearm.so"
    native = folder / "libraries" / name
    native.parent.mkdir(parents=True)
    shutil.copy(BUILD / "lib" / "forearm" / "binaries" / name, native)
    done = sweep(write(folder, STUDY.format(runs=3)), "--workers", 1,
                 environment={"FOREARM_LIBRARY_DIR": str(folder / "libraries")})
    assert done.returncode == 0 and done.stdout.startswith("3 runs, 3 of them now"), done.stderr


def test_a_list_of_runs_and_every_sample_of_them(folder):
    study = write(folder, """robot = "pendulum.xml"
stop = 0.3
step = 0.1
outputs = ["tip.x"]
keep = "all"
type = "ModelExchange"
[design]
kind = "list"
[design.of]
"payload.mass" = [1, 2]
"gravity.y" = [-9.0, -10.0]
""")
    done = sweep(study, "--workers", 1)
    assert done.returncode == 0, done.stderr
    rows = result(folder / "study")
    assert rows["run"].tolist() == [0] * 4 + [1] * 4
    assert rows["time"].tolist() == pytest.approx([0, 0.1, 0.2, 0.3] * 2)
    assert rows["gravity.y"].tolist() == [-9] * 4 + [-10] * 4


@pytest.mark.parametrize("text, place, said", [
    ("robot = ", "1:9", "it is no TOML: Invalid value"),
    (GRID + 'x = """', "9:8", "it is no TOML: Unterminated string"),
    (GRID.replace('robot = "pendulum.xml"\n', ""), None, "it must name either a robot or an fmu"),
    ('fmu = "x.fmu"\n' + GRID, "1:1", "it must name either a robot or an fmu"),
    (GRID.replace("pendulum.xml", "none.xml"), "1:1", "the robot '{folder}/none.xml' cannot be read: No such file or directory"),
    (GRID.replace("robot = ", "# mine\n  fmu = "), "2:3", "'{folder}/pendulum.xml' is no FMU that FMPy reads: File is not a zip file"),
    (GRID.replace("stop = 0.2", "stop = 0"), "2:1", "'stop' is 0; it must be the time to stop at in seconds, above zero"),
    (GRID.replace("stop = 0.2", "stopp = 0.2"), "2:1", "there is no key 'stopp' in a study; did you mean 'stop'?"),
    (GRID.replace("stop = 0.2", ""), None, "'stop' is not there; say the time to stop at in seconds, above zero"),
    ("speed = 1\n" + GRID, "1:1", "there is no key 'speed' in a study; docs/sweep.md lists them"),
    ("retries = -1\n" + GRID, "1:1", "'retries' is -1; it must be a whole number, zero or above"),
    (GRID.replace("[design]", '[design]\nkind = "cube"'), "6:1",
     "'design.kind' is 'cube'; it can be grid, latin-hypercube, list"),
    (GRID.replace("[design]", '[design]\nseed = -1'), "6:1", "'design.seed' is -1; it must be a whole number, zero or above"),
    (GRID.replace("payload.mass", "payload.mas"), "7:1",
     "the FMU has no variable 'payload.mas'; did you mean 'payload.mass'?"),
    (GRID.replace('["tip.y"]', "[ # one\n 'tip.y',\n  \"tip.w\"]"), "6:3",
     "the FMU has no variable 'tip.w'; did you mean 'tip.z'?"),
    (GRID.replace('["tip.y"]', "['tip.y', 'tip.y']"), "4:21", "'outputs' names 'tip.y' twice"),
    (GRID.replace("1e308", "-1.0"), "7:24", "'payload.mass' must be at least 0, not -1"),
    (GRID.replace("[0.0, 1e308, 2.0]", "{ from = -1.0, to = 2.0, n = 4 }"), "7:20", "'payload.mass' must be at least 0, not -1"),
    (GRID.replace("[design]", "[start]\nsolver_tolerance = 0\n[design]", 1), "6:1", "'solver_tolerance' must be at least 1e-14, not 0"),
    (GRID.replace("1e308", "nan"), "7:1", "'design.of.payload.mass' must be a list of finite numbers with at least one"),
    (GRID.replace("[design]\n[design.of]", '[start]\n"payload.mass" = 1\n[design.of]'), "8:1",
     "'payload.mass' is both in start and in design.of; keep one of them"),
    (GRID.replace("from = -10.0", "from = 0.0"), "8:1", "'design.of.gravity.y' runs from 0.0 to -9.0, which is backwards"),
    (GRID.replace("n = 2", "m = 2"), "8:1",
     "'design.of.gravity.y' is {{'from': -10.0, 'to': -9.0, 'm': 2}}; it must be {{ from = …, to = …, n = … }}"),
    (GRID.replace("[design]", '[design]\nkind = "list"').replace("{ from = -10.0, to = -9.0, n = 2 }", "[1.0]"), "7:1",
     "the lists of design.of must be equally long, and are: payload.mass 3, gravity.y 1"),
    (GRID.replace('outputs = ["tip.y"]', 'keep = ["middle"]'), "4:9",
     "'keep' names 'middle'; it can be \"all\" or some of first, last, min, max, mean"),
    (GRID.replace('outputs = ["tip.y"]', 'keep = []'), "4:1", "'keep' is empty, so that no run would leave anything"),
    ('integrator = "euler"\n' + GRID, "1:1", "'integrator' is 'euler'; it can be fmpy, built-in"),
    ('integrator = "built-in"\n' + GRID.replace("robot =", "fmu ="), "1:1",
     "the built-in integrator is for a robot; an FMU is run by FMPy"),
    ('integrator = "built-in"\ntype = "ModelExchange"\n' + GRID, "2:1", "'type' is for runs by FMPy; leave it out"),
    ('integrator = "built-in"\ntolerance = 1e-9\n' + GRID, "2:1",
     "'tolerance' is for runs by FMPy; the built-in integrator's is 'solver_tolerance' in start"),
    ('integrator = "built-in"\nretries = 2\n' + GRID, "2:1",
     "'retries' is for runs by FMPy; the built-in integrator gets the same from the same numbers, so leave it out"),
    ('integrator = "built-in"\n' + GRID.replace('"tip.y"', '"tip.y", "gravity.x"'), "5:21",
     "'gravity.x' does not move, and the built-in integrator keeps what does; leave it out"),
    ('integrator = "built-in"\n' + GRID.replace("[design]", "[start]\nsolver_tolerance = -1\n[design]"), "7:1",
     "'solver_tolerance' must be at least 1e-14, not -1"),
    ('integrator = "built-in"\n' + GRID.replace("step = 0.1", "step = 1e-300"), None,
     "0.2 s in steps of 1e-300 s are more lines than any disk holds; take a longer --step"),
    (GRID.partition("[design]")[0] + "design = { of = { 'payload.mass' = [1], 'tip.y' = [1] } }", "5:41",
     "'tip.y' cannot be set: the FMU calculates it"),
])
def test_what_is_wrong_in_a_study_is_told(folder, complaint, text, place, said):
    study = write(folder, text)
    assert complaint(study) == (f"{study}:{place}: " if place else f"forearm: {study}: ") + said.format(folder=folder) + "\n"


def test_groups_of_the_results_do_not_tell_which_runs_were_done_together(monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    monkeypatch.syspath_prepend(SOURCE / "python")
    from forearm.sweep import store
    monkeypatch.setattr(store, "GROUP", 7)
    for sizes in ([20], [1] * 20, [3, 7, 7, 3], [6, 1, 13]):
        at = numpy.concatenate([[0], numpy.cumsum(sizes)])
        tables = [pyarrow.table({"run": list(range(a, b))}) for a, b in zip(at, at[1:])]
        groups = [group.slice(i, 7)["run"].to_pylist() for group in store._grouped(tables)
                  for i in range(0, group.num_rows, 7)]
        assert groups == [list(range(7)), list(range(7, 14)), list(range(14, 20))]


TRAPS = '''# [design.of]
"payload.mass" = "[start] # \\" x ="  # "gravity.z" = 1
text = """
[design]
"gravity.z" = 2"""
list = [ "a]", # ]
  { b = 'x = "', "c.d" = [[1,
  2], 3] } ]
 [ start . "gravity.z" ]
e.f = 1979-05-27T07:32:00
'''


def test_places_are_those_of_keys_and_not_of_what_looks_like_them(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SOURCE / "python")
    from forearm.sweep.places import fault
    (tmp_path / "traps.toml").write_text(TRAPS)
    for key, place in [(("payload.mass",), (2, 1)), (("text",), (3, 1)), (("list", 1), (7, 3)), (("list", 1, "b"), (7, 5)),
                       (("list", 1, "c.d"), (7, 18)), (("list", 1, "c.d", 0, 1), (8, 3)), (("list", 1, "c.d", 1), (8, 7)),
                       (("start", "gravity.z"), (9, 2)), (("start", "gravity.z", "e", "f"), (10, 1)),
                       (("start", "gravity.z", "absent"), (9, 2)), (("gravity.z",), (None, None)), (("design",), (None, None))]:
        error = fault(tmp_path / "traps.toml", "x", *key)
        assert (error.line, error.column) == place, key


def test_results_of_another_study_are_not_touched(folder):
    study = write(folder, GRID)
    assert sweep(study, "--workers", 1).returncode == 0
    before = (folder / "study" / "results.parquet").read_bytes()
    write(folder, GRID.replace("0.2", "0.3"))
    done = sweep(study, "--workers", 1)
    assert done.returncode == 1 and "it holds the results of another study" in done.stderr
    assert (folder / "study" / "results.parquet").read_bytes() == before


def test_a_faulty_robot_is_told_with_its_line(folder):
    (folder / "pendulum.xml").write_text(PENDULUM.replace('mass="1"', 'mass="-1"'))
    done = sweep(write(folder, GRID))
    assert done.returncode == 1
    assert done.stderr.startswith(f"{folder / 'pendulum.xml'}:2:"), done.stderr


ENDING = """
import multiprocessing
import distributed.nanny
import forearm.sweep.cluster as cluster
def torn(cls):
    raise RuntimeError("ConnectionPool is closed")
distributed.nanny.WorkerProcess._run = classmethod(torn)
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=cluster._SilentProcess._run)
    process.start()
    process.join()
    print(process.exitcode)
"""


@pytest.mark.parametrize("level", ["critical", "info"])
def test_a_worker_torn_down_in_its_middle_says_nothing_unless_it_is_asked(folder, level):
    (folder / "ending.py").write_text(ENDING)
    done = subprocess.run([sys.executable, folder / "ending.py"], env={**ENVIRONMENT, "DASK_LOGGING__DISTRIBUTED": level},
                          capture_output=True, text=True, timeout=60)
    assert done.stdout == "1\n"
    assert ("ConnectionPool is closed" in done.stderr) == (level == "info")
