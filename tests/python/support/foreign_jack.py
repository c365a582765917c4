"""A cylinder with valve that somebody else has written (tests/support/foreign_jack.c), and a host's loop around it and a
robot cut at its port."""

import ctypes
import os
import pathlib
import sys

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave


def slave_of(fmu, log=None):
    kind = FMU2Slave if fmu.fmi == 2 else FMU3Slave
    d = fmu.description
    key = d.guid if fmu.fmi == 2 else d.instantiationToken
    slave = kind(guid=key, unzipDirectory=fmu.folder, modelIdentifier=d.coSimulation.modelIdentifier, instanceName="arm")
    if log is None:
        slave.instantiate()
    elif fmu.fmi == 2:
        calls = fmpy.fmi2.fmi2CallbackFunctions()
        calls.logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(lambda *words: log.append(words[4].decode()))
        calls.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
        calls.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
        slave.instantiate(callbacks=calls, loggingOn=True)
        slave.kept = calls
    else:
        slave.instantiate(loggingOn=True, logMessage=lambda *words: log.append(words[-1].decode()))
    return slave


NUMBERS = ["bore", "rod", "closed_length", "stroke", "hose_length", "hose_diameter", "hose_modulus", "wall_modulus",
           "bulk_modulus", "dead_volume", "nominal_flow", "nominal_drop", "transition", "supply", "tank", "viscous", "coulomb",
           "friction_width", "internal_leakage", "vapour_pressure"]
Vector = ctypes.POINTER(ctypes.c_double)


def library():
    name = "foreign_jack.dll" if sys.platform == "win32" else "libforeign_jack.so"
    build = pathlib.Path(os.environ.get("FOREARM_BUILD", pathlib.Path(__file__).resolve().parents[3] / "build" / "dev"))
    c = ctypes.CDLL(str(next(iter(build.glob(f"tests/python/{name}*")))))
    real = ctypes.c_double
    for call, arguments in {"force": [Vector, Vector, real], "stiffness": [Vector, Vector, real]}.items():
        getattr(c, "foreign_" + call).argtypes = arguments
        getattr(c, "foreign_" + call).restype = real
    c.foreign_step.argtypes = [Vector, Vector, *[real] * 5, Vector, Vector, ctypes.c_int]
    c.foreign_step.restype = None
    c.foreign_rates.argtypes = [Vector, Vector, real, real, real, Vector]
    c.foreign_rates.restype = None
    return c


def vector(numbers):
    return (ctypes.c_double * len(numbers))(*numbers)


class Jack:
    C = None

    def __init__(self, numbers, velocity):
        Jack.C = Jack.C or library()
        self.numbers = vector([numbers[name] for name in NUMBERS])
        self.p = vector([numbers["pressure_a"], numbers["pressure_b"]])
        self.time, self.spool = vector(numbers["spool"]["time"]), vector(numbers["spool"]["value"])
        self.v = velocity

    def force(self):
        return self.C.foreign_force(self.numbers, self.p, self.v)

    def stiffness(self, length):
        return self.C.foreign_stiffness(self.numbers, self.p, length)

    def step(self, t, h, x, v_a, v_b):
        self.C.foreign_step(self.numbers, self.p, t, h, x, v_a, v_b, self.time, self.spool, len(self.time))
        self.v = v_b


def run(arm, jacks, names, schedule, h, stop, delay=False):
    """The host's loop: positions of the joints at each communication point."""
    joints = [name for name in arm.fmu.positions]
    rows, t, late = [[arm.get(j) for j in joints]], 0.0, [0.0] * len(jacks)

    def told(name):
        # Communication steps are equal: the speed at the end of the step follows from the acceleration.
        v, a = arm.get(f"cylinder.{name}.port_velocity"), arm.get(f"cylinder.{name}.port_acceleration")
        return arm.get(f"cylinder.{name}.port_length"), v, v + a * h

    for i in range(round(stop / h)):
        t = i * h
        if schedule == 0:
            motions = [told(name) for name in names]
            forces = [jack.force() for jack in jacks]
            for name, force in zip(names, late if delay else forces):
                arm.set(f"cylinder.{name}.force", force)
            late = forces
            arm.step(h)
            for jack, motion in zip(jacks, motions):
                jack.step(t, h, *motion)
        elif schedule == 1:
            places = [arm.get(f"cylinder.{name}.port_length") for name in names]
            for name, jack in zip(names, jacks):
                arm.set(f"cylinder.{name}.force", jack.force())
            arm.step(h)
            for name, jack, place in zip(names, jacks, places):
                jack.step(t, h, place, *told(name)[1:])
        else:
            for name, jack in zip(names, jacks):
                jack.step(t, h, *told(name))
                arm.set(f"cylinder.{name}.force", jack.force())
            arm.step(h)
        rows.append([arm.get(j) for j in joints])
    return np.array(rows)


def couple(instance_of, fmu, case, way, factor=1.0, **more):
    """Largest error of runs with the first stiffness off by -3, 0 and 3 %, as the reference file measures it."""
    reference = np.array(case["reference"]["position"])
    every = round(way["step"] / (case["reference"]["time"][1] - case["reference"]["time"][0]))
    want = reference[::every]
    names = [name.split(".")[1] for name in fmu.variable if name.endswith(".port_gap")]
    errors = []
    for off in (0.97, 1.0, 1.03):
        start = {"port_schedule": way["schedule"], "port_line": way["line"]}
        for joint, v in zip(fmu.joints, case["initial_velocity"]):
            start[f"joint.{joint}.initial_velocity"] = v
        speeds = speeds_of(fmu, case)
        jacks = [Jack(numbers, v) for numbers, v in zip(case["jacks"], speeds)]
        for name, jack in zip(names, jacks):
            k = float(fmu.variable[f"cylinder.{name}.port_stiffness_start"].start)
            start[f"cylinder.{name}.port_stiffness_start"] = k * off * factor
            start[f"cylinder.{name}.force"] = jack.force()
        arm = instance_of(fmu, start, 1e-9)
        got = run(arm, jacks, names, way["schedule"], way["step"], case["reference"]["time"][-1], **more)
        arm.close()
        size = np.sqrt(np.mean((want - want[0]) ** 2))
        errors.append(np.sqrt(np.mean((got - want) ** 2)) / size if np.all(np.isfinite(got)) else np.inf)
    return max(errors)


def speeds_of(fmu, case):
    names = [name.split(".")[1] for name in fmu.variable if name.endswith(".port_gap")]
    with fmu.model() as model:
        model.set_state([0.0] * len(fmu.joints), case["initial_velocity"])
        return model.get([f"cylinder.{name}.velocity" for name in names])
