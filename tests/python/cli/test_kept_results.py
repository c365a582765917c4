"""A motion that cannot go on is kept as far as it came, of every kind of plant."""

import csv

import pytest
from cli import PENDULUM, fails, run

# An input of each kind of plant that no solver follows from t = 0.05 s on.
BREAKS = [("double_pendulum.xml", "joint.elbow.torque"), ("serpenoid.xml", "joint2.torque"),
          ("patu655_lift_axis.xml", "cylinder.lift.velocity"), ("patu655_lift_valve.xml", "pump.flow"),
          ("cmu_dd_arm.xml", "joint.joint1.voltage")]


@pytest.mark.parametrize("robot, variable", BREAKS)
def test_a_motion_that_fails_is_kept_as_far_as_it_came(robot, variable, source, tmp_path):
    robot = source / "resources" / "robots" / robot
    (tmp_path / "in.csv").write_text(f"time,{variable}\n0,0\n0.05,1e300\n")
    base = ["simulate", robot, "--stop", "0.1"]
    whole = run(*base, "--stop", "0.04", "-o", tmp_path / "whole.csv", "--input", tmp_path / "in.csv")
    assert whole.returncode == 0, whole.stderr
    for plot in ("run.svg", "run.png"):
        said = fails(4, *base, "--input", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "--plot", tmp_path / plot)
        assert (tmp_path / plot).stat().st_size > 1000
    assert "; the result ends at t = 0.0" in said and said.count("\n") == said.count("warning: ")
    lines = (tmp_path / "out.csv").read_text().splitlines()
    before = (tmp_path / "whole.csv").read_text().splitlines()
    assert len(lines) >= len(before) and lines[: len(before)] == before
    assert float(list(csv.reader(lines))[-1][0]) <= 0.06
    printed = run(*base, "--input", tmp_path / "in.csv")
    assert printed.returncode == 4 and printed.stdout.decode().splitlines() == lines


def test_a_page_of_a_motion_that_fails_says_so(source, tmp_path):
    (tmp_path / "in.csv").write_text("time,joint.elbow.torque\n0,0\n0.05,1e300\n")
    done = run("simulate", source / "resources" / "robots" / "double_pendulum.xml", "--stop", "0.1", "--input",
               tmp_path / "in.csv", "--html", tmp_path / "run.html")
    if b"without" in done.stderr:
        pytest.skip("the program has no pages")
    assert done.returncode == 4
    assert "the motion ends early" in (tmp_path / "run.html").read_text()


def test_a_motion_without_a_beginning_leaves_no_file(tmp_path):
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    fails(4, "simulate", tmp_path / "pendulum.urdf", "--set", "joint.pivot.initial_velocity=1e200", "-o",
          tmp_path / "out.csv")
    assert [p.name for p in tmp_path.iterdir()] == ["pendulum.urdf"]
