"""forearm.load: equations of motion for arrays of states, against Pinocchio's numbers and against themselves."""

import json

import numpy as np
import pytest

from conftest import SOURCE
from core_package import GOLDEN, TWO, fa, golden, load, states

# Trees of joints of one freedom, with followers, prismatic joints, rotors and drives.
ROBOTS = [*(SOURCE / "resources" / "robots" / f"{name}.xml" for name in ("puma560", "scara", "stanford", "cmu_dd_arm", "ascher2")),
          SOURCE / "examples" / "scara" / "scara.urdf", GOLDEN / "tree8.urdf"]


def worst(got, want):
    return np.abs(got - want).max() / max(1, np.abs(want).max())


@pytest.mark.parametrize("name", ["arm7", "tree8"])
def test_batches_are_pinocchios(name):
    robot, expected = golden(name)
    rows = expected["states"]

    def of(key, count=64):
        return np.array([row[key] for row in rows[:count]])

    q, qd, tau, n = of("q"), of("qd"), of("tau"), robot.n
    assert robot.joints == tuple(expected["joints"]) and robot.tip == expected["tip"]
    M, T = robot.mass_matrix(q), robot.pose(q)
    found = {"forward": robot.forward(q, qd, tau), "inverse": robot.inverse(q, qd, of("qdd")), "bias": robot.bias(q, qd),
             "mass_matrix": M[:, *np.tril_indices(n)], "gravity": robot.gravity_torque(q), "position": T[:, :3, 3],
             "rotation": T[:, :3, :3].reshape(64, 9), "jacobian": robot.jacobian(q).reshape(64, -1),
             "drift": robot.jacobian_dot_qd(q, qd)}
    for key, got in found.items():
        want = of(key).reshape(got.shape)
        assert worst(got, want) < 1e-12, key  # the file's tolerance: of the largest element
    d = robot.forward_derivatives(q[:4], qd[:4], tau[:4])
    for key, got in {"dqdd_dq": d.q, "dqdd_dqd": d.qd, "dqdd_dtau": d.tau}.items():
        assert worst(got.reshape(4, -1), of(key, 4).reshape(4, -1)) < 1e-10, key


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_the_functions_agree_with_each_other(path):
    robot = load(path)
    q, qd, qdd = states(robot)
    wrench = np.random.default_rng(1).normal(size=(50, 6))
    tau = robot.inverse(q, qd, qdd)
    M, J = robot.mass_matrix(q), robot.jacobian(q)
    assert worst(robot.forward(q, qd, tau), qdd) < 1e-9  # masses differ by factors of a thousand
    assert worst(np.einsum("sij,sj->si", M, qdd) + robot.bias(q, qd), tau) < 1e-11
    C = robot.coriolis_matrix(q, qd)
    assert worst(np.einsum("sij,sj->si", C, qd), robot.bias(q, qd) - robot.gravity_torque(q)) < 1e-11
    assert worst(robot.inverse(q, qd, qdd, wrench=wrench), tau - np.einsum("ski,sk->si", J, wrench)) < 1e-11
    assert worst(robot.forward(q, qd, robot.inverse(q, qd, qdd, wrench=wrench), wrench=wrench), qdd) < 1e-9
    move = 1e-6
    for at, rate in ((q + move * qd, 1), (q - move * qd, -1)):  # the rate of J qd by differences
        assert np.isfinite(robot.jacobian(at)).all()
    rate = (robot.jacobian(q + move * qd) - robot.jacobian(q - move * qd)) / (2 * move)
    assert worst(np.einsum("ski,si->sk", rate, qd), robot.jacobian_dot_qd(q, qd)) < 1e-7
    M_rate = (robot.mass_matrix(q + move * qd) - robot.mass_matrix(q - move * qd)) / (2 * move)
    skew = M_rate - 2 * C
    assert worst(skew, -skew.transpose(0, 2, 1)) < 1e-6


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_derivatives_are_those_of_differences(path):
    robot = load(path)
    q, qd, third = (values[:3] for values in states(robot, seed=3))
    wrench, move = np.array([3.0, -2, 1, 0.5, 0.2, -0.3]), 1e-5
    for ask, exact, names in ((robot.forward, robot.forward_derivatives, ("q", "qd", "tau")),
                              (robot.inverse, robot.inverse_derivatives, ("q", "qd", "qdd"))):
        d = exact(q, qd, third, wrench=wrench)
        for which, name in enumerate(names):
            for k in range(robot.n):
                up, down = ([value + sign * move * np.eye(robot.n)[k] * (i == which) for i, value in enumerate((q, qd, third))]
                            for sign in (1, -1))
                difference = (ask(*up, wrench=wrench) - ask(*down, wrench=wrench)) / (2 * move)
                # Central differences over 1e-5: 1e-10 of a third derivative, and rounding over 1e-5.
                assert worst(getattr(d, name)[:, :, k], difference) < 1e-5, (name, k)


