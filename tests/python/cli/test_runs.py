"""`forearm runs`: many motions at once are what each is by itself, whoever is beside it."""

import csv
import io
import random
import signal
import subprocess
import sys
import time

import fmpy
import numpy
import pytest

from cli import PENDULUM, fails, ok, run, variables
from conftest import FOREARM, SOURCE

ROBOTS = SOURCE / "resources" / "robots"
DOUBLE, PUMA, STANFORD = (ROBOTS / f"{name}.xml" for name in ("double_pendulum", "puma560", "stanford"))

# A pendulum that rests on a stop: it switches. One whose friction turns around in a ten-thousandth of a
# radian per second: as soon as it moves slowly it is stiff.
BOUNCING = """<arm name="bouncing" convention="standard" gravity="0 -9.81 0"><joint name="pivot" type="revolute">
<limit lower="-0.5" upper="3"/><stop stiffness="1000" damping="5"/><friction viscous="0.1"/>
<link name="rod" mass="1" com="0.5 0 0" inertia="0 0.08 0.08 0 0 0"/></joint><tip xyz="1 0 0"/></arm>"""
STIFF = """<arm name="stiff" convention="standard" gravity="0 -9.81 0"><joint name="pivot" type="revolute">
<friction coulomb="2" width="1e-4"/>
<link name="rod" mass="1" com="0.5 0 0" inertia="0 0.08 0.08 0 0 0"/></joint><tip xyz="1 0 0"/></arm>"""


def rows_of(text):
    """Lines of the result, with numbers where there are some."""
    def value(name, field):
        return field if name in ("status", "message") else float(field) if field else numpy.nan
    return [{name: value(name, field) for name, field in row.items()} for row in csv.DictReader(io.StringIO(text))]


def as_table(rows):
    return "\n".join([",".join(rows[0]), *(",".join(map(repr, row.values())) for row in rows)]) + "\n"


def results(robot, rows, *options):
    return ok("runs", robot, "--in", "-", *options, stdin=as_table(rows).encode())


def some_rows(robot, n, seed, *endings):
    """Start values within a tenth of what they are, or of one."""
    draw = random.Random(seed)
    chosen = [v for v in variables(robot) if v["role"].endswith("parameter") and v["name"].endswith(endings)]
    return [{v["name"]: (v["start"] or 0) + 0.1 * max(1, abs(v["start"] or 0)) * draw.random() for v in chosen}
            for _ in range(n)]


def simulated(robot, row, *options):
    """The table of `forearm simulate`, column by column."""
    said = [word for name, value in row.items() for word in ("--set", f"{name}={value!r}")]
    lines = list(csv.reader(io.StringIO(ok("simulate", robot, *said, *options))))
    return {name: numpy.array([float(line[i]) for line in lines[1:]]) for i, name in enumerate(lines[0])}


STARTS = ("initial_position", "initial_velocity", "viscous_friction", "payload.mass")


@pytest.mark.parametrize("name", ["double_pendulum", "puma560", "scara", "patu655", "serpenoid", "bouncing"])
def test_alone_each_run_is_what_simulate_makes_of_it(name, tmp_path):
    robot = ROBOTS / f"{name}.xml"
    if name == "bouncing":
        robot = tmp_path / "bouncing.xml"
        robot.write_text(BOUNCING)
    rows = some_rows(robot, 3, 1, *STARTS, "amplitude")
    options = ["--stop", "0.5", "--step", "0.03"]
    kept = rows_of(results(robot, rows, "--alone", *options, "--keep", "first,last,min,max,mean"))
    samples = rows_of(results(robot, rows, "--alone", *options, "--keep", "all"))
    for number, row in enumerate(rows):
        alone = simulated(robot, row, *options)
        mine = [sample for sample in samples if sample["run"] == number]
        for name, values in alone.items():
            assert [sample[name] for sample in mine] == values.tolist()
            if name == "time":
                continue
            assert kept[number][f"{name}.first"] == values[0] and kept[number][f"{name}.last"] == values[-1]
            assert kept[number][f"{name}.min"] == values.min() and kept[number][f"{name}.max"] == values.max()
            # A sum of 18 numbers, in another order than NumPy's.
            assert abs(kept[number][f"{name}.mean"] - values.mean()) <= 18 * 2.3e-16 * abs(values).max()
        assert kept[number]["status"] == "done" and all(kept[number][name] == row[name] for name in row)


def worst(got, want, ending):
    """Largest difference in what is called so, relative to one and its size."""
    return max(float(abs(got[name] - want[name]) / (1 + abs(want[name])))
               for name in want if name.endswith(ending) and "initial" not in name)


