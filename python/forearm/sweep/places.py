"""Where in a study file something stands. Python's reader of TOML does not tell; this scanner finds the keys of a
file that it has read, and needs to know no more of TOML than where keys, strings and brackets are."""

from __future__ import annotations

import pathlib
import re
import tomllib
from typing import Any, Iterator

from ..errors import Error

_TOKEN = re.compile(
    r'''(?P<string>"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')'''
    r'''|(?P<passed>#[^\n]*|[^\S\n]+)|(?P<word>[\w+-]+)|(?P<sign>.)''', re.DOTALL)


class _Scanner:
    def __init__(self, text: str):
        self.places: dict[tuple[Any, ...], int] = {}
        self.tokens = [(found.group(), found.start()) for found in _TOKEN.finditer(text) if not found.group("passed")]
        self.tokens.append(("\n", len(text)))
        self.at = 0
        self.last = len(self.tokens) - 1

    def peek(self) -> str:
        return self.tokens[self.at][0]

    def take(self) -> str:
        token = self.peek()
        self.at = min(self.at + 1, self.last)
        return token

    def past_lines(self) -> str:
        while self.peek() == "\n" and self.at < self.last:
            self.at += 1
        return self.peek()

    def key(self) -> tuple[str, ...]:
        """a.b."c.d" before = or ]"""
        parts = []
        while self.peek() not in ("=", "]", "\n"):
            token = self.take()
            if token != ".":
                parts.append(tomllib.loads(f"x = {token}")["x"] if token[0] in "\"'" else token)
        return tuple(parts)

    def pair(self, table: tuple[Any, ...]) -> None:
        offset = self.tokens[self.at][1]
        path = table + self.key()
        self.places.setdefault(path, offset)
        self.take()  # =
        self.value(path)

    def value(self, path: tuple[Any, ...]) -> None:
        self.places.setdefault(path, self.tokens[self.at][1])
        bracket = self.peek()
        if bracket not in ("[", "{"):
            while self.peek() not in (",", "]", "}", "\n"):
                self.take()
            return
        self.take()
        end, index = {"[": "]", "{": "}"}[bracket], 0
        while self.past_lines() != end:
            if self.at == self.last:
                return
            if self.peek() == ",":
                self.take()
            elif bracket == "{":
                self.pair(path)
            else:
                self.value((*path, index))
                index += 1
        self.take()

    def scan(self) -> dict[tuple[Any, ...], int]:
        table: tuple[Any, ...] = ()
        while self.past_lines() and self.at < self.last:
            if self.peek() == "[":
                offset = self.tokens[self.at][1]
                while self.peek() == "[":
                    self.take()
                table = self.key()
                self.places.setdefault(table, offset)
                while self.peek() == "]":
                    self.take()
            else:
                self.pair(table)
        return self.places


def _nearest(places: dict[tuple[Any, ...], int], key: tuple[Any, ...]) -> Iterator[int]:
    for n in range(len(key), 0, -1):  # what stands in for what is not there: the table that it should be in
        if key[:n] in places:
            yield places[key[:n]]


def fault(path: pathlib.Path, sentence: str, *key: Any) -> Error:
    """An Error at the place of a key, ("design", "of", "payload.mass") or ("outputs", 2), in a study file."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        offset = next(_nearest(_Scanner(text).scan(), key), None)
    except (OSError, ValueError):
        offset = None
    if offset is None:
        return Error(sentence, str(path))
    return Error(sentence, str(path), text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


_SYNTAX = re.compile(r"(?P<rest>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL)


def syntax_fault(path: pathlib.Path, text: str, error: tomllib.TOMLDecodeError) -> Error:
    found = _SYNTAX.fullmatch(str(error))
    if not found:
        return Error(f"it is no TOML: {error}", str(path))
    line = int(found["line"]) if found["line"] else text.count("\n") + 1
    column = int(found["column"]) if found["column"] else len(text) - text.rfind("\n")
    return Error(f"it is no TOML: {found['rest']}", str(path), line, column)
