"""The dependencies that an FMU lists against what it does.

Every known variable in turn gets another value, all else stays, and every calculated one is read:
what is not listed must have no effect at any of the random points, what is listed must have one at
some. Random are the parameters too, since a list is about every value that they may take.
"""

import ctypes
import random

import fmpy
import pytest

import check_description as rules
from conftest import ARMS

every_arm = pytest.mark.parametrize("robot", ARMS, ids=lambda path: path.stem)

POINTS = 3
# Relative to the largest value of the unknown. Rounding: a shift along a first, sliding axis moved
# accelerations by up to 1e-13. True effects of steps of order one were all above 1e-6.
EFFECT = 1e-10


# What snakes have and arms have not: proportions of a snake, and stops that most joints touch.
SNAKES = {"length": (0.8, 1.2), "wheel": (0.4, 0.6), "along": (-0.2, 0.2), "across": (-0.2, 0.2),
          "inertia": (0.5, 1), "limit": (0.1, 0.4), "stop_stiffness": (5, 9),
          "stop_damping": (0.1, 0.3), "friction_coefficient": (0.5, 1.5), "gravity": (0.5, 1.5),
          "resistance": (0.5, 1.5), "bandwidth": (0.5, 1.5), "controllability_limit": (0.01, 0.1)}
# What the rules set in order: one may not exceed the other, or be outside of what it is a share of.
ORDERED = {"lower_limit": (-1, -0.5), "upper_limit": (0.5, 1), "static_friction": (2, 3), "static_friction_negative": (2, 3),
           "efficiency": (0.5, 1), "efficiency_back": (0.5, 1), "torque_constant": (0.5, 1.5), "gear_ratio": (0.5, 1.5),
           "rod": (0.1, 0.4), "bore": (0.5, 1.5), "vapour_pressure": (0.1, 1), "initial_pressure_a": (2, 3),
           "initial_pressure_b": (2, 3)}
# Their effect comes with a switch, which the update at the end of initialisation throws.
SWITCHING = ("limit", "stop_stiffness", "stop_damping")


def draw(variable, chance):
    """A random value that a variable may have; effects of order one, no saturated friction."""
    name = variable.name
    tail = name.rpartition(".")[2]
    value = chance.uniform(-1, 1)
    if tail == "mass" or tail in ("viscous_friction", "coulomb_friction", "stiffness", "damping",
                                  "coulomb_friction_negative", "friction_width", "rotor_inertia", "resistance",
                  "inductance", "voltage_limit", "current_limit"):
        value = chance.uniform(0.5, 1.5)
    elif ".inertia." in name:
        value = chance.uniform(0.5, 1) if tail[0] == tail[1] else chance.uniform(-0.1, 0.1)
    elif tail in ("solver_step", "solver_tolerance"):
        value = chance.uniform(1e-6, 1e-3)
    elif tail in ORDERED:
        value = chance.uniform(*ORDERED[tail])
    elif tail in SNAKES and not name.startswith("payload."):
        value = chance.uniform(*SNAKES[tail])
    low, high = variable.number("min"), variable.number("max")
    if (low is not None and value < low) or (high is not None and value > high):
        value = chance.uniform(low if low is not None else -1, high if high is not None else 1)
    return value


class Running:
    """An FMU in Model Exchange, in the same words for both versions."""

    def __init__(self, path, description, folder):
        self.three = description.version == "3.0"
        self.model = fmpy.read_model_description(str(path))
        self.fmu = fmpy.instantiate_fmu(folder, self.model, "ModelExchange")

    def set(self, references, values):
        (self.fmu.setFloat64 if self.three else self.fmu.setReal)(references, values)

    def get(self, references):
        return (self.fmu.getFloat64 if self.three else self.fmu.getReal)(references)

    def start(self):
        if not self.three:
            self.fmu.setupExperiment(startTime=0.7)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=0.7)  # at 0, what grows with time is hidden

    def run(self):
        self.fmu.exitInitializationMode()
        if self.three:
            self.fmu.updateDiscreteStates()
        else:
            self.fmu.newDiscreteStates()
        self.fmu.enterContinuousTimeMode()

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()


