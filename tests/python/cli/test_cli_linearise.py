"""forearm linearise, equilibria, and inverse dynamics as an FMU."""

import json
import math
import random

import fmpy
import fmpy.fmi3
import numpy
import pytest

from cli import PENDULUM, as_csv, fails, ok, table

G = 9.81


def linear(*arguments, **options):
    """The point and the matrices, by their names."""
    found = json.loads(ok("linearise", *arguments, "--json", **options))
    for name in "ABCD":
        found[name] = numpy.array(found[name])
    for name in "xuy":
        found[name] = {entry["name"]: entry["value"] for entry in found[name]}
    return found


@pytest.fixture
def pendulum(tmp_path):
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM)
    return path


def test_json_goes_where_the_table_would(pendulum, tmp_path):
    assert ok("linearise", pendulum, "--json", "--out", tmp_path / "matrices.json") == ""
    assert (tmp_path / "matrices.json").read_text() == ok("linearise", pendulum, "--json", "--out", "-")
    assert "cannot" in fails(3, "linearise", pendulum, "--json", "--out", tmp_path / "nowhere" / "x.json")


@pytest.mark.parametrize("angle", [0, 0.5, -2])
def test_a_pendulum_has_the_slopes_of_the_textbook(pendulum, angle):
    found = linear(pendulum, "--set", f"joint.pivot.initial_position={angle}")
    assert found["x"] == {"joint.pivot.position": angle, "joint.pivot.velocity": 0}
    # A few roundings of 9.81.
    assert numpy.allclose(found["A"], [[0, 1], [-G * math.cos(angle), 0]], rtol=0, atol=1e-14)
    torque = list(found["u"]).index("joint.pivot.torque")
    assert numpy.allclose(found["B"][:, torque], [0, 1], rtol=0, atol=1e-15)
    kinetic, x = list(found["y"]).index("energy.kinetic"), list(found["y"]).index("tip.x")
    assert numpy.allclose(found["C"][kinetic], 0) and numpy.allclose(found["D"][x], 0)


def test_slopes_are_the_limit_of_differences(source, tmp_path):
    robot = source / "resources" / "robots" / "puma560.xml"
    state = {name: random.Random(1).uniform(-1, 1) for name in linear(robot)["x"]}
    at = tmp_path / "state.csv"
    at.write_text(as_csv([state]))
    found = linear(robot, "--at", at)
    names, step = list(found["x"]), 1e-6
    for column, name in enumerate(names):
        rows = [dict(state, **{name: state[name] + side * step}) for side in (1, -1)]
        up, down = table(ok("forward", robot, "--in", "-", stdin=as_csv(rows).encode()))
        for row, moved in enumerate(names):
            if not moved.endswith(".velocity"):
                continue
            acceleration = moved.replace(".velocity", ".acceleration")
            slope = (up[acceleration] - down[acceleration]) / (2 * step)
            # Friction that turns round within 0.01 rad/s has third derivatives of 1e7.
            assert found["A"][row, column] == pytest.approx(slope, rel=1e-4, abs=1e-4)


def test_the_table_has_names_on_both_sides(pendulum):
    first, *rest = ok("linearise", pendulum).splitlines()
    assert first.startswith(",joint.pivot.position,joint.pivot.velocity,joint.pivot.torque")
    assert [line.split(",")[0] for line in rest[:3]] == [
        "der(joint.pivot.position)", "der(joint.pivot.velocity)", "joint.pivot.acceleration"]
    assert all(line.count(",") == first.count(",") for line in rest)


def test_equilibrium_torques_leave_no_acceleration(source):
    robot = source / "resources" / "robots" / "stanford.xml"
    found = linear(robot, "--equilibrium", "torques", "--set", "payload.mass=2")
    rows = table(ok("forward", robot, "--in", "-", "--set", "payload.mass=2",
                    stdin=as_csv([found["u"]]).encode()))
    # Rounding of torques of some 100 N m over the least inertia, 0.01 kg m^2.
    assert max(map(abs, rows[0].values())) < 1e-10


