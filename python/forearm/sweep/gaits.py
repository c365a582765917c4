"""A map of a snake's gaits: a study whose runs are settled gaits, by `forearm gait`, and which of them are best.

    robot = "eel.xml"
    periods_most = 50                  # of a gait that does not settle
    stability = true                   # the largest Floquet multiplier, too

    [start]                            # the same in all gaits
    "gait.frequency" = 3.0

    [design.of]
    "gait.amplitude" = { from = 0.1, to = 0.9, n = 9 }
    "gait.shift" = [0.4, 0.7, 1.0]
"""

from __future__ import annotations

import csv
import io
import pathlib
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Sequence

from .. import program
from .built_in import answer_of, cut_until_done, path_of, raise_refusal, table_of
from .study import Study, read_table, study_of


@dataclass(frozen=True)
class GaitStudy(Study):
    periods_most: int = 50
    stability: bool = False


def read_gait_study(path: str | pathlib.Path) -> GaitStudy:
    reader = read_table(path, ("robot", "periods_most", "stability", "start", "design"))
    periods = reader.take("periods_most", int, "a whole number of periods", 50)
    if periods < 1:
        raise reader.fail(f"'periods_most' is {periods!r}; it must be a whole number above zero", "periods_most")
    stability = reader.table.get("stability", False)
    if not isinstance(stability, bool):
        raise reader.fail(f"'stability' is {stability!r}; it must be true or false", "stability")
    robot = reader.take("robot", str, "the robot file")
    return study_of(reader, GaitStudy, source=reader.path.parent / robot, is_robot=True, stop=1.0, step=1.0, integrator="gait",
                    periods_most=periods, stability=stability)


def _ask(fmu: bytes, study: GaitStudy, names: Iterable[str], values: Iterable[Mapping[str, float]]) -> str | None:
    said = program.options([("periods", study.periods_most), ("stability", study.stability),
                            ("set", {name: float(value) for name, value in study.start.items()})])
    return answer_of("gait", path_of(fmu), "--in", "-", *said, table=table_of(names, values))


def check(fmu: bytes, study: GaitStudy, names: Iterable[str]) -> None:
    """Raises the program's refusal of a study, before the first run."""
    raise_refusal(_ask, fmu, study, names)


def _rows(text: str, study: GaitStudy, runs: Sequence[tuple[int, Mapping[str, float]]]) -> list[dict[str, Any]]:
    lines = csv.reader(io.StringIO(text))
    head = next(lines)
    first = head.index("message") + 1
    return [{"run": run, **start, "status": line[first - 2], "message": line[first - 1], "attempts": 1,
             **{name: float(field) if field else None for name, field in zip(head[first:], line[first:])}}
            for (run, start), line in zip(runs, lines)]


def run_some(fmu: bytes, study: GaitStudy, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """As worker.run_some."""
    return cut_until_done(_ask, _rows, fmu, study, runs)


def best(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Returns the gaits to be marked, by their place in `rows`: the fastest, the cheapest, and the front between, of which none is
    faster and cheaper than another. Backwards is as fast as forwards; what has not settled is no gait."""
    good = [i for i, row in enumerate(rows) if row["status"] == "done" and row["settled"] == 1]
    if not good:
        return {"fastest": [], "cheapest": [], "front": []}

    def speed(i: int) -> float:
        return abs(rows[i]["speed"])

    def cost(i: int) -> float:
        return rows[i]["cost_of_transport"]

    front, least = [], float("inf")
    for i in sorted(good, key=lambda i: (-speed(i), cost(i), i)):
        if cost(i) < least:
            front.append(i)
            least = cost(i)
    return {"fastest": front[:1], "cheapest": front[-1:], "front": front}
