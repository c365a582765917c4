"""What people do with an FMU: change loads and starts, feed it inputs, record, reset, mistreat it.

EXACT  1e-13 of the quantity: the same few products in another order.
"""

import numpy as np
import fmpy
import fmpy.util
import pytest
from fmpy.fmi1 import FMICallException

from conftest import SOURCE
from figures import close, scale
from robot_fmu import (ENERGIES, TIP_ANGULAR_VELOCITY, TIP_FORCE, TIP_POINT, TIP_TORQUE,
                       TIP_VELOCITY, RobotFmu)

EXACT = 1e-13
ROBOTS = SOURCE / "resources" / "robots"
DISCARD = 2  # fmi2Discard and fmi3Discard

POSE = [0.3, -0.8, 0.9, 0.4, -0.6, 0.2]
RATE = [0.5, 0.3, -0.7, 0.8, 0.4, -0.9]


@pytest.fixture(scope="module", params=[2, 3], ids=["fmi2", "fmi3"])
def puma(request, export):
    return RobotFmu(export(ROBOTS / "puma560.xml", "--fmi", request.param))


def simulate(fmu, kind="CoSimulation", **options):
    options = {"stop_time": 0.5, "output_interval": 0.05, **options}
    return fmpy.simulate_fmu(str(fmu.path), fmi_type=kind, **options)


# --------------------------------------------------------------------------------------- parameters

PAYLOAD = {"payload.mass": 2.5, "payload.com.x": 0.05, "payload.com.y": -0.02,
           "payload.com.z": 0.1, "payload.inertia.xx": 0.03, "payload.inertia.yy": 0.02,
           "payload.inertia.zz": 0.025, "payload.inertia.xy": 0.001, "payload.inertia.xz": -0.002,
           "payload.inertia.yz": 0.003}


def test_a_payload_adds_its_own_energy_to_what_is_there(puma):
    with puma.model() as bare, puma.model(PAYLOAD) as loaded:
        for model in (bare, loaded):
            model.set_state(POSE, RATE)
        m, com = 2.5, np.array([0.05, -0.02, 0.1])
        inertia = np.array([[0.03, 0.001, -0.002], [0.001, 0.02, 0.003], [-0.002, 0.003, 0.025]])
        R = bare.tip_rotation()
        w = bare.get(TIP_ANGULAR_VELOCITY)
        v = bare.get(TIP_VELOCITY) + np.cross(w, R @ com)
        kinetic = m * v @ v / 2 + w @ R @ inertia @ R.T @ w / 2
        potential = m * 9.81 * (bare.get(TIP_POINT) + R @ com)[2]
        energies = bare.get(ENERGIES)
        close("energy of a payload", loaded.get(ENERGIES) - energies, [kinetic, potential], EXACT,
              size=scale(loaded.get(ENERGIES)))


def test_a_payload_may_be_picked_up_during_the_run(puma):
    """It is tunable: between steps a load appears, and the rest of the motion is a loaded one's."""
    with puma.slave() as slave:
        slave.step_to(0.2)
        state = slave.state()
    names = [f"joint.{joint}.initial_{what}" for what in ("position", "velocity")
             for joint in puma.joints]
    with puma.slave() as slave, puma.slave({**dict(zip(names, state)), **PAYLOAD}) as loaded:
        slave.step_to(0.2)
        slave.set(list(PAYLOAD), PAYLOAD.values())
        slave.step_to(0.3)
        loaded.step_to(0.1)
        close("motion after picking up a load", slave.state(), loaded.state(), 1e-8)


def test_the_weight_of_a_payload_is_a_force_on_the_tip(puma):
    """A point mass at the tip, at rest, against the same weight as an input."""
    with puma.model({"payload.mass": 3.0}) as loaded, puma.model() as pushed:
        M = {}
        for model in (loaded, pushed):
            model.set_state(POSE, np.zeros(6))
            M[model] = np.linalg.inv(model.jacobian(puma.accelerations, puma.efforts))
        pushed.set(TIP_FORCE, [0, 0, -3.0 * 9.81])
        efforts = [M[model] @ model.accelerations() for model in (loaded, pushed)]
        close("weight of a payload", efforts[0], efforts[1], 1e-12)  # through an inverse matrix


