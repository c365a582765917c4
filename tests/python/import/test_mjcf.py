"""MJCF against MuJoCo itself: what small documents mean, random robots, and what is refused.

MuJoCo computes with contacts, limits, friction loss and constraints switched off, as the robots here have none of them."""

import json

import mujoco
import numpy
import pytest

from cli import run
from conftest import SOURCE

CASES = json.loads((SOURCE / "tests" / "mjcf" / "semantics.json").read_text())["cases"]
OFF = mujoco.mjtDisableBit
DISABLED = (OFF.mjDSBL_CONTACT | OFF.mjDSBL_LIMIT | OFF.mjDSBL_FRICTIONLOSS | OFF.mjDSBL_EQUALITY | OFF.mjDSBL_ACTUATION)
TETRAHEDRON = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3"'
BODY = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def written(tmp_path, text):
    path = tmp_path / "robot.xml"
    path.write_text(text)
    return path


def inspected(path, *options):
    done = run("inspect", path, "--json", *options)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def tensor(inertia, quat=None):
    if quat is None:
        xx, yy, zz, xy, xz, yz = inertia
        return numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    R = numpy.zeros(9)
    mujoco.mju_quat2Mat(R, numpy.asarray(quat, float))
    R = R.reshape(3, 3)
    return R @ numpy.diag(inertia) @ R.T


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_documents_mean_what_mujoco_takes_them_for(tmp_path, case):
    path = written(tmp_path, case["xml"])
    if not case["ok"]:
        assert run("check", path).returncode != 0
        return
    # An actuator with a state of its own is refused where the drives count.
    robot = inspected(path, *(["--drives", "torque"] if case["title"] == "intvelocity" else []))
    links = [link for link in robot["links"] if link["mass"] > 0]
    bodies = [body for body in case["bodies"] if body["mass"] > 0]
    assert len(links) == len(bodies)
    for link, body in zip(links, bodies):
        # Printed with twelve digits; MuJoCo's axes of a scaled mesh are good to seven.
        near = 1e-7 if "mesh" in case["title"] else 1e-9
        expected = tensor(body["inertia"], body["inertia_quat"])
        assert link["mass"] == pytest.approx(body["mass"], rel=1e-9)
        assert link["com"] == pytest.approx(body["com"], abs=1e-9)
        assert tensor(link["inertia"]) == pytest.approx(expected, abs=near * abs(expected).max())
    joints = [joint for joint in robot["joints"] if joint["type"] != "fixed"]
    if "locks" in case["title"]:
        assert not joints  # held for ever, it is fixed
        return
    assert len(joints) == len(case["joints"])
    for joint, expected in zip(joints, case["joints"]):
        assert joint["type"] == {"hinge": "revolute", "slide": "prismatic"}[expected["type"]]
        if expected["name"]:
            assert joint["name"] == expected["name"]


def numbers(rng, n, scale=1.0):
    return " ".join(repr(float(x)) for x in rng.normal(size=n) * scale)


def random_body(rng, depth, count):
    """A body with one to three joints, geoms of every kind, frames and children."""
    number = count[0]
    count[0] += 1
    pose = rng.choice(['quat="{4}"', 'euler="{3}"', 'axisangle="{4}"', 'xyaxes="{6}"', 'zaxis="{3}"'])
    pose = pose.replace("{3}", numbers(rng, 3)).replace("{4}", numbers(rng, 4)).replace("{6}", numbers(rng, 6))
    relief = f' gravcomp="{rng.uniform(0.1, 1.5)}"' if rng.random() < 0.4 else ""
    text = f'<body name="b{number}" pos="{numbers(rng, 3)}" {pose}{relief}>'
    for k in range(rng.integers(1, 4)):
        kind = rng.choice(["hinge", "slide"])
        joint = (f'<joint name="j{number}_{k}" type="{kind}" pos="{numbers(rng, 3)}" axis="{numbers(rng, 3)}" '
                 f'ref="{numbers(rng, 1)}" armature="{rng.uniform(0, 0.2)}" damping="{rng.uniform(0, 1)}" '
                 f'stiffness="{rng.uniform(0, 5)}" springref="{numbers(rng, 1)}"/>')
        text += f'<frame pos="{numbers(rng, 3)}" euler="{numbers(rng, 3)}">{joint}</frame>' if rng.random() < 0.3 else joint
    for _ in range(rng.integers(1, 4)):
        size = " ".join(repr(float(x)) for x in rng.uniform(0.05, 0.3, 3))
        shell = ' shellinertia="true"' if rng.random() < 0.3 else ""
        kind = rng.choice(["sphere", "capsule", "ellipsoid", "cylinder", "box"])
        where = (f'fromto="{numbers(rng, 6)}"' if kind in ("capsule", "cylinder") and rng.random() < 0.4 else
                 f'pos="{numbers(rng, 3)}" quat="{numbers(rng, 4)}"')
        weight = f'mass="{rng.uniform(0.1, 2)}"' if rng.random() < 0.5 else f'density="{rng.uniform(100, 3000)}"'
        cls = ' class="light"' if rng.random() < 0.3 else ""
        text += f'<geom type="{kind}" size="{size}" {where} {weight}{shell}{cls}/>'
    if rng.random() < 0.2:
        text += f'<inertial pos="{numbers(rng, 3)}" quat="{numbers(rng, 4)}" mass="1.5" diaginertia="0.3 0.2 0.25"/>'
    for _ in range(rng.integers(0, 3) if depth < 3 else 0):
        text += random_body(rng, depth + 1, count)
    return text + "</body>"


