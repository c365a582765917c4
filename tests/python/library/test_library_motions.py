"""Robot.simulate and Robot.linearise: against Pinocchio's motions, the program, and themselves."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from conftest import SOURCE
from core_package import GOLDEN, TWO, fa, golden, load

EXPECTED = json.loads((GOLDEN / "motion_arm7.json").read_text())


def test_falls_are_pinocchios():
    robot, friction = golden("arm7")[0], EXPECTED["friction"]
    robot = robot.with_parameters({f"joint.{joint}.viscous_friction": value for joint, value in zip(robot.joints, friction["viscous"])})
    q, qd = (np.array([run[key] for run in friction["runs"]]) for key in ("q", "qd"))
    sol = robot.simulate(2, q=q, qd=qd, step=0.2, tolerance=1e-9, threads=2)
    got = np.concatenate([sol.q, sol.qd], axis=-1)[:, 1:]
    want = np.array([run["states"] for run in friction["runs"]])
    assert np.abs(got - want).max() < 1e-7  # the file's tolerance


def test_servo_steps_are_pinocchios():
    robot, servo = golden("arm7")[0], EXPECTED["servo"]
    kp, kd, limit = (np.array(servo[key]) for key in ("kp", "kd", "limit"))
    for threads in (1, 3):
        q, qd = np.zeros((6, 7)), np.zeros((6, 7))
        for period in range(40):
            robot._fixed_steps(0, servo["steps_in_a_period"], servo["step"], kp, kd, limit, np.array(servo["targets"][period // 10]),
                               q, qd, threads)
            if period % 10 == 9:
                want = np.array(servo["states"])[:, period // 10]
                assert np.abs(np.concatenate([q, qd], axis=1) - want).max() < 1e-9  # the file's tolerance


def test_a_motion_is_that_of_the_program(forearm, tmp_path):
    path = SOURCE / "resources" / "robots" / "puma560.xml"
    robot = load(path)
    start = tmp_path / "start.csv"
    start.write_text(f"joint.{robot.joints[0]}.initial_position\n0\n")
    in_lanes = forearm("runs", path, "--in", start, "--keep", "all", "--stop", "1", "--step", "0.1")
    alone = forearm("simulate", path, "--stop", "1", "--step", "0.1")
    sol = robot.simulate(1, step=0.1)
    assert sol.in_lanes
    # Many motions are those of `runs`, to the bit; `simulate` takes other steps: within the tolerance, 1e-8 a step.
    for table, tolerance in ((in_lanes, 0), (alone, 1e-6)):
        head, *lines = (line.split(",") for line in table.splitlines())
        rows = {name: np.array([float(line[k]) for line in lines]) for k, name in enumerate(head) if name not in ("status", "message")}
        for k, joint in enumerate(robot.joints):
            assert np.abs(sol.q[:, k] - rows[f"joint.{joint}.position"]).max() <= tolerance
        assert np.abs(sol["tip.x"] - rows["tip.x"]).max() <= tolerance + 1e-15
        assert (sol.t == rows["time"]).all() and (sol["time"] == sol.t).all()


STICKS = TWO.replace('<friction viscous="0.3"/>', '<friction coulomb="1" static="2" law="stick-slip"/>')


def test_a_robot_with_events_goes_one_by_one_and_says_so(forearm, tmp_path):
    robot = fa.loads(STICKS)
    path = tmp_path / "sticks.xml"
    path.write_text(STICKS)
    sol = robot.simulate(1, q=[[0.1, 0.2], [0, 0.4]], step=0.1)
    assert not sol.in_lanes and "one by one" in repr(sol) and "one by one" not in repr(fa.loads(TWO).simulate(1, q=[[0.1, 0.2]]))
    names = [f"joint.{joint}" for joint in robot.joints]
    table = forearm("simulate", path, "--stop", "1", "--step", "0.1", "--set", f"{names[0]}.initial_position=0.1", "--set",
                    f"{names[1]}.initial_position=0.2").splitlines()
    column = table[0].split(",").index(f"{names[1]}.position")
    assert (sol.q[0, :, 1] == [float(line.split(",")[column]) for line in table[1:]]).all()


STOPS = TWO.replace('<friction viscous="0.3"/>', '<stop lower="-0.5" upper="0.5" stiffness="1e4" damping="10"/>')


def test_stops_and_other_methods_go_one_by_one_and_say_so():
    assert STOPS != TWO and not fa.loads(STOPS).simulate(1, q=[[0.1, 0.2]]).in_lanes
    assert not fa.loads(TWO).simulate(1, q=[[0.1, 0.2]], solver="rosenbrock").in_lanes


def test_a_batch_is_its_rows_one_by_one():
    """To the bit, whatever differs, whatever acts, for every split and order."""
    random, n = np.random.default_rng(5), 21
    start, torque = random.uniform(-1, 1, (n, 2)), random.uniform(-3, 3, (n, 4, 2))
    given = {"payload.mass": random.uniform(0, 2, n), "joint.elbow.viscous_friction": random.uniform(0.1, 1, n), "gravity.x": random.uniform(-1, 1, n)}
    robot = fa.loads(TWO)
    many = robot.with_parameters(given)
    want = many.simulate(0.4, q=start, step=0.05, control=torque, period=0.1)
    assert want.in_lanes
    for threads in (2, 7):
        assert (many.simulate(0.4, q=start, step=0.05, control=torque, period=0.1, threads=threads).x == want.x).all()
    back = robot.with_parameters({name: value[::-1] for name, value in given.items()})
    assert (back.simulate(0.4, q=start[::-1], step=0.05, control=torque[::-1], period=0.1).x[::-1] == want.x).all()
    for k in (0, 7, 8, 20):
        one = robot.with_parameters({name: value[k] for name, value in given.items()})
        assert (one.simulate(0.4, q=start[k], step=0.05, control=torque[k], period=0.1).x == want.x[k]).all()
    asked = many.simulate(0.4, q=start, step=0.05, period=0.1, control=lambda t, q, qd: torque[:, round(t / 0.1)])
    assert (asked.x == want.x).all()
    # Constant inputs go another way, and come to the same.
    constant = many.simulate(0.4, q=start, step=0.05, control=np.array([0.5, -1]), threads=2)
    assert (constant.x == many.simulate(0.4, q=start, step=0.05, control=lambda t, q, qd: np.array([0.5, -1]), period=0.4).x).all()
    assert (constant.control == [0.5, -1]).all()
    held = many.simulate(0.4, q=start, step=0.05, control=torque[:, :1], period=0.4)
    assert np.abs(held.x[:, 2] - want.x[:, 2]).max() < 1e-6  # the same until the torque changes, in other steps


def test_out_is_filled_without_a_copy():
    robot, q = fa.loads(TWO), np.random.default_rng(2).uniform(-1, 1, (3, 2, 2))
    want = robot.simulate(0.2, q=q, step=0.05)
    out = np.full((3, 2, 5, 4), np.nan)
    sol = robot.simulate(0.2, q=q, step=0.05, out=out)
    assert (out == want.x).all() and np.shares_memory(sol.q, out) and np.shares_memory(sol.x, out)
    strided = np.full((3, 2, 5, 8), np.nan)[..., ::2]
    assert (robot.simulate(0.2, q=q, step=0.05, out=strided).q == want.q).all() and (strided == want.x).all()
    single = np.empty(out.shape, dtype=np.float32)
    robot.simulate(0.2, q=q, step=0.05, out=single, threads=2)
    assert (single == want.x.astype(np.float32)).all()
    one = np.empty((5, 4), dtype=np.float32)
    assert (robot.simulate(0.2, q=q[1, 1], step=0.05, out=one).q == want.q[1, 1].astype(np.float32)).all()
    little = robot.simulate(0.2, q=q.astype(np.float32), step=0.05)
    assert little.q.dtype == np.float32 and np.abs(little.q - want.q).max() < 1e-5 and little["tip.x"].shape == (3, 2, 5)
    for bad in (np.empty((3, 2, 5, 3)), np.empty((5, 4)), np.empty(out.shape, dtype=int), [1.0]):
        with pytest.raises(fa.ShapeError, match=r"out: \(3, 2, 5, 4\) of float64 or float32 wanted"):
            robot.simulate(0.2, q=q, step=0.05, out=bad)


def test_a_run_that_fails_disturbs_no_other():
    robot, torque = fa.loads(TWO), np.zeros((9, 1, 2))
    want = robot.simulate(0.2, q=[0.1, 0.2], step=0.1)
    torque[4] = np.nan
    with pytest.raises(fa.SimulationError, match="run 4: ") as fault:
        robot.simulate(0.2, q=[0.1, 0.2], step=0.1, control=torque, period=0.2)
    sol = fault.value.solution
    assert np.isnan(sol.q[4, 1:]).all() and all((sol.q[k] == want.q).all() for k in range(9) if k != 4)


def test_runs_that_differ_and_threads():
    robot = fa.loads(TWO)
    q = np.random.default_rng(0).uniform(-1, 1, (5, 2))
    sol = robot.simulate(0.5, q=q, step=0.1)
    assert sol.q.shape == (5, 6, 2) and sol["joint.elbow.position"].shape == (5, 6)
    assert (sol["joint.elbow.position"] == sol.q[..., 1]).all()
    assert (robot.simulate(0.5, q=q, step=0.1, threads=3).q == sol.q).all()
    for k in range(5):
        assert (robot.simulate(0.5, q=q[k], step=0.1).q == sol.q[k]).all()
    heavy = robot.with_parameters({"payload.mass": [0, 1.0]})
    both = heavy.simulate(0.5, q=q[:, None], step=0.1)
    assert both.q.shape == (5, 2, 6, 2)
    assert (both.q[:, 0] == sol.q).all() and (both.q[:, 1] != sol.q).any()


def test_control_is_held_between_its_periods():
    robot = fa.loads(TWO)
    torque = np.random.default_rng(1).uniform(-5, 5, (5, 2))
    by_array = robot.simulate(0.5, q=[0.1, 0.2], step=0.05, control=torque, period=0.1)
    asked = []

    def control(t, q, qd):
        asked.append((t, q.shape))
        return torque[round(t / 0.1)]

    by_function = robot.simulate(0.5, q=[0.1, 0.2], step=0.05, control=control, period=0.1)
    assert [shape for _, shape in asked] == [(2,)] * 5
    assert np.abs(by_array.q - by_function.q).max() < 1e-9  # the same steps, but for those at the periods' ends
    assert (by_array.control[:10:2] == torque).all() and (by_function.control == by_array.control).all()
    piece, q, qd = [], np.array([0.1, 0.2]), np.zeros(2)
    for row in torque:  # one after the other
        one = robot.simulate(0.1, q=q, qd=qd, step=0.1, control=row)
        q, qd = one.q[-1], one.qd[-1]
        piece.append(q)
    assert np.abs(by_array.q[2::2] - piece).max() < 1e-7
    batch = robot.simulate(0.2, q=np.zeros((3, 2)), step=0.1, period=0.1, control=lambda t, q, qd: robot.gravity_torque(q) - qd)
    assert np.abs(batch.q).max() < 1e-12  # held where it is


def test_a_solution_between_its_samples():
    robot = fa.loads(TWO)
    sol = robot.simulate(1, q=[0.3, -0.2], step=0.01, tolerance=1e-10)
    fine = robot.simulate(1, q=[0.3, -0.2], step=0.0025, tolerance=1e-10)
    q, qd = sol(fine.t)
    # Degree five over 0.01 s: the next term is (0.01 s)^6 times a sixth derivative of some 1e4.
    assert np.abs(q - fine.q).max() < 1e-8 and np.abs(qd - fine.qd).max() < 1e-6
    assert sol(0.5)[0].shape == (2,)


def test_a_motion_that_ends_early_gives_what_it_has():
    robot = fa.loads(TWO)

    def control(t, q, qd):
        return np.zeros(2) if t < 0.25 else np.full(2, np.nan)

    with pytest.raises(fa.SimulationError) as fault:
        robot.simulate(1, q=[0.1, 0.2], step=0.1, period=0.1, control=control)
    assert 0.2 < fault.value.time < 0.4
    sol = fault.value.solution
    assert np.isfinite(sol.q[:3]).all() and np.isnan(sol.q[-1]).all()


def test_the_linear_system_is_that_of_the_program(forearm, tmp_path):
    robot = load(SOURCE / "resources" / "robots" / "puma560.xml")
    q = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6]
    torque = robot.gravity_torque(q)
    state = tmp_path / "state.csv"
    names = [f"joint.{joint}.{what}" for what in ("position", "torque") for joint in robot.joints]
    state.write_text(",".join(names) + "\n" + ",".join(map(repr, [*q, *torque.tolist()])) + "\n")
    told = json.loads(forearm("linearise", SOURCE / "resources" / "robots" / "puma560.xml", "--at", state, "--json"))
    system = robot.linearise(q, control=torque)
    for name in "ABCD":
        want = np.array(told[name])
        assert np.abs(getattr(system, name) - want).max() <= 1e-12 * np.abs(want).max(), name
    small = system.select(inputs=[name for name in robot.inputs], outputs=["tip.x"])
    assert small.B.shape == (12, 6) and small.C.shape == (1, 12) and small.D.shape == (1, 6)


STOPPED = """<arm name="stopped" convention="standard" gravity="0 -9.81 0">
<joint name="shoulder" type="revolute" a="1"><limit lower="-0.5" upper="0.4"/><stop stiffness="{0}" damping="{1}"/>
<link name="upper" mass="2" com="-0.5 0 0" inertia="0 0.1 0.1 0 0 0"/></joint>
<joint name="elbow" type="revolute" a="1"><friction viscous="0.3"/><link name="lower" mass="1" com="-0.5 0 0" inertia="0 0.1 0.1 0 0 0"/></joint>
</arm>"""


# A damper's effort begins with a jump, which a step that meets it takes for all of itself or for nothing: order one.
@pytest.mark.parametrize("damping, tolerance", [(0, 1e-5), (40, 1e-3)])
def test_stops_stop_in_fixed_steps(damping, tolerance):
    """By RK4 what simulate comes to, with its events; in lanes and by rows one by one."""
    robot = fa.loads(STOPPED.format(2000, damping))
    start = np.random.default_rng(3).uniform(-0.4, 0.4, (37, 2))
    want = robot.simulate(0.6, q=start, step=0.2, tolerance=1e-10)
    assert want.q[:, :, 0].min() < -0.5  # they have met their stops
    q, qd, held = start.copy(), np.zeros((37, 2)), np.zeros((37, 2))
    robot._fixed_steps(1, 12000, 5e-5, None, None, None, held, q, qd, 2)
    assert np.abs(q - want.q[:, -1]).max() < tolerance
    q, qd = start.copy(), np.zeros((37, 2))
    robot._fixed_steps(0, 12000, 5e-5, None, None, None, held, q, qd, 1)
    assert np.abs(q - want.q[:, -1]).max() < 5e-3  # a method of order one
    one, rate = start[5:6].copy(), np.zeros((1, 2))
    robot._fixed_steps(0, 12000, 5e-5, None, None, None, held[:1], one, rate, 1)
    assert (one == q[5:6]).all() and (rate == qd[5:6]).all()


def test_stiff_stops_throw_nothing():
    robot = fa.loads(STOPPED.format(1e7, 1e3))  # 2 ms of such a spring turn by 12 rad, taken explicitly
    q, qd = np.array([[0.3, 0.0], [-0.4, 1.0]]), np.zeros((2, 2))
    for _ in range(20):
        robot._fixed_steps(0, 50, 2e-3, None, None, None, np.zeros((2, 2)), q, qd, 1)
        assert (q[:, 0] > -0.52).all() and (q[:, 0] < 0.42).all()
    assert np.abs(q[:, 0] + 0.5).max() < 1e-3  # it lies on its stop


ACTS = ["<friction viscous='0.3' coulomb='0.5' width='0.5'/>", "<spring stiffness='20' damping='1' rest='0.4'/>", "<damper damping='6' band='0.2'/>",
        "<drag effort='9' speed='1'/>", "<motor resistance='1' torque-constant='1' back-emf='1'/>", "<servo kp='100' kd='10'/>",
        "<servo kp='100' kd='10' gravity='true'/>", "<rotor inertia='1e-3' gear='10'/>"]
RELIEVED = """<mujoco><worldbody><body name="a" gravcomp="0.5"><joint name="j" axis="0 1 0"/><inertial pos="0.1 0.2 0" mass="1" diaginertia="0.1 0.1 0.1"/>
<body name="b" pos="0.3 0 0" gravcomp="1.5"><joint name="k" axis="0 1 0"/><inertial pos="0.2 0 0.1" mass="2" diaginertia="0.1 0.2 0.1"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("text", [TWO.replace('<friction viscous="0.3"/>', element) for element in ACTS] + [RELIEVED], ids=[*ACTS, "relieved"])
def test_what_acts_in_simulate_acts_in_fixed_steps(text):
    robot = fa.loads(text)
    start = np.array([[0.5, -0.4], [1.5, 0.7]])
    want = robot.simulate(0.2, q=start, step=0.1, tolerance=1e-11)
    for method, steps, tolerance in ((1, 400, 1e-6), (0, 20000, 1e-4)):  # of order four and one
        q, qd = start.copy(), np.zeros((2, 2))
        robot._fixed_steps(method, steps, 0.2 / steps, None, None, None, np.zeros((2, 2)), q, qd, 1)
        assert np.abs(q - want.q[:, -1]).max() < tolerance and np.abs(qd - want.qd[:, -1]).max() < 10 * tolerance