def test_gravity_may_be_switched_off_or_turned(puma):
    off = {"gravity.z": 0.0}
    turned = {"gravity.x": 9.81, "gravity.z": 0.0}
    with puma.model(off) as weightless, puma.model(turned) as hung, puma.model() as upright:
        for model in (weightless, hung, upright):
            model.set_state(POSE, np.zeros(6))
        assert (weightless.accelerations() == 0).all()
        assert weightless.get(ENERGIES).tolist() == [0, 0]
        # The first joint turns about the vertical: only gravity from the side moves it at rest.
        assert hung.get(["energy.potential"]) != upright.get(["energy.potential"])
        assert abs(hung.accelerations()[0]) > 1


def test_a_link_made_heavier_weighs_more_by_that(puma):
    link = next(name[len("link."):-len(".mass")] for name in reversed(puma.variable)
                if name.startswith("link.") and name.endswith(".mass"))
    mass = puma.start(f"link.{link}.mass")
    com = np.array([puma.start(f"link.{link}.com.{axis}") for axis in "xyz"])
    with puma.model({f"link.{link}.mass": mass + 1.5}) as heavy, puma.model() as usual:
        for model in (heavy, usual):
            model.set_state(POSE, RATE)
        R, tip = usual.tip_rotation(), usual.get(TIP_POINT)  # puma560's tip is its last frame
        w = usual.get(TIP_ANGULAR_VELOCITY)
        v = usual.get(TIP_VELOCITY) + np.cross(w, R @ com)
        gain = [1.5 * v @ v / 2, 1.5 * 9.81 * (tip + R @ com)[2]]
        close("energy of a heavier link", heavy.get(ENERGIES) - usual.get(ENERGIES), gain, EXACT,
              size=scale(heavy.get(ENERGIES)))


# ---------------------------------------------------------------------------------- starting values

@pytest.mark.parametrize("kind", ["ModelExchange", "CoSimulation"])
def test_a_simulation_starts_where_it_is_told(puma, kind):
    start = {f"joint.{joint}.initial_position": q for joint, q in zip(puma.joints, POSE)}
    start |= {f"joint.{joint}.initial_velocity": v for joint, v in zip(puma.joints, RATE)}
    result = simulate(puma, kind, start_values=start, output=puma.states)
    assert [result[name][0] for name in puma.states] == [*POSE, *RATE]
    assert all(result[name][-1] != result[name][0] for name in puma.states)


def test_every_output_is_recorded_when_none_is_named(puma):
    result = simulate(puma)
    outputs = {name for name, v in puma.variable.items() if v.causality == "output"}
    assert set(result.dtype.names) == outputs | {"time"}
    assert {*puma.states, *puma.accelerations, *TIP_POINT, *ENERGIES} <= outputs
    assert len(result) == 11
    assert all(np.isfinite(result[name]).all() for name in result.dtype.names)


# ------------------------------------------------------------------------------------------- inputs

LEVELS = [(0.0, [20, -30, 10, 1, 2, 0.1]), (0.1, [-40, 15, 3, 1, -2, 0.2]),
          (0.3, [25, 5, -8, 0, 1, 0])]


def write_table(path, names, rows):
    path.write_text("\n".join([",".join(["time", *names]),
                               *(",".join(repr(float(x)) for x in row) for row in rows)]))
    return path


def program(forearm, puma, *options):
    text = forearm("simulate", ROBOTS / "puma560.xml", "--stop", 0.5, "--step", 0.01, *options)
    head, *rows = [line.split(",") for line in text.splitlines()]
    return np.array([[float(row[head.index(name)]) for name in puma.states] for row in rows])


