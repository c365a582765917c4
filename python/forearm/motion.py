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
    """A motion: `t` (samples,), `q` and `qd` (runs…, samples, n), `x` all states; `sol["tip.x"]` is any variable at the samples,
    `sol(t)` q and qd at any time. `in_lanes`: the runs were computed side by side in the lanes of vectors; else one by one."""

    def __init__(self, robot: "Robot", shape: tuple[int, ...], t: Numbers, x: npt.NDArray[Any], u: Numbers, rows: tuple[int, ...],
                 values: Numbers, in_lanes: bool, start: list[Numbers]):
        self.robot, self.t, self.runs, self.in_lanes = robot, t, shape, in_lanes
        self._x, self._u, self._rows, self._values = x, u, rows, values  # (runs, samples, …)
        self._bend: Numbers | None = None
        self._start = start  # (runs, nq), (runs, n)

    def _shaped(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values.reshape(*self.runs, *values.shape[1:])

    @property
    def x(self) -> npt.NDArray[Any]:
        """All states (…, samples, states), by the names of `robot.states`."""
        return self._shaped(self._x)

    @property
    def q(self) -> npt.NDArray[Any]:
        """Positions (…, samples, nq)."""
        return self._joints(self.robot.positions, slice(0, self.robot.n))

    @property
    def qd(self) -> npt.NDArray[Any]:
        """Speeds (…, samples, n)."""
        return self._joints(self.robot.speeds, slice(self.robot.n, 2 * self.robot.n))

    def _joints(self, names: tuple[str, ...], of_tree: slice) -> npt.NDArray[Any]:
        """Variables of joints: states, and what loops determine."""
        if not self.robot._is_mechanism:
            return self._shaped(self._x[:, :, of_tree])
        states = {name: k for k, name in enumerate(self.robot.states)}
        return np.stack([self._shaped(self._x[:, :, states[name]]) if name in states else self[name] for name in names], axis=-1)

    @property
    def control(self) -> Numbers:
        """The joints' inputs from each sample on (…, samples, n)."""
        return self._shaped(self._u)

    def __getitem__(self, name: str) -> Numbers:
        if name == "time":
            return self.t
        row, _ = self.robot._row(name)
        found = np.empty(self._x.shape[:2])
        for first in range(0, len(found), _TOGETHER):
            values = np.ascontiguousarray(self._values[first:first + _TOGETHER])
            motions = _core.Motions(self.robot, len(values), self._rows, values)
            part = [np.ascontiguousarray(start[first:first + _TOGETHER]) for start in self._start]
            motions.begin(*part, np.zeros((len(values), self.robot.n)))
            for k in range(len(values)):
                u, x = (np.ascontiguousarray(of[first + k], dtype=float) for of in (self._u, self._x))
                motions.show(k, row, self.t, u, x, found[first + k])
        return self._shaped(found)

    def __call__(self, t: npt.ArrayLike) -> tuple[Numbers, Numbers]:
        """q and qd (…, times, n) at times between the samples, by polynomials of degree five through positions, speeds and
        accelerations."""
        at = np.asarray(t, dtype=float)
        if at.size and (at.min() < self.t[0] or at.max() > self.t[-1]):
            raise ShapeError(f"times from {self.t[0]:g} s to {self.t[-1]:g} s are wanted, {at.min():g} s to {at.max():g} s given")
        if self._bend is None:
            self._bend = np.stack([self[row[3]] for row in self.robot._all["speeds"]], axis=-1)
        i = np.clip(np.searchsorted(self.t, at, side="right") - 1, 0, len(self.t) - 2)
        h = (self.t[i + 1] - self.t[i])[..., None]
        s = (at - self.t[i])[..., None] / h
        rate, bend = _of_positions(self.robot, self.q, self.qd, self._bend)
        d = [values[..., k, :] for values in (self.q, rate, bend) for k in (i, i + 1)]
        q0, q1, v0, v1, a0, a1 = d[0], d[1], h * d[2], h * d[3], h * h * d[4], h * h * d[5]
        c3 = 10 * (q1 - q0) - 6 * v0 - 4 * v1 - 1.5 * a0 + 0.5 * a1
        c4 = -15 * (q1 - q0) + 8 * v0 + 7 * v1 + 1.5 * a0 - a1
        c5 = 6 * (q1 - q0) - 3 * v0 - 3 * v1 - 0.5 * a0 + 0.5 * a1
        q = q0 + s * (v0 + s * (a0 / 2 + s * (c3 + s * (c4 + s * c5))))
        qd = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h
        return _of_speeds(self.robot, q, qd)

    def to_frame(self) -> "pandas.DataFrame":
        """A pandas DataFrame: positions and speeds of the joints, the time as its index; of several runs, run and time."""
        from .worlds import frames
        return frames.frame(self)

    def __repr__(self) -> str:
        runs = f"{self.runs} runs, " if self.runs else ""
        how = "" if self.in_lanes or not self.runs else ", one by one"
        return f"Solution of '{self.robot.name}': {runs}{len(self.t)} samples from 0 to {self.t[-1]:g} s{how}"


def _balls(robot: "Robot") -> list[tuple[int, int]]:
    """Where quaternions begin in q, and their angular velocities in qd."""
    return [(row[4], k) for k, row in enumerate(robot._all["speeds"]) if row[5] == 0]


def _product(a: Numbers, b: Numbers) -> Numbers:
    """The product of quaternions w x y z."""
    w = a[..., :1] * b[..., :1] - (a[..., 1:] * b[..., 1:]).sum(axis=-1, keepdims=True)
    return np.concatenate([w, a[..., :1] * b[..., 1:] + b[..., :1] * a[..., 1:] + np.cross(a[..., 1:], b[..., 1:])], axis=-1)


def _pure(v: Numbers) -> Numbers:
    return np.concatenate([np.zeros_like(v[..., :1]), v], axis=-1)


def _of_positions(robot: "Robot", q: Numbers, qd: Numbers, qdd: Numbers) -> tuple[Numbers, Numbers]:
    """First and second derivatives of q from speeds and accelerations: of a quaternion p of length 1 those of (0, w) p / 2."""
    if robot.nq == robot.n:
        return qd, qdd
    rate, bend = np.empty_like(q), np.empty_like(q)
    for k, row in enumerate(robot._all["speeds"]):
        if row[5] < 0:
            rate[..., row[4]], bend[..., row[4]] = qd[..., k], qdd[..., k]
    for at, k in _balls(robot):
        p, w, a = q[..., at:at + 4], qd[..., k:k + 3], qdd[..., k:k + 3]
        rate[..., at:at + 4] = _product(_pure(w), p) / 2
        bend[..., at:at + 4] = _product(_pure(a), p) / 2 - p * (w * w).sum(axis=-1, keepdims=True) / 4
    return rate, bend


def _of_speeds(robot: "Robot", q: Numbers, rate: Numbers) -> tuple[Numbers, Numbers]:
    """q with quaternions of length 1, and the speeds that belong to derivatives of q."""
    if robot.nq == robot.n:
        return q, rate
    qd = np.empty((*q.shape[:-1], robot.n))
    for k, row in enumerate(robot._all["speeds"]):
        if row[5] < 0:
            qd[..., k] = rate[..., row[4]]
    for at, k in _balls(robot):
        p = q[..., at:at + 4]
        length = np.linalg.norm(p, axis=-1, keepdims=True)
        qd[..., k:k + 3] = 2 * _product(rate[..., at:at + 4], p * [1, -1, -1, -1])[..., 1:] / length ** 2
        q[..., at:at + 4] = p / length
    return q, qd


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
             solver: str, tolerance: float, threads: int, out: npt.NDArray[Any] | None) -> Solution:
    """As `Robot.simulate` says."""
    single = _are_single(q, qd, control)
    if not (math.isfinite(period) and period > 0):
        raise Error(f"a control period above zero is wanted, not {period} s")
    lengths = (robot.nq, robot.n)
    start = [as_rows(name, value, length, robot.n) for name, value, length in zip(("q", "qd"), (q, qd), lengths)]
    axes = [robot.lane_shape, *(value.shape[:-1] for value in start)]
    if control is not None and not callable(control):
        axes.append(as_rows("control", control, robot.n, robot.n).shape[:-2])
    try:
        shape = np.broadcast_shapes(*axes)
    except ValueError:
        raise ShapeError(f"leading axes of q, qd, control and the robot's parameters that broadcast are wanted, {axes} given") from None
    runs = int(np.prod(shape, dtype=int))
    start = [np.ascontiguousarray(np.broadcast_to(value, (*shape, length)).reshape(runs, length), dtype=float)
             for value, length in zip(start, lengths)]
    for name, value in zip(("q", "qd"), start):
        if not np.isfinite(value).all():
            raise Error(f"{name}: a motion starts from finite numbers")
    rows, values = _settings(robot, solver, tolerance, shape)
    t = _samples(stop, step)
    wanted = (*shape, len(t), len(robot.states))
    if out is None:
        out = np.empty(wanted, dtype=np.float32 if single else np.float64)
    elif not isinstance(out, np.ndarray) or out.shape != wanted or out.dtype not in (np.float32, np.float64):
        given = f"{out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ShapeError(f"out: {wanted} of float64 or float32 wanted, {given} given")
    u = np.zeros((runs, len(t), robot.n))
    x = _Samples(out, (runs, *wanted[len(shape):]))
    if callable(control):
        in_lanes, faults = _controlled(robot, control, shape, start, rows, values, t, step, x, u, period, threads)
    else:
        times, plan = _plan(robot, control, shape, period, stop)
        follow = _held if len(times) == 1 else _followed
        in_lanes, faults = follow(robot, times, plan, start, rows, values, t, step, x, u, threads)
    solution = Solution(robot, shape, t, out.reshape(runs, *wanted[len(shape):]), u, rows, values, in_lanes, start)
    if faults.first:
        run, time, sentence = faults.first
        which = f"run {run}: " if shape else ""
        more = f" ({faults.count} runs of {runs} ended early)" if faults.count > 1 else ""
        raise SimulationError(f"{which}{sentence}; the motion ended at {time:g} s{more}", robot.source, time=time, solution=solution)
    return solution


