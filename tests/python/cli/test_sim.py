"""forearm sim: its variables and commands against references that share nothing with it, what it says of
mistakes, and its help."""

import json
import re

import numpy
import pytest

from cli import ROBOTS, as_csv, fails, ok, random_states, run, table
from conftest import SOURCE

DD_ARM = SOURCE / "resources" / "robots" / "cmu_dd_arm.xml"
POINTS = SOURCE / "tests" / "reference" / "arm_points.json"
# The session shows six digits: half a unit of the last one is at most 5e-6 of the number.
SHOWN = 6e-6

SLIDER_WITH_MOTOR = """<arm name="rail" convention="standard" gravity="0 0 -9.81">
  <joint name="slide" type="prismatic"><link name="cart" mass="2" com="0 0 0" inertia="1 1 1 0 0 0"/></joint>
  <joint name="turn" type="revolute" a="1">
    <motor resistance="2" torque-constant="0.5" back-emf="0.5"{}/>
    <link name="wheel" mass="1" com="0 0 0" inertia="2 2 3 0 0 0"/></joint>
</arm>
"""


def session(*lines, robot=None, code=0, cwd=None):
    """What a session says behind each of its lines, by which it has been shown, and of its fault."""
    done = run("sim", *([robot] if robot else []), stdin="\n".join(lines).encode(), cwd=cwd)
    assert done.returncode == code, done.stdout.decode() + done.stderr.decode()
    parts = ("\n" + done.stdout.decode()).split("\nsim> ")[1:]
    shown = [part.partition("\n")[::2] for part in parts]
    return [said.removesuffix("\n") for _, said in shown], done.stderr.decode().rstrip("\n")


def numbers(text, name):
    """Of a line `name = 1 2 - 3`, nan for -."""
    found = re.search(rf"^{re.escape(name)} = (.*)$", text, re.MULTILINE)
    return numpy.array([float("nan") if word == "-" else float(word) for word in found[1].split()])


def typed(name, values):
    return f"{name} = " + " ".join(repr(float(v)) for v in values)


def close(got, want):
    """As close as six digits can be."""
    assert numpy.abs(got - want).max() <= SHOWN * numpy.abs(want).max()


def cases():
    robots = json.loads(POINTS.read_text())["robots"]
    arm = next(r for r in robots if r["arm"]["name"] == "cmu_dd_arm")
    return [case for case in arm["cases"] if case["tip_wrench"] is None]


@pytest.mark.parametrize("case", cases())
def test_inverse_arm_and_forward_arm_give_the_reference_digits(case):
    state = [typed("theta", case["q"]), typed("omega", case["qd"])]
    said, _ = session(*state, typed("alpha", case["qdd"]), "inverse_arm")
    close(numbers(said[-1], "torque"), numpy.array(case["id_tau"]))
    said, _ = session(*state, typed("torque", case["tau"]), "forward_arm", "voltage", "DACOut")
    close(numbers(said[-3], "alpha"), numpy.array(case["fd_qdd"]))
    close(numbers(said[-2], "voltage"), numpy.array(case["motor_volt_for_tau"]))
    close(numbers(said[-1], "DACOut"), numpy.array(case["motor_volt_for_tau"]))
    said, _ = session(*state, "voltage = 24", "torque")
    close(numbers(said[-1], "torque"), numpy.array(case["motor_tau_for_24V"]))


def test_variables_are_tied_by_the_equations_of_the_motor():
    motors = re.findall(r'resistance="([\d.]+)" torque-constant="([\d.]+)"', DD_ARM.read_text())
    R, Kt = numpy.array(motors, dtype=float).T
    said, _ = session("voltage = 1 2 3 4 5 6", "omega = -0.5", "torque", "voltage", "torque = 0", "voltage",
                      "DACOut = 7", "voltage", "torque", "theta = 1", "alpha = 2", "torque", "alpha")
    volts = numpy.arange(1, 7)
    close(numbers(said[2], "torque"), Kt * (volts + Kt * 0.5) / R)  # (12)
    close(numbers(said[3], "voltage"), volts)
    close(numbers(said[5], "voltage"), -Kt * 0.5)  # (11)
    close(numbers(said[7], "voltage"), 7 * numpy.ones(6))
    close(numbers(said[8], "torque"), Kt * (7 + Kt * 0.5) / R)
    assert said[11] == said[8]
    close(numbers(said[12], "alpha"), 2 * numpy.ones(6))


