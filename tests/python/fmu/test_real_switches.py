"""Locks and valves whose inputs are real numbers, on above 0.5 (`--inputs lock-real,close-real`), beside the Boolean ones:
the same bits wherever both change at the same times, and an event where a real one passes 0.5 on its way.
"""

import ctypes
import re
import zipfile

import numpy as np
import pytest

import check_description as rules
from conftest import SOURCE
from robot_fmu import RobotFmu

ROBOT = """<arm name="two" convention="standard" gravity="0 0 -9.81">
  <joint name="slide" type="prismatic" a="0.3" alpha="1.2"><valve-closure stiffness="4000" damping="40"/>
    <friction viscous="2" coulomb="3" static="5" law="stick-slip"/>
    <link name="cart" mass="2" com="-0.1 0 0.1" inertia="0.1 0.2 0.3 0 0 0"/></joint>
  <joint name="arm" type="revolute" a="0.5"><lock input="true"{}/>
    <limit lower="-1" upper="1"/><stop stiffness="3000" damping="20"/>
    <link name="bar" mass="1" com="-0.2 0 0.05" inertia="0.02 0.03 0.04 0 0 0"/></joint>
</arm>"""
REAL, BOOLEAN = "lock-real,close-real", "lock"
LOCKS = ["joint.slide.lock", "joint.arm.lock"]
SWITCHES = LOCKS + ["joint.slide.close"]
both_versions = pytest.mark.parametrize("fmi", [2, 3])


@pytest.fixture(scope="module")
def robot(tmp_path_factory):
    file = tmp_path_factory.mktemp("switches") / "two.xml"
    file.write_text(ROBOT.format(""))
    return file


@pytest.fixture(scope="module")
def fmu(export, robot):
    made = {}

    def get(fmi, inputs):
        if (fmi, inputs) not in made:
            made[fmi, inputs] = RobotFmu(export(robot, "--fmi", fmi, "--inputs", inputs, "--bare"))
        return made[fmi, inputs]

    return get


def switch(instance, at):
    """Sets all three switches, in whichever type they are; a real one anywhere on its side of 0.5."""
    variables = [instance.fmu.variable[name] for name in SWITCHES]
    references = [v.valueReference for v in variables]
    if variables[0].type == "Boolean":
        instance.fmi.setBoolean(references, [bool(on) for on in at])
    else:
        instance.set(SWITCHES, [0.5 + 1e-6 if on == 1 else 0.5 if on == 0 else on for on in at])


def outputs(fmu):
    return [v.name for v in fmu.description.modelVariables if v.causality == "output" and v.type in ("Real", "Float64")]


def plan(seed, steps):
    random = np.random.default_rng(seed)
    return [[int(on) for on in random.random(3) < 0.3] for _ in range(steps)], random.normal(size=(steps, 2)) * [30, 4]


