"""What the tests of `forearm sweep` share: a robot, studies of it, and running them."""

import os
import subprocess
import sys

import pytest

from conftest import FOREARM, SOURCE

pandas = pytest.importorskip("pandas")
pytest.importorskip("distributed")

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
# By the built-in integrator: of motions so long that there is time to disturb them.
TOGETHER = STUDY.replace("stop = 0.5\nstep = 0.1", 'stop = 40.0\nstep = 0.5\nintegrator = "built-in"').replace(
    '"payload.mass" = {{ from = 0.0, to = 2.0 }}', '"joint.pivot.viscous_friction" = {{ from = 0.001, to = 0.01 }}')


GRID = """robot = "pendulum.xml"
stop = 0.2
step = 0.1
outputs = ["tip.y"]
[design]
[design.of]
"payload.mass" = [0.0, 1e308, 2.0]
"gravity.y" = { from = -10.0, to = -9.0, n = 2 }
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
