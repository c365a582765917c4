"""What a study file says.

    robot = "arm.xml"                  # or fmu = "arm.fmu", ours or another's
    stop = 5.0                         # [s]
    step = 0.01                        # between samples of the result [s]
    outputs = ["tip.x", "tip.z"]       # all outputs if not said
    keep = ["last", "max"]             # of each output: last, first, min, max, mean; or "all": every sample

    [start]                            # the same in all runs
    "joint.waist.initial_position" = 0.3

    [design]
    kind = "grid"                      # grid, latin-hypercube, or list
    [design.of]
    "payload.mass" = [0.0, 1.0, 2.0]                  # values …
    "gravity.z" = { from = -10.0, to = -9.0, n = 5 }  # … or a range
"""

from __future__ import annotations

import hashlib
import json
import math
import pathlib
import tomllib
from dataclasses import dataclass, field
from typing import Any

from ..errors import Error

KINDS = ("grid", "latin-hypercube", "list")
SUMMARIES = ("first", "last", "min", "max", "mean")
TYPES = ("CoSimulation", "ModelExchange")


@dataclass(frozen=True)
class Study:
    path: pathlib.Path
    source: pathlib.Path                   # of the robot or the FMU
    is_robot: bool
    stop: float
    step: float
    type: str = "CoSimulation"
    tolerance: float | None = None         # of FMPy's solver
    outputs: tuple[str, ...] = ()          # empty: all
    keep: tuple[str, ...] | str = ("last",)
    retries: int = 1                       # further attempts at a run that fails
    start: dict[str, float] = field(default_factory=dict)
    kind: str = "grid"
    runs: int | None = None                # of a Latin hypercube
    seed: int = 0
    of: dict[str, Any] = field(default_factory=dict)

    def identity(self, fmu: bytes) -> str:
        """Equal for two studies exactly if their results are."""
        said = {name: value for name, value in vars(self).items() if name not in ("path", "source", "retries")}
        text = json.dumps(said, sort_keys=True, default=str)
        return hashlib.sha256(text.encode() + b"\0" + fmu).hexdigest()


class _Reader:
    """Takes keys out of a table; what is left at the end is not known."""

    def __init__(self, path: pathlib.Path, table: dict[str, Any], name: str = ""):
        self.path, self.table, self.name = path, dict(table), name

    def fail(self, sentence: str) -> Error:
        return Error(sentence, str(self.path))

    def take(self, key: str, kind: type | tuple[type, ...], what: str, default: Any = ...) -> Any:
        if key not in self.table:
            if default is ...:
                raise self.fail(f"'{self.name}{key}' is not there; say {what}")
            return default
        value = self.table.pop(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fail(f"'{self.name}{key}' is {value!r}; it must be {what}")
        return value

    def positive(self, key: str, what: str, default: Any = ...) -> Any:
        value = self.take(key, (int, float), f"{what}, above zero", default)
        if value is not None and value is not default and not 0 < value < math.inf:
            raise self.fail(f"'{self.name}{key}' is {value!r}; it must be {what}, above zero")
        return value

    def choice(self, key: str, words: tuple[str, ...], default: str) -> str:
        value = self.take(key, str, " or ".join(words), default)
        if value not in words:
            raise self.fail(f"'{self.name}{key}' is {value!r}; it can be {', '.join(words)}")
        return value

    def end(self) -> None:
        for key in self.table:
            raise self.fail(f"there is no key '{self.name}{key}' in a study; docs/sweep.md lists them")


def _numbers(reader: _Reader, table: dict[str, Any], name: str) -> dict[str, float]:
    for key, value in table.items():
        if not isinstance(value, (int, float)):
            raise reader.fail(f"'{name}{key}' is {value!r}; it must be a number")
    return {key: float(value) if isinstance(value, float) else value for key, value in table.items()}


def _keep(reader: _Reader) -> tuple[str, ...] | str:
    value = reader.take("keep", (str, list), "what to keep of each output", ["last"])
    if value == "all":
        return "all"
    words = [value] if isinstance(value, str) else value
    for word in words:
        if word not in SUMMARIES:
            raise reader.fail(f"'keep' names {word!r}; it can be \"all\" or some of {', '.join(SUMMARIES)}")
    return tuple(words)


def read_study(path: str | pathlib.Path) -> Study:
    path = pathlib.Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Error(f"cannot read it: {error.strerror}", str(path)) from None
    except UnicodeDecodeError:
        raise Error("it is not UTF-8; save it as UTF-8", str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise Error(f"it is no TOML: {error}", str(path)) from None

    reader = _Reader(path, table)
    robot = reader.take("robot", str, "the robot file", None)
    fmu = reader.take("fmu", str, "the FMU", None)
    if (robot is None) == (fmu is None):
        raise reader.fail("it must name either a robot or an fmu")
    design = _Reader(path, reader.take("design", dict, "the parameters of the runs"), "design.")
    start = reader.take("start", dict, "numbers by the names of variables", {})
    outputs = reader.take("outputs", list, "a list of names of variables", [])
    if not all(isinstance(name, str) for name in outputs):
        raise reader.fail("'outputs' must be a list of names of variables")
    kind = design.choice("kind", KINDS, "grid")
    of = design.take("of", dict, "values or ranges by the names of variables")
    study = Study(
        path=path,
        source=path.parent / (robot or fmu),
        is_robot=robot is not None,
        stop=float(reader.positive("stop", "the time to stop at in seconds")),
        step=float(reader.positive("step", "the time between samples in seconds")),
        type=reader.choice("type", TYPES, "CoSimulation"),
        tolerance=reader.positive("tolerance", "the tolerance of FMPy's solver", None),
        outputs=tuple(outputs),
        keep=_keep(reader),
        retries=reader.take("retries", int, "a whole number", 1),
        start=_numbers(reader, start, "start."),
        kind=kind,
        runs=design.positive("runs", "the number of runs", None),
        seed=design.take("seed", int, "a whole number", 0),
        of=of,
    )
    reader.end()
    design.end()
    if not of:
        raise reader.fail("'design.of' names no parameter; say which ones change")
    if (kind == "latin-hypercube") != (study.runs is not None):
        raise reader.fail("'design.runs' is the number of runs of a latin-hypercube, and of nothing else")
    if study.runs is not None and not isinstance(study.runs, int):
        raise reader.fail(f"'design.runs' is {study.runs!r}; it must be a whole number")
    for name in study.start.keys() & of.keys():
        raise reader.fail(f"'{name}' is both in start and in design.of; keep one of them")
    return study
