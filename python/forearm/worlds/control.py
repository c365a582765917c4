"""Linear systems as those of python-control."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import need

if TYPE_CHECKING:
    from ..robot import LinearSystem


def state_space(system: "LinearSystem") -> Any:
    """A control.StateSpace; dots in names become underscores, which that package keeps for itself."""
    control = need("control", "to_control")
    named = {key: [name.replace(".", "_") for name in names]
             for key, names in (("states", system.states), ("inputs", system.inputs), ("outputs", system.outputs))}
    return control.ss(system.A, system.B, system.C, system.D, **named)
