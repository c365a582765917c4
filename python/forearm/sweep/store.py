"""Results on disk: a folder with one Parquet file per part while a sweep runs, and one for all at the
end. Every file is written beside its name and renamed, so that what is there is whole; a sweep that is
killed goes on with the runs that no part holds.

One sweep at a time works in a folder: it holds a lock. The name of a part ends in a checksum of the study, the runs
and the content, and study.json has that of the results, so that what a disk or a person has changed is not trusted.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import pathlib
import re
import socket
from dataclasses import dataclass
from typing import Any, BinaryIO, Iterable, Iterator

from ..errors import Error
from .study import Study

COLUMNS = ("run", "status", "message", "attempts")  # beside parameters and outputs

GROUP = 16384  # lines of a row group of the results

_PART = re.compile(r"part-(\d{9})-(\d{9})-([0-9a-f]{16})\.parquet")
_AGAIN = "remove it, and the same command computes its runs again"


def _write(path: pathlib.Path, data: bytes) -> None:
    beside = path.with_name(path.name + f".{os.getpid()}.new")
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        raise Error(f"it cannot be written: {error.strerror}", str(path)) from None


def _sum_of(path: pathlib.Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _lock(folder: pathlib.Path) -> BinaryIO:
    """The open file whose lock says that this process works in the folder; the lock ends with the process."""
    path = folder / "lock"
    while True:
        file = open(path, "a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            who = file.read().decode("utf-8", "replace").strip()
            raise Error(f"another sweep{who and f' ({who})'} is at work in it; wait for its end, or name another folder with --out",
                        str(folder)) from None
        try:
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                break
        except FileNotFoundError:
            pass
        file.close()  # of a sweep that has just removed it
    file.truncate(0)
    file.write(f"process {os.getpid()} on {socket.gethostname()}".encode())
    file.flush()
    return file


@dataclass(frozen=True, order=True)
class _Part:
    """The runs from first to last."""

    first: int
    last: int
    path: pathlib.Path


class Store:
    def __init__(self, folder: pathlib.Path, study: Study, identity: str, names: list[str], runs: int):
        import pyarrow

        self.folder, self.study, self.identity, self.names, self.runs = folder, study, identity, names, runs
        self.parts = folder / "parts"
        self.mark = folder / "study.json"
        self.result = folder / "results.parquet"
        self._lines = study.keep == "all"
        self._fixed = [("run", pyarrow.int64()), *((name, pyarrow.float64()) for name in names)]
        self._held: BinaryIO | None = None

    def __enter__(self) -> "Store":
        """Makes the folder, or finds the one of the same study, and looks at what is there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._held = _lock(self.folder)
        except OSError as error:
            raise Error(f"no results can be written there: {error.strerror}", str(self.folder)) from None
        try:
            self._look()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        if self._held:
            (self.folder / "lock").unlink(missing_ok=True)
            self._held.close()
            self._held = None

    def _look(self) -> None:
        before: Any = {}
        if self.mark.exists():
            try:
                before = json.loads(self.mark.read_text())
                same = before["identity"] == self.identity
            except (ValueError, KeyError, TypeError):
                same = False
            if not same:
                raise Error("it holds the results of another study; name another folder with --out, or "
                            "remove this one", str(self.folder))
        else:
            self._sign()
        for left in [*self.parts.glob("*.new"), *self.folder.glob("*.new")]:
            left.unlink()
        if not self.result.exists():
            self.parts.mkdir(exist_ok=True)
            for part in self.done():
                self._read(part)
        elif _sum_of(self.result) != before.get("results"):
            raise Error("it is not what the sweep wrote there: its checksum differs; remove it, and the same command "
                        "computes it again", str(self.result))
        else:
            self._drop_parts()

    def _sign(self, **further: str) -> None:
        said = {"identity": self.identity, "study": str(self.study.path), **further}
        _write(self.mark, json.dumps(said, indent=1).encode())

    def _drop_parts(self) -> None:
        if self.parts.exists():
            for path in self.parts.iterdir():
                path.unlink()
            self.parts.rmdir()

    def _name(self, first: int, last: int, data: bytes) -> str:
        digest = hashlib.sha256(f"{self.identity} {first} {last}\n".encode() + data).hexdigest()[:16]
        return f"part-{first:09d}-{last:09d}-{digest}.parquet"

    def _read(self, part: _Part) -> bytes:
        try:
            data = part.path.read_bytes()
        except OSError as error:
            raise Error(f"it cannot be read: {error.strerror}", str(part.path)) from None
        if self._name(part.first, part.last, data) != part.path.name:
            raise Error(f"it is not what the sweep wrote there: its checksum differs; {_AGAIN}", str(part.path))
        return data

    def done(self) -> list[_Part]:
        """The parts that are there, in order; no run is in two of them."""
        found = []
        for path in self.parts.iterdir():
            match = _PART.fullmatch(path.name)
            if not match or not int(match[1]) <= int(match[2]) < self.runs:
                raise Error(f"the sweep writes no file of this name there; {_AGAIN}", str(path))
            found.append(_Part(int(match[1]), int(match[2]), path))
        found.sort()
        for one, other in zip(found, found[1:]):
            if other.first <= one.last:
                raise Error(f"it holds run {other.first}, and so does {one.path.name}; {_AGAIN}", str(other.path))
        return found

    def missing(self) -> Iterator[tuple[int, int]]:
        """The stretches of runs, first and one behind the last, that no part holds."""
        if self.result.exists():
            return
        at = 0
        for part in self.done():
            if part.first > at:
                yield at, part.first
            at = part.last + 1
        if at < self.runs:
            yield at, self.runs

    def add(self, rows: list[dict[str, Any]]) -> None:
        import io

        from pyarrow import parquet

        out = io.BytesIO()
        parquet.write_table(self._table(rows), out)
        data = out.getvalue()
        _write(self.parts / self._name(rows[0]["run"], rows[-1]["run"], data), data)

    def _table(self, rows: list[dict[str, Any]]) -> Any:
        import pyarrow

        columns: dict[str, list[Any]] = {}
        for row in rows:
            samples = row.get("samples")
            count = len(samples["time"]) if samples else 1
            for name in COLUMNS:
                columns.setdefault(name, []).extend([row[name]] * count)
            for name in self.names:
                columns.setdefault(name, []).extend([float(row[name])] * count)  # of whole numbers and true, too
        fields = [*self._fixed, ("status", pyarrow.string()), ("message", pyarrow.string()),
                  ("attempts", pyarrow.int32())]
        kept: dict[str, None] = {}
        for row in rows:
            source = row.get("samples") if self._lines else row
            kept.update((name, None) for name in source or () if name not in columns)
        for name in kept:
            values: list[Any] = []
            for row in rows:
                samples = row.get("samples")
                if samples:
                    values.extend(samples[name])
                else:
                    values.append(row.get(name))
            columns[name] = values
            fields.append((name, pyarrow.float64()))
        return pyarrow.table({name: _array(columns[name], kind) for name, kind in fields})

    def finish(self) -> None:
        """All parts as one file, in the order of the runs; a part at a time is in memory, and a group."""
        import pyarrow
        from pyarrow import parquet

        if self.result.exists():
            return
        parts, lacking = self.done(), list(self.missing())
        if lacking:
            raise Error(f"run {lacking[0][0]} is in no part, which somebody has removed meanwhile; give the same command "
                        "again", str(self.parts))
        schema = pyarrow.unify_schemas([self._table_of(part).schema for part in parts])
        beside = self.result.with_name(f"results.parquet.{os.getpid()}.new")
        with parquet.ParquetWriter(beside, schema) as writer:
            for group in _grouped(self._whole(part, schema) for part in parts):
                writer.write_table(group, row_group_size=GROUP)
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        self._sign(results=_sum_of(beside))
        os.replace(beside, self.result)
        self._drop_parts()

    def _table_of(self, part: _Part) -> Any:
        import pyarrow
        from pyarrow import parquet

        return parquet.ParquetFile(pyarrow.BufferReader(self._read(part))).read()  # read_table imports pandas

    def _whole(self, part: _Part, schema: Any) -> Any:
        """A part with every column, those too that its runs, which have all failed, do not have."""
        import pyarrow

        table = self._table_of(part)
        for field in schema:
            if field.name not in table.column_names:
                table = table.append_column(field, pyarrow.nulls(table.num_rows, field.type))
        return table.select(schema.names)