def test_a_pendulum_rests_hanging_and_where_its_torque_holds_it(pendulum):
    found = linear(pendulum, "--equilibrium", "pose", "--set", "joint.pivot.initial_position=0.7")
    assert found["x"]["joint.pivot.position"] == pytest.approx(0, abs=1e-12)
    found = linear(pendulum, "--equilibrium", "pose", "--set", "joint.pivot.torque=5")
    assert found["x"]["joint.pivot.position"] == pytest.approx(math.asin(5 / G), abs=1e-12)
    said = fails(4, "linearise", pendulum, "--equilibrium", "pose", "--set", "joint.pivot.torque=20")
    assert "no pose near the given one is held by these torques" in said and "N m, or N, are missing" in said


def turned(angle):
    """An angle between -pi and pi that is the same but for whole turns."""
    return math.remainder(angle, 2 * math.pi)


def test_the_equilibrium_is_the_nearest_one_from_anywhere(source):
    # Both links of the double pendulum hang or stand: four equilibria, and whole turns.
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    equilibria = [(first, second) for first in (-math.pi / 2, math.pi / 2) for second in (0, math.pi)]
    draw = random.Random(3)
    for _ in range(20):
        start = {name: draw.uniform(-3, 3) for name in ("shoulder", "elbow")}
        sets = [word for name, value in start.items()
                for word in ("--set", f"joint.{name}.initial_position={value!r}")]
        x = linear(robot, "--equilibrium", "pose", *sets)["x"]
        found = [x[f"joint.{name}.position"] for name in start]
        apart = [math.hypot(*(turned(a - b) for a, b in zip(e, start.values()))) for e in equilibria]
        # Angles are as near to the start as whole turns leave them, and no equilibrium is nearer.
        assert math.dist(found, start.values()) == pytest.approx(min(apart), abs=1e-9)


def test_a_pose_is_found_wherever_torques_hold_one(source):
    # Torques that hold a pose within the limits, and another start. Of poses that hold there is one at least,
    # not farther than that.
    robot = source / "resources" / "robots" / "puma560.xml"
    variables = {v["name"]: v for v in json.loads(ok("inspect", robot, "--json"))["variables"]}
    joints = [name.split(".")[1] for name in variables if name.endswith(".initial_position")]
    draw = random.Random(1)
    def pose():
        return {j: draw.uniform(max(variables[f"joint.{j}.lower_limit"]["start"], -3),
                                min(variables[f"joint.{j}.upper_limit"]["start"], 3)) for j in joints}
    for _ in range(8):
        held, start = pose(), pose()
        asked = as_csv([{f"joint.{j}.position": q for j, q in held.items()}]).encode()
        values = table(ok("inverse", robot, "--in", "-", stdin=asked))[0]
        values |= {f"joint.{j}.initial_position": q for j, q in start.items()}
        sets = [word for name, value in values.items() for word in ("--set", f"{name}={value!r}")]
        x = linear(robot, "--equilibrium", "pose", *sets)["x"]
        found = [x[f"joint.{j}.position"] for j in joints]
        assert math.dist(found, start.values()) <= math.dist(held.values(), start.values()) + 1e-9


@pytest.mark.parametrize("name", ["xarm7", "panda", "so100"])
def test_arms_of_others_rest_somewhere_within_their_limits(robots, name):
    linear(robots[name], "--lenient", "--equilibrium", "pose")


def test_an_equilibrium_keeps_within_limits(tmp_path):
    def pendulum(lower, upper):
        text = PENDULUM.replace('type="continuous"', 'type="revolute"').replace(
            "</joint>", f'<limit lower="{lower}" upper="{upper}" effort="9" velocity="9"/></joint>')
        (tmp_path / "limited.urdf").write_text(text)
        return tmp_path / "limited.urdf"
    def rest(*limits, start=0.0):
        return linear(pendulum(*limits), "--equilibrium", "pose", "--set",
                      f"joint.pivot.initial_position={start}")["x"]["joint.pivot.position"]
    assert rest(2.5, 4, start=2.6) == pytest.approx(math.pi, abs=1e-9)  # upright, as hanging is out of reach
    assert rest(-1, 20, start=14) == pytest.approx(4 * math.pi, abs=1e-9)
    assert rest(-1, 12, start=11.9) == pytest.approx(3 * math.pi, abs=1e-9)  # 4 pi is beyond
    assert rest(0, 0) == pytest.approx(0, abs=1e-9)
    x = linear(pendulum(0, 0), "--equilibrium", "pose", "--set", "joint.pivot.torque=5")["x"]
    assert x["joint.pivot.position"] == pytest.approx(math.asin(5 / G), abs=1e-9)  # 0 to 0 says nothing
    said = fails(4, "linearise", pendulum(0.5, 2), "--equilibrium", "pose")
    assert "within the limits of the joints" in said


