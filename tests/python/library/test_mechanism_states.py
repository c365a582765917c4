"""forearm.load of mechanisms: free bases, balls, planar joints, screws and loops, against the values of tests/mechanisms,
which programs found that share no formula with this one, and against differences of what is found."""

import json

import numpy as np
import pytest

from conftest import SOURCE
from core_package import fa, load

GOLDEN = SOURCE / "tests" / "mechanisms"
# Mechanisms on which springs, contacts, stops and servos act have other accelerations than their rigid bodies.
BODIES = ["bricard", "delta", "excavator", "five_bar_scara", "four_bar", "four_bar_welded", "heavy_top", "hooke_joint", "lead_screw",
          "palletiser", "planar_cart", "quadruped_free", "satellite", "slider_crank", "slider_crank_cut", "spherical_pendulum",
          "stewart", "watt_six_bar"]
MOTIONS = ["andrews", "bouncing_ball", "delta", "heavy_top", "lead_screw", "planar_cart", "quadruped", "slider_crank"]


def mechanism(name, **options):
    side = GOLDEN / "robots" / f"{name}.mechanism.xml"
    return load(GOLDEN / "robots" / f"{name}.urdf", actuators=side if side.exists() else None, **options)


def golden(name):
    return json.loads((GOLDEN / "points" / f"{name}.json").read_text())["points"]


def listed(robot, values, kind):
    """Numbers by joint as q (6: positions) or as speeds and efforts (7)."""
    found = []
    for row in robot._all["joints"]:
        value = np.atleast_1d(values.get(row[0], np.zeros(row[kind])))
        assert len(value) == row[kind], row[0]
        found.append(value)
    return np.concatenate(found).astype(float)


def moved(robot, q, change):
    """q with each position moved by `change`: quaternions by small turns about the axes of the joint's frame."""
    q = q.copy()
    for k, row in enumerate(robot._all["speeds"]):
        if row[5] < 0:
            q[row[4]] += change[k]
        elif row[5] == 0:
            turn = np.asarray(change[k:k + 3])
            angle, p = np.linalg.norm(turn), q[row[4]:row[4] + 4].copy()
            w, v = np.cos(angle / 2), turn * (np.sin(angle / 2) / angle if angle else 0.5)
            q[row[4]:row[4] + 4] = [w * p[0] - v @ p[1:], *(w * p[1:] + p[0] * v + np.cross(v, p[1:]))]
    return q


def worst(got, want):
    return np.abs(got - want).max() / max(1, np.abs(want).max())


def starts(robot):
    """Start values of its variables, by forearm inspect."""
    side = GOLDEN / "robots" / f"{robot.name}.mechanism.xml"
    told = fa.inspect(robot.source, options=["--actuators", side] if side.exists() else [])
    return {row["name"]: row["start"] for row in told["variables"]}


def friction_of(robot, start):
    return np.array([start[".".join(name.split(".")[:2]) + ".viscous_friction"] for name in robot.speeds])


def efforts(robot, point, q, qd, start):
    """Efforts at the joints: the drives', friction's, and what forces at centres of mass do by the links' Jacobians."""
    tau = listed(robot, point["input"].get("effort", {}), 7) - friction_of(robot, start) * qd
    for link in {**point["input"].get("link_force", {}), **point["input"].get("link_torque", {})}:
        force, torque = (np.array(point["input"].get(key, {}).get(link, [0, 0, 0])) for key in ("link_force", "link_torque"))
        lever = robot.pose(q, frame=link)[:3, :3] @ [start.get(f"link.{link}.com.{axis}", start.get(f"link._{link}.com.{axis}")) for axis in "xyz"]
        tau += robot.jacobian(q, frame=link).T @ np.concatenate([force, torque + np.cross(lever, force)])
    return tau


