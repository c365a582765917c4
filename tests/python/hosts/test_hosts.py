"""Other people's simulators on our FMUs, where they are installed, against `forearm simulate`.

A host that is not on the PATH is skipped with a line. fmi-sim and fmi-rs may also stand in build/, where
`scripts/fmi-sim` and `scripts/fmi-rs` build them.
"""

import csv
import re
import shutil
import subprocess
import zipfile

import numpy as np
import pytest

import hosts_table
from conftest import FOREARM, SOURCE
from figures import note

ROBOTS = SOURCE / "resources" / "robots"
STOP, STEP = 1.0, 0.1
OUTPUTS = ["joint.shoulder.position", "joint.elbow.position", "joint.shoulder.velocity",
           "joint.elbow.velocity"]


def host(name):
    """The program, or a skip."""
    beside = SOURCE / "build" / name / "bin" / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        how = "FOREARM_HOSTS=1 scripts/test builds it" if name in ("fmi-sim", "fmi-rs-host") else "it is run where it is on the PATH"
        pytest.skip(f"skipped: {name} not found; {how}")
    return found


def run(*command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True,
                          timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout + done.stderr


def table(path):
    """Columns of a result by the ends of their names, which hosts put prefixes before."""
    head, *rows = list(csv.reader(path.read_text().splitlines()))
    data = np.array(rows, dtype=float)
    head = [name.strip().strip('"') for name in head]

    def column(name):
        (at,) = [i for i, full in enumerate(head) if full == name or full.endswith("." + name)]
        return data[:, at]

    return column


@pytest.fixture(scope="module")
def ours(forearm, tmp_path_factory):
    path = tmp_path_factory.mktemp("ours") / "result.csv"
    forearm("simulate", ROBOTS / "double_pendulum.xml", "--stop", STOP, "--step", STEP, "-o", path)
    return table(path)


def compare(column, ours, tolerance, name):
    """The worst difference at the points of our table that the host has too; hosts that find events
    or steps of their own write more lines."""
    time = column("time")
    points = [int(np.argmin(np.abs(time - t))) for t in ours("time")]
    np.testing.assert_allclose(time[points], ours("time"), atol=1e-9)
    worst = max(float(np.max(np.abs(column(name)[points] - ours(name)))) for name in OUTPUTS)
    note(f"double pendulum by {name}", worst, tolerance)
    assert worst < tolerance


# A Co-Simulation host adds up time, so that its steps differ from ours by rounding; one second of the
# pendulum amplifies that about tenfold. What integrates itself has its own error.
SAME, CVODE = 1e-9, 1e-3
both_versions = pytest.mark.parametrize("fmi", [2, 3])


@pytest.fixture(scope="module")
def pendulum(export):
    return lambda fmi: export(ROBOTS / "double_pendulum.xml", "--fmi", fmi)


# ------------------------------------------------------------------------------------------ fmi-sim


def fmi_sim(fmu, interface, folder, interval=STEP):
    run(host("fmi-sim"), "--model", fmu, "--output-file", folder / "out.csv", interface, "-f", STOP,
        "--output-interval", interval, folder=folder)
    return table(folder / "out.csv")


@both_versions
def test_fmi_sim_steps_co_simulation(fmi, pendulum, ours, tmp_path):
    compare(fmi_sim(pendulum(fmi), "co-simulation", tmp_path), ours, SAME, f"fmi-sim, FMI {fmi}.0")


@both_versions
def test_fmi_sim_integrates_model_exchange(fmi, pendulum, ours, tmp_path):
    """By Euler's method, all that it has: a tenth of the step is a tenth of the error."""
    errors = []
    for step in (1e-3, 1e-4):
        column = fmi_sim(pendulum(fmi), "model-exchange", tmp_path, step)
        at = [int(np.argmin(np.abs(column("time") - t))) for t in ours("time")]
        errors.append(max(float(np.max(np.abs(column(name)[at] - ours(name)))) for name in OUTPUTS))
    assert 5 < errors[0] / errors[1] < 20, errors


@pytest.mark.parametrize("robot", sorted(ROBOTS.glob("*.xml")), ids=lambda path: path.stem)
@both_versions
def test_fmi_sim_takes_every_robot_that_it_can_read(fmi, robot, export, tmp_path):
    """Its parser knows neither nominals nor amperes of FMI 3.0 (docs/hosts.md, rule 9); all else it steps."""
    fmu = export(robot, "--fmi", fmi, "--platforms", "native", "--bare")
    text = zipfile.ZipFile(fmu).read("modelDescription.xml").decode()
    command = [host("fmi-sim"), "--model", fmu, "--output-file", tmp_path / "out.csv", "co-simulation", "-f", "0.1"]
    if fmi == 3 and (" nominal=" in text or re.search(r'<BaseUnit[^>]* A="', text)):
        # It says so, and ends with 0 all the same.
        said = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120).stderr
        assert re.search('unknown field "(nominal|A)" in element', said), said
        return
    run(*command, folder=tmp_path)
    head, *rows = csv.reader((tmp_path / "out.csv").read_text().splitlines())
    assert float(rows[-1][head.index("time")]) == pytest.approx(0.1)


