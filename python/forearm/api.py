"""Export, check, inspect and simulate, as functions."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Iterable

from . import program
from .errors import Error

if TYPE_CHECKING:
    import numpy
    import pandas

Path = str | os.PathLike[str]
Stops = bool | Mapping[str, float]  # chosen ones, or {"stiffness": …, "damping": …}


def _reading(tip: str | None, lock: Mapping[str, float] | None, strict: bool, lenient: bool,
             wrench: Iterable[str], stops: Stops, arguments: Mapping[str, object] | None = None,
             packages: Mapping[str, Path] | None = None, density: float | None = None,
             total_mass: float | None = None) -> list[str]:
    words = program.options([("tip", tip), ("lock", dict(lock or {})), ("strict", strict),
                             ("lenient", lenient), ("wrench", list(wrench)),
                             ("density", density), ("total-mass", total_mass),
                             ("package", {name: os.fspath(folder) for name, folder in (packages or {}).items()})])
    return words + _stops(stops) + [f"{name}:={_word(value)}" for name, value in (arguments or {}).items()]


def _word(value: object) -> str:
    """As xacro files have it: its truths are true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _stops(stops: Stops) -> list[str]:
    if not isinstance(stops, Mapping):
        return ["--stops"] if stops else []
    return ["--stops=" + ",".join(f"{name}={number!r}" for name, number in stops.items())]


def export(robot: Path, out: Path | None = None, *, fmi: int = 3, kind: str = "forward",
           name: str | None = None, platforms: str | Iterable[str] | None = None, tip: str | None = None,
           lock: Mapping[str, float] | None = None, wrench: Iterable[str] = (), stops: Stops = False, strict: bool = False,
           lenient: bool = False, arguments: Mapping[str, object] | None = None,
           packages: Mapping[str, Path] | None = None, density: float | None = None, total_mass: float | None = None,
           options: Iterable[str] = ()) -> pathlib.Path:
    """Writes the FMU of a robot file and gives its path: `out`, or <robot's name>.fmu beside the
    current folder. `arguments` are those of a xacro file, `packages` where its packages are. `density` [kg/m³]
    or `total_mass` [kg] weighs links without mass by their shapes. `options` are further words of `forearm export`."""
    if platforms is not None and not isinstance(platforms, str):
        platforms = ",".join(platforms)
    words = program.options([("fmi", fmi), ("kind", kind), ("name", name), ("platforms", platforms)])
    words += [*_reading(tip, lock, strict, lenient, wrench, stops, arguments, packages, density, total_mass), *options]
    if out is not None:
        program.run("export", robot, "-o", out, *words)
        return pathlib.Path(out)
    said = program.run("export", robot, *words)
    for line in said.splitlines():
        if line.startswith("wrote "):
            return pathlib.Path(line.removeprefix("wrote ").split(":")[0])
    raise Error(f"forearm did not say what it wrote: {said.strip()}")


def inspect(robot: Path, *, tip: str | None = None, lock: Mapping[str, float] | None = None,
            wrench: Iterable[str] = (), stops: Stops = False, strict: bool = False, lenient: bool = False,
            arguments: Mapping[str, object] | None = None, packages: Mapping[str, Path] | None = None,
            density: float | None = None, total_mass: float | None = None,
            options: Iterable[str] = ()) -> dict[str, Any]:
    """Links, joints and variables of a robot file or of an FMU that Forearm made. `options` are further words of
    `forearm inspect`."""
    words = _reading(tip, lock, strict, lenient, wrench, stops, arguments, packages, density, total_mass)
    return json.loads(program.run("inspect", robot, "--json", *words, *options))


def expand(robot: Path, *, arguments: Mapping[str, object] | None = None,
           packages: Mapping[str, Path] | None = None) -> str:
    """The plain XML that a xacro file stands for."""
    return program.run("expand", robot, *_reading(None, None, False, False, (), False, arguments, packages))


@dataclass
class Report:
    """The findings of `check`."""

    robot: dict[str, Any]                                # as `inspect` gives it
    text: str                                            # as `forearm check` prints it
    warnings: list[Error] = field(default_factory=list)  # each with file, line, column and message

    def __str__(self) -> str:
        return self.text


def check(robot: Path, *, tip: str | None = None, lock: Mapping[str, float] | None = None,
          wrench: Iterable[str] = (), stops: Stops = False, strict: bool = False, lenient: bool = False,
          arguments: Mapping[str, object] | None = None, packages: Mapping[str, Path] | None = None,
          density: float | None = None, total_mass: float | None = None, options: Iterable[str] = ()) -> Report:
    """Holds a robot file against its schema and the rules on robots; faults are raised as Error. `options` are further
    words of `forearm check`."""
    words = [*_reading(tip, lock, strict, lenient, wrench, stops, arguments, packages, density, total_mass), *options]
    heard: list[Error] = []
    text = program.run("check", robot, *words, heard=heard)
    robot_data = json.loads(program.run("inspect", robot, "--json", *words, heard=[]))
    return Report(robot_data, text, heard)


def simulate(robot: Path, stop: float | None = None, step: float | None = None, *,
             start_values: Mapping[str, float] | None = None, inputs: "numpy.ndarray | None" = None, stops: Stops = False,
             outputs: Iterable[str] | None = None, kind: str = "CoSimulation", as_frame: bool = False,
             arguments: Mapping[str, object] | None = None, packages: Mapping[str, Path] | None = None,
             density: float | None = None, total_mass: float | None = None, **fmpy_options: Any) -> "numpy.ndarray | pandas.DataFrame":
    """Simulates an FMU, or the FMU of a robot file, with FMPy.

    `inputs` is a structured array with a field `time` and one for each input; `kind` is
    "CoSimulation" or "ModelExchange"; what else is named goes to fmpy.simulate_fmu. Gives a
    structured array, or a pandas DataFrame with the time as its index."""
    import fmpy

    with tempfile.TemporaryDirectory() as folder:
        fmu = pathlib.Path(robot)
        if fmu.suffix.lower() != ".fmu":
            fmu = export(robot, pathlib.Path(folder) / "robot.fmu", platforms="native", stops=stops,
                         arguments=arguments, packages=packages, density=density, total_mass=total_mass)
        elif stops or arguments or packages or density or total_mass:
            raise Error("stops, masses, arguments and packages of an FMU are settled; give them together with the robot "
                        "file")
        result = fmpy.simulate_fmu(str(fmu), stop_time=stop, output_interval=step, fmi_type=kind,
                                   start_values=dict(start_values or {}), input=inputs,
                                   output=list(outputs) if outputs is not None else None, **fmpy_options)
    if not as_frame:
        return result
    import pandas

    return pandas.DataFrame(result).set_index("time")
