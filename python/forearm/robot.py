"""A robot in memory: equations of motion for arrays of states, linearisation, simulation."""

from __future__ import annotations

import html
import os
import pathlib
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import as_rows
from .errors import Error, RobotError, ShapeError, Warning
from .motion import Control, Solution, simulate

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Limits:
    """Limits of the joints as the robot file states them; infinite where it states none. They do not affect the motion."""

    lower: npt.NDArray[np.float64]     # [rad] or [m]
    upper: npt.NDArray[np.float64]
    effort: npt.NDArray[np.float64]    # [N m] or [N]
    velocity: npt.NDArray[np.float64]  # [rad/s] or [m/s]


class Derivatives:
    """Exact derivatives: `d.q[…, i, k]` is that of element i of the answer by q_k; `qd` likewise, and `tau` (of forward
    dynamics) or `qdd` (of inverse dynamics)."""

    def __init__(self, robot: "Robot", forward: bool, at: tuple[Any, ...], found: tuple[npt.NDArray[Any], ...]):
        self.q, self.qd, third = found
        self._third, self._robot, self._forward, self._at = third, robot, forward, at
        setattr(self, "tau" if forward else "qdd", third)

    def parameters(self, names: str | Sequence[str]) -> npt.NDArray[np.float64]:
        """By parameters of the robot: (…, n, number of names). Friction and springs are no part of these equations: by
        their parameters it is zero.

        >>> d = robot.forward_derivatives([0.1, 0.2], [0, 0], [0, 0])
        >>> d.parameters(["payload.mass", "gravity.z"]).shape
        (2, 2)
        """
        robot = self._robot
        rows = tuple(robot._parameter(name) for name in ([names] if isinstance(names, str) else names))
        q, qd, third, wrench = self._at
        if self._forward and robot._is_mechanism:
            return robot._forward_by_parameters(q, qd, third, rows, wrench=wrench)
        qdd = robot.forward(q, qd, third, wrench=wrench) if self._forward else third
        of_torque = robot._parameter_derivatives(q, qd, qdd, rows, wrench=wrench)
        return -self._third @ of_torque if self._forward else of_torque


@dataclass(frozen=True)
class LinearSystem:
    """dx/dt = A x + B u, y = C x + D u for small steps away from one state."""

    A: npt.NDArray[np.float64]
    B: npt.NDArray[np.float64]
    C: npt.NDArray[np.float64]
    D: npt.NDArray[np.float64]
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def select(self, inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None) -> "LinearSystem":
        """The same system with these inputs and outputs alone, by their names."""
        u = [self.inputs.index(name) for name in (self.inputs if inputs is None else inputs)]
        y = [self.outputs.index(name) for name in (self.outputs if outputs is None else outputs)]
        return LinearSystem(self.A, self.B[:, u], self.C[y], self.D[np.ix_(y, u)], self.states,
                            tuple(self.inputs[k] for k in u), tuple(self.outputs[k] for k in y))

    def to_control(self) -> Any:
        """As a `control.StateSpace` with these names."""
        from .worlds import control
        return control.state_space(self)

    def to_scipy(self) -> Any:
        """As a `scipy.signal.StateSpace`."""
        from .worlds import scipy
        return scipy.state_space(self)