LEFT_OUT = ['<friction coulomb="1" static="2" law="stick-slip"/>', '<valve-closure stiffness="100"/>',
            '<servo kp="100" kd="10" ki="500"/>', '<servo kp="100" kd="10" effort-time="0.1"/>', '<servo kp="100" kd="10" velocity-limit="1"/>',
            '<motor resistance="1" torque-constant="1" back-emf="1" inductance="0.1"/>']


@pytest.mark.parametrize("element", LEFT_OUT)
def test_what_needs_events_or_states_has_no_fixed_steps(element):
    robot = fa.loads(TWO.replace('<friction viscous="0.3"/>', element))
    with pytest.raises(fa.RobotError, match="steps of one length have none"):
        robot._fixed_steps(0, 1, 1e-3, None, None, None, np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2)), 1)


def test_robots_that_differ_step_as_they_do_alone():
    """Parameters stay in the lanes from call to call: the bits of each robot by itself, for every split and thread."""
    random, n = np.random.default_rng(7), 37
    masses, friction, start = random.uniform(0, 3, n), random.uniform(0, 1, n), random.uniform(-1, 1, (n, 2))
    robot = fa.loads(TWO)
    many = robot.with_parameters({"payload.mass": masses, "joint.elbow.viscous_friction": friction})

    def walk(of, q, threads=1):
        q, qd = q.copy(), np.zeros(q.shape)
        for _ in range(3):
            of._fixed_steps(0, 5, 2e-3, np.full(2, 50.0), np.full(2, 5.0), np.full(2, 30.0), np.ones(q.shape), q, qd, threads)
        return np.concatenate([q, qd], axis=1)

    want = walk(many, start)
    for k in (0, 7, 8, 20, 36):
        one = robot.with_parameters({"payload.mass": masses[k], "joint.elbow.viscous_friction": friction[k]})
        assert (walk(one, start[k:k + 1]) == want[k:k + 1]).all()
    for threads in (2, 3, 7, 50):
        assert (walk(many, start, threads) == want).all()
    assert (walk(many, np.concatenate([start, start])) == np.concatenate([want, want])).all()
    with ThreadPoolExecutor(4) as pool:
        assert all((got == want).all() for got in pool.map(lambda k: walk(many, start), range(16)))


