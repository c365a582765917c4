#!/usr/bin/env python3
"""A crane on closed valves: what the implicit solver saves, and when it does not.

    examples/stiff_crane/stiffness.py [--forearm PROGRAM] [--out FOLDER]

The lift boom of a forestry crane with 500 kg comes with 1 cm/s at the piston, and the valve closes. Load and oil are a
spring of 6.6 Hz that hardly damps: no solver may take long steps while it rings, so that alone is not stiff. Stiff are
the things beside it: friction of the seals that turns round within micrometres per second, once the crane stands; and
a pump whose flow goes over its relief valve as long as no valve draws, with little oil in between.

Each case is run by Dormand and Prince's explicit method, by the implicit one and by the automatic choice at the same
tolerance, and compared with the implicit one at 1e-10. A Jacobian is counted as one evaluation for each state and one
more, which is what differences would take.

Needs FMPy and numpy. The table in docs/co-simulation.md is this program's.
"""

import argparse
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys

import fmpy
import fmpy.fmi2
import numpy

HERE = pathlib.Path(__file__).resolve().parent
CRANE = HERE.parent / "coupling" / "crane.xml"
LEVER = 0.3069558464026762  # of the cylinder when the boom is level [m]
SIGNALS = ["joint.lift.position", "cylinder.lift.pressure_a", "cylinder.lift.pressure_b"]
TOLERANCE = 1e-8
EXPLICIT, IMPLICIT, AUTOMATIC = 1, 4, 0

# Sliding and static friction of the published crane, its spool, and a leakage of 6 ml/min at 5 MPa.
FRICTION = ('<friction coulomb="840" static="1200" stribeck="0.005" viscous="1320" width="{width}"/>'
            '<leakage internal="2e-14"/>')
VALVE = '<valve nominal-flow="4e-4" nominal-drop="3.5e6" overlap="0.03" bandwidth="20"/>'
# A pilot-operated relief valve: 3 bar more let 100 l/min pass.
PUMP = '<pump flow="8e-4" volume="{volume}" relief-pressure="1.6e7" relief-gain="5.5e-9"/>'

# Name, width of the friction [m/s], oil behind the pump [m^3], communication step and end [s].
CASES = [("no pump, friction turns round in 2 mm/s", 2e-3, None, 0.01, 5),
         ("no pump, friction in 10 µm/s, and a minute's standing", 1e-5, None, 0.1, 60),
         ("pump with 1 l in its line", 2e-3, 1e-3, 0.01, 5),
         ("pump with 0.25 l", 2e-3, 2.5e-4, 0.01, 5),
         ("pump with 0.1 l, its relief valve in the same block", 2e-3, 1e-4, 0.01, 5)]


def crane(width, volume):
    text = re.sub(r"<friction[^>]*/>", FRICTION.format(width=width), CRANE.read_text())
    return re.sub(r"<valve[^>]*/>", VALVE + (PUMP.format(volume=volume) if volume else ""), text)


class Run:
    """One simulation by a Co-Simulation FMU of FMI 2.0, and what it took."""

    def __init__(self, path, folder, solver, tolerance):
        description = fmpy.read_model_description(str(path))
        self.at = {v.name: v.valueReference for v in description.modelVariables}
        self.n = len(description.derivatives)
        self.evaluations = self.jacobians = 0
        self.calls = fmpy.fmi2.fmi2CallbackFunctions()
        self.calls.logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(self.count)
        self.calls.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        self.calls.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
        self.fmu = fmpy.fmi2.FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="crane",
                                       modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate(callbacks=self.calls)
        self.fmu.fmi2SetDebugLogging(self.fmu.component, 1, 1, (ctypes.c_char_p * 1)(b"logSolver"))
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.setInteger([self.at["solver"]], [solver])
        self.fmu.setReal([self.at["solver_tolerance"], self.at["joint.lift.initial_velocity"]],
                         [tolerance, 0.01 / LEVER])
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()

    def count(self, environment, name, status, category, message):
        """Returns the cost of a step, from the FMU's log."""
        said = re.search(rb"with (\d+) right-hand sides and (\d+) Jacobians", message or b"")
        if said:
            self.evaluations += int(said[1])
            self.jacobians += int(said[2])

    def motion(self, stop, h):
        """The signals after each communication step."""
        rows = []
        for i in range(round(stop / h)):
            self.fmu.doStep(currentCommunicationPoint=i * h, communicationStepSize=h)
            rows.append(self.fmu.getReal([self.at[name] for name in SIGNALS]))
        self.fmu.terminate()
        self.fmu.freeInstance()
        return numpy.array(rows)

    def cost(self):
        return self.evaluations + (self.n + 1) * self.jacobians


def compare(forearm, out, width, volume, h, stop, solvers=(EXPLICIT, IMPLICIT, AUTOMATIC)):
    """By solver: evaluations, and how far it was off: of a radian, and of 1e6 Pa plus the pressure."""
    robot, fmu = out / "crane.xml", out / "crane.fmu"
    robot.write_text(crane(width, volume))
    subprocess.run([forearm, "export", robot, "-o", fmu, "--fmi", "2"], check=True, stdout=subprocess.DEVNULL)
    folder = fmpy.extract(str(fmu))
    try:
        exact = Run(fmu, folder, IMPLICIT, 1e-10).motion(stop, h)
        size = numpy.array([1, 1e6, 1e6]) + abs(exact)
        found = {}
        for solver in solvers:
            run = Run(fmu, folder, solver, TOLERANCE)
            found[solver] = (abs(run.motion(stop, h) - exact) / size).max(), run.cost()
        return found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--forearm", default=shutil.which("forearm") or "build/dev/cli/forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/stiff_crane"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    lines = ["| crane | explicit | implicit | automatic | explicit over the better of them | off |",
             "|---|---|---|---|---|---|"]
    for name, width, volume, h, stop in CASES:
        found = compare(chosen.forearm, chosen.out, width, volume, h, stop)
        cost = {solver: evaluations for solver, (_, evaluations) in found.items()}
        best = min(cost[IMPLICIT], cost[AUTOMATIC])
        worst = max(off for off, _ in found.values())
        lines.append(f"| {name}, {stop} s | {cost[EXPLICIT]} | {cost[IMPLICIT]} | {cost[AUTOMATIC]} | "
                     f"{cost[EXPLICIT] / best:.2g} | {worst:.0e} |")
    print("\n".join(lines))
    (chosen.out / "table.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
