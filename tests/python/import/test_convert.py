"""forearm convert: what is written and read again moves as before, and what is lost is told."""

import mujoco
import numpy
import pytest

from cli import run
from conftest import SOURCE
from test_mjcf import ARM, TIED, random_robot

URDFS = ["tests/urdf/mimic.urdf", "tests/urdf/prismatic.urdf", "tests/urdf/axis_oblique.urdf", "examples/scara/scara.urdf"]
ARMS = ["puma560", "stanford", "ascher2", "cmu_dd_arm"]


def accelerations(path, columns, states):
    table = path.parent / "states.csv"
    table.write_text(",".join(columns) + "\n" + "\n".join(",".join(repr(float(x)) for x in s) for s in states) + "\n")
    done = run("forward", path, "--in", table)
    assert done.returncode == 0, done.stderr.decode()
    head, *lines = done.stdout.decode().split()
    names = head.split(",")
    rows = [dict(zip(names, map(float, line.split(",")))) for line in lines]
    return numpy.array([[row[n] for n in sorted(names) if n.endswith(".acceleration")] for row in rows])


def joints(path):
    import json

    done = run("inspect", path, "--json")
    assert done.returncode == 0, done.stderr.decode()
    return [v["name"] for v in json.loads(done.stdout)["variables"]
            if v["name"].startswith("joint.") and v["name"].split(".")[-1] in ("position", "velocity", "torque", "force")]


def converted(path, out):
    done = run("convert", path, "-o", out)
    assert done.returncode == 0, done.stderr.decode()
    return out, done.stderr.decode()


def same_motion(first, second, rng):
    columns = [name for name in joints(first) if name in joints(second)]
    assert len(columns) >= 3
    states = rng.normal(size=(3, len(columns)))
    expected, got = accelerations(first, columns, states), accelerations(second, columns, states)
    assert got.shape == expected.shape
    # Rounding times the condition of the mass matrix.
    assert got == pytest.approx(expected, abs=1e-9 * abs(expected).max())


@pytest.mark.parametrize("suffix", ["urdf", "mjcf"])
@pytest.mark.parametrize("robot", URDFS)
def test_urdf_moves_as_before(tmp_path, robot, suffix):
    out, _ = converted(SOURCE / robot, tmp_path / f"out.{suffix}")
    same_motion(SOURCE / robot, out, numpy.random.default_rng(1))


@pytest.mark.parametrize("suffix", ["urdf", "mjcf", "xml"])
@pytest.mark.parametrize("robot", ARMS)
def test_arms_move_as_before(tmp_path, robot, suffix):
    # Motors and stick-slip are no words of the others.
    plain = tmp_path / "plain.xml"
    converted(SOURCE / "resources" / "robots" / f"{robot}.xml", tmp_path / "first.urdf")
    converted(tmp_path / "first.urdf", plain)
    out, said = converted(plain, tmp_path / f"out.{suffix}")
    if robot == "puma560" and suffix == "mjcf":  # some of its published inertias belong to no body
        assert "an inertia that MuJoCo takes, that is a body's, of link 'lower_arm'" in said
        return
    same_motion(plain, out, numpy.random.default_rng(2))


@pytest.mark.parametrize("suffix", ["urdf", "mjcf"])
@pytest.mark.parametrize("seed", range(6))
def test_random_robots_move_as_before(tmp_path, seed, suffix):
    rng = numpy.random.default_rng(100 + seed)
    path = tmp_path / "robot.xml"
    # URDF has no springs, which is told.
    text = random_robot(rng)
    path.write_text(text if suffix == "mjcf" else "".join(text.split('gravity="')[0] + 'gravity="0 0 -9.81"' + text.split(
        'gravity="')[1].partition('"')[2]))
    plain = path
    if suffix == "urdf":
        plain, said = converted(path, tmp_path / "first.urdf")
        assert "spring and damper of joint" in said
    out, _ = converted(plain, tmp_path / f"out.{suffix}")
    same_motion(plain, out, rng)
    if suffix == "mjcf":
        assert mujoco.MjModel.from_xml_path(str(out)).njnt == mujoco.MjModel.from_xml_path(str(path)).njnt


def test_a_servo_is_a_position_actuator(tmp_path):
    path = tmp_path / "servo.mjcf"
    path.write_text('<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" armature="0.1"/><geom size="0.1" '
                    'pos="0.2 0 0"/></body></worldbody><actuator><position name="a" joint="j" kp="90" dampratio="1" gear="2" '
                    'forcerange="-5 5"/></actuator></mujoco>')
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    q, v, target = 0.01, 0.2, 0.03
    data.qpos[0], data.qvel[0], data.ctrl[0] = q, v, 2 * target
    mujoco.mj_forward(model, data)
    columns = ["joint.j.position", "joint.j.velocity", "joint.j.target"]
    got = accelerations(path, columns, [[q, v, target]])
    assert got[0, 0] == pytest.approx(data.qacc[0], rel=1e-9)
    out, _ = converted(path, tmp_path / "again.mjcf")
    assert accelerations(out, columns, [[q, v, target]]) == pytest.approx(got, rel=1e-12)


def test_what_a_format_has_no_word_for_is_told(tmp_path):
    said = converted(SOURCE / "resources" / "robots" / "cmu_dd_arm.xml", tmp_path / "out.urdf")[1]
    assert "not in the file that is written: " in said and " of joint '" in said


@pytest.mark.parametrize("robot, out, sentence", [
    ("serpenoid", "out.urdf", "is a snake, which no other format has a word for"),
    ("patu655_lift_axis", "out.urdf", "is a hydraulic axis, which no other format has a word for"),
    ("scara", "out.txt", "forearm convert needs -o OUT with the suffix of the format that is wanted"),
])
def test_what_cannot_be_written_is_refused(tmp_path, robot, out, sentence):
    done = run("convert", SOURCE / "resources" / "robots" / f"{robot}.xml", "-o", tmp_path / out)
    assert done.returncode == 2 and sentence in done.stderr.decode()