# ------------------------------------------------------------------------------------------- fmi-rs
# A library of the authors of FMPy and fmusim, here as tests/fmi_rs/src/main.rs makes a program of it.
# It also checks every description that it reads, and takes arrays, structural parameters, event mode,
# early return and intermediate updates.

EVERY = sorted(ROBOTS.glob("*.xml"))


def fmi_rs(fmu, interface, folder, *options, stop=STOP, step=STEP):
    out = folder / f"{len(list(folder.iterdir()))}.csv"
    run(host("fmi-rs-host"), fmu, interface, stop, step, out, *options, folder=folder)
    return out


def cells(lines):
    """Names, and one row of numbers for each line; an array is one cell."""
    head, *rows = csv.reader(lines)
    numbers = {"true": "1", "false": "0"}
    return head, np.array([[float(numbers.get(word, word)) for cell in row for word in cell.split()] for row in rows])


@both_versions
def test_fmi_rs_steps_co_simulation(fmi, pendulum, ours, tmp_path):
    compare(table(fmi_rs(pendulum(fmi), "cs", tmp_path)), ours, SAME, f"fmi-rs, FMI {fmi}.0")


@both_versions
def test_fmi_rs_integrates_model_exchange(fmi, pendulum, ours, tmp_path):
    """By Euler's method, a thousand steps between two lines: ten times more are a tenth of the error."""
    errors = []
    for step in (0.1, 0.01):
        column = table(fmi_rs(pendulum(fmi), "me", tmp_path, step=step))
        at = [int(np.argmin(np.abs(column("time") - t))) for t in ours("time")]
        errors.append(max(float(np.max(np.abs(column(name)[at] - ours(name)))) for name in OUTPUTS))
    assert 5 < errors[0] / errors[1] < 20, errors


@pytest.mark.parametrize("robot", EVERY, ids=lambda path: path.stem)
@pytest.mark.parametrize("fmi, options", [(2, []), (3, []), (3, ["--arrays"])], ids=["2", "3", "arrays"])
def test_fmi_rs_repeats_the_experiment_of_every_robot(fmi, options, robot, export, tmp_path):
    fmu = export(robot, "--fmi", fmi, *options)
    with zipfile.ZipFile(fmu) as archive:
        results = archive.read("extra/org.fmi-standard.fmi-ls-ref/results.csv").decode()
    head, want = cells(results.splitlines())
    names, got = cells(fmi_rs(fmu, "cs", tmp_path).read_text().splitlines())
    assert names == head and got.shape == (11, want.shape[1])
    want = want[:11]
    worst = float(np.max(np.abs(got - want) / np.maximum(np.abs(want).max(axis=0), 1)))
    note("experiments by fmi-rs", worst, SAME)
    assert worst < SAME


