"""Every robot's FMUs against our own rules, and proof that the rules catch what breaks them."""

import ctypes
import os
import zipfile

import pytest
from fmpy.fmi2 import FMU2Model
from fmpy.fmi3 import FMU3Model

import check_description as rules
from conftest import ARMS, ROBOTS, SOURCE
from variants import VARIANTS, every_variant

every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)


def description(path):
    with zipfile.ZipFile(path) as archive:
        return rules.Description(archive.read("modelDescription.xml"))


@pytest.mark.sampled
@every_robot
@every_variant
def test_fmu_follows_the_rules_that_hosts_need(robot, options, fmi, export):
    assert rules.check_fmu(export(robot, "--fmi", fmi, *options)) == []


def test_the_sample_leaves_out_no_robot_and_no_kind_of_fmu(request):
    """What the mark `sampled` makes of the test before (conftest.py)."""
    cases = [item.callspec.params for item in request.session.items
             if getattr(item, "originalname", "") == test_fmu_follows_the_rules_that_hosts_need.__name__]
    assert {case["robot"] for case in cases} == set(ROBOTS)
    assert {(case["fmi"], *case["options"]) for case in cases} == {
        (fmi, *options) for _, options, versions in VARIANTS for fmi in versions}
    assert os.environ.get("FOREARM_ALL") == "1" or len(cases) < 2 * len(ROBOTS)


@every_robot
def test_both_versions_show_the_same_variables(robot, export):
    two, three = (description(export(robot, "--fmi", fmi)) for fmi in (2, 3))
    assert list(rules.check_versions_agree(two, three)) == []


@pytest.mark.sampled
@every_robot
@pytest.mark.parametrize("fmi", [2, 3])
def test_the_nominals_of_the_states_are_those_of_the_library(robot, fmi, export, tmp_path):
    """FMPy's CVode takes them from the library, other hosts from the description."""
    fmu = export(robot, "--fmi", fmi)
    d = description(fmu)
    with zipfile.ZipFile(fmu) as archive:
        archive.extractall(tmp_path)
    token = d.root.get("guid" if fmi == 2 else "instantiationToken")
    model = {2: FMU2Model, 3: FMU3Model}[fmi](guid=token, unzipDirectory=str(tmp_path), instanceName="one",
                                              modelIdentifier=d.root.get("modelName"))
    model.instantiate()
    if fmi == 2:
        model.setupExperiment()
    model.enterInitializationMode()
    states = d.states()
    nominals = (ctypes.c_double * len(states))()
    model.getNominalsOfContinuousStates(nominals, len(states))
    model.freeInstance()
    said = [state.number("nominal") or 1 for state in states]
    assert list(nominals) == said
    pressures = [nominal for state, nominal in zip(states, said) if "pressure" in state.name]
    assert set(pressures) <= {1e6} and (pressures or robot.stem != "patu655_lift_axis")


@pytest.mark.parametrize("robot", ARMS, ids=lambda path: path.stem)
def test_names_are_those_that_outside_checks_rely_on(robot, export):
    d = description(export(robot, "--fmi", 3))
    joints = {v.name.split(".")[1] for v in d.variables if v.name.endswith(".initial_position")}
    assert joints
    wanted = {f"{head}.{axis}" for axis in "xyz" for head in (
        "gravity", "tip", "tip.force", "tip.torque", "tip.velocity", "tip.angular_velocity",
        "payload.com")}
    wanted |= {f"tip.quaternion.{part}" for part in "wxyz"}
    wanted |= {f"payload.inertia.{part}" for part in ("xx", "yy", "zz", "xy", "xz", "yz")}
    wanted |= {"energy.kinetic", "energy.potential", "payload.mass", "solver", "solver_step",
               "solver_tolerance"}
    wanted |= {f"joint.{joint}.{part}" for joint in joints for part in (
        "position", "velocity", "acceleration", "initial_position", "initial_velocity",
        "viscous_friction", "coulomb_friction", "coulomb_friction_negative", "rotor_inertia",
        "gear_ratio")}
    assert sorted(wanted - set(d.named)) == []
    for joint in joints:
        assert (f"joint.{joint}.torque" in d.named) != (f"joint.{joint}.force" in d.named)


