"""Parameters of FMUs with values that they may not have: refused with a sentence, or harmless.

The rules are those of the robot file (model/robot/robot_joint.c, robot_link.c, axis_rows.c), so what a file
may not say, a host may not set.
"""

import math

import pytest
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import defaultCallbacks, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE

from conftest import ROBOTS
from robot_fmu import RobotFmu

# Everything that acts at joints, on two of them.
EVERYTHING = """<arm name="everything" convention="standard" gravity="0 -9.81 0"><base motion="true"/>
<joint name="one" type="revolute" a="1"><limit lower="-1" upper="2" effort="9" velocity="9"/>
<friction viscous="1" coulomb="1" static="2" law="stick-slip"/><rotor inertia="1e-4" gear="-20"/>
<motor resistance="1" torque-constant="0.05" inductance="1e-3" voltage-limit="24" current-limit="9"
 efficiency="0.8"/><stop stiffness="1e4" damping="10"/><lock input="true"/>
<link name="l1" mass="1" com="-0.5 0 0" inertia="0.01 0.02 0.02 0 0 0"/></joint>
<joint name="two" type="prismatic" d="1"><limit lower="-1" upper="1"/><spring stiffness="9" damping="1"/>
<valve-closure stiffness="1e4" damping="9" time="3"/><stop stiffness="1e4" damping="10"/>
<friction viscous="1" coulomb="1" coulomb-negative="2" static="2" static-negative="3" law="stick-slip"/>
<link name="l2" mass="1" com="0 0 0" inertia="0.01 0.02 0.02 0 0 0"/></joint></arm>"""


def bad_values(variable):
    """Numbers that no careful host gives."""
    start = float(variable.start)
    return [math.nan, math.inf, -math.inf, -abs(start) - 1, 0.0, 1e300, -1e300, 1e-300, 1e9 * start]


def logging(fmi, told):
    """Options for an instance that appends its sentences to `told`."""
    if fmi == 3:
        return {"loggingOn": True, "logMessage": lambda *a: told.append(a[-1].decode())}
    callbacks = fmi2CallbackFunctions()
    callbacks.logger = fmi2CallbackLoggerTYPE(lambda *a: told.append(a[-1].decode()))
    callbacks.allocateMemory = defaultCallbacks.allocateMemory
    callbacks.freeMemory = defaultCallbacks.freeMemory
    return {"loggingOn": True, "callbacks": callbacks}


def outcome(model, told, values):
    """The sentence with which these parameters are refused; None: every number that follows is finite."""
    names = [row.variable.name for row in model.fmu.description.outputs + model.fmu.description.derivatives
             if row.variable.type in ("Real", "Float64")]
    model.fmi.reset()
    del told[:]
    try:
        model.initialize(values)
        numbers = model.get(names)
    except FMICallException:
        assert told and len(told[-1]) > 30, f"{values} is refused without a sentence: {told}"
        return told[-1]
    assert all(map(math.isfinite, numbers)), (values, dict(zip(names, numbers)))
    return None


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    path = tmp_path_factory.mktemp("robot") / "everything.xml"
    path.write_text(EVERYTHING)
    return path


def sweep(fmu, step):
    told, refused, taken = [], 0, 0
    with fmu.model(**logging(3, told)) as model:
        parameters = [v for v in fmu.variable.values() if v.causality == "parameter" and v.type == "Float64"]
        assert outcome(model, told, {}) is None
        for variable in parameters[::step]:
            for value in bad_values(variable):
                sentence = outcome(model, told, {variable.name: value})
                refused += sentence is not None
                taken += sentence is None
            assert outcome(model, told, {variable.name: math.nan}) is not None
    return refused, taken


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)
def test_no_value_of_a_parameter_passes_for_a_result_that_is_none(robot, export):
    # Robots of the same kind have the same parameters, six times over.
    refused, taken = sweep(RobotFmu(export(robot, "--bare")), 3)
    assert refused > 20 and taken > 20


@pytest.mark.parametrize("options", [[], ["--kind", "inverse"]], ids=["forward", "inverse"])
def test_nor_of_an_arm_with_everything_at_its_joints(options, everything, export):
    refused, taken = sweep(RobotFmu(export(everything, *options, "--bare")), 1)
    assert refused > 100 and taken > 100


