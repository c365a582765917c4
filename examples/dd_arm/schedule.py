#!/usr/bin/env python3
"""The CMU Direct Drive Arm of Swartz (1982) under a schedule of motor voltages, in Co-Simulation.

    examples/dd_arm/schedule.py [--forearm PROGRAM] [--out FOLDER]

Exports resources/robots/cmu_dd_arm.xml, whose inputs are the voltages of its six motors, and runs the FMU in FMPy with
Kutta's third-order rule at 1 ms, as the paper does, the voltages of voltages.csv held in between. Writes motion.csv and
motion.svg. Needs FMPy and numpy.
"""

import argparse
import csv
import pathlib
import shutil
import subprocess
import sys
import tempfile

import fmpy
import numpy
from fmpy.fmi2 import FMU2Slave

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path.insert(0, str(SOURCE / "scripts" / "result"))

import chart  # noqa: E402

JOINTS = [f"joint{i}" for i in range(1, 7)]
STOP, STEP = 1.0, 0.01  # [s]
KUTTA = 2               # of the parameter `solver`


def schedule():
    """Times [s] and, for each, the voltages that hold from then on, by input."""
    with open(HERE / "voltages.csv", newline="", encoding="ascii") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    return [row.pop("time") for row in rows], rows


def run(forearm, folder, **parameters):
    """Positions, velocities and currents of all joints every 10 ms, by name."""
    path = folder / "cmu_dd_arm.fmu"
    robot = SOURCE / "resources" / "robots" / "cmu_dd_arm.xml"
    subprocess.run([forearm, "export", robot, "-o", path, "--fmi", "2"], check=True, stdout=subprocess.DEVNULL)
    description = fmpy.read_model_description(str(path))
    reference = {v.name: v.valueReference for v in description.modelVariables}
    names = [f"joint.{j}.{what}" for what in ("position", "velocity", "current") for j in JOINTS]
    with tempfile.TemporaryDirectory() as unpacked:
        fmu = FMU2Slave(guid=description.guid, unzipDirectory=fmpy.extract(str(path), unpacked), instanceName="arm",
                        modelIdentifier=description.coSimulation.modelIdentifier)
        fmu.instantiate()
        fmu.setupExperiment(startTime=0.0)
        for name, value in parameters.items():
            (fmu.setInteger if isinstance(value, int) else fmu.setReal)([reference[name]], [value])
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        times, volts = schedule()
        rows = [fmu.getReal([reference[n] for n in names])]
        for i in range(round(STOP / STEP)):
            # Communication points fall on every switching: half a step decides which row holds.
            held = volts[sum(t <= (i + 0.5) * STEP for t in times) - 1]
            fmu.setReal([reference[n] for n in held], list(held.values()))
            fmu.doStep(currentCommunicationPoint=i * STEP, communicationStepSize=STEP)
            rows.append(fmu.getReal([reference[n] for n in names]))
        fmu.terminate()
        fmu.freeInstance()
    motion = dict(zip(names, numpy.array(rows).T))
    return {"time": STEP * numpy.arange(len(rows)), **motion}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--forearm", default=shutil.which("forearm") or "build/dev/cli/forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/dd_arm"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    motion = run(chosen.forearm, chosen.out, solver=KUTTA, solver_step=1e-3)
    numpy.savetxt(chosen.out / "motion.csv", numpy.array(list(motion.values())).T, delimiter=",", comments="",
                  header=",".join(motion))
    t = motion["time"]
    panels = [("Positions", "rad", "position"), ("Velocities", "rad/s", "velocity"), ("Currents", "A", "current")]
    parts = [chart.group(chart.lines(title, unit, t, {j: motion[f"joint.{j}.{what}"] for j in JOINTS}), 460 * i, 0)
             for i, (title, unit, what) in enumerate(panels)]
    (chosen.out / "motion.svg").write_text(chart.svg(1380, 240, parts, "The DD Arm under its voltages"))
    last = ", ".join(f"{motion[f'joint.{j}.position'][-1]:.6f}" for j in JOINTS)
    print(f"after {STOP:g} s the joints are at {last} rad; {chosen.out}/motion.svg")


if __name__ == "__main__":
    sys.exit(main())
