"""simulate of forearm sim, and what shows the motion: against the reference trajectory, closed forms and forearm simulate,
which drives the same integrator by other code."""

import csv
import json
import re

import numpy
import pytest

from cli import ok, run, table
from conftest import SOURCE
from test_sim import DD_ARM, close, numbers, session

SCHEDULE = SOURCE / "examples" / "dd_arm" / "voltages.csv"
TRAJECTORIES = SOURCE / "tests" / "reference" / "arm_trajectories.json"
KUTTA = ["--solver", "kutta-3", "--set", "solver_step=0.001", "--step", "0.001"]

# A cart of 3 kg in all that only its force moves, and on it a wheel of 4 kg m2 about its shaft, with a motor.
CART, WHEEL, R, Kt = 3.0, 4.0, 2.0, 5.0
RAIL = """<arm name="rail" convention="standard" gravity="0 0 0">
  <joint name="slide" type="prismatic"><link name="cart" mass="2" com="0 0 0" inertia="1 1 1 0 0 0"/></joint>
  <joint name="turn" type="revolute" a="1">
    <motor resistance="2" torque-constant="5" back-emf="5"{}/>
    <link name="wheel" mass="1" com="0 0 0" inertia="2 2 3 0 0 0"/></joint>
</arm>
"""


@pytest.fixture
def rail(tmp_path):
    path = tmp_path / "rail.xml"
    path.write_text(RAIL.format(""))
    return path