def random_robot(rng):
    count = [0]
    bodies = "".join(random_body(rng, 1, count) for _ in range(rng.integers(1, 3)))
    unit = rng.choice(["degree", "radian"])
    sequence = "".join(rng.choice(list("xyzXYZ"), 3))
    return (f'<mujoco model="random"><compiler angle="{unit}" eulerseq="{sequence}" autolimits="true"/>'
            f'<option gravity="{numbers(rng, 3, 5)}"/><default><joint damping="0.1"/><default class="light">'
            f'<geom density="10" group="2"/></default></default><worldbody>{bodies}</worldbody></mujoco>')


def accelerations(path, model, q, v, tau):
    names = [model.joint(i).name for i in range(model.njnt)]
    effort = ["force" if kind == mujoco.mjtJoint.mjJNT_SLIDE else "torque" for kind in model.jnt_type]
    columns = ([f"joint.{n}.position" for n in names] + [f"joint.{n}.velocity" for n in names]
               + [f"joint.{n}.{e}" for n, e in zip(names, effort)])
    table = ",".join(columns) + "\n" + ",".join(repr(float(x)) for x in (*q, *v, *tau)) + "\n"
    states = path.with_suffix(".csv")
    states.write_text(table)
    done = run("forward", path, "--in", states)
    assert done.returncode == 0, done.stderr.decode()
    head, line = done.stdout.decode().split()
    row = dict(zip(head.split(","), map(float, line.split(","))))
    return numpy.array([row[f"joint.{n}.acceleration"] for n in names])


@pytest.mark.parametrize("seed", range(12))
def test_random_robots_accelerate_as_mujoco_says(tmp_path, seed):
    rng = numpy.random.default_rng(seed)
    text = random_robot(rng)
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= DISABLED
    data = mujoco.MjData(model)
    links = {link["name"]: link for link in inspected(path)["links"]}
    for i in range(1, model.nbody):
        link, name = links[model.body(i).name], model.body(i).name
        expected = tensor(model.body_inertia[i], model.body_iquat[i])
        assert link["mass"] == pytest.approx(model.body_mass[i], rel=1e-12), name
        assert link["com"] == pytest.approx(model.body_ipos[i], abs=1e-12), name
        assert tensor(link["inertia"]) == pytest.approx(expected, abs=1e-9 * abs(expected).max()), name
    for _ in range(2):
        data.qpos[:] = model.qpos0 + rng.normal(size=model.nq)
        data.qvel[:] = rng.normal(size=model.nv)
        data.qfrc_applied[:] = rng.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        got = accelerations(path, model, data.qpos, data.qvel, data.qfrc_applied)
        # The condition of the mass matrix, up to 1e5 here, times rounding.
        assert got == pytest.approx(data.qacc, abs=1e-9 * abs(data.qacc).max())


