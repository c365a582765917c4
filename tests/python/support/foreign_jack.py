"""A cylinder with valve that somebody else has written: laws of tests/reference/ports/port_coupled.json, pressures by
Runge-Kutta steps of at most 0.5 ms. Shares nothing with the product but what an FMU's user sees."""

import bisect
import math

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


def between(t, time, value):
    i = min(max(bisect.bisect_right(time, t), 1), len(time) - 1)
    share = min(max((t - time[i - 1]) / (time[i] - time[i - 1]), 0), 1)
    return value[i - 1] + share * (value[i] - value[i - 1])


class Jack:
    def __init__(self, numbers, velocity):
        n = self.n = numbers
        self.a = math.pi / 4 * n["bore"] ** 2
        self.b = self.a - math.pi / 4 * n["rod"] ** 2
        self.hose = math.pi / 4 * n["hose_diameter"] ** 2 * n["hose_length"] + n.get("dead_volume", 0)
        self.p = [n["pressure_a"], n["pressure_b"]]
        self.v = velocity

    def friction(self, v):
        return self.n["coulomb"] * math.tanh(v / self.n["friction_width"]) + self.n["viscous"] * v

    def force(self):
        return self.a * self.p[0] - self.b * self.p[1] - self.friction(self.v)

    def room(self, inside, p):
        n = self.n
        c = 1 / n["bulk_modulus"] + 3 * 200.0 ** 3 / (p - n["vapour_pressure"]) ** 4
        hose = math.pi / 4 * n["hose_diameter"] ** 2 * n["hose_length"]
        return (inside + self.hose) * c + inside / n["wall_modulus"] + hose / n["hose_modulus"]

    def rates(self, t, p, length, v):
        n = self.n
        x = length - n["closed_length"]
        u = between(t, n["spool"]["time"], n["spool"]["value"])
        gain = n["nominal_flow"] / math.sqrt(n["nominal_drop"])

        def edge(opening, drop):
            return gain * opening * drop / (drop * drop + n["transition"] ** 2) ** 0.25

        if u >= 0:
            flow = edge(u, n["supply"] - p[0]), -edge(u, p[1] - n["tank"])
        else:
            flow = -edge(-u, p[0] - n["tank"]), edge(-u, n["supply"] - p[1])
        inner = n["internal_leakage"] * (p[0] - p[1])
        return ((flow[0] - self.a * v - inner) / self.room(self.a * x, p[0]),
                (flow[1] + self.b * v + inner) / self.room(self.b * (n["stroke"] - x), p[1]))

    def step(self, t, h, x, v_a, v_b):
        steps = max(1, math.ceil(h / 5e-4 - 1e-9))
        d, rise = h / steps, (v_b - v_a) / h
        for i in range(steps):
            def f(s, p):
                s += i * d
                return self.rates(t + s, p, x + v_a * s + rise * s * s / 2, v_a + rise * s)

            def off(p, r, by):
                return [p[0] + by * r[0], p[1] + by * r[1]]

            p = self.p
            one = f(0, p)
            two = f(d / 2, off(p, one, d / 2))
            three = f(d / 2, off(p, two, d / 2))
            four = f(d, off(p, three, d))
            self.p = [y + d / 6 * (k1 + 2 * k2 + 2 * k3 + k4) for y, k1, k2, k3, k4 in zip(p, one, two, three, four)]
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