@both_versions
def test_they_are_real_numbers_with_an_indicator_each(fmi, fmu):
    real, boolean = fmu(fmi, REAL), fmu(fmi, BOOLEAN)
    for name in SWITCHES:
        assert real.variable[name].type in ("Real", "Float64") and real.variable[name].variability in (None, "continuous")
        assert "Above 0.5:" in real.variable[name].description
        assert boolean.variable[name].type == "Boolean" and "True:" in boolean.variable[name].description
    extra = real.description.numberOfEventIndicators if fmi == 2 else len(real.description.eventIndicators)
    fewer = boolean.description.numberOfEventIndicators if fmi == 2 else len(boolean.description.eventIndicators)
    assert int(extra) == int(fewer) + 3
    with zipfile.ZipFile(real.path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    assert not any(v.causality == "input" and v.kind == "Boolean" for v in d.variables)


@both_versions
def test_co_simulation_has_the_bits_of_boolean_inputs(fmi, fmu):
    """Inputs of both kinds change between communication steps."""
    on, push = plan(1, 60)
    with fmu(fmi, REAL).slave() as a, fmu(fmi, BOOLEAN).slave() as b:
        names, seen = outputs(a.fmu), set()
        assert names == outputs(b.fmu)
        for i in range(60):
            for one in (a, b):
                switch(one, on[i])
                one.set(["joint.slide.force", "joint.arm.torque"], push[i])
                one.step_to(0.01 * (i + 1))
            assert (a.get(names) == b.get(names)).all(), i
            seen.add(tuple(modes(a)))
            assert modes(a) == modes(b)
    assert {mode[0] for mode in seen} == {mode[1] for mode in seen} == {mode[2] for mode in seen} == {True, False}


def modes(instance):
    names = [name + ("ed" if name.endswith("lock") else "d") for name in SWITCHES]
    return [bool(on) for on in instance.fmi.getBoolean([instance.fmu.variable[name].valueReference for name in names])]


def settle(model):
    model.fmi.enterEventMode()
    update = model.fmi.newDiscreteStates if model.fmu.fmi == 2 else model.fmi.updateDiscreteStates
    while update()[0]:
        pass
    model.fmi.enterContinuousTimeMode()


def states(model):
    x = (ctypes.c_double * model.fmu.n_states)()
    model.fmi.getContinuousStates(x, len(x))
    return np.array(x)


@both_versions
def test_model_exchange_has_the_bits_of_boolean_inputs(fmi, fmu):
    """Through events, with Euler's method between them."""
    on, push = plan(2, 40)
    with fmu(fmi, REAL).model() as a, fmu(fmi, BOOLEAN).model() as b:
        for i in range(40):
            for one in (a, b):
                one.fmi.enterEventMode()
                switch(one, on[i])
                update = one.fmi.newDiscreteStates if fmi == 2 else one.fmi.updateDiscreteStates
                while update()[0]:
                    pass
                one.fmi.enterContinuousTimeMode()
                one.set(["joint.slide.force", "joint.arm.torque"], push[i])
                for k in range(5):
                    one.fmi.setTime(0.01 * i + 0.002 * k)
                    one.set_state(states(one) + 0.002 * one.rates())
            assert (a.rates() == b.rates()).all() and (states(a) == states(b)).all()
            assert modes(a) == modes(b) == [bool(s) for s in on[i]]


def indicators(model):
    n = model.fmu.description.numberOfEventIndicators if model.fmu.fmi == 2 else len(model.fmu.description.eventIndicators)
    z = (ctypes.c_double * int(n))()
    model.fmi.getEventIndicators(z, int(n))
    return np.array(z)


@both_versions
def test_an_input_that_passes_half_changes_the_sign_of_one_indicator(fmi, fmu):
    """Up and down, and nothing is decided before the event."""
    with fmu(fmi, REAL).model() as model:
        before = indicators(model)
        for k, name in enumerate(SWITCHES):
            model.set([name], [0.5])
            assert ((indicators(model) > 0) == (before > 0)).all()
            model.set([name], [0.5 + 1e-8])
            assert ((indicators(model) > 0) != (before > 0)).sum() == 1
            assert not modes(model)[k]
            settle(model)
            assert modes(model)[k]
            here = indicators(model)
            assert (np.abs(here) > 5e-10).all()  # the hysteresis keeps it away from zero
            model.set([name], [0.5 - 1e-8])
            assert ((indicators(model) > 0) != (here > 0)).sum() == 1
            settle(model)
            assert not modes(model)[k]


@both_versions
def test_derivatives_by_them_are_zero(fmi, fmu):
    with fmu(fmi, REAL).model() as model:
        rates = [row.variable.name for row in model.fmu.description.derivatives]
        for name in SWITCHES:
            assert (model.derivative(rates, [name], [1.0]) == 0).all()


def test_a_ramp_switches_where_it_passes_half(robot, forearm, tmp_path):
    """A ramp from 0 to 1 passes 0.5 at 0.25 s, and back at 0.75 s; a Boolean input that changes then does the same."""
    for name, text in (("ramp", "time,joint.arm.lock\n0,0\n0.5,1\n1,0\n"), ("step", "time,joint.arm.lock\n0,0\n0.25,1\n0.75,0\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    common = ["simulate", robot, "--stop", 1, "--step", 0.05, "--tolerance", 1e-11, "--set", "joint.arm.initial_velocity=0.8"]
    ramp = forearm(*common, "--inputs", REAL, "--input", tmp_path / "ramp.csv", "--interpolate", "linear")
    step = forearm(*common, "--inputs", BOOLEAN, "--input", tmp_path / "step.csv")
    head, *rows = [line.split(",") for line in ramp.splitlines()]
    other, *wanted = [line.split(",") for line in step.splitlines()]
    columns = [i for i, name in enumerate(head) if re.fullmatch(r"joint\.\w+\.(position|velocity)", name)]
    assert len(columns) == 4
    locked = head.index("joint.arm.velocity")
    # The hysteresis is 1e-9, which the ramp takes 5e-10 s for: the two moments themselves are on either side.
    away = [i for i, row in enumerate(rows) if min(abs(float(row[0]) - at) for at in (0.25, 0.75)) > 1e-6]
    assert len(away) == len(rows) - 2
    assert all((float(rows[i][locked]) == 0) == (0.25 < float(rows[i][0]) < 0.75) for i in away)
    for i in columns:
        k = other.index(head[i])
        for n in away:  # accelerations are some tens
            assert abs(float(rows[n][i]) - float(wanted[n][k])) < 1e-7, (head[i], rows[n][0])


def test_a_robot_file_says_the_same(forearm, tmp_path):
    said = tmp_path / "said.xml"
    said.write_text(ROBOT.format(' signal="real"').replace('damping="40"/>', 'damping="40" signal="real"/>'))
    assert re.search(r"joint\.arm\.lock +input .*Above 0\.5", forearm("inspect", said))
    assert re.search(r"joint\.slide\.close +input .*Above 0\.5", forearm("inspect", said))


def test_ros_2_takes_them(robot, forearm, tmp_path):
    """Its adapter knows no Boolean input."""
    forearm("export", robot, "--ros2", tmp_path / "ros", "--inputs", REAL, "--platforms", "native")
    assert (tmp_path / "ros").is_dir()


def test_every_robot_takes_the_option(forearm):
    for file in ("puma560", "grigorov5", "patu655", "scara"):
        text = forearm("inspect", SOURCE / "resources" / "robots" / f"{file}.xml", "--inputs", REAL)
        assert re.search(r"\.lock +input .*Above 0\.5", text)