@pytest.mark.parametrize("robot, columns", [(DOUBLE, STARTS[:3]), (DOUBLE, STARTS), (PUMA, STARTS[:3]),
                                            (STANFORD, STARTS[:3])])
def test_side_by_side_the_error_is_that_of_the_tolerance(robot, columns):
    """Against steps a thousand times as accurate, together (the bodies are the same) and one by one (payload.mass). A
    step may err by 1e-8 of one and a state's size; motions of two seconds keep up to 14 times that, and the polynomial
    between two points adds up to 84 times that to velocities."""
    rows = some_rows(robot, 20, 2, *columns)
    options = ["--stop", "2", "--keep", "all", "--variables", "joint.*.position,joint.*.velocity"]
    exact = rows_of(results(robot, rows, *options, "--alone", "--tolerance", "1e-11"))
    for how in ([], ["--alone"]):
        got = rows_of(results(robot, rows, *options, *how))
        off = {ending: max(worst(a, b, ending) for a, b in zip(got, exact)) for ending in ("position", "velocity")}
        assert max(off.values()) < 100 * 1e-8, (how, off)
    beside = rows_of(results(robot, rows, *options, "--tolerance", "1e-11"))
    assert 0 < max(worst(a, b, "position") for a, b in zip(beside, exact)) < 100 * 1e-11


@pytest.mark.parametrize("columns", [STARTS[:3], STARTS])
def test_fmpy_gets_the_same_of_the_fmu(columns, export):
    """Co-Simulation of the same robot's FMU in a host that shares no code with us but the FMU's. Both err by the
    tolerance, as above."""
    rows = some_rows(PUMA, 4, 3, *columns)
    names = [f"joint.{joint}.position" for joint in ("waist", "shoulder", "elbow")] + ["tip.x", "tip.z"]
    got = rows_of(results(PUMA, rows, "--stop", "1", "--keep", "all", "--variables", ",".join(names)))
    fmu = export(PUMA)
    for number, row in enumerate(rows):
        by_fmpy = fmpy.simulate_fmu(str(fmu), stop_time=1, output_interval=0.01, fmi_type="CoSimulation",
                                    start_values=row, output=names)
        mine = [sample for sample in got if sample["run"] == number]
        assert len(mine) == len(by_fmpy) == 101
        assert max(abs(sample["time"] - t) for sample, t in zip(mine, by_fmpy["time"])) < 1e-12
        for name in names:
            assert max(abs(sample[name] - value) for sample, value in zip(mine, by_fmpy[name])) < 100 * 1e-8


def by_run(text):
    """The lines of each run, without its number."""
    found = {}
    for line in text.splitlines()[1:]:
        number, _, rest = line.partition(",")
        found.setdefault(int(number), []).append(rest)
    assert list(found) == list(range(len(found)))
    return list(found.values())


def mixed(tmp_path, kind):
    """Runs of all fates: done, refused, breaking off, stiff, with other bodies."""
    draw = random.Random(7)
    if kind == "arm":
        columns = {"joint.waist.initial_position": 1, "joint.elbow.viscous_friction": 2, "joint.shoulder.torque": 5}
        rows = [{name: size * draw.random() for name, size in columns.items()} | {"payload.mass": 0.0} for _ in range(60)]
        for i in range(0, 60, 3):
            rows[i]["payload.mass"] = float(i % 4)
        rows[7]["payload.mass"] = -1.0
        rows[19]["joint.shoulder.torque"] = rows[40]["joint.shoulder.torque"] = 1e308
        rows[30]["joint.elbow.viscous_friction"] = 1e6  # stiff
        return PUMA, rows
    robot = tmp_path / f"{kind}.xml"
    robot.write_text({"stiff": STIFF, "bouncing": BOUNCING}[kind])
    return robot, [{"joint.pivot.initial_position": draw.uniform(-0.4, 2), "joint.pivot.initial_velocity": draw.random()}
                   for _ in range(40)]


@pytest.mark.parametrize("kind", ["arm", "stiff", "bouncing"])
@pytest.mark.parametrize("keep", ["last,mean", "all"])
def test_a_run_has_the_same_bytes_whoever_is_beside_it(tmp_path, kind, keep):
    robot, rows = mixed(tmp_path, kind)
    options = ["--stop", "1", "--step", "0.25", "--keep", keep]
    whole = by_run(results(robot, rows, *options))
    assert len(whole) == len(rows)
    draw = random.Random(8)
    for size in (1, 7, len(rows)):
        order = draw.sample(range(len(rows)), len(rows))
        for part in (order[first:first + size] for first in range(0, len(rows), size)):
            assert by_run(results(robot, [rows[i] for i in part], *options)) == [whole[i] for i in part]
    if kind == "arm":
        failed = {i: lines[0] for i, lines in enumerate(whole) if ",failed," in lines[0]}
        assert list(failed) == [7, 19, 40] and "'payload.mass' must be at least 0, not -1" in failed[7]
        assert all("not a finite number" in failed[i] or "not finite numbers" in failed[i] for i in (19, 40))


