"""Terminals and icons: the standard's schema, our rules, and proof that both find what is wrong."""

import json
import pathlib
import re
import xml.etree.ElementTree as ET
import zipfile

import fmpy
import lxml.etree
import numpy as np
import pytest

import check_description as rules
import chromium
from conftest import ROBOTS, SOURCE
from robot_fmu import RobotFmu

PAGE = "terminalsAndIcons/terminalsAndIcons.xml"
SCHEMA = pathlib.Path(fmpy.__file__).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd"
every_robot = pytest.mark.parametrize("robot", ROBOTS, ids=lambda path: path.stem)


def read(fmu, name):
    with zipfile.ZipFile(fmu) as archive:
        return archive.read(name)


@pytest.mark.sampled
@every_robot
@pytest.mark.parametrize("options", [[], ["--arrays"]], ids=["scalars", "arrays"])
def test_the_page_fits_the_standard_s_schema(robot, options, export):
    schema = lxml.etree.XMLSchema(file=str(SCHEMA))
    schema.assertValid(lxml.etree.fromstring(read(export(robot, *options), PAGE)))


def terminals(fmu):
    """Members of each terminal: {"joint_elbow": {"angle": "joint.elbow.position", ...}}."""
    return {t.get("name"): {m.get("memberName"): m.get("variableName") for m in t}
            for t in ET.fromstring(read(fmu, PAGE)).iter("Terminal")}


def test_joints_and_the_tip_are_plugs(export):
    found = terminals(export(SOURCE / "resources" / "robots" / "scara.xml"))
    assert list(found) == ["joint_shoulder", "joint_elbow", "joint_plunge", "joint_turn", "tip"]
    assert found["joint_elbow"] == {"torque": "joint.elbow.torque", "angle": "joint.elbow.position",
                                    "speed": "joint.elbow.velocity"}
    assert found["joint_plunge"] == {"force": "joint.plunge.force", "position": "joint.plunge.position",
                                     "speed": "joint.plunge.velocity"}
    assert found["tip"]["force.x"] == "tip.force.x" and found["tip"]["quaternion.w"]
    assert not any("acceleration" in name for name in found["tip"])


def test_what_a_voltage_does_is_told_with_the_sign_that_it_has(export, tmp_path):
    for gear in (5, -5):
        side = tmp_path / f"gear{gear}.xml"
        side.write_text(f'<actuators for="scara"><joint name="elbow"><motor resistance="1" torque-constant="1"/>'
                        f'<rotor gear="{gear}"/></joint></actuators>')
        fmu = RobotFmu(export(SOURCE / "resources" / "robots" / "scara.xml", "--actuators", side))
        with fmu.model() as model:
            model.set(["joint.elbow.voltage"], [1.0])
            assert model.get(["joint.elbow.torque"])[0] * gear > 0
        told = next(t for t in ET.fromstring(read(fmu.path, PAGE)).iter("Terminal") if t.get("name") == "joint_elbow")
        assert told.get("description") == ("Joint with motor; a positive voltage pushes towards larger positions, behind a "
                                           "negative gear ratio towards smaller ones")


def test_arrays_are_plugs_as_well(export):
    robots = SOURCE / "resources" / "robots"
    assert terminals(export(robots / "puma560.xml", "--arrays")) == {
        "joint": {"torque": "joint.torque", "angle": "joint.position", "speed": "joint.velocity"},
        "tip": {name: f"tip.{name}" for name in ("force", "torque", "position", "quaternion", "velocity",
                                                 "angular_velocity")}}
    # Some joints of the SCARA slide.
    assert terminals(export(robots / "scara.xml", "--arrays"))["joint"] == {
        "torque": "joint.torque", "force": "joint.force", "position": "joint.position",
        "speed": "joint.velocity"}


def test_outputs_on_request_change_no_terminal(export):
    robot = SOURCE / "resources" / "robots" / "scara.xml"
    plain, more = terminals(export(robot)), terminals(export(robot, "--outputs", "reactions,jacobian"))
    assert plain == more and len(plain["tip"]) == 19


def test_an_arm_plugs_into_its_inverse(export):
    robot = SOURCE / "resources" / "robots" / "puma560.xml"
    forward, inverse = terminals(export(robot)), terminals(export(robot, "--kind", "inverse"))
    joints = [name for name in forward if name.startswith("joint_")]
    assert len(joints) == 6
    assert all(set(forward[name]) == set(inverse[name]) for name in joints)