def test_derivatives_by_parameters_are_those_of_differences():
    robot = load(SOURCE / "resources" / "robots" / "puma560.xml").with_parameters({"payload.mass": 1.5, "payload.com.x": 0.1})
    q, qd, third = (values[:4] for values in states(robot, seed=5))
    start = {"payload.mass": 1.5, "payload.com.x": 0.1, "gravity.z": -9.81, "joint.elbow.rotor_inertia": 0.0002}
    for ask, exact in ((robot.forward, robot.forward_derivatives), (robot.inverse, robot.inverse_derivatives)):
        found = exact(q, qd, third).parameters(list(start))
        assert found.shape == (4, 6, 4)
        for k, (name, value) in enumerate(start.items()):
            move = 1e-6 * max(abs(value), 0.1)
            move = min(move, value / 2) if value > 0 else move
            up, down = (getattr(robot.with_parameters({name: value + sign * move}), ask.__name__)(q, qd, third) for sign in (1, -1))
            assert worst(found[..., k], (up - down) / (2 * move)) < 1e-5, name
    assert (robot.forward_derivatives(q, qd, third).parameters("joint.elbow.viscous_friction") == 0).all()


def test_the_regressor_and_its_base_are_those_of_the_program(forearm, tmp_path):
    robot, expected = golden("arm7")
    row = expected["states"][5]
    table = tmp_path / "state.csv"
    names = [f"joint.{joint}.{what}" for what in ("position", "velocity", "acceleration") for joint in robot.joints]
    table.write_text(",".join(names) + "\n" + ",".join(map(repr, row["q"] + row["qd"] + row["qdd"])) + "\n")
    lines = forearm("inverse", GOLDEN / "arm7.urdf", "--in", table, "--regressor").splitlines()
    head, numbers = lines[0].split(","), lines[1].split(",")
    told = {name: float(x) for name, x in zip(head, numbers) if "/" in name}
    Y = robot.regressor(row["q"], row["qd"], row["qdd"])
    ours = {f"joint.{joint}.torque/{column}": Y[i, k] for i, joint in enumerate(robot.joints)
            for k, column in enumerate(robot.regressor_columns)}
    assert list(told) == list(ours)
    assert max(abs(told[name] - ours[name]) for name in told) < 1e-12 * max(map(abs, told.values()))

    base = robot.base_parameters()
    q, qd, qdd = states(robot, 20, seed=9)
    Y = robot.regressor(q, qd, qdd)
    assert worst(Y[..., base.pivots] @ base.combinations, Y) < 1e-9
    assert len(base.columns) == np.linalg.matrix_rank(Y.reshape(-1, Y.shape[-1]), rtol=1e-10)
    assert (base.combinations[:, base.pivots] == np.eye(len(base.pivots))).all()


def test_leading_axes_broadcast():
    robot, _ = golden("tree8")
    q, qd, tau = states(robot, 12)
    q, qd = q.reshape(3, 4, 8), qd[:4]
    got = robot.forward(q, qd, tau[0])
    assert got.shape == (3, 4, 8)
    for i in range(3):
        for k in range(4):
            assert (got[i, k] == robot.forward(q[i, k], qd[k], tau[0])).all()
    assert robot.mass_matrix(q).shape == (3, 4, 8, 8) and robot.pose(q).shape == (3, 4, 4, 4)
    assert robot.jacobian(q, "c3").shape[-2:] == (6, 8) if "c3" in robot.frames else True
    assert robot.forward(np.zeros((0, 8)), 0, 0).shape == (0, 8)
    assert (robot.bias(q, 0) == robot.gravity_torque(q)).all()
    assert (robot.forward(q.tolist(), 0, 0) == robot.forward(q, np.zeros(8), np.zeros((3, 1, 8)))).all()


