"""Joints of several freedoms: expected values through FMUs, momentum, saved states, commands.

tests/mechanisms/README.md says where the values come from.
"""

import csv
import io
import json
import subprocess
import xml.etree.ElementTree

import numpy as np
import pytest

from conftest import FOREARM
from mechanism import FOLDER, WXYZ, Mechanism, adjoint, axes, derivatives_agree, fmu_of, motion_agrees
from robot_fmu import RobotFmu

ROBOTS = ["satellite", "quadruped_free", "spherical_pendulum", "heavy_top", "planar_cart"]
MOVED = ["satellite", "spherical_pendulum", "heavy_top", "planar_cart"]


@pytest.fixture(params=ROBOTS)
def mechanism(request, source):
    return Mechanism(source, request.param)


# 1e-10 of the largest acceleration plus 1e-10: a hundred thousand times what rounding was seen to leave.
def test_accelerations_and_energies_are_as_expected(mechanism, export):
    for fmi in (2, 3):
        fmu = fmu_of(export, mechanism, "--fmi", fmi)
        for point in mechanism.points:
            wanted = mechanism.named(3, point["acceleration"])
            tolerance = 1e-10 * max(map(abs, wanted.values())) + 1e-10
            with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
                assert model.get(wanted) == pytest.approx(list(wanted.values()), abs=tolerance, rel=0)
                energies = model.get(["energy.kinetic", "energy.potential"])
                assert energies == pytest.approx([point["kinetic"], point["potential"]], rel=1e-12, abs=1e-12)


def test_directional_derivatives_are_as_expected_and_their_transposes(mechanism, export):
    for fmi in (2, 3):
        fmu = fmu_of(export, mechanism, "--fmi", fmi)
        for point in mechanism.points:
            if "derivative" not in point:
                continue
            with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
                unknowns, knowns, seed, got = derivatives_agree(mechanism, point, model)
                if fmi == 3:
                    weights = np.linspace(-1, 1, len(unknowns))
                    assert adjoint(model, unknowns, knowns, weights) @ seed == pytest.approx(weights @ got, rel=1e-10, abs=1e-9)


@pytest.mark.parametrize("name", MOVED)
@pytest.mark.parametrize("fmi", [2, 3])
def test_motions_are_as_expected(name, fmi, source, export):
    mechanism = Mechanism(source, name)
    motion_agrees(mechanism, fmu_of(export, mechanism, "--fmi", fmi))