@pytest.mark.parametrize("inertia", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("scale", ["1 1 1", "0.5 -2 1.5"])
def test_meshes_weigh_as_mujoco_says(tmp_path, inertia, scale):
    rng = numpy.random.default_rng(7)
    # A cloud, of which convex takes the hull; the others a bipyramid whose corners are seen from its middle.
    ring = [(numpy.cos(a), numpy.sin(a), 0.2 * numpy.sin(3 * a)) for a in numpy.linspace(0, 2 * numpy.pi, 9)[:-1]]
    corners = ring + [(0.1, 0, 1), (0, 0.1, -1.5)]
    faces = [f"{i} {(i + 1) % 8} 8 {(i + 1) % 8} {i} 9" for i in range(8)]
    text = " ".join(f"{x} {y} {z}" for x, y, z in corners)
    cloud = " ".join(repr(float(x)) for x in rng.normal(size=3 * 200))
    shape = f'vertex="{cloud}"' if inertia == "convex" else f'vertex="{text}" face="{" ".join(faces)}"'
    text = (f'<mujoco><asset><mesh name="m" {shape} scale="{scale}" inertia="{inertia}" refpos="0.1 0.2 0.3" '
            f'refquat="0.3 0.8 0.1 0.2"/></asset><worldbody><body name="b"><joint/><geom type="mesh" mesh="m" '
            f'pos="1 2 3" quat="1 2 3 4" density="300"/></body></worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(text)
    link = inspected(written(tmp_path, text))["links"][1]
    expected = tensor(model.body_inertia[1], model.body_iquat[1])
    # MuJoCo keeps corners in single precision.
    assert link["mass"] == pytest.approx(model.body_mass[1], rel=1e-6)
    assert link["com"] == pytest.approx(model.body_ipos[1], abs=1e-6)
    assert tensor(link["inertia"]) == pytest.approx(expected, abs=1e-5 * abs(expected).max())


def test_copies_stand_where_mujoco_puts_them(tmp_path):
    text = ('<mujoco><worldbody><replicate count="12" offset="1 2 0" euler="0 10 90" sep="-"><body name="b" pos="0 0 1">'
            '<replicate count="3" offset="0 0 1"><body name="c"><joint name="j" axis="1 2 3"/><geom size="0.1" '
            'pos="0.3 0 0"/></body></replicate></body></replicate></worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= DISABLED
    data = mujoco.MjData(model)
    path = written(tmp_path, text)
    assert [link["name"] for link in inspected(path)["links"]] == [model.body(i).name for i in range(model.nbody)]
    data.qpos[:] = numpy.random.default_rng(1).normal(size=model.nq)
    mujoco.mj_forward(model, data)
    names = [model.joint(i).name.replace("-", "_") for i in range(model.njnt)]
    states = tmp_path / "states.csv"
    states.write_text(",".join(f"joint.{n}.position" for n in names) + "\n"
                      + ",".join(repr(float(x)) for x in data.qpos) + "\n")
    head, line = run("forward", path, "--in", states).stdout.decode().split()
    row = dict(zip(head.split(","), map(float, line.split(","))))
    assert [row[f"joint.{n}.acceleration"] for n in names] == pytest.approx(list(data.qacc), abs=1e-9)


def test_springdampers_follow_from_the_inertia_that_is_felt(tmp_path):
    text = ('<mujoco><worldbody><body><joint name="a" axis="0 1 0" ref="20" springdamper=".1 .5"/><geom size=".1" '
            'pos=".3 0 0"/><body pos=".5 0 0"><joint name="b" axis="0 1 0" armature=".1" springdamper=".3 .7"/><geom '
            'size=".1" pos=".3 0 0"/></body></body></worldbody></mujoco>')
    model = mujoco.MjModel.from_xml_string(text)
    starts = {v["name"]: v.get("start") for v in inspected(written(tmp_path, text))["variables"]}
    for i, name in enumerate("ab"):
        assert starts[f"joint.{name}.stiffness"] == pytest.approx(model.jnt_stiffness[i], rel=1e-9)
        assert starts[f"joint.{name}.viscous_friction"] == pytest.approx(model.dof_damping[i], rel=1e-9)


def test_couplings_tie_positions_that_count_from_ref(tmp_path):
    text = (f'<mujoco><compiler angle="radian"/><worldbody><body><joint name="a" ref="0.3"/>{BODY}</body><body>'
            f'<joint name="b" ref="-0.2"/>{BODY}</body></worldbody><equality><joint joint1="b" joint2="a" '
            f'polycoef="0.1 -2 0 0 0"/></equality></mujoco>')
    joints = {joint["name"]: joint for joint in inspected(written(tmp_path, text))["joints"]}
    follows = joints["b"]["mimic"]
    # b + 0.2 = 0.1 - 2 (a - 0.3)
    assert (follows["joint"], follows["multiplier"]) == ("a", -2)
    assert follows["offset"] == pytest.approx(0.1 + 0.6 - 0.2, abs=1e-15)


def test_a_keyframe_is_where_the_robot_starts(tmp_path):
    text = (f'<mujoco><worldbody><body><joint name="a" ref="90"/>{BODY}</body></worldbody><keyframe><key name="home" '
            f'qpos="0.5"/></keyframe></mujoco>')
    path = written(tmp_path, text)

    def start(*options):
        return {v["name"]: v.get("start") for v in inspected(path, *options)["variables"]}["joint.a.initial_position"]

    assert start() == pytest.approx(numpy.pi / 2) and start("--keyframe", "home") == 0.5
    assert "there is no keyframe 'hme'; there are 'home'" in run("check", path, "--keyframe", "hme").stderr.decode()


def test_included_files_are_part_of_the_text(tmp_path):
    (tmp_path / "joint.xml").write_text('<mujocoinclude><joint name="hinge" class="stiff"/></mujocoinclude>')
    (tmp_path / "classes.xml").write_text(
        '<mujoco><default><default class="stiff"><joint stiffness="7"/></default></default></mujoco>')
    path = written(tmp_path, f'<mujoco><include file="classes.xml"/><worldbody><body><include file="joint.xml"/>{BODY}'
                             '</body></worldbody></mujoco>')
    starts = {v["name"]: v.get("start") for v in inspected(path)["variables"]}
    assert starts["joint.hinge.stiffness"] == 7
    # Seen from the main file's folder, or from that of the file that includes.
    parts = tmp_path / "parts"
    parts.mkdir()
    (parts / "outer.xml").write_text('<mujocoinclude><include file="inner.xml"/></mujocoinclude>')
    (parts / "inner.xml").write_text('<mujocoinclude><joint name="hinge"/></mujocoinclude>')
    nested = tmp_path / "nested.xml"
    nested.write_text(f'<mujoco><worldbody><body><include file="parts/outer.xml"/>{BODY}</body></worldbody></mujoco>')
    assert [joint["name"] for joint in inspected(nested)["joints"]] == ["hinge"]
    (tmp_path / "joint.xml").write_text('<mujocoinclude>\n<joint dampng="1"/></mujocoinclude>')
    said = run("check", path).stderr.decode()
    assert f"{tmp_path}/joint.xml:2:8: <joint> has no attribute dampng; did you mean 'damping'?" in said


def body(inside, more=""):
    return f'<mujoco><worldbody><body name="l">{inside}{BODY}</body></worldbody>{more}</mujoco>'


def actuator(inside):
    return body('<joint name="j"/>', f"<actuator>{inside}</actuator>")


REFUSED = [
    (body('<joint quat="1 0 0 0"/>'), "has no attribute quat"),
    (body('<joint axis="0 0 0"/>'), "the axis of <joint> of body 'l' has no direction"),
    (body('<joint type="screw"/>'), "type of <joint> of body 'l' is 'screw'; it can be 'free', 'ball', 'slide', 'hinge'"),
    (body('<joint damping="1 2"/>'), "has a spring or a damper that is not linear"),
    (body('<joint type="ball" stiffness="1"/>'), "has several freedoms, and springs, friction and armature"),
    (body('<joint range="0 1"/>').replace("<worldbody>", '<compiler autolimits="false"/><worldbody>'),
     "has a range, and autolimits is false: say whether it is limited"),
    (body('<joint limited="true"/>'), "is limited, and its range does not rise"),
    (body('<freejoint/><joint/>'), "a body with a free joint can have no other joint"),
    (body('<joint class="none"/>'), "names the class 'none', and there is none"),
    (body('<attach model="m" body="b"/>'), "save the model with MuJoCo (mj_saveLastXML), or remove it"),
    (body('<wheel/>'), "<wheel> means nothing in <body>; remove it"),
    (body('<replicate count="0"/>'), "the count of <replicate> must be a whole number from 1 to 100000"),
    (body('<joint/>').replace('mass="1"', 'mass="1" fullinertia="1 1 1 0 0 0"'), "has both diaginertia and fullinertia"),
    (body('<joint/>').replace("1 1 1", "1 1 3"), "no body has the inertia of link 'l'"),
    (body('<frame quat="1 0 0 0" euler="0 0 0"/>'), "has both quat and euler; keep one of them"),
    (body('<frame quat="0 0 0 0"/>'), "quat of <frame> of body 'l' has no direction"),
    (body('<geom size="1" fromto="0 0 0 1 0 0"/>'), "has fromto, which capsules, cylinders, boxes and ellipsoids have"),
    (body('<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>'), "fromto of <geom> of body 'l' has no length"),
    (body('<geom type="box" size="1 1"/>'), "needs 3 sizes above zero"),
    ('<mujoco><worldbody><body><joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
     "names the mesh 'm', and there is none"),
    ('<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body>'
     '</worldbody></mujoco>', "the mesh 'm', which cannot be read: the file is not there; bring the file"),
    ('<mujoco><asset><mesh name="m" file="m.stl"/></asset><worldbody><body><joint/><geom type="box" mesh="m"/></body>'
     '</worldbody></mujoco>', "is a primitive that is to be fitted to a mesh"),
    ('<mujoco><worldbody><body><joint/><geom type="sdf"/></body></worldbody></mujoco>', "is a function of a plugin"),
    ('<mujoco><worldbody><body><joint/><geom size="1" mass="-1"/></body></worldbody></mujoco>',
     "the mass or density of <geom> is below zero"),
    (f'<mujoco><asset><mesh name="m" {TETRAHEDRON} scale="0 1 1"/></asset><worldbody><body><joint/><geom type="mesh" '
     'mesh="m"/></body></worldbody></mujoco>', "the mesh 'm' encloses no volume"),
    (f'<mujoco><asset><mesh name="m" {TETRAHEDRON} scale="1e120 1 1"/></asset><worldbody><body><joint/><geom type="mesh" '
     'mesh="m"/></body></worldbody></mujoco>', "the mesh 'm' is too large to be calculated with; lengths are metres"),
    (f'<mujoco><asset><mesh name="m" {TETRAHEDRON} refquat="0 0 0 0"/></asset><worldbody/></mujoco>',
     "refquat of mesh 'm' has no direction"),
    ('<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 9"/></asset><worldbody><body><joint/><geom '
     'type="mesh" mesh="m"/></body></worldbody></mujoco>', "names a vertex that is not there"),
    ('<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 1 1 0"/></asset><worldbody><body><joint/><geom '
     'type="mesh" mesh="m"/></body></worldbody></mujoco>', "lie in a plane, and enclose nothing"),
    ('<mujoco><asset><mesh name="m" vertex="0 0 0 1"/></asset><worldbody><body><joint/><geom type="mesh" mesh="m"/></body>'
     '</worldbody></mujoco>', "have three numbers each time, and four vertices or more"),
    ('<mujoco><worldbody>' + 3 * '<replicate count="1000">' + '<geom size="1"/>' + 3 * '</replicate>'
     + '</worldbody></mujoco>', "copied out, the file has more than 1000000 elements"),
    (f'<mujoco><asset><mesh name="m" vertex="{3000001 * "0 "}"/></asset><worldbody><body><joint/><geom type="mesh" '
     'mesh="m"/></body></worldbody></mujoco>', "vertex of mesh 'm' has 3000001 numbers; no mesh needs that"),
    ("<mujoco><asset><mesh/></asset><worldbody/></mujoco>", "a mesh has no name"),
    ("<mujoco/>", "<mujoco> has no <worldbody>"),
    ("<mujoco><wordbody/></mujoco>", "<mujoco> has no <wordbody>; did you mean 'worldbody'?"),
    ("<mujoco><include/></mujoco>", "<include> has no file"),
    ('<mujoco><include file="gone.xml"/></mujoco>', "'gone.xml' cannot be included: the file is not there"),
    ('<mujoco><compiler eulerseq="abc"/><worldbody/></mujoco>', "eulerseq is 'abc'; it takes three of x, y, z, X, Y, Z"),
    ("<mujoco><default><default/></default><worldbody/></mujoco>", "a <default> within another has no class"),
    ('<mujoco><default><default class="a"/><default class="a"/></default><worldbody/></mujoco>',
     "there is a class 'a' already"),
    ('<mujoco><deformable><flex name="f"/></deformable><worldbody/></mujoco>', "is a body that deforms"),
    (actuator('<motor joint="k"/>'), "names the joint 'k', and there is none"),
    (actuator("<motor/>"), "pushes on something beside joints, tendons and sites"),
    (actuator('<motor tendon="t"/>'), "names the tendon 't', and there is none"),
    (actuator('<motor site="s"/>'), "names the site 's', and there is none"),
    (actuator('<muscle joint="j"/>'), "computes its force in a way, which no drive here has; --drives torque"),
    (actuator('<general joint="j" gaintype="muscle"/>'), "is a muscle or one of a user's program"),
    (actuator('<general joint="j" dyntype="filter"/>'), "has a state of its own"),
    (actuator('<general joint="j" gaintype="affine" gainprm="1 2 3"/>'), "has a gain that follows the motion"),
    (actuator('<motor joint="j" armature="1"/>'), "has damping or armature"),
    (body('<joint name="j"/>', '<equality><tendon tendon1="t"/></equality>'), "an equality of a tendon is not simulated"),
    (body('<joint name="j"/>', '<equality><joint/></equality>'), "has no joint1"),
    (body('<joint name="j"/>', '<equality><connect body1="b"/></equality>'), "names the body 'b', and there is none"),
    (body('<joint name="j"/>', '<equality><connect site1="b"/></equality>'), "names the site 'b', and there is none"),
    (body('<joint name="j"/>', "<tendon><spatial name='s'/></tendon>"), "is a spatial tendon, whose path is not computed"),
    (body('<joint name="j"/>', "<tendon><fixed/></tendon>"), "names no joint; a fixed tendon needs one"),
    (body('<joint name="j"/>', "<tendon><fixed stiffness='1 2'><joint joint='j' coef='1'/></fixed></tendon>"),
     "has a spring or a damper that is not linear; write one number"),
    (body('<joint name="j"/><joint name="k"/>', "<tendon><fixed stiffness='1' springlength='0 1' range='0 2'><joint joint='j' "
     "coef='1'/><joint joint='k' coef='1'/></fixed></tendon>"), "a spring that is slack between two lengths, which stops"),
    (body("".join(f'<joint name="j{k}" pos="{k} {k * k} 0"/>' for k in range(8)), "<tendon><fixed name='t' damping='1'>"
          + "".join(f"<joint joint='j{k}' coef='1'/>" for k in range(8)) + "</fixed></tendon>"),
     "'t' pulls at more than 7 joints together; split it"),
    (body('<joint name="j"/><joint name="k" pos="1 0 0"/><joint name="m" pos="0 1 0"/>', '<equality><joint joint1="j" '
     'joint2="k"/><joint joint1="j" joint2="m"/></equality>'), "joint 'j' is to follow two joints; let it follow one"),
]


@pytest.mark.parametrize("text, sentence", REFUSED, ids=[sentence[:40] for _, sentence in REFUSED])
def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path, text, sentence):
    done = run("check", written(tmp_path, text))
    assert done.returncode != 0 and sentence in done.stderr.decode(), done.stderr.decode()


def test_what_is_left_out_is_told(tmp_path):
    text = body('<joint name="j"/><joint name="k" pos="1 0 0"/><geom size="1"/><site name="s"/>',
                '<option density="1.2"/><tendon><fixed name="t"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>'
                '</tendon><actuator><position name="p" joint="j" kp="3"/><general name="odd" joint="k" biastype="affine" biasprm="0 5 0"/><motor name="both" tendon="t"/><motor name="push" '
                'site="s"/><motor joint="k" gear="3" ctrlrange="-2 2"/></actuator>')
    path = written(tmp_path, text)
    said = run("check", path).stderr.decode()
    for sentence in ("contacts are not computed", "the robot moves in a fluid", "the drives 'odd' are left out: they are no servo",
                     "motor 'push' pushes on a site; in its place link 'l' has inputs"):
        assert sentence in said
    variables = {v["name"]: v for v in inspected(path)["variables"]}
    assert any(name.startswith("link.l.") and "force.x" in name for name in variables)
    assert variables["joint.k.effort_limit"]["start"] == 6
    assert variables["joint.j.servo_kp"]["start"] == 3 and "joint.j.target" in variables
    assert "left out: they are" not in run("check", path, "--drives", "torque").stderr.decode()


def check_derivatives(path, names, columns, state):
    """The matrix of linearise against differences of the accelerations; gives back the table of the states."""
    table = path.with_suffix(".at.csv")

    def put(states):
        table.write_text("\n".join([",".join(columns), *(",".join(repr(float(x)) for x in s) for s in states)]) + "\n")

    put([state])
    done = run("linearise", path, "--at", table, "--json")
    assert done.returncode == 0, done.stderr.decode()
    lines = json.loads(done.stdout)
    order = [entry["name"] for entry in lines["x"]]
    assert sorted(columns) == sorted(name for name in order if ".position" in name or ".velocity" in name)
    A = numpy.array(lines["A"])[[order.index(f"joint.{n}.velocity") for n in names]]
    step = 1e-6
    put([state + sign * step * numpy.eye(len(columns))[k] for k in range(len(columns)) for sign in (1, -1)])
    head, *rows = run("forward", path, "--in", table).stdout.decode().split()
    got = [dict(zip(head.split(","), map(float, row.split(",")))) for row in rows]
    accelerations_of = numpy.array([[row[f"joint.{n}.acceleration"] for n in names] for row in got])
    tangents = (accelerations_of[0::2] - accelerations_of[1::2]) / (2 * step)
    expected = A[:, [order.index(c) for c in columns]].T
    # Differences over 2e-6: their rounding is about 1e-9 of the accelerations.
    assert tangents == pytest.approx(expected, abs=1e-6 * abs(expected).max())
    return table


def test_relief_of_weight_is_in_derivatives_and_robot_files(tmp_path):
    """The matrices of linearise against differences of accelerations, and an FMU against its file."""
    rng = numpy.random.default_rng(5)
    path = written(tmp_path, random_robot(rng))
    assert "gravcomp" in path.read_text()
    names = [joint["name"] for joint in inspected(path)["joints"] if joint["type"] != "fixed"]
    columns = [f"joint.{n}.{what}" for what in ("position", "velocity") for n in names]
    table = check_derivatives(path, names, columns, rng.normal(size=len(columns)))
    fmu = tmp_path / "robot.fmu"
    assert run("export", path, "-o", fmu, "--platforms", "native").returncode == 0
    assert run("forward", fmu, "--in", table).stdout == run("forward", path, "--in", table).stdout


# ------------------------------------------------------------------------------------ what ties joints together

ARM = ('<worldbody><body><joint name="j0" axis="0 0 1" damping="0.1"/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>'
       '<body pos="0.2 0 0"><joint name="ja" axis="0 1 0" damping="0.2" ref="0.1"/>'
       '<inertial pos="0.1 0 0" mass="1" diaginertia="0.01 0.02 0.02"/>'
       '<body pos="0.2 0 0"><joint name="jb" axis="0 1 0"/><inertial pos="0.1 0 0" mass="0.7" diaginertia="0.01 0.02 0.02"/>'
       '<body pos="0.2 0 0"><joint name="jc" axis="1 1 0"/><inertial pos="0.1 0 0" mass="0.3" diaginertia="0.01 0.02 0.02"/>'
       '</body></body></body></body></worldbody>')
JOINTS = ("j0", "ja", "jb", "jc")


def forward(path, row, *options):
    states = path.with_suffix(".csv")
    states.write_text(",".join(row) + "\n" + ",".join(repr(float(x)) for x in row.values()) + "\n")
    done = run("forward", path, "--in", states, *options)
    assert done.returncode == 0, done.stderr.decode()
    head, line = done.stdout.decode().split()
    return dict(zip(head.split(","), map(float, line.split(","))))


def motion(data, names=JOINTS):
    return {f"joint.{n}.{what}": data.joint(n).__getattribute__(of)[0]
            for n in names for what, of in (("position", "qpos"), ("velocity", "qvel"))}


TIED = ('<equality><joint joint1="jb" joint2="ja" polycoef="0.1 0.5 -0.8 0.3 0.2"/></equality>'
        '<tendon><fixed name="t" stiffness="30" damping="2" armature="0.05" springlength="0.1"><joint joint="jc" coef="1.3"/>'
        '<joint joint="j0" coef="-0.7"/></fixed></tendon><actuator><position tendon="t" kp="20" kv="1.5"/></actuator>')


def test_ties_are_in_derivatives_and_robot_files(tmp_path):
    path = written(tmp_path, f'<mujoco><compiler angle="radian"/>{ARM}{TIED}</mujoco>')
    columns = [f"joint.{n}.{what}" for what in ("position", "velocity") for n in ("j0", "ja", "jc")]
    table = check_derivatives(path, ("j0", "ja", "jc"), columns, numpy.random.default_rng(3).normal(size=6) / 2)
    fmu = tmp_path / "robot.fmu"
    assert run("export", path, "-o", fmu, "--platforms", "native").returncode == 0
    assert run("forward", fmu, "--in", table).stdout == run("forward", path, "--in", table).stdout
    done = run("check", path, "--lock", "jc=0.2")
    assert "coupling 't' is of joint 'jc', which has to move in one freedom" in done.stderr.decode()


def test_what_hangs_on_a_held_joint_is_held(tmp_path):
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<equality><joint joint1="ja" polycoef="0.2"/>'
            '<joint joint1="jb" joint2="ja" polycoef="0 1 1"/></equality></mujoco>')
    assert [j["name"] for j in inspected(written(tmp_path, text))["joints"] if j["type"] != "fixed"] == ["j0", "jc"]


@pytest.mark.parametrize("seed", range(6))
def test_a_fixed_tendon_pulls_at_its_joints_as_in_mujoco(tmp_path, seed):
    """Spring, damper, armature, band, motor and servo of tendons over two joints."""
    rng = numpy.random.default_rng(seed)
    a, b, c, d = rng.uniform(-2, 2, 4)
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<tendon>'
            f'<fixed name="t1" stiffness="30" damping="2" springlength="0.1" armature="0.05">'
            f'<joint joint="ja" coef="{a}"/><joint joint="jb" coef="{b}"/></fixed>'
            f'<fixed name="t2" stiffness="11" springlength="-0.2"><joint joint="jc" coef="{c}"/><joint joint="j0" coef="{d}"/>'
            '</fixed></tendon><actuator><motor tendon="t1" gear="3"/><position tendon="t2" kp="20" kv="1.5"/></actuator></mujoco>')
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = rng.normal(size=4)
    data.qvel[:] = rng.normal(size=4)
    data.ctrl[:] = rng.normal(size=2)
    mujoco.mj_forward(model, data)
    # The motor's input is what it does at the tendon; the servo's is the tendon's length.
    row = forward(path, motion(data) | {"joint.t1.torque": 3 * data.ctrl[0], "joint.t2.target": data.ctrl[1]})
    for n in JOINTS:  # the least eigenvalue of the mass matrix is 0.01
        assert row[f"joint.{n}.acceleration"] == pytest.approx(data.joint(n).qacc[0], rel=1e-9, abs=1e-8), n


