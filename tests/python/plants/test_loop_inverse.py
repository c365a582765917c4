"""Inverse dynamics of robots with closed loops: against expected accelerations, power and differences.

tests/mechanisms/README.md says where the expected values come from.
"""

import csv
import io
import re
import subprocess
import xml.etree.ElementTree as xml

import numpy as np
import pytest

from conftest import FOREARM, SOURCE
from mechanism import Mechanism, adjoint
from robot_fmu import RobotFmu

FOLDER = SOURCE / "tests" / "mechanisms"

# What nothing but joints and loops acts on: an inverse has no contacts and no servos.
LOOPS = ["andrews", "bricard", "delta", "excavator", "five_bar_scara", "four_bar", "four_bar_welded", "lead_screw",
         "palletiser", "slider_crank", "slider_crank_cut", "stewart", "watt_six_bar"]


def table(values):
    """One line, as text."""
    text = io.StringIO()
    csv.writer(text).writerows([values.keys(), [repr(float(x)) for x in values.values()]])
    return text.getvalue()


def given_to(points):
    return [*map(str, points.options), *(word for link in points.wrenches for word in ("--wrench", link))]


def ask(command, points, values, *options):
    done = subprocess.run([FOREARM, command, points.urdf, *given_to(points), *options, "--in", "-"],
                          input=table(values), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    head, line = list(csv.reader(io.StringIO(done.stdout)))
    return dict(zip(head, map(float, line)))


def loads(points, point):
    given = points.inputs(point)
    return {name: value for name, value in given.items() if name.startswith("link.")}


def motion(points, point):
    return {**points.named(0, point["position"]), **points.named(1, point["velocity"])}


def agrees(points, point, got):
    wanted = points.named(3, point["acceleration"])
    largest = 1 + max(abs(x) for x in wanted.values())
    for name, value in wanted.items():
        # 1e-10: of the expected values; twice, there and back
        assert got[name] == pytest.approx(value, rel=0, abs=2e-10 * largest), name


@pytest.mark.parametrize("name", LOOPS)
def test_efforts_of_a_motion_give_that_motion(name):
    points = Mechanism(SOURCE, name)
    for point in points.points:
        given = {**motion(points, point), **loads(points, point)}
        efforts = ask("inverse", points, {**given, **points.named(3, point["acceleration"])})
        assert efforts
        agrees(points, point, ask("forward", points, {**given, **efforts}))


@pytest.mark.parametrize("name", ["four_bar", "delta", "excavator"])
def test_power_of_the_drives_is_what_the_motion_takes(name, export, tmp_path):
    """No equation of motion: the rate of the energy, by differences along the motion, is the power of the drives."""
    points = Mechanism(SOURCE, name)
    point = points.points[1]
    fmu = RobotFmu(export(points.urdf, *given_to(points), "--kind", "inverse", "--fmi", "3", "--bare"))
    inputs = [v for v in fmu.variable if fmu.variable[v].causality == "input" and v.startswith("joint.")]
    speeds = [v for v in inputs if re.search("velocity", v)]
    start = {v: x for v, x in points.start(point).items() if v in fmu.variable}
    given = {**motion(points, point), **points.named(3, point["acceleration"])}
    with fmu.model(start) as model:
        model.set(inputs, [given[v] for v in inputs])
        gravity = model.get([f"gravity.{axis}" for axis in "xyz"])
        assert np.linalg.norm(gravity) > 0
        by_rate = {}
        for v in speeds:
            kind = v.rsplit("velocity", 1)[0]
            effort = v.replace("angular_velocity", "torque").replace("velocity", "torque")
            effort = effort if effort in fmu.variable else v.replace("velocity", "force")
            by_rate[v] = effort
            assert kind
        own = model.get([by_rate[v] for v in speeds])
        power = own @ np.array([given[v] for v in speeds])
        energy = ["energy.kinetic", "energy.potential"]
        # Along the motion: positions grow by speeds, speeds by accelerations. Balls do not move here.
        step, at = 1e-5, []
        for sign in (1, -1):
            moved = dict(given)
            for v in inputs:
                if v.endswith(".position"):
                    speed = given[v[:-len("position")] + "velocity"]
                    push = given[v[:-len("position")] + "acceleration"]
                    moved[v] += sign * step * speed + 0.5 * step ** 2 * push
                    moved[v[:-len("position")] + "velocity"] += sign * step * push
            model.set(inputs, [moved[v] for v in inputs])
            at.append(model.get(energy).sum())
    rate = (at[0] - at[1]) / (2 * step)
    friction = dissipated(points, given)
    # 1e-7: rounding of energies in differences over 2e-5 s; third derivatives times 1e-10
    assert power - friction == pytest.approx(rate, rel=1e-7, abs=1e-6 * (1 + abs(power)))


def dissipated(points, given):
    """The power of viscous friction, from the file."""
    total = 0
    for joint in xml.parse(points.urdf).getroot().iter("joint"):
        dynamics = joint.find("dynamics")
        if dynamics is not None and joint.get("name") in points.type:
            assert float(dynamics.get("friction", 0)) == 0
            total += float(dynamics.get("damping", 0)) * sum(
                given[f"joint.{joint.get('name')}.{v}"] ** 2 for v in points.parts(joint.get("name"), 1))
    return total


@pytest.mark.parametrize("name", ["four_bar", "delta"])
def test_the_regressor_gives_the_efforts(name):
    """Linear in the links' parameters: what it sums up to is the effort without friction."""
    points = Mechanism(SOURCE, name)
    point = points.points[1]
    given = {**motion(points, point), **points.named(3, point["acceleration"])}
    got = ask("inverse", points, given, "--regressor")
    links = xml.parse(points.urdf).getroot()
    efforts = [v for v in got if "/" not in v]
    sums = {v: 0.0 for v in efforts}
    for link in links.iter("link"):
        if link.find("inertial") is None or f"{efforts[0]}/link.{link.get('name')}.mass" not in got:
            continue
        inertial = link.find("inertial")
        mass = float(inertial.find("mass").get("value"))
        origin = inertial.find("origin")
        words = [] if origin is None else [origin.get("xyz", "0 0 0"), origin.get("rpy", "0 0 0")]
        com = np.array([float(x) for x in words[0].split()]) if words else np.zeros(3)
        assert not words or not np.any([float(x) for x in words[1].split()])
        own = {key: float(inertial.find("inertia").get(key)) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
        tensor = np.array([[own["ixx"], own["ixy"], own["ixz"]], [own["ixy"], own["iyy"], own["iyz"]],
                           [own["ixz"], own["iyz"], own["izz"]]]) + mass * (com @ com * np.eye(3) - np.outer(com, com))
        parameter = {"mass": mass, **{f"mass_com.{a}": mass * com[i] for i, a in enumerate("xyz")},
                     **{f"origin_inertia.{a}{b}": tensor["xyz".index(a), "xyz".index(b)]
                        for a, b in ("xx", "yy", "zz", "xy", "xz", "yz")}}
        for effort in efforts:
            sums[effort] += sum(value * got[f"{effort}/link.{link.get('name')}.{key}"]
                                for key, value in parameter.items())
    plain = ask("inverse", points, given, *no_friction(points))
    scale = 1 + max(abs(x) for x in plain.values())
    for effort in efforts:
        assert sums[effort] == pytest.approx(plain[effort], rel=0, abs=1e-11 * scale), effort


def no_friction(points):
    for joint in points.type:
        if points.type[joint] in ("revolute", "continuous", "prismatic"):
            yield from ("--set", f"joint.{joint}.viscous_friction=0")


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", ["four_bar", "delta", "excavator", "lead_screw", "stewart"])
def test_derivatives_agree_with_differences(name, fmi, export):
    points = Mechanism(SOURCE, name)
    point = points.points[0]
    fmu = RobotFmu(export(points.urdf, *given_to(points), "--kind", "inverse", "--outputs", "reactions,poses", "--fmi", str(fmi), "--bare"))
    knowns = [v for v in fmu.variable if fmu.variable[v].causality == "input" and v.startswith("joint.")]
    unknowns = [v for v in fmu.variable if fmu.variable[v].causality == "output"]
    start = {v: x for v, x in points.start(point).items() if v in fmu.variable}
    given = {**motion(points, point), **points.named(3, point["acceleration"])}
    chance = np.random.default_rng(7)
    with fmu.model(start) as model:
        at = np.array([given[v] for v in knowns])
        seed = chance.standard_normal(len(knowns))
        seed /= np.linalg.norm(seed)
        model.set(knowns, at)
        exact = np.array(model.derivative(unknowns, knowns, seed))
        step, sides = 1e-5, []
        for sign in (1, -1):
            model.set(knowns, at + sign * step * seed)
            sides.append(model.get(unknowns))
        differences = (sides[0] - sides[1]) / (2 * step)
        # 3e-6: third derivatives times 1e-10, and rounding of forces up to 1e5 N over 2e-5
        size = 1 + np.abs(sides[0]) + np.abs(differences)
        size = np.maximum(size, 1e-3 * size.max())
        assert np.max(np.abs(exact - differences) / size) < 3e-6
        if fmi == 3:
            model.set(knowns, at)
            weights = chance.standard_normal(len(unknowns)) / size
            back = adjoint(model, unknowns, knowns, weights)
            assert np.dot(back, seed) == pytest.approx(np.dot(weights, exact), rel=1e-9, abs=1e-9)


def test_no_answer_depends_on_the_one_before(export):
    points = Mechanism(SOURCE, "four_bar")
    fmu = RobotFmu(export(points.urdf, *given_to(points), "--kind", "inverse", "--fmi", "3", "--bare"))
    inputs = ["joint.crank.position", "joint.crank.velocity", "joint.crank.acceleration"]
    outputs = ["joint.crank.torque", "joint.rocker.position", "joint.rocker.acceleration", "loop.pin.error"]
    angles = np.linspace(-7, 9, 33)
    with fmu.model() as model:
        def at(angle):
            model.set(inputs, [angle, 1, 2])
            return model.get(outputs).tobytes()
        forwards = [at(angle) for angle in angles]
        assert [at(angle) for angle in angles[::-1]][::-1] == forwards


def side_file(path, name, text):
    path.write_text(f'<mechanism for="{name}">{text}</mechanism>', encoding="utf-8")
    return path


MOTOR = '<motor torque-constant="1" resistance="1" back-emf="1"/>'


def test_more_drives_than_freedoms_share_by_the_least_norm(source, tmp_path):
    """Two motors on a mechanism of one freedom: of all pairs that move it alike, the smallest."""
    robot = FOLDER / "robots" / "four_bar.urdf"
    side = (FOLDER / "robots" / "four_bar.mechanism.xml").read_text(encoding="utf-8")
    motors = "".join(f'<joint name="{name}">{MOTOR}</joint>' for name in ("crank", "rocker"))
    both = tmp_path / "both.xml"
    if re.search('<joint name="(crank|rocker)"', side):
        motors = ""
        side = re.sub('(<joint name="(?:crank|rocker)">)', lambda m: m.group(1) + MOTOR, side)
    assert side.count("<motor") + motors.count("<motor") >= 1
    missing = [name for name in ("crank", "rocker") if f'<joint name="{name}"' not in side + motors]
    motors += "".join(f'<joint name="{name}">{MOTOR}</joint>' for name in missing)
    both.write_text(re.sub("(<mechanism[^>]*>)", lambda m: m.group(1) + motors, side), encoding="utf-8")
    points = Mechanism(SOURCE, "four_bar")
    point = points.points[1]
    given = {**motion(points, point), **points.named(3, point["acceleration"])}
    alone = ask("inverse", points, given)

    done = subprocess.run([FOREARM, "inverse", robot, "--actuators", both, "--in", "-"], input=table(given),
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    head, line = list(csv.reader(io.StringIO(done.stdout)))
    shared = dict(zip(head, map(float, line)))
    rates = points.named(1, point["velocity"])
    ratio = rates["joint.rocker.velocity"] / rates["joint.crank.velocity"]
    wanted = alone["joint.crank.torque"] / (1 + ratio ** 2)
    back = rates["joint.crank.velocity"], rates["joint.rocker.velocity"]  # voltage = torque + speed, of unit constants
    assert shared["joint.crank.voltage"] - back[0] == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    assert shared["joint.rocker.voltage"] - back[1] == pytest.approx(ratio * wanted, rel=1e-9, abs=1e-9)


def test_fewer_drives_than_freedoms_are_refused(tmp_path):
    robot = FOLDER / "robots" / "five_bar_scara.urdf"
    side = (FOLDER / "robots" / "five_bar_scara.mechanism.xml").read_text(encoding="utf-8")
    first = re.search('<joint name="([^"]*)"><initial', side)
    assert first
    one = tmp_path / "one.xml"
    one.write_text(side.replace(first.group(0), first.group(0).replace("<initial", MOTOR + "<initial")),
                   encoding="utf-8")
    done = subprocess.run([FOREARM, "inverse", robot, "--actuators", one, "--in", "-"], input="time\n0\n",
                          capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "something drives 1 of the joints" in done.stderr and "2 freedoms" in done.stderr


@pytest.mark.parametrize("driven", ["all", "first", "none"])
def test_an_fmu_drives_the_joints_that_its_file_drives(driven, tmp_path):
    points = Mechanism(SOURCE, "five_bar_scara")
    text = points.urdf.read_text()
    joints = [joint.get("name") for joint in xml.fromstring(text).iter("joint") if joint.get("type") == "revolute"]
    marked = {"all": joints, "first": joints[:2], "none": []}[driven]
    control = "".join(f'<joint name="{name}"><command_interface name="effort"/></joint>' for name in marked)
    robot = tmp_path / "robot.urdf"
    robot.write_text(text.replace("</robot>", f'<ros2_control name="c" type="system">{control}</ros2_control></robot>'))
    options = [*map(str, points.options)]
    subprocess.run([FOREARM, "export", robot, *options, "--bare", "-o", tmp_path / "robot.fmu"], check=True, capture_output=True)
    point = points.points[0]
    asked = table({**motion(points, point), **points.named(3, point["acceleration"])})
    said = [subprocess.run([FOREARM, "inverse", file, *more, "--in", "-"], input=asked, capture_output=True, text=True, check=False)
            for file, more in ((robot, options), (tmp_path / "robot.fmu", []))]
    assert said[0].returncode == said[1].returncode == 0, said
    assert said[0].stdout == said[1].stdout