def test_a_run_that_its_table_makes_impossible_names_file_and_line(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("gravity.y,payload.mass\n-9,0\n\n-9, -1\n-9,2\n")
    done = run("runs", DOUBLE, "--in", table, "--stop", 0.1)
    rows = rows_of(done.stdout.decode() if isinstance(done.stdout, bytes) else done.stdout)
    assert [row["status"] for row in rows] == ["done", "failed", "done"]
    assert rows[1]["message"] == f"{table}:4:5: 'payload.mass' must be at least 0, not -1"


def test_a_run_that_turns_stiff_leaves_the_others_as_they_are(tmp_path):
    """The automatic choice is Dormand-Prince, to the bit, where nothing is stiff, and something else where it is."""
    robot, rows = mixed(tmp_path, "arm")
    options = ["--stop", "1", "--variables", "joint.*.position"]
    chosen, explicit = (by_run(results(robot, rows, *options, *how)) for how in ([], ["--solver", "dormand-prince"]))
    assert [i for i in range(len(rows)) if chosen[i] != explicit[i]] == [30]
    got = rows_of(results(robot, rows, *options))[30]
    want = simulated(robot, rows[30], "--stop", "1")
    # A motion of hours by now: it creeps, and forgets nothing of its errors.
    assert all(abs(got[name] - want[name][-1]) < 100 * 1e-8 for name in got if name.endswith(".position"))
    robot, rows = mixed(tmp_path, "stiff")
    assert by_run(results(robot, rows, *options)) != by_run(results(robot, rows, *options, "--solver", "dormand-prince"))


def test_fixed_steps_go_as_they_do_in_simulate():
    rows = some_rows(DOUBLE, 3, 5, *STARTS)
    for solver in ("kutta-3", "runge-kutta-4"):
        got = rows_of(results(DOUBLE, rows, "--stop", "0.3", "--solver", solver))
        for number, row in enumerate(rows):
            alone = simulated(DOUBLE, row, "--stop", "0.3", "--solver", solver)
            assert all(got[number][name] == values[-1] for name, values in alone.items() if name != "time")


def test_a_run_that_fails_leaves_an_empty_line_and_its_sentence(tmp_path):
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    text = b"joint.pivot.torque,joint.pivot.initial_position\n1e308,0\n0,0.5\n"
    for keep, head, empty in (("last", "tip.x,joint.pivot.position", 2),
                              ("min,max", "tip.x.min,tip.x.max,joint.pivot.position.min,joint.pivot.position.max", 4),
                              ("all", "time,tip.x,joint.pivot.position", 3)):
        done = run("runs", tmp_path / "pendulum.urdf", "--in", "-", "--stop", 0.1, "--keep", keep, "--variables",
                   "tip.x,joint.*.position", stdin=text)
        lines = done.stdout.decode().splitlines()
        assert done.returncode == 0
        assert lines[0] == f"run,joint.pivot.torque,joint.pivot.initial_position,status,message,{head}"
        assert lines[1].startswith("0,1e+308,0,failed,") and lines[1].endswith(empty * ",") and "finite" in lines[1]
        assert lines[2].startswith("1,0,0.5,done,,") and len(lines) == (13 if keep == "all" else 3)
        assert done.stderr.decode().endswith("standard input: warning: 1 of 2 runs failed; the result says why\n")


def test_the_last_stretch_is_shorter_and_a_state_may_be_an_output(tmp_path):
    rows = rows_of(results(DOUBLE, [{"payload.mass": 1.0}], "--stop", "0.25", "--step", "0.1", "--keep", "all",
                           "--variables", "tip.x,joint.elbow.torque,energy.initial", "--outputs", "energy"))
    assert [row["time"] for row in rows] == [0, 0.1, 0.2, 0.25]
    assert list(rows[0])[4:] == ["time", "tip.x", "joint.elbow.torque", "energy.initial"]
    assert len({row["energy.initial"] for row in rows}) == 1


def test_a_table_without_runs_gives_one_without_runs():
    assert ok("runs", DOUBLE, "--in", "-", "--variables", "tip.x", stdin=b"payload.mass\n") == \
        "run,payload.mass,status,message,tip.x\n"


@pytest.mark.parametrize("code, text, options, said", [
    (1, "payload.mas\n1\n", [], "standard input:1:1: the robot has no variable 'payload.mas'; did you mean 'payload.mass'?"),
    (1, "payload.mass,joint.elbow.position\n1,1\n", [],
     "standard input:1:14: 'joint.elbow.position' is a state; set 'joint.elbow.initial_position', which it starts from"),
    (1, "energy.friction_loss\n1\n", ["--outputs", "energy"],
     "standard input:1:1: 'energy.friction_loss' is a state that starts from zero; it cannot be set"),
    (1, "tip.x\n1\n", [], "standard input:1:1: 'tip.x' is calculated; only parameters and inputs can be set"),
    (1, "payload.mass\n1\n2\nx\n", [],
     "standard input:4:1: 'x' in column 'payload.mass' is not a number; write one such as 1.5 or -2e-3"),
    (2, "payload.mass\n1\n", ["--keep", "last,middle"],
     "forearm: --keep names 'middle'; it can be all, or some of first, last, min, max, mean"),
    (2, "payload.mass\n1\n", ["--keep", "last,max,last"], "forearm: --keep names 'last' twice; leave one out"),
    (2, "payload.mass\n1\n", ["--variables", "payload.mass"],
     "forearm: 'payload.mass' is no curve over time but a tunable parameter; --variables takes inputs, states, outputs and "
     "locals"),
    (2, "payload.mass\n1\n", ["--variables", "top.*"],
     "forearm: no variable that moves is named like 'top.*'; forearm inspect lists them"),
    (2, "payload.mass\n1\n", ["--variables", ","], "forearm: --variables names no variable; forearm inspect lists them"),
    (2, "payload.mass\n1\n", ["--step", "1e-300"],
     "forearm: 5 s in steps of 1e-300 s are more lines than any disk holds; take a longer --step"),
    (3, "payload.mass\n1\n", ["--step", "1e-11", "--keep", "all"],
     "forearm: there is not enough memory for 64 runs at a time; take a longer --step, or fewer --variables"),
])
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path, code, text, options, said):
    out = tmp_path / "out.csv"
    assert fails(code, "runs", DOUBLE, "--in", "-", "-o", out, *options, stdin=text.encode()) == said
    assert not any(tmp_path.iterdir())