def test_a_spring_of_a_tendon_is_slack_within_its_band(tmp_path):
    """Where a simulation starts: stops are touched or not from initialisation on."""
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<tendon><fixed name="t" stiffness="11" springlength="-0.2 0.3">'
            '<joint joint="jc" coef="2"/><joint joint="j0" coef="-0.5"/></fixed></tendon></mujoco>')
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for start in (-0.7, 0.05, 0.9):
        data.qpos[:] = 0.1, 0.2, 0.3, start
        mujoco.mj_forward(model, data)
        sets = [f"--set=joint.{n}.initial_position={float(data.joint(n).qpos[0])!r}" for n in JOINTS]
        done = run("simulate", path, "--stop", "0.001", "--set=joint.t.initial_position=0.3", *sets)
        assert done.returncode == 0, done.stderr.decode()
        head, line = done.stdout.decode().split()[:2]
        row = dict(zip(head.split(","), map(float, line.split(","))))
        for n in JOINTS:
            assert row[f"joint.{n}.acceleration"] == pytest.approx(data.joint(n).qacc[0], rel=1e-9, abs=1e-8), n


def test_a_tendon_of_joints_that_follow_each_other_acts_at_one_joint(tmp_path):
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<equality><joint joint1="jb" joint2="jc" polycoef="0.3 2"/></equality>'
            '<tendon><fixed name="t"><joint joint="jb" coef="0.5"/><joint joint="jc" coef="0.5"/></fixed></tendon>'
            '<actuator><position tendon="t" kp="8" kv="3"/></actuator></mujoco>')
    robot = inspected(written(tmp_path, text))
    assert [joint["name"] for joint in robot["joints"]] == ["j0", "ja", "jb", "jc"]
    names = [v["name"] for v in robot["variables"]]
    assert "joint.jc.target" in names and "joint.t.target" not in names
    # L = 1.5 jc + 0.15, so the joint feels 1.5 squared of the gains.
    start = {v["name"]: v.get("start") for v in robot["variables"]}
    assert start["joint.jc.servo_kp"] == pytest.approx(18) and start["joint.jc.servo_kd"] == pytest.approx(6.75)


