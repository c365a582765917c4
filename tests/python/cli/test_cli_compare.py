"""forearm compare: every method on robots of every kind."""

import csv
import io
import subprocess

import pytest

from cli import ARMS, PENDULUM, ROBOTS, fails, ok
from conftest import FOREARM, SOURCE

SNAKES = [path for path in ROBOTS if "<snake" in path.read_text(encoding="utf-8")]
OTHERS = [path for path in ROBOTS if path not in ARMS and path not in SNAKES]

# Two fingers on one hand, one turning, one sliding, in frames that stand askew.
HAND = """<robot name="hand"><link name="palm"/>
<link name="thumb"><inertial><origin xyz="0.02 0 0.05"/><mass value="0.3"/>
<inertia ixx="2e-4" iyy="3e-4" izz="2e-4" ixy="1e-5" ixz="0" iyz="0"/></inertial></link>
<link name="nail"><inertial><origin xyz="0 0.01 0.02"/><mass value="0.1"/>
<inertia ixx="2e-5" iyy="3e-5" izz="2e-5" ixy="0" ixz="1e-6" iyz="0"/></inertial></link>
<link name="finger"><inertial><origin xyz="0 0 0.04"/><mass value="0.2"/>
<inertia ixx="2e-4" iyy="3e-4" izz="2e-4" ixy="0" ixz="0" iyz="1e-5"/></inertial></link>
<joint name="a" type="continuous"><parent link="palm"/><child link="thumb"/>
<origin xyz="0.1 0 0" rpy="0.3 0.2 0.1"/><axis xyz="0 0 1"/></joint>
<joint name="b" type="continuous"><parent link="thumb"/><child link="nail"/>
<origin xyz="0 0 0.1" rpy="1 0 0"/><axis xyz="0 1 0"/></joint>
<joint name="c" type="prismatic"><parent link="palm"/><child link="finger"/>
<origin xyz="-0.1 0 0" rpy="0 0.4 0"/><axis xyz="1 0 0"/>
<limit lower="-0.1" upper="0.1" effort="10" velocity="1"/></joint></robot>
"""


def rows(*arguments):
    """The table, by call and method; numbers as such, None where nothing is known."""
    text = ok("compare", *arguments, "--csv", "-")
    return {(row["call"], row["method"]):
            {name: float(value) if value else None for name, value in row.items()
             if name not in ("call", "method")}
            for row in csv.DictReader(io.StringIO(text))}


def methods():
    """Names by what they give and cover, as forearm methods has them."""
    lines = ok("methods").split("\n\n")[0].splitlines()  # of arms
    start = [lines[0].index(word) for word in ("name", "gives", "cost", "covers also", "page")]
    return {line[:start[1]].strip(): (line[start[1]:start[2]].strip(), line[start[3]:start[4]])
            for line in lines[1:]}


@pytest.mark.parametrize("robot", ARMS, ids=lambda path: path.stem)
def test_methods_agree_on_our_arms(robot):
    for name, row in rows(robot, "--untimed", "--samples", 30).items():
        assert row["agrees"] == 1 and row["states"] == 30, name
        # Rounding times the condition of the mass matrix, which is 1e5 for Ascher's arm.
        assert row["disagreement"] < 1e-9, name
        assert row["nanoseconds"] is None and row["instructions"] is None


@pytest.mark.parametrize("robot", SNAKES, ids=lambda path: path.stem)
def test_methods_agree_on_our_snakes(robot):
    table = rows(robot, "--untimed")
    assert {call for call, _ in table} == {"forward", "wheel forces"} and len(table) == 8
    for name, row in table.items():
        assert row["agrees"] == 1 and row["disagreement"] < 1e-10, name


def test_links_of_any_shape_and_any_base_are_compared(tmp_path):
    path = tmp_path / "odd.xml"
    path.write_text('<snake name="odd" links="6" base="6"><every length="0.2" wheel="0.08" mass="1" '
                    'inertia="0.005"/><link index="3" mass="2.2" length="0.3" wheel="0.12"/>'
                    '<input kind="torque"/></snake>')
    table = rows(path, "--untimed")
    assert {name for _, name in table} == {"kane", "lagrange", "newton-euler"}  # the paper's has base 1
    for name, row in table.items():
        assert row["agrees"] == 1 and row["disagreement"] < 1e-10, name


def test_a_snake_of_a_hundred_links_costs_kane_a_line_and_lagrange_a_cube(tmp_path):
    path = tmp_path / "long.xml"
    count = {}
    for links in (25, 50, 100):
        path.write_text(f'<snake name="long" links="{links}"><every length="0.2" wheel="0.1" '
                        'mass="1" inertia="0.005"/><input kind="torque"/></snake>')
        table = rows(path, "--untimed", "--samples", 3)
        for (call, method), row in table.items():
            assert row["agrees"] == 1, (call, method)
            count[method, links] = row["multiplications"]
    if count["kane", 25] is None:
        pytest.skip("built without counts")
    assert count["kane", 100] - count["kane", 50] == 2 * (count["kane", 50] - count["kane", 25])
    assert count["lagrange", 100] > 6 * count["lagrange", 50]