def test_joints_without_motors_have_torques_only_and_limits_cut_what_the_converter_asks(tmp_path):
    robot = tmp_path / "rail.xml"
    robot.write_text(SLIDER_WITH_MOTOR.format(' voltage-limit="12"'))
    said, _ = session("voltage = - 20", "voltage", "DACOut", "torque", "torque = 3 1", "voltage", "gravity = 0",
                      "forward_arm", "show", robot=robot)
    assert numpy.array_equal(numbers(said[1], "voltage"), [float("nan"), 12], equal_nan=True)
    assert numpy.array_equal(numbers(said[2], "DACOut"), [float("nan"), 20], equal_nan=True)
    close(numbers(said[3], "torque"), numpy.array([0, 3]))
    assert numpy.array_equal(numbers(said[5], "voltage"), [float("nan"), 4], equal_nan=True)
    close(numbers(said[7], "alpha"), numpy.array([3 / 3, 1 / (3 + 1)]))
    assert re.search(r"^slide +0 +0 +1 +3 +- +-$", said[8], re.MULTILINE)


def test_gravity_is_the_paper_s():
    said, _ = session("gravity", "theta = 0 0.5 0 0 0 0", "forward_arm", "gravity = 0", "forward_arm", "gravity = 9.80621",
                      "forward_arm")
    assert said[0] == "gravity = -9.80621"
    hanging, free, standing = (numbers(said[i], "alpha") for i in (2, 4, 6))
    assert numpy.abs(free).max() == 0
    close(standing, -hanging)  # at rest, alpha is proportional to gravity
    assert hanging[1] < -1  # it falls back to where it hangs


@pytest.mark.parametrize("robot", [DD_ARM, next(r for r in ROBOTS if r.stem == "puma560")])
def test_many_sets_are_what_forearm_inverse_answers(robot, tmp_path):
    rows = random_states(robot, 5, 3)
    motion = tmp_path / "motion.csv"
    for i, row in enumerate(rows):
        for name in [name for name in row if name.endswith(".position")]:
            row[name.replace(".position", ".acceleration")] = i - row[name]
        row["time"] = 0.1 * i
        for name in [name for name in row if not re.search(r"time|\.(position|velocity|acceleration)$", name)]:
            del row[name]
    motion.write_text(as_csv(rows))
    session(f"inverse_arm {motion} {tmp_path}/session.csv", robot=robot)
    want = ok("inverse", robot, "--in", motion)
    assert (tmp_path / "session.csv").read_text() == want
    said, _ = session(f"inverse_arm {motion}", robot=robot)
    assert said[0] + "\n" == want
    said, _ = session("gravity = 0", f"inverse_arm {motion}", robot=robot)
    still = table(ok("inverse", robot, "--in", motion, "--set", "gravity.z=0"))
    assert table(said[1]) == still != table(want)


def test_another_arm_is_read_and_a_wrong_one_leaves_what_there_was(tmp_path):
    robot = tmp_path / "rail with blanks.xml"
    robot.write_text(SLIDER_WITH_MOTOR.format(""))
    said, _ = session(f"database.read '{robot}'", "theta")
    assert said == ["rail: 2 joints, motors", "theta = 0 0"]
    said, _ = session("database.read", str(robot), "theta = 1", "theta")
    assert said[0].startswith("  robot file?") and said[-1] == "theta = 1 1"
    said, fault = session("theta = 1 2", "database.read none.xml", robot=robot, code=3)
    assert fault.splitlines()[0].startswith("forearm: none.xml: ")
    assert fault.splitlines()[1] == "standard input:2: this line could not be done, and the session ends here"