@pytest.mark.parametrize("seed", range(4))
def test_a_joint_follows_another_along_a_polynomial(tmp_path, seed):
    """Against the equations of an ideal constraint, with MuJoCo's mass matrix and bias."""
    rng = numpy.random.default_rng(seed)
    p = numpy.polynomial.Polynomial(rng.uniform(-1, 1, 5))
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<equality><joint joint1="jb" joint2="ja" '
            f'polycoef="{" ".join(map(repr, map(float, p.coef)))}"/></equality></mujoco>')
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= OFF.mjDSBL_EQUALITY
    data = mujoco.MjData(model)
    q, v = rng.normal(size=4), rng.normal(size=4)
    x = q[1] - 0.1
    q[2], v[2] = p(x), p.deriv()(x) * v[1]
    data.qpos[:], data.qvel[:] = q, v
    tau = rng.normal(size=4)
    data.qfrc_applied[:] = tau
    mujoco.mj_forward(model, data)
    M = numpy.zeros((4, 4))
    mujoco.mj_fullM(model, data, M)
    K = numpy.array([[0, -p.deriv()(x), 1, 0]])
    right = numpy.append(data.qfrc_smooth, p.deriv(2)(x) * v[1] ** 2)
    expected = numpy.linalg.solve(numpy.block([[M, K.T], [K, numpy.zeros((1, 1))]]), right)[:4]
    row = forward(path, motion(data) | {f"joint.{n}.torque": t for n, t in zip(JOINTS, tau)})
    for n, wanted in zip(JOINTS, expected):
        assert row[f"joint.{n}.acceleration"] == pytest.approx(wanted, rel=1e-9, abs=1e-8), n


