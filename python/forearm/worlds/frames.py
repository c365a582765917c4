"""Solutions as tables of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import need

if TYPE_CHECKING:
    from ..motion import Solution


def frame(solution: "Solution") -> Any:
    """A DataFrame with the joints' positions and speeds; its index is the time, or run (by each leading axis) and time."""
    pandas = need("pandas", "to_frame")
    columns = [*solution.robot.positions, *solution.robot.speeds]
    values = np.concatenate([solution.q, solution.qd], axis=-1).reshape(-1, len(columns))
    if not solution.runs:
        index = pandas.Index(solution.t, name="time")
    else:
        names = ["run"] if len(solution.runs) == 1 else [f"run.{k}" for k in range(len(solution.runs))]
        index = pandas.MultiIndex.from_product([*(range(n) for n in solution.runs), solution.t], names=[*names, "time"])
    return pandas.DataFrame(values, index=index, columns=columns)
