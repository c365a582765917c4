"""forearm identify: base parameters, intervals, validation and masses against logs whose truth is known."""

import json
import subprocess

import numpy as np
import pytest

from conftest import FOREARM, SOURCE
from core_package import GOLDEN, fa, load

SETS = ["planar2", "arm6"]


def identify(forearm, folder, name, log, *options):
    done = forearm("identify", GOLDEN / f"ident_{name}.urdf", "--log", log, "--json", folder / "found.json", *options)
    return json.loads((folder / "found.json").read_text()), done


def expected(name):
    return json.loads((GOLDEN / f"ident_{name}_expected.json").read_text())


def links_of(found):
    links = {}
    for row in found["parameters"]:
        if row["name"].startswith("link."):
            link, _, key = row["name"][5:].partition(".mass" if ".mass" in row["name"] else ".origin")
            links.setdefault(link, []).append(row["value"])
    return links


@pytest.mark.parametrize("name", SETS)
def test_a_log_gives_what_torques_depend_on(name, forearm, tmp_path):
    found, _ = identify(forearm, tmp_path, name, GOLDEN / f"ident_{name}.csv", "--validate", GOLDEN / f"ident_{name}_validation.csv",
                        "-o", tmp_path / "found.xml", "--report", tmp_path / "found.html")
    want = expected(name)
    assert found["rank"] == want["rank"] and [row["name"] for row in found["parameters"]] == want["parameters"]
    values = {row["name"]: row["value"] for row in found["parameters"]}
    for got, base in zip(found["base"], want["base"], strict=True):
        assert got["pivot"] == base["pivot"] and got["low"] < got["value"] < got["high"]
        assert all(abs(got["is"].get(key, 0) - base["is"].get(key, 0)) < 1e-8 for key in got["is"].keys() | base["is"].keys())
        assert abs(got["value"] - base["truth"]) < base["tolerance"], got["pivot"]
        # What bodies can have says the same.
        assert abs(sum(factor * values[key] for key, factor in got["is"].items()) - base["truth"]) < base["tolerance"], got["pivot"]
    assert all(a <= b for a, b in zip(found["validation_rms"], want["validation_rms"]["at_most"], strict=True))
    for link, (m, x, y, z, xx, yy, zz, xy, xz, yz) in links_of(found).items():
        half = (xx + yy + zz) / 2
        pseudo = [[half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]]
        assert np.linalg.eigvalsh(np.array(pseudo)).min() > 0, link
    assert "<table>" in (tmp_path / "found.html").read_text()
    robot = load(tmp_path / "found.xml", actuators=tmp_path / "found.actuators.xml")
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, robot.n))
    rotors = np.array([values[f"joint.{joint}.rotor_inertia"] for joint in robot.joints])
    columns = robot.regressor(q, qd, qdd) @ np.array([values[key] for key in robot.regressor_columns])
    assert np.abs(columns + rotors * qdd - robot.inverse(q, qd, qdd)).max() < 1e-9  # the file has all digits


def synthetic(name, robot):
    """The golden motion and the torques of its true parameters, without noise."""
    want = expected(name)
    t = np.arange(want["periods"] * want["period"] * want["rate"]) / want["rate"]
    w, a, b, q0 = (np.array(want["motion"][key]) for key in ("w", "a", "b", "q0"))
    k = np.arange(1, a.shape[1] + 1)
    angle = t[:, None] * (k * w)
    q = q0 + (np.sin(angle) @ (a / (k * w)).T) - (np.cos(angle) @ (b / (k * w)).T)
    qd = np.cos(angle) @ a.T + np.sin(angle) @ b.T
    qdd = -np.sin(angle) @ (a * k * w).T + np.cos(angle) @ (b * k * w).T
    truth = want["truth"]
    extra = {key: np.array([truth[f"joint.{joint}.{key}"] for joint in robot.joints])
             for key in ("rotor_inertia", "viscous_friction", "coulomb_friction")}
    rigid = robot.regressor(q, qd, qdd) @ np.array([truth[key] for key in robot.regressor_columns]) + extra["rotor_inertia"] * qdd
    return want, t, q, qd, rigid, extra


