"""The program `forearm`: where it is, and running it."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import warnings
from typing import Sequence

from .errors import Error, Warning, read_fault

_INSTALLED = pathlib.Path(__file__).parent / "installed" / "bin" / "forearm"
_BUILT = pathlib.Path(__file__).absolute().parents[2] / "build" / "release" / "cli" / "forearm"


def path() -> pathlib.Path:
    """The one named in FOREARM, or the program that belongs to this package, installed or as scripts/run builds it beside
    the package's source, or that on the PATH."""
    named = os.environ.get("FOREARM")
    if named:
        return pathlib.Path(named)
    if _INSTALLED.exists():
        return _INSTALLED
    if _BUILT.exists():
        return _BUILT
    found = shutil.which("forearm")
    if not found:
        raise Error("the program forearm is not there; install this package with pip, or name the "
                    "program in the environment variable FOREARM")
    return pathlib.Path(found)


def run(*arguments: object, heard: list[Error] | None = None, table: str = "") -> str:
    """Returns the output of the program, given a table on standard input. Its warnings become Python's, or go into `heard`; faults
    are raised, and have a negative code where a signal has ended it."""
    done = subprocess.run([path(), *map(str, arguments)], input=table, capture_output=True, encoding="utf-8",
                          errors="surrogateescape")
    faults = []
    for line in done.stderr.splitlines():
        fault = read_fault(line, done.returncode)
        if fault.message.startswith("warning: "):
            fault.message = fault.message.removeprefix("warning: ")
            if heard is not None:
                heard.append(fault)
            else:
                warnings.warn(str(fault), Warning, stacklevel=3)
        else:
            faults.append(fault)
    if done.returncode:
        raise faults[-1] if faults else read_fault("", done.returncode)
    return done.stdout


def options(pairs: Sequence[tuple[str, object]]) -> list[str]:
    """Words of a command line from names and values: None and False are left out, True is a switch,
    a mapping repeats NAME=VALUE, a list repeats the option."""
    words: list[str] = []
    for name, value in pairs:
        option = f"--{name}"
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, dict):
            for key, number in value.items():
                words += [option, f"{key}={number!r}" if isinstance(number, float) else f"{key}={number}"]
        elif isinstance(value, (list, tuple)):
            for item in value:
                words += [option, str(item)]
        else:
            words += [option, str(value)]
    return words