def test_a_tree_is_compared_by_the_methods_that_cover_trees(tmp_path):
    path = tmp_path / "hand.urdf"
    path.write_text(HAND)
    table = rows(path, "--untimed")
    fit = {name for name, (_, covers) in methods().items()
           if "branched" in covers and "prismatic" in covers}
    assert {name for _, name in table} == fit
    assert "walker-orin" not in fit and "articulated-body" in fit
    for name, row in table.items():
        assert row["agrees"] == 1 and row["disagreement"] < 1e-11, name


def test_joints_that_follow_others_are_compared(source):
    table = rows(source / "tests" / "urdf" / "mimic.urdf", "--untimed")
    assert ("forward", "lagrange") in table and len(table) > 6
    assert all(row["agrees"] == 1 for row in table.values())


def test_every_method_that_gives_an_answer_has_a_row(source):
    table = rows(source / "resources" / "robots" / "puma560.xml", "--untimed", "--samples", 2)
    gives = {"forward": "forward", "inverse": "inverse", "matrix": "mass matrix"}
    for method, (answers, _) in methods().items():
        for call, words in gives.items():
            assert ((call, method) in table) == (words in answers.split(", ")), (call, method)


def test_equal_commands_give_equal_bytes_and_seeds_other_states(source):
    robot = source / "resources" / "robots" / "scara.xml"
    first = ok("compare", robot, "--untimed", "--seed", 3)
    assert first == ok("compare", robot, "--untimed", "--seed", 3)
    assert "(seed 3)" in first and first != ok("compare", robot, "--untimed", "--seed", 4)


def test_costs_are_measured_and_the_table_says_how(tmp_path):
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM)
    text = ok("compare", path, "--method", "composite-body", "--csv", tmp_path / "cost.csv")
    assert "instructions: of one call, counted " in text and "fastest of many" in text
    with open(tmp_path / "cost.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    assert [row["call"] for row in found] == ["forward", "matrix"]
    for row in found:
        assert float(row["nanoseconds"]) > 0
        assert bool(row["instructions"]) == ("counted nowhere" not in text)


def test_a_payload_and_locks_change_what_is_compared(source):
    robot = source / "resources" / "robots" / "puma560.xml"
    plain = ok("compare", robot, "--untimed", "--method", "gibbs-appell")
    heavy = ok("compare", robot, "--untimed", "--method", "gibbs-appell", "--set", "payload.mass=2")
    assert plain != heavy  # rounding falls otherwise
    joint = next(line.split(".")[1] for line in ok("inspect", robot).split() if line.startswith("joint."))
    assert "5 degrees of freedom" in ok("compare", robot, "--untimed", "--lock", f"{joint}=0.1")


@pytest.mark.parametrize("arguments, message", [
    (["--method", "gibs-appell"],
     "forearm: there is no method 'gibs-appell' for arms; did you mean 'gibbs-appell'?"),
    (["--samples", "0"], "forearm: --samples takes a whole number from 1 to 1000000000, and not '0'"),
    (["--samples", "2.5"], "forearm: --samples takes a whole number from 1 to 1000000000, and not '2.5'"),
    (["--seed", "-1"], "forearm: --seed takes a whole number from 0 to 1000000000, and not '-1'"),
])
def test_what_cannot_be_asked_is_refused(source, arguments, message):
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    assert fails(2, "compare", robot, *arguments) == message


def test_a_method_that_does_not_cover_the_robot_is_refused(tmp_path):
    path = tmp_path / "hand.urdf"
    path.write_text(HAND)
    said = fails(2, "compare", path, "--method", "walker-orin")
    assert said == ("forearm: method 'walker-orin' does not cover this kind of robot; forearm methods says "
                    "what each of them covers")
    said = fails(2, "compare", SNAKES[0], "--method", "gibbs-appell")
    assert "there is no method 'gibbs-appell' for snakes" in said


@pytest.mark.parametrize("robot", OTHERS, ids=lambda path: path.stem)
def test_what_has_one_method_only_is_refused(robot):
    assert "only arms, mechanisms and snakes on ideal wheels have several methods" in fails(2, "compare", robot)


def test_a_robot_that_cannot_move_is_refused(source):
    said = fails(2, "compare", source / "tests" / "urdf" / "no_joints.urdf")
    assert "so there is nothing to compare" in said


def test_an_installed_program_counts_without_its_sources(tmp_path):
    """The program alone, copied elsewhere: counts are inside of it."""
    alone = tmp_path / "forearm"
    alone.write_bytes(FOREARM.read_bytes())
    alone.chmod(0o755)
    (tmp_path / "arm.xml").write_bytes((SOURCE / "resources" / "robots" / "scara.xml").read_bytes())
    done = subprocess.run([alone, "compare", "arm.xml", "--untimed"], cwd=tmp_path, env={},
                          capture_output=True, text=True, check=True)
    assert done.stdout == ok("compare", tmp_path / "arm.xml", "--untimed")
