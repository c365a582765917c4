"""forearm.load: what a robot says of itself, errors, pickles, docstrings and stubs."""

import copy
import doctest
import inspect
import os
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import FOREARM, SOURCE
from core_package import GOLDEN, TWO, fa, golden, load

from forearm import _core
from forearm import motion as motion_module
from forearm import robot as robot_module


def test_what_a_robot_says_of_itself():
    robot = load(SOURCE / "resources" / "robots" / "puma560.xml")
    assert robot.n == 6 and robot.joints[:2] == ("waist", "shoulder") and robot.links[:2] == ("trunk", "upper_arm")
    assert np.allclose(robot.limits.upper[0], 2.792526803190927) and np.isinf(robot.limits.effort).all()
    text = repr(robot)
    assert text.startswith("Robot 'puma560': 6 joints, tip at link 'tool_plate', gravity 0 0 -9.81")
    assert re.search(r"^1 +shoulder +R +upper_arm +-1.92 +1.92 +- +- +friction$", text, re.MULTILINE)
    assert robot._repr_html_().startswith("<svg") and "waist" in robot._repr_html_()
    assert "with payload.mass = 2" in repr(robot.with_parameters({"payload.mass": 2}))
    assert "friction" not in repr(golden("arm7")[0])  # nothing acts there
    assert fa.build_info()["version"] == fa.__version__


def test_a_robot_comes_from_text_and_from_an_fmu(tmp_path, forearm):
    robot = fa.loads(TWO)
    assert robot.joints == ("shoulder", "elbow") and robot.name == "two"
    file = tmp_path / "two.xml"
    file.write_text(TWO)
    forearm("export", file, "-o", tmp_path / "two.fmu", "--platforms", "native")
    q = [0.3, -0.4]
    assert (fa.load(tmp_path / "two.fmu").mass_matrix(q) == robot.mass_matrix(q)).all()
    assert fa.load(file, tip="upper").tip == "upper"
    locked = fa.load(file, lock={"elbow": 0.5})
    assert locked.joints == ("shoulder",)
    assert np.allclose(locked.gravity_torque([0.3]), robot.gravity_torque([0.3, 0.5])[0], rtol=0, atol=1e-12)
    with pytest.raises(fa.RobotError, match="are settled; load the robot file"):
        fa.load(tmp_path / "two.fmu", tip="upper")
    (tmp_path / "no.fmu").write_text("nothing")
    with pytest.raises(fa.RobotError, match="no robot can be read from this FMU"):
        fa.load(tmp_path / "no.fmu")


def test_pickles_and_copies_are_the_same_to_the_bit():
    robot = golden("arm7")[0].with_parameters({"payload.mass": [0.5, 1]})
    other = pickle.loads(pickle.dumps(robot))
    q = np.random.default_rng(0).normal(size=(4, 1, 7))
    assert (other.forward(q, q, q) == robot.forward(q, q, q)).all() and repr(other) == repr(robot)
    assert copy.deepcopy(robot) is robot and copy.copy(robot) is robot