class Robot(_core.Robot):
    """A robot; `load` and `loads` make one. It does not change: `with_parameters` gives another one."""

    name: str
    source: str
    joints: tuple[str, ...]
    links: tuple[str, ...]
    frames: tuple[str, ...]
    positions: tuple[str, ...]
    speeds: tuple[str, ...]
    independent: npt.NDArray[np.intp]
    inputs: tuple[str | None, ...]
    states: tuple[str, ...]
    parameters: tuple[str, ...]
    tip: str
    limits: Limits

    @classmethod
    def _made(cls, path: str, text: bytes | None, canonical: bool, tip: str | None = None, lock: Mapping[str, float] | None = None,
              actuators: Path | None = None, strict: bool = False, lenient: bool = False, base: str | None = None,
              independent: Sequence[str] | None = None) -> "Robot":
        if base not in (None, "free", "fixed"):
            raise RobotError(f"a base is 'free' or 'fixed', and not '{base}'", path)
        heard: list[tuple[str | None, int, int, str]] = []
        lock = dict(lock or {})
        robot = cls.__new__(cls, path, text, canonical, tip, tuple(lock), tuple(map(float, lock.values())),
                            None if actuators is None else os.fspath(actuators), strict, lenient, heard, base,
                            None if independent is None else ",".join([independent] if isinstance(independent, str) else independent))
        for file, line, column, sentence in heard:
            warnings.warn(str(Error(sentence, file, line or None, column or None)), Warning, stacklevel=4)
        robot._describe()
        return robot

    def _describe(self) -> None:
        self._all = about = self._info()
        self.name, self.source, self.tip = about["name"], about["source"], about["tip"]
        self.joints = tuple(row[0] for row in about["joints"])
        self.links = tuple(row[1] for row in about["joints"])
        self.limits = Limits(*(np.array([row[k] for row in about["joints"]]) for k in (2, 3, 4, 5)))
        self.frames = tuple(row[0] for row in about["links"])
        self.inputs = tuple(about["inputs"])
        self.positions, self.speeds = (tuple(row[0] for row in about[which]) for which in ("positions", "speeds"))
        self.independent = np.array([k for k, row in enumerate(about["speeds"]) if not row[2]], dtype=np.intp)
        self.states, self.parameters = tuple(about["states"]), tuple(about["parameters"])
        self.lane_shape: tuple[int, ...] = ()
        self._changed: dict[str, npt.NDArray[np.float64]] = {}

    # ------------------------------------------------------------------------------------ names

    @property
    def start(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """q (nq,) and qd (n,) at the start, as the robot's file says and as its loops are closed.

        >>> [values.tolist() for values in robot.start]
        [[0.0, 0.0], [0.0, 0.0]]
        """
        return tuple(np.array([row[1] for row in self._all[which]]) for which in ("positions", "speeds"))  # type: ignore[return-value]

    def close(self, q: npt.ArrayLike, qd: npt.ArrayLike = 0, *,
              threads: int = 1) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Positions (…, nq) and speeds (…, n) of all joints as loops have them, from those of the independent joints; positions
        of the others are where closing begins, and choose the branch. NaN where the loops cannot be closed there.

        >>> robot.close([0.1, 0.2])[0].tolist()
        [0.1, 0.2]
        """
        found = self._closed(q, qd, threads=threads)
        return found[..., :self.nq], found[..., self.nq:]

    @property
    def regressor_columns(self) -> tuple[str, ...]:
        """Names of the columns of `regressor`, as `forearm inverse --regressor` has them.

        >>> robot.regressor_columns[0]
        'link.upper.mass'
        """
        return tuple(f"link.{link}.{name}" for link in self._all["mass_links"] for name in self._all["mass_parameters"])

    @property
    def _is_mechanism(self) -> bool:
        """True if some joint has several freedoms, or there are loops."""
        return bool(self._all["mechanism"])

    def _needs_a_tree(self, what: str) -> None:
        if self._is_mechanism:
            raise RobotError(f"{what} is for trees of joints with one freedom each, and this robot has loops, or joints of several",
                             self.source)

    def order(self, other: str | Sequence[str]) -> npt.NDArray[np.intp]:
        """Where the joints of another order stand in ours: `q[..., r.order(names)]` is q in their order. "pinocchio": depth
        first, and links of one parent by their joints' names.

        >>> robot.order(["elbow", "shoulder"]).tolist()
        [1, 0]
        """
        if isinstance(other, str):
            if other != "pinocchio":
                raise RobotError(f"there is no order '{other}'; give 'pinocchio', or names of joints")
            other = self._depth_first()
        self._needs_a_tree("an order of joints")
        missing = set(self.joints) ^ set(other)
        if missing or len(other) != self.n:
            raise RobotError(f"an order names each joint once, and these are in one of the two alone: {', '.join(sorted(missing))}")
        return np.array([self.joints.index(name) for name in other], dtype=np.intp)

    def _depth_first(self) -> list[str]:
        children: dict[int, list[int]] = {}
        rows = self._all["links"]
        for i, row in enumerate(rows):
            children.setdefault(row[1], []).append(i)
        found: list[str] = []
        todo = sorted(children.get(-1, []), key=lambda i: rows[i][2], reverse=True)
        while todo:
            i = todo.pop()
            if rows[i][4]:
                found.append(rows[i][2])
            todo += sorted(children.get(i, []), key=lambda k: rows[k][2], reverse=True)
        return found

    # ------------------------------------------------------------------------------------ parameters

    def _parameter(self, name: str) -> int:
        row, role = self._row(name)
        if role != "parameter":
            raise RobotError(f"'{name}' is no parameter, and cannot be chosen; r.parameters lists them")
        return row

    def with_parameters(self, values: Mapping[str, npt.ArrayLike]) -> "Robot":
        """Another robot with these parameters. Arrays, which broadcast, give a robot for each element: its leading axes
        broadcast with those of the states.

        >>> heavy = robot.with_parameters({"payload.mass": [0, 1, 2]})
        >>> heavy.gravity_torque([0.1, 0.2]).shape
        (3, 2)
        """
        changed = {**self._changed, **{name: np.asarray(value, dtype=float) for name, value in values.items()}}
        rows = tuple(self._parameter(name) for name in changed)
        try:
            shape = np.broadcast_shapes(*(value.shape for value in changed.values()))
        except ValueError:
            told = ", ".join(f"{name}: {value.shape}" for name, value in changed.items())
            raise ShapeError(f"parameters that broadcast are wanted, {told} given") from None
        lanes = int(np.prod(shape, dtype=int))
        if lanes == 0:
            raise ShapeError(f"parameters of at least one robot are wanted, the shape {shape} given")
        table = np.empty((lanes, len(rows)))
        for k, value in enumerate(changed.values()):
            table[:, k] = np.broadcast_to(value, shape).ravel()
        other = type(self)._made(self.source, self._file(), True)
        other._set_parameters(rows, table, lanes)
        other.lane_shape, other._changed = shape, changed
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (type(self), self.source, self._file(), self._changed)

    def __copy__(self) -> "Robot":
        return self

    def __deepcopy__(self, memo: Any) -> "Robot":
        return self

    # ------------------------------------------------------------------------------------ derivatives

    def forward_derivatives(self, q: npt.ArrayLike, qd: npt.ArrayLike, tau: npt.ArrayLike, *,
                            wrench: npt.ArrayLike | None = None, threads: int = 1) -> Derivatives:
        """Derivatives of accelerations: `.q`, `.qd` and `.tau` (…, n, n), exact, and `.parameters(names)`.

        >>> robot.forward_derivatives([0.1, 0.2], [0, 0], [0, 0]).q.shape
        (2, 2)
        """
        return Derivatives(self, True, (q, qd, tau, wrench),
                           self._forward_derivatives(q, qd, tau, wrench=wrench, threads=threads))

    def inverse_derivatives(self, q: npt.ArrayLike, qd: npt.ArrayLike, qdd: npt.ArrayLike, *,
                            wrench: npt.ArrayLike | None = None, threads: int = 1) -> Derivatives:
        """Derivatives of torques: `.q`, `.qd` and `.qdd` (…, n, n), exact, and `.parameters(names)`.

        >>> robot.inverse_derivatives([0.1, 0.2], [0, 0], [0, 0]).qdd.shape
        (2, 2)
        """
        return Derivatives(self, False, (q, qd, qdd, wrench),
                           self._inverse_derivatives(q, qd, qdd, wrench=wrench, threads=threads))

    def base_parameters(self, states: int = 200, tolerance: float = 1e-9) -> "BaseParameters":
        """The combinations of mass parameters that torques depend on: columns of the regressor from left to right as long
        as they are independent, on random states of this geometry.

        >>> base = robot.base_parameters()
        >>> len(base.columns), base.combinations.shape
        (6, (6, 20))
        """
        random = np.random.default_rng(0)
        if self._is_mechanism:
            raise RobotError("base parameters are found on random states, which loops and quaternions do not have; take "
                             "BaseParameters.of(Y, names, tolerance) of a regressor on states of your own", self.source)
        q, qd, qdd = (random.uniform(-2, 2, (states, self.n)) for _ in range(3))
        return BaseParameters.of(self.regressor(q, qd, qdd).reshape(states * self.n, -1), self.regressor_columns, tolerance)

    # ------------------------------------------------------------------------------------ motions

    def linearise(self, q: npt.ArrayLike, qd: npt.ArrayLike = 0, *, control: npt.ArrayLike = 0) -> LinearSystem:
        """The linear system of small steps away from one state, with everything that acts on the robot; exact. `control`:
        what its inputs are there (`r.inputs`; torques, where no motor stands between).

        >>> system = robot.linearise([0.1, 0.2], control=robot.gravity_torque([0.1, 0.2]))
        >>> system.A.shape, system.states[:2]
        ((4, 4), ('joint.shoulder.position', 'joint.elbow.position'))
        """
        if self.lane_shape:
            raise ShapeError(f"one robot is wanted, parameters of shape {self.lane_shape} given; choose one of them")
        lengths = (self.nq, self.n, self.n)
        at = [np.ascontiguousarray(as_rows(name, value, length, self.n), dtype=np.float64)
              for name, value, length in (("q", q, self.nq), ("qd", qd, self.n), ("control", control, self.n))]
        for name, value, length in zip(("q", "qd", "control"), at, lengths):
            if value.ndim != 1:
                raise ShapeError(f"{name}: ({length},) wanted for one state, {value.shape} given")
        found = self._linearise(*at)
        return LinearSystem(*found[:4], *map(tuple, found[4:]))

    def simulate(self, stop: float, *, q: npt.ArrayLike | None = None, qd: npt.ArrayLike | None = None, step: float = 0.01, control: Control = None,
                 period: float = 0.01, solver: str = "auto", tolerance: float = 1e-8, threads: int = 1,
                 out: npt.NDArray[Any] | None = None) -> Solution:
        """A motion from 0 to `stop` [s] with a sample each `step`, with everything that acts on the robot, events included.
        `q`, `qd`: where it starts, without them at zero, and of a robot with balls, free bodies or loops at `start`; leading
        axes are runs. `control`: None; an array of the joints' inputs, held: (n,), or
        (…, periods, n), a row for each `period`; or a function of t, q, qd that is asked once a period for all runs.

        Runs stay side by side in the lanes of vectors, with parameters and inputs of their own; those of a robot with events,
        contacts, cylinders or forces on links, and those by another solver, go one by one (`sol.in_lanes`). What a run comes to depends on no other. `out`
        (…, samples, len(robot.states)), float64 or float32, takes the states, without a copy where it is a C-contiguous float64;
        without it, arguments that are all float32 give float32. Numbers are double inside.

        >>> sol = robot.simulate(0.1, q=[0.1, 0.2], step=0.05)
        >>> sol.t.tolist(), sol.q.shape, sol["tip.x"].shape
        ([0.0, 0.05, 0.1], (3, 2), (3,))
        """
        begin = self.start if self._is_mechanism else (0, 0)
        q, qd = (begin[k] if value is None else value for k, value in enumerate((q, qd)))
        return simulate(self, stop, q, qd, step, control, period, solver, tolerance, threads, out)

    # ------------------------------------------------------------------------------------ for people

    def __repr__(self) -> str:
        rows = [("#", "joint", "type", "link", "lower", "upper", "effort", "velocity", "acts")]
        by_joint = {row[2]: row for row in self._all["links"]}
        numbers = zip(self.limits.lower, self.limits.upper, self.limits.effort, self.limits.velocity)
        for k, (joint, link, limits) in enumerate(zip(self.joints, self.links, numbers)):
            acts = [word for word in by_joint[joint][6] if word not in ("limit", "rotor")]
            rows.append((str(k), joint, by_joint[joint][3], link,
                         *(f"{x:.4g}" if np.isfinite(x) else "-" for x in limits), ", ".join(acts) or "-"))
        width = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, width)).rstrip() for row in rows]
        g = " ".join(f"{x:g}" for x in self._all["gravity"])
        freedoms = f", {len(self.independent)} freedoms" if self._is_mechanism else ""
        head = f"Robot '{self.name}': {len(self.joints)} joints{freedoms}, tip at link '{self.tip}', gravity {g} m/s²"
        changed = [f"with {name} = {value.tolist()}" for name, value in self._changed.items()]
        follow = [f"{row[2]} follows {row[5]}" for row in self._all["links"] if row[5]]
        return "\n".join([head, *changed, *lines, *follow])

    def _repr_html_(self) -> str:
        return f"{self._drawing()}<pre>{html.escape(repr(self))}</pre>"

    def _drawing(self) -> str:
        """The frames of its links at q = 0, or at the start, each joined to its parent's, seen from the side and above."""
        rows = self._all["links"]
        one = self if not self.lane_shape else type(self)._made(self.source, self._file(), True)
        at_start = self.start[0] if self._is_mechanism else np.zeros(self.n)
        at = np.array([one.pose(at_start, frame=row[0])[:3, 3] for row in rows])
        view = np.array([[0.87, -0.5, 0.0], [-0.25, -0.43, 0.87]])
        flat = at @ view.T * [1, -1]
        low, high = flat.min(axis=0), flat.max(axis=0)
        size = max(float((high - low).max()), 1e-3)
        flat = (flat - low) / size * 220 + 20
        width, height = (high - low) / size * 220 + 40
        lines = [f'<line x1="{flat[row[1]][0]:.1f}" y1="{flat[row[1]][1]:.1f}" x2="{flat[i][0]:.1f}" y2="{flat[i][1]:.1f}" '
                 'stroke="#4477aa" stroke-width="5" stroke-linecap="round"/>' for i, row in enumerate(rows) if row[1] >= 0]
        dots = [f'<circle cx="{flat[i][0]:.1f}" cy="{flat[i][1]:.1f}" r="5" fill="#cc6677"><title>{html.escape(row[2])}</title>'
                '</circle>' for i, row in enumerate(rows) if row[3] != "-"]
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" role="img" '
                f'aria-label="{html.escape(self.name)}">{"".join(lines)}{"".join(dots)}</svg>')


