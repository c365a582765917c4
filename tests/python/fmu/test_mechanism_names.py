"""Names of variables of mechanisms, row by row as the specification of mechanisms fixes them: FMUs of robots with
each kind of joint, loop, contact, servo and spring have these names, with these roles, and the terminals that group them."""

import json
import xml.etree.ElementTree as ET
import zipfile

import fmpy
import pytest

from mechanism import WXYZ, axes

LINK = 'mass="1" com="0.1 0 0" inertia="1 1 1 0 0 0"'
ARM = f"""<arm name="arm" convention="standard" gravity="0 -9.81 0">
  <joint name="free" type="floating"><friction viscous="0.1"/><link name="l1" {LINK}/></joint>
  <joint name="flat" type="planar" a="1"><friction viscous="0.1"/><link name="l2" {LINK}/></joint>
  <joint name="ball" type="spherical" a="1"><friction viscous="0.1"/><link name="l3" {LINK}/></joint>
  <joint name="nut" type="screw" pitch="0.1"><link name="l4" {LINK}/></joint>
  <joint name="slide" type="prismatic"><servo kp="1" kd="1" ki="1" torque-limit="5" velocity-limit="3" effort-time="0.1"/>
    <link name="l5" {LINK}/></joint>
  <joint name="speed" type="revolute"><servo kd="1"/><link name="l6" {LINK}/></joint>
  <joint name="turn" type="revolute"><limit lower="-1" upper="1"/><stop stiffness="1e4" damping="1"/>
    <link name="l7" {LINK}/></joint>
  <ground point="0 -5 0" normal="0 1 0"/>
  <contact name="smooth" link="l7" shape="sphere" radius="0.1" stiffness="1e4" friction="0.5"/>
  <contact name="brush" link="l7" radius="0.1" stiffness="1e4" friction="0.5" law="bristle" bristle-stiffness="100"/>
  <contact name="spot" link="l7" shape="point" stiffness="1e4"/>
  <line-spring name="s" from="base" from-xyz="0 0 1" to="l2" to-xyz="0 0 0" stiffness="1" rest="1"/>
</arm>"""

XYZ = axes("", "xyz")
XY = axes("", "xy")


def of(joint, quantity, parts):
    return [f"joint.{joint}.{quantity}{part}" for part in parts]


def initial(names):
    head = [name.rpartition("joint.")[2].partition(".") for name in names]
    return [f"joint.{joint}.initial_{rest}" for joint, _, rest in head]


# Joint by joint: positions, velocities, accelerations, inputs.
FREE = (of("free", "position", XYZ) + of("free", "quaternion", axes("", WXYZ)),
        of("free", "velocity", XYZ) + of("free", "angular_velocity", XYZ),
        of("free", "acceleration", XYZ) + of("free", "angular_acceleration", XYZ),
        of("free", "force", XYZ) + of("free", "torque", XYZ))
FLAT = (of("flat", "position", XY) + ["joint.flat.angle"], of("flat", "velocity", XY) + ["joint.flat.angular_velocity"],
        of("flat", "acceleration", XY) + ["joint.flat.angular_acceleration"],
        of("flat", "force", XY) + ["joint.flat.torque"])
BALL = (of("ball", "quaternion", axes("", WXYZ)), of("ball", "angular_velocity", XYZ),
        of("ball", "angular_acceleration", XYZ), of("ball", "torque", XYZ))
SEVERAL = (FREE, FLAT, BALL)
NUT = (["joint.nut.position"], ["joint.nut.velocity"], ["joint.nut.acceleration"], ["joint.nut.torque"])
TURN = (["joint.turn.position"], ["joint.turn.velocity"], ["joint.turn.acceleration"], ["joint.turn.torque"])
JOINTS = (*SEVERAL, NUT, TURN)
SERVO = ["kp", "kd", "ki", "antiwindup_time", "velocity_limit", "bandwidth", "effort_time"]
CONTACTS = ["smooth", "brush", "spot"]


def all_of(order):
    return [name for joint in JOINTS for name in joint[order]]


STATES = (all_of(0) + all_of(1) + [f"joint.slide.{name}" for name in ("position", "velocity", "reference", "integral",
                                                                      "servo_effort")]
          + axes("contact.brush.bristle", "xy"))
