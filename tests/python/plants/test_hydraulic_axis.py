"""FMUs of a hydraulic axis against the same equations written down once more (hydraulics.py): every
calculated variable at random points, its derivatives, what depends on what, and a motion."""

import random

import fmpy
import numpy
import pytest

import hydraulics
from conftest import SOURCE

FILES = ["patu655_lift_axis", "patu655_lift_valve"]
KINDS = pytest.mark.parametrize("name", FILES)
FMI = pytest.mark.parametrize("fmi", [2, 3])


class Axis:
    """An FMU in Model Exchange; values by name."""

    def __init__(self, path, folder):
        fmpy.extract(str(path), unzipdir=str(folder))
        self.model = fmpy.read_model_description(str(path))
        self.three = self.model.fmiVersion == "3.0"
        self.fmu = fmpy.instantiate_fmu(str(folder), self.model, "ModelExchange")
        self.at = {v.name: v for v in self.model.modelVariables}
        self.known = [v.name for v in self.model.modelVariables
                      if v.causality in ("parameter", "input") and v.name.count(".")
                      and ".initial_" not in v.name]
        outputs = [u.variable.name for u in self.model.outputs]
        rates = [u.variable.name for u in self.model.derivatives]
        self.states = [u.variable.derivative.name for u in self.model.derivatives]
        self.known += self.states
        self.unknown = [n for n in dict.fromkeys(outputs + rates) if n not in self.states]
        if not self.three:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()

    def reference(self, names):
        return [self.at[name].valueReference for name in names]

    def set(self, values):
        fmi = self.fmu
        (fmi.setFloat64 if self.three else fmi.setReal)(
            self.reference(values), list(values.values()))

    def get(self, names):
        fmi = self.fmu
        return list((fmi.getFloat64 if self.three else fmi.getReal)(self.reference(names)))

    def run(self):
        self.fmu.exitInitializationMode()
        if self.three:
            self.fmu.updateDiscreteStates()
        else:
            self.fmu.newDiscreteStates()
        self.fmu.enterContinuousTimeMode()

    def derivative(self, unknown, known):
        fmi = self.fmu
        ask = fmi.getDirectionalDerivative
        return ask(self.reference([unknown]), self.reference([known]), [1.0])[0]


def start(v):
    return float(v.start or 0)


def draw(axis, chance):
    """Random values near those of the file, pressures and places anywhere that they can be."""
    values = {n: start(axis.at[n]) * chance.uniform(0.8, 1.2) for n in axis.known}
    special = {"pressure_a": (2e4, 1.5e7), "pressure_b": (2e4, 1.5e7), "velocity": (-0.02, 0.02),
               "spool": (-1.5, 1.5), "spool_position": (-1.3, 1.3), "spool_velocity": (-9, 9),
               "internal_leakage": (1e-13, 1e-11), "external_leakage": (1e-13, 1e-11)}
    for name in values:
        tail = name.split(".")[-1]
        if tail in special:
            values[name] = chance.uniform(*special[tail])
    values["tank.pressure"] = chance.uniform(1e5, 2e5)
    values["supply.pressure"] = chance.uniform(8e6, 1.5e7)
    if "cylinder.lift.length" in values:
        closed, stroke = values["cylinder.lift.closed_length"], values["cylinder.lift.stroke"]
        values["cylinder.lift.length"] = closed + chance.choice(
            [chance.uniform(0.05, stroke - 0.05), -chance.uniform(1e-4, 2e-3),
             stroke + chance.uniform(1e-4, 2e-3), chance.choice([-0.2, stroke + 0.2])])
    return values


def expected(values, unknown):
    n = {name.split(".")[-1]: x for name, x in values.items()}
    ps, pt = values["supply.pressure"], values["tank.pressure"]
    pa, pb = n["pressure_a"], n["pressure_b"]
    qa, qb, drawn, back = hydraulics.valve(n, n["spool_position"], pa, pb, ps, pt)
    of = {"flow_a": qa, "flow_b": qb, "supply_flow": drawn, "tank_flow": back,
          "spool_acceleration": hydraulics.spool(n, n["spool"], n["spool_position"],
                                                 n["spool_velocity"])}
    if "bore" in n:
        of["force"], of["friction_force"], of["stop_force"], of["pressure_a_rate"], \
            of["pressure_b_rate"] = hydraulics.cylinder(n, n["length"], n["velocity"], pa, pb, qa, qb)
    if "pump.flow" in values:
        of["relief_flow"], of["pressure_rate"] = hydraulics.supply(n, ps, n["flow"], drawn)
    return {name: of[name.split(".")[-1]] for name in unknown}


def placed(export, name, fmi, tmp_path, chance):
    """An axis at random values, and these."""
    axis = Axis(export(SOURCE / "resources" / "robots" / f"{name}.xml", "--fmi", fmi), tmp_path)
    values = draw(axis, chance)
    axis.set({n: x for n, x in values.items() if n not in axis.states})
    axis.run()
    axis.set({n: values[n] for n in axis.states})
    return axis, values