@dataclass(frozen=True)
class BaseParameters:
    """Which mass parameters torques depend on: element (i, k) of `combinations` is how much of column k is in base
    parameter i, whose pivot is `columns[i]`."""

    columns: tuple[str, ...]
    pivots: npt.NDArray[np.intp]
    combinations: npt.NDArray[np.float64]
    names: tuple[str, ...]

    @classmethod
    def of(cls, Y: npt.NDArray[np.float64], names: tuple[str, ...], tolerance: float) -> "BaseParameters":
        """Selects the base parameters: the columns of a regressor Y that are independent of those before."""
        scale = np.linalg.norm(Y, axis=0)
        least = tolerance * max(float(scale.max()), 1.0)
        chosen: list[int] = []
        basis = np.empty((Y.shape[0], 0))
        for k in range(Y.shape[1]):
            rest = Y[:, k] - basis @ (basis.T @ Y[:, k])
            rest -= basis @ (basis.T @ rest)  # once more, against rounding
            size = float(np.linalg.norm(rest))
            if scale[k] > least and size > tolerance * scale[k]:
                chosen.append(k)
                basis = np.column_stack([basis, rest / size])
        combinations = np.linalg.lstsq(Y[:, chosen], Y, rcond=None)[0]
        combinations[np.abs(combinations) < 10 * tolerance] = 0
        combinations[:, chosen] = np.eye(len(chosen))
        return cls(tuple(names[k] for k in chosen), np.array(chosen, dtype=np.intp), combinations, names)