def test_what_no_torque_depends_on_stays(tmp_path):
    text = PENDULUM.replace("</robot>", '''<link name="mast"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="turn" type="continuous">
<parent link="ground"/><child link="mast"/><axis xyz="0 0 1"/></joint></robot>''')
    (tmp_path / "two.urdf").write_text(text)
    x = linear(tmp_path / "two.urdf", "--equilibrium", "pose", "--set", "joint.turn.initial_position=0.4", "--set",
               "joint.pivot.initial_position=2")["x"]
    assert x["joint.turn.position"] == pytest.approx(0.4, abs=1e-9)
    assert x["joint.pivot.position"] == pytest.approx(math.pi, abs=1e-9)


@pytest.mark.parametrize("path", ["resources/robots/puma560.xml", "resources/robots/serpenoid.xml",
                                  "examples/circuits/patu655.xml", "tests/mechanisms/robots/satellite.urdf"])
def test_a_parameter_says_the_same_in_a_table_and_as_an_option(path, source, tmp_path):
    """Those that states start from, too."""
    robot = source / path
    every = json.loads(ok("inspect", "--json", robot))["variables"]
    numbers = {v["name"]: v["start"] for v in every if v["role"] == "parameter"}
    names = [name for name in numbers if ".initial_" in name and "quaternion" not in name]
    assert len(names) > 2
    moved = 0
    for name in random.Random(5).sample(names, min(len(names), 12)):
        value = repr(0.97 * numbers[name] or 0.01)
        (tmp_path / "at.csv").write_text(f"{name}\n{value}\n")
        told = ok("linearise", robot, "--at", tmp_path / "at.csv")
        assert told == ok("linearise", robot, "--set", f"{name}={value}"), name
        moved += told != ok("linearise", robot)
    assert moved > 0


def test_an_inverse_is_not_linearised(export, source):
    fmu = export(source / "resources" / "robots" / "scara.xml", "--kind", "inverse")
    assert "an inverse has no states" in fails(2, "linearise", fmu)


@pytest.mark.parametrize("name", ["scara", "stanford", "cmu_dd_arm"])
def test_an_inverse_fmu_gives_the_torques_of_inverse(export, source, name, tmp_path):
    robot = source / "resources" / "robots" / f"{name}.xml"
    path = export(robot, "--kind", "inverse")
    description = fmpy.read_model_description(path)
    by_name = {variable.name: variable.valueReference for variable in description.modelVariables}
    inputs = [v.name for v in description.modelVariables if v.causality == "input"]
    torques = [v for v in expected_names(by_name)]
    rng = random.Random(2)
    rows = [{name: rng.uniform(-2, 2) for name in inputs} for _ in range(20)]
    expected = table(ok("inverse", robot, "--in", "-", stdin=as_csv(rows).encode()))
    fmu = fmpy.fmi3.FMU3Slave(guid=description.guid, unzipDirectory=fmpy.extract(path, str(tmp_path)),
                              modelIdentifier=description.coSimulation.modelIdentifier)
    fmu.instantiate()
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    for row, wanted in zip(rows, expected):
        fmu.setFloat64([by_name[name] for name in inputs], [row[name] for name in inputs])
        got = fmu.getFloat64([by_name[name] for name in torques])
        assert got == [wanted[name] for name in torques]  # the same code
    fmu.terminate()
    fmu.freeInstance()


