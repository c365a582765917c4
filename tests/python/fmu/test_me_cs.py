"""One motion, however it is run: Model Exchange or Co-Simulation, FMI 2.0 or 3.0, any solver, any
steps, interrupted, restored, in parallel. Every arm and snake of resources/robots; test_snake.py has more of snakes.

Tolerances, relative to the largest entry of the states:
  FAR       1e-6   FMPy's CVode (variable-order multistep, 1e-10 in a step) against our
                   Dormand-Prince (1e-10 in a step), after half a second of motion with torques:
                   errors of some thousand steps, grown by the motion itself
  RELATED   1e-8   our Dormand-Prince at 1e-10 against itself at 1e-12 or in other steps
"""

import concurrent.futures

import fmpy
import numpy as np
import pytest

from conftest import ARMS, ROBOTS
from figures import close, note, scale
from robot_fmu import ENERGIES, TIP_FORCE, RobotFmu

FAR = 1e-6
RELATED = 1e-8
AUTOMATIC, DORMAND_PRINCE, KUTTA, RUNGE_KUTTA, ROSENBROCK = range(5)
STIFF = ["scara", "stanford"]  # their friction turns around in a thousandth of their speed
STOP = 0.5  # [s]

SNAKES = [path for path in ROBOTS if "<snake" in path.read_text(encoding="utf-8")]
every_snake = pytest.mark.parametrize("robot", SNAKES, ids=lambda path: path.stem)
every_arm = pytest.mark.parametrize("robot", ARMS, ids=lambda path: path.stem)
both_versions = pytest.mark.parametrize("fmi", [2, 3])


@pytest.fixture(scope="module")
def fmu(export):
    made = {}

    def get(robot, fmi, *options):
        key = robot, fmi, *options
        if key not in made:
            made[key] = RobotFmu(export(robot, "--fmi", fmi, *options, "--bare"))
        return made[key]

    return get


def moving(fmu, **solver):
    """Start values for a motion in which every joint takes part."""
    start = {"solver_tolerance": 1e-10, **solver}
    for index, joint in enumerate(fmu.joints):
        low, high = (fmu.variable[f"joint.{joint}.initial_position"].min,
                     fmu.variable[f"joint.{joint}.initial_position"].max)
        middle = (float(low) + float(high)) / 2 if low and high else 0.0
        sliding = fmu.efforts[index].endswith(".force")
        start[f"joint.{joint}.initial_position"] = middle + (0.0 if sliding else 0.1)
        start[f"joint.{joint}.initial_velocity"] = (0.1 if sliding else 0.4) * (-1) ** index
    return start


def frictionless(fmu):
    return {name: 0.0 for name in fmu.variable
            if name.endswith(("_friction", "_friction_negative", ".damping"))}


def torques(fmu):
    return {fmu.efforts[0]: 0.5, TIP_FORCE[2]: -0.3}


def run(fmu, start, times):
    """States at the times, of a Co-Simulation that steps from one to the next."""
    inputs = {name: value for name, value in start.items()
              if fmu.variable[name].causality == "input"}
    parameters = {name: value for name, value in start.items() if name not in inputs}
    with fmu.slave(parameters) as slave:
        slave.set(list(inputs), inputs.values())
        states = [slave.state()]
        for time in times[1:]:
            slave.step_to(time)
            states.append(slave.state())
    return np.array(states)


def grid(n, stop=STOP):
    return [stop * i / n for i in range(n + 1)]


def columns(result, names):
    return np.array([result[name] for name in names]).T


# ------------------------------------------------------------------- Model Exchange by FMPy's CVode

@pytest.mark.sampled
@both_versions
@every_arm
def test_cvode_and_our_integrator_find_the_same_motion(robot, fmi, fmu):
    fmu = fmu(robot, fmi)
    start = {**moving(fmu), **torques(fmu)}
    results = [fmpy.simulate_fmu(str(fmu.path), fmi_type=kind, solver="CVode", stop_time=STOP,
                                 output_interval=0.02, relative_tolerance=1e-10,
                                 start_values=start, output=fmu.states, record_events=False)
               for kind in ("ModelExchange", "CoSimulation")]
    exchange, simulation = (columns(result, fmu.states) for result in results)
    assert len(exchange) == len(simulation) == 26
    assert scale(exchange[-1] - exchange[0]) > 0.1  # something happens
    close("CVode by Model Exchange against our integrator", exchange, simulation, FAR,
          f"{robot.stem} FMI {fmi}")