FAULTS = [
    ("torqe = 1", "1:1: there is no variable 'torqe'; did you mean 'torque'?"),
    ("inverse_arn", "1:1: there is no command or variable 'inverse_arn'; did you mean 'inverse_arm'?"),
    ("xyzzy", "1:1: there is no command or variable 'xyzzy'; help lists what there is"),
    ("theta = 1 2", "1: theta takes 6 numbers, one for each joint, or one for all; these are 2"),
    ("theta =", "1: theta takes 6 numbers, one for each joint, or one for all; these are 0"),
    ("theta = 1,5", "1:9: '1,5' is no number; numbers have a decimal point, and blanks between them"),
    ("theta = 1 2 3 4 5 inf", "1:19: 'inf' is no number; numbers have a decimal point, and blanks between them"),
    ("theta 1", "1:7: 'theta' is a variable; write = behind it to set it"),
    ("show = 1", "1:6: 'show' is a command, to which nothing can be assigned"),
    ("gravity = 1 2", "1: gravity takes one number; these are 2"),
    ("DACTimePeriod = -1", "1: DACTimePeriod is a time in seconds, 0 or more, and not -1"),
    ("timestep = 0", "1: timestep is a time in seconds above 0, and not 0"),
    ("show me", "1:6: 'me' is too much; leave it out"),
    ("help shw", "1:6: there is neither a command nor a variable 'shw'; did you mean 'show'?"),
    ('database.read "a', "1:15: a quotation mark is not closed"),
    ("database.read", "1: there is no answer to the question 'robot file?'; nothing was done"),
    ("database.read\n\n", "1: the question 'robot file?' needs an answer; nothing was done"),
    ("= 1", "1:1: there is no command or variable '='; help lists what there is"),
]


@pytest.mark.parametrize("line,fault", FAULTS, ids=[line for line, _ in FAULTS])
def test_mistakes_are_said_with_their_place_and_end_a_script(line, fault, tmp_path):
    _, said = session(line, "show", code=1) if "read" not in line else session(line, code=1)
    assert said == "standard input:" + fault
    script = tmp_path / "wrong.sim"
    script.write_text(f"# a remark\n\n{line}")
    done = run("sim", "--script", script)
    place, _, sentence = fault.partition(": ")
    line_number, _, column = place.partition(":")
    want = f"{script}:{int(line_number) + 2}{':' + column if column else ''}: {sentence}\n"
    assert (done.returncode, done.stderr.decode()) == (1, want)


GOLDEN = SOURCE / "tests" / "mechanisms"


def typed_joints(robot, name, values, kind):
    """Numbers by joint, a quaternion as rotation vector."""
    found = []
    for value in values.values():
        value = numpy.atleast_1d(value)
        if kind == "position" and len(value) > 3:
            w, turn = value[-4], numpy.array(value[-3:])
            angle = 2 * numpy.arctan2(numpy.linalg.norm(turn), w)
            value = [*value[:-4], *(turn * (angle / numpy.linalg.norm(turn) if angle else 2))]
        found += [*value]
    return typed(name, found)


@pytest.mark.parametrize("name", ["four_bar", "delta", "satellite", "planar_cart", "heavy_top", "stewart"])
def test_mechanisms_accelerate_as_the_golden_ones(name):
    point = json.loads((GOLDEN / "points" / f"{name}.json").read_text())["points"][0]  # without forces on links
    assert not point["input"].get("link_force")
    robot = GOLDEN / "robots" / f"{name}.urdf"
    side = GOLDEN / "robots" / f"{name}.mechanism.xml"
    joints = point["position"]
    torque = {joint: point["input"]["effort"].get(joint, numpy.zeros_like(numpy.atleast_1d(point["velocity"][joint])))
              for joint in joints}
    lines = [typed_joints(robot, "theta", joints, "position"), typed_joints(robot, "omega", point["velocity"], "velocity"),
             typed_joints(robot, "torque", torque, "effort"), "theta", "forward_arm", "inverse_arm", "forward_arm"]
    script = "\n".join(lines).encode()
    said = ok("sim", robot, *(["--actuators", side] if side.exists() else []), stdin=script)
    want = numpy.concatenate([numpy.atleast_1d(point["acceleration"][joint]) for joint in joints])
    shown = said.split("forward_arm\n")
    close(numbers(shown[1], "alpha"), want)
    close(numbers(shown[2], "alpha"), want)  # under the efforts of inverse_arm


