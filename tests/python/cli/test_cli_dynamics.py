"""forearm forward, inverse and simulate: the numbers are right, and where they come from does not matter."""

import json
import math
import random
import re

import pytest

from cli import ARMS, PENDULUM, SLIDER, as_csv, fails, ok, random_states, table, variables

ROWS = ok("methods").split("\n\n")[0].splitlines()[1:]  # of arms
METHODS = [line.split("  ")[0] for line in ROWS]


def gives(kind):
    return [name for name, line in zip(METHODS, ROWS) if kind in line]


def assert_inverse_undoes_forward(robot, rows, *options):
    accelerations = table(ok("forward", robot, *options, "--in", "-", stdin=as_csv(rows).encode()))
    assert len(accelerations) == len(rows)
    motions = as_csv([{**row, **qdd} for row, qdd in zip(rows, accelerations)])
    efforts = table(ok("inverse", robot, *options, "--in", "-", stdin=motions.encode()))
    for row, effort in zip(rows, efforts):
        # Rounding alone, on the scale of the largest effort; forward amplifies it by the condition
        # number of the mass matrix (1e6 in a gripper with grams at the end of an arm).
        scale = max(abs(value) for value in [1, *effort.values(), *row.values()])
        for name, value in effort.items():
            assert value == pytest.approx(row[name], abs=1e-9 * scale), name


