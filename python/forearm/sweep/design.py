"""Which values the parameters of each run have: a table with one line per run.

The values of a run depend on the study alone, not on who runs it, when, or after what.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy

from ..errors import Error
from .study import Study, is_number

RUNS_MAX = 100_000_000


def _fail(study: Study, sentence: str, *name: str) -> Error:
    return study.fault(sentence, "design", "of", *name)


def _range(study: Study, name: str, said: Any, with_count: bool) -> tuple[float, float, int]:
    keys = {"from", "to", "n"} if with_count else {"from", "to"}
    if not isinstance(said, dict) or set(said) != keys or not all(
            is_number(value) for value in said.values()):
        wanted = ", ".join(f"{key} = …" for key in ("from", "to", "n") if key in keys)
        raise _fail(study, f"'design.of.{name}' is {said!r}; it must be {{ {wanted} }}", name)
    low, high = float(said["from"]), float(said["to"])
    if not low <= high:
        raise _fail(study, f"'design.of.{name}' runs from {low} to {high}, which is backwards", name)
    count = said.get("n", 1)
    if not isinstance(count, int) or count < 1:
        raise _fail(study, f"'design.of.{name}' has n = {count!r}; it must be a whole number above zero", name)
    return low, high, count


def _values(study: Study, name: str, said: Any) -> list[float]:
    if isinstance(said, list):
        if not said or not all(map(is_number, said)):
            raise _fail(study, f"'design.of.{name}' must be a list of finite numbers with at least one", name)
        return said
    low, high, count = _range(study, name, said, with_count=True)
    return [float(value) for value in numpy.linspace(low, high, count)]


class Design:
    """names, n, and `values(i)`: the start values of run i."""

    def __init__(self, study: Study):
        self._study = study
        self.names = list(study.of)
        if study.kind == "latin-hypercube":
            ranges = [_range(study, name, said, with_count=False) for name, said in study.of.items()]
            self.n = study.runs or 0
            self._bound()
            self._columns = self._hypercube(ranges, self.n, study.seed)
            return
        self._columns = [_values(study, name, said) for name, said in study.of.items()]
        if study.kind == "list":
            lengths = {len(column) for column in self._columns}
            if len(lengths) > 1:
                shown = ", ".join(f"{name} {len(column)}" for name, column in zip(self.names, self._columns))
                raise _fail(study, f"the lists of design.of must be equally long, and are: {shown}")
            self.n = lengths.pop()
            return
        self.n = math.prod(len(column) for column in self._columns)
        self._bound()
        self._grid = True

    _grid = False

    def _bound(self) -> None:
        if self.n > RUNS_MAX:
            raise _fail(self._study, f"the design has {self.n} runs; {RUNS_MAX} are the most")

    def column(self, name: str) -> list[Any]:
        """All values that a name takes."""
        return self._columns[self.names.index(name)]

    @staticmethod
    def _hypercube(ranges: list[tuple[float, float, int]], n: int, seed: int) -> list[Any]:
        """One sample in each of n equal parts of every range, the parts in random order."""
        columns = []
        for i, (low, high, _) in enumerate(ranges):
            random = numpy.random.Generator(numpy.random.PCG64([seed, i]))
            columns.append(low + (high - low) * (random.permutation(n) + random.random(n)) / n)
        return columns

    def values(self, run: int) -> dict[str, float]:
        if not self._grid:
            return {name: column[run] if not hasattr(column, "item") else float(column[run])
                    for name, column in zip(self.names, self._columns)}
        values = {}
        for name, column in zip(reversed(self.names), reversed(self._columns)):
            run, place = divmod(run, len(column))
            values[name] = column[place]  # the last name turns fastest
        return dict(reversed(values.items()))


def all_values(design: Design) -> list[dict[str, float]]:
    return [design.values(run) for run in itertools.islice(itertools.count(), design.n)]