INERTIAL = ("<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>")


def urdf(tmp_path, joints_text, n=3):
    path = tmp_path / "robot.urdf"
    links = "<link name='l0'/>" + "".join(f"<link name='l{i}'>{INERTIAL}</link>" for i in range(1, n))
    path.write_text(f"<robot name='r'>{links}{joints_text}</robot>")
    return path


def joint(name, kind, parent, child, inside=""):
    return (f"<joint name='{name}' type='{kind}'><origin xyz='0.3 0.1 0.2' rpy='0.1 0.2 0.3'/><parent link='l{parent}'/>"
            f"<child link='l{child}'/><axis xyz='0 0.6 0.8'/>{inside}</joint>")


@pytest.mark.parametrize("suffix, text, n, sentence", [
    ("xml", joint("a", "continuous", 0, 1) + joint("b", "continuous", 0, 2), 3, "begins a second branch"),
    ("xml", joint("a", "continuous", 0, 1) + joint("b", "floating", 1, 2), 3, "is of another kind"),
    ("xml", joint("a", "continuous", 0, 1) + joint("b", "continuous", 1, 2, "<mimic joint='a'/>"), 3, "follows another"),
    ("xml", joint("a", "continuous", 0, 1) + joint("b", "continuous", 1, 2) + "<loop name='p' type='distance' length='0.5'>"
     "<predecessor link='l0'/><successor link='l2'/></loop>", 3, "ties links together, and an <arm> is a line"),
    ("mjcf", joint("a", "screw", 0, 1, "<limit effort='1' velocity='1' lower='-1' upper='1'/><screw_thread_pitch value='0.1'/>"), 2, "is a screw, which MJCF does not have"),
    ("mjcf", joint("a", "continuous", 0, 1) + joint("b", "floating", 1, 2), 3, "is floating, which in MJCF bodies of the world"),
    ("mjcf", "".join(joint(f"j{i}", "continuous", i, i + 1) for i in range(60)), 61, "hang on each other more than 50 deep"),
    ("xml", "".join(joint(f"j{i}", "continuous", i, i + 1) for i in range(1000)), 1001, "is more than is written; 1000 are"),
])
def test_robots_that_a_format_cannot_have_are_refused(tmp_path, suffix, text, n, sentence):
    done = run("convert", urdf(tmp_path, text, n), "-o", tmp_path / f"out.{suffix}")
    assert done.returncode == 2 and sentence in done.stderr.decode(), done.stderr.decode()


def ends(path):
    """Where joints are after a while, by the last line of a simulation."""
    done = run("simulate", path, "--stop", "0.2", "--step", "0.1", "--tolerance", "1e-10")
    assert done.returncode == 0, done.stderr.decode()
    head, *lines = done.stdout.decode().split()
    row = dict(zip(head.split(","), map(float, lines[-1].split(","))))
    return {name: value for name, value in row.items() if name.endswith((".position", ".velocity")) or ".orientation" in name}


@pytest.mark.parametrize("suffix", ["urdf", "mjcf"])
def test_joints_of_several_freedoms_come_back(tmp_path, suffix):
    text = (joint("a", "continuous", 0, 1) + joint("b", "continuous", 1, 2) + joint("c", "spherical", 0, 3)
            + joint("d", "planar", 0, 4) + joint("e", "floating", 0, 5))
    path = urdf(tmp_path, text, 6)
    out, _ = converted(path, tmp_path / f"out.{suffix}")
    before, after = ends(path), ends(out)
    both = sorted(set(before) & set(after))
    assert len(both) >= 4  # MJCF has joints of its own in the place of a planar one
    assert [after[n] for n in both] == pytest.approx([before[n] for n in both], abs=1e-7)


def test_loops_come_back_in_urdf(tmp_path):
    pin = ("<loop name='pin' type='revolute'><predecessor link='l2'><origin xyz='0.5 0 0'/></predecessor><successor link='l3'>"
           "<origin xyz='0 0 0.5' rpy='0 0 0'/></successor><axis xyz='0 1 0'/></loop>")
    bars = "".join(f"<joint name='j{i}' type='continuous'><origin xyz='{at}'/><parent link='l{p}'/><child link='l{i}'/>"
                   "<axis xyz='0 1 0'/></joint>" for i, p, at in ((1, 0, "0 0 0"), (2, 1, "0 0 0.5"), (3, 0, "0.5 0 0")))
    path = urdf(tmp_path, bars + pin, 4)
    out, _ = converted(path, tmp_path / "out.urdf")
    assert ends(out) == pytest.approx(ends(path), abs=1e-7)


def test_tendons_and_polynomials_come_back_in_mjcf(tmp_path):
    path = tmp_path / "robot.xml"
    arm = ARM.replace(' ref="0.1"', "")  # a joint's start is not written
    path.write_text(f'<mujoco><compiler angle="radian"/>{arm}{TIED.replace("0.1 0.5", "0 0.5")}</mujoco>')
    out, _ = converted(path, tmp_path / "out.mjcf")
    assert "<tendon>" in out.read_text() and "polycoef" in out.read_text()
    assert ends(out) == pytest.approx(ends(path), abs=1e-9)
    mujoco.MjModel.from_xml_path(str(path))
    mujoco.MjModel.from_xml_path(str(out))
    done = run("convert", path, "-o", tmp_path / "out.urdf")
    assert done.returncode == 2 and "ties joints together by more than a ratio" in done.stderr.decode()