def test_inputs_are_those_of_joints_that_something_drives(tmp_path):
    text = (f'<mujoco><compiler angle="radian"/>{ARM}<actuator><motor joint="ja"/></actuator></mujoco>')
    path = written(tmp_path, text)

    def efforts(*options):
        return [v["name"] for v in inspected(path, *options)["variables"] if v["name"].endswith(".torque")
                and v["role"] == "input" and v["name"].startswith("joint.")]

    assert efforts() == [f"joint.{n}.torque" for n in JOINTS]
    assert efforts("--inputs", "actuated") == ["joint.ja.torque"]
    assert efforts("--inputs", "actuated", "--drives", "torque") == ["joint.ja.torque"]
    fmu = tmp_path / "robot.fmu"
    assert run("export", path, "-o", fmu, "--platforms", "native", "--inputs", "actuated").returncode == 0
    ends = [run("simulate", p, "--stop", "0.1").stdout.decode().split()[-1] for p in (fmu, path)]
    assert ends[0] == ends[1]
    path.write_text(f"<mujoco>{ARM}</mujoco>")
    assert "says of no joint that something drives it" in run("check", path, "--inputs", "actuated").stderr.decode()


@pytest.mark.parametrize("joint", ['<joint name="j" type="ball" damping="0.3"/>',
                                   '<joint name="j" type="free" damping="0.3"/>'])
