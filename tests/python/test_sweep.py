"""`forearm sweep`: every run once, whoever dies; the same results however many work; failures told."""

import json
import os
import pathlib
import platform
import pty
import re
import shutil
import signal
import subprocess
import sys
import time

import fmpy
import numpy
import pytest

import foreign_fmu
from conftest import BUILD, FOREARM, SOURCE

pandas = pytest.importorskip("pandas")
pytest.importorskip("distributed")
parquet = pytest.importorskip("pyarrow.parquet")

PENDULUM = """<arm name="pendulum" convention="standard" gravity="0 -9.81 0"><joint name="pivot" type="revolute">
<friction viscous="0.1"/><link name="rod" mass="1" com="0.5 0 0" inertia="0 0.08 0.08 0 0 0"/></joint>
<tip xyz="1 0 0"/></arm>"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(FOREARM)}
STUDY = """robot = "pendulum.xml"
stop = 0.5
step = 0.1
outputs = ["joint.pivot.position", "energy.kinetic"]
keep = ["last", "max"]
[start]
"joint.pivot.initial_velocity" = 0.25
[design]
kind = "latin-hypercube"
runs = {runs}
[design.of]
"payload.mass" = {{ from = 0.0, to = 2.0 }}
"joint.pivot.initial_position" = {{ from = -1.0, to = 1.0 }}
"""


def sweep(study, *arguments, environment=(), **options):
    return subprocess.run([sys.executable, "-m", "forearm", "sweep", study, *map(str, arguments)],
                          env={**ENVIRONMENT, **dict(environment)}, capture_output=True, text=True, timeout=250,
                          **options)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pendulum.xml").write_text(PENDULUM)
    return tmp_path


def write(folder, text, name="study"):
    (folder / f"{name}.toml").write_text(text)
    return folder / f"{name}.toml"


def result(folder):
    return pandas.read_parquet(folder / "results.parquet")


@pytest.fixture(scope="module")
def two_thousand(tmp_path_factory):
    """2,000 runs by one worker that nobody disturbs."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "pendulum.xml").write_text(PENDULUM)
    study = write(folder, STUDY.format(runs=2000))
    done = sweep(study, "--workers", 1, "-o", folder / "calm", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"runs": 2000, "done": 2000, "failed": 0,
                                       "result": str(folder / "calm" / "results.parquet")}
    return study, (folder / "calm" / "results.parquet").read_bytes()