def _are_single(*given: Any) -> bool:
    """True if all arrays are in single precision; plain numbers and functions are no arrays."""
    arrays = [value for value in given if isinstance(value, np.ndarray)]
    return bool(arrays) and all(array.dtype == np.float32 for array in arrays)


class _Samples:
    """The caller's array, (runs, samples, states). The extension module writes into it where it can, and else into a part that
    is copied."""

    def __init__(self, out: npt.NDArray[Any], shape: tuple[int, ...]):
        self.whole = out.flags.c_contiguous and out.flags.writeable
        self.direct = self.whole and out.dtype == np.float64
        self.out, self.shape, self.scratch = out, shape, np.empty(0)

    def part(self, part: slice) -> Numbers:
        if self.direct:
            return self.out.reshape(self.shape)[part]
        self.scratch = np.empty((len(range(*part.indices(self.shape[0]))), *self.shape[1:]))
        return self.scratch

    def keep(self, part: slice) -> None:
        if not self.direct:
            axes = self.out.shape[:-2]
            for k, run in enumerate(range(*part.indices(self.shape[0]))):
                self.out[np.unravel_index(run, axes)] = self.scratch[k]


class _Run:
    """Motions on their way, and the samples that they have passed."""

    def __init__(self, motions: Any, t: Numbers, step: float, x: Numbers, u: Numbers, threads: int):
        self.motions, self.t, self.step, self.x, self.u, self.threads = motions, t, step, x, u, threads
        self.done = 0

    def advance(self, end: float, control: Numbers) -> Numbers:
        """On to `end` with these inputs. Returns the states there."""
        held = np.ascontiguousarray(control)
        last = end >= self.t[-1] * (1 - 1e-12)  # but for rounding
        end = float(self.t[-1]) if last else end
        due = len(self.t) if last else max(self.done, int(np.searchsorted(self.t, end * (1 - 1e-12))))
        n = due - self.done + (not last)
        whole = last and self.done == 0  # all samples at once, straight to where they belong
        found = self.x if whole else np.empty((len(self.x), n, self.x.shape[2]))
        self.motions.advance(float(self.done), self.step, n, end, held, found, self.threads)
        if not whole:
            self.x[:, self.done:due] = found[:, :due - self.done]
        self.u[:, self.done:due] = held[:, None]
        self.done = due
        return found[:, -1]