# ------------------------------------------------------------------------------------ Co-Simulation

@every_arm
def test_both_standards_give_the_same_bits(robot, fmu):
    two, three = (run(fmu(robot, fmi), moving(fmu(robot, fmi)), grid(20)) for fmi in (2, 3))
    assert (two == three).all()


@every_arm
def test_the_program_takes_the_same_steps(robot, fmu, forearm):
    fmu = fmu(robot, 3)
    start = {**moving(fmu), **torques(fmu)}
    options = [word for name, value in start.items() for word in ("--set", f"{name}={value!r}")]
    text = forearm("simulate", robot, "--stop", STOP, "--step", STOP / 16, *options)
    head, *rows = [line.split(",") for line in text.splitlines()]
    mine = np.array([[float(row[head.index(name)]) for name in fmu.states] for row in rows])
    assert (mine == run(fmu, start, grid(16))).all()


@every_arm
def test_any_solver_finds_the_motion(robot, fmu):
    fmu = fmu(robot, 3)
    times = grid(20)
    best = run(fmu, moving(fmu, solver_tolerance=1e-12), times)
    usual = run(fmu, moving(fmu, solver=DORMAND_PRINCE), times)
    close("Dormand-Prince 1e-10 against 1e-12", usual, best, RELATED, robot.stem)
    # Where friction is steep the automatic choice goes over to the implicit one.
    automatic = run(fmu, moving(fmu, solver=AUTOMATIC), times)
    close("automatic against Dormand-Prince", automatic, usual, RELATED, robot.stem)
    implicit = run(fmu, moving(fmu, solver=ROSENBROCK), times)
    close("Rosenbrock 1e-10 against Dormand-Prince 1e-12", implicit, best, RELATED, robot.stem)
    assert robot.stem in STIFF or (automatic == usual).all()


# Robots without steep friction alone: the order shows only with steps that resolve the friction's width.
@pytest.mark.sampled
@pytest.mark.parametrize("solver, name, order", [(KUTTA, "Kutta", 3),
                                                 (RUNGE_KUTTA, "Runge-Kutta", 4)])
@pytest.mark.parametrize("robot", ["double_pendulum", "scara", "cmu_dd_arm", "grigorov5"])
def test_fixed_steps_converge_with_their_order(robot, solver, name, order, fmu, source):
    fmu = fmu(source / "resources" / "robots" / f"{robot}.xml", 3)
    best = run(fmu, {**moving(fmu, solver_tolerance=1e-13), **frictionless(fmu)}, grid(2))
    errors = [scale(run(fmu, {**moving(fmu, solver=solver, solver_step=step), **frictionless(fmu)},
                        grid(2)) - best) for step in (1 / 200, 1 / 400)]
    seen = np.log2(errors[0] / errors[1])
    assert abs(seen - order) < 0.35, (errors, seen)
    note(f"order of {name}", abs(seen - order), 0.35, robot)


@every_arm
def test_without_friction_energy_is_what_the_motors_do(robot, fmu):
    """Motors without a voltage brake; without motors the energy stays."""
    fmu = fmu(robot, 3, "--outputs", "energy")
    names = [*ENERGIES, "energy.actuator_work"]
    with fmu.slave({**moving(fmu, solver_tolerance=1e-12), **frictionless(fmu)}) as slave:
        energies = [slave.get(names)]
        for time in grid(40, 2.0)[1:]:
            slave.step_to(time)
            energies.append(slave.get(names))
    energies = np.array(energies)
    total = energies[:, 0] + energies[:, 1] - energies[:, 2]
    if robot.stem != "cmu_dd_arm":  # the only one with motors
        assert not energies[:, 2].any()
    # Relative to the energy that changes hands, not to where potential energy is called zero.
    exchanged = max(np.ptp(energies[:, 0]), energies[:, 0].max())
    close("energy over 2 s", total, np.full(len(total), total[0]), 1e-10, robot.stem, exchanged)


@every_arm
def test_steps_of_the_host_do_not_matter(robot, fmu):
    fmu = fmu(robot, 3)
    chance = np.random.default_rng(2)
    uneven = [0.0, *np.sort(chance.uniform(0, STOP, 60)), STOP]
    evenly, once = run(fmu, moving(fmu), grid(7))[-1], run(fmu, moving(fmu), [0.0, STOP])[-1]
    close("60 uneven communication steps against one", run(fmu, moving(fmu), uneven)[-1], once,
          RELATED, robot.stem)
    close("7 communication steps against one", evenly, once, RELATED, robot.stem)


