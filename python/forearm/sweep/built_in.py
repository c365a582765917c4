"""Runs some of a study's runs by `forearm runs`, many at once, in a process that may be anywhere.

The FMU comes as bytes: what the program reads of it is the robot. It is written to disk once in each process.
"""

from __future__ import annotations

import atexit
import hashlib
import pathlib
import shutil
import tempfile
from typing import Any, Callable, Iterable, Mapping

import numpy

from .. import program
from ..errors import Error
from .study import Study
from .worker import die_if_told

Arrays = dict[str, Any]  # of numpy, by the names of columns

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


def _ask(fmu: bytes, study: Study, names: Iterable[str], values: Iterable[Mapping[str, float]]) -> Arrays | None:
    """Returns the program's arrays for a table of runs; None if it crashed."""
    said = program.options([
        ("stop", repr(study.stop)), ("step", repr(study.step)), ("variables", ",".join(study.outputs) or None),
        ("keep", study.keep if isinstance(study.keep, str) else ",".join(study.keep)),
        ("set", {name: float(value) for name, value in study.start.items()})])
    robot = path_of(fmu)
    with tempfile.TemporaryDirectory(dir=robot.parent) as folder:
        path = pathlib.Path(folder) / "runs.npz"
        if answer_of("runs", robot, "--in", "-", "-o", path, *said, table=table_of(names, values)) is None:
            return None
        with numpy.load(path) as arrays:
            return dict(arrays)


def raise_refusal(ask: Callable[..., Any], fmu: bytes, study: Study, names: Iterable[str]) -> None:
    """Asks the program about no runs, and raises its refusal of the study with the place of the name that it refuses."""
    try:
        ask(fmu, study, names, [])
    except Error as error:
        about = next((name for name in study.start if f"'{name}'" in error.message), None)
        raise study.fault(error.message, *(("start", about) if about else ())) from None


def check(fmu: bytes, study: Study, names: Iterable[str]) -> None:
    """Raises the program's refusal of a study, before the first run."""
    raise_refusal(_ask, fmu, study, names)


def _rows(arrays: Arrays, study: Study, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """Rows of the result from the program's arrays: one for each run."""
    rows: list[dict[str, Any]] = []
    given = set(runs[0][1])
    kept = [name for name in arrays if name not in given and name not in ("run", "status", "message", "time")]
    for k, (run, start) in enumerate(runs):
        row: dict[str, Any] = {"run": run, **start, "status": str(arrays["status"][k]), "message": str(arrays["message"][k]), "attempts": 1}
        rows.append(row)
        if row["status"] != "done":
            continue
        if isinstance(study.keep, str):  # "all"
            time = arrays["time"]
            inputs = {name: numpy.full(len(time), start[name]) for name in study.outputs if name in given}
            row["samples"] = {"time": time, **{name: arrays[name][k] for name in kept}, **inputs}
        else:
            row.update((name, float(arrays[name][k])) for name in kept)
    return rows


def run_some(fmu: bytes, study: Study, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """As worker.run_some."""
    return cut_until_done(_ask, _rows, fmu, study, runs)


def cut_until_done(ask: Callable[..., Any], rows: Callable[..., list[dict[str, Any]]], fmu: bytes, study: Study,
                   runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """Asks the program for runs. Where it dies, they are cut in two until the one is alone that it dies of."""
    for run, _ in runs:
        die_if_told(run)
    for _ in range(DEATHS if len(runs) == 1 else 1):
        found = ask(fmu, study, runs[0][1], (start for _, start in runs))
        if found is not None:
            return rows(found, study, runs)
    if len(runs) == 1:
        run, start = runs[0]
        return [{"run": run, **start, "status": "failed", "attempts": DEATHS,
                 "message": f"the process that ran it died, {DEATHS} times"}]
    half = len(runs) // 2
    return [row for part in (runs[:half], runs[half:]) for row in cut_until_done(ask, rows, fmu, study, part)]