def effects(running, d, knowns, unknowns, values, chance, found):
    """Adds to `found` the largest relative effect of each known on each unknown at one point."""
    before = running.get(unknowns)
    for known in knowns:
        other = draw(d.at[known], chance)
        running.set([known], [other])
        for unknown, old, new in zip(unknowns, before, running.get(unknowns)):
            size = abs(new - old) / max(1, abs(old), abs(new))
            found[unknown, known] = max(found.get((unknown, known), 0), size)
        running.set([known], [values[known]])
    assert running.get(unknowns) == before  # nothing but the values set counts


def after_start(path, d, folder, values, unknowns):
    """The unknowns behind the first update of what switches."""
    running = Running(path, d, folder)
    running.start()
    running.set(list(values), list(values.values()))
    running.run()
    found = running.get(unknowns)
    running.close()
    return found


def switched(path, d, folder, unknowns, values, chance, found):
    """As effects, of parameters that say what happens once something has switched."""
    knowns = [k for k in values if d.at[k].name.rpartition(".")[2] in SWITCHING]
    before = after_start(path, d, folder, values, unknowns) if knowns else []
    for known in knowns:
        other = {**values, known: draw(d.at[known], chance)}
        for unknown, old, new in zip(unknowns, before,
                                     after_start(path, d, folder, other, unknowns)):
            size = abs(new - old) / max(1, abs(old), abs(new))
            found[unknown, known] = max(found.get((unknown, known), 0), size)


def references(d):
    """The real variables, and the references of states, inputs, parameters, and what is calculated."""
    real = [v for v in d.variables if v.kind in ("Float64", "Real")]
    of = {causality: [v.reference for v in real if v.causality == causality] for causality in ("input", "parameter")}
    calculated = [v.reference for v in real if v.causality in ("output", "local")]
    return real, [s.reference for s in d.states()], of["input"], of["parameter"], calculated


def measured(path, d, folder):
    """Effects at the start, and in simulation, over all points."""
    real, states, inputs, parameters, calculated = references(d)
    start, simulation = {}, {}
    chance = random.Random(1)
    for _ in range(POINTS):
        running = Running(path, d, folder)
        values = {k: draw(d.at[k], chance) for k in parameters + inputs}
        running.start()
        running.set(list(values), list(values.values()))
        effects(running, d, parameters + inputs, calculated, values, chance, start)
        switched(path, d, folder, calculated, values, chance, start)
        running.run()
        moving = {k: draw(d.at[k], chance) for k in states + inputs}
        running.set(list(moving), list(moving.values()))
        effects(running, d, states + inputs, calculated, moving, chance, simulation)
        running.close()
    return start, simulation


def faults(d, unknowns, found, phase):
    """Where a list and the effects disagree."""
    tested = {known for _, known in found}
    real = {unknown for unknown, _ in found}
    for u in unknowns:
        if u.reference not in real:
            continue  # a flag, which changes at events only
        name, listed = d.at[u.reference].name, set(u.dependencies)
        for known in tested:
            effect = found[u.reference, known] > EFFECT
            if effect and known not in listed:
                yield f"{phase}: {name} depends on {d.at[known].name}, which is not listed"
            # One of these at a time, as power goes; three points need not show both.
            either = d.at[known].name.endswith((".efficiency", ".efficiency_back"))
            if not effect and known in listed and not either:
                yield f"{phase}: {name} lists {d.at[known].name}, which has no effect"


@every_arm
@pytest.mark.parametrize("fmi", [2, 3])
def test_dependencies_are_those_that_the_fmu_shows(robot, fmi, export, tmp_path):
    hold_against(export(robot, "--fmi", fmi), tmp_path)


@pytest.mark.parametrize("name", ["scara", "stanford"])
@pytest.mark.parametrize("kind", ["forward", "inverse"])
def test_so_they_are_with_outputs_on_request(name, kind, export, tmp_path):
    robot, = (path for path in ARMS if path.stem == name)
    wanted = "reactions,jacobian,mass-matrix,poses"
    hold_against(export(robot, "--kind", kind, "--outputs", wanted), tmp_path)


def near(variable, chance):
    """A value that a crane may have: parameters near theirs, pressures and flows of oil."""
    start, unit = variable.number("start"), variable.name.rpartition(".")[2]
    if unit in ("pressure_a", "pressure_b", "initial_pressure_a", "initial_pressure_b", "pressure"):
        return chance.uniform(2e6, 8e6)
    if unit in ("flow_a", "flow_b"):
        return chance.uniform(-1e-3, 1e-3)
    if ".inertia." in variable.name:  # as of a body
        return start + (chance.uniform(0.5, 1) if unit[0] == unit[1] else chance.uniform(-0.05, 0.05))
    if variable.causality != "parameter":
        return chance.uniform(-1, 1)
    low, high = variable.number("min"), variable.number("max")
    value = start * chance.uniform(0.9, 1.1) if start else chance.uniform(0, 0.1)
    return value if (low is None or value >= low) and (high is None or value <= high) else start


