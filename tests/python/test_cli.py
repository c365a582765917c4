"""The program's commands: what they print, what they write, and the code that the shell gets."""

import csv
import io
import json
import random
import subprocess

import pytest

from conftest import FOREARM, SOURCE

ROBOTS = sorted((SOURCE / "resources" / "robots").glob("*.xml"))


def run(*arguments, stdin=None, env=None, cwd=None):
    """The finished program, with bytes on both of its outputs."""
    return subprocess.run([FOREARM, *map(str, arguments)], input=stdin, capture_output=True,
                          env=env, cwd=cwd, timeout=120)


def ok(*arguments, **options):
    """What it prints; it must succeed."""
    done = run(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def fails(code, *arguments, **options):
    """What it says; it must end with this code, and nothing on standard output."""
    done = run(*arguments, **options)
    assert done.returncode == code, done.stderr.decode()
    assert done.stdout == b""
    return done.stderr.decode().rstrip("\n")


def table(text):
    """Rows of a CSV text as dicts of floats."""
    return [{name: float(value) for name, value in row.items()}
            for row in csv.DictReader(io.StringIO(text))]


def as_csv(rows):
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def names(robot, ending):
    """Names of the robot's variables with that ending, in their order."""
    listed = json.loads(ok("inspect", "--json", robot))["variables"]
    return [v["name"] for v in listed if v["name"].endswith(ending)]


def random_states(robot, n, seed):
    """Rows with positions, velocities, efforts and a wrench on the tip."""
    draw = random.Random(seed)
    inputs = [name for ending in (".torque", ".force") for name in names(robot, ending)
              if name.startswith("joint.")]
    wrench = [f"tip.{kind}.{axis}" for kind in ("force", "torque") for axis in "xyz"]
    columns = {**{name: 2 for name in names(robot, ".position")},
               **{name: 3 for name in names(robot, ".velocity")
                  if not name.endswith("initial_velocity")},
               **{name: 20 for name in inputs}, **{name: 5 for name in wrench}}
    return [{name: draw.uniform(-size, size) for name, size in columns.items()
             if name.split(".")[-1] != "initial_position"} for _ in range(n)]


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
def test_inverse_undoes_forward(robot, tmp_path):
    rows = random_states(robot, 20, robot.stem)
    (tmp_path / "states.csv").write_text(as_csv(rows))
    ok("forward", robot, "--in", tmp_path / "states.csv", "--out", tmp_path / "qdd.csv")
    accelerations = table((tmp_path / "qdd.csv").read_text())
    assert len(accelerations) == len(rows)
    motions = as_csv([{**row, **qdd} for row, qdd in zip(rows, accelerations)])
    efforts = table(ok("inverse", robot, "--in", "-", stdin=motions.encode()))
    for row, effort in zip(rows, efforts):
        # Rounding alone, on the scale of what forces a motion of this size needs.
        scale = max(map(abs, [1, *effort.values(), *row.values()]))
        for name, value in effort.items():
            assert value == pytest.approx(row[name], abs=1e-9 * scale)