# What to replace in a good FMI 3.0 description, and a part of the sentence that must follow.
FAULTS = [
    ('fmiVersion="3.0"', 'fmiVersion="3.1"', "fmiVersion"),
    ('canGetAndSetFMUState="true"', 'canGetAndSetFMUState="false"', "canGetAndSetFMUState"),
    ('<CoSimulation modelIdentifier="', '<CoSimulation modelIdentifier="x', "is not modelName"),
    ('name="logEvents"', 'name="events"', "logEvents is missing"),
    ('stepSize="', 'steps="', "no stepSize"),
    ('generationTool="', 'generationDateAndTime="2020-01-01T00:00:00Z" generationTool="',
     "equal exports differ"),
    ('name="gravity.x" valueReference="', 'name="gravity.x" valueReference="9', "value reference"),
    ('name="gravity.x"', 'name="gravity.1x"', "identifiers joined by dots"),
    ('name="gravity.x"', 'name="gravity_y"', "are one name"),
    ('name="gravity.x"', 'name="flow.x"', "keeps for itself"),
    ('causality="input" variability="continuous"', 'causality="input" variability="fixed"',
     "has variability fixed"),
    ('causality="parameter" variability="fixed"', 'causality="parameter" variability="constant"',
     "has variability constant"),
    ('causality="output" variability="continuous" initial="calculated"',
     'causality="output" variability="continuous" initial="exact"', "has initial exact"),
    ('<Int32 name="solver"', '<Enumeration name="solver"', "of type Enumeration"),
    (' declaredType="Energy"', ' declaredType="Work"', "not defined"),
    (' declaredType="Energy"', ' unit="J"', "beside its type"),
    ('causality="output" variability="continuous" initial="calculated"',
     'causality="output" variability="continuous" initial="calculated" nominal="-1"', "has the nominal -1"),
    ('causality="output" variability="continuous" initial="calculated"',
     'causality="output" variability="continuous" initial="calculated" nominal="1"', "has anyway"),
    (' initial="exact" declaredType="Acceleration" start="0"',
     ' initial="exact" declaredType="Acceleration"', "no start value"),
    ('initial="exact" declaredType="Acceleration" start="0"',
     'initial="exact" declaredType="Acceleration" min="1" start="0"', "below its min"),
    ('<Unit name="rad/s2">\n   <BaseUnit s="-2" rad="1"/>',
     '<Unit name="rad/s2">\n   <BaseUnit s="-1" rad="1"/>', "unit of its state per second"),
    ("  <Output ", "  <Ignored ", "every output once"),
    ("  <InitialUnknown ", "  <Ignored ", "InitialUnknowns are not"),
    ("  <ContinuousStateDerivative ", "  <Ignored ", "exactly the variables that are derivatives"),
    ('dependenciesKind="constant"', 'dependenciesKind="fixed"', "of the kinds"),
    ('dependenciesKind="constant"', 'dependenciesKind="constant constant"', "of 2 kinds"),
    ('<InitialUnknown valueReference="', '<InitialUnknown dependencies="1 1" valueReference="',
     None),  # no XML any more: the attribute is there twice
]


@pytest.mark.parametrize("old, new, sentence", FAULTS)
def test_a_broken_rule_is_found(old, new, sentence, export):
    with zipfile.ZipFile(export(SOURCE / "resources" / "robots" / "puma560.xml")) as archive:
        good = archive.read("modelDescription.xml").decode()
    assert old in good
    bad = good.replace(old, new, 1)
    if sentence is None:
        with pytest.raises(rules.ET.ParseError):
            rules.Description(bad)
        return
    d = rules.Description(bad)
    checks = rules.DESCRIPTION_CHECKS
    if d.version not in rules.TYPES:
        checks = [rules.check_head]
    assert any(sentence in fault for check in checks for fault in check(d))


def test_a_source_that_is_not_listed_is_found(export, tmp_path):
    good = export(SOURCE / "resources" / "robots" / "scara.xml", "--sources", "--platforms", "none")
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(tmp_path / "bad.fmu", "w") as target:
        for info in source.infolist():
            data = source.read(info)
            if info.filename.endswith("buildDescription.xml"):
                data = data.replace(b'<SourceFile name="arm.c"/>', b"", 1)
            if info.filename != "sources/arm.h":
                target.writestr(info, data)
    faults = "\n".join(rules.check_fmu(tmp_path / "bad.fmu"))
    assert "['arm.c'] are not both listed and there" in faults
    assert "sources/arm.c includes arm.h, which is not there" in faults
