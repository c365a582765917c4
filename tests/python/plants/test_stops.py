"""Stops at the limits of all joints: --stops, <stops/>, stops=; and warnings where nothing stops a joint."""

import json
import math
import re
import sys

import fmpy
import pytest

from cli import fails, run
from conftest import SOURCE
from test_cli import every_command
from test_cylinders import motion_of

PUMA = SOURCE / "resources" / "robots" / "puma560.xml"
OWN = """<robot name="two">
<link name="base"/>
<link name="one"><inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="two"><inertial><origin xyz="0.2 0 0"/><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="three"><inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
<joint name="slide" type="prismatic"><parent link="one"/><child link="two"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
<limit lower="-0.5" upper="0.1" effort="9" velocity="9"/></joint>
<joint name="spin" type="continuous"><parent link="two"/><child link="three"/><axis xyz="0 1 0"/></joint>
</robot>
"""


@pytest.fixture
def two(tmp_path):
    (tmp_path / "two.urdf").write_text(OWN)
    return tmp_path / "two.urdf"


def stops_of(robot, *options):
    """(stiffness, damping) of each joint that has a stop."""
    done = run("inspect", robot, "--json", *options)
    assert done.returncode == 0, done.stderr
    start = {v["name"]: v.get("start") for v in json.loads(done.stdout)["variables"]}
    return {name.split(".")[1]: (value, start[name.replace("stiffness", "damping")])
            for name, value in start.items() if name.endswith(".stop_stiffness")}


def test_a_chosen_stop_swings_at_50_hertz_with_what_its_joint_feels(two):
    chosen = stops_of(two, "--stops")
    assert set(chosen) == {"turn", "slide"}
    # At the limits of `turn` the slide is at 0, and free: of the masses beyond it, `turn` feels what is across the slide.
    w = 2 * math.pi * 50
    turn = 0.1 + 2 * 0.5**2 + 0.1 + 3 * 1.2**2 + 1 * 1.0**2
    turn -= 0  # spin: a body whose centre of mass is on its axis, and whose own inertia it does not hand on
    want = {"turn": turn * w * w, "slide": (3 + 1) * w * w}
    for joint, (stiffness, damping) in chosen.items():
        assert stiffness == pytest.approx(want[joint], rel=0.006), joint  # three digits
        assert damping == pytest.approx(stiffness / w, rel=0.01)
        assert len(f"{stiffness:g}".replace(".", "").rstrip("0")) <= 3


@pytest.mark.parametrize("name", ["ur5_robot", "panda", "ur10_robot", "double_pendulum", "finger_edu"])
def test_real_robots_stay_within_their_limits_when_they_fall(name, robots, forearm, tmp_path):
    robot = robots.get(name)
    if robot is None:
        pytest.skip(f"there is no {name}")
    done = run("simulate", robot, "--stops", "--stop", 3)
    assert done.returncode == 0 and b"leaves its limits" not in done.stderr, done.stderr
    motion = motion_of(done.stdout.decode())
    start = {v["name"]: v.get("start") for v in json.loads(forearm("inspect", robot, "--json", "--stops"))["variables"]}
    for joint in stops_of(robot, "--stops"):
        q, rate = motion[f"joint.{joint}.position"], abs(motion[f"joint.{joint}.velocity"]).max()
        # What comes with v goes in by less than v / w; others that push on it in the meantime at most double that.
        depth = 2 * rate / (2 * math.pi * 50) + 0.01
        assert q.max() < start[f"joint.{joint}.upper_limit"] + depth, joint
        assert q.min() > start[f"joint.{joint}.lower_limit"] - depth, joint


def test_numbers_a_side_file_and_a_joint_s_own_stop(two, tmp_path):
    assert stops_of(two) == {}
    assert stops_of(two, "--stops=damping=3,stiffness=2e4") == {"turn": (2e4, 3), "slide": (2e4, 3)}
    assert stops_of(two, "--stops=stiffness=50") == {"turn": (50, 0), "slide": (50, 0)}
    side = tmp_path / "side.xml"

    def with_side(text, *options):
        side.write_text(f'<actuators for="two">{text}</actuators>')
        return stops_of(two, "--actuators", side, *options)

    assert with_side("<stops/>") == stops_of(two, "--stops")
    assert with_side('<stops stiffness="70" damping="2"/>') == {"turn": (70, 2), "slide": (70, 2)}
    own = '<joint name="turn"><stop stiffness="5" damping="1"/></joint>'
    assert with_side('<stops stiffness="70"/>' + own) == {"turn": (5, 1), "slide": (70, 0)}
    assert with_side(own + '<stops stiffness="70"/>') == {"turn": (5, 1), "slide": (70, 0)}  # in any order
    assert with_side(own, "--stops=stiffness=9") == {"turn": (5, 1), "slide": (9, 0)}
    assert stops_of(two, "--stops", "--lock", "turn=0.2").keys() == {"slide"}