@pytest.mark.parametrize("cut", ["chamber", "valve"])
@pytest.mark.parametrize("name", ["patu655", "excavator"])
def test_nothing_that_cylinders_do_is_left_out(name, cut, export, tmp_path, monkeypatch):
    """Of cylinders the lists are safe, and may be too long: what pushes at a joint counts for all that this joint moves,
    since values of order one, as the probe draws them, are no cylinders (model/plant/probe.c)."""
    robot, = (path for path in ARMS if path.stem == name)
    path = export(robot, "--cut", cut, "--platforms", "native", "--bare")
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    fmpy.extract(str(path), unzipdir=str(tmp_path))
    monkeypatch.setitem(globals(), "draw", near)
    start, simulation = measured(path, d, str(tmp_path))
    found = [*faults(d, d.initial_unknowns, start, "start"), *faults(d, d.outputs + d.derivatives, simulation, "simulation")]
    assert [fault for fault in found if "is not listed" in fault] == []
    assert sum(effect > EFFECT for effect in simulation.values()) > 100


SNAKE = """<snake name="random" links="4" base="2"><every length="1" mass="1" inertia="0.5" rolling-viscous="1"
  rolling-coulomb="1"/><every-joint viscous="1" stiffness="1" rotor-inertia="1" gear="2"/>{}</snake>"""
INPUTS = {
    "torque": "", "voltage": 'resistance="1" torque-constant="1"',
    "gait": 'amplitude="0.5" frequency="1" stiffness="1" damping="1"',
    "prescribed": 'joints="1 3"', "speeds": ""}


@pytest.mark.parametrize("kind, more", [*((kind, ()) for kind in INPUTS), ("gait", ("--inputs", "gait"))])
@pytest.mark.parametrize("fmi", [2, 3])
def test_so_they_are_in_snakes_with_every_kind_of_input(kind, more, fmi, export, tmp_path):
    robot = tmp_path / f"{kind}.xml"
    robot.write_text(SNAKE.format(f'<input kind="{kind}" {INPUTS[kind]}/>'))
    (tmp_path / "fmu").mkdir()
    hold_against(export(robot, "--fmi", fmi, "--platforms", "native", "--bare", *more), tmp_path / "fmu")


def test_a_gait_starts_at_an_angle_that_depends_on_frequency_and_time(export, tmp_path):
    """During initialisation alone; the FMU says the same, and derivatives agree with it."""
    robot = tmp_path / "gait.xml"
    robot.write_text(SNAKE.format(f'<input kind="gait" {INPUTS["gait"]}/>'))
    path = export(robot, "--platforms", "native", "--bare", "--inputs", "gait")
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    names = {v.name: v.reference for v in d.variables}
    angle, known = names["gait.angle"], [names[n] for n in ("gait.frequency", "gait.phase", "time")]
    (tmp_path / "fmu").mkdir()
    fmpy.extract(str(path), unzipdir=str(tmp_path / "fmu"))
    running = Running(path, d, str(tmp_path / "fmu"))
    running.fmu.enterInitializationMode(startTime=1.5)
    unknowns = {u.reference: u for u in d.initial_unknowns}
    assert set(unknowns[angle].dependencies) == set(known)
    for name in ("gait.angle", "joint2.reference", "rate_derivative"):
        assert asked(running.fmu, names[name]) == set(unknowns[names[name]].dependencies)
        assert set(known) <= set(unknowns[names[name]].dependencies)
    slopes = [running.fmu.getDirectionalDerivative([angle], [k], [1.0])[0] for k in known]
    assert slopes == [1.5, 1.0, 1.0]  # frequency is 1
    assert running.fmu.getAdjointDerivative([angle], known, [1.0], len(known)) == slopes
    running.run()
    assert asked(running.fmu, angle) == {angle}
    running.close()


