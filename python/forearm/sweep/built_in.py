"""Runs some of a study's runs by `forearm runs`, many at once, in a process that may be anywhere.

The FMU comes as bytes: what the program reads of it is the robot. It is written to disk once in each process.
"""

from __future__ import annotations

import atexit
import csv
import hashlib
import io
import pathlib
import shutil
import tempfile
from typing import Any, Callable, Iterable, Mapping

import numpy

from .. import program
from ..errors import Error
from .study import Study
from .worker import die_if_told

DEATHS = 3  # of the program, until a run that it was alone with is given up

_written: dict[str, pathlib.Path] = {}


def path_of(fmu: bytes) -> pathlib.Path:
    key = hashlib.sha256(fmu).hexdigest()
    if key not in _written:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="forearm-sweep-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        path = folder / "robot.fmu"
        path.write_bytes(fmu)
        _written[key] = path
    return _written[key]


def table_of(names: Iterable[str], values: Iterable[Mapping[str, float]]) -> str:
    names = list(names)
    lines = [",".join(names), *(",".join(repr(float(row[name])) for name in names) for row in values)]
    return "\n".join(lines) + "\n"


def answer_of(*words: Any, table: str) -> str | None:
    """Returns the output of the program; None if it crashed."""
    try:
        return program.run(*words, table=table, heard=[])
    except Error as error:
        if error.code is not None and error.code < 0:
            return None
        raise


def _ask(fmu: bytes, study: Study, names: Iterable[str], values: Iterable[Mapping[str, float]]) -> str | None:
    """Returns the output of the program for a table of runs; None if it crashed."""
    said = program.options([
        ("stop", repr(study.stop)), ("step", repr(study.step)), ("variables", ",".join(study.outputs) or None),
        ("keep", study.keep if isinstance(study.keep, str) else ",".join(study.keep)),
        ("set", {name: float(value) for name, value in study.start.items()})])
    return answer_of("runs", path_of(fmu), "--in", "-", *said, table=table_of(names, values))


def raise_refusal(ask: Callable[..., str | None], fmu: bytes, study: Study, names: Iterable[str]) -> None:
    """Asks the program about no runs, and raises its refusal of the study with the place of the name that it refuses."""
    try:
        ask(fmu, study, names, [])
    except Error as error:
        about = next((name for name in study.start if f"'{name}'" in error.message), None)
        raise study.fault(error.message, *(("start", about) if about else ())) from None


def check(fmu: bytes, study: Study, names: Iterable[str]) -> None:
    """Raises the program's refusal of a study, before the first run."""
    raise_refusal(_ask, fmu, study, names)


def _rows(text: str, study: Study, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """Rows of the result from the program's: a line for each run, or for each sample of each run."""
    lines = csv.reader(io.StringIO(text))
    head = next(lines)
    first = head.index("message") + 1  # of what is kept
    rows: list[dict[str, Any]] = []
    samples: list[list[list[str]]] = []
    for line in lines:
        if len(rows) == int(line[0]):
            run, start = runs[len(rows)]
            rows.append({"run": run, **start, "status": line[first - 2], "message": line[first - 1], "attempts": 1})
            samples.append([])
        samples[-1].append(line[first:])
    for row, kept in zip(rows, samples):
        if row["status"] != "done":
            continue
        columns = {name: numpy.array(column, float) for name, column in zip(head[first:], zip(*kept))}
        if isinstance(study.keep, str):  # "all"
            row["samples"] = columns
        else:
            row.update((name, float(column[0])) for name, column in columns.items())
    return rows


def run_some(fmu: bytes, study: Study, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """As worker.run_some."""
    return cut_until_done(_ask, _rows, fmu, study, runs)


def cut_until_done(ask: Callable[..., str | None], rows: Callable[..., list[dict[str, Any]]], fmu: bytes, study: Study,
                   runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """Asks the program for runs. Where it dies, they are cut in two until the one is alone that it dies of."""
    for run, _ in runs:
        die_if_told(run)
    for _ in range(DEATHS if len(runs) == 1 else 1):
        text = ask(fmu, study, runs[0][1], (start for _, start in runs))
        if text is not None:
            return rows(text, study, runs)
    if len(runs) == 1:
        run, start = runs[0]
        return [{"run": run, **start, "status": "failed", "attempts": DEATHS,
                 "message": f"the process that ran it died, {DEATHS} times"}]
    half = len(runs) // 2
    return [row for part in (runs[:half], runs[half:]) for row in cut_until_done(ask, rows, fmu, study, part)]