def test_fmi_rs_sets_the_number_of_links_in_configuration_mode(export, forearm, tmp_path):
    """What it gets is the snake that has 20 links from the beginning."""
    text = (ROBOTS / "serpenoid.xml").read_text()
    long = tmp_path / "long.xml"
    long.write_text(text.replace('links="10"', 'links="20"'))
    assert long.read_text() != text
    forearm("simulate", long, "--stop", STOP, "--step", STEP, "-o", tmp_path / "long.csv")
    want = table(tmp_path / "long.csv")
    fmu = export(ROBOTS / "serpenoid.xml", "--arrays")
    head, *rows = csv.reader(fmi_rs(fmu, "cs", tmp_path, "set=links=20").read_text().splitlines())
    angles = np.array([[float(word) for word in row[head.index("joint.angle")].split()] for row in rows])
    assert angles.shape == (11, 20) and (angles[:, 19] == 0).all()
    worst = max(float(np.max(np.abs(angles[:, i] - want(f"joint{i + 1}.angle")))) for i in range(19))
    note("20 links by fmi-rs", worst, SAME)
    assert worst < SAME and np.ptp(angles[:, :19], axis=0).min() > 0.05


def test_fmi_rs_comes_to_the_same_motion_by_every_way_of_handling_events(export_special, tmp_path):
    """A joint that sticks, slips and runs into its stop, and one whose valve closes at 0.3 s; the inputs jump before."""
    fmu = export_special("switching", "--fmi", 3)
    pushes = tmp_path / "pushes.csv"
    pushes.write_text("time,joint.shoulder.torque,joint.elbow.voltage\n0,0,0\n0.15,0,0\n0.15,8,20\n1,8,20\n")
    ways = [[], ["events"], ["early"], ["events", "early"], ["events", "early", "intermediate"]]
    finals = []
    for way in ways:
        head, rows = cells(fmi_rs(fmu, "cs", tmp_path, f"input={pushes}", *way).read_text().splitlines())
        assert rows[-1, 0] == pytest.approx(STOP)
        finals.append([rows[-1, head.index(name)] for name in OUTPUTS])
        assert len(rows) > 11 if "events" in way else len(rows) >= 11  # each event is two lines more
        moved = rows[:, head.index("joint.elbow.position")]
        assert np.ptp(moved) > 0.1 and (moved[rows[:, 0] < 0.14] == moved[0]).all()  # it stuck until then
    worst = float(np.ptp(np.array(finals), axis=0).max())
    note("events by fmi-rs", worst, 1e-8)
    # Steps end elsewhere, so the solver's own error differs: its tolerance is 1e-8 for each step.
    assert worst < 1e-8


@both_versions
def test_fmi_rs_goes_on_from_a_state_in_a_file(fmi, pendulum, ours, tmp_path):
    state = tmp_path / "state"
    fmi_rs(pendulum(fmi), "cs", tmp_path, f"state-out={state}", "open", stop=0.5)
    column = table(fmi_rs(pendulum(fmi), "cs", tmp_path, "start=0.5", f"state-in={state}", "open"))
    for name in OUTPUTS:
        np.testing.assert_allclose(column(name), ours(name)[5:], atol=SAME)


# ------------------------------------------------------------------------------------------- fmusim


@both_versions
def test_fmusim_steps_co_simulation(fmi, pendulum, ours, tmp_path):
    run(host("fmusim"), "--interface-type", "cs", "--stop-time", STOP, "--output-interval", STEP,
        "--output-file", tmp_path / "out.csv", pendulum(fmi), folder=tmp_path)
    compare(table(tmp_path / "out.csv"), ours, SAME, f"fmusim, FMI {fmi}.0")


def test_fmusim_integrates_model_exchange(pendulum, ours, tmp_path):
    """FMI 2.0; its release 0.8.0 fails on every FMI 3.0 FMU (docs/hosts.md)."""
    run(host("fmusim"), "--interface-type", "me", "--solver", "cvode", "--stop-time", STOP,
        "--output-interval", STEP, "--output-file", tmp_path / "out.csv", pendulum(2), folder=tmp_path)
    compare(table(tmp_path / "out.csv"), ours, CVODE, "fmusim, FMI 2.0, CVode")


# -------------------------------------------------------------------------------------- OMSimulator


@both_versions
@pytest.mark.parametrize("mode, tolerance", [("cs", SAME), ("me", CVODE)])
def test_omsimulator_runs_both_interfaces(fmi, mode, tolerance, pendulum, ours, tmp_path):
    run(host("OMSimulator"), f"--mode={mode}", "--startTime=0", f"--stopTime={STOP}",
        f"--stepSize={STEP}", "--tolerance=1e-8", f"--tempDir={tmp_path / 'temp'}",
        f"--resultFile={tmp_path / 'out.csv'}", pendulum(fmi), folder=tmp_path)
    compare(table(tmp_path / "out.csv"), ours, tolerance, f"OMSimulator, FMI {fmi}.0, {mode}")


