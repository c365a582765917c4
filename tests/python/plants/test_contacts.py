"""Contacts, line springs and servos against tests/mechanisms, closed forms, the balance of energy, and each other."""

import math
import time

import fmpy
import numpy as np
import pytest

from cli import fails, ok, table
from mechanism import adjoint, derivatives_agree, fmu_of
from mechanism_points import Points
from robot_fmu import RobotFmu

POINTS = ["ball_on_box", "bouncing_ball", "bristle_ball", "rolling_ball", "quadruped", "servo_planar_cart", "stop_slider_crank", "andrews",
          "servo_four_bar", "servo_palletiser"]


@pytest.mark.parametrize("fmi", [2, 3])
@pytest.mark.parametrize("name", POINTS)
def test_states_of_mechanisms_are_as_expected(name, fmi, source, export):
    mechanism = Points(source, name)
    fmu = fmu_of(export, mechanism, "--fmi", fmi, "--bare", independent=False)
    for point in mechanism.points:
        with fmu.model(mechanism.start(point)) as model:
            given, expected = mechanism.inputs(point), mechanism.expected(point)
            if given:
                model.set(list(given), given.values())
            names = list(expected)
            np.random.default_rng(3).shuffle(names)  # no get hangs on those before it
            for name, got in zip(names, model.get(names)):
                want, size = expected[name]
                assert abs(got - want) < 1e-10 * size, (name, got, want)


@pytest.mark.parametrize("name", POINTS)
def test_directional_derivatives_are_as_expected_and_their_transposes(name, source, export):
    mechanism = Points(source, name)
    fmu = fmu_of(export, mechanism, "--bare", independent="<loop" in mechanism.urdf.read_text())
    for point in mechanism.points:
        if "derivative" not in point:
            continue
        with fmu.model(mechanism.start(point) | mechanism.inputs(point)) as model:
            unknowns, knowns, seed, got = derivatives_agree(mechanism, point, model)
            weights, largest = np.linspace(-1, 1, len(unknowns)), max(1, *map(abs, got))
            assert adjoint(model, unknowns, knowns, weights) @ seed == pytest.approx(weights @ got, rel=1e-9, abs=1e-9 * largest)


# ------------------------------------------------------------------------------------- trajectories

# FMPy's solver takes at most 500 steps between two outputs, too few for a tolerance of 1e-10 and friction.
@pytest.mark.parametrize("fmi, kind, tolerance, within",
                         [(2, "CoSimulation", 1e-10, 1), (3, "CoSimulation", 1e-10, 1), (3, "ModelExchange", 1e-6, 1e4)])
@pytest.mark.parametrize("name", ["bouncing_ball", "rolling_ball", "quadruped"])
def test_motions_are_as_two_formulations_integrated_them(name, fmi, kind, tolerance, within, source, export):
    mechanism = Points(source, name)
    data = mechanism.trajectory
    fmu = export(mechanism.urdf, "--fmi", fmi, "--bare", "--outputs", "energy", *mechanism.options)
    first = {"position": data["position"][0], "velocity": data["velocity"][0], "input": data["input"]}
    states = [list(mechanism.named(which, data[what][0])) for which, what in enumerate(("position", "velocity"))]
    rows = fmpy.simulate_fmu(str(fmu), fmi_type=kind, stop_time=data["times"][-1], output_interval=data["times"][1],
                             start_values=mechanism.start(first) | mechanism.inputs(first) | {"solver_tolerance": tolerance},
                             relative_tolerance=tolerance, record_events=False,
                             output=[*sum(states, []), "energy.residual", "energy.kinetic", "energy.potential"])
    most = max(1e-7, 100 * data["agreement"]["position"]) * within
    for k, at in enumerate(data["times"]):
        row = rows[np.argmin(np.abs(rows["time"] - at))]
        assert abs(row["time"] - at) < 1e-9
        for names, what, which in zip(states, ("position", "velocity"), (0, 1)):
            expected = mechanism.named(which, data[what][k])
            size = 1 + (max(abs(x) for x in expected.values()) if which else 0)
            for name in names:
                off = abs(row[name] - expected[name])
                if "quaternion" in name:
                    off = min(off, abs(row[name] + expected[name]))
                assert off < most * size, (at, name, row[name], expected[name])
    scale = max(rows["energy.kinetic"]) + max(abs(rows["energy.potential"]))
    assert np.abs(rows["energy.residual"]).max() < 1e-8 * scale * within


# ----------------------------------------------------------------------------------- closed forms

