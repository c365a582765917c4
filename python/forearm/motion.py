"""Motions of a robot over time, and what comes out of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import as_rows
from .errors import Error, ShapeError, SimulationError

if TYPE_CHECKING:
    import pandas

    from .robot import Robot

Numbers = npt.NDArray[np.float64]
Control = npt.ArrayLike | Callable[[float, Numbers, Numbers], npt.ArrayLike] | None
SOLVERS = {"auto": 0, "dormand-prince": 1, "kutta3": 2, "rk4": 3, "rosenbrock": 4}
_TOGETHER = 256  # runs whose memory is there at once, where no function is asked in between


class Solution:
    """A motion: `t` (samples,), `q` and `qd` (runs…, samples, n); `sol["tip.x"]` is any variable at the samples, `sol(t)` q and
    qd at any time."""

    def __init__(self, robot: "Robot", shape: tuple[int, ...], t: Numbers, x: Numbers, u: Numbers, rows: tuple[int, ...],
                 values: Numbers):
        self.robot, self.t, self.runs = robot, t, shape
        self._x, self._u, self._rows, self._values = x, u, rows, values  # (runs, samples, …)
        self._bend: Numbers | None = None

    def _shaped(self, values: Numbers) -> Numbers:
        return values.reshape(*self.runs, *values.shape[1:])

    @property
    def q(self) -> Numbers:
        """Positions (…, samples, n)."""
        return self._shaped(self._x[:, :, :self.robot.n])

    @property
    def qd(self) -> Numbers:
        """Speeds (…, samples, n)."""
        return self._shaped(self._x[:, :, self.robot.n:2 * self.robot.n])

    @property
    def control(self) -> Numbers:
        """The joints' inputs from each sample on (…, samples, n)."""
        return self._shaped(self._u)

    def __getitem__(self, name: str) -> Numbers:
        if name == "time":
            return self.t
        row, _ = self.robot._row(name)
        found = np.empty(self._x.shape[:2])
        for k in range(len(found)):
            motions = _core.Motions(self.robot, 1, self._rows, np.ascontiguousarray(self._values[k:k + 1]), _input_rows(self.robot))
            motions.begin(*(np.zeros((1, self.robot.n)) for _ in range(3)))
            motions.show(0, row, self.t, np.ascontiguousarray(self._u[k]), np.ascontiguousarray(self._x[k]), found[k])
        return self._shaped(found)

    def __call__(self, t: npt.ArrayLike) -> tuple[Numbers, Numbers]:
        """q and qd (…, times, n) at times between the samples, by polynomials of degree five through positions, speeds and
        accelerations."""
        at = np.asarray(t, dtype=float)
        if at.size and (at.min() < self.t[0] or at.max() > self.t[-1]):
            raise ShapeError(f"times from {self.t[0]:g} s to {self.t[-1]:g} s are wanted, {at.min():g} s to {at.max():g} s given")
        if self._bend is None:
            self._bend = np.stack([self[f"joint.{joint}.acceleration"] for joint in self.robot.joints], axis=-1)
        i = np.clip(np.searchsorted(self.t, at, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[i + 1] - self.t[i])[..., None]
        s = (at - self.t[i])[..., None] / h
        d = [values[..., k, :] for values in (self.q, self.qd, self._bend) for k in (i, i + 1)]
        q0, q1, v0, v1, a0, a1 = d[0], d[1], h * d[2], h * d[3], h * h * d[4], h * h * d[5]
        c3 = 10 * (q1 - q0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
        c4 = -15 * (q1 - q0) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
        c5 = 6 * (q1 - q0) - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1
        q = q0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))))
        qd = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h
        return q, qd

    def to_frame(self) -> "pandas.DataFrame":
        """A pandas DataFrame: positions and speeds of the joints, the time as its index; of several runs, run and time."""
        from .worlds import frames
        return frames.frame(self)

    def __repr__(self) -> str:
        runs = f"{self.runs} runs, " if self.runs else ""
        return f"Solution of '{self.robot.name}': {runs}{len(self.t)} samples from 0 to {self.t[-1]:g} s"


def _input_rows(robot: "Robot") -> tuple[int, ...]:
    return tuple(-1 if name is None else robot._row(name)[0] for name in robot.inputs)


def _samples(stop: float, step: float) -> Numbers:
    if not (math.isfinite(stop) and math.isfinite(step) and stop > 0 and step > 0):
        raise Error(f"a motion needs a time to stop at and a step above zero, not {stop} s and {step} s")
    lines = math.ceil(stop / step * (1 - 1e-12))
    if lines > 1e8:
        raise Error(f"{stop} s in steps of {step} s are {lines} samples; take a longer step")
    t = step * np.arange(lines + 1)
    t[-1] = stop
    return t


def _settings(robot: "Robot", solver: str, tolerance: float, shape: tuple[int, ...]) -> tuple[tuple[int, ...], Numbers]:
    """Rows of parameters, and their values in each run."""
    if solver not in SOLVERS:
        raise Error(f"there is no solver '{solver}'; use one of {', '.join(SOLVERS)}")
    given: dict[str, Any] = {"solver": SOLVERS[solver], "solver_tolerance": tolerance, **robot._changed}
    rows = tuple(robot._parameter(name) for name in given)
    table = np.stack([np.broadcast_to(value, shape).ravel() for value in given.values()], axis=-1)
    return rows, np.ascontiguousarray(table, dtype=float)