OUTPUTS = (all_of(2) + ["joint.slide.acceleration", "joint.slide.force", "joint.speed.torque", "line_spring.s.length",
                        "line_spring.s.force"]
           + [name for c in CONTACTS for name in (*axes(f"contact.{c}.force"), *axes(f"contact.{c}.slip"),
                                                  f"contact.{c}.depth", f"contact.{c}.touching")])
INPUTS = all_of(3) + [f"joint.{joint}.{name}" for joint in ("slide", "speed")
                      for name in ("target_velocity", "feedforward")] + ["joint.slide.target"]
PARAMETERS = (initial(all_of(0) + all_of(1)) + ["joint.nut.pitch", "joint.free.viscous_friction", "joint.flat.viscous_friction",
                                                "joint.ball.viscous_friction", "joint.slide.initial_reference",
                                                "joint.slide.initial_integral", "joint.slide.initial_servo_effort",
                                                "joint.turn.stop_stiffness", "joint.turn.stop_damping"]
              + axes("contact.brush.initial_bristle", "xy") + [f"contact.{c}.exponent" for c in CONTACTS]
              + [f"line_spring.s.{name}" for name in ("stiffness", "damping", "rest")])
TUNABLE = ([f"joint.slide.servo_{name}" for name in SERVO] + ["joint.slide.torque_limit"]
           + [f"contact.{c}.{name}" for c in CONTACTS for name in ("stiffness", "dissipation", "friction", "x", "y", "z")]
           + [f"contact.{c}.slip_speed" for c in ("smooth", "spot")] + [f"contact.{c}.radius" for c in ("smooth", "brush")]
           + axes("ground") + axes("ground.normal"))


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    robot = tmp_path_factory.mktemp("names") / "arm.xml"
    robot.write_text(ARM)
    return robot


def rows(fmu):
    description = fmpy.read_model_description(str(fmu), validate=False)
    return {v.name: v for v in description.modelVariables}, {row.variable.derivative.name for row in description.derivatives}


def terminals(fmu):
    with zipfile.ZipFile(fmu) as archive:
        page = ET.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    return {t.get("name"): {m.get("memberName"): m.get("variableName") for m in t} for t in page.iter("Terminal")}


@pytest.mark.parametrize("fmi", [2, 3])
def test_an_arm_has_every_name_in_its_role(fmi, arm, export):
    found, states = rows(export(arm, "--fmi", fmi))
    for causality, names in (("output", STATES + OUTPUTS), ("input", INPUTS), ("parameter", PARAMETERS + TUNABLE)):
        assert [name for name in names if name not in found or found[name].causality != causality] == [], causality
    assert set(STATES) <= states
    assert {found[name].variability for name in TUNABLE} == {"tunable"}
    assert {found[f"contact.{c}.exponent"].variability for c in CONTACTS} == {"fixed"}
    # Nothing else begins with the name of a joint of several freedoms.
    known = {name for joint in SEVERAL for names in joint for name in names} | set(PARAMETERS)
    rates = {f"joint.{j}.quaternion_rate.{part}" for j in ("free", "ball") for part in WXYZ}
    for name in found:
        if name.startswith(("joint.free.", "joint.flat.", "joint.ball.")):
            assert name in known | rates, name


def test_a_velocity_servo_follows_no_position(arm, export):
    found, states = rows(export(arm))
    assert "joint.speed.target" not in found or found["joint.speed.target"].causality == "input"
    assert "joint.speed.reference" not in states