def _restore(cls: type[Robot], source: str, text: bytes, changed: dict[str, npt.NDArray[np.float64]]) -> Robot:
    robot = cls._made(source, text, True)
    return robot.with_parameters(changed) if changed else robot


def load(path: Path, *, tip: str | None = None, lock: Mapping[str, float] | None = None, actuators: Path | None = None,
         strict: bool = False, lenient: bool = False, base: str | None = None, independent: Sequence[str] | None = None) -> Robot:
    """A robot from a file: URDF, xacro, our XML, MJCF, SDFormat, or an FMU that Forearm made. `tip`: the link that is the
    tip; `lock`: joints to be fixed, and where; `actuators`: a side file with what acts at the joints; `base`: "free" or
    "fixed", what holds the root link; `independent`: joints that are free where loops determine others."""
    path = os.fspath(path)
    if pathlib.Path(path).suffix.lower() == ".fmu":
        if tip or lock or actuators or base or independent:
            raise RobotError("tip, locked joints, actuators, base and independent joints of an FMU are settled; load the robot file", path)
        try:
            with zipfile.ZipFile(path) as archive:
                text = archive.read("resources/robot.forearm")
        except (OSError, KeyError, zipfile.BadZipFile) as fault:
            raise RobotError(f"no robot can be read from this FMU: {fault}", path) from None
        return Robot._made(path, text, True)
    return Robot._made(path, None, False, tip, lock, actuators, strict, lenient, base, independent)


def loads(text: str | bytes, name: str = "robot", *, tip: str | None = None, lock: Mapping[str, float] | None = None,
          actuators: Path | None = None, strict: bool = False, lenient: bool = False, base: str | None = None,
          independent: Sequence[str] | None = None) -> Robot:
    """A robot from a file's text; `name` stands for the file in messages."""
    if isinstance(text, str):
        text = text.encode()
    return Robot._made(name, text, False, tip, lock, actuators, strict, lenient, base, independent)


# For users of Pinocchio.
aliases = SimpleNamespace(aba=Robot.forward, rnea=Robot.inverse, crba=Robot.mass_matrix)