@pytest.mark.parametrize("name", BODIES)
def test_accelerations_and_their_derivatives_are_the_golden_ones(name):
    robot = mechanism(name)
    start = starts(robot)
    b = friction_of(robot, start)
    for point in golden(name):
        q, qd = listed(robot, point["position"], 6), listed(robot, point["velocity"], 7)
        tau = efforts(robot, point, q, qd, start)
        assert worst(robot.forward(q, qd, tau), listed(robot, point["acceleration"], 7)) < 1e-10  # the specification's
        # Independent joints decide: guesses of the others may be off, and their speeds are not read.
        dependent = np.setdiff1d(np.arange(robot.n), robot.independent)
        away = np.zeros(robot.n)
        away[dependent] = 0.01
        assert worst(robot.forward(moved(robot, q, away), qd + 10 * away, tau), listed(robot, point["acceleration"], 7)) < 1e-10
        if "derivative" not in point or point["input"].get("link_force") or set(point["derivative"]["along"]["position"]) != {
                robot.joints[k] for k in np.unique(np.searchsorted(np.cumsum([row[7] for row in robot._all["joints"]]),
                                                                   robot.independent, side="right"))}:
            continue
        along = point["derivative"]["along"]
        dq, dqd, dtau = (listed(robot, along.get(key, {}), 7) for key in ("position", "velocity", "effort"))
        h = 1e-5
        sides = [robot.close(moved(robot, q, s * h * dq), qd + s * h * dqd)[1] for s in (1, -1)]
        dtau -= b * (sides[0] - sides[1]) / (2 * h)
        d = robot.forward_derivatives(q, qd, tau)
        # Differences of the speeds that friction acts at leave 1e-9; the specification has 1e-8.
        assert worst(d.q @ dq + d.qd @ dqd + d.tau @ dtau, listed(robot, point["derivative"]["acceleration"], 7)) < 1e-8


@pytest.mark.parametrize("name", [*BODIES, "andrews", "quadruped", "servo_palletiser"])
def test_the_functions_agree_with_each_other(name):
    robot = mechanism(name)
    q, qd = (listed(robot, golden(name)[1][key], kind) for key, kind in (("position", 6), ("velocity", 7)))
    random, free = np.random.default_rng(1), robot.independent
    if robot._all["no_inverse"]:
        pytest.fail(robot._all["no_inverse"])
    qdd = robot.forward(q, qd, random.normal(size=robot.n))
    tau = robot.inverse(q, qd, qdd)
    wrench = random.normal(size=6)
    scale = max(1, np.abs(qdd).max())
    assert worst(robot.forward(q, qd, tau), qdd) < 1e-9
    assert worst(robot.forward(q, qd, robot.inverse(q, qd, qdd, wrench=wrench), wrench=wrench), qdd) < 1e-9
    # Power decides how efforts at driven joints and those of M and C at independent ones belong together.
    G = robot.jacobian(q)
    M, C = robot.mass_matrix(q), robot.coriolis_matrix(q, qd)
    by_tau = robot.forward_derivatives(q, qd, tau).tau
    assert worst((by_tau @ M)[np.ix_(free, free)] if len(free) == robot.n else by_tau[np.ix_(free, free)] @ M[np.ix_(free, free)],
                 np.eye(len(free))) < 1e-8
    at = robot.inverse(q, qd, qdd) - robot.bias(q, qd)
    assert worst(robot.forward(q, qd, robot.bias(q, qd) + at)[free], qdd[free]) < 1e-9 * scale
    held = robot.forward(q, 0, robot.gravity_torque(q))
    assert np.abs(held[free]).max() < 1e-9
    u = np.zeros(robot.n)
    u[free] = qd[free]
    if not np.setdiff1d(np.flatnonzero(robot.inverse(q, qd, qdd)), free).size:  # the drives are the independent joints
        assert worst((M @ qdd + robot.bias(q, qd))[free], tau[free]) < 1e-9
        assert worst((C @ u)[free], (robot.bias(q, qd) - robot.gravity_torque(q))[free]) < 1e-9
    h = 1e-5  # differences leave h squared times third derivatives, and rounding over h
    ahead, behind = (moved(robot, q, s * h * qd) for s in (1, -1))
    skew = (robot.mass_matrix(ahead) - robot.mass_matrix(behind)) / (2 * h) - 2 * C
    assert worst(skew, -skew.T) < 1e-7
    frame = robot.frames[-1]
    for k in free:
        unit = np.zeros(robot.n)
        unit[k] = h
        by = [robot.pose(moved(robot, q, s * unit), frame=frame) for s in (1, -1)]
        rate, R = (by[0] - by[1]) / (2 * h), robot.pose(q, frame=frame)[:3, :3]
        turn = rate[:3, :3] @ R.T
        J = robot.jacobian(q, frame=frame)[:, k]
        assert worst(J, np.array([*rate[:3, 3], turn[2, 1], turn[0, 2], turn[1, 0]])) < 1e-8
    rate = (robot.jacobian(ahead) - robot.jacobian(behind)) / (2 * h)
    assert worst(rate @ u, robot.jacobian_dot_qd(q, qd)) < 1e-7
    assert G.shape == (6, robot.n) and not G[:, np.setdiff1d(np.arange(robot.n), free)].any()