def test_a_mechanism_moves_in_a_session_as_in_a_simulation(tmp_path):
    robot = GOLDEN / "robots" / "four_bar.urdf"
    out = tmp_path / "motion.csv"
    said = ok("sim", robot, stdin=f"timestep = 0.00025\nsimulate new zeroed constant 2000\nwrite.graphic.file {out}\ntheta\nomega".encode())
    ok("simulate", robot, "--stop", "0.5", "--step", "0.1", "--out", tmp_path / "other.csv", "--set", "solver_tolerance=1e-12")
    ours, other = (table(path.read_text())[-1] for path in (out, tmp_path / "other.csv"))
    names = [f"joint.{joint}.{what}" for what in ("position", "velocity") for joint in ("crank", "coupler", "rocker")]
    for name in names:  # the rule of third order: 1.7e-8, and eight times that with twice the step
        assert abs(ours[name] - other[name]) < 1e-7
    theta = numbers(said.rsplit("sim> theta", 1)[1], "theta")
    assert numpy.abs(theta - [other[name] for name in names[:3]]).max() < 1e-5
    again = ok("sim", robot, stdin=b"theta = 1 0 2\ntheta")
    closed = numbers(again.rsplit("sim> theta", 1)[1], "theta")
    assert closed[0] == 1 and numpy.abs(closed[1:] - [-0.416514, 1.73749]).max() < 1e-5  # the first golden state


def test_a_motor_in_a_loop_turns_by_its_voltage(tmp_path):
    side = tmp_path / "motor.xml"
    side.write_text('<mechanism for="four_bar"><joint name="crank">'
                    '<motor resistance="2" torque-constant="0.5" back-emf="0.5"/></joint></mechanism>')
    said = ok("sim", GOLDEN / "robots" / "four_bar.urdf", "--actuators", side, stdin=b"omega = 1 0 0\nvoltage = 4 - -\ntorque\nforward_arm\ninverse_arm")
    torque = numbers(said, "torque")
    assert abs(torque[0] - 0.5 * (4 - 0.5) / 2) < 1e-6
    assert abs(numbers(said.rsplit("inverse_arm", 1)[1], "voltage")[0] - 4) < 1e-4


def test_robots_that_a_session_cannot_take_are_named():
    robots = SOURCE / "resources" / "robots"
    _, said = session("voltage = 1", robot=robots / "double_pendulum.xml", code=2)
    assert said == "standard input:1: no joint of this arm has a motor, so there is no voltage; set torque"
    assert "it is a snake, and sim is for arms" in fails(2, "sim", robots / "serpenoid.xml")
    assert "hydraulic cylinders drive it" in fails(2, "sim", robots / "excavator.xml")
    assert "none.sim: it cannot be opened: No such file or directory" in fails(3, "sim", "--script", "none.sim")
    done = run("sim", stdin=b"theta = 1\0")
    assert done.returncode == 1 and b"standard input:1: there is a zero byte in it" in done.stderr


def test_a_script_is_shown_like_a_session():
    text = "theta = 0.5\r\n\n  # remark\ntheta # another\nquit\nnonsense"
    want = "sim> theta = 0.5\nsim> \nsim> # remark\nsim> theta # another\ntheta = 0.5 0.5 0.5 0.5 0.5 0.5\nsim> quit\n"
    assert ok("sim", stdin=text.encode()) == want == ok("sim", "--script", "-", stdin=text.encode())


def test_every_command_and_variable_has_its_help_on_the_page():
    page = (SOURCE / "docs" / "sim.md").read_text()
    (listed,), _ = session("help")
    names = re.findall(r"^  ([\w.]+)", listed, re.MULTILINE)
    assert {"inverse_arm", "forward_arm", "database.read", "help", "gravity", "DACOut"} <= set(names)
    said, _ = session(*(f"help {name}" for name in names))
    for name, text in zip(names, said):
        assert text in page, name
        assert max(map(len, text.splitlines())) <= 80
    assert max(map(len, listed.splitlines())) <= 80