def write_log(path, robot, t, q, torque):
    head = ",".join(["time", *(f"joint.{joint}.{what}" for what in ("position", "torque") for joint in robot.joints)])
    np.savetxt(path, np.column_stack([t, q, torque]), fmt="%.17g", delimiter=",", header=head, comments="")


@pytest.mark.parametrize("name, options", [("planar2", ()), ("arm6", ()), ("planar2", ("--robust",))])
def test_intervals_hold_the_truth_as_often_as_they_say(name, options, forearm, tmp_path):
    robot = load(GOLDEN / f"ident_{name}.urdf")
    want, t, q, qd, torque, extra = synthetic(name, robot)
    torque = torque + extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    random = np.random.default_rng(1)
    steps, noise = (np.array(want["known"][key]) for key in ("encoder_step", "torque_noise_sd"))
    inside = total = 0
    for _ in range(20):
        write_log(tmp_path / "log.csv", robot, t, np.round(q / steps) * steps, torque + noise * random.normal(size=torque.shape))
        found, _ = identify(forearm, tmp_path, name, tmp_path / "log.csv", *options)
        inside += sum(got["low"] <= base["truth"] <= got["high"] for got, base in zip(found["base"], want["base"], strict=True))
        total += found["rank"]
    assert 0.90 <= inside / total <= 0.99