def test_a_regressor_times_the_masses_is_the_inverse():
    robot = mechanism("stewart")
    point, start = golden("stewart")[2], starts(robot)
    q, qd = listed(robot, point["position"], 6), listed(robot, point["velocity"], 7)
    qdd, columns = robot.forward(q, qd, 0), []
    for link in dict.fromkeys(name.split(".")[1] for name in robot.regressor_columns):
        mass, com = start[f"link.{link}.mass"], np.array([start[f"link.{link}.com.{axis}"] for axis in "xyz"])
        xx, yy, zz, xy, xz, yz = (start[f"link.{link}.inertia.{ij}"] for ij in ("xx", "yy", "zz", "xy", "xz", "yz"))
        about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) + mass * (com @ com * np.eye(3) - np.outer(com, com))
        columns += [mass, *(mass * com), about[0, 0], about[1, 1], about[2, 2], about[0, 1], about[0, 2], about[1, 2]]
    assert worst(robot.regressor(q, qd, qdd) @ columns, robot.inverse(q, qd, qdd)) < 1e-11


@pytest.mark.parametrize("name, parameter", [("satellite", "link.hull.mass"), ("delta", "payload.mass"), ("lead_screw", "joint.nut.pitch"),
                                             ("four_bar", "gravity.z"), ("four_bar", "joint.crank.viscous_friction")])
def test_derivatives_by_parameters_are_those_of_differences(name, parameter):
    robot, h = mechanism(name), 1e-5
    point = golden(name)[1]
    q, qd = listed(robot, point["position"], 6), listed(robot, point["velocity"], 7)
    tau = listed(robot, point["input"]["effort"], 7)
    at = starts(robot)[parameter] or 1.0
    step, robot = h * abs(at), robot.with_parameters({parameter: at})
    sides = [robot.with_parameters({parameter: at + sign * step}) for sign in (1, -1)]
    for wrench in (None, np.array([30.0, -20, 10, 5, 2, -3])):
        for of, third in (("forward", tau), ("inverse", robot.forward(q, qd, tau, wrench=wrench))):
            found = getattr(robot, f"{of}_derivatives")(q, qd, third, wrench=wrench).parameters(parameter)
            more, less = (getattr(side, of)(q, qd, third, wrench=wrench) for side in sides)
            by_difference = (more - less) / (2 * step)
            assert worst(found[:, 0], by_difference) < 1e-7  # h squared times the third derivative, and rounding over h
            assert np.any(found) != ("friction" in parameter)  # which is no part of rigid bodies


@pytest.mark.parametrize("name", MOTIONS)
def test_motions_are_the_golden_ones(name):
    robot = mechanism(name)
    want = json.loads((GOLDEN / "trajectories" / f"{name}.json").read_text())
    q, qd = listed(robot, want["position"][0], 6), listed(robot, want["velocity"][0], 7)
    times = np.array(want["times"])[:3]
    sol = robot.simulate(times[-1], q=q, qd=qd, step=times[1], control=listed(robot, want["input"].get("effort", {}), 7), tolerance=1e-10)
    for k in range(len(times)):
        found, there = sol.q[k].copy(), listed(robot, want["position"][k], 6)
        for row in robot._all["speeds"]:
            if row[5] == 0:  # a quaternion, up to its sign
                found[row[4]:row[4] + 4] *= np.sign(found[row[4]:row[4] + 4] @ there[row[4]:row[4] + 4])
        agreed = 100 * max(want["agreement"].values())
        far = 1e-7 if name in ("bouncing_ball", "quadruped") else 1e-8  # the specification's
        assert worst(found, there) < max(far, agreed)
        assert worst(sol.qd[k], listed(robot, want["velocity"][k], 7)) < 10 * max(far, agreed)