def test_a_link_with_a_wrench_is_a_plug(export):
    found = terminals(export(SOURCE / "resources" / "robots" / "scara.xml", "--wrench", "first_arm"))
    assert found["link_first_arm"] == {f"{what}.{axis}": f"link.first_arm.{what}.{axis}"
                                   for what in ("force", "torque") for axis in "xyz"}


@pytest.mark.parametrize("robot, kind, members", [
    ("patu655_lift_axis", "forearm.cylinder.rod", {"length", "velocity", "force"}),
    ("patu655_lift_valve", "forearm.cylinder.ports", {"pressure_a", "pressure_b", "flow_a", "flow_b"})])
def test_a_cylinder_s_plug_has_what_both_sides_of_the_cut_have(robot, kind, members, export):
    fmu = export(SOURCE / "resources" / "robots" / f"{robot}.xml")
    assert terminals(fmu) == {"cylinder_lift": {name: f"cylinder.lift.{name}" for name in members}}
    (terminal,) = ET.fromstring(read(fmu, PAGE)).iter("Terminal")
    assert terminal.get("terminalKind") == kind


def test_voltages_have_a_kind_of_their_own(export, tmp_path):
    text = (SOURCE / "resources" / "robots" / "serpenoid.xml").read_text()
    robot = tmp_path / "volts.xml"
    robot.write_text(re.sub(
        r"<input[^>]*/>",
        '<input kind="voltage" resistance="1" torque-constant="0.1" back-emf="0.1"/>', text))
    fmu = export(robot)
    assert terminals(fmu)["joint3"]["voltage"] == "joint3.voltage"
    kinds = {t.get("terminalKind") for t in ET.fromstring(read(fmu, PAGE)).iter("Terminal")}
    assert kinds == {"forearm.joint.voltage"}
    assert rules.check_fmu(fmu) == []


FAULTS = [
    ('matchingRule="plug"', 'matchingRule="bus"', "has the matchingRule bus"),
    ('memberName="speed"', 'memberName="torque"', "has the members"),
    ('variableKind="signal"', 'variableKind="inflow"', "is no signal"),
    ('variableName="joint.waist.torque"', 'variableName="joint.waist.effort"', "is no input or output"),
    ('variableName="joint.waist.torque"', 'variableName="joint.waist.effort"', "is in no terminal"),
    ('variableName="joint.waist.torque"', 'variableName="gravity.x"', "is no input or output"),
    ('memberName="torque"', 'memberName="voltage"', "no kind of its own"),
    ('name="joint_waist"', 'name="joint_shoulder"', "two terminals have one name"),
    ('name="joint_waist"', 'name="joint.waist"', "is no identifier"),
]


@pytest.mark.parametrize("old, new, sentence", FAULTS)
def test_a_broken_terminal_is_found(old, new, sentence, export):
    fmu = export(SOURCE / "resources" / "robots" / "puma560.xml")
    page = read(fmu, PAGE).decode()
    assert old in page
    d = rules.Description(read(fmu, "modelDescription.xml"))
    assert list(rules.check_terminals(ET.fromstring(page), d)) == []
    bad = ET.fromstring(page.replace(old, new, 1))
    assert any(sentence in fault for fault in rules.check_terminals(bad, d))