@pytest.mark.parametrize("word", ["=", "=stiffness", "=stiffness=", "=stiffness=0", "=stiffness=-1", "=damping=3", "=stiffness=1,",
                                  "=stiffness=1,damping=-1", "=stiffness=1,stiffness=2", "=5", "=stiffness=1e400", "=damping=nan,stiffness=1"])
def test_words_that_are_no_stops_are_refused(word, two):
    if word == "=":
        assert "--stops= has nothing behind the =; leave that out too" in fails(2, "check", two, "--stops=")
        return
    assert "--stops takes nothing, or a stiffness above zero and a damping that is not negative" in fails(2, "check", two, f"--stops{word}")


@pytest.mark.parametrize("text, told", [
    ('<stops damping="2"/>', "<stops> has a damping and no stiffness; give it both, or neither, so that they are chosen"),
    ('<stops stiffness="0"/>', "the stiffness of <stops> must be above zero"),
    ('<stops stiffness="1" damping="-2"/>', "stop_damping of joint"),
    ('<stops/><stops/>', "<actuators> has a second <stops> here, after the one in line"), ('<joint name="turn"><stops/></joint>', "stops")])
def test_a_side_file_with_wrong_stops_is_refused(text, told, two, tmp_path):
    (tmp_path / "side.xml").write_text(f'<actuators for="two">{text}</actuators>')
    assert told in fails(1, "check", two, "--actuators", tmp_path / "side.xml")


def test_where_nothing_can_stand_stops_are_told_of(tmp_path):
    snake = SOURCE / "resources" / "robots" / "serpenoid.xml"
    assert "no joint has limits; leave this option out" in fails(1, "check", snake, "--stops")
    free = tmp_path / "free.urdf"
    free.write_text(re.sub("revolute|prismatic", "continuous", re.sub("<limit.*?/>", "", OWN)))
    done = run("check", free, "--stops")
    assert done.returncode == 0 and b"no joint has limits without a stop of its own, so there is nothing for stops" in done.stderr


def test_every_command_that_reads_a_robot_takes_them(tmp_path):
    for words in every_command(PUMA, tmp_path):
        done = run(*words, "--stops")
        assert done.returncode == 0, (words, done.stderr)


def test_who_leaves_limits_is_told_when_and_how_far(two, tmp_path):
    done = run("simulate", two, "--stop", 1, "--step", 0.001)
    motion = motion_of(done.stdout.decode())
    told = [line for line in done.stderr.decode().splitlines() if "leaves its limits" in line]
    assert [re.search("joint '(.*?)'", line)[1] for line in told] == ["turn", "slide"]
    for line, joint, lower, upper in zip(told, ("turn", "slide"), (-1, -0.5), (1, 0.1)):
        since, when, by = re.fullmatch(r"forearm: .*: warning: joint '\w+' leaves its limits at t = (\S+) s, and is farthest beyond "
                                       r"\S+ \w+ at t = (\S+) s, by (\S+) \w+; nothing stops it there: --stops, or a <stop>, does",
                                       line).groups()
        q = motion[f"joint.{joint}.position"]
        beyond = [max(x - upper, lower - x) for x in q]
        assert float(by) == pytest.approx(max(beyond), rel=1e-4)
        assert float(when) == pytest.approx(motion["time"][beyond.index(max(beyond))])
        assert float(since) == pytest.approx(next(t for t, b in zip(motion["time"], beyond) if b > 1e-6))
    assert b"leaves" not in run("simulate", two, "--stop", 1, "--stops").stderr
    table = tmp_path / "runs.csv"
    table.write_text("joint.turn.initial_position\n0\n0.5\n")
    done = run("runs", two, "--in", table, "--stop", 1)
    assert done.stderr.count(b"leaves its limits in run 0 first") == 2
    # Which run is farthest beyond, and how far, is what simulate says of that run by itself.
    told = re.search(rb"joint 'turn' .* beyond (.*?) at t = (.*?) s of run (\d), by (.*?);", done.stderr).groups()
    alone = run("simulate", two, "--stop", 1, "--set", f"joint.turn.initial_position={(0, 0.5)[int(told[2])]}").stderr
    assert b"beyond %b at t = %b s, by %b;" % (told[0], told[1], told[3]) in alone
    assert b"leaves" not in run("runs", two, "--in", table, "--stop", 1, "--stops").stderr