def test_currents_and_gains_give_the_same(forearm, tmp_path):
    lines = (GOLDEN / "ident_planar2.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines]
    for k in range(1, len(rows)):
        rows[k][3] = repr(float(rows[k][3]) / 8)
    rows[0][3] = "joint.shoulder.current"
    (tmp_path / "log.csv").write_text("\n".join(",".join(row) for row in rows) + "\n")
    want, _ = identify(forearm, tmp_path, "planar2", GOLDEN / "ident_planar2.csv")
    got, _ = identify(forearm, tmp_path, "planar2", tmp_path / "log.csv", "--drive-gain", "shoulder=8")
    assert all(abs(a["value"] - b["value"]) < 1e-9 for a, b in zip(want["base"], got["base"], strict=True))


def collide(torque, random):
    """Adds blows of 50 ms that the log does not explain, to one sample in thirty."""
    struck = torque.copy()
    for begin in random.integers(0, len(torque) - 10, len(torque) // 300):
        struck[begin:begin + 10] += 40 * random.choice([-1, 1])
    return struck


def test_blows_hardly_count_where_asked(forearm, tmp_path):
    robot = load(GOLDEN / "ident_planar2.urdf")
    want, t, q, qd, torque, extra = synthetic("planar2", robot)
    torque = torque + extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    random = np.random.default_rng(2)
    torque = collide(torque + np.array(want["known"]["torque_noise_sd"]) * random.normal(size=torque.shape), random)
    write_log(tmp_path / "log.csv", robot, t, q, torque)
    plain, _ = identify(forearm, tmp_path, "planar2", tmp_path / "log.csv")
    robust, _ = identify(forearm, tmp_path, "planar2", tmp_path / "log.csv", "--robust")

    def off(found):
        return np.array([abs(got["value"] - base["truth"]) / base["tolerance"] for got, base in zip(found["base"], want["base"], strict=True)])

    inside = sum(got["low"] <= base["truth"] <= got["high"] for got, base in zip(robust["base"], want["base"], strict=True))
    assert off(robust).max() < 1 < off(plain).max() and np.median(off(robust)) < 0.3 * np.median(off(plain)) and inside >= robust["rank"] - 2


def test_what_pushes_on_the_tip_is_no_mass(forearm, tmp_path):
    robot = load(GOLDEN / "ident_planar2.urdf")
    want, t, q, qd, torque, extra = synthetic("planar2", robot)
    torque = torque + extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    wrench = np.zeros((len(t), 6))
    wrench[:, 0], wrench[:, 2], wrench[:, 4] = 20 * np.sin(2 * t), -15, 3 * np.cos(3 * t)
    torque += robot.inverse(q, qd, 0, wrench=wrench) - robot.inverse(q, qd, 0)
    head = ["time", *(f"joint.{joint}.{what}" for what in ("position", "torque") for joint in robot.joints), "tip.force.x", "tip.force.z", "tip.torque.y"]
    np.savetxt(tmp_path / "log.csv", np.column_stack([t, q, torque, wrench[:, [0, 2, 4]]]), fmt="%.17g", delimiter=",", header=",".join(head), comments="")
    found, _ = identify(forearm, tmp_path, "planar2", tmp_path / "log.csv")
    assert all(abs(got["value"] - base["truth"]) < base["tolerance"] for got, base in zip(found["base"], want["base"], strict=True))
    assert max(found["validation_rms"]) < 0.05  # the filter's share; the push is up to 40 N m at the shoulder


def test_a_ripple_is_seen_at_its_frequency(forearm, tmp_path):
    robot = load(GOLDEN / "ident_planar2.urdf")
    want, t, q, qd, torque, extra = synthetic("planar2", robot)
    torque = torque + extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    torque[:, 1] += 0.5 * np.sin(2 * np.pi * 3 * t)
    write_log(tmp_path / "log.csv", robot, t, q, torque)
    found, _ = identify(forearm, tmp_path, "planar2", tmp_path / "log.csv", "--report", tmp_path / "found.html")
    frequency, amplitude = (np.array(found["residual_spectrum"][key]) for key in ("frequency", "amplitude"))
    assert amplitude.shape == (2, len(frequency)) and frequency[-1] == pytest.approx(found["cutoff"])
    peak = amplitude[1].argmax()
    # The ripple lies between two lines, and the filter takes some of it.
    assert abs(frequency[peak] - 3) <= frequency[0] and 0.2 < amplitude[1, peak] < 0.55 and amplitude[0].max() < 0.05
    assert "<svg" in (tmp_path / "found.html").read_text()


def test_a_bound_that_the_log_is_held_against_is_named(forearm, tmp_path):
    robot = load(GOLDEN / "ident_planar2.urdf")
    want, t, q, qd, torque, extra = synthetic("planar2", robot)
    torque = torque + extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    torque[:, 1] -= 3 * extra["viscous_friction"][1] * qd[:, 1]  # friction below zero
    write_log(tmp_path / "log.csv", robot, t, q, torque)
    done = subprocess.run([FOREARM, "identify", GOLDEN / "ident_planar2.urdf", "--log", tmp_path / "log.csv"], capture_output=True, text=True)
    assert done.returncode == 0 and "the condition that joint.elbow.viscous_friction is above zero keeps it there" in done.stderr


def broken(change):
    rows = [line.split(",") for line in (GOLDEN / "ident_planar2.csv").read_text().splitlines()]
    change(rows)
    return "\n".join(",".join(row) for row in rows) + "\n"


def set_to(line, column, word):
    def change(rows):
        rows[line][column] = word
    return change


FAULTS = [
    (set_to(0, 0, "when"), (), "'when' is nothing that a log has"),
    (lambda rows: [row.__delitem__(0) for row in rows], (), "the log has no column 'time'; add it, in seconds"),
    (set_to(0, 3, "joint.shoulder.velocity"), (), "the log has no column 'joint.shoulder.torque'"),
    (set_to(0, 3, "joint.shoulder.current"), (), "nothing says which torque it makes; add --drive-gain shoulder=G"),
    (set_to(5, 0, "0"), (), ":6:1: time does not grow here, from 0.03 s to 0 s"),
    (lambda rows: rows.__delitem__(slice(100, 300)), (), "the log has a gap of"),
    (lambda rows: rows.__delitem__(slice(5, None)), (), "the log has 4 lines, from which nothing can be found"),
    (set_to(7, 1, "nan"), (), "'nan' in column 'joint.shoulder.position' is not a number"),
    (lambda rows: [row.__setitem__(slice(1, 3), ["0.1", "0.2"]) for row in rows[1:]], (), "record"),
    (lambda rows: None, ("--drive-gain", "wrist=2"), "--drive-gain names 'wrist'"),
]


@pytest.mark.parametrize("change, options, sentence", FAULTS, ids=[row[2][:40] for row in FAULTS])
def test_what_is_wrong_with_a_log_is_said(change, options, sentence, tmp_path):
    (tmp_path / "log.csv").write_text(broken(change))
    done = subprocess.run([FOREARM, "identify", GOLDEN / "ident_planar2.urdf", "--log", tmp_path / "log.csv", "--json",
                           tmp_path / "found.json", *options], capture_output=True, text=True)
    assert done.returncode != 0 and sentence in done.stderr and not (tmp_path / "found.json").exists()


def identify_with(forearm, folder, name, elements, torque_of):
    """What is found, by pivot, where these elements stand at the shoulder and torque_of says what the log has of it."""
    (folder / "at.xml").write_text(f'<actuators for="{name}"><joint name="shoulder">{elements}</joint></actuators>')
    robot = load(GOLDEN / f"ident_{name}.urdf")
    want, t, q, qd, torque, extra = synthetic(name, robot)
    friction = extra["viscous_friction"] * qd + extra["coulomb_friction"] * np.sign(qd)
    torque = torque + friction
    torque[:, 0] += torque_of(q[:, 0], qd[:, 0])
    write_log(folder / "log.csv", robot, t, q, torque)
    found, _ = identify(forearm, folder, name, folder / "log.csv", "--actuators", folder / "at.xml", "-o", folder / "found.xml")
    return want, found


# Elements at a joint, and by their laws in docs/actuators.md what a drive has to give besides.
KNOWN = {
    "spring": ('<spring stiffness="40" damping="3" rest="0.4"/>', lambda q, v: 40 * (q - 0.4) + 3 * v),
    "damper": ('<damper damping="6" band="0.2"/>', lambda q, v: 6 * (v - np.clip(v, -0.2, 0.2))),
    "drag": ('<drag effort="9" speed="1"/>', lambda q, v: 9 * v * np.abs(v)),
    "both senses": ('<friction coulomb="5" coulomb-negative="4"/>', lambda q, v: 0.5 * np.tanh(v / 0.01)**2),
}


@pytest.mark.parametrize("which", KNOWN)
def test_what_else_acts_at_a_joint_is_no_mass(which, forearm, tmp_path):
    elements, law = KNOWN[which]
    want, found = identify_with(forearm, tmp_path, "planar2", elements, law)
    for got, base in zip(found["base"], want["base"], strict=True):
        assert abs(got["value"] - base["truth"]) < base["tolerance"], got["pivot"]
    assert max(found["validation_rms"]) < 0.05  # the filter's share; the spring's torque is 16 N m


def test_friction_on_the_motors_side_is_found_there(forearm, tmp_path):
    want, found = identify_with(forearm, tmp_path, "planar2", '<rotor inertia="1e-4" gear="-20"/><friction viscous="0.01" coulomb="0.1" side="motor"/>',
                                lambda q, v: 0 * v)
    values = {row["name"]: row["value"] for row in found["parameters"]}
    truth, side = want["truth"], -20
    # In planar arms, rotor and friction of the shoulder are base parameters or part of one: what torques say of friction is these.
    assert values["joint.shoulder.viscous_friction"] * side**2 == pytest.approx(truth["joint.shoulder.viscous_friction"], rel=0.05)
    assert values["joint.shoulder.coulomb_friction"] * -side == pytest.approx(truth["joint.shoulder.coulomb_friction"], rel=0.05)


def test_what_follows_a_joint_has_friction_of_its_own(forearm, tmp_path):
    """A finger that follows another one: its friction is the file's, and the drive of the first moves them."""
    inertial = '<inertial><origin xyz="0.4 0 0"/><mass value="{4}"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
    joint = ('<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/><axis xyz="0 0 1"/>{3}</joint>'
             '<link name="{2}">' + inertial + '</link>')
    text = ('<robot name="grip"><link name="base"/>' + joint.format("left", "base", "one", '<dynamics damping="%s"/>', 2)
            + joint.format("right", "base", "two", '<mimic joint="left"/><dynamics damping="4"/>', 1) + "</robot>")
    (tmp_path / "true.xml").write_text(text % 1.5)
    (tmp_path / "drawn.xml").write_text(text % 0.5)
    t = np.arange(0, 20, 0.005)
    q = 0.6 * np.sin(2 * t) + 0.4 * np.sin(3.3 * t + 1)
    qd = 1.2 * np.cos(2 * t) + 1.32 * np.cos(3.3 * t + 1)
    qdd = -2.4 * np.sin(2 * t) - 4.356 * np.sin(3.3 * t + 1)
    np.savetxt(tmp_path / "motion.csv", np.column_stack([q, qd, qdd]), fmt="%.17g", delimiter=",", comments="",
               header="joint.left.position,joint.left.velocity,joint.left.acceleration")
    said = forearm("inverse", tmp_path / "true.xml", "-i", tmp_path / "motion.csv")
    torque = np.array([float(row.split(",")[-1]) for row in said.splitlines()[1:]])
    np.savetxt(tmp_path / "log.csv", np.column_stack([t, q, torque]), fmt="%.17g", delimiter=",", comments="",
               header="time,joint.left.position,joint.left.torque")
    forearm("identify", tmp_path / "drawn.xml", "--log", tmp_path / "log.csv", "--json", tmp_path / "found.json")
    values = {row["name"]: row["value"] for row in json.loads((tmp_path / "found.json").read_text())["parameters"]}
    assert values["joint.left.viscous_friction"] == pytest.approx(1.5, abs=0.01)


BODY = '<inertial><origin xyz="0.4 0 0"/><mass value="1"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
FOLLOWER_FIRST = f"""<robot name="grip"><link name="base"/><link name="one">{BODY}</link><link name="two">{BODY}</link>
<joint name="follows" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 1 0"/><mimic joint="leads"/>
<limit lower="-0.2" upper="0.6" velocity="1" effort="50"/></joint>
<joint name="leads" type="revolute"><parent link="base"/><child link="two"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="50"/></joint>
</robot>"""


def test_a_joint_leads_wherever_it_stands_in_the_file(forearm, tmp_path):
    """What follows with the factor 1 in front of it has its coordinate, and neither its columns nor all of the room."""
    (tmp_path / "grip.xml").write_text(FOLLOWER_FIRST)
    forearm("excite", tmp_path / "grip.xml", "-o", tmp_path / "motion.csv", "--time", "5")
    names = (tmp_path / "motion.csv").read_text().splitlines()[0].split(",")
    table = np.loadtxt(tmp_path / "motion.csv", delimiter=",", skiprows=1)
    assert names == ["time", "joint.leads.position", "joint.leads.velocity", "joint.leads.acceleration"] and table.shape[1] == 4
    assert -0.2 <= table[:, 1].min() and table[:, 1].max() <= 0.6 and np.abs(table[:, 2]).max() <= 1
    said = forearm("inverse", tmp_path / "grip.xml", "-i", tmp_path / "motion.csv")
    torque = [float(row.split(",")[-1]) for row in said.splitlines()[1:]]
    np.savetxt(tmp_path / "log.csv", np.column_stack([table[:, :2], torque]), fmt="%.17g", delimiter=",", comments="",
               header="time,joint.leads.position,joint.leads.torque")
    forearm("identify", tmp_path / "grip.xml", "--log", tmp_path / "log.csv", "--json", tmp_path / "found.json")
    assert "joint.leads.rotor_inertia" in [row["name"] for row in json.loads((tmp_path / "found.json").read_text())["parameters"]]


ROBOTS = [
    ('<mujoco><worldbody><body name="a" gravcomp="0.5"><joint name="j" axis="0 1 0"/>'
     '<inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>', "j", "gravity does not pull on link 'a' as on others"),
    (f'<robot name="still"><link name="base"/><link name="one">{BODY}</link>'
     '<joint name="x" type="fixed"><parent link="base"/><child link="one"/></joint></robot>', None, "no joint of this robot moves"),
]


@pytest.mark.parametrize("text, joint, sentence", ROBOTS, ids=["relieved", "still"])
@pytest.mark.parametrize("command", ["identify", "excite"])
def test_a_robot_that_no_motion_tells_of_is_refused(command, text, joint, sentence, tmp_path):
    (tmp_path / "robot.xml").write_text(text)
    t = np.arange(0, 2, 0.01)
    columns = [f"joint.{joint}.{what}" for what in ("position", "torque") if joint]
    np.savetxt(tmp_path / "log.csv", np.column_stack([t, *([np.sin(t)] * len(columns))]), delimiter=",", comments="", header=",".join(["time", *columns]))
    log = ["--log", tmp_path / "log.csv"] if command == "identify" else ["-o", tmp_path / "out.csv"]
    done = subprocess.run([FOREARM, command, tmp_path / "robot.xml", *log], capture_output=True, text=True)
    assert done.returncode == 2 and sentence in done.stderr and not (tmp_path / "out.csv").exists()