def test_between_samples_quaternions_stay_quaternions_and_loops_nearly_closed():
    robot = mechanism("delta")
    coarse, fine = robot.simulate(0.2, step=0.02), robot.simulate(0.2, step=0.01)
    q, qd = coarse(np.arange(0.01, 0.2, 0.02))
    assert np.allclose(np.linalg.norm(q[:, 3:7], axis=1), 1, atol=1e-15)
    assert np.abs(q - fine.q[1:-1:2]).max() < 1e-8 and np.abs(qd - fine.qd[1:-1:2]).max() < 1e-6  # the sixth power of a step
    start = robot.start
    assert np.allclose(coarse.q[0], start[0], atol=1e-12) and (coarse.qd[0] == start[1]).all()
    assert coarse["mechanism.regularity"].shape == (11,)


def test_a_control_sees_joints_that_loops_determine():
    robot, seen = mechanism("four_bar"), []

    def control(t, q, qd):
        seen.append((q, qd))
        return np.zeros(3)

    robot.simulate(0.05, control=control, period=0.01)
    for q, qd in seen:
        closed = robot.close(q, qd)
        assert worst(closed[0], q) < 1e-11 and worst(closed[1], qd) < 1e-11
    assert len(seen) == 5 and abs(seen[-1][1][1]) > 1e-3


def test_a_linear_system_has_the_derivatives_of_bodies_and_friction():
    robot = mechanism("slider_crank_cut")  # nothing acts at its joints
    point = golden("slider_crank_cut")[0]
    q, qd = listed(robot, point["position"], 6), listed(robot, point["velocity"], 7)
    tau = listed(robot, point["input"]["effort"], 7)
    system, d = robot.linearise(q, qd, control=tau), robot.forward_derivatives(q, qd, tau)
    k = robot.independent[0]
    assert worst(system.A[1], [d.q[k, k], d.qd[k, k]]) < 1e-12
    assert worst(system.select(inputs=robot.inputs).B[1], d.tau[k]) < 1e-12
    free = mechanism("satellite")
    assert [name for name in free.linearise(*free.start).states if "rotation" in name] == [f"joint.body.rotation.{axis}" for axis in "xyz"]


def test_names_and_sizes():
    robot = mechanism("delta")
    assert robot.joints == ("platform", "arm1", "arm2", "arm3") and (robot.n, robot.nq) == (9, 10)
    assert robot.speeds[robot.independent[0]] == "joint.arm1.velocity" and len(robot.independent) == 3
    assert robot.positions[3:7] == tuple(f"joint.platform.quaternion.{axis}" for axis in "wxyz")
    assert "4 joints, 3 freedoms" in repr(robot) and "platform  free" in repr(robot) and "<circle" in robot._repr_html_()
    heavy = robot.with_parameters({"payload.mass": [0, 1, 2]})
    q, qd = robot.start
    assert heavy.forward(q, qd, 0).shape == (3, 9) and heavy.simulate(0.02).q.shape == (3, 3, 10)
    assert (heavy.forward(q, qd, 0)[0] == robot.forward(q, qd, 0)).all()
    assert robot.forward(np.float32(q), np.float32(qd), np.zeros(9, np.float32)).dtype == np.float32
    many = np.tile(q, (5, 1))
    many[2, 0] = np.nan
    assert np.isnan(robot.forward(many, 0, 0)).all(axis=1).tolist() == [False, False, True, False, False]
    assert np.isnan(robot.close(np.where(np.arange(10) == 7, 9, q))[0]).all()  # no branch reaches there
    with pytest.raises(fa.ShapeError, match=r"q: \(…, 10\) wanted"):
        robot.forward(qd, qd, 0)