def test_a_broken_icon_is_found(export):
    icon = bytearray(read(export(ROBOTS[0]), "terminalsAndIcons/icon.png"))
    assert list(rules.check_picture(bytes(icon))) == []
    icon[len(icon) // 2] ^= 1
    assert any("damaged" in fault for fault in rules.check_picture(bytes(icon)))


def lines(fmu):
    """The icon's lines: colour and both ends, y upwards."""
    svg = ET.fromstring(read(fmu, "terminalsAndIcons/icon.svg"))
    return [(e.get("stroke"), np.array([float(e.get("x1")), -float(e.get("y1"))]),
             np.array([float(e.get("x2")), -float(e.get("y2"))]))
            for e in svg.iter("{http://www.w3.org/2000/svg}line")]


# A plane arm on the page, against the sine and cosine of its angles.
@pytest.mark.parametrize("first, second", [(0.0, 0.0), (0.4, -1.1), (-2.0, 0.7)])
def test_the_icon_shows_the_robot_as_it_starts(first, second, export, tmp_path):
    robot = tmp_path / "arm.urdf"
    links = "".join(
        f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" '
        f'iyz="0"/></inertial></link>' for name in ("base", "upper", "lower", "hand"))
    joint = ('<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/><axis xyz="0 -1 0"/>'
             '<origin xyz="{4} 0 0" rpy="0 {5} 0"/><limit effort="9" velocity="9" lower="-3" upper="3"/></joint>')
    # URDF files have no initial positions, so that the frames are turned instead.
    robot.write_text(f'<robot name="arm">{links}'
                     + joint.format("a", "revolute", "base", "upper", 0, -first)
                     + joint.format("b", "revolute", "upper", "lower", 0.6, -second)
                     + joint.format("c", "fixed", "lower", "hand", 0.3, 0) + "</robot>")
    drawn = lines(export(robot, "--tip", "hand"))
    orange = [a for colour, a, b in drawn if colour == "#f08c00" and (a == b).all()]
    green = [a for colour, a, b in drawn if colour == "#2f9e44"]
    assert (len(orange), len(green)) == (2, 1)
    elbow, tip = orange[1] - orange[0], green[0] - orange[0]
    want = 0.6 * np.array([np.cos(first), np.sin(first)])
    hand = want + 0.3 * np.array([np.cos(first + second), np.sin(first + second)])
    scale = np.linalg.norm(elbow) / 0.6
    # The page has thousandths of its hundred units.
    np.testing.assert_allclose(elbow / scale, want, atol=1e-4)
    np.testing.assert_allclose(tip / scale, hand, atol=1e-4)


@pytest.mark.parametrize("fmi", [2, 3])
def test_the_documentation_has_picture_terminals_and_advice(fmi, export):
    text = read(export(SOURCE / "resources" / "robots" / "puma560.xml", "--fmi", fmi),
                "documentation/index.html").decode()
    page = ET.fromstring(text.replace("<!DOCTYPE html>", ""))
    assert len(list(page.iter("{http://www.w3.org/2000/svg}line"))) > 10
    heads = [h.text for h in page.iter("h2")]
    assert heads == ["Signs and frames", "Coupling", "Solver", "Links and joints", "Terminals",
                     "Variables", "Licence"]
    assert "joint_elbow" in text and "algebraic loop" in text


# Advice that only this robot's page has, and what it must not speak of.
ADVICE = [
    ("puma560", [], "spring, a controller or a contact", "oil"),
    ("stanford", ["--kind", "inverse"], "from a plan or a filter", "answers to positions"),
    ("serpenoid", [], "forces at the wheels do", "pose of the tip"),
    ("patu655", ["--cut", "force"], "h < 2 zeta / omega", "valve and its cylinder"),
    ("patu655", ["--cut", "chamber"], "valve and its cylinder", "h < 2 zeta / omega"),
    ("patu655", ["--cut", "valve"], "Chamber A is the one without the rod", "h < 2 zeta / omega"),
    ("patu655_lift_axis", [], "h < 2 zeta / omega", "pose of the tip"),
    ("patu655_lift_valve", [], "valve and its cylinder", "pose of the tip"),
]


@pytest.mark.parametrize("robot, options, there, not_there", ADVICE)
def test_the_advice_is_about_this_robot(robot, options, there, not_there, export):
    text = read(export(SOURCE / "resources" / "robots" / f"{robot}.xml", *options), "documentation/index.html").decode()
    page = ET.fromstring(text.replace("<!DOCTYPE html>", ""))
    items = [item for block in page.iter("ul") for item in block]
    assert items == list(page.iter("li"))  # each in a list
    lists = " ".join(" ".join(item.itertext()) for item in items)
    assert there in lists and not_there not in lists


@pytest.mark.parametrize("robot", ["double_pendulum", "serpenoid", "patu655_lift_axis"])
def test_the_documentation_runs_no_program(export, robot, tmp_path):
    text = read(export(SOURCE / "resources" / "robots" / f"{robot}.xml"), "documentation/index.html").decode()
    assert "Content-Security-Policy\" content=\"default-src 'none'; style-src" in text
    assert "<script" not in text
    if not chromium.PROGRAM:
        pytest.skip("chromium not found")
    ready = text.replace("<html ", '<html data-first-frame="1" ', 1)
    (tmp_path / "index.html").write_text(ready)
    (tmp_path / "hostile.html").write_text(ready.replace("<body>", "<body><script>document.title = 'taken'</script>", 1))
    with chromium.Page(tmp_path / "index.html") as page:
        assert page.said == []
    with chromium.Page(tmp_path / "hostile.html") as page:
        assert page.run("document.title") != "taken" and "Content Security Policy" in json.dumps(page.said)