def test_a_table_must_be_named():
    assert fails(2, "runs", DOUBLE) == \
        "forearm: there is no table to read; name it with --in FILE, or --in - for standard input"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_it_finds_nothing_half_written(tmp_path, number):
    table, out = tmp_path / "table.csv", tmp_path / "out.csv"
    table.write_text("payload.mass\n" + "1\n" * 1_000_000)
    out.write_text("old")
    # A shell that starts tests in the background has its children ignore SIGINT.
    process = subprocess.Popen([FOREARM, "runs", DOUBLE, "--in", table, "-o", out],
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    end = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(60) == -number
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "table.csv"] and out.read_text() == "old"


def test_memory_does_not_grow_with_the_runs(tmp_path):
    """Forty times as many runs take at most a tenth more."""
    most = []
    for n in (100, 4000):
        table = tmp_path / f"{n}.csv"
        table.write_text("joint.elbow.initial_position\n" + "".join(f"{i / n}\n" for i in range(n)))
        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
                  "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", script, FOREARM, "runs", DOUBLE, "--in", table, "--stop", "0.1",
                               "-o", tmp_path / "out.csv"], capture_output=True, text=True, check=True)
        most.append(int(done.stdout))
        assert len((tmp_path / "out.csv").read_text().splitlines()) == n + 1
    assert most[1] < 1.1 * most[0], most


def test_the_solver_is_the_one_that_is_asked_for(tmp_path):
    """Also in a column, and where runs stay in lanes otherwise."""
    start = "joint.shoulder.initial_position"
    table = f"{start}\n0.3\n0.4\n"

    def by(*options, table=table):
        (tmp_path / "in.csv").write_text(table)
        text = ok("runs", DOUBLE, "--in", tmp_path / "in.csv", "--stop", "1", "--variables", "tip.x", *options)
        return [float(row["tip.x"]) for row in csv.DictReader(io.StringIO(text))]

    explicit, implicit = by("--solver", "dormand-prince"), by("--solver", "rosenbrock")
    assert all(0 < abs(a - b) < 1e-5 for a, b in zip(explicit, implicit))
    assert by(table=f"{start},solver\n0.3,4\n0.4,4\n") == implicit
    assert by("--alone", "--solver", "rosenbrock") != by("--alone", "--solver", "dormand-prince")