# An inverse asks for one torque at each joint, whatever gives it.
BY_TORQUES = [path for path in ARMS if "<cylinder" not in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("robot", BY_TORQUES, ids=lambda path: path.stem)
def test_inverse_undoes_forward(robot):
    assert_inverse_undoes_forward(robot, random_states(robot, 20, robot.stem))


PUMA = next(path for path in ARMS if path.stem == "puma560")


def free_states(robot, n, seed):
    """Random states with nothing but the joints' torques on the arm."""
    return [{name: value for name, value in row.items() if name.startswith("joint.")}
            for row in random_states(robot, n, seed)]


def forward_lines(robot, rows, *options):
    return ok("forward", robot, *options, "--in", "-", stdin=as_csv(rows).encode()).splitlines()[1:]


# Lines are answered many at once; which stand together does not show. Some are left to other methods: an angle of a
# million, a force on the tip.
@pytest.mark.parametrize("options", [[], ["--set", "deterministic=1"]], ids=["fastest", "deterministic"])
def test_a_line_has_the_same_digits_in_every_table(options):
    rows = [{**row, "tip.force.x": 0} for row in free_states(PUMA, 150, 3)]
    rows[20][next(name for name in rows[0] if name.endswith(".position"))] = 1e6
    rows[30]["tip.force.x"] = 7
    whole = forward_lines(PUMA, rows, *options)
    assert len(whole) == len(rows)
    for size in (1, 7, 64, 65):
        for at in (0, 17, 85):
            assert forward_lines(PUMA, rows[at:at + size], *options) == whole[at:at + size]
    for one, other in zip(whole, forward_lines(PUMA, rows, "--method", "articulated-body")):
        for a, b in zip(one.split(","), other.split(",")):
            assert float(a) == pytest.approx(float(b), rel=1e-9, abs=1e-9)  # rounding, times the matrix's condition


def test_the_first_line_that_has_no_answer_is_named():
    rows = free_states(PUMA, 150, 4)
    speed = next(name for name in rows[0] if name.endswith(".velocity"))
    rows[70][speed] = 1e200  # overflows where it is squared
    rows[74][speed] = "fast"
    message = fails(4, "forward", PUMA, "--in", "-", stdin=as_csv(rows).encode())
    assert "72: the accelerations are not finite numbers" in message  # the names are line 1
    rows[70][speed] = 0
    assert ":76:" in fails(1, "forward", PUMA, "--in", "-", stdin=as_csv(rows).encode())


@pytest.mark.parametrize("name", ["patu655", "excavator"])  # the excavator's boom has two cylinders, its swing none
def test_needed_forces_of_cylinders_cause_the_motion(source, name):
    robot = source / "resources" / "robots" / f"{name}.xml"
    joints = [v["name"] for v in variables(robot) if v["name"].endswith(".acceleration")]
    draw = random.Random(5)
    motions = [{**{j.replace("acceleration", "position"): draw.uniform(-0.05, 0.05) for j in joints},
                **{j.replace("acceleration", "velocity"): draw.uniform(-1, 1) for j in joints},
                **{j: draw.uniform(-2, 2) for j in joints}} for _ in range(10)]
    efforts = table(ok("inverse", robot, "--cylinders", "--in", "-", stdin=as_csv(motions).encode()))
    plain = table(ok("inverse", robot, "--in", "-", stdin=as_csv(motions).encode()))
    for effort, torques in zip(efforts, plain):
        assert set(torques) < set(effort)
        assert all(abs(torque) > 1 for torque in torques.values())
        assert [joint for joint in torques if effort[joint] != 0] == (
            ["joint.swing.torque"] if name == "excavator" else [])
    if name == "excavator":
        # Mirrored about the boom, so that their levers are equal.
        assert efforts[0]["cylinder.boom_left.force"] == pytest.approx(efforts[0]["cylinder.boom_right.force"], rel=1e-9)
    states = [{**{k: x for k, x in motion.items() if not k.endswith("acceleration")}, **effort}
              for motion, effort in zip(motions, efforts)]
    got = table(ok("forward", robot, "--in", "-", stdin=as_csv(states).encode()))
    for motion, qdd in zip(motions, got):
        for joint, value in qdd.items():
            assert value == pytest.approx(motion[joint], abs=1e-9)  # rounding of 1e5 N m over 100 kg m^2


@pytest.mark.parametrize("name", ["panda", "ur5_robot", "xarm7", "z1"])
def test_inverse_undoes_forward_on_real_robots(robots, name):
    if name not in robots:
        pytest.skip(f"{name}.urdf is not in build/robots")
    options = ["--lenient", "--set", "payload.mass=1.5"]
    rows = random_states(robots[name], 10, name, "--lenient")
    assert_inverse_undoes_forward(robots[name], rows, *options)


@pytest.mark.parametrize("name", ["puma560", "patu655"])  # torques; forces of cylinders
@pytest.mark.parametrize("method", gives("forward"))
def test_every_method_gives_the_same_accelerations(source, method, name):
    robot = source / "resources" / "robots" / f"{name}.xml"
    states = as_csv(random_states(robot, 5, 1)).encode()
    usual = table(ok("forward", robot, "--in", "-", stdin=states))
    other = table(ok("forward", robot, "--in", "-", "--method", method, stdin=states))
    assert all(column.endswith(".acceleration") for column in usual[0])
    for a, b in zip(usual, other):
        # Rounding times the condition number of the mass matrix, at most 32 here.
        assert b == pytest.approx(a, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("method", gives("inverse"))
def test_every_method_gives_the_same_torques(source, method):
    robot = source / "resources" / "robots" / "puma560.xml"
    states = [{name: value for name, value in row.items() if not name.endswith("torque")}
              for row in random_states(robot, 5, 2)]
    for row in states:
        row.update({v["name"]: 1.5 for v in variables(robot)
                    if v["name"].endswith(".acceleration") and v["name"].startswith("joint.")})
    motions = as_csv(states).encode()
    usual = table(ok("inverse", robot, "--in", "-", stdin=motions))
    other = table(ok("inverse", robot, "--in", "-", "--method", method, stdin=motions))
    for a, b in zip(usual, other):
        assert b == pytest.approx(a, rel=1e-12, abs=1e-11)


# The closed form sums the same terms in another order, so rounding alone is left, on the scale of the largest torque.
@pytest.mark.parametrize("robot", ARMS, ids=lambda path: path.stem)
def test_one_joint_s_torque_is_that_of_all(robot):
    motions = random_states(robot, 5, robot.stem)
    draw = random.Random(7)
    names = [v["name"] for v in variables(robot)]
    for row in motions:
        for name in [n for n in row if n.endswith((".torque", ".force")) and n.startswith(("joint.", "cylinder."))]:
            del row[name]
        row.update({n: draw.uniform(-3, 3) for n in names if n.startswith("joint.") and n.endswith(".acceleration")})
    stdin = as_csv(motions).encode()
    usual = table(ok("inverse", robot, "--regressor", "--in", "-", stdin=stdin))
    torques = [name for name in usual[0] if "/" not in name]
    scale = max(abs(row[name]) for row in usual for name in torques)
    for name in torques:
        alone = table(ok("inverse", robot, "--joint", name.split(".")[1], "--regressor", "--in", "-", stdin=stdin))
        for one, row in zip(alone, usual):
            assert list(one) == [name] + [n for n in row if n.startswith(name + "/")]
            assert one.pop(name) == pytest.approx(row[name], rel=1e-12, abs=1e-13 * scale)
            assert all(value == row[n] for n, value in one.items())


def test_one_joint_may_lead_others_on_ground_that_moves(robots):
    if "z1" not in robots:
        pytest.skip("z1.urdf is not in build/robots")
    options = ["--lenient", "--inputs", "base", "--outputs", "reactions"]
    rows = random_states(robots["z1"], 4, "z1", "--lenient", "--inputs", "base")
    stdin = as_csv([{n: v for n, v in row.items() if not n.endswith("torque")} for row in rows]).encode()
    usual = table(ok("inverse", robots["z1"], *options, "--in", "-", stdin=stdin))
    for name in [n for n in usual[0] if n.startswith("joint.") and n.endswith(".torque") and n.count(".") == 2]:
        for one, row in zip(table(ok("inverse", robots["z1"], *options, "--joint", name.split(".")[1], "--in", "-",
                                     stdin=stdin)), usual):
            assert one.pop(name) == pytest.approx(row[name], rel=1e-11, abs=1e-11)
            assert one == {n: row[n] for n in one}  # the reactions are those of the motion


def test_a_joint_without_a_torque_of_its_own_is_refused(source):
    robot = source / "resources" / "robots" / "puma560.xml"
    first = [v["name"] for v in variables(robot) if v["name"].endswith(".torque")][0].split(".")[1]
    assert re.search(f"no joint of this robot is called '{first}x'; did you mean '{first}'", fails(
        2, "inverse", robot, "--in", "-", "--joint", first + "x"))
    assert "no joint of this robot is called ''" in fails(2, "inverse", robot, "--in", "-", "--joint", "")
    assert "finds no joint's torque without the others; leave out --method or --joint" in fails(
        2, "inverse", robot, "--in", "-", "--joint", first, "--method", "newton-euler")
    assert "leave out --cylinders or --joint" in fails(
        2, "inverse", robot, "--in", "-", "--joint", first, "--cylinders")
    assert f"joint '{first}' is fixed and has no torque" in fails(
        2, "inverse", robot, "--in", "-", "--joint", first, "--lock", f"{first}=0")


def test_the_leader_is_asked_for_the_torque_of_a_joint_that_follows(tmp_path):
    joint = SLIDER[SLIDER.index("<joint"):SLIDER.index("</joint>")]
    second = joint.replace('"slide"', '"follow"').replace('"rail"', '"cart"', 1).replace('child link="cart"', 'child link="top"')
    link = SLIDER[SLIDER.index('<link name="cart"'):SLIDER.index("<joint")].replace('"cart"', '"top"')
    text = SLIDER.replace("</robot>", link + second + '<mimic joint="slide" multiplier="0.5"/></joint></robot>')
    (tmp_path / "two.urdf").write_text(text)
    motion = {"stdin": b"joint.slide.velocity,joint.slide.acceleration\n3,1\n"}
    usual = ok("inverse", tmp_path / "two.urdf", "--in", "-", **motion)
    assert usual == "joint.slide.force\n6.5\n"  # 2 kg at 1 m/s^2, 2 kg at 1.5 m/s^2 with a lever of 1.5
    assert ok("inverse", tmp_path / "two.urdf", "--joint", "slide", "--in", "-", **motion) == usual
    assert "joint 'follow' follows 'slide', whose torque moves both; ask for that" in fails(
        2, "inverse", tmp_path / "two.urdf", "--joint", "follow", "--in", "-")


@pytest.fixture
def slider(tmp_path):
    (tmp_path / "slider.urdf").write_text(SLIDER)
    return tmp_path / "slider.urdf"


@pytest.fixture
def pendulum(tmp_path):
    (tmp_path / "pendulum.urdf").write_text(PENDULUM)
    return tmp_path / "pendulum.urdf"


def test_missing_columns_keep_their_start_values(slider, pendulum):
    assert ok("forward", slider, "--in", "-", stdin=b"joint.slide.force\n4\n-1\n") == (
        "joint.slide.acceleration\n2\n-0.5\n")
    # initial_position is where the position starts from; a column of its own goes before it.
    start = ["--set", f"joint.pivot.initial_position={math.pi / 2}"]
    (row,) = table(ok("forward", pendulum, *start, "--in", "-", stdin=b"payload.mass\n0\n"))
    assert row["joint.pivot.acceleration"] == pytest.approx(-9.81, rel=1e-15)
    (row,) = table(ok("forward", pendulum, *start, "--in", "-", stdin=b"joint.pivot.position\n0\n"))
    assert row["joint.pivot.acceleration"] == pytest.approx(0, abs=1e-15)
    column = f"joint.pivot.initial_position\n{math.pi / 2}\n".encode()
    (row,) = table(ok("forward", pendulum, "--in", "-", stdin=column))
    assert row["joint.pivot.acceleration"] == pytest.approx(-9.81, rel=1e-15)


def test_parameters_may_differ_from_line_to_line(slider):
    lines = b"payload.mass,joint.slide.force\n0,6\n1,6\n4,6\n"
    assert ok("forward", slider, "--in", "-", stdin=lines).split() == [
        "joint.slide.acceleration", "3", "2", "1"]


def test_friction_is_part_of_the_torque_that_a_motion_needs(slider):
    motion = b"joint.slide.velocity,joint.slide.acceleration\n3,1\n"
    friction = ["--set", "joint.slide.viscous_friction=5"]
    assert ok("inverse", slider, *friction, "--in", "-", stdin=motion) == "joint.slide.force\n17\n"


def test_calculated_columns_are_passed_over_and_time_is_passed_on(slider):
    result = ok("simulate", slider, "--stop", 0.02, "--set", "joint.slide.force=4")
    again = ok("inverse", slider, "--in", "-", stdin=result.encode())
    assert again == "time,joint.slide.force\n0,4\n0.01,4\n0.02,4\n"


@pytest.mark.parametrize("solver", ["automatic", "dormand-prince", "runge-kutta-4", "rosenbrock"])
@pytest.mark.parametrize("amplitude", [0.1, 2])
def test_a_pendulum_has_the_period_of_the_elliptic_integral(pendulum, solver, amplitude):
    # T = 4 sqrt(l/g) K(sin(amplitude/2)), by the arithmetic-geometric mean.
    a, b = 1.0, math.cos(amplitude / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi * math.sqrt(1 / 9.81) / a
    last = table(ok("simulate", pendulum, "--stop", repr(period), "--step", 0.5, "--solver", solver,
                    "--tolerance", 1e-12, "--set", f"joint.pivot.initial_position={amplitude}"))[-1]
    assert last["time"] == period
    # Runge-Kutta 4 with 1 ms: (w h)^4 / 120 per radian, 1e-12; the others by their tolerance.
    assert last["joint.pivot.position"] == pytest.approx(amplitude, abs=1e-9)
    assert last["joint.pivot.velocity"] == pytest.approx(0, abs=1e-9)


def test_held_and_linear_inputs_follow_their_closed_forms(slider, tmp_path):
    # 2 kg: 4 N from 0 to 1 s, then 0; or from 4 N down to 0 in a second.
    (tmp_path / "in.csv").write_text("time,joint.slide.force\n0,4\n1,0\n")
    call = ["simulate", slider, "--input", tmp_path / "in.csv", "--stop", 2, "--step", 0.3]
    held, linear = table(ok(*call)), table(ok(*call, "--interpolate", "linear"))
    implicit = table(ok(*call, "--interpolate", "linear", "--solver", "rosenbrock"))
    assert [row["time"] for row in held] == [0, 0.3, 0.6, 0.8999999999999999, 1.2, 1.5,
                                             1.7999999999999998, 2]
    for row in held:
        t = row["time"]
        want = t * t if t < 1 else 1 + 2 * (t - 1)
        # A polynomial of degree two: exact but for rounding, whatever the steps are.
        assert row["joint.slide.position"] == pytest.approx(want, abs=1e-14)
        assert row["joint.slide.acceleration"] == (2 if t < 1 else 0)
    for row in linear + implicit:
        t = row["time"]
        want = t * t - t**3 / 3 if t < 1 else 2 / 3 + (t - 1)
        assert row["joint.slide.position"] == pytest.approx(want, abs=1e-14)
        assert row["joint.slide.acceleration"] == pytest.approx(2 - 2 * t if t < 1 else 0, abs=1e-15)


@pytest.mark.parametrize("solver", ["dormand-prince", "kutta-3", "runge-kutta-4", "rosenbrock"])
def test_inputs_jump_exactly_where_the_table_says(slider, tmp_path, solver):
    # A pulse inside one step of the result: 4 N over 1/8 s give 0.25 m/s.
    (tmp_path / "in.csv").write_text("time,joint.slide.force\n0,0\n0.25,4\n0.375,0\n")
    last = table(ok("simulate", slider, "--input", tmp_path / "in.csv", "--stop", 1, "--step", 1,
                    "--solver", solver))[-1]
    assert last["joint.slide.velocity"] == pytest.approx(0.25, abs=1e-15)
    assert last["joint.slide.position"] == pytest.approx(0.25 * (1 - 0.3125), abs=1e-15)


def test_a_line_at_the_time_of_a_jump_is_after_it(slider, tmp_path):
    # In binary 3 * 0.3 is a little less than 0.9.
    (tmp_path / "in.csv").write_text("time,joint.slide.force\n0,0\n0.9,4\n")
    rows = table(ok("simulate", slider, "--input", tmp_path / "in.csv", "--step", 0.3, "--stop", 1.2))
    assert rows[3]["time"] == 0.9 and rows[3]["joint.slide.acceleration"] == 2
    assert rows[4]["joint.slide.velocity"] == pytest.approx(0.6, abs=1e-14)


def test_two_lines_of_one_time_are_a_jump(slider, tmp_path):
    (tmp_path / "in.csv").write_text("time,joint.slide.force\n0,0\n0.5,2\n0.5,6\n1,6\n")
    rows = table(ok("simulate", slider, "--input", tmp_path / "in.csv", "--interpolate", "linear",
                    "--step", 0.25))
    forces = [2 * row["joint.slide.acceleration"] for row in rows]
    assert forces == [0, 1, 6, 6, 6] and rows[-1]["time"] == 1


def test_inputs_hold_before_and_after_their_table(slider, tmp_path):
    (tmp_path / "in.csv").write_text("joint.slide.force,time\n2,0.25\n4,0.5\n")
    for interpolate in "held", "linear":
        rows = table(ok("simulate", slider, "--input", tmp_path / "in.csv", "--step", 0.25, "--stop",
                        1, "--interpolate", interpolate))
        assert [row["joint.slide.acceleration"] for row in rows] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("fmi", [2, 3])
def test_the_fmu_gives_the_same_motion(source, export, tmp_path, fmi):
    fmpy = pytest.importorskip("fmpy")
    robot = source / "resources" / "robots" / "puma560.xml"
    start = {"joint.shoulder.initial_position": -0.5, "joint.elbow.initial_velocity": 1.0,
             "tip.force.z": -3.0}
    sets = [word for name, value in start.items() for word in ("--set", f"{name}={value}")]
    ours = table(ok("simulate", robot, "--stop", 1, "--step", 0.01, *sets))
    names = [name for name in ours[0] if name != "time"]
    result = fmpy.simulate_fmu(str(export(robot, "--fmi", fmi)), fmi_type="CoSimulation", stop_time=1,
                               output_interval=0.01, start_values=start, output=names)
    assert len(result) == len(ours)
    for theirs, row in zip(result, ours):
        for name in names:
            # The same steps by the same code; only the times of the host's steps round otherwise.
            assert theirs[name] == pytest.approx(row[name], rel=1e-9, abs=1e-9), name


def test_a_wrench_on_a_link_is_an_input(slider):
    state = b"link.cart.force.x\n6\n"
    assert ok("forward", slider, "--wrench", "cart", "--in", "-", stdin=state).split()[1] == "3"
    assert "no variable 'link.cart.force.x'" in fails(1, "forward", slider, "--in", "-", stdin=state)


def test_outputs_on_request_follow_what_was_asked(slider):
    state = b"joint.slide.force,joint.slide.acceleration\n6,3\n"
    for command, first in (("forward", "joint.slide.acceleration"), ("inverse", "joint.slide.force")):
        row, = table(ok(command, slider, "--outputs", "mass-matrix,reactions", "--in", "-",
                        stdin=state))
        assert list(row)[0] == first
        assert row["joint.slide.reaction.force.x"] == 6
        assert row["base.reaction.force.z"] == pytest.approx(2 * 9.81)
        assert row["mass_matrix.slide.slide"] == 2
    last = table(ok("simulate", slider, "--outputs", "jacobian", "--stop", 0.01))[-1]
    assert last["tip.jacobian.velocity.x.slide"] == 1
    text = ok("linearise", slider, "--outputs", "reactions")
    line, = (line for line in text.splitlines() if line.startswith("joint.slide.reaction.force.x,"))
    by = [float(word) for word in line.split(",")[1:4]]  # position, velocity, force
    assert by == pytest.approx([0, 0, 1])


def test_a_snake_has_no_further_outputs_but_poses_and_energy(source):
    robot = source / "resources" / "robots" / "serpenoid.xml"
    assert "its only further outputs are poses and energy, and reactions of one that slides; leave this option out" in fails(
        1, "inspect", robot, "--outputs", "jacobian")
    last = table(ok("simulate", robot, "--outputs", "poses,energy", "--stop", 0.5))[-1]
    assert abs(last["energy.work"]) > 0
    assert last["link2.x_axis.x"] == pytest.approx(math.cos(last["link2.angle"]), abs=1e-15)
    assert last["link2.y_axis.x"] == pytest.approx(-math.sin(last["link2.angle"]), abs=1e-15)


def test_forward_dynamics_of_a_gait_follow_the_time(tmp_path):
    """What a table does not say of a gait's angle is frequency times time plus phase, whether it is a state or not."""
    robot = tmp_path / "gait.xml"
    robot.write_text("""<snake name="gait" links="3"><every length="0.2" mass="1" inertia="0.005"/>
<input kind="gait" amplitude="0.3" frequency="2" shift="0.6" phase="0.4" stiffness="20" damping="0.5"/></snake>""")
    lines = ["3,0.1,0.3,0", "0,0.1,0.3,0", "5,0.1,0.3,0"]
    given = tmp_path / "given.csv"
    given.write_text("\n".join(["time,link1.angle,link2.angle,link3.angle", *lines]))
    said = tmp_path / "said.csv"
    said.write_text("\n".join(["time,link1.angle,link2.angle,link3.angle,gait.angle",
                               *(f"{line},{2 * float(line[0]) + 0.4}" for line in lines)]))
    plain = ok("forward", robot, "--in", given)
    assert ok("forward", robot, "--in", given, "--inputs", "gait") == plain
    assert ok("forward", robot, "--in", said, "--inputs", "gait") == plain
    faster = ok("forward", robot, "--in", given, "--inputs", "gait", "--set", "gait.frequency=3")
    assert faster == ok("forward", robot, "--in", given, "--set", "gait.frequency=3") != plain


def test_a_locked_joint_is_gone(source):
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    rows = table(ok("simulate", robot, "--lock", "elbow=0.5", "--stop", 0.01))
    assert [name for name in rows[0] if name.endswith(".acceleration") and "joint" in name] == [
        "joint.shoulder.acceleration"]


def test_an_fmu_of_ours_can_be_computed_with(source, export):
    robot = source / "resources" / "robots" / "scara.xml"
    call = ["simulate", "--stop", 0.1]
    assert ok(*call, robot) == ok(*call, export(robot))


def test_a_state_without_a_solution_ends_with_4(source, tmp_path):
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    weightless = [f"link.lower_rod.{what}=0" for what in
                  ("mass", "inertia.xx", "inertia.yy", "inertia.zz")]
    sets = [word for what in weightless for word in ("--set", what)]
    said = fails(4, "forward", robot, *sets, "--in", "-", stdin=b"joint.elbow.torque\n1\n")
    assert said == ("standard input:2: in this position some joint moves nothing that has inertia, "
                    "so its acceleration is undefined")
    said = fails(4, "forward", robot, "--in", "-", stdin=b"joint.elbow.velocity\n0\n1e200\n")
    assert said == "standard input:3: the accelerations are not finite numbers"
    (tmp_path / "old.csv").write_text("precious\n")
    said = fails(4, "simulate", robot, "--set", "joint.elbow.initial_velocity=1e200", "-o",
                 tmp_path / "old.csv")
    assert said == "forearm: the accelerations are not finite numbers (t = 0 s)"
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious\n"]


def test_energy_is_accounted_for_where_it_is_asked_for(source):
    """The states that it brings are the last; what brings none has as many as joints ask for."""
    robot = source / "resources" / "robots" / "double_pendulum.xml"
    names = [v["name"] for v in json.loads(ok("inspect", robot, "--json"))["variables"]]
    asked = [(v["name"], v["role"]) for v in json.loads(ok("inspect", robot, "--json", "--outputs", "energy"))["variables"]]
    powers = [f"energy.{what}_power" for what in ("actuator", "external", "friction", "stop")]
    states = ["energy.actuator_work", "energy.external_work", "energy.friction_loss", "energy.stop_loss"]
    assert [name for name in names if name.startswith("energy.")] == ["energy.kinetic", "energy.potential", *powers]
    assert [name for name, role in asked if role == "state"][-4:] == states
    assert {name for name, _ in asked} - set(names) == {*states, "energy.initial", "energy.residual"}
    # A single state: what it stores, and powers. Half of m v² and a power that the motion confirms.
    row = "joint.shoulder.position,joint.shoulder.velocity,joint.elbow.position,joint.elbow.velocity\n0.3,1,0.2,-2\n"
    said = table(ok("forward", robot, "--in", "-", "--outputs", "energy", stdin=row.encode()))[0]
    assert said["energy.kinetic"] > 0 and said["energy.friction_power"] >= 0
    moved = table(ok("simulate", robot, "--outputs", "energy", "--stop", 0.5))
    usual = table(ok("simulate", robot, "--stop", 0.5))
    assert abs(moved[-1]["energy.residual"]) < 1e-6 * max(line["energy.kinetic"] for line in moved)
    # The accounts are under the error control too, so that steps differ; the motion does within the tolerance.
    assert moved[-1]["joint.elbow.position"] == pytest.approx(usual[-1]["joint.elbow.position"], abs=1e-5)
    inverse = table(ok("inverse", robot, "--in", "-", "--outputs", "energy", stdin=row.encode()))[0]
    assert inverse["energy.kinetic"] == said["energy.kinetic"] and "energy.friction_power" not in inverse
    assert "an inverse integrates no motion" in fails(2, "export", robot, "--kind", "inverse", "--outputs", "energy", "-o", "x.fmu")