def test_model_exchange_with_a_table_moves_as_the_program_does(puma, forearm, tmp_path):
    """FMPy's CVode and our integrator, with torques that jump.

    FMPy runs straight between the rows of a table, so each level is given at its begin and its end.
    (It sets inputs between the steps of CVode only, never within them: with inputs that change all
    the time its results depend on the steps that CVode takes, by 1e-4 rad here.)
    """
    ends = [time for time, _ in LEVELS[1:]] + [0.5]
    jumps = write_table(tmp_path / "jumps.csv", puma.efforts,
                        [[time, *level] for (begin, level), end in zip(LEVELS, ends)
                         for time in (begin, end)])
    levels = write_table(tmp_path / "levels.csv", puma.efforts,
                         [[time, *level] for time, level in LEVELS])
    result = simulate(puma, "ModelExchange", input=fmpy.util.read_csv(str(jumps)),
                      output=puma.states, output_interval=0.01, relative_tolerance=1e-9,
                      record_events=False)
    got = np.array([result[name] for name in puma.states]).T
    mine = program(forearm, puma, "--input", levels, "--tolerance", 1e-10)
    # Steep friction, over 0.01 rad/s, makes the motion change its character at each turn of a
    # joint; CVode's errors of 1e-9 in a step leave this much at the end.
    close("torques that jump, by CVode and by us", got, mine, 1e-6)


def test_co_simulation_holds_what_it_was_given(puma, forearm, tmp_path):
    """FMPy sets the inputs at each communication point, from straight lines between its rows."""
    table = write_table(tmp_path / "lines.csv", puma.efforts,
                        [[t, *level] for t, level in LEVELS] + [[0.5, *[0.0] * 6]])
    table = fmpy.util.read_csv(str(table))
    result = simulate(puma, input=table, output=puma.states, output_interval=0.01)
    rows = [[time, *(np.interp(time, table["time"], table[name]) for name in puma.efforts)]
            for time in (i / 100 for i in range(51))]
    held = write_table(tmp_path / "held.csv", puma.efforts, rows)
    got = np.array([result[name] for name in puma.states]).T
    # FMPy's time is a sum of steps, ours a product: their last digits differ.
    close("torques held from step to step, by FMPy and by us", got,
          program(forearm, puma, "--input", held), EXACT)


# -------------------------------------------------------------------------------- reset, mistreated

def test_reset_leads_back_to_the_very_first_bits(puma):
    with puma.slave({"gravity.z": -3.0}) as slave:
        slave.set(puma.efforts, [5.0] * 6)
        slave.step_to(0.3)
        slave.fmi.reset()
        slave.initialize()
        slave.step_to(0.3)
        again = slave.state()
    with puma.slave() as fresh:
        fresh.step_to(0.3)
        assert (again == fresh.state()).all()


@pytest.mark.parametrize("nonsense", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_discarded_and_changes_nothing(puma, nonsense):
    with puma.slave() as slave, puma.slave() as spared:
        for name in (puma.efforts[0], TIP_TORQUE[1]):
            with pytest.raises(FMICallException) as refusal:
                slave.set([name], [nonsense])
            assert refusal.value.status == DISCARD
        slave.step_to(0.1)
        spared.step_to(0.1)
        assert (slave.state() == spared.state()).all()
    with puma.model() as model:
        rates = model.rates()
        with pytest.raises(FMICallException) as refusal:
            model.set_state(np.full(12, nonsense))
        assert refusal.value.status == DISCARD
        assert (model.rates() == rates).all()


def test_torques_beyond_all_reason_end_in_an_error_not_in_a_crash(puma):
    with puma.slave() as slave:
        slave.set(puma.efforts, [1e300] * 6)
        with pytest.raises(FMICallException) as refusal:
            slave.step_to(1.0)
        assert refusal.value.status >= DISCARD
        slave.fmi.reset()
        slave.initialize()
        slave.step_to(0.1)
        assert np.isfinite(slave.state()).all()


def test_a_mass_below_zero_is_refused(puma):
    with pytest.raises(FMICallException):
        with puma.slave({"payload.mass": -1.0}):
            pass