class _Faults:
    """How many runs ended early, and of the first of them its number, the time that it reached, and the sentence."""

    def __init__(self, count: int = 0, first: tuple[int, float, str] | None = None):
        self.count, self.first = count, first

    @classmethod
    def of(cls, motions: Any) -> "_Faults":
        found = motions.faults()
        return cls(len(found), found[0] if found else None)

    def add(self, before: int, found: "_Faults") -> None:
        """Takes over those of a part of all runs, which so many are before."""
        if found.first and not self.first:
            run, time, sentence = found.first
            self.first = before + run, time, sentence
        self.count += found.count


def _held(robot: "Robot", times: Numbers, plan: Numbers, start: list[Numbers], rows: tuple[int, ...], values: Numbers, t: Numbers,
          step: float, x: _Samples, u: Numbers, threads: int) -> tuple[bool, _Faults]:
    """Constant inputs: every lane takes one run after the other."""
    in_lanes, faults = True, _Faults()
    u[:] = plan[:, :1]
    together = max(len(u), 1) if x.whole else _TOGETHER
    for first in range(0, len(u), together):
        part = slice(first, first + together)
        single = x.whole and not x.direct
        target = x.out if single else x.part(part)
        given = [np.ascontiguousarray(value[part], dtype=float) for value in (values, *start, plan[:, 0])]
        lanes, run, time, sentence, failed = robot._run(float(t[-1]), step, rows, *given, target, len(t), x.shape[-1], single, threads)
        in_lanes = in_lanes and lanes
        faults.add(first, _Faults(failed, (run, time, sentence) if failed else None))
        if not single:
            x.keep(part)
    return in_lanes, faults


