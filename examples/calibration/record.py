"""A robot on a bench: a PUMA 560 whose links do not weigh what the drawing says, driven along a motion that excites it.

The robot is an FMU in Co-Simulation, a digital controller around it, and what is recorded has the faults of records:
encoders count steps, and torques, from motors' currents, are noisy.
"""

import pathlib
import subprocess
import tempfile

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Slave

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROBOT = SOURCE / "resources" / "robots" / "puma560.xml"  # the drawing
JOINTS = ["waist", "shoulder", "elbow", "wrist_roll", "wrist_bend", "flange"]

# The truth, which identify.py does not look at until it has answered: masses over those of the drawing, the shapes and
# so the centres of mass being right, and friction over that of the drawing.
MASS = {"upper_arm": 1.06, "lower_arm": 0.93, "wrist": 1.1, "hand": 0.9, "tool_plate": 1.3}
FRICTION = 0.8

PERIOD, HARMONICS = 10.0, 5                            # of the motion [s]
CENTRE = np.array([0.0, -0.6, 1.2, 0.0, 0.3, 0.0])     # [rad]
SWING = np.array([1.6, 0.9, 1.2, 2.2, 1.2, 2.2])       # the most that a joint goes to either side [rad]
CONTROL, SAMPLE = 1e-3, 5e-3                           # of the controller and of the record [s]
BANDWIDTH = 30.0                                       # of the controller [rad/s]
INERTIA = np.array([3.5, 5.5, 1.4, 0.2, 0.19, 0.19])   # that it expects at the joints [kg m^2]
ENCODER = 1e-4                                         # a step of the encoders [rad]
NOISE = np.array([0.6, 0.8, 0.4, 0.05, 0.05, 0.03])    # of the torques, standard deviation [N m]


def motion(seed):
    """A periodic motion: functions of time for positions, and for velocities [rad, rad/s]."""
    random = np.random.default_rng(seed)
    k = 2 * np.pi / PERIOD * np.arange(1, HARMONICS + 1)[:, None]
    sine, cosine = random.normal(size=(2, HARMONICS, len(JOINTS)))

    def wave(t):
        return np.sin(k * t).T @ sine + np.cos(k * t).T @ cosine

    t = np.linspace(0, PERIOD, 1001)
    scale = SWING / np.abs(wave(t)).max(axis=0)
    sine, cosine = sine * scale, cosine * scale

    def speed(t):
        return (k * np.cos(k * t)).T @ sine - (k * np.sin(k * t)).T @ cosine

    return (lambda t: CENTRE + wave(np.atleast_1d(t))), (lambda t: speed(np.atleast_1d(t)))


def truth(description):
    """Start values of the robot on the bench: what differs from the drawing."""
    drawn = {v.name: float(v.start) for v in description.modelVariables if v.causality == "parameter" and v.type == "Real"}
    changed = {}
    for name, value in drawn.items():
        part = name.split(".")
        if part[0] == "link" and part[1] in MASS and part[2] in ("mass", "inertia"):
            changed[name] = value * MASS[part[1]]
        if part[-1] in ("viscous_friction", "coulomb_friction", "coulomb_friction_negative"):
            changed[name] = value * FRICTION
    return changed


def drive(forearm, seed, periods=1):
    """Time, positions and torques of the bench while it follows the motion `seed`, without the record's faults."""
    where, speed = motion(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "bench.fmu"
        subprocess.run([forearm, "export", ROBOT, "-o", path, "--fmi", "2", "--bare", "--platforms", "native"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        description = fmpy.read_model_description(str(path))
        reference = {v.name: v.valueReference for v in description.modelVariables}
        names = [f"joint.{j}.{what}" for what in ("position", "velocity") for j in JOINTS]
        outputs, inputs = [reference[n] for n in names], [reference[f"joint.{j}.torque"] for j in JOINTS]
        start = truth(description)
        start |= {f"joint.{j}.initial_position": q for j, q in zip(JOINTS, where(0.0)[0])}
        start |= {f"joint.{j}.initial_velocity": v for j, v in zip(JOINTS, speed(0.0)[0])}
        fmu = FMU2Slave(guid=description.guid, unzipDirectory=fmpy.extract(str(path), folder), instanceName="bench",
                        modelIdentifier=description.coSimulation.modelIdentifier)
        fmu.instantiate()
        fmu.setupExperiment(startTime=0.0)
        fmu.setReal([reference[name] for name in start], list(start.values()))
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        steps = round(periods * PERIOD / CONTROL)
        time = CONTROL * np.arange(steps + 1)
        wanted, moving = where(time), speed(time)
        state, tau = np.empty((steps + 1, 12)), np.empty((steps + 1, 6))
        for i in range(steps + 1):
            state[i] = fmu.getReal(outputs)
            q, qd = state[i, :6], state[i, 6:]
            tau[i] = INERTIA * (BANDWIDTH ** 2 * (wanted[i] - q) + 2 * BANDWIDTH * (moving[i] - qd))
            fmu.setReal(inputs, list(tau[i]))
            if i < steps:
                fmu.doStep(currentCommunicationPoint=time[i], communicationStepSize=CONTROL)
        fmu.terminate()
        fmu.freeInstance()
    # A torque is held over a step: at an instant it is the mean of what ends and what begins there.
    every = round(SAMPLE / CONTROL)
    mean = (tau[1:] + tau[:-1]) / 2
    return time[every::every], state[every::every, :6], mean[every - 1::every]


def record(clean, seed):
    """Returns the log of the bench's computer: positions in encoder steps, torques with noise."""
    time, q, tau = clean
    random = np.random.default_rng(seed)
    return time, ENCODER * np.round(q / ENCODER), tau + NOISE * random.normal(size=tau.shape)