def test_steps_in_single_precision_are_near_and_leave_no_trace():
    of = fa.loads(TWO)
    random = np.random.default_rng(5)
    start, payload = random.uniform(-1, 1, (37, 2)), random.uniform(0, 1, 37)

    def after(robot, rows, single, threads=1):
        q, qd = start[rows].copy(), np.zeros_like(start[rows])
        for _ in range(20):
            robot._fixed_steps(0, 5, 2e-3, np.full(2, 50.0), np.full(2, 5.0), np.full(2, 30.0), np.ones_like(q), q, qd, threads, single)
        return np.concatenate([q, qd], axis=-1)

    for robot in (of, of.with_parameters({"payload.mass": payload})):
        double, single = after(robot, slice(None), False), after(robot, slice(None), True)
        # A hundred steps of some ten operations each, with roundings of 6e-8: 1e-4 leaves room for a factor of a hundred.
        assert 0 < np.abs(single - double).max() < 1e-4
        assert (after(robot, slice(None), False) == double).all() and (after(robot, slice(None), True, 3) == single).all()
    assert (after(of, slice(5, 8), True) == after(of, slice(None), True)[5:8]).all()


def test_threads_step_one_robot_in_either_precision():
    """A call in single precision that outlasts one in double, and the other way round: each has lanes of its own."""
    random, n = np.random.default_rng(9), 203
    many = fa.loads(TWO).with_parameters({"payload.mass": random.uniform(0, 3, n)})
    start = random.uniform(-1, 1, (n, 2))

    def walk(single, steps):
        q, qd = start.copy(), np.zeros((n, 2))
        many._fixed_steps(0, steps, 1e-4, None, None, None, np.ones((n, 2)), q, qd, 1, single)
        return np.concatenate([q, qd], axis=1)

    calls = [(single, steps) for steps in (1000, 10) for single in (True, False)]
    want = [walk(*call) for call in calls]
    with ThreadPoolExecutor(4) as pool:
        for first in (0, 1):
            order = [(first + k) % 4 for k in (0, 3, 2, 1)] * 4
            for k, got in zip(order, pool.map(lambda k: walk(*calls[k]), order), strict=True):
                assert (got == want[k]).all()
