"""A robot's FMU, driven call by call through FMPy, in the same words for FMI 2.0 and 3.0."""

import contextlib
import ctypes
import tempfile

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave

TIP_FORCE = [f"tip.force.{axis}" for axis in "xyz"]
TIP_TORQUE = [f"tip.torque.{axis}" for axis in "xyz"]
TIP_POINT = [f"tip.{axis}" for axis in "xyz"]
TIP_QUATERNION = [f"tip.quaternion.{part}" for part in "wxyz"]
TIP_VELOCITY = [f"tip.velocity.{axis}" for axis in "xyz"]
TIP_ANGULAR_VELOCITY = [f"tip.angular_velocity.{axis}" for axis in "xyz"]
TIP_ACCELERATION = [f"tip.acceleration.{axis}" for axis in "xyz"]
TIP_ANGULAR_ACCELERATION = [f"tip.angular_acceleration.{axis}" for axis in "xyz"]
ENERGIES = ["energy.kinetic", "energy.potential"]


def rotation(quaternion):
    """The matrix that turns like the unit quaternion w, x, y, z."""
    w, x, y, z = quaternion
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class RobotFmu:
    """An FMU file unpacked, and the names in it. Gives instances: `with fmu.model() as model:`."""

    def __init__(self, path):
        self.path = path
        self.description = fmpy.read_model_description(str(path), validate=False)
        self.fmi = int(self.description.fmiVersion[0])
        self._folder = tempfile.TemporaryDirectory()
        self.folder = fmpy.extract(str(path), self._folder.name)
        self.variable = {v.name: v for v in self.description.modelVariables}
        begin, end = "joint.", ".acceleration"
        # In the order of the states: positions, then velocities; without joints that loops determine.
        known = {row.variable.derivative.name for row in self.description.derivatives}
        self.joints = [v.name[len(begin):-len(end)] for v in self.description.modelVariables
                       if v.name.startswith(begin) and v.name.endswith(end)
                       and (not known or v.name[:-len(end)] + ".position" in known)]
        self.positions = [f"joint.{joint}.position" for joint in self.joints]
        self.velocities = [f"joint.{joint}.velocity" for joint in self.joints]
        self.accelerations = [f"joint.{joint}.acceleration" for joint in self.joints]
        self.efforts = [next(name for name in (f"joint.{joint}.voltage", f"joint.{joint}.torque",
                                               f"joint.{joint}.force")
                             if name in self.variable) for joint in self.joints]
        moved = {row.variable.derivative.name for row in self.description.derivatives}
        # The motion of joints that loops determine is no state; an inverse has no states at all.
        self.states = [name for name in self.positions + self.velocities if name in moved or not moved]
        derivatives = [row.variable for row in self.description.derivatives
                       if row.variable.derivative.name in self.states]  # others: pressures
        if derivatives:  # inverse dynamics has none
            n = len(self.states)
            assert [row.derivative.name for row in derivatives][:n] == self.states
            states = [name[:name.rindex(".")] for name in self.states]
            assert [row.name for row in derivatives][:n] == [f"{joint}.velocity" for joint in states[:n // 2]] + \
                [f"{joint}.acceleration" for joint in states[n // 2:]]
        if not self.joints:  # a snake
            self.states = [row.variable.derivative.name for row in self.description.derivatives]
        # Behind the motion: the accounts of energy, which nothing depends on.
        self.n_states = len(self.description.derivatives)

    def start(self, name):
        return float(self.variable[name].start)

    def model(self, start=None, **options):
        """A Model Exchange instance in continuous-time mode; start: values of parameters."""
        kind = (FMU2Model, FMU3Model)[self.fmi - 2]
        return contextlib.closing(Model(self, kind, start, **options))

    def slave(self, start=None, **options):
        """A Co-Simulation instance that can step."""
        kind = (FMU2Slave, FMU3Slave)[self.fmi - 2]
        return contextlib.closing(Slave(self, kind, start, **options))


class Instance:
    """An initialised instance. Methods of FMPy are at .fmi, which raises unless the FMU says OK."""

    def __init__(self, fmu, kind, start=None, start_time=0.0, **options):
        self.fmu = fmu
        self.kind = kind
        self.fmi = kind(guid=fmu.description.guid, unzipDirectory=fmu.folder, instanceName="test",
                        modelIdentifier=fmu.description.coSimulation.modelIdentifier)
        self.fmi.instantiate(**options)
        self.initialize(start, start_time)

    def initialize(self, start=None, start_time=0.0):
        self.time = start_time
        for name, value in (start or {}).items():
            self.set([name], [value])
        if self.fmu.fmi == 2:
            self.fmi.setupExperiment(startTime=start_time)
            self.fmi.enterInitializationMode()
        else:
            self.fmi.enterInitializationMode(startTime=start_time)
        self.fmi.exitInitializationMode()

    def close(self):
        self.fmi.freeInstance()

    def _by_type(self, names):
        """References of the reals among the names, and of the integers."""
        integers = [name for name in names if self.fmu.variable[name].type.startswith("Int")]
        reals = [name for name in names if name not in integers]
        return ([self.fmu.variable[name].valueReference for name in reals],
                [self.fmu.variable[name].valueReference for name in integers])

    def get(self, names):
        references = [self.fmu.variable[name].valueReference for name in names]
        get = self.fmi.getReal if self.fmu.fmi == 2 else self.fmi.getFloat64
        return np.array(get(references))

    def set(self, names, values):
        values = [float(value) for value in values]
        assert len(names) == len(values)
        reals, integers = self._by_type(names)
        if integers:
            assert not reals
            set_integers = self.fmi.setInteger if self.fmu.fmi == 2 else self.fmi.setInt32
            set_integers(integers, [int(value) for value in values])
        else:
            set_reals = self.fmi.setReal if self.fmu.fmi == 2 else self.fmi.setFloat64
            set_reals(reals, values)

    def derivative(self, unknowns, knowns, seed):
        reference = {name: self.fmu.variable[name].valueReference for name in [*unknowns, *knowns]}
        return np.array(self.fmi.getDirectionalDerivative(
            [reference[name] for name in unknowns], [reference[name] for name in knowns],
            [float(value) for value in seed]))

    def jacobian(self, unknowns, knowns):
        columns = [self.derivative(unknowns, [known], [1.0]) for known in knowns]
        return np.array(columns).T

    def tip_rotation(self):
        return rotation(self.get(TIP_QUATERNION))

    def saved(self):
        """The instance's state as bytes."""
        state = self.fmi.getFMUState()
        saved = self.fmi.serializeFMUState(state)
        self.fmi.freeFMUState(state)
        return saved

    def restore(self, saved):
        state = self.fmi.deserializeFMUState(saved)
        self.fmi.setFMUState(state)
        self.fmi.freeFMUState(state)


class Model(Instance):
    """Model Exchange."""

    def initialize(self, start=None, start_time=0.0):
        super().initialize(start, start_time)
        update = self.fmi.newDiscreteStates if self.fmu.fmi == 2 else self.fmi.updateDiscreteStates
        while update()[0]:
            pass
        self.fmi.enterContinuousTimeMode()

    def set_state(self, *parts):
        x = np.concatenate([*parts, np.zeros(self.fmu.n_states - sum(map(len, parts)))])
        self.fmi.setContinuousStates((ctypes.c_double * len(x))(*x), len(x))

    def rates(self):
        """Derivatives of the states."""
        n = self.fmu.n_states
        dx = (ctypes.c_double * n)()
        if self.fmu.fmi == 2:
            self.fmi.getDerivatives(dx, n)
        else:
            self.fmi.getContinuousStateDerivatives(dx, n)
        return np.array(dx)

    def accelerations(self):
        """Of the joints; both ways to ask must give the same bits."""
        answer = self.get(self.fmu.accelerations)
        assert (answer == self.rates()[len(self.fmu.joints):2 * len(self.fmu.joints)]).all()
        return answer


class Slave(Instance):
    """Co-Simulation."""

    def step_to(self, time):
        self.fmi.doStep(currentCommunicationPoint=self.time,
                        communicationStepSize=time - self.time)
        self.time = time

    def state(self):
        return self.get(self.fmu.states)