def children(pid):
    """Processes below a process, youngest generation last."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        if f"\nPPid:\t{pid}\n" in text:
            child = int(status.parent.name)
            found += [child, *children(child)]
    return found


def is_worker(pid):
    try:
        return b"spawn_main" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def wait_for_parts(folder, process, count):
    end = time.monotonic() + 120
    while len(list((folder / "parts").glob("*.parquet")) if (folder / "parts").exists() else []) < count:
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.01)


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


def test_a_killed_worker_costs_nothing_and_repeats_nothing(two_thousand, tmp_path):
    study, calm = two_thousand
    out = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "2", "-o", out],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for_parts(out, process, 3)
    victim = next(pid for pid in children(process.pid) if is_worker(pid))
    os.kill(victim, signal.SIGKILL)
    said, complained = process.communicate(timeout=250)
    assert process.returncode == 0, complained
    assert said.startswith("2000 runs, 2000 of them now, 0 of these failed")
    assert result(out)["run"].tolist() == list(range(2000))
    assert result(out).equals(parquet.read_table(study.parent / "calm" / "results.parquet").to_pandas())
    assert (out / "results.parquet").read_bytes() == calm  # not even the file tells how many worked
    assert not (out / "parts").exists()


def test_a_killed_sweep_goes_on_where_it_was(two_thousand, tmp_path):
    study, calm = two_thousand
    out = tmp_path / "out"
    process = subprocess.Popen([sys.executable, "-m", "forearm", "sweep", study, "--workers", "2", "-o", out],
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    wait_for_parts(out, process, 5)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = sum(parquet.read_metadata(path).num_rows for path in (out / "parts").glob("*.parquet"))
    assert 0 < kept < 2000
    (out / "parts" / "part-000000000-000000019.parquet.1.new").write_bytes(b"half a file")
    done = sweep(study, "--workers", 2, "-o", out)
    assert done.stdout.startswith(f"2000 runs, {2000 - kept} of them now, 0 of these failed"), done.stderr
    assert (out / "results.parquet").read_bytes() == calm
    assert sweep(study, "-o", out).stdout.startswith("2000 runs, 0 of them now")


def test_each_run_is_what_fmpy_makes_of_it_alone(two_thousand, tmp_path):
    study, _ = two_thousand
    rows = parquet.read_table(study.parent / "calm" / "results.parquet").to_pandas()
    fmu = tmp_path / "pendulum.fmu"
    subprocess.run([FOREARM, "export", study.parent / "pendulum.xml", "-o", fmu], check=True, capture_output=True)
    for run in (0, 17, 1999):
        row = rows.iloc[run]
        start = {name: row[name] for name in ("payload.mass", "joint.pivot.initial_position")}
        alone = fmpy.simulate_fmu(str(fmu), stop_time=0.5, output_interval=0.1, fmi_type="CoSimulation",
                                  start_values={**start, "joint.pivot.initial_velocity": 0.25},
                                  output=["joint.pivot.position", "energy.kinetic"])
        for name in ("joint.pivot.position", "energy.kinetic"):
            assert row[f"{name}.last"] == alone[name][-1]
            assert row[f"{name}.max"] == alone[name].max()


def test_a_latin_hypercube_has_one_sample_in_each_part_of_every_range(two_thousand):
    rows = parquet.read_table(two_thousand[0].parent / "calm" / "results.parquet").to_pandas()
    parts = numpy.floor(rows["payload.mass"] / 2.0 * 2000).astype(int)
    assert sorted(parts) == list(range(2000))
    assert abs(numpy.corrcoef(rows["payload.mass"], rows["joint.pivot.initial_position"])[0, 1]) < 0.1


GRID = """robot = "pendulum.xml"
stop = 0.2
step = 0.1
outputs = ["tip.y"]
[design]
[design.of]
"payload.mass" = [0.0, -1.0, 2.0]
"gravity.y" = { from = -10.0, to = -9.0, n = 2 }
"""


def test_failures_are_told_with_their_message_and_tried_again(folder):
    study = write(folder, 'retries = 2\n' + GRID)
    done = sweep(study, "--workers", 1)
    assert done.stdout.startswith("6 runs, 6 of them now, 2 of these failed"), done.stderr
    rows = result(folder / "study")
    assert rows["gravity.y"].tolist() == [-10, -9] * 3  # the last name turns fastest
    assert rows["payload.mass"].tolist() == [0, 0, -1, -1, 2, 2]
    assert rows["status"].tolist() == ["done", "done", "failed", "failed", "done", "done"]
    assert rows["attempts"].tolist() == [1, 1, 3, 3, 1, 1]
    assert all(message == "fmi3SetFloat64: 'payload.mass' must lie between 0 and inf, not be -1; nothing is set "
               "(FMICallException: fmi3SetFloat64 failed with status 2 (discard).)" for message in rows["message"][2:4])
    assert numpy.isnan(rows["tip.y"][2]) and not numpy.isnan(rows["tip.y"][4])


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
def test_what_an_fmu_cannot_do_is_told_before_the_first_run(folder, old, new, line, said):
    foreign_fmu.make(folder)
    study = write(folder, TANK.replace(old, new))
    done = sweep(study, "--workers", 1)
    assert done.returncode == 1
    place = f"{study}:{line}:1: " if line > 1 else f"forearm: {study}: "
    assert done.stderr == f"{place}{said}\n"
    assert not (folder / "study").exists()


def test_a_run_that_kills_its_process_is_given_up_and_the_others_are_done(folder):
    study = write(folder, STUDY.format(runs=50))
    done = sweep(study, "--workers", 2, environment={"FOREARM_SWEEP_CRASH_AT": "7"})
    assert done.stdout.startswith("50 runs, 50 of them now, 1 of these failed"), done.stderr
    rows = result(folder / "study")
    assert rows["run"].tolist() == list(range(50))
    assert rows["message"][7] == "the process that ran it died, 3 times"
    assert (rows["status"].drop(7) == "done").all()


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


def test_a_scheduler_somewhere_gives_the_same(two_thousand, tmp_path, monkeypatch):
    study, calm = two_thousand
    monkeypatch.syspath_prepend(SOURCE / "python")  # Dask wants one environment everywhere
    from distributed import LocalCluster
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])  # of the workers
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        done = sweep(study, "--scheduler", cluster.scheduler_address, "-o", tmp_path / "far")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "far" / "results.parquet").read_bytes() == calm


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
    (GRID.replace("-1.0", "nan"), "7:1", "'design.of.payload.mass' must be a list of finite numbers with at least one"),
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
    (GRID.partition("[design]")[0] + "design = { of = { 'payload.mass' = [1], 'tip.y' = [1] } }", "5:41",
     "'tip.y' cannot be set: the FMU calculates it"),
])
def test_what_is_wrong_in_a_study_is_told(folder, text, place, said):
    study = write(folder, text)
    done = sweep(study, "--workers", 1)
    assert done.returncode == 1
    assert done.stderr == (f"{study}:{place}: " if place else f"forearm: {study}: ") + said.format(folder=folder) + "\n"


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


MESSAGES = """
import os, resource
if __name__ == "__main__":
    from forearm.sweep import driver
    client, cluster = driver._client(None, 1)
    fmu, most = os.urandom(700_000), []
    for count in (30, 300):
        for i in range(count):
            client.submit(len, fmu, pure=False).result()
        most.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    print(*most)
    client.close()
    cluster.close()
"""


def test_memory_does_not_grow_with_the_tasks(folder):
    """Of the process that hands them out: ten times as many with an FMU of 0.7 MB each may take 50 MB more."""
    (folder / "messages.py").write_text(MESSAGES)
    done = subprocess.run([sys.executable, folder / "messages.py"], env=ENVIRONMENT, capture_output=True, text=True,
                          timeout=250)
    few, many = map(float, done.stdout.split())
    assert many < few + 50, done.stdout  # with all of them kept, 190 MB and more


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
