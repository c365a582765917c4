"""The package of the source tree with its extension module, for the tests of this folder."""

import json
import os
import sys
import warnings

import numpy as np
import pytest

from conftest import FOREARM, SOURCE

MODULE = FOREARM.resolve().parents[1] / "python" / "_core.abi3.so"
GOLDEN = SOURCE / "tests" / "python" / "library" / "golden"

if not MODULE.exists():
    pytest.skip("forearm._core is not built here: Python's headers are not there", allow_module_level=True)
os.environ["FOREARM"] = str(FOREARM)
sys.path.insert(0, str(SOURCE / "python"))

import forearm as fa  # noqa: E402

assert fa.load  # brings the module, which the tests import from

TWO = """<arm name="two" convention="standard" gravity="0 -9.81 0">
<joint name="shoulder" type="revolute" a="1"><link name="upper" mass="2" com="-0.5 0 0" inertia="0 0.1 0.1 0 0 0"/></joint>
<joint name="elbow" type="revolute" a="1"><friction viscous="0.3"/><link name="lower" mass="1" com="-0.5 0 0" inertia="0 0.1 0.1 0 0 0"/></joint>
</arm>"""


def load(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fa.load(path, **options)


def golden(name):
    return load(GOLDEN / f"{name}.urdf"), json.loads((GOLDEN / f"batch_{name}.json").read_text())


def states(robot, count=50, seed=0):
    random = np.random.default_rng(seed)
    return [random.uniform(-2, 2, (count, robot.n)) for _ in range(3)]