@KINDS
@FMI
def test_values_are_those_of_the_equations(name, fmi, export, tmp_path):
    chance = random.Random(1)
    for point in range(20):
        axis, values = placed(export, name, fmi, tmp_path / str(point), chance)
        want = expected(values, axis.unknown)
        for unknown, got in zip(axis.unknown, axis.get(axis.unknown)):
            # Rounding, and 1e5 N of forces that nearly cancel.
            assert got == pytest.approx(want[unknown], rel=1e-11, abs=1e-13 * (
                1e5 if unknown.endswith("force") else 1)), unknown


@KINDS
@FMI
def test_derivatives_are_those_of_the_equations(name, fmi, export, tmp_path):
    chance = random.Random(2)
    for point in range(4):
        axis, values = placed(export, name, fmi, tmp_path / str(point), chance)
        parameters = {v.name for v in axis.model.modelVariables if v.causality == "parameter"}
        for known in axis.known:
            if known in parameters:
                continue  # FMI takes derivatives by them before initialisation ends only
            h = 1e-5 * max(abs(values[known]), 1e-2)
            more = expected({**values, known: values[known] + h}, axis.unknown)
            less = expected({**values, known: values[known] - h}, axis.unknown)
            for unknown in axis.unknown:
                want = (more[unknown] - less[unknown]) / (2 * h)
                size = max(abs(more[unknown]), abs(less[unknown])) / h
                # Differences: rounding of the values, and 1e-10 of third derivatives.
                assert axis.derivative(unknown, known) == pytest.approx(
                    want, rel=1e-5, abs=1e-10 * size + 1e-12), (unknown, known)


@KINDS
def test_dependencies_are_those_that_the_equations_show(name, export, tmp_path):
    chance = random.Random(3)
    listed, seen = {}, {}
    for point in range(40):
        axis = None
        if point == 0:
            axis = Axis(export(SOURCE / "resources" / "robots" / f"{name}.xml"), tmp_path)
            for u in axis.model.outputs + axis.model.derivatives:
                listed[u.variable.name] = {v.name for v in u.dependencies}
            template = axis
        values = draw(template, chance)
        before = expected(values, template.unknown)
        for known in template.known:
            other = values[known] * 1.01 + 1e-9
            after = expected({**values, known: other}, template.unknown)
            for unknown in template.unknown:
                if after[unknown] != before[unknown]:
                    seen.setdefault(unknown, set()).add(known)
    for unknown in template.unknown:
        assert listed[unknown] == seen[unknown], unknown


def reference_motion(values, states, inputs, stop, steps):
    """Runge and Kutta's classical rule on the equations above."""
    x = [values[s] for s in states]
    h = stop / steps
    rate = {"pressure_a": "pressure_a_rate", "pressure_b": "pressure_b_rate",
            "spool_velocity": "spool_acceleration"}

    def slope(t, x):
        at = {**values, **dict(zip(states, x)), **inputs(t)}
        of = expected(at, [f"cylinder.lift.{n}" for n in rate.values()])
        return numpy.array([at["cylinder.lift.spool_velocity"] if s.endswith("spool_position")
                            else of["cylinder.lift." + rate[s.split(".")[-1]]] for s in states])

    x = numpy.array(x)
    for i in range(steps):
        t = i * h
        k1 = slope(t, x)
        k2 = slope(t + h / 2, x + h / 2 * k1)
        k3 = slope(t + h / 2, x + h / 2 * k2)
        k4 = slope(t + h, x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return dict(zip(states, x))


@FMI
def test_co_simulation_follows_the_equations(fmi, export):
    # The piston is held while the valve opens to half: chamber A fills to the supply's pressure.
    fmu = export(SOURCE / "resources" / "robots" / "patu655_lift_axis.xml", "--fmi", fmi)
    stop = 0.05
    result = fmpy.simulate_fmu(str(fmu), stop_time=stop, output_interval=stop, fmi_type="CoSimulation",
                               start_values={"cylinder.lift.spool": 0.5})
    model = fmpy.read_model_description(str(fmu))
    values = {v.name: start(v) for v in model.modelVariables if v.causality in ("parameter", "input")}
    values["cylinder.lift.spool"] = 0.5
    states = [u.variable.derivative.name for u in model.derivatives]
    for name in states:
        values[name] = values[name.replace("lift.", "lift.initial_")]
    want = reference_motion(values, states, lambda t: {}, stop, 5000)
    for name in states:
        # solver_tolerance is 1e-8 of a pressure plus a megapascal, per step.
        assert result[name][-1] == pytest.approx(want[name], rel=1e-6), name
    assert result["cylinder.lift.pressure_a"][-1] > 8e6