FAULTS = [
    (lambda r: r.forward(np.zeros((64, 7)), 0, np.zeros((64, 6))), "ShapeError", "tau: (64, 7) wanted for 7 joints, (64, 6) given"),
    (lambda r: r.forward(np.zeros(6), 0, 0), "ShapeError", "q: (…, 7) wanted for 7 joints, (6,) given"),
    (lambda r: r.bias(np.zeros((3, 7)), np.zeros((4, 7))), "ShapeError", "leading axes that broadcast are wanted, q: (3, 7), qd: (4, 7) given"),
    (lambda r: r.mass_matrix("much"), "ShapeError", "q: numbers wanted, str given"),
    (lambda r: r.forward(np.zeros(7), 0, 0, wrench=[1, 2]), "ShapeError", "wrench: (…, 6) wanted, (2,) given"),
    (lambda r: r.forward(np.zeros(7), 0, 0, out=np.zeros(6)), "ShapeError", "out: (7,) wanted, (6,) given"),
    (lambda r: r.forward(np.zeros(7), 0, 0, out=[0] * 7), "ShapeError", "out: (7,) wanted, list given"),
    (lambda r: r.with_parameters({"payload.mass": [1, 2], "gravity.z": [1, 2, 3]}), "ShapeError", "parameters that broadcast are wanted"),
    (lambda r: r.with_parameters({"payload.mass": []}), "ShapeError", "parameters of at least one robot are wanted"),
    (lambda r: r.with_parameters({"payload.mass": [1, 2]}).forward(np.zeros((3, 7)), 0, 0), "ShapeError", "the robot's parameters: (2,) given"),
    (lambda r: r.with_parameters({"payload.mass": [1, 2]}).linearise(0), "ShapeError", "one robot is wanted"),
    (lambda r: r.linearise(np.zeros((2, 7))), "ShapeError", "q: (7,) wanted for one state, (2, 7) given"),
    (lambda r: r.simulate(1, q=np.zeros((2, 7)), qd=np.zeros((3, 7))), "ShapeError", "that broadcast are wanted"),
    (lambda r: r.with_parameters({"payload.mas": 1}), "RobotError", "the robot has no variable 'payload.mas'; did you mean 'payload.mass'?"),
    (lambda r: r.with_parameters({"payload.mass": -1}), "RobotError", "'payload.mass' must be at least 0, not -1"),
    (lambda r: r.with_parameters({"joint.j1.torque": 1}), "RobotError", "'joint.j1.torque' is no parameter"),
    (lambda r: r.pose(np.zeros(7), frame="l9"), "RobotError", "the robot has no link 'l9'"),
    (lambda r: r.order("drake"), "RobotError", "there is no order 'drake'"),
    (lambda r: r.order(["j1"]), "RobotError", "an order names each joint once"),
    (lambda r: r.forward(np.zeros(7), 0, 0, threads=0), "Error", "threads must be a whole number from 1 to 256"),
    (lambda r: r.simulate(0), "Error", "a motion needs a time to stop at"),
    (lambda r: r.simulate(1e9, step=1e-3), "Error", "take a longer step"),
    (lambda r: r.simulate(1, period=0), "Error", "a control period above zero is wanted"),
    (lambda r: r.simulate(1, solver="euler"), "Error", "there is no solver 'euler'"),
    (lambda r: r.simulate(1, q=np.nan), "Error", "a motion starts from finite numbers"),
    (lambda r: r.simulate(1, control=lambda t, q, qd: np.zeros(3)), "ShapeError", "control: (…, 7) wanted for 7 joints, (3,) given"),
    (lambda r: r.simulate(0.1)(0.2), "ShapeError", "times from 0 s to 0.1 s are wanted"),
]


@pytest.mark.parametrize("ask, kind, sentence", FAULTS, ids=[row[2][:40] for row in FAULTS])
def test_faults_say_what_is_wrong(ask, kind, sentence):
    with pytest.raises(fa.Error) as fault:
        ask(golden("arm7")[0])
    assert type(fault.value).__name__ == kind and sentence in str(fault.value)
    assert not isinstance(fault.value, fa.ShapeError) or isinstance(fault.value, ValueError)