def _plan(robot: "Robot", control: Control, shape: tuple[int, ...], period: float, stop: float) -> tuple[Numbers, Numbers]:
    """Times at which inputs change, and the inputs (runs, times, n), of a control that is an array."""
    runs = int(np.prod(shape, dtype=int))
    values = as_rows("control", 0.0 if control is None else control, robot.n, robot.n)
    if values.ndim == 1:
        return np.zeros(1), np.broadcast_to(values, (runs, 1, robot.n))
    most = math.ceil(stop / period * (1 - 1e-12))
    values = np.broadcast_to(values, (*shape, *values.shape[-2:])).reshape(runs, *values.shape[-2:])[:, :most]
    return period * np.arange(values.shape[1]), values


def simulate(robot: "Robot", stop: float, q: npt.ArrayLike, qd: npt.ArrayLike, step: float, control: Control, period: float,
             solver: str, tolerance: float, threads: int) -> Solution:
    """As `Robot.simulate` says."""
    if not (math.isfinite(period) and period > 0):
        raise Error(f"a control period above zero is wanted, not {period} s")
    start = [as_rows(name, value, robot.n, robot.n) for name, value in (("q", q), ("qd", qd))]
    axes = [robot.lane_shape, *(value.shape[:-1] for value in start)]
    if control is not None and not callable(control):
        axes.append(as_rows("control", control, robot.n, robot.n).shape[:-2])
    try:
        shape = np.broadcast_shapes(*axes)
    except ValueError:
        raise ShapeError(f"leading axes of q, qd, control and the robot's parameters that broadcast are wanted, {axes} given") from None
    runs = int(np.prod(shape, dtype=int))
    start = [np.ascontiguousarray(np.broadcast_to(value, (*shape, robot.n)).reshape(runs, robot.n), dtype=float) for value in start]
    for name, value in zip(("q", "qd"), start):
        if not np.isfinite(value).all():
            raise Error(f"{name}: a motion starts from finite numbers")
    rows, values = _settings(robot, solver, tolerance, shape)
    t = _samples(stop, step)
    x = np.full((runs, len(t), len(robot.states)), np.nan)
    u = np.zeros((runs, len(t), robot.n))
    faults: list[tuple[int, float, str]] = []
    if callable(control):
        faults = _ask(robot, control, shape, start, rows, values, t, x, u, period, threads)
    else:
        times, plan = _plan(robot, control, shape, period, stop)
        for first in range(0, runs, _TOGETHER):
            part = slice(first, first + _TOGETHER)
            found = _follow(robot, times, np.ascontiguousarray(plan[part]), [value[part] for value in start], rows,
                            values[part], t, x[part], u[part], threads)
            faults += [(first + k, time, sentence) for k, time, sentence in found]
    solution = Solution(robot, shape, t, x, u, rows, values)
    if faults:
        run, time, sentence = faults[0]
        which = f"run {run}: " if shape else ""
        more = f" ({len(faults)} runs of {runs} ended early)" if len(faults) > 1 else ""
        raise SimulationError(f"{which}{sentence}; the motion ended at {time:g} s{more}", robot.source, time=time, solution=solution)
    return solution


def _advance(motions: Any, t: Numbers, end: float, done: int, u: Numbers, x: Numbers, held: Numbers, threads: int) -> int:
    """On to `end` with these inputs: samples number `done` and on, as far as they are due."""
    due = int(np.searchsorted(t, end + 1e-9 * (t[1] - t[0]), side="left" if end < t[-1] - 1e-12 * t[-1] else "right"))
    due = max(due, done)
    inside = t[done:due]
    inside = inside[inside < end * (1 - 1e-12)] if end < t[-1] else inside
    due = done + len(inside)
    times = np.append(inside, end) if not len(inside) or inside[-1] < end else inside
    found = np.empty((len(x), len(times), x.shape[2]))
    motions.advance(np.ascontiguousarray(times), np.ascontiguousarray(u), found, threads)
    x[:, done:due] = found[:, :due - done]
    held[:, done:due] = u[:, None]
    return due


def _follow(robot: "Robot", times: Numbers, plan: Numbers, start: list[Numbers], rows: tuple[int, ...], values: Numbers, t: Numbers,
            x: Numbers, u: Numbers, threads: int) -> list[tuple[int, float, str]]:
    motions = _core.Motions(robot, len(x), rows, np.ascontiguousarray(values), _input_rows(robot))
    motions.begin(start[0], start[1], np.ascontiguousarray(plan[:, 0]))
    done = 0
    for k, end in enumerate([*times[1:], t[-1]]):
        done = _advance(motions, t, min(float(end), float(t[-1])), done, plan[:, k], x, u, threads)
    return motions.faults()


def _ask(robot: "Robot", control: Callable[[float, Numbers, Numbers], npt.ArrayLike], shape: tuple[int, ...], start: list[Numbers],
         rows: tuple[int, ...], values: Numbers, t: Numbers, x: Numbers, u: Numbers, period: float, threads: int) -> list[tuple[int, float, str]]:
    n = robot.n
    motions = _core.Motions(robot, len(x), rows, values, _input_rows(robot))
    motions.begin(start[0], start[1], np.zeros((len(x), n)))
    now = np.concatenate(start, axis=1)
    done = 0
    for k in range(math.ceil(t[-1] / period * (1 - 1e-12))):
        begin, end = k * period, min((k + 1) * period, float(t[-1]))
        given = as_rows("control", control(begin, now[:, :n].reshape(*shape, n), now[:, n:2 * n].reshape(*shape, n)), n, n)
        held = np.ascontiguousarray(np.broadcast_to(given, (*shape, n)).reshape(len(x), n), dtype=float)
        done = _advance(motions, t, end, done, held, x, u, threads)
        at = np.empty((len(x), 1, x.shape[2]))
        motions.advance(np.array([end]), None, at, 1)
        now = at[:, 0]
    return motions.faults()
