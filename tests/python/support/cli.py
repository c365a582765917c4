"""What the tests of the program share: running it, and tables of numbers."""

import csv
import io
import json
import random
import subprocess

from conftest import FOREARM, SOURCE

ROBOTS = sorted((SOURCE / "resources" / "robots").glob("*.xml"))
ARMS = [path for path in ROBOTS if "<arm" in path.read_text(encoding="utf-8")]

# A mass of 2 kg on a rail, a pendulum of 1 m and 1 kg with all of it at its end: both have closed forms.
SLIDER = """<robot name="slider">
<link name="rail"/><link name="cart"><inertial><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-10" upper="10" effort="100" velocity="10"/></joint></robot>
"""
PENDULUM = """<robot name="pendulum">
<link name="ground"/><link name="bob"><inertial><origin xyz="0 0 -1"/><mass value="1"/>
<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="pivot" type="continuous"><parent link="ground"/><child link="bob"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def robot(name):
    """The file of one of our robots."""
    return next(path for path in ROBOTS if path.stem == name)


def run(*arguments, stdin=b"", **options):
    """The finished program, with bytes on both of its outputs."""
    return subprocess.run([FOREARM, *map(str, arguments)], input=stdin, capture_output=True,
                          timeout=120, **options)


def ok(*arguments, **options):
    """What it prints; it must succeed."""
    done = run(*arguments, **options)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def fails(code, *arguments, **options):
    """What it says; it must end with this code, and print nothing on standard output."""
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


def variables(robot, *options):
    return json.loads(ok("inspect", "--json", robot, *options))["variables"]


def random_states(robot, n, seed, *options):
    """Rows with a random number for each state and each input."""
    draw = random.Random(seed)
    sizes = {"position": 2, "velocity": 3, "torque": 20, "force": 20}
    columns = {}
    for v in variables(robot, *options):
        if v["role"] in ("state", "input") and not v["name"].startswith("energy."):
            columns[v["name"]] = sizes.get(v["name"].split(".")[-1], 5)
    return [{name: draw.uniform(-size, size) for name, size in columns.items()} for _ in range(n)]