def test_faults_of_files_say_where(tmp_path):
    with pytest.raises(fa.RobotError) as fault:
        load(SOURCE / "tests" / "bad" / "mass_comma.urdf")
    assert (fault.value.line, fault.value.column) == (7, 20) and fault.value.file.endswith("mass_comma.urdf")
    with pytest.raises(fa.RobotError, match="it is a snake, and equations for many states are of robots of links"):
        load(SOURCE / "resources" / "robots" / "serpenoid.xml")
    with pytest.raises(fa.RobotError, match="'j9'"):
        load(GOLDEN / "arm7.urdf", lock={"j9": 0})
    with pytest.warns(fa.Warning, match="the axis of joint 'j6' has the length 3"):
        fa.load(GOLDEN / "arm7.urdf")
    with pytest.raises(fa.RobotError, match="the axis of joint 'j6'"):
        fa.load(GOLDEN / "arm7.urdf", strict=True)
    with pytest.raises(TypeError, match="misses the argument 'tau'"):
        golden("arm7")[0].forward(0, 0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        golden("arm7")[0].forward(0, 0, 0, speed=1)


def test_every_docstring_has_an_example_that_runs():
    names = {"robot": fa.loads(TWO), "np": np, "fa": fa}
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    public = [(name, value) for cls in (_core.Robot, robot_module.Robot) for name, value in vars(cls).items()
              if not name.startswith("_") and (callable(value) or isinstance(value, property))]
    public.append(("parameters", robot_module.Derivatives.parameters))
    for name, value in public:
        text = inspect.getdoc(value) or ""
        assert ">>>" in text, f"{name} has no example"
        for test in finder.find(value.fget if isinstance(value, property) else value, name, globs=dict(names)) or [
                doctest.DocTestParser().get_doctest(text, dict(names), name, None, 0)]:
            assert test.examples, name
            result = runner.run(test)
            assert result.failed == 0, name
    assert len(public) >= 17


def stub():
    """The stub file: what the docstrings say in their first lines."""
    lines = ['"""Types of the extension module; written by tests/python/library/test_interface.py from its docstrings."""', "",
             "from typing import Any", "", "import numpy as np", "import numpy.typing as npt", ""]
    lines += [f"def {_core.__dict__[name].__doc__.splitlines()[0]}: ..." for name in ("version", "build_info")]
    made = {"Robot": "path: str, text: bytes | None, canonical: bool, tip: str | None, joints: tuple[str, ...], positions: "
                     "tuple[float, ...], actuators: str | None, strict: bool, lenient: bool, heard: "
                     "list[tuple[str | None, int, int, str]]",
            "Motions": "robot: Robot, runs: int, rows: tuple[int, ...], values: npt.NDArray[np.float64]"}
    for cls in (_core.Robot, _core.Motions):
        lines += ["", "", f"class {cls.__name__}:", f"    def __new__(cls, {made[cls.__name__]}) -> Any: ..."]
        for name, value in vars(cls).items():
            if type(value).__name__ == "getset_descriptor":
                lines += ["    @property", f"    def {name}(self) -> int: ..."]
            elif type(value).__name__ == "method_descriptor":
                lines.append(f"    def {value.__doc__.splitlines()[0]}: ...")
    return "\n".join(lines) + "\n"


def test_the_stubs_say_what_the_docstrings_say():
    file = SOURCE / "python" / "forearm" / "_core.pyi"
    if os.environ.get("FOREARM_UPDATE"):
        file.write_text(stub())
    assert file.read_text() == stub()
    compile(stub(), "_core.pyi", "exec")


def test_without_the_module_the_rest_works(tmp_path):
    program = ("import forearm, sys\n"
               "try:\n    forearm.load\nexcept forearm.Error as fault:\n    print(fault)\n"
               "print(forearm.check(sys.argv[1]).robot['file'])")
    away = tmp_path / "build" / "cli" / "forearm"
    away.parent.mkdir(parents=True)
    away.symlink_to(FOREARM)
    script = tmp_path / "forearm.sh"
    script.write_text(f'#!/bin/sh\nexec "{FOREARM}" "$@"\n')
    script.chmod(0o755)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program, SOURCE / "resources" / "robots" / "puma560.xml"],
                          capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(script)})
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the compiled part of the package, forearm._core, is not there"), done.stdout


def test_the_page_s_tutorial_runs_and_prints_what_it_says():
    page = (SOURCE / "docs" / "python.md").read_text()
    code, said = re.search(r"## Computing with a robot.*?```python\n(.*?)```.*?```text\n(.*?)```", page, re.DOTALL).groups()
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=SOURCE, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(FOREARM)})
    assert done.returncode == 0, done.stderr
    assert done.stdout == said


def test_importing_the_package_takes_nothing_that_is_not_asked_for():
    program = "import sys, forearm; print(sorted({'numpy', 'pandas', 'gymnasium', 'torch', 'scipy', 'jax'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(SOURCE / "python"), "FOREARM": str(FOREARM)})
    assert done.stdout.strip() == "[]", done.stderr
    assert motion_module.SOLVERS["auto"] == 0