def expected_names(names):
    """What drives the joints: voltages where there are motors, else torques and forces."""
    joints = {name.split(".")[1] for name in names if name.startswith("joint.")}
    return [next(f"joint.{joint}.{kind}" for kind in ("voltage", "torque", "force")
                 if f"joint.{joint}.{kind}" in names) for joint in sorted(joints)]


def follow(robot, torques, step):
    """How far the DD arm strays from a wave when its inverse's torques drive it, sampled and joined."""
    joints = [name.split(".")[1] for name in linear(robot)["x"] if name.endswith(".position")]
    wave, motion = 2 * math.pi, []
    for k in range(round(1 / step) + 1):
        t = k * step
        row = {"time": t}
        for i, joint in enumerate(joints):
            size = 0.1 * (i + 1)
            row[f"joint.{joint}.position"] = size * (1 - math.cos(wave * t))
            row[f"joint.{joint}.velocity"] = size * wave * math.sin(wave * t)
            row[f"joint.{joint}.acceleration"] = size * wave**2 * math.cos(wave * t)
        motion.append(row)
    torques.write_text(ok("inverse", robot, "--in", "-", stdin=as_csv(motion).encode()))
    got = table(ok("simulate", robot, "--input", torques, "--interpolate", "linear", "--step", step))
    assert len(got) == len(motion)
    return max(abs(a[f"joint.{joint}.position"] - b[f"joint.{joint}.position"])
               for a, b in zip(got, motion) for joint in joints)


def test_the_dd_arm_follows_the_torques_that_its_inverse_asks_for(source, tmp_path):
    robot = source / "resources" / "robots" / "cmu_dd_arm.xml"
    coarse, fine = (follow(robot, tmp_path / "torques.csv", step) for step in (2e-3, 1e-3))
    # Straight lines between samples miss the torques by (wave step)^2 / 8, 5e-6 of their size; without
    # feedback this becomes 3e-4 rad of the light wrist after a second, and a quarter with half the step.
    assert fine < 1e-3
    assert coarse / fine == pytest.approx(4, rel=0.05)


def test_turns_need_not_be_counted_one_by_one(source):
    # From 0 to limits that are 1.6e16 turns away, where one turn less is the same double: a loop over them would
    # not end. No torque depends on this angle, so every one is an equilibrium.
    robot = source / "tests" / "fuzz" / "robots" / "mast.urdf"
    x = linear(robot, "--equilibrium", "pose", "--set", "joint.turn.lower_limit=1e17", "--set",
               "joint.turn.upper_limit=1e18", "--set", "joint.pivot.initial_position=0.5")["x"]
    assert x["joint.turn.position"] == 1e17
    assert x["joint.pivot.position"] == pytest.approx(0, abs=1e-9)


def test_limbs_that_share_nothing_find_the_nearest_pose_each(tmp_path):
    # Five double pendulums on one ground: both links of each hang or stand, 1024 equilibria in all.
    draw = random.Random(6)
    parts, start = ['<link name="ground"/>'], {}
    for limb in range(5):
        above = "ground"
        for k in range(2):
            name = f"l{limb}_{k}"
            parts.append(f'''<link name="{name}"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="{name}" type="continuous">
<parent link="{above}"/><child link="{name}"/><origin xyz="0 0 {-k}"/><axis xyz="0 1 0"/></joint>''')
            above = name
            start[name] = draw.uniform(-3, 3)
    (tmp_path / "limbs.urdf").write_text(f'<robot name="limbs">{"".join(parts)}</robot>')
    x = linear(tmp_path / "limbs.urdf", "--equilibrium", "pose", *(
        word for name, q in start.items() for word in ("--set", f"joint.{name}.initial_position={q!r}")))["x"]
    for limb in range(5):
        names = [f"l{limb}_{k}" for k in range(2)]
        found = math.dist([x[f"joint.{name}.position"] for name in names], [start[name] for name in names])
        apart = [math.hypot(*(turned(e - start[name]) for e, name in zip(both, names)))
                 for both in ((0, 0), (0, math.pi), (math.pi, 0), (math.pi, math.pi))]
        assert found == pytest.approx(min(apart), abs=1e-9)
