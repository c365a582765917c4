"""`forearm forward` of snakes: every method that `forearm methods` lists for them, against the plant and each other."""

import csv
import io
import random
import re

import pytest
from cli import ROBOTS, as_csv, fails, ok, run, table, variables
from conftest import SOURCE

SNAKES = [path for path in ROBOTS if "<snake" in path.read_text(encoding="utf-8")]
GROUNDS = [SOURCE / "tests" / "reference" / "sliding" / "robots" / f"{name}.xml" for name in ("pegs", "wheel_ice", "ideal_slope")]
METHODS = re.findall(r"^(\S+) +forward", ok("methods").split("for snakes")[1], re.MULTILINE)


def states(robot, n, seed=5):
    """Rows with a number for each state and each input, within what machines do."""
    draw = random.Random(seed)
    names = [v["name"] for v in variables(robot) if v["role"] in ("state", "input")]
    return [{name: draw.uniform(-0.5, 0.5) for name in names} for _ in range(n)]


def test_there_are_snakes_and_methods():
    assert len(SNAKES) >= 2 and {"kane", "lagrange", "newton-euler"} <= set(METHODS)


@pytest.mark.parametrize("robot", SNAKES, ids=lambda path: path.stem)
@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_the_plant_s_accelerations(method, robot):
    given = as_csv(states(robot, 20)).encode()
    expected = table(ok("forward", robot, "--in", "-", stdin=given))
    done = run("forward", robot, "--in", "-", "--method", method, stdin=given)
    if b"by their first link" in done.stderr:
        assert done.returncode == 2
        return
    assert done.returncode == 0, done.stderr
    got = table(done.stdout.decode())
    assert len(got) == len(expected) == 20
    for row, right in zip(got, expected):
        assert list(row) == list(right) and list(row)[:2] == ["speed_derivative", "rate_derivative"]
        size = max(map(abs, right.values()))
        # The tolerance of compare: forces come link by link from the ends, and rounding with them.
        assert row == pytest.approx(right, abs=1e-9 * size)
    assert any(row != got[0] for row in got)


@pytest.mark.parametrize("robot", SNAKES + GROUNDS, ids=lambda path: path.stem)
def test_a_simulation_s_table_gives_its_own_derivatives(robot, tmp_path):
    ok("simulate", robot, "--stop", "0.5", "--step", "0.1", "-o", tmp_path / "run.csv")
    text = (tmp_path / "run.csv").read_text()
    lines = list(csv.DictReader(io.StringIO(text)))
    got = list(csv.DictReader(io.StringIO(ok("forward", robot, "--in", tmp_path / "run.csv"))))
    assert len(got) == len(lines) == 6 and list(got[0])[0] == "time"
    for row, line in zip(got, lines):
        assert row == {name: line[name] for name in row}  # the same bits


@pytest.mark.parametrize("robot", GROUNDS, ids=lambda path: path.stem)
def test_methods_are_of_ideal_wheels_on_level_ground(robot, tmp_path):
    (tmp_path / "one.csv").write_text("time\n0\n")
    said = fails(2, "forward", robot, "--in", tmp_path / "one.csv", "--method", "kane")
    assert "the methods are of snakes on ideal wheels and level ground" in said and said.endswith("leave --method out")


def test_what_it_has_not_is_said():
    said = fails(2, "forward", SNAKES[0], "--in", "-", "--method", "kan")
    assert said == "forearm: there is no method 'kan' for snakes; did you mean 'kane'?"
    assert "no method 'gibbs-appell' for snakes" in fails(2, "forward", SNAKES[0], "--in", "-", "--method", "gibbs-appell")
    assert "inverse dynamics are for arms" in fails(2, "inverse", SNAKES[0], "--in", "-")
    assert "leave --outputs out, or take simulate" in fails(2, "forward", SNAKES[0], "--in", "-", "--outputs", "poses")
    said = fails(1, "forward", SNAKES[0], "--in", "-", stdin=b"speed\nx\n")
    assert said.startswith("standard input:2:1: ")


def test_a_method_of_the_first_link_refuses_another_base(tmp_path):
    (tmp_path / "odd.xml").write_text('<snake name="odd" links="6" base="6"><every length="0.2" wheel="0.08" mass="1" '
                                      'inertia="0.005"/></snake>')
    said = fails(2, "forward", tmp_path / "odd.xml", "--in", "-", "--method", "kane-paper")
    assert said.startswith("forearm: method 'kane-paper' describes snakes by their first link, and this one is described by link 6")
    given = as_csv(states(tmp_path / "odd.xml", 5)).encode()
    kane, lagrange = (table(ok("forward", tmp_path / "odd.xml", "--in", "-", "--method", method, stdin=given))
                      for method in ("kane", "lagrange"))
    for row, right in zip(kane, lagrange):
        assert row == pytest.approx(right, abs=1e-9 * max(map(abs, right.values())))
