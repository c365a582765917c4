"""The contents of a study file.

    robot = "arm.xml"                  # or fmu = "arm.fmu", ours or another's
    stop = 5.0                         # [s]
    step = 0.01                        # between samples of the result [s]
    outputs = ["tip.x", "tip.z"]       # all outputs if not said
    stops = true                       # of a robot: at the limits of its joints; or { stiffness = 1e5, damping = 300 }
    keep = ["last", "max"]             # of each output: last, first, min, max, mean; or "all": every sample
    integrator = "built-in"            # of a robot: many runs at once, by `forearm runs`; "fmpy" if not said

    [start]                            # the same in all runs
    "joint.waist.initial_position" = 0.3

    [design]
    kind = "grid"                      # grid, latin-hypercube, or list
    [design.of]
    "payload.mass" = [0.0, 1.0, 2.0]                  # values …
    "gravity.z" = { from = -10.0, to = -9.0, n = 5 }  # … or a range
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import pathlib
import tomllib
from dataclasses import dataclass, field
from typing import Any

from ..errors import Error
from .places import fault, syntax_fault

KINDS = ("grid", "latin-hypercube", "list")
SUMMARIES = ("first", "last", "min", "max", "mean")
TYPES = ("CoSimulation", "ModelExchange")
INTEGRATORS = ("fmpy", "built-in")


@dataclass(frozen=True)
class Study:
    path: pathlib.Path
    source: pathlib.Path                   # of the robot or the FMU
    is_robot: bool
    stop: float
    step: float
    integrator: str = "fmpy"
    type: str = "CoSimulation"
    tolerance: float | None = None         # of FMPy's solver
    outputs: tuple[str, ...] = ()          # empty: all
    keep: tuple[str, ...] | str = ("last",)
    stops: bool | dict[str, float] = False  # of a robot, as --stops
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

    def fault(self, sentence: str, *key: Any) -> Error:
        """Returns an error with the place of a key in the study file."""
        return fault(self.path, sentence, *key)


class _Reader:
    """The keys of a table, each of which must be known."""

    def __init__(self, path: pathlib.Path, table: dict[str, Any], known: tuple[str, ...], *place: str):
        self.path, self.table, self.place = path, table, place
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, 1)
                hint = f"did you mean '{near[0]}'?" if near else "docs/sweep.md lists them"
                raise self.fail(f"there is no key '{self.name(key)}' in a study; {hint}", key)

    def name(self, key: str) -> str:
        return ".".join((*self.place, key))

    def fail(self, sentence: str, *key: Any) -> Error:
        return fault(self.path, sentence, *self.place, *key)

    def take(self, key: str, kind: type | tuple[type, ...], what: str, default: Any = ...) -> Any:
        if key not in self.table:
            if default is ...:
                raise self.fail(f"'{self.name(key)}' is not there; say {what}", key)
            return default
        value = self.table[key]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fail(f"'{self.name(key)}' is {value!r}; it must be {what}", key)
        return value

    def positive(self, key: str, what: str, default: Any = ...) -> Any:
        value = self.take(key, (int, float), f"{what}, above zero", default)
        if value is not None and value is not default and not 0 < value < math.inf:
            raise self.fail(f"'{self.name(key)}' is {value!r}; it must be {what}, above zero", key)
        return value

    def count(self, key: str, default: int) -> int:
        what = "a whole number, zero or above"
        value = self.take(key, int, what, default)
        if value < 0:
            raise self.fail(f"'{self.name(key)}' is {value!r}; it must be {what}", key)
        return value

    def choice(self, key: str, words: tuple[str, ...], default: str) -> str:
        value = self.take(key, str, " or ".join(words), default)
        if value not in words:
            raise self.fail(f"'{self.name(key)}' is {value!r}; it can be {', '.join(words)}", key)
        return value


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _numbers(reader: _Reader) -> dict[str, float]:
    table = reader.take("start", dict, "numbers by the names of variables", {})
    for key, value in table.items():
        if not is_number(value):
            raise reader.fail(f"'start.{key}' is {value!r}; it must be a finite number", "start", key)
    return table


def _stops(reader: _Reader, is_robot: bool) -> bool | dict[str, float]:
    """As --stops: chosen ones, or of one stiffness and damping."""
    stops = reader.table.get("stops", False)
    if stops and not is_robot:
        raise reader.fail("stops are settled in an FMU when it is exported; name the robot, or leave them out", "stops")
    if isinstance(stops, bool):
        return stops
    known = isinstance(stops, dict) and set(stops) <= {"stiffness", "damping"} and "stiffness" in stops
    if not known or not all(is_number(value) and not isinstance(value, bool) and value >= 0 for value in stops.values()) \
            or not stops["stiffness"] > 0:
        raise reader.fail(f"'stops' is {stops!r}; it must be true, or {{ stiffness = …, damping = … }} with a stiffness "
                          "above zero and a damping that is not negative", "stops")
    return stops


def _names(reader: _Reader) -> tuple[str, ...]:
    names = reader.take("outputs", list, "a list of names of variables", [])
    for i, name in enumerate(names):
        if not isinstance(name, str):
            raise reader.fail(f"'outputs' has {name!r}; it must be a list of names of variables", "outputs", i)
        if name in names[:i]:
            raise reader.fail(f"'outputs' names '{name}' twice", "outputs", i)
    return tuple(names)


def _keep(reader: _Reader) -> tuple[str, ...] | str:
    value = reader.take("keep", (str, list), "what to keep of each output", ["last"])
    if value == "all":
        return "all"
    words = [value] if isinstance(value, str) else value
    for i, word in enumerate(words):
        if word not in SUMMARIES:
            raise reader.fail(f"'keep' names {word!r}; it can be \"all\" or some of {', '.join(SUMMARIES)}", "keep", i)
        if word in words[:i]:
            raise reader.fail(f"'keep' names '{word}' twice", "keep", i)
    if not words:
        raise reader.fail("'keep' is empty, so that no run would leave anything", "keep")
    return tuple(words)


def _integrator(reader: _Reader, is_robot: bool) -> str:
    integrator = reader.choice("integrator", INTEGRATORS, "fmpy")
    if integrator == "fmpy":
        return integrator
    if not is_robot:
        raise reader.fail("the built-in integrator is for a robot; an FMU is run by FMPy", "integrator")
    instead = {"type": "leave it out", "tolerance": "the built-in integrator's is 'solver_tolerance' in start",
               "retries": "the built-in integrator gets the same from the same numbers, so leave it out"}
    for key, hint in instead.items():
        if key in reader.table:
            raise reader.fail(f"'{key}' is for runs by FMPy; {hint}", key)
    return integrator


def stops_of(text: str) -> bool | dict[str, float]:
    """Returns the value of --stops; empty: chosen stops."""
    if not text:
        return True
    try:
        return {name: float(value) for name, value in (word.split("=") for word in text.split(","))}
    except ValueError:
        raise Error(f"--stops takes nothing, or stiffness=K,damping=D, and not '{text}'") from None


def read_table(path: str | pathlib.Path, known: tuple[str, ...], stops: str | None = None) -> _Reader:
    """The tables of a study file. `stops` is what --stops says, which counts before what stands in the file."""
    path = pathlib.Path(path)
    text = ""
    try:
        text = path.read_text(encoding="utf-8-sig")
        table = tomllib.loads(text)
    except OSError as error:
        raise Error(f"cannot read it: {error.strerror}", str(path)) from None
    except UnicodeDecodeError:
        raise Error("it is not UTF-8; save it as UTF-8", str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise syntax_fault(path, text, error) from None

    if stops is not None:
        table["stops"] = stops_of(stops)
    return _Reader(path, table, known)


def study_of(reader: _Reader, kind_of_study: Any, **said: Any) -> Any:
    """A study with its start and design, which all kinds of them have, and what is said of the rest."""
    path = reader.path
    design = _Reader(path, reader.take("design", dict, "the parameters of the runs"), ("kind", "runs", "seed", "of"),
                     "design")
    kind = design.choice("kind", KINDS, "grid")
    of = design.take("of", dict, "values or ranges by the names of variables")
    study = kind_of_study(
        path=path,
        start=_numbers(reader),
        kind=kind,
        runs=design.positive("runs", "the number of runs", None),
        seed=design.count("seed", 0),
        of=of,
        **said,
    )
    if not of:
        raise design.fail("'design.of' names no parameter; say which ones change", "of")
    if (kind == "latin-hypercube") != (study.runs is not None):
        raise design.fail("'design.runs' is the number of runs of a latin-hypercube, and of nothing else", "runs")
    if study.runs is not None and not isinstance(study.runs, int):
        raise design.fail(f"'design.runs' is {study.runs!r}; it must be a whole number", "runs")
    for name in study.start:
        if name in of:
            raise design.fail(f"'{name}' is both in start and in design.of; keep one of them", "of", name)
    return study


def read_study(path: str | pathlib.Path, stops: str | None = None) -> Study:
    reader = read_table(path, ("robot", "fmu", "stop", "step", "integrator", "type", "tolerance", "outputs", "keep",
                               "stops", "retries", "start", "design"), stops)
    robot = reader.take("robot", str, "the robot file", None)
    fmu = reader.take("fmu", str, "the FMU", None)
    if (robot is None) == (fmu is None):
        raise reader.fail("it must name either a robot or an fmu", "fmu")
    reader.take("design", dict, "the parameters of the runs")
    return study_of(
        reader, Study,
        source=reader.path.parent / (robot or fmu),
        is_robot=robot is not None,
        stop=float(reader.positive("stop", "the time to stop at in seconds")),
        step=float(reader.positive("step", "the time between samples in seconds")),
        integrator=_integrator(reader, robot is not None),
        type=reader.choice("type", TYPES, "CoSimulation"),
        tolerance=reader.positive("tolerance", "the tolerance of FMPy's solver", None),
        outputs=_names(reader),
        keep=_keep(reader),
        stops=_stops(reader, robot is not None),
        retries=reader.count("retries", 1),
    )