def test_joints_of_several_freedoms_are_damped_as_in_mujoco(tmp_path, joint):
    text = (f'<mujoco><option gravity="0 0 0" timestep="1e-4" integrator="RK4"/><worldbody><body>{joint}'
            '<inertial pos="0.1 0.2 0" mass="2" diaginertia="0.1 0.2 0.25"/></body></worldbody>'
            '<keyframe><key name="k" qvel="0 0 0"/></keyframe></mujoco>')
    text = text.replace('<keyframe><key name="k" qvel="0 0 0"/></keyframe>', "")
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    free = model.nv == 6
    v = [0.3, -0.2, 0.5, 1.0, -2.0, 0.7][-model.nv:]
    data.qvel[:] = v  # at the start the body's axes are the world's
    mujoco.mj_forward(model, data)
    start = [f"--set=joint.j.initial_angular_velocity.{a}={x}" for a, x in zip("xyz", v[-3:])]
    start += [f"--set=joint.j.initial_velocity.{a}={x}" for a, x in zip("xyz", v)] if free else []
    done = run("simulate", path, "--stop", "1e-3", *start)
    assert done.returncode == 0, done.stderr.decode()
    head, line = done.stdout.decode().split()[:2]
    row = dict(zip(head.split(","), map(float, line.split(","))))
    got = [row[f"joint.j.acceleration.{a}"] for a in "xyz"] if free else []
    got += [row[f"joint.j.angular_acceleration.{a}"] for a in "xyz"]
    assert got == pytest.approx(list(data.qacc), abs=1e-9)