def read(path):
    with open(path, newline="", encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return {name: numpy.array([float(row[name]) for row in rows]) for name in rows[0]}


def joints(motion, what):
    return numpy.array([motion[f"joint.joint{i}.{what}"] for i in range(1, 7)]).T


def test_the_schedule_gives_the_reference_digits(tmp_path):
    golden = json.loads(TRAJECTORIES.read_text())["cmu_dd_arm_schedule"]
    path = tmp_path / "motion.csv"
    said, _ = session("theta = 1", f"simulate new zeroed schedule {SCHEDULE}", "simulate continued constant 500",
                      f"write.graphic.file {path}", "theta", "omega")
    assert said[1:3] == ["simulated from 0 s to 0.5 s", "simulated from 0.5 s to 1 s"]
    motion = read(path)
    got = numpy.hstack([joints(motion, "position"), joints(motion, "velocity")])
    assert len(got) == 1001
    # The same discrete solution: rounding of a thousand steps.
    assert numpy.abs(got[::10] - numpy.array(golden["rk3_1ms"])).max() < 1e-11
    close(numpy.hstack([numbers(said[4], "theta"), numbers(said[5], "omega")]), got[-1])


def test_the_table_is_the_one_of_forearm_simulate_byte_by_byte(tmp_path):
    path = tmp_path / "motion.csv"
    session("simulate", "yes", "yes", "yes", str(SCHEDULE), f"write.graphic.file {path}")
    assert path.read_text() == ok("simulate", DD_ARM, "--input", SCHEDULE, "--stop", "0.5", *KUTTA)


def test_other_solvers_come_near_the_exact_motion(tmp_path):
    golden = json.loads(TRAJECTORIES.read_text())["cmu_dd_arm_schedule"]
    path = tmp_path / "motion.csv"
    script = f"timestep = 0.01\nsimulate new zeroed schedule {SCHEDULE} 100\nwrite.graphic.file {path}\n"
    ok("sim", "--solver", "dormand-prince", "--tolerance", "1e-10", stdin=script.encode())
    motion = read(path)
    got = numpy.hstack([joints(motion, "position"), joints(motion, "velocity")])
    # The tolerance of a step, times the few hundred steps; the worst seen is 3e-10.
    assert numpy.abs(got - numpy.array(golden["exact"])).max() < 1e-8


def test_a_new_motion_starts_where_it_is_told_and_a_continued_one_where_it_stands(rail):
    said, _ = session("torque = 6 0", "voltage = - 10", "theta = 0.5 0", "omega = -1 0", "simulate new kept constant 1000",
                      "theta", "omega", "torque", "theta = 2 0", "omega = 0", "torque = -3 0", "simulate continued constant 500",
                      "theta", "omega", "print.simulation 1.5 1.5 1", "simulate new zeroed constant 1", "theta", robot=rail)
    # A force on a cart: x = x0 + v t + F t^2/2m, of second degree, so exact for a rule of third order.
    close(numbers(said[5], "theta")[:1], numpy.array([0.5 - 1 + 6 / CART / 2]))
    close(numbers(said[6], "omega")[:1], numpy.array([-1 + 6 / CART]))
    # A motor on a wheel: J w' = Kt (V - Kt w)/R. Kutta's error at 1 ms is some 1e-12.
    speed = 10 / Kt * (1 - numpy.exp(-Kt**2 / (R * WHEEL)))
    close(numbers(said[6], "omega")[1:], numpy.array([speed]))
    close(numbers(said[7], "torque"), numpy.array([6, Kt * (10 - Kt * speed) / R]))
    # Then from rest at 2 m, and the wheel without a torque at the start: its voltage is zero.
    assert said[11] == "simulated from 1 s to 1.5 s"
    close(numbers(said[12], "theta")[:1], numpy.array([2 - 3 / CART / 2 * 0.5**2]))
    assert re.search(r"^time = 1.5 s\njoint .*\nslide +1\.875 +-0\.5 +-1 +-3 +- +-\nturn ", said[14])
    close(numbers(said[16], "theta")[:1], numpy.array([-3 / CART / 2 * 1e-6]))


def test_the_converter_changes_at_multiples_of_its_period_only(tmp_path):
    lines = SCHEDULE.read_text().splitlines()
    late = tmp_path / "late.csv"  # what a converter with 30 ms makes of 0.05, 0.25 and 0.5
    late.write_text("\n".join([*lines[:2], *(re.sub(r"^[^,]*", time, line)
                                             for time, line in zip(("0.06", "0.27", "0.51"), lines[2:]))]))
    path = tmp_path / "motion.csv"
    said, _ = session("DACTimePeriod = 0.03", f"simulate new zeroed schedule {SCHEDULE}", f"write.graphic.file {path}",
                      "print.simulation 0.059 0.061 0.002")
    assert path.read_text() == ok("simulate", DD_ARM, "--input", late, "--stop", "0.51", *KUTTA)
    before, after = (re.search(r"^joint1 .* (\S+)$", block, re.MULTILINE)[1] for block in said[3].split("time = ")[1:])
    assert (before, after) == ("0", "24")


def test_lines_without_times_last_a_period_each(tmp_path, rail):
    asked, timed = tmp_path / "asked.csv", tmp_path / "timed.csv"
    asked.write_text("joint.turn.voltage,joint.slide.force\n10,1\n-10,2\n5,3\n")
    timed.write_text("time,joint.turn.voltage,joint.slide.force\n0,10,1\n0.02,-10,2\n0.04,5,3\n")
    path = tmp_path / "motion.csv"
    said, _ = session("DACTimePeriod = 0.02", f"simulate new zeroed schedule {asked}", f"write.graphic.file {path}",
                      "voltage", "torque", robot=rail)
    assert said[1] == "simulated from 0 s to 0.06 s"
    assert path.read_text() == ok("simulate", rail, "--input", timed, "--stop", "0.06", *KUTTA)
    close(numbers(said[3], "voltage")[1:], numpy.array([5]))
    close(numbers(said[4], "torque")[:1], numpy.array([3]))
    _, fault = session(f"simulate new zeroed schedule {asked}", robot=rail, code=1)
    assert fault.splitlines()[0] == f"{asked}:1: no column is called time; inputs need one, in seconds"


def test_currents_of_coils_go_on_when_a_motion_is_continued(tmp_path):
    robot = tmp_path / "coil.xml"
    robot.write_text(RAIL.format(' inductance="0.05"'))
    inputs = tmp_path / "inputs.csv"
    inputs.write_text("time,joint.turn.voltage\n0,10\n1,10\n")
    path = tmp_path / "motion.csv"
    said, _ = session("voltage = - 10", "simulate new zeroed constant 40", "forward_arm", "simulate continued constant 60",
                      f"write.graphic.file {path}", "torque", robot=robot)
    want = table(ok("simulate", robot, "--input", inputs, "--stop", "0.1", *KUTTA))
    got = read(path)
    for name in ("joint.turn.current", "joint.turn.velocity", "energy.kinetic"):
        assert numpy.abs(got[name] - [row[name] for row in want]).max() < 1e-12  # rounding of times
    assert 1 < got["joint.turn.current"][-1] < 4.9
    close(numbers(said[5], "torque")[1:], Kt * got["joint.turn.current"][-1:])


def test_printed_numbers_are_those_of_the_table_wherever_they_go(tmp_path):
    path, printed = tmp_path / "motion.csv", tmp_path / "printed.txt"
    said, _ = session(f"simulate new zeroed schedule {SCHEDULE}", f"write.graphic.file {path}", "print.simulation 0.1 0.4 0.15",
                      f"open.output.file {printed}", "print.simulation 0.1 0.4 0.15", "close.output.file",
                      "print.simulation 0.5 0.5 1", "print.simulation 0 0.01 0.0001")
    motion = read(path)
    rows = numpy.searchsorted(motion["time"], [0.1 - 1e-9, 0.25 - 1e-9, 0.4 - 1e-9])
    blocks = said[2].split("time = ")[1:]
    assert [block.split()[0] for block in blocks] == ["0.1", "0.25", "0.4"]
    for row, block in zip(rows, blocks):
        cells = numpy.array([line.split()[1:] for line in block.splitlines()[2:]], dtype=float)
        for column, what in enumerate(("position", "velocity", "acceleration", "torque")):
            close(cells[:, column], joints(motion, what)[row])
    assert said[4] == "" and printed.read_text() == said[2] + "\n"
    assert said[6].startswith("time = 0.5 s")
    assert said[7].count("time = ") == 11  # ten timesteps and the start, each once


def test_an_output_file_is_kept_when_the_session_ends_without_closing_it(tmp_path):
    printed = tmp_path / "printed.txt"
    session("simulate new zeroed constant 2", f"open.output.file {printed}", "print.simulation 0 0 1", "nonsense", code=1)
    assert printed.read_text().startswith("time = 0 s\njoint ")


def test_plots_and_pages_are_written(tmp_path, rail):
    run_it = f"simulate new zeroed schedule {SCHEDULE} 100"
    said, _ = session(run_it, f"plot.simulation {tmp_path}/a.svg", f"plot.simulation {tmp_path}/b.png alpha DACOut",
                      "plot.simulation theta")
    svg = (tmp_path / "a.svg").read_text()
    for name in ("theta", "omega", "voltage", "joint6", "rad/s"):
        assert name in svg
    assert "alpha" not in svg and (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    assert said[3].startswith("theta.joint* in rad\n") and "* joint1" in said[3] and max(map(len, said[3].splitlines())) <= 80
    said, _ = session("torque = 1 2", "simulate new zeroed constant 10", "plot.simulation torque voltage", robot=rail)
    assert "torque.slide in N\n" in said[2] and "torque.turn in N.m\n" in said[2] and "voltage.turn in V\n" in said[2]
    done = run("sim", stdin=f"{run_it}\nwrite.graphic.file {tmp_path}/a.html".encode())
    if b"viewer" in done.stderr:
        pytest.skip(done.stderr.decode())
    assert done.returncode == 0 and (tmp_path / "a.html").read_text().count("cmu_dd_arm") >= 1


START = "simulate new zeroed constant 10"
FAULTS = [
    (["simulate continued"], "1:10: there is no simulation to continue; start a new one"),
    (["simulate old"], "1:10: the question 'start a new simulation?' takes yes or no, or new or continued, and not 'old'"),
    (["simulate new zeroed constant 0"],
     "1:30: the question 'number of timesteps?' takes a whole number from 1 to 1000000000, and not 0"),
    (["simulate new zeroed constant many"], "1:30: the question 'number of timesteps?' takes a number, and not 'many'"),
    (["simulate new zeroed constant 1 2"], "1:32: '2' is too much; leave it out"),
    (["simulate"], "1: there is no answer to the question 'start a new simulation?'; nothing was done"),
    (["print.simulation"], None), (["plot.simulation"], None), (["write.graphic.file a.csv"], None),
    ([START, "print.simulation 0 1"], "2:20: the simulation lasts from 0 s to 0.01 s, in which start comes before finish"),
    ([START, "print.simulation 0 0.01 0"], "2:25: a step is a time in seconds above 0, and not 0"),
    ([START, "plot.simulation a.svg speed"],
     "2:23: 'speed' is no curve; theta, omega, alpha, torque, voltage and DACOut are"),
    ([START, "plot.simulation a.svg gravity"],
     "2:23: 'gravity' is no curve; theta, omega, alpha, torque, voltage and DACOut are"),
    ([START, "write.graphic.file a.gif"],
     "2:20: 'a.gif' ends neither in .html, a page that shows the arm in motion, nor in .csv, a table"),
    (["close.output.file"], "1: no file is open"),
    (["open.output.file a.txt", "open.output.file b.txt"], "2:18: 'a.txt' is open; close it before"),
]


@pytest.mark.parametrize("lines,fault", FAULTS, ids=[lines[-1] for lines, _ in FAULTS])
def test_mistakes_are_said_with_their_place(lines, fault, tmp_path):
    code = 2 if fault in (None, "1: no file is open") else 1
    _, said = session(*lines, code=code, cwd=tmp_path)
    assert said == "standard input:" + (fault or "1: there is no simulation yet; simulate makes one")


def test_a_motion_that_leaves_the_numbers_ends_with_what_there_is(rail):
    """Its energy, or something else of it, is beyond any double after some time; until then it can be shown."""
    done = run("sim", rail, stdin=b"torque = 1e153 0\ntimestep = 1\nsimulate new zeroed constant 1000\n")
    assert done.returncode == 4
    assert re.match(r"standard input:3: .* not a finite number", done.stderr.decode())
    assert 10 < float(re.search(r"^simulated from 0 s to (\d+) s$", done.stdout.decode(), re.MULTILINE)[1]) < 1000
