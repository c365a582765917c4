"""Robots within CasADi: functions of its expressions, with exact Jacobians."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import need

casadi = need("casadi", "forearm.casadi")

if TYPE_CHECKING:
    from ..robot import Robot

_NAMES = {"forward": ("q", "qd", "tau", "qdd"), "inverse": ("q", "qd", "qdd", "tau")}


class _Function(casadi.Callback):  # type: ignore[misc, name-defined]
    """Values, or the Jacobian of them: three inputs of n numbers; a Jacobian takes the answer as a fourth."""

    def __init__(self, name: str, robot: "Robot", kind: str, slopes: bool, options: dict[str, Any]):
        casadi.Callback.__init__(self)
        self.robot, self.kind, self.slopes = robot, kind, slopes
        self.construct(name, options)

    def get_n_in(self) -> int:
        return 4 if self.slopes else 3

    def get_n_out(self) -> int:
        return 3 if self.slopes else 1

    def get_sparsity_in(self, i: int) -> Any:
        return casadi.Sparsity.dense(self.robot.n, 1)

    def get_sparsity_out(self, i: int) -> Any:
        return casadi.Sparsity.dense(self.robot.n, self.robot.n if self.slopes else 1)

    def get_name_in(self, i: int) -> str:
        names = _NAMES[self.kind]
        return names[i] if i < 3 else f"out_{names[3]}"

    def get_name_out(self, i: int) -> str:
        names = _NAMES[self.kind]
        return f"jac_{names[3]}_{names[i]}" if self.slopes else names[3]

    def eval(self, arguments: Any) -> Any:
        at = [np.array(argument).ravel() for argument in arguments[:3]]
        if not self.slopes:
            return [casadi.DM(getattr(self.robot, self.kind)(*at))]
        d = getattr(self.robot, f"{self.kind}_derivatives")(*at)
        return [casadi.DM(d.q), casadi.DM(d.qd), casadi.DM(d.tau if self.kind == "forward" else d.qdd)]

    def has_jacobian(self) -> bool:
        return not self.slopes

    def get_jacobian(self, name: str, inames: Any, onames: Any, options: Any) -> Any:
        self.kept = _Function(name, self.robot, self.kind, True, options)
        return self.kept


def external(robot: "Robot", kind: str = "forward", name: str = "") -> Any:
    """A CasADi function (q, qd, tau) -> qdd of the robot, or with kind="inverse" (q, qd, qdd) -> tau; its Jacobian is exact.
    Keep what it gives as long as expressions use it."""
    if kind not in _NAMES:
        raise ValueError(f"there is no function '{kind}'; use 'forward' or 'inverse'")
    robot._needs_a_tree("forearm.casadi")
    return _Function(name or f"{kind}_dynamics", robot, kind, False, {})