@pytest.mark.parametrize("cut", ["force", "chamber", "valve"])
def test_nor_of_a_crane(cut, export, source):
    refused, taken = sweep(RobotFmu(export(source / "resources/robots/patu655.xml", "--cut", cut, "--bare")), 2)
    assert refused > 100 and taken > 100


CROSSING = [
    ({"joint.one.static_friction": 0.5}, "joint 'one' has a static friction below its Coulomb friction"),
    ({"joint.two.static_friction_negative": 1.5}, "joint 'two' has a static friction below its Coulomb friction"),
    ({"joint.one.coulomb_friction": 3}, "joint 'one' has a static friction below its Coulomb friction"),
    ({"joint.one.lower_limit": 3}, "joint 'one' has the lower limit 3 above its upper limit 2; exchange them"),
    ({"joint.one.efficiency": 1.2}, "'joint.one.efficiency' must be greater than 0 and at most 1, not 1.2"),
    ({"joint.one.efficiency_back": 0}, "must be greater than 0 and at most 1, not 0"),
    ({"joint.one.gear_ratio": 0}, "the motor of joint 'one' has the gear ratio 0, through which it moves nothing"),
    ({"joint.one.torque_constant": 0}, "the torque_constant of joint 'one' is 0; it must be a finite number other than zero"),
    ({"joint.one.resistance": 0}, "must be greater than 0, not 0"),
    ({"joint.one.inductance": 0}, "must be greater than 0, not 0"),
    ({"joint.one.voltage_limit": 0}, "must be greater than 0, not 0"),
    ({"joint.one.stop_stiffness": 0}, "must be greater than 0, not 0"),
    ({"joint.one.stribeck_speed": 0}, "must be greater than 0, not 0"),
    ({"joint.one.friction_width": 0}, "must be greater than 0, not 0"),
    ({"joint.two.closure_stiffness": 0}, "must be greater than 0, not 0"),
    ({"joint.one.rotor_inertia": 1e308}, "too large to be calculated with"),
    ({"link.l1.inertia.xx": -1}, "the inertia of link 'l1' is not positive semi-definite"),
    ({"link.l2.inertia.xy": 1}, "the inertia of link 'l2' is not positive semi-definite"),
    ({"payload.inertia.zz": -1}, "the inertia of link 'payload' is not positive semi-definite"),
    ({"link.l1.mass": -1}, "'link.l1.mass' must be at least 0, not"),
]
CYLINDER = [
    ({"rod": 0.2}, "the rod of cylinder 'lift' has a diameter of 0.2 m, but its bore 0.1 m"),
    ({"overlap": 1}, "'cylinder.lift.overlap' must be at least 0 and less than 1, not 1"),
    ({"bulk_modulus": 0}, "must be greater than 0, not 0"),
    ({"initial_pressure_a": 5e3}, "initial_pressure_a of cylinder 'lift' is 5000 Pa; it must be above the vapour"),
    ({"vapour_pressure": 1e9}, "it must be above the vapour pressure, 1000000000 Pa"),
]


@pytest.mark.parametrize("fmi", [2, 3])
def test_numbers_that_contradict_each_other_are_refused_as_in_a_file(fmi, everything, export, source):
    told = []
    crane = [({f"cylinder.lift.{name}": x for name, x in values.items()}, why) for values, why in CYLINDER]
    for path, cases in ((export(everything, "--fmi", fmi), CROSSING),
                        (export(source / "resources/robots/patu655.xml", "--fmi", fmi, "--cut", "valve"), crane)):
        with RobotFmu(path).model(**logging(fmi, told)) as model:
            for values, why in cases:
                sentence = outcome(model, told, values)
                assert sentence and why in sentence, (values, sentence)
            assert outcome(model, told, {}) is None  # after all this it works


def test_a_gear_may_turn_the_other_way_round(everything, export):
    told = []
    with RobotFmu(export(everything, "--bare")).model(**logging(3, told)) as model:
        assert outcome(model, told, {"joint.one.gear_ratio": 20}) is None