def test_the_bits_depend_neither_on_threads_nor_on_neighbours():
    robot, _ = golden("arm7")
    q, qd, tau = states(robot, 1000)
    one = robot.forward(q, qd, tau)
    for threads in (2, 7):
        assert (robot.forward(q, qd, tau, threads=threads) == one).all()
    assert (robot.forward(q[::-1], qd[::-1], tau[::-1])[::-1] == one).all()
    for k in range(0, 1000, 97):
        assert (robot.forward(q[k], qd[k], tau[k]) == one[k]).all()
    inverse = robot.inverse(q, qd, tau)
    assert (robot.inverse(q, qd, tau, threads=3) == inverse).all()
    assert all((robot.inverse(q[k], qd[k], tau[k]) == inverse[k]).all() for k in range(0, 1000, 97))


def test_single_precision_and_out():
    robot, _ = golden("arm7")
    q, qd, tau = states(robot, 10)
    want = robot.forward(q, qd, tau)
    single = robot.forward(*(values.astype(np.float32) for values in (q, qd, tau)))
    assert single.dtype == np.float32
    rounded = robot.forward(*(values.astype(np.float32).astype(float) for values in (q, qd, tau)))
    assert (single == rounded.astype(np.float32)).all()
    assert robot.forward(q.astype(np.float32), qd, tau).dtype == np.float64
    out = np.empty_like(q)
    assert robot.forward(q, qd, tau, out=out) is out and (out == want).all()
    apart = np.empty((10, 14))[:, ::2]
    assert robot.forward(q, qd, tau, out=apart) is apart and (apart == want).all()
    narrow = np.empty((10, 7), np.float32)
    assert robot.forward(q, qd, tau, out=narrow) is narrow and (narrow == want.astype(np.float32)).all()


def test_a_state_that_is_not_finite_is_a_row_of_nan():
    robot, _ = golden("arm7")
    q, qd, tau = states(robot, 20)
    want = [robot.forward(q, qd, tau), robot.mass_matrix(q), robot.forward_derivatives(q, qd, tau).q]
    q[7, 3] = np.nan
    tau[9, 0] = np.inf
    got = [robot.forward(q, qd, tau), robot.mass_matrix(q), robot.forward_derivatives(q, qd, tau).q]
    for a, b, rows in zip(want, got, ([7, 9], [7], [7, 9])):
        assert np.isnan(b[rows]).all()
        left = np.setdiff1d(np.arange(20), rows)
        assert (a[left] == b[left]).all()


def test_other_parameters_in_each_lane():
    robot, _ = golden("arm7")
    q, qd, tau = states(robot, 5)
    mass = np.array([0.0, 0.5, 2.0])
    heavy = robot.with_parameters({"payload.mass": mass, "payload.com.x": 0.1})
    got = heavy.forward(q[:, None], qd[:, None], tau[:, None], threads=2)
    assert got.shape == (5, 3, 7)
    for k, m in enumerate(mass):
        one = robot.with_parameters({"payload.mass": m, "payload.com.x": 0.1})
        assert (got[:, k] == one.forward(q, qd, tau)).all()
    assert heavy.gravity_torque(q[0]).shape == (3, 7)
    assert (robot.forward(q, qd, tau) == golden("arm7")[0].forward(q, qd, tau)).all()  # robots do not change


def test_order_and_frames():
    robot, _ = golden("tree8")
    mixed = tuple(reversed(robot.joints))
    assert [robot.joints[k] for k in robot.order(mixed)] == list(mixed)
    pinocchio = pytest.importorskip("pinocchio")
    names = list(pinocchio.buildModelFromUrdf(str(GOLDEN / "tree8.urdf")).names)[1:]
    assert [robot.joints[k] for k in robot.order("pinocchio")] == names
    q = states(robot, 3)[0]
    assert (robot.pose(q) == robot.pose(q, frame=robot.tip)).all()
    assert (robot.jacobian(q, frame=robot.frames[0]) == 0).all()


def test_motion_golden_has_the_robot_of_the_batch():
    expected = json.loads((GOLDEN / "motion_arm7.json").read_text())
    assert expected["robot"] == "arm7.urdf" and fa.load


SLIDING = """<robot name="mixed"><link name="base"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="a"/><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><axis xyz="0.6 0 0.8"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="slide" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0.1 0" rpy="0 0.4 0"/><axis xyz="0 0.6 0.8"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="other" type="revolute"><parent link="a"/><child link="c"/><origin xyz="0.2 0 0.1"/><axis xyz="1 0 0"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="follows" type="revolute"><parent link="b"/><child link="d"/><origin xyz="0 0 0.2"/><axis xyz="0 1 0"/><mimic joint="turn" multiplier="-0.7" offset="0.2"/>
<limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
""" + "".join(f'''<link name="{name}"><inertial><origin xyz="{0.1 * k} 0.05 -{0.04 * k}" rpy="0.2 {k} 0.1"/><mass value="{1 + k}"/>
<inertia ixx="{0.03 + 0.01 * k}" iyy="0.04" izz="0.05" ixy="0.002" ixz="-0.001" iyz="0.003"/></inertial></link>''' for k, name in enumerate("abcd")) + "</robot>"


