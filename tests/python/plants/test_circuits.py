"""Hydraulic circuits: points of every part, motions of seven machines, energy, derivatives, saved states.

The expected values in tests/reference/circuits come from two programs that share no code with each other nor with this
project: plain Python against 40-digit arithmetic, and a network reader with Radau against C in long double.
"""

import ctypes
import json

import fmpy
import numpy as np
import pytest
from fmpy.fmi3 import FMU3Model, FMU3Slave

from conftest import SOURCE
from cli import run

REFERENCE = SOURCE / "tests" / "reference" / "circuits"
POINTS = json.loads((REFERENCE / "point_files.json").read_text())["files"]
MACHINES = ["accumulator", "bucket", "lowering", "sharing_post", "sharing_pre", "slewing", "twin"]


FINER = 50  # communication steps between two golden times: FMPy holds inputs within a step


def simulate(fmu, golden, **options):
    """The golden inputs, which are straight between their points; output in finer steps."""
    names = golden["inputs"]
    times = np.linspace(0, golden["time"][-1], FINER * (len(golden["time"]) - 1) + 1)
    table = np.array([(t, *(np.interp(t, names[n]["time"], names[n]["value"]) for n in names)) for t in times],
                     dtype=[("time", float), *((n, float) for n in names)])
    return fmpy.simulate_fmu(str(fmu), stop_time=times[-1], output_interval=times[1], input=table,
                             output=list(golden["variables"]), **options)


@pytest.mark.parametrize("fmi, every", [(2, 6), (3, 1)])
def test_every_part_has_the_golden_values_at_time_0(fmi, every, export, tmp_path):
    for point in POINTS[::every]:
        path = tmp_path / f"point_{point['point']}.xml"
        path.write_text(point["robot"])
        fmu = export(path, "--fmi", fmi)
        got = fmpy.simulate_fmu(str(fmu), fmi_type="CoSimulation", stop_time=1e-6, output_interval=1e-6,
                                start_values=point["set"], output=list(point["expect"]))
        for name, want in point["expect"].items():
            # 1e-11 as the points have it; a flow of 1e-15 m3/s is a drop in a year.
            assert abs(got[name][0] - want) <= 1e-11 * abs(want) + 1e-15, (point["point"], name, got[name][0], want)


@pytest.mark.parametrize("machine", MACHINES)
def test_machines_move_as_two_other_programs_say(machine, tmp_path):
    golden = json.loads((REFERENCE / f"{machine}.json").read_text())
    inputs, knots = golden["inputs"], set()
    for name in inputs:
        knots |= set(inputs[name]["time"])
    table = tmp_path / "inputs.csv"
    rows = [[t, *(float(np.interp(t, inputs[n]["time"], inputs[n]["value"])) for n in inputs)] for t in sorted(knots)]
    table.write_text("\n".join([",".join(["time", *inputs]), *(",".join(map(repr, row)) for row in rows)]) + "\n")
    step = golden["time"][-1] / (len(golden["time"]) - 1)  # whose multiples are rounded in the file
    done = run("simulate", REFERENCE / f"{machine}.xml", "--input", table, "--interpolate", "linear", "--outputs", "energy",
               "--tolerance", "1e-12", "--step", repr(step), "--stop", repr(golden["time"][-1]))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    names = lines[0].split(",")
    got = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    assert len(got) == len(golden["time"])
    for name, want in golden["variables"].items():
        peak = np.max(np.abs(want))
        # Hard stops and poppets magnify in the bucket; a spool's velocity turns at the kinks of its input.
        allowed = 5e-8 if machine == "bucket" else 1e-7 if name.endswith("spool_velocity") else 1e-8
        if peak < 1e-15:  # a flow that is rounding alone
            continue
        off = np.max(np.abs(got[:, names.index(name)] - want)) / peak
        assert off <= allowed, (machine, name, off)
    # What comes from outside is work, loss or store: an identity of the flows.
    account = {n: got[:, names.index(f"circuit.{n}")] for n in
               ("supplied_energy", "mechanical_work", "loss_energy", "stored_energy")}
    left = account["supplied_energy"] - account["mechanical_work"] - account["loss_energy"] - account["stored_energy"]
    assert np.max(np.abs(left)) <= 1e-12 * np.max(np.abs(account["supplied_energy"])) * len(got)


@pytest.mark.parametrize("fmi, kind", [(2, "CoSimulation"), (2, "ModelExchange"), (3, "CoSimulation"), (3, "ModelExchange")])
@pytest.mark.parametrize("machine", ["lowering", "slewing"])
def test_fmus_of_every_kind_tell_the_same_motion(machine, fmi, kind, export):
    golden = json.loads((REFERENCE / f"{machine}.json").read_text())
    fmu = export(REFERENCE / f"{machine}.xml", "--fmi", fmi, "--outputs", "energy")
    options = {"relative_tolerance": 1e-8} if kind == "ModelExchange" else {}
    got = simulate(fmu, golden, fmi_type=kind, **options)
    for name in ("joint.lift.position", "joint.slew.position", "circuit.supplied_energy"):
        if name in golden["variables"]:
            want = np.array(golden["variables"][name])
            now = np.interp(golden["time"], got["time"], got[name])
            # Inputs are held for 1 ms, a thousandth of what the motion takes.
            assert np.max(np.abs(now - want)) <= 3e-3 * np.max(np.abs(want)), name