# ------------------------------------------------------------------------ saved, restored, parallel

@pytest.mark.sampled
@both_versions
@every_arm
def test_a_restored_state_goes_on_with_the_same_bits(robot, fmi, fmu):
    fmu = fmu(robot, fmi)
    start = moving(fmu)
    with fmu.slave(start) as slave, fmu.slave() as other:
        slave.set(list(torques(fmu)), torques(fmu).values())
        slave.step_to(0.17)
        saved, states = slave.saved(), []
        for instance in (slave, slave, other):
            instance.restore(saved)
            instance.time = 0.17
            instance.step_to(0.31)
            instance.step_to(STOP)
            states.append(instance.get([*fmu.states, *fmu.accelerations, *ENERGIES]))
    assert (states[0] == states[1]).all() and (states[0] == states[2]).all()


@both_versions
def test_a_restored_model_has_the_same_rates(fmi, fmu, source):
    fmu = fmu(source / "resources" / "robots" / "puma560.xml", fmi)
    with fmu.model(moving(fmu)) as model, fmu.model() as other:
        model.set(list(torques(fmu)), torques(fmu).values())
        model.fmi.setTime(0.5)
        rates, saved = model.rates(), model.saved()
        model.set_state(np.zeros(6), np.ones(6))
        assert not (model.rates() == rates).all()
        for instance in (model, other):
            instance.restore(saved)
            assert (instance.rates() == rates).all()


@both_versions
def test_instances_in_parallel_do_not_disturb_each_other(fmi, fmu, source):
    fmus = [fmu(source / "resources" / "robots" / f"{name}.xml", fmi)
            for name in ("puma560akb", "scara", "ascher2")]
    work = [(fmus[i % 3], {**moving(fmus[i % 3]), "gravity.z": -1.0 - i}) for i in range(12)]
    alone = [run(fmu, start, grid(10)) for fmu, start in work]
    # ctypes lets go of Python's lock during each call, so these do run at once.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda job: run(*job, grid(10)), work))
    assert all((a == b).all() for a, b in zip(alone, together))


# ------------------------------------------------------------------------------------------- snakes


def wriggling(fmu):
    torques = {f"joint{i}.torque": 0.05 * (-1) ** i for i in range(1, 10)}
    return {"solver_tolerance": 1e-10, "initial_speed": 0.3, **torques}


@every_snake
def test_snakes_move_alike_in_both_standards_and_the_program(robot, fmu, forearm):
    one = fmu(robot, 3)
    start = wriggling(one)
    options = [word for name, value in start.items() for word in ("--set", f"{name}={value!r}")]
    text = forearm("simulate", robot, "--stop", STOP, "--step", STOP / 16, *options)
    head, *rows = [line.split(",") for line in text.splitlines()]
    mine = np.array([[float(row[head.index(name)]) for name in one.states] for row in rows])
    three = run(one, start, grid(16))
    assert scale(three[-1] - three[0]) > 0.1
    assert (mine == three).all()
    assert (three == run(fmu(robot, 2), start, grid(16))).all()


@pytest.mark.sampled
@both_versions
@every_snake
def test_cvode_finds_a_snake_s_motion_too(robot, fmi, fmu):
    fmu = fmu(robot, fmi)
    exchange, simulation = (
        columns(fmpy.simulate_fmu(str(fmu.path), fmi_type=kind, solver="CVode", stop_time=STOP,
                                  output_interval=0.02, relative_tolerance=1e-10,
                                  start_values=wriggling(fmu), output=fmu.states,
                                  record_events=False), fmu.states)
        for kind in ("ModelExchange", "CoSimulation"))
    close("CVode by Model Exchange against our integrator", exchange, simulation, FAR,
          f"{robot.stem} FMI {fmi}")


@pytest.mark.sampled
@both_versions
@every_snake
def test_a_restored_snake_goes_on_with_the_same_bits(robot, fmi, fmu):
    fmu = fmu(robot, fmi)
    with fmu.slave({"initial_speed": 0.3}) as slave, fmu.slave() as other:
        slave.step_to(0.17)
        saved, states = slave.saved(), []
        for instance in (slave, slave, other):
            instance.restore(saved)
            instance.time = 0.17
            instance.step_to(0.31)
            instance.step_to(STOP)
            states.append(instance.get([*fmu.states, "speed_derivative", "energy.kinetic"]))
    assert (states[0] == states[1]).all() and (states[0] == states[2]).all()