@pytest.mark.parametrize("numbers", ["", 'solreflimit="0.05 0.7" solimplimit="0.8 0.9 0.001"', 'solreflimit="-900 -40"'])
def test_stops_give_way_at_rest_as_limits_of_mujoco_do(tmp_path, numbers):
    # Heavy enough to be deeper than the millimetre or so over which MuJoCo's limits become firm.
    text = (f'<mujoco><compiler angle="radian"/><option gravity="0 0 -60"/><worldbody><body><joint name="j" axis="0 1 0" damping="3" range="-1 0.2" {numbers}/>'
            '<inertial pos="0.4 0 0" mass="2" diaginertia="0.1 0.2 0.25"/></body></worldbody></mujoco>')
    path = written(tmp_path, text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    for _ in range(20000):
        mujoco.mj_step(model, data)
    assert abs(data.qvel[0]) < 1e-9 and data.qpos[0] > 0.2
    variables = {v["name"]: v for v in inspected(path, "--stops")["variables"]}
    pushes = variables["joint.j.stop_stiffness"]["start"] * (data.qpos[0] - 0.2)
    assert pushes == pytest.approx(2 * 60 * 0.4 * numpy.cos(data.qpos[0]), rel=1e-6)
    assert variables["joint.j.stop_damping"]["start"] > 0