def _followed(robot: "Robot", times: Numbers, plan: Numbers, start: list[Numbers], rows: tuple[int, ...], values: Numbers, t: Numbers,
              step: float, x: _Samples, u: Numbers, threads: int) -> tuple[bool, _Faults]:
    """Inputs that change at these times."""
    in_lanes, faults = True, _Faults()
    for first in range(0, len(u), _TOGETHER):
        part = slice(first, first + _TOGETHER)
        motions = _core.Motions(robot, len(values[part]), rows, np.ascontiguousarray(values[part]))
        run, inputs = _Run(motions, t, step, x.part(part), u[part], threads), np.ascontiguousarray(plan[part])
        motions.begin(start[0][part], start[1][part], np.ascontiguousarray(inputs[:, 0]))
        for k, end in enumerate([*times[1:], t[-1]]):
            run.advance(min(float(end), float(t[-1])), inputs[:, k])
        x.keep(part)
        in_lanes = in_lanes and motions.in_lanes()
        faults.add(first, _Faults.of(motions))
    return in_lanes, faults


def _controlled(robot: "Robot", control: Callable[[float, Numbers, Numbers], npt.ArrayLike], shape: tuple[int, ...], start: list[Numbers],
                rows: tuple[int, ...], values: Numbers, t: Numbers, step: float, x: _Samples, u: Numbers, period: float,
                threads: int) -> tuple[bool, _Faults]:
    """Inputs that a function gives, once a period for all runs."""
    n, stop, runs = robot.n, float(t[-1]), len(u)
    whole = slice(0, runs)
    motions = _core.Motions(robot, runs, rows, values)
    run = _Run(motions, t, step, x.part(whole), u, threads)
    motions.begin(start[0], start[1], np.zeros((runs, n)))
    now, joints = np.concatenate(start, axis=1), [value.copy() for value in start]
    for k in range(math.ceil(stop / period * (1 - 1e-12))):
        begin, end = k * period, min((k + 1) * period, stop)
        if robot._is_mechanism:
            motions.joints(*joints)
        at = joints if robot._is_mechanism else [now[:, :n], now[:, n:2 * n]]
        given = as_rows("control", control(begin, *(value.reshape(*shape, value.shape[1]) for value in at)), n, n)
        now = run.advance(end, np.ascontiguousarray(np.broadcast_to(given, (*shape, n)).reshape(runs, n), dtype=float))
    x.keep(whole)
    return motions.in_lanes(), _Faults.of(motions)