def test_a_session_warns_too(two, tmp_path):
    script = tmp_path / "session"
    script.write_text("simulate new kept constant 1000\n")
    assert b"joint 'turn' leaves its limits at t = " in run("sim", two, "--script", script).stderr
    assert b"leaves" not in run("sim", two, "--script", script, "--stops").stderr


def test_they_are_settled_in_an_fmu(tmp_path):
    fmu = tmp_path / "puma.fmu"
    assert run("export", PUMA, "--stops", "-o", fmu, "--platforms", "native").returncode == 0
    assert len(stops_of(fmu)) == 6
    assert "--lock, --wrench, --cut, --actuators, --stops" in fails(2, "inspect", fmu, "--stops")


@pytest.mark.parametrize("said, told", [
    ("stops = true", {"turn", "slide"}), ("stops = { stiffness = 50, damping = 2 }", 50), ("", set()),
    ("stops = { damping = 2 }", "must be true, or { stiffness"), ("stops = { stiffness = -1 }", "must be true, or"),
    ("stops = 3", "'stops' is 3; it must be true")])
def test_a_study_says_stops_too(said, told, two, tmp_path):
    sys.path.insert(0, str(SOURCE / "python"))
    from forearm.errors import Error
    from forearm.sweep.driver import fmu_of
    from forearm.sweep.study import read_study

    study = tmp_path / "study.toml"
    study.write_text(f'robot = "{two}"\nstop = 1\nstep = 0.1\n{said}\n[design.of]\n"payload.mass" = [0]\n')
    def stops(*word):
        (tmp_path / "study.fmu").write_bytes(fmu_of(read_study(study, *word)))
        return stops_of(tmp_path / "study.fmu")
    if isinstance(told, str):
        with pytest.raises(Error, match=re.escape(told)):
            read_study(study)
        return
    assert stops() == {"turn": (50, 2), "slide": (50, 2)} if told == 50 else stops().keys() == told
    assert stops("stiffness=7,damping=1") == {"turn": (7, 1), "slide": (7, 1)}
    with pytest.raises(Error, match="--stops takes nothing, or stiffness=K,damping=D, and not 'soft'"):
        read_study(study, "soft")


def test_python_says_stops_too(two, tmp_path):
    sys.path.insert(0, str(SOURCE / "python"))
    import forearm

    def stiffness(stops):
        data = forearm.inspect(two, stops=stops)
        return [v["start"] for v in data["variables"] if v["name"].endswith("stop_stiffness")]

    assert stiffness(False) == [] and len(stiffness(True)) == 2
    assert stiffness({"stiffness": 1e4, "damping": 2}) == [1e4, 1e4]


# Limits without stops: the host is told, once of each joint. FMPy leaves out CompletedIntegratorStep, which Model
# Exchange tells in (tests/fmu/test_fmu_limits.c), as the description says that it is not needed.
@pytest.mark.parametrize("fmi", [2, 3])
def test_a_host_is_told_that_a_joint_leaves_its_limits(fmi, export, tmp_path):
    urdf = tmp_path / "one.urdf"
    urdf.write_text('<robot name="one"><link name="base"/><link name="l"><inertial><mass value="1"/>'
                    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
                    '<joint name="elbow" type="revolute"><parent link="base"/><child link="l"/>'
                    '<axis xyz="0 0 1"/><limit lower="-1" upper="0.5" effort="9" velocity="9"/></joint></robot>')
    told = {}
    results = []
    for stops in ([], ["--stops"]):
        for logging in (True, False):
            lines = told[len(stops), logging] = []
            result = fmpy.simulate_fmu(
                str(export(urdf, "--fmi", fmi, *stops)), fmi_type="CoSimulation", stop_time=2, output_interval=0.01,
                start_values={"joint.elbow.initial_velocity": 1.0}, output=["joint.elbow.position"],
                record_events=False, debug_logging=logging, logger=lambda *a, lines=lines: lines.append(a))
            results.append([list(row) for row in result])
    limits = {key: [str(a[-1]) for a in lines if "beyond its limit" in str(a[-1])] for key, lines in told.items()}
    (line,) = limits.pop((0, True))
    assert "'joint.elbow.position' is 0.5" in line and "limit 0.5" in line and "--stops" in line
    time = float(line.split("at t = ")[1].split(" s")[0])
    assert 0.5 < time < 0.5 + 2 * 0.01  # it moves with 1 rad/s
    assert not any(limits.values())
    assert results[0] == results[1]