def rotation(q):
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def momentum(mechanism, q, v):
    """Linear momentum, and angular momentum about the world's origin, from the robot's file alone."""
    root = xml.etree.ElementTree.parse(mechanism.urdf).getroot()
    pose = {"base": (np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))}  # R, r, velocity, angular velocity

    def numbers(element, name):
        return np.array([float(x) for x in element.get(name).split()])

    def rpy(angles):
        (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
        return (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
                @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))

    linear, angular = np.zeros(3), np.zeros(3)
    for joint in root.findall("joint"):
        name, child = joint.get("name"), joint.find("child").get("link")
        R, r, u, w = pose[joint.find("parent").get("link")]
        origin = joint.find("origin")
        arm = R @ numbers(origin, "xyz")
        R, u, r = R @ rpy(numbers(origin, "rpy")), u + np.cross(w, arm), r + arm
        if joint.get("type") == "floating":
            shift = R @ np.array(q[name][:3])
            u = u + np.cross(w, shift) + R @ np.array(v[name][:3])
            w, r, R = w + R @ np.array(v[name][3:]), r + shift, R @ rotation(q[name][3:])
        else:
            axis = numbers(joint.find("axis"), "xyz")
            half = q[name][0] / 2
            w = w + R @ axis * v[name][0]
            R = R @ rotation([np.cos(half), *(np.sin(half) * axis)])
        pose[child] = (R, r, u, w)
        inertial = next(link for link in root.findall("link") if link.get("name") == child).find("inertial")
        mass = float(inertial.find("mass").get("value"))
        com = R @ numbers(inertial.find("origin"), "xyz")
        tensor = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        inertia = np.array([[tensor["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
        p = mass * (u + np.cross(w, com))
        linear, angular = linear + p, angular + np.cross(r + com, p) + R @ inertia @ R.T @ w
    return np.concatenate([linear, angular])


# A free-flying robot keeps its momentum, whatever its joints do. 1e-11 of the largest is the specification's; what
# the solver leaves at this tolerance is a tenth of it.
def test_a_satellite_keeps_its_momentum(source, export):
    mechanism = Mechanism(source, "satellite")
    fmu = fmu_of(export, mechanism)
    point = mechanism.points[0]
    start = mechanism.start({"position": point["position"], "velocity": {
        "body": [0.1, -0.2, 0.05, 0.1, -0.15, 0.2], "a1": 0.3, "a2": -0.2, "a3": 0.2, "a4": 0.1, "a5": -0.3, "a6": 0.2}})
    torques = {f"joint.a{i}.torque": 0.2 * (-1) ** i for i in range(1, 7)}
    positions = {j: mechanism.named(0, {j: [0] * 7}) for j in mechanism.type}
    velocities = {j: mechanism.named(1, {j: [0] * 6}) for j in mechanism.type}

    def now(slave):
        return momentum(mechanism, {j: slave.get(list(names)) for j, names in positions.items()},
                        {j: slave.get(list(names)) for j, names in velocities.items()})

    with fmu.slave(start | torques | {"solver_tolerance": 1e-13}) as slave:
        first = now(slave)
        for second in range(10):
            slave.step_to(second + 1.0)
            if second == 4:  # the arm stops pushing
                slave.set(list(torques), [0.0] * len(torques))
            assert now(slave) == pytest.approx(first, abs=1e-11 * np.max(np.abs(first)), rel=0)


def test_quaternions_have_length_one_from_the_start_on(source, export):
    mechanism = Mechanism(source, "heavy_top")
    fmu = fmu_of(export, mechanism)
    names = axes("joint.tip.quaternion", WXYZ)
    given = dict(zip(axes("joint.tip.initial_quaternion", WXYZ), [3, 1, -2, 0.5])) | {
        "joint.tip.initial_angular_velocity.z": 30.0}
    with fmu.slave(given) as slave:
        assert np.linalg.norm(slave.get(names)) == pytest.approx(1, abs=1e-15)
        for step in range(20):
            slave.step_to(0.1 * (step + 1))
            # Within the solver's tolerance of 1, 1e-8 for each step, and it does not grow.
            assert np.linalg.norm(slave.get(names)) == pytest.approx(1, abs=1e-6)


def test_outputs_do_not_depend_on_the_length_of_a_quaternion(source, export):
    mechanism = Mechanism(source, "spherical_pendulum")
    fmu = fmu_of(export, mechanism)
    point = mechanism.points[1]
    wanted = list(mechanism.named(3, point["acceleration"])) + ["tip.x", "tip.quaternion.y", "energy.potential"]
    with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
        before = model.get(wanted)
        names = [row.variable.derivative.name for row in fmu.description.derivatives]
        states = model.get(names)
        model.set_state([3 * x if "quaternion" in name else x for name, x in zip(names, states)])
        assert model.get(wanted) == pytest.approx(before, rel=1e-13, abs=1e-13)


def test_a_quaternion_of_length_zero_is_refused(source, refuse, tmp_path):
    mechanism = Mechanism(source, "heavy_top")
    side = tmp_path / "side.xml"
    side.write_text('<mechanism for="heavy_top"><joint name="tip"><initial quaternion="0 0 0 0"/></joint></mechanism>')
    assert "has no direction" in refuse("check", mechanism.urdf, "--actuators", side)


def test_many_links_bolted_together_are_no_matter(forearm, tmp_path):
    """Links without variables are more than the rows of the table."""
    fixed = "".join(f'<link name="f{i}"/><joint name="f{i}" type="fixed"><parent link="body"/><child link="f{i}"/></joint>'
                    for i in range(2000))
    robot = tmp_path / "many.urdf"
    robot.write_text(f"""<robot name="many"><link name="world"/><link name="body"><inertial><mass value="2"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
      <joint name="free" type="floating"><parent link="world"/><child link="body"/></joint>{fixed}</robot>""")
    last = list(csv.DictReader(io.StringIO(forearm("simulate", robot, "--tip", "body", "--stop", "1", "--step", "1"))))[-1]
    assert float(last["joint.free.position.z"]) == pytest.approx(-9.81 / 2, rel=1e-9)


def test_a_state_without_a_direction_is_told(source, tmp_path):
    table = tmp_path / "state.csv"
    table.write_text(",".join(axes("joint.tip.quaternion", WXYZ)) + "\n0,0,0,0\n")
    done = subprocess.run([FOREARM, "forward", Mechanism(source, "heavy_top").urdf, "--in", table], capture_output=True,
                          text=True)
    assert done.returncode == 4 and "the quaternion of joint 'tip' has no direction" in done.stderr


def test_a_free_base_is_an_option(source, forearm, tmp_path):
    """--base free puts a floating joint where a file says nothing of what holds its root link."""
    robot = tmp_path / "dropped.urdf"
    robot.write_text("""<robot name="dropped"><link name="body"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.3"/></inertial></link></robot>""")
    plan = json.loads(forearm("inspect", robot, "--base", "free", "--json"))
    assert [joint["type"] for joint in plan["joints"]] == ["floating"]
    table = forearm("simulate", robot, "--base", "free", "--stop", "1", "--step", "1")
    last = list(csv.DictReader(io.StringIO(table)))[-1]
    assert float(last["joint.root_joint.position.z"]) == pytest.approx(-9.81 / 2, rel=1e-9)


def test_inverse_and_forward_dynamics_undo_each_other(source, forearm, tmp_path):
    """Of every point: the accelerations that `forward` gives need the efforts that it was given."""
    for name in ROBOTS:
        mechanism = Mechanism(source, name)
        point = next(p for p in mechanism.points if not p["input"].get("link_force"))
        motion = mechanism.named(0, point["position"]) | mechanism.named(1, point["velocity"])
        efforts = mechanism.named(2, {j: [0] * 6 for j in mechanism.type if mechanism.type[j] != "fixed"}) | \
            mechanism.named(2, point["input"]["effort"])
        table = tmp_path / f"{name}.csv"

        def write(columns):
            table.write_text(",".join(columns) + "\n" + ",".join(repr(float(x)) for x in columns.values()) + "\n")

        write(motion | efforts)
        out = forearm("forward", mechanism.urdf, *mechanism.options, "--in", table)
        accelerations = {key: float(x) for key, x in next(csv.DictReader(io.StringIO(out))).items()}
        wanted = mechanism.named(3, point["acceleration"])
        assert [accelerations[key] for key in wanted] == pytest.approx(list(wanted.values()), rel=1e-9, abs=1e-9)
        write(motion | wanted)
        out = forearm("inverse", mechanism.urdf, *mechanism.options, "--in", table)
        needed = {key: float(x) for key, x in next(csv.DictReader(io.StringIO(out))).items()}
        largest = max(1, *(abs(x) for x in efforts.values()))
        assert [needed[key] for key in efforts] == pytest.approx(list(efforts.values()), abs=1e-9 * largest, rel=0)


def test_linearisation_takes_three_angles_for_a_quaternion(source, forearm):
    """No eigenvalue -2 of the pull, and the motion of a top: nutation and precession about its upright."""
    mechanism = Mechanism(source, "heavy_top")
    system = json.loads(forearm("linearise", mechanism.urdf, "--json", "--set", "joint.tip.initial_quaternion.x=0",
                                "--set", "joint.tip.initial_quaternion.w=1",
                                "--set", "joint.tip.initial_angular_velocity.z=60"))
    names = [row["name"] for row in system["x"]]
    assert names[:3] == axes("joint.tip.rotation")
    A = np.array(system["A"])
    # A + s^2 - C w s i - m g l = 0 for the complex tilt, A = 15.234375, C = 0.46875, m g l = 147.15.
    roots = np.roots([15.234375, -0.46875 * 60j, -15 * 9.81])
    wanted = np.concatenate([roots, roots.conj(), [0, 0]])
    eigenvalues = np.linalg.eigvals(A)
    for value in wanted:
        assert np.min(np.abs(eigenvalues - value)) < 1e-6


SCREWS = """<robot name="screws"><link name="base"/>
  <link name="a"><inertial><origin xyz="0.1 0.02 0.3" rpy="0.2 0.1 0"/><mass value="2.2"/>
    <inertia ixx="0.06" ixy="0.001" ixz="0.002" iyy="0.07" iyz="0.003" izz="0.05"/></inertial></link>
  <link name="b"><inertial><origin xyz="0.05 0.02 0.1"/><mass value="3"/>
    <inertia ixx="0.016" ixy="0" ixz="0" iyy="0.025" iyz="0" izz="0.031"/></inertial></link>
  <link name="c"><inertial><origin xyz="0.2 0.1 0.02"/><mass value="1.5"/>
    <inertia ixx="0.0053" ixy="0" ixz="0" iyy="0.006" iyz="0" izz="0.0053"/></inertial></link>
  <joint name="j1" type="screw"><parent link="base"/><child link="a"/><origin xyz="0 0 0.1" rpy="0.1 0.2 0"/>
    <axis xyz="0 0.6 0.8"/><screw_thread_pitch value="0.7"/><limit lower="-9" upper="9" effort="9" velocity="9"/></joint>
  <joint name="j2" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.2 0 0.1" rpy="0.3 0 0.4"/>
    <axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="9" velocity="9"/></joint>
  <joint name="j3" type="screw"><parent link="b"/><child link="c"/><origin xyz="0.1 0.3 0.1" rpy="0 0.5 0"/>
    <axis xyz="0 0 1"/><drake:screw_thread_pitch xmlns:drake="http://drake.mit.edu" value="-1.3"/>
    <limit lower="-9" upper="9" effort="9" velocity="9"/></joint></robot>"""
SCREW_STATE = {"position": [0.7, -0.4, 1.1], "velocity": [1.3, -0.8, 2.1], "torque": [2.0, -3.0, 1.0]}


@pytest.fixture(scope="module")
def screws(tmp_path_factory):
    path = tmp_path_factory.mktemp("screws") / "screws.urdf"
    path.write_text(SCREWS)
    return path


def screw_start():
    return {f"joint.j{i + 1}.{'torque' if kind == 'torque' else 'initial_' + kind}": value
            for kind, values in SCREW_STATE.items() for i, value in enumerate(values)}


def test_screws_accelerate_as_pinocchio_has_them(screws, export):
    pinocchio = pytest.importorskip("pinocchio")
    model, frames = pinocchio.Model(), {"base": 0}
    root = xml.etree.ElementTree.parse(screws).getroot()

    def place(element):
        rpy = [float(x) for x in element.get("rpy", "0 0 0").split()]
        return pinocchio.SE3(pinocchio.rpy.rpyToMatrix(*rpy), np.array([float(x) for x in element.get("xyz").split()]))

    for joint in root.findall("joint"):
        axis = np.array([float(x) for x in joint.find("axis").get("xyz").split()])
        pitch = [float(e.get("value")) for e in joint if e.tag.endswith("screw_thread_pitch")]
        kind = (pinocchio.JointModelHelicalUnaligned(axis, pitch[0] / (2 * np.pi)) if pitch
                else pinocchio.JointModelRevoluteUnaligned(axis))
        child = joint.find("child").get("link")
        frames[child] = model.addJoint(frames[joint.find("parent").get("link")], kind, place(joint.find("origin")), child)
        inertial = next(link for link in root.findall("link") if link.get("name") == child).find("inertial")
        tensor = {key: float(value) for key, value in inertial.find("inertia").attrib.items()}
        inertia = np.array([[tensor["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
        body = pinocchio.Inertia(float(inertial.find("mass").get("value")), np.zeros(3), inertia)
        model.appendBodyToJoint(frames[child], body, place(inertial.find("origin")))
    wanted = pinocchio.aba(model, model.createData(), *(np.array(SCREW_STATE[k]) for k in SCREW_STATE))
    names = [f"joint.j{i}.acceleration" for i in (1, 2, 3)]
    with RobotFmu(export(screws, "--bare")).model(screw_start()) as instance:
        assert instance.get(names) == pytest.approx(wanted, rel=1e-11, abs=1e-11)


# Central differences of 1e-6 are off by 1e-9 of the values: rounding, and the third derivative.
def test_derivatives_by_a_pitch_are_those_of_differences(screws, export):
    for options in ([], ["--kind", "inverse"]):
        fmu = RobotFmu(export(screws, "--outputs", "reactions,jacobian,mass-matrix,poses", *options, "--bare"))
        start = screw_start()
        if options:
            start = {f"joint.j{i + 1}.{kind}": value for kind, values in SCREW_STATE.items()
                     for i, value in enumerate(values) if kind != "torque"}
            start |= {f"joint.j{i}.acceleration": 0.3 * i for i in (1, 2, 3)}
        unknowns = [v.name for v in fmu.description.modelVariables if v.causality == "output" and "energy" not in v.name
                    and (options or ".position" not in v.name[-9:]) and not v.name.endswith(".velocity")]
        unknowns += ["energy.kinetic", "energy.potential"]
        for joint, pitch in (("j1", 0.7), ("j3", -1.3)):
            name, results = f"joint.{joint}.pitch", []
            for step in (-1e-6, 1e-6):
                with fmu.model(start | {name: pitch + step}) as instance:
                    results.append(instance.get(unknowns))
            wanted = (results[1] - results[0]) / 2e-6
            largest = max(1, np.max(np.abs(wanted)))
            with fmu.model(start) as instance:
                got = instance.derivative(unknowns, [name], [1.0])
                assert got == pytest.approx(wanted, abs=3e-8 * largest, rel=0)
                weights = np.cos(np.arange(len(unknowns)))
                assert adjoint(instance, unknowns, [name], weights)[0] == pytest.approx(weights @ got, rel=1e-9, abs=1e-9)


def test_commands_that_cannot_answer_say_so(source, refuse, tmp_path):
    mechanism = Mechanism(source, "satellite")
    assert "make it fixed" in refuse("check", mechanism.urdf, "--lock", "body=0")
    for command in (["excite", "-o", "log.csv"], ["identify", "--log", "log.csv", "-o", "model.urdf"]):
        done = subprocess.run([FOREARM, command[0], mechanism.urdf, *command[1:]], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and "trees of joints with one freedom each" in done.stderr
        assert not any(tmp_path.iterdir())


# Rounding of torques of some 1000 N m over inertias of a gram: 8e-13 was seen.
@pytest.mark.parametrize("name", ["satellite", "quadruped_free", "quadruped", "heavy_top", "spherical_pendulum", "planar_cart",
                                  "rolling_ball", "delta", "stewart", "excavator", "palletiser", "servo_four_bar",
                                  "servo_palletiser", "slider_crank", "lead_screw", "hooke_joint"])
def test_torques_hold_a_mechanism_where_it_is(name, source, forearm):
    robot = source / FOLDER / "robots" / f"{name}.urdf"
    side = robot.with_suffix(".mechanism.xml")
    system = json.loads(forearm("linearise", robot, "--actuators", side, "--equilibrium", "torques", "--json"))
    values = {row["name"]: row["value"] for key in "xy" for row in system[key]}
    assert max(abs(x) for name, x in values.items() if "velocity" in name or "acceleration" in name) < 1e-10


def test_servos_hold_a_linkage_where_it_is(source, forearm):
    """The drives bear the load, not the joints that are states: the crank's torque stays zero."""
    robot = source / FOLDER / "robots" / "servo_four_bar.urdf"
    side = robot.with_suffix(".mechanism.xml")
    u = {row["name"]: row["value"] for row in json.loads(forearm(
        "linearise", robot, "--actuators", side, "--independent", "crank", "--equilibrium", "torques", "--json"))["u"]}
    assert u["joint.crank.torque"] == 0 and u["joint.rocker.target"] == pytest.approx(1.7, abs=0.1)
    # gravity="true" bears the weight: nothing is left for the feedforward.
    assert u["joint.rocker.feedforward"] == pytest.approx(0, abs=1e-12)


def test_a_ball_lies_where_its_weight_presses_it(source, forearm):
    """depth = (m g / k)^(1/e), and hanging pendulums point down, from any attitude."""
    robot = source / FOLDER / "robots" / "bouncing_ball.urdf"
    side = robot.with_suffix(".mechanism.xml")
    root = xml.etree.ElementTree.parse(robot).getroot()
    contact = xml.etree.ElementTree.parse(side).getroot().find("contact")
    mass = max(float(element.get("value")) for element in root.iter("mass"))
    y = {row["name"]: row["value"] for row in json.loads(forearm(
        "linearise", robot, "--actuators", side, "--equilibrium", "pose", "--json"))["y"]}
    depth = (9.81 * mass / float(contact.get("stiffness"))) ** (1 / float(contact.get("exponent", 1.5)))
    assert y[f"contact.{contact.get('name')}.depth"] == pytest.approx(depth, rel=1e-9)
    top = Mechanism(source, "heavy_top")
    y = {row["name"]: row["value"] for row in json.loads(forearm(
        "linearise", top.urdf, "--set", "joint.tip.initial_quaternion.x=0.7", "--equilibrium", "pose", "--json"))["y"]}
    assert max(abs(y[name]) for name in axes("joint.tip.angular_acceleration")) < 1e-9


def test_no_pose_holds_what_falls(source):
    robot = Mechanism(source, "quadruped_free")
    done = subprocess.run([FOREARM, "linearise", robot.urdf, *robot.options, "--equilibrium", "pose"], capture_output=True,
                          text=True)
    assert done.returncode == 4 and "the mechanism would start with 9.8" in done.stderr


@pytest.mark.parametrize("name, said", [("satellite", "as a tree of 12 joints"), ("four_bar", "with its 1 loop cut"),
                                        ("stewart", "with its 6 loops cut")])
def test_methods_agree_on_the_tree_of_a_mechanism(name, said, source, forearm):
    robot = source / FOLDER / "robots" / f"{name}.urdf"
    side = robot.with_suffix(".mechanism.xml")
    assert said in forearm("compare", robot, "--actuators", side, "--untimed", "--samples", "3",
                           "--method", "articulated-body", "--method", "newton-euler")


def test_inspect_tells_loops_and_freedoms(source, forearm):
    robot = source / FOLDER / "robots" / "stewart.urdf"
    side = robot.with_suffix(".mechanism.xml")
    plan = json.loads(forearm("inspect", robot, "--actuators", side, "--json"))
    assert plan["robot"]["degrees_of_freedom"] == 6 and len(plan["loops"]) == 6
    assert plan["loops"][0]["type"] == "spherical" and plan["loops"][0]["predecessor"]
    assert [j["name"] for j in plan["joints"] if j.get("independent")] == ["platform"]
    text = forearm("inspect", robot, "--actuators", side)
    assert "6 degrees of freedom" in text and "(loops)" in text


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", ["satellite", "spherical_pendulum", "rolling_ball", "bristle_ball", "excavator", "delta", "bricard",
                                  "servo_four_bar", "stop_slider_crank"])
def test_a_state_saved_in_the_middle_of_a_run_goes_on_as_it_would_have(name, fmi, source, export):
    """Serialised, restored into the same instance and into another one, which has been elsewhere: the same bits. After a restore
    the first rates are found from the accepted point, and without from the one before, by which a ball that loops determine may differ in its last bits."""
    robot = source / FOLDER / "robots" / f"{name}.urdf"
    side = robot.with_suffix(".mechanism.xml")
    fmu = RobotFmu(export(robot, *(["--actuators", side] if side.exists() else []), "--fmi", fmi, "--bare"))
    states = [row.variable.derivative.name for row in fmu.description.derivatives]
    wanted = states + [row.variable.name for row in fmu.description.derivatives] + ["energy.kinetic", "energy.potential"]
    with fmu.slave() as slave, fmu.slave() as other:
        slave.step_to(0.03)
        saved = slave.saved()
        slave.step_to(0.06)
        first = slave.get(wanted)
        slave.restore(saved)
        slave.time = 0.03
        slave.step_to(0.06)
        again = slave.get(wanted)
        assert np.array_equal(again, first)
        other.step_to(0.05)
        other.restore(saved)
        other.time = 0.03
        other.step_to(0.06)
        assert np.array_equal(other.get(wanted), again)


@pytest.mark.parametrize("name", ["quadruped_free", "satellite"])
def test_the_tip_accelerates_alike_whatever_was_asked_before(name, source, export):
    fmu = fmu_of(export, Mechanism(source, name))
    tip = [*axes("tip.acceleration"), *axes("tip.angular_acceleration")]
    before = [row for row in fmu.variable if row.startswith("joint.") and "acceleration" in row]
    with fmu.model() as model:
        random = np.random.default_rng(7)
        start = model.get([row.variable.derivative.name for row in fmu.description.derivatives])
        for _ in range(20):
            x = start + 0.2 * random.standard_normal(len(start))
            model.set_state(start)
            model.set_state(x)
            alone = model.get(tip)
            model.set_state(start)
            model.set_state(x)
            model.get(before)
            assert (model.get(tip) == alone).all()
