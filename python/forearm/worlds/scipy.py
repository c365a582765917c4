"""Robots for scipy: right-hand sides for its integrators, linear systems for scipy.signal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .._arrays import as_rows
from . import need

if TYPE_CHECKING:
    from ..robot import LinearSystem, Robot

Numbers = npt.NDArray[np.float64]


def state_space(system: "LinearSystem") -> Any:
    """A scipy.signal.StateSpace."""
    return need("scipy.signal", "to_scipy").StateSpace(system.A, system.B, system.C, system.D)


class Rhs:
    """dx/dt of x = (q, qd) for scipy.integrate.solve_ivp, by a robot's rigid-body equations; `jac` is its exact Jacobian."""

    def __init__(self, robot: "Robot", torque: npt.ArrayLike | Callable[[float, Numbers, Numbers], npt.ArrayLike]):
        robot._needs_a_tree("a right-hand side of q and qd")
        self.robot, self.torque = robot, torque

    def _torque(self, t: float, q: Numbers, qd: Numbers) -> Numbers:
        given = self.torque(t, q, qd) if callable(self.torque) else self.torque
        return as_rows("torque", given, self.robot.n, self.robot.n)

    def __call__(self, t: float, x: Numbers) -> Numbers:
        rows = np.moveaxis(np.asarray(x, dtype=float), 0, -1)
        q, qd = rows[..., :self.robot.n], rows[..., self.robot.n:]
        qdd = self.robot.forward(q, qd, self._torque(t, q, qd))
        return np.moveaxis(np.concatenate([qd, qdd], axis=-1), -1, 0)

    def jac(self, t: float, x: Numbers) -> Numbers:
        """The derivatives by x (2 n, 2 n) with the torque held, as solve_ivp(..., jac=f.jac) takes them."""
        n = self.robot.n
        q, qd = np.asarray(x, dtype=float)[:n], np.asarray(x, dtype=float)[n:]
        d = self.robot.forward_derivatives(q, qd, self._torque(t, q, qd))
        return np.block([[np.zeros((n, n)), np.eye(n)], [d.q, d.qd]])


def rhs(robot: "Robot", torque: npt.ArrayLike | Callable[[float, Numbers, Numbers], npt.ArrayLike] = 0.0) -> Rhs:
    """A right-hand side for scipy.integrate.solve_ivp: x is (q, qd). `torque`: held, or a function of t, q, qd. Takes several
    states at once (`vectorized=True`). Friction and springs, which `Robot.simulate` has, are no part of it.

    >>> f = fa.scipy.rhs(robot, torque=[1.0, 0.0])
    >>> f(0.0, np.zeros(4)).shape, f.jac(0.0, np.zeros(4)).shape
    ((4,), (4, 4))
    """
    return Rhs(robot, torque)