@both_versions
@pytest.mark.parametrize("mode, tolerance", [("cs", SAME), ("me", CVODE)])
def test_the_python_front_end_of_omsimulator_runs_both_interfaces(fmi, mode, tolerance, pendulum, ours, tmp_path):
    run(host("OMSimulatorPython3"), f"--mode={mode}", "--start-time=0", f"--stop-time={STOP}", f"--step-size={STEP}",
        "--tolerance=1e-8", "--stripRoot", f"--result-file={tmp_path / 'out.csv'}", pendulum(fmi), folder=tmp_path)
    compare(table(tmp_path / "out.csv"), ours, tolerance, f"OMSimulator 3, FMI {fmi}.0, {mode}")


# ------------------------------------------------------- OSP and Ecos, of PyPI, and FMI4j, of Maven's repository

@pytest.mark.parametrize("name, versions, how", [("libcosimpy (OSP)", (2,), "python-hosts"), ("ecospy (Ecos)", (2, 3), "python-hosts"),
                                                 ("FMI4j", (2,), "fmi4j")])
@pytest.mark.parametrize("robot", ["double_pendulum", "scara", "excavator"])
def test_hosts_of_registries_step_co_simulation(name, versions, how, robot, export, forearm, tmp_path):
    if not hosts_table.HOSTS[name][1]():
        pytest.skip(f"skipped: {name} not found; scripts/{how} or FOREARM_HOSTS=1 scripts/test brings it")
    path = ROBOTS / f"{robot}.xml"
    truth = hosts_table.expected(str(FOREARM), path, tmp_path)
    for fmi in versions:
        got = hosts_table.run(name, export(path, "--fmi", fmi, "--platforms", "native"), "cs", list(truth))
        assert isinstance(got, list), got
        np.testing.assert_allclose(got, list(truth.values()), rtol=1e-6, atol=1e-6)


def test_maestro_steps_a_system(export, forearm, tmp_path):
    """A robot, and what listens to it."""
    name, path = "Maestro (INTO-CPS)", ROBOTS / "double_pendulum.xml"
    if not hosts_table.HOSTS[name][1]():
        pytest.skip("skipped: Maestro not found; scripts/maestro or FOREARM_HOSTS=1 scripts/test brings it")
    truth = hosts_table.expected(str(FOREARM), path, tmp_path)
    got = hosts_table.run(name, export(path, "--fmi", 2, "--platforms", "native"), "cs", list(truth))
    assert isinstance(got, list), got
    np.testing.assert_allclose(got, list(truth.values()), rtol=1e-6, atol=1e-6)


# ------------------------------------------------------------------------------------- OpenModelica

EXAMPLE = SOURCE / "examples" / "openmodelica" / "double_pendulum.mos"


def test_the_example_for_openmodelica_expects_our_results(ours):
    text = EXAMPLE.read_text()
    for name in ("shoulder", "elbow"):
        number = float(re.search(rf"^{name} := (.*);", text, re.MULTILINE)[1])
        # The script's number is of one step of a second, ours of ten: the solver's tolerance apart.
        assert abs(number - ours(f"joint.{name}.position")[-1]) < 1e-6


def test_the_example_for_openmodelica_is_as_that_host_wants_it():
    text = EXAMPLE.read_text()
    assert "--allowNonStandardModelica=reinitInAlgorithms" in text
    folders = re.findall(r'workdir=here \+ "/(\w+)"', text)
    assert len(folders) == 2 and len(set(folders)) == 2 and 'workdir="."' not in text
    assert text.count('then "ok" else "wrong"') == 4


def test_openmodelica_imports_and_simulates(export, tmp_path):
    omc = host("omc")
    for fmi in (2, 3):
        shutil.copy(export(ROBOTS / "double_pendulum.xml", "--fmi", fmi, "--name", f"pendulum{fmi}",
                           "--platforms", "native"), tmp_path / f"pendulum{fmi}.fmu")
    said = run(omc, EXAMPLE, folder=tmp_path)
    assert len(re.findall(r'^"ok: ', said, re.MULTILINE)) == 4, said