@pytest.mark.parametrize("machine", ["accumulator", "sharing_post", "slewing", "bucket"])
def test_derivatives_are_those_of_differences_and_dependencies_contain_them(machine, export, tmp_path):
    fmu = export(REFERENCE / f"{machine}.xml", "--fmi", 3)
    description = fmpy.read_model_description(str(fmu))
    model = FMU3Model(guid=description.guid, unzipDirectory=fmpy.extract(str(fmu), str(tmp_path / "fmu")),
                      modelIdentifier=description.modelExchange.modelIdentifier, instanceName="m")
    model.instantiate()
    model.enterInitializationMode()
    model.exitInitializationMode()
    states = [d.variable.derivative.valueReference for d in description.derivatives]
    rates = [d.variable.valueReference for d in description.derivatives]
    inputs = [v.valueReference for v in description.modelVariables if v.causality == "input" and v.type == "Float64"
              and v.variability == "continuous"]
    rng = np.random.default_rng(3)
    for vr in inputs:
        if model.getFloat64([vr])[0] == 0:
            model.setFloat64([vr], [0.3 * rng.random()])
    n = len(states)
    x = np.array(model.getFloat64(states))
    x = x * (1 + 0.1 * rng.random(n)) + np.where(np.abs(x) < 10, 0.2 * rng.random(n), 0) * (np.abs(x) > 1e-3)
    model.updateDiscreteStates()
    model.enterContinuousTimeMode()

    def put(values):
        model.setContinuousStates((ctypes.c_double * n)(*values), n)

    put(x)
    base = np.array(model.getFloat64(rates))
    for k, vr in enumerate(states):
        column = np.array(model.getDirectionalDerivative(rates, [vr], [1.0]))
        h = 1e-5 * max(abs(x[k]), 1e-3)
        up, down = x.copy(), x.copy()
        up[k] += h
        down[k] -= h
        put(up)
        high = np.array(model.getFloat64(rates))
        put(down)
        low = np.array(model.getFloat64(rates))
        put(x)
        slope = (high - low) / (2 * h)
        size = np.maximum(np.abs(slope), np.abs(base) * 1e-9 / h) + 1e-9
        # A central difference of steps of 1e-5: its own error is of the square, and rounding over the step.
        assert np.all(np.abs(column - slope) <= 2e-4 * size + 1e-4 * np.max(np.abs(slope))), (machine, k)
        adjoint = np.array([model.getAdjointDerivative([r], [vr], [1.0])[0] for r in rates])
        assert np.allclose(adjoint, column, rtol=1e-11, atol=1e-13 * np.max(np.abs(column))), (machine, k)
    model.terminate()
    model.freeInstance()


def test_a_saved_state_goes_on_to_the_bit(export):
    fmu = export(REFERENCE / "accumulator.xml", "--fmi", 3)
    description = fmpy.read_model_description(str(fmu))
    slave = FMU3Slave(guid=description.guid, unzipDirectory=fmpy.extract(str(fmu)), instanceName="s",
                      modelIdentifier=description.coSimulation.modelIdentifier)
    slave.instantiate()
    slave.enterInitializationMode()
    slave.exitInitializationMode()
    refs = [v.valueReference for v in description.modelVariables if v.causality == "output" and v.type == "Float64"]
    for i in range(20):
        slave.doStep(i * 0.01, 0.01)
    saved = slave.getFMUState()
    ends = []
    for _ in range(2):
        slave.setFMUState(saved)
        for i in range(20, 40):
            slave.doStep(i * 0.01, 0.01)
        ends.append(list(slave.getFloat64(refs)))
    slave.freeFMUState(saved)
    slave.terminate()
    slave.freeInstance()
    assert ends[0] == ends[1]


def test_parameters_that_no_table_can_have_are_refused(export):
    fmu = export(REFERENCE / "lowering.xml", "--fmi", 3)
    said = []
    with pytest.raises(Exception):
        fmpy.simulate_fmu(str(fmu), stop_time=0.01, start_values={"valve.lift.pa_spool[2]": 0.9},
                          logger=lambda *a: said.append(a[-1]))
    assert any(b"must rise from one point to the next, and number 3 does not" in s for s in said), said


def test_more_oil_than_an_accumulator_holds_is_told(tmp_path):
    done = run("simulate", REFERENCE / "accumulator.xml", "--set", "accumulator.acc.initial_volume=0.005", "--stop", "0.1")
    assert done.returncode != 0
    assert b"the laws of the circuit give accumulator 'acc' a number that is not finite" in done.stderr
