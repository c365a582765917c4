"""Results on disk: a folder with one Parquet file per part while a sweep runs, and one for all at the
end. Every file is written beside its name and renamed, so that what is there is whole; a sweep that is
killed goes on with the runs that no part holds."""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any, Iterable, Iterator

from ..errors import Error
from .study import Study

COLUMNS = ("run", "status", "message", "attempts")  # beside parameters and outputs

GROUP = 16384  # lines of a row group of the results

_PART = re.compile(r"part-(\d{9})-(\d{9})\.parquet")


def _write(path: pathlib.Path, data: bytes) -> None:
    beside = path.with_name(path.name + f".{os.getpid()}.new")
    with open(beside, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


class Store:
    def __init__(self, folder: pathlib.Path, study: Study, identity: str, names: list[str]):
        import pyarrow

        self.folder, self.study, self.identity, self.names = folder, study, identity, names
        self.parts = folder / "parts"
        self.result = folder / "results.parquet"
        self._lines = study.keep == "all"
        self._fixed = [("run", pyarrow.int64()), *((name, pyarrow.float64()) for name in names)]

    def open(self) -> None:
        """Makes the folder, or finds the one of the same study."""
        self.folder.mkdir(parents=True, exist_ok=True)
        mark = self.folder / "study.json"
        if mark.exists():
            try:
                before = json.loads(mark.read_text())["identity"]
            except (ValueError, KeyError, TypeError):
                before = None
            if before != self.identity:
                raise Error("it holds the results of another study; name another folder with --out, or "
                            "remove this one", str(self.folder))
            for left in self.parts.glob("*.new"):
                left.unlink()
        else:
            _write(mark, json.dumps({"identity": self.identity, "study": str(self.study.path)}, indent=1).encode())
        if not self.result.exists():
            self.parts.mkdir(exist_ok=True)

    def done(self) -> list[tuple[int, int]]:
        """First and last run of each part that is there, in order."""
        found = (_PART.fullmatch(path.name) for path in self.parts.iterdir())
        return sorted((int(match[1]), int(match[2])) for match in found if match)

    def missing(self, n: int) -> Iterator[tuple[int, int]]:
        """The stretches of runs, first and one behind the last, that no part holds."""
        if self.result.exists():
            return
        at = 0
        for first, last in self.done():
            if first > at:
                yield at, first
            at = max(at, last + 1)
        if at < n:
            yield at, n

    def add(self, rows: list[dict[str, Any]]) -> None:
        import io

        from pyarrow import parquet

        out = io.BytesIO()
        parquet.write_table(self._table(rows), out)
        _write(self.parts / f"part-{rows[0]['run']:09d}-{rows[-1]['run']:09d}.parquet", out.getvalue())

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
        return pyarrow.table({name: pyarrow.array(columns[name], kind) for name, kind in fields})

    def finish(self) -> None:
        """All parts as one file, in the order of the runs; a part at a time is in memory, and a group."""
        import pyarrow
        from pyarrow import parquet

        if self.result.exists():
            return
        paths = [self.parts / f"part-{first:09d}-{last:09d}.parquet" for first, last in self.done()]
        schema = pyarrow.unify_schemas([parquet.read_schema(path) for path in paths])
        beside = self.result.with_name(f"results.parquet.{os.getpid()}.new")
        with parquet.ParquetWriter(beside, schema) as writer:
            for group in _grouped(self._whole(path, schema) for path in paths):
                writer.write_table(group, row_group_size=GROUP)
        with open(beside, "rb") as file:
            os.fsync(file.fileno())
        os.replace(beside, self.result)
        for path in paths:
            path.unlink()
        self.parts.rmdir()

    @staticmethod
    def _whole(path: pathlib.Path, schema: Any) -> Any:
        """A part with every column, those too that its runs, which have all failed, do not have."""
        import pyarrow
        from pyarrow import parquet

        table = parquet.read_table(path)
        for field in schema:
            if field.name not in table.column_names:
                table = table.append_column(field, pyarrow.nulls(table.num_rows, field.type))
        return table.select(schema.names)


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
