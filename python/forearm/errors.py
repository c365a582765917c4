"""Errors as exceptions that say where."""

from __future__ import annotations

import re
from typing import Any

_PLACE = re.compile(r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<rest>.*)$", re.DOTALL)
_FILE = re.compile(r"^forearm: (?:(?P<file>[^:]+): )?(?P<rest>.*)$", re.DOTALL)


class Error(Exception):
    """A fault that `forearm` told: one sentence, and where to look if a file is at fault."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None,
                 column: int | None = None, code: int | None = None):
        super().__init__(message)
        self.message, self.file, self.line, self.column, self.code = message, file, line, column, code

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.message}" if place else self.message

    def __reduce__(self):  # so that it comes back from another process as it was
        return type(self), (self.message, self.file, self.line, self.column, self.code)


class RobotError(Error):
    """A robot file, a name or a parameter that is wrong."""


class ShapeError(Error, ValueError):
    """An array of another shape than the function takes: the message names the argument, what is wanted and what was given."""


class SimulationError(Error):
    """A motion that ended early: the time it reached, and what there is of it."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None, column: int | None = None,
                 code: int | None = None, time: float | None = None, solution: Any = None):
        super().__init__(message, file, line, column, code)
        self.time, self.solution = time, solution

    def __reduce__(self):
        return type(self), (self.message, self.file, self.line, self.column, self.code, self.time, self.solution)


class Warning(UserWarning):
    """Warns of something odd but usable in a robot file."""


def read_fault(text: str, code: int | None = None) -> Error:
    """The Error that a line of the program's standard error tells."""
    place = _PLACE.match(text)
    if place:
        return Error(place["rest"], place["file"], int(place["line"]), int(place["column"]), code)
    file = _FILE.match(text)
    if file:
        return Error(file["rest"], file["file"], code=code)
    return Error(text or "forearm failed without a word", code=code)