@pytest.mark.parametrize("name", ["four_bar", "delta", "stewart"])
def test_loops_have_their_names(name, source, export):
    folder = source / "tests" / "mechanisms" / "robots"
    side = folder / f"{name}.mechanism.xml"
    options = ["--actuators", side] if side.exists() else []
    urdf = ET.parse(folder / f"{name}.urdf").getroot()
    loops = {loop.get("name"): loop.get("type") for tree in (urdf, ET.parse(side).getroot() if side.exists() else urdf)
             for loop in tree.findall("loop")}
    assert loops
    fmu = export(folder / f"{name}.urdf", *options, "--outputs", "reactions")
    found, states = rows(fmu)
    plugs = terminals(fmu)
    assert found["mechanism.regularity"].causality == "output"
    for loop, kind in loops.items():
        members = ["error", *axes("force"), *axes("torque")] + (["axial"] if kind == "distance" else [])
        for member in members:
            assert found[f"loop.{loop}.{member}"].causality == "output"
        assert plugs[f"loop_{loop}"] == {member: f"loop.{loop}.{member}" for member in members}
    assert found[f"loop.{next(iter(loops))}.error"].declaredType.unit == "m"
    joints = [joint.get("name") for joint in urdf.findall("joint") if joint.get("type") in ("revolute", "continuous",
                                                                                            "prismatic")]
    first = {joint: next(f"joint.{joint}.{quantity}" for quantity in ("position", "position.x", "quaternion.w")
                         if f"joint.{joint}.{quantity}" in found) for joint in (j.get("name") for j in urdf.findall("joint"))}
    assert 0 < sum(name in states for name in first.values()) < len(first)  # some follow from the others
    for joint in joints:
        for quantity in ("position", "velocity", "acceleration"):
            assert found[f"joint.{joint}.{quantity}"].causality == "output"
        assert found[f"joint.{joint}.initial_position"].causality == "parameter"
    assert set(terminals(export(folder / f"{name}.urdf", *options))[f"loop_{next(iter(loops))}"]) == {"error"}


def test_vectors_of_joints_and_contacts_are_plugs(arm, export):
    found = terminals(export(arm))
    pose = [*axes("position"), *axes("quaternion", WXYZ), *axes("velocity"), *axes("angular_velocity"), *axes("force"),
            *axes("torque")]
    planar = [*axes("position", "xy"), "angle", *axes("velocity", "xy"), "angular_velocity", *axes("force", "xy"), "torque"]
    for joint, members in (("free", pose), ("flat", planar),
                           ("ball", [m for m in pose if m.startswith(("quaternion", "angular", "torque"))])):
        assert found[f"joint_{joint}"] == {member: f"joint.{joint}.{member}" for member in members}
    assert found["joint_nut"] == {"angle": "joint.nut.position", "speed": "joint.nut.velocity", "torque": "joint.nut.torque"}
    for contact in CONTACTS:
        assert found[f"contact_{contact}"] == {member: f"contact.{contact}.{member}"
                                               for member in (*axes("force"), *axes("slip"), "depth")}


def test_arrays_are_of_joints_of_one_freedom_and_others_keep_their_names(arm, export):
    found, states = rows(export(arm, "--arrays"))
    for quantity, joints in (("position", 4), ("velocity", 4), ("acceleration", 4), ("initial_position", 4),
                             ("initial_velocity", 4)):
        assert [int(d.start) for d in found[f"joint.{quantity}"].dimensions] == [joints]
    own = [name for joint in SEVERAL for names in joint for name in names]
    for name in own + initial([name for joint in SEVERAL for names in joint[:2] for name in names]):
        assert name in found and not found[name].dimensions, name
    assert {"joint.position", "joint.velocity"} | {name for joint in SEVERAL for names in joint[:2] for name in names} <= states
    # Nothing of theirs hides in an array.
    assert not any(name.startswith(("joint.quaternion", "joint.angular_", "joint.force.", "joint.position.")) for name in found)


def test_inspect_tells_types_positions_and_speeds(arm, forearm):
    joints = {joint["name"]: joint for joint in json.loads(forearm("inspect", arm, "--json"))["joints"]}
    for name, kind, names in (("free", "floating", FREE), ("flat", "planar", FLAT), ("ball", "spherical", BALL),
                              ("nut", "screw", NUT)):
        assert joints[name]["type"] == kind
        assert joints[name]["positions"] == names[0] and joints[name]["speeds"] == names[1]


@pytest.mark.parametrize("joint", ["free", "flat", "ball"])
def test_a_joint_of_several_freedoms_is_not_locked(joint, arm, refuse):
    said = refuse("export", arm, "--lock", f"{joint}=1", "-o", arm.with_suffix(".fmu"))
    assert f"'{joint}'" in said and "make it fixed" in said