def _array(values: list[Any], kind: Any) -> Any:
    """pyarrow.array of numbers, texts and None. That one imports pandas, to ask whether `values` is one of its own, which takes
    a third of the time that a sweep needs before its first run."""
    import numpy
    import pyarrow

    there = numpy.array([value is not None for value in values], dtype=bool)
    mask = None if there.all() else pyarrow.py_buffer(numpy.packbits(there, bitorder="little"))
    if kind == pyarrow.string():
        texts = [(value or "").encode() for value in values]
        ends = numpy.cumsum([0, *map(len, texts)], dtype=numpy.int32)
        data = [pyarrow.py_buffer(ends), pyarrow.py_buffer(b"".join(texts))]
    else:
        width = {"int64": numpy.int64, "int32": numpy.int32, "double": numpy.float64}[str(kind)]
        data = [pyarrow.py_buffer(numpy.array([0 if value is None else value for value in values], dtype=width))]
    return pyarrow.Array.from_buffers(kind, len(values), [mask, *data])


def _grouped(tables: Iterable[Any]) -> Iterator[Any]:
    """The same lines in groups of one size, so that the file does not tell which runs were done together, and has
    few groups: readers hold something of each in memory."""
    import pyarrow

    waiting: list[Any] = []
    lines = 0
    for table in tables:
        waiting.append(table)
        lines += table.num_rows
        if lines >= GROUP:
            whole = pyarrow.concat_tables(waiting)
            full = lines - lines % GROUP
            yield whole.slice(0, full).combine_chunks()
            waiting, lines = [whole.slice(full).combine_chunks()], lines - full
    if lines:
        yield pyarrow.concat_tables(waiting).combine_chunks()