def asked(fmu, reference):
    """What fmi3GetVariableDependencies says of a variable; FMPy's own call of it does not work."""
    n = ctypes.c_size_t()
    fmu.fmi3GetNumberOfVariableDependencies(fmu.component, reference, ctypes.byref(n))
    dependents, elements = (ctypes.c_size_t * n.value)(), (ctypes.c_size_t * n.value)()
    independents, kinds = (ctypes.c_uint32 * n.value)(), (ctypes.c_int * n.value)()
    fmu.fmi3GetVariableDependencies(fmu.component, reference, dependents, independents, elements,
                                    kinds, n.value)
    return set(independents)


@every_arm
def test_the_fmu_lists_what_its_description_lists(robot, export, tmp_path):
    path = export(robot)
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    fmpy.extract(str(path), unzipdir=str(tmp_path))
    running = Running(path, d, str(tmp_path))
    running.start()
    for u in d.initial_unknowns:
        assert asked(running.fmu, u.reference) == set(u.dependencies), d.at[u.reference].name
    running.run()
    for u in d.outputs + d.derivatives:
        assert asked(running.fmu, u.reference) == set(u.dependencies), d.at[u.reference].name
    running.close()


def hold_against(path, tmp_path):
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    fmpy.extract(str(path), unzipdir=str(tmp_path))
    start, simulation = measured(path, d, str(tmp_path))
    found = [*faults(d, d.initial_unknowns, start, "start"), *faults(d, d.outputs + d.derivatives, simulation, "simulation")]
    if any(v.name.endswith(".close") for v in d.variables):
        # Lists are for every mode, and these valves are open: the tests below close them.
        found = [fault for fault in found if "which has no effect" not in fault]
    assert found == []


# ------------------------------------------------------------------------------------- what switches

JOINTS = """<friction viscous="1" coulomb="1" static="2" law="stick-slip"/><limit lower="-1" upper="1"/>
<stop stiffness="1" damping="1"/><lock input="true"/>"""
LINK = '<link name="l{0}" mass="1" com="-0.5 0.1 0.2" inertia="0.6 0.7 0.8 0.1 0 0.1"/>'
SWITCHING_ARMS = {
    "stick_slip_stops_and_locks": [("revolute", JOINTS), ("revolute", JOINTS), ("prismatic", JOINTS)],
    "motors": [("revolute", JOINTS + '<motor resistance="1" torque-constant="1" inductance="1" efficiency="0.8"/>'
                '<rotor inertia="1" gear="2"/>'),
               ("revolute", JOINTS + '<motor resistance="1" torque-constant="1"/><rotor inertia="1" gear="-2"/>')],
    "valves": [("prismatic", '<valve-closure stiffness="1" damping="1"/><stop stiffness="1" damping="1"/>'
                '<limit lower="-1" upper="1"/>'),
               ("revolute", '<valve-closure stiffness="1" damping="1"/><spring stiffness="1" damping="1" rest="0.1"/>'
                '<friction viscous="1" coulomb="1" static="2" law="stick-slip"/>')],
}
TRIALS = 24  # each draws its modes anew


def switching_arm(path, name):
    path.write_text(f'<arm name="{name}" convention="standard" gravity="1 2 -9.81">' + "".join(
        f'<joint name="j{i}" type="{kind}" a="0.5" d="0.2" alpha="0.7">{inside}{LINK.format(i)}</joint>'
        for i, (kind, inside) in enumerate(SWITCHING_ARMS[name], 1)) + "</arm>")
    return path


class Switching(Running):
    """The same with the flags by which joints are locked and valves closed, and with the modes."""

    def __init__(self, path, d, folder):
        super().__init__(path, d, folder)
        self.flags = [v.reference for v in d.variables if v.kind == "Boolean" and v.causality == "input"]
        self.modes = {kind: [v.reference for v in d.variables if v.name.endswith(tails)] for kind, tails in
                      (("Int", (".slip", ".stop")), ("Bool", (".locked", ".closed")))}

    def switch(self, flags):
        """Through an event with these flags."""
        if self.three:
            self.fmu.enterEventMode()
            self.fmu.setBoolean(self.flags, flags)
            while self.fmu.updateDiscreteStates()[0]:
                pass
        else:
            self.fmu.enterEventMode()
            self.fmu.setBoolean(self.flags, flags)
            while self.fmu.newDiscreteStates()[0]:
                pass
        self.fmu.enterContinuousTimeMode()

    def mode(self):
        whole = (self.fmu.getInt32 if self.three else self.fmu.getInteger)(self.modes["Int"])
        return [*whole, *(bool(flag) for flag in self.fmu.getBoolean(self.modes["Bool"]))]