RAIL = """<robot name="rail"><link name="base"/>
<link name="cart"><inertial><mass value="0.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="ball"><inertial><mass value="1.5"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="x" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/>
<limit lower="-50" upper="50" effort="1" velocity="1"/></joint>
<joint name="z" type="prismatic"><parent link="cart"/><child link="ball"/><axis xyz="0 0 1"/>
<limit lower="-50" upper="50" effort="1" velocity="1"/></joint></robot>"""
MASS, CART = 1.5, 0.5


@pytest.fixture
def rail(tmp_path):
    """A ball that slides in a plane, with what its side file has: options of a command."""
    (tmp_path / "rail.urdf").write_text(RAIL)

    def with_side(inside, gravity="0 0 -9.81"):
        path = tmp_path / "side.xml"
        path.write_text(f'<mechanism for="rail" gravity="{gravity}">{inside}</mechanism>')
        return [tmp_path / "rail.urdf", "--actuators", path]

    return with_side


def simulate(robot, *options):
    return table(ok("simulate", *robot, "--outputs", "energy", "--tolerance", "1e-11", "--out", "-", *options))


@pytest.mark.parametrize("exponent", [1, 1.5])
def test_an_elastic_impact_is_as_deep_and_long_as_the_closed_form(rail, exponent):
    k, v = 5e4, 2.0
    robot = rail(f'<contact name="c" link="ball" radius="0.1" stiffness="{k}" exponent="{exponent}"/>', gravity="0 0 0")
    depth = ((exponent + 1) * MASS * v**2 / (2 * k)) ** (1 / (exponent + 1))
    duration = {1: math.pi / math.sqrt(k / MASS), 1.5: 2.943275 * depth / v}[exponent]  # 2.9433 in print
    at = ["--set", "joint.z.initial_position=0.1", "--set", f"joint.z.initial_velocity={-v}"]
    half = simulate(robot, *at, "--stop", duration / 2, "--step", duration / 2)[-1]
    assert half["contact.c.depth"] == pytest.approx(depth, rel=1e-8)
    after = simulate(robot, *at, "--stop", 1.5 * duration, "--step", duration / 100)
    assert after[-1]["joint.z.velocity"] == pytest.approx(v, rel=1e-9)
    touching = [row["time"] for row in after if row["contact.c.touching"]]
    assert touching[-1] == pytest.approx(duration, abs=duration / 50)
    assert max(abs(row["energy.residual"]) for row in after) < 1e-9 * MASS * v**2


@pytest.mark.parametrize("share", [0.98, 0.9, 0.7, 0.4, 0.1])
def test_an_impact_leaves_the_share_of_speed_that_was_asked_for(rail, share):
    robot = rail(f'<contact name="c" link="ball" radius="0.1" stiffness="5e4" restitution="{share}" speed="2"/>',
                 gravity="0 0 0")
    rows = simulate(robot, "--set", "joint.z.initial_position=0.1", "--set", "joint.z.initial_velocity=-2", "--stop", 0.2)
    assert rows[-1]["joint.z.velocity"] == pytest.approx(2 * share, rel=1e-7)
    assert rows[-1]["energy.contact_loss"] == pytest.approx(MASS * 2 * (1 - share**2), rel=1e-7)
    # Near 1 it is what Hunt and Crossley found.
    found = next(float(line.split()[4]) for line in ok("inspect", *robot).splitlines()
                 if line.startswith("contact.c.dissipation"))
    if share > 0.95:
        assert found == pytest.approx(1.5 * (1 - share) / 2, rel=2 * (1 - share))


SLOPE = math.radians(20)


def slope(law):
    """The ground, tilted, below the point; it stands on it where z = x tan(slope)."""
    return (f'<ground normal="{-math.sin(SLOPE)} 0 {math.cos(SLOPE)}"/>'
            f'<contact name="c" link="ball" shape="point" stiffness="1e6" exponent="1" dissipation="20" friction="0.5" {law}/>')


def test_a_load_on_a_slope_creeps_with_the_speed_of_the_closed_form(rail):
    # Cart and ball weigh different things along the slope: here both are one body that slides, so the cart has no mass.
    robot = rail(slope('slip-speed="0.01"'))
    rows = simulate(robot, "--set", "link.cart.mass=1e-9", "--stop", 1, "--step", 0.01)
    creep = 0.01 * math.tan(SLOPE) / math.sqrt(0.25 - math.tan(SLOPE) ** 2)
    last = rows[-1]
    assert math.hypot(last["joint.x.velocity"], last["joint.z.velocity"]) == pytest.approx(creep, rel=1e-6)
    assert last["contact.c.slip.x"] == pytest.approx(-creep * math.cos(SLOPE), rel=1e-6)
    assert max(abs(row["energy.residual"]) for row in rows) < 1e-8