@pytest.mark.parametrize("name", ["arm7", "tree8", "two", "mixed"])
def test_a_state_has_the_same_bits_in_every_batch(name):
    robot = golden(name)[0] if name in ("arm7", "tree8") else fa.loads(TWO if name == "two" else SLIDING)
    random = np.random.default_rng(3)
    q, qd, qdd = random.uniform(-2, 2, (3, 37, robot.n))
    ask = {"forward": lambda k: robot.forward(q[k], qd[k], qdd[k]), "inverse": lambda k: robot.inverse(q[k], qd[k], qdd[k]),
           "bias": lambda k: robot.bias(q[k], qd[k]), "gravity_torque": lambda k: robot.gravity_torque(q[k]),
           "pose": lambda k: robot.pose(q[k]), "jacobian": lambda k: robot.jacobian(q[k])}
    for what, of in ask.items():
        whole = of(slice(None))
        assert all((of(k) == whole[k]).all() for k in (0, 5, 36)) and (of(slice(7, 20)) == whole[7:20]).all(), what
    # What goes side by side agrees with what goes one by one: the mass matrix, derivatives by finite differences of poses.
    assert np.abs((robot.mass_matrix(q) @ qdd[..., None])[..., 0] + robot.bias(q, qd) - robot.inverse(q, qd, qdd)).max() < 1e-11
    assert np.abs(robot.inverse(q, 0, 0) - robot.gravity_torque(q)).max() < 1e-12
    step = 1e-6
    for frame in robot.links:
        T, J = robot.pose(q, frame=frame), robot.jacobian(q, frame=frame)
        for k in range(robot.n):
            more, less = (robot.pose(q + sign * step * np.eye(robot.n)[k], frame=frame) for sign in (1, -1))
            rate = (more - less) / (2 * step)
            turn = rate[:, :3, :3] @ np.swapaxes(T[:, :3, :3], 1, 2)
            want = np.stack([*np.moveaxis(rate[:, :3, 3], 1, 0), turn[:, 2, 1], turn[:, 0, 2], turn[:, 1, 0]], axis=1)
            assert np.abs(J[:, :, k] - want).max() < 1e-8, frame  # rounding over the step


def test_states_that_lanes_do_not_take_go_one_by_one():
    robot = fa.loads(SLIDING)
    q = np.random.default_rng(4).uniform(-1, 1, (11, robot.n))
    q[3, 0] = 4e5   # beyond what the sines in lanes reduce
    q[5, 1] = 2e6   # farther than fast methods go
    q[7, 2] = np.nan
    for of in (lambda q: robot.inverse(q, 0.5, 0.25), lambda q: robot.pose(q), lambda q: robot.jacobian(q)):
        whole = of(q)
        rows = np.array([of(row) for row in q])
        assert np.isnan(whole[7]).all() and np.isfinite(np.delete(whole, 7, axis=0)).all()
        assert np.array_equal(whole, rows, equal_nan=True)
    near = q.copy()
    near[3, 0] = np.remainder(4e5, 2 * np.pi)
    # The joint that follows turns by -0.7 of it.
    assert np.abs(robot.pose(q, frame="a")[3] - robot.pose(near, frame="a")[3]).max() < 1e-9


def test_masses_of_lanes_move_no_frame():
    robot = fa.loads(TWO)
    q = np.random.default_rng(6).uniform(-1, 1, (50, 2))
    many = robot.with_parameters({"payload.mass": np.linspace(0, 2, 50), "link.upper.mass": np.linspace(1, 2, 50)})
    assert (many.pose(q) == robot.pose(q)).all() and (many.jacobian(q) == robot.jacobian(q)).all()
    assert (many.jacobian_dot_qd(q, 1.0) == robot.jacobian_dot_qd(q, 1.0)).all()
    want = [robot.with_parameters({"payload.mass": m, "link.upper.mass": l}).inverse(row, 0.1, 0.2)
            for row, m, l in zip(q, np.linspace(0, 2, 50), np.linspace(1, 2, 50), strict=True)]
    assert (many.inverse(q, 0.1, 0.2) == np.array(want)).all()


