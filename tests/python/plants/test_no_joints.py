"""Robots of which nothing moves, because they have no joint, fixed ones alone, or locked ones: every command takes them,
or says in a sentence why not, and their FMUs run."""

import fmpy
import numpy as np
import pytest
from cli import run

BOB = """<link name="bob"><inertial><origin xyz="0 0 -1"/><mass value="2"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = '<joint name="j" type="{}"><parent link="l"/><child link="bob"/><axis xyz="0 1 0"/></joint>'
STILL = {"alone": ('<robot name="t"><link name="l"/></robot>', []),
         "fixed": (f'<robot name="t"><link name="l"/>{BOB}{JOINT.format("fixed")}</robot>', []),
         "locked": (f'<robot name="t"><link name="l"/>{BOB}{JOINT.format("continuous")}</robot>', ["--lock", "j=0.3"])}
OUTPUTS = ["--outputs", "reactions,jacobian,mass-matrix,poses"]
COMMANDS = [("check",), ("inspect",), ("inspect", "--json"), ("simulate", "--stop", "0.1"),
            ("simulate", "--stop", "0.1", *OUTPUTS), ("simulate", "--stop", "0.1", "--plot", "{folder}/plot.svg"),
            ("linearise",), ("linearise", "--json"), ("linearise", "--equilibrium", "pose"),
            ("linearise", "--equilibrium", "torques"), ("compare", "--untimed"),
            ("runs", "--in", "{folder}/in.csv", "--stop", "0.1"), ("forward", "--in", "{folder}/in.csv"),
            ("forward", "--in", "{folder}/in.csv", "--method", "lagrange"), ("inverse", "--in", "{folder}/in.csv"),
            ("inverse", "--in", "{folder}/in.csv", *OUTPUTS), ("inverse", "--in", "{folder}/in.csv", "--regressor"),
            ("sim", "--script", "{folder}/script")]


@pytest.fixture(params=STILL)
def still(request, tmp_path):
    text, options = STILL[request.param]
    (tmp_path / "robot.urdf").write_text(text)
    return [tmp_path / "robot.urdf", *options]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_takes_it_or_says_why_not(command, still, tmp_path):
    (tmp_path / "in.csv").write_text("payload.mass\n1\n2\n")
    (tmp_path / "script").write_text("show\nforward_arm\ninverse_arm\nsimulate new 0.1\n")
    name, *rest = (word.format(folder=tmp_path) for word in command)
    done = run(name, *still, *rest)
    said = done.stderr.decode()
    if name == "compare":
        assert done.returncode == 2 and "no joint of 't' moves" in said
    elif name == "sim":
        assert done.returncode in (0, 1, 2) and "joint" in said
    else:
        assert done.returncode == 0, said


@pytest.mark.parametrize("kind", [[], ["--kind", "inverse"]], ids=["arm", "inverse"])
@pytest.mark.parametrize("version", ["2", "3"])
def test_its_fmus_run(kind, version, still, tmp_path):
    fmu = tmp_path / "robot.fmu"
    done = run("export", *still, *kind, *OUTPUTS[:1], "reactions,poses", "--fmi", version, "-o", fmu)
    assert done.returncode == 0, done.stderr
    for fmi_type in ("ModelExchange", "CoSimulation"):
        result = fmpy.simulate_fmu(str(fmu), fmi_type=fmi_type, stop_time=0.1, output_interval=0.02)
        assert len(result) >= 6
        assert all(np.isfinite(result[name]).all() for name in result.dtype.names)
    for command in ("inspect", "simulate"):
        done = run(command, fmu, *(["--stop", "0.1"] if command == "simulate" else []))
        assert done.returncode == 0, done.stderr