def test_a_free_base_and_other_states_are_options():
    robot, held = (load(SOURCE / "resources" / "robots" / "puma560.xml", base=base) for base in ("free", None))
    assert robot.joints == ("root_joint", *held.joints) and (robot.nq, robot.n) == (13, 12)
    q, qd = robot.start
    M = robot.mass_matrix(q)  # a push at the base moves the mass of all links
    total = sum(row[7] for row in robot._all["links"])
    assert M[0, 0] == pytest.approx(total, rel=1e-12) and worst(M[6:, 6:], held.mass_matrix(q[7:])) < 1e-12
    one, other = (mechanism("slider_crank", independent=names) for names in (["crank"], "slide"))
    assert one.independent.tolist() == [0] and other.independent.tolist() == [2]
    q, qd = one.close(one.start[0], 1)
    assert worst(other.forward(q, qd, [1, 2, 3]), one.forward(q, qd, [1, 2, 3])) < 1e-10  # the specification's
    with pytest.raises(fa.RobotError, match="a base is 'free' or 'fixed', and not 'loose'"):
        mechanism("four_bar", base="loose")
    with pytest.raises(fa.RobotError, match="there is no joint 'crnk' that moves and could be independent"):
        mechanism("four_bar", independent=["crnk"])


ROD = """<robot name="five"><link name="base"/>
{links}
{joints}
<loop name="tie" type="revolute"><predecessor link="l2"><origin xyz="1 0 0"/></predecessor>
<successor link="r2"><origin xyz="1 0 0"/></successor><axis xyz="0 0 1"/></loop></robot>"""


def test_what_a_robot_has_not_is_told():
    robot = mechanism("four_bar")
    with pytest.raises(fa.RobotError, match="steps of one length have none of these, and neither joints of several freedoms nor loops"):
        robot._fixed_steps(0, 1, 1e-3, None, None, None, np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3)), 1)
    for what in (lambda: robot.order("pinocchio"), lambda: fa.scipy.rhs(robot), lambda: robot.order(robot.joints)):
        with pytest.raises(fa.RobotError, match="for trees of joints with one freedom each"):
            what()
    with pytest.raises(fa.RobotError, match="base parameters are found on random states"):
        robot.base_parameters()
    with pytest.raises(fa.RobotError, match="it is a snake"):
        load(SOURCE / "resources" / "robots" / "serpenoid.xml")
    links = "".join(f'<link name="{name}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
                    for name in ("l1", "l2", "r1", "r2"))
    joints = "".join(f'<joint name="{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/><origin xyz="{x} 0 0"/>'
                     '<axis xyz="0 0 1"/></joint>' for child, parent, x in (("l1", "base", 0), ("l2", "l1", 1), ("r1", "base", 0.5), ("r2", "r1", 1)))
    driven = '<ros2_control name="c" type="system"><joint name="l1"><command_interface name="effort"/></joint></ros2_control>'
    side = fa.loads(ROD.format(links=links, joints=joints).replace("</robot>", driven + "</robot>"), "five.urdf")
    assert np.isfinite(side.forward(*side.start, 0)).all()
    with pytest.raises(fa.RobotError, match="something drives 1 of the joints that loops tie to 'l2', which have 2 freedoms"):
        side.inverse(*side.start, 0)
    # What needs no inverse has a wrench: accelerations grow by those of its work, J w, at the independent joints.
    q, qd = side.start
    wrench, free = np.array([3.0, -2, 1, 0.5, 0.2, -0.3]), side.independent
    tau = np.zeros(side.n)
    tau[free] = (side.jacobian(q).T @ wrench)[free]
    pushed = side.forward(q, qd, 0, wrench=wrench)
    assert worst(pushed, side.forward(q, qd, tau)) < 1e-11 and worst(pushed, side.forward(q, qd, 0)) > 0.1
    d, h = side.forward_derivatives(q, qd, 0, wrench=wrench), 1e-5
    for k in free:
        sides = [side.forward(q, qd + sign * h * np.eye(side.n)[k], 0, wrench=wrench) for sign in (1, -1)]
        assert worst(d.qd[:, k], (sides[0] - sides[1]) / (2 * h)) < 1e-7
    assert np.isfinite(d.parameters("link.l2.mass")).all()