def in_every_mode(path, d, folder):
    """Effects in simulation over many modes, and how many values each mode had."""
    real, states, inputs, parameters, calculated = references(d)
    velocities = [v.reference for v in real if v.name.endswith(".velocity") and v.reference in states]
    found, modes, chance = {}, [], random.Random(1)
    for _ in range(TRIALS):
        running = Switching(path, d, folder)
        values = {k: draw(d.at[k], chance) for k in parameters + inputs}
        running.start()
        running.set(list(values), list(values.values()))
        running.run()
        place = {k: chance.uniform(-2, 2) for k in states}
        # Sticking takes a joint at rest, and nothing that pushes.
        place.update({k: chance.choice([0, chance.uniform(-1, 1)]) for k in velocities})
        running.set(list(place), list(place.values()))
        running.set(inputs, [0.1 * chance.uniform(-1, 1) for _ in inputs])
        running.switch([chance.random() < 0.3 for _ in running.flags])
        modes.append(running.mode())
        moving = {k: chance.uniform(-2, 2) for k in states + inputs}
        running.set(list(moving), list(moving.values()))
        effects(running, d, states + inputs, calculated, moving, chance, found)
        assert running.mode() == modes[-1]  # modes change at events only
        running.close()
    return found, [len(set(column)) for column in zip(*modes)], running.modes


@pytest.mark.parametrize("name", SWITCHING_ARMS)
@pytest.mark.parametrize("fmi", [2, 3])
def test_so_they_are_in_every_mode_of_what_switches(name, fmi, export, tmp_path):
    path = export(switching_arm(tmp_path / f"{name}.xml", name), "--fmi", fmi, "--platforms", "native", "--bare")
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    fmpy.extract(str(path), unzipdir=str(tmp_path / "fmu"))
    found, reached, modes = in_every_mode(path, d, str(tmp_path / "fmu"))
    assert reached == [3] * len(modes["Int"]) + [2] * len(modes["Bool"])  # every mode has been there
    assert list(faults(d, d.outputs + d.derivatives, found, "simulation")) == []


def after_update(path, d, folder, values, unknowns):
    """The modes behind the first update of what switches, and the unknowns."""
    running = Switching(path, d, folder)
    running.start()
    running.set(list(values), list(values.values()))
    running.run()
    found = running.mode(), running.get(unknowns)
    running.close()
    return found


@pytest.mark.parametrize("name", SWITCHING_ARMS)
def test_what_a_start_decides_is_listed_for_as_long_as_the_modes_stay(name, export, tmp_path):
    """Parameters and inputs, whose lists are for the modes that are: which mode it is, an event decides. (So energy.potential
    lists no damping of a stop, although how fast a joint leaves its stop decides whether it is still in touch.)"""
    path = export(switching_arm(tmp_path / f"{name}.xml", name), "--platforms", "native", "--bare")
    with rules.zipfile.ZipFile(path) as archive:
        d = rules.Description(archive.read("modelDescription.xml"))
    folder = str(tmp_path / "fmu")
    fmpy.extract(str(path), unzipdir=folder)
    real = [v for v in d.variables if v.kind == "Float64"]
    knowns = [v.reference for v in real if v.causality in ("parameter", "input")]
    unknowns = [u.reference for u in d.initial_unknowns if d.at[u.reference].kind == "Float64"]
    found, chance, same = {}, random.Random(2), 0
    for trial in range(2):
        values = {k: draw(d.at[k], chance) for k in knowns}
        for k in knowns:
            if d.at[k].name.endswith(".initial_velocity") and trial % 2:
                values[k] = 0.0  # it may stick
        modes, before = after_update(path, d, folder, values, unknowns)
        for known in knowns:
            others, after = after_update(path, d, folder, {**values, known: draw(d.at[known], chance)}, unknowns)
            same += others == modes
            for unknown, old, new in zip(unknowns, before, after):
                size = abs(new - old) / max(1, abs(old), abs(new)) if others == modes else 0
                found[unknown, known] = max(found.get((unknown, known), 0), size)
    assert same > len(knowns)
    missing = [fault for fault in faults(d, d.initial_unknowns, found, "start") if "is not listed" in fault]
    assert missing == []