def test_what_goes_one_by_one_is_what_lanes_give():
    robot, random = fa.loads(TWO), np.random.default_rng(8)
    near, qd, qdd = random.uniform(-1, 1, (3, 9, 2))
    turns = 2 * np.pi * 64000 * np.ones((9, 2))  # 4e5 rad are beyond what the sines in lanes reduce; rounding of such angles is 6e-11
    for of in (lambda q: robot.inverse(q, qd, qdd), lambda q: robot.bias(q, qd), lambda q: robot.gravity_torque(q), lambda q: robot.pose(q),
               lambda q: robot.jacobian(q), lambda q: robot.pose(q, frame="upper"), lambda q: robot.jacobian(q, frame="upper")):
        assert 0 < np.abs(of(near + turns) - of(near)).max() < 1e-8


def body(name, k):
    return (f'<link name="{name}"><inertial><origin xyz="{0.1 * k} 0.05 -{0.04 * k}"/><mass value="{k}"/>'
            f'<inertia ixx="{0.03 + 0.01 * k}" iyy="0.04" izz="0.05" ixy="0.002" ixz="-0.001" iyz="0.003"/></inertial></link>')


# A screw between two joints that turn.
SCREWED = f"""<robot name="screwed"><link name="base"/>{body("a", 1)}{body("b", 2)}{body("c", 3)}
<joint name="first" type="continuous"><parent link="base"/><child link="a"/><origin xyz="0.1 0.2 0.3" rpy="0.3 -0.2 0.5"/><axis xyz="0.6 0 0.8"/></joint>
<joint name="screw" type="screw"><parent link="a"/><child link="b"/><origin xyz="0 0.1 0" rpy="0 0.4 0"/><axis xyz="0 0.6 0.8"/>
<screw_thread_pitch value="0.3"/></joint>
<joint name="last" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0.2 0 0.1" rpy="0.4 0 0"/><axis xyz="0 1 0"/></joint></robot>"""


def test_pitches_of_lanes_move_frames_whatever_was_asked_before():
    robot, pitches = fa.loads(SCREWED), [0.1, 0.2, 0.4]
    many = robot.with_parameters({"joint.screw.pitch": pitches, "payload.mass": 1.0})
    q, qd = np.array([0.3, 3.0, -0.5]), np.array([0.2, 1.0, 0.4])
    for turn in range(2):
        for k, pitch in enumerate(pitches):
            one = robot.with_parameters({"joint.screw.pitch": pitch, "payload.mass": 1.0})
            for frame in ("b", None):
                assert (many.pose(q, frame=frame)[k] == one.pose(q, frame=frame)).all()
                assert (many.jacobian(q, frame=frame)[k] == one.jacobian(q, frame=frame)).all()
                assert (many.jacobian_dot_qd(q, qd, frame=frame)[k] == one.jacobian_dot_qd(q, qd, frame=frame)).all()
        many.forward(q, qd, 0)  # leaves the last lane's parameters
    along = many.pose(q, frame="b")[:, :3, 3] - many.pose(q * [1, 0, 1], frame="b")[:, :3, 3]
    assert np.allclose(np.linalg.norm(along, axis=1), np.array(pitches) * 3 / (2 * np.pi), rtol=1e-14)  # its turns times its pitch


def test_derivatives_by_parameters_have_the_wrench():
    robot, names = fa.loads(SCREWED), ["joint.screw.pitch", "payload.mass", "gravity.x"]
    at = {"joint.screw.pitch": 0.3, "payload.mass": 1.5, "gravity.x": 2.0}
    robot = robot.with_parameters(at)
    q, qd, third = (values[:4] for values in states(robot, seed=7))
    wrench, move = np.array([30.0, -20, 10, 5, 2, -3]), 1e-5
    for ask, exact in (("forward", robot.forward_derivatives), ("inverse", robot.inverse_derivatives)):
        found, bare = exact(q, qd, third, wrench=wrench).parameters(names), exact(q, qd, third).parameters(names)
        for k, name in enumerate(names):
            up, down = (getattr(robot.with_parameters({name: at[name] + sign * move}), ask)(q, qd, third, wrench=wrench) for sign in (1, -1))
            # Central differences over 1e-5: 1e-10 of a third derivative, and rounding over 1e-5.
            assert worst(found[..., k], (up - down) / (2 * move)) < 1e-7, (ask, name)
        assert np.abs(found - bare)[..., 0].max() > 0.1  # a pitch moves the wrench's lever
    assert np.isnan(robot._forward_by_parameters(q, qd, third, (0,))).all()  # which mechanisms alone have