def test_bristles_hold_a_load_on_a_slope_without_creep(rail):
    robot = rail(slope('law="bristle" bristle-stiffness="2000" bristle-damping="20"'))
    rows = simulate(robot, "--set", "link.cart.mass=1e-9", "--stop", 5, "--step", 0.1)
    last = rows[-1]
    assert abs(last["joint.x.velocity"]) < 1e-9 and abs(last["joint.z.velocity"]) < 1e-9
    # The part of the weight along the slope, over the normal force, bends them so far.
    assert math.hypot(last["contact.c.bristle.x"], last["contact.c.bristle.y"]) == pytest.approx(
        math.tan(SLOPE) / 2000, rel=1e-6)
    assert max(abs(row["energy.residual"]) for row in rows) < 1e-8


def test_a_robot_stands_as_deep_as_its_weight_depth_says(rail):
    robot = rail('<contact name="a" link="ball" xyz="0.2 0 0" radius="0.1" weight-depth="0.002" dissipation="5"/>'
                 '<contact name="b" link="ball" xyz="-0.2 0 0" radius="0.1" weight-depth="0.002" dissipation="5"/>')
    rows = simulate(robot, "--set", "link.cart.mass=0.5", "--set", "joint.z.initial_position=0.1", "--stop", 5)
    # The rail carries the cart.
    assert rows[-1]["contact.a.depth"] == pytest.approx(0.002 * (MASS / (MASS + CART)) ** (2 / 3), rel=1e-4)


def test_stiff_friction_is_solved_by_the_automatic_solver(rail):
    # Friction has the eigenvalue -0.8 g / 1e-5 m/s = -8e5/s: explicit steps would be 4 microseconds long, 750,000 of them.
    robot = rail('<contact name="c" link="ball" radius="0.1" weight-depth="0.001" friction="0.8" slip-speed="1e-5"'
                 ' dissipation="2"/>')
    at = ["--set", "joint.z.initial_position=0.099", "--set", "joint.x.initial_velocity=1", "--stop", 3]
    begin = time.process_time()
    last = {solver: table(ok("simulate", *robot, "--outputs", "energy", "--out", "-", "--solver", solver, *at))[-1]
            for solver in ("automatic", "rosenbrock")}
    assert time.process_time() - begin < 20
    slid = 1 / (2 * 0.8 * 9.81) * (MASS + CART) / MASS  # the rail carries the cart
    for row in last.values():
        assert row["joint.x.position"] == pytest.approx(slid, rel=1e-2)
        assert row["energy.contact_loss"] == pytest.approx((MASS + CART) / 2, rel=1e-2)
    assert last["automatic"]["joint.x.position"] == pytest.approx(last["rosenbrock"]["joint.x.position"], abs=1e-6)


@pytest.mark.parametrize("name, surface, start", [
    ("sphere", '<obstacle name="o" shape="sphere" xyz="0.3 0 0" radius="0.5"/>', 0.7),
    ("box", '<obstacle name="o" shape="box" xyz="0.3 0 0" rpy="0 0.2 0" size="1 2 0.6"/>', 0.6)])
@pytest.mark.parametrize("shape", ['shape="sphere" radius="0.1"', 'shape="wheel" axis="0 1 0" radius="0.1"', 'shape="point"'])
def test_energy_is_accounted_for_on_every_surface(rail, name, surface, start, shape):
    robot = rail(surface + f'<contact name="c" link="ball" on="o" {shape} stiffness="2e4" dissipation="0.3" friction="0.4"'
                 ' slip-speed="0.05"/><line-spring name="s" from="base" from-xyz="0 0 1.5" to="ball" to-xyz="0 0 0"'
                 ' stiffness="5" damping="2" rest="0.5"/>')
    rows = simulate(robot, "--set", f"joint.z.initial_position={start}", "--set", "joint.x.initial_velocity=0.4", "--stop", 1.5)
    assert max(row["contact.c.depth"] for row in rows) > 1e-3
    assert rows[-1]["energy.contact_loss"] > 0.01 and rows[-1]["energy.friction_loss"] > 0.01
    assert max(abs(row["energy.residual"]) for row in rows) < 1e-8 * 30
