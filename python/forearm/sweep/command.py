"""The command lines of `forearm sweep`, and of `forearm gait` with a study."""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
import time
from typing import Callable

from ..errors import Error
from .study import read_study

ABOUT = """Runs an FMU, or the FMU of a robot, with many values of its parameters, on all cores or on a Dask
cluster, and writes one table of results. What is interrupted goes on where it was when the same command
is given again. docs/sweep.md describes the study file."""


def duration(seconds: float) -> str:
    """0:07, 12:34, 1:02:03: as the program says it."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


class Progress:
    """A line on standard error, if that is a terminal: bar, runs, rate, time left."""

    def __init__(self) -> None:
        self.began, self.shown = time.monotonic(), 0.0
        self.first: int | None = None  # runs that were done before

    def __call__(self, done: int, failed: int, runs: int) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first, self.began = done, now
        if not sys.stderr.isatty() or (now - self.shown < 0.2 and done < runs):
            return
        self.shown = now
        rate = (done - self.first) / max(1e-9, now - self.began)
        left = f", {duration((runs - done) / rate)} left" if rate > 0 else ""
        bad = f", {failed} failed" if failed else ""
        filled = 10 * done // runs
        bar = f"[{'#' * filled}{'-' * (10 - filled)}] {100 * done // runs:3}%"
        print(f"\r\x1b[Kforearm: {bar}, {done} of {runs} runs{bad}, {rate:.0f} runs/s{left}", end="", file=sys.stderr,
              flush=True)

    def end(self) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


ABOUT_GAITS = """Draws a map of a snake's gaits: lets it crawl by each gait of a study until it has settled, on all cores or on
a Dask cluster, writes one table of results, and names the fastest and the cheapest. What is interrupted goes on where it
was when the same command is given again. docs/snakes.md describes the study file."""


def _packages() -> None:
    try:
        import cryptography  # noqa: F401
        import distributed  # noqa: F401
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise Error(f"{error.name} is not installed; pip install 'forearm[sweep]'") from None


def _parser(name: str, about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(f"forearm {name}", description=about)
    parser.add_argument("study", help="the study file (TOML)")
    parser.add_argument("-o", "--out", type=pathlib.Path, metavar="FOLDER",
                        help="where results go; otherwise a folder named as the study, beside it")
    parser.add_argument("--workers", type=int, metavar="N", help="processes on this machine; otherwise one a core")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--json", action="store_true", help="say the outcome as JSON")
    return parser


def _said(parser: argparse.ArgumentParser, arguments: list[str]) -> argparse.Namespace:
    said = parser.parse_args(arguments)
    if said.workers is not None and said.workers < 1:
        parser.error("--workers must be above zero")
    return said


def _told(work: Callable[[Progress], None]) -> int:
    """The exit code of work that may fail or be interrupted."""
    progress = Progress()
    try:
        work(progress)
    except Error as error:
        progress.end()
        print(error if error.line else f"forearm: {error}", file=sys.stderr)  # as the program says them
        return 1
    except KeyboardInterrupt:
        progress.end()
        print("forearm: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


def main(arguments: list[str]) -> int:
    parser = _parser("sweep", ABOUT)
    parser.add_argument("--stops", nargs="?", const="", metavar="stiffness=K,damping=D",
                        help="stops at the limits of the robot's joints, in place of what the study says")
    said = _said(parser, arguments)

    def work(progress: Progress) -> None:
        study = read_study(said.study, said.stops)
        _packages()
        from .driver import sweep

        folder = said.out or study.path.with_suffix("")
        summary = sweep(study, folder, said.scheduler, said.workers, progress)
        progress.end()
        if said.json:
            print(json.dumps({"runs": summary.runs, "done": summary.done, "failed": summary.failed,
                              "result": str(summary.folder / "results.parquet")}))
        else:
            print(f"{summary.runs} runs, {summary.done} of them now, {summary.failed} of these failed: "
                  f"{summary.folder / 'results.parquet'}")

    return _told(work)


def gait_main(arguments: list[str]) -> int:
    parser = _parser("gait", ABOUT_GAITS)
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE", help="a page (HTML) with pictures of speed and cost, and "
                        "the tracks of the best gaits")
    said = _said(parser, arguments)

    def work(progress: Progress) -> None:
        from .gaits import best, read_gait_study

        study = read_gait_study(said.study)
        _packages()
        from pyarrow import parquet

        from .driver import fmu_of, starts_of, sweep

        folder = said.out or study.path.with_suffix("")
        summary = sweep(study, folder, said.scheduler, said.workers, progress)
        progress.end()
        rows = parquet.ParquetFile(folder / "results.parquet").read().to_pylist()
        if said.page:
            from .gait_page import write_page

            fmu = fmu_of(study)
            write_page(said.page, study, fmu, rows, starts_of(fmu, study))
        marks = best(rows)
        if said.json:
            print(json.dumps({"gaits": summary.runs, "done": summary.done, "failed": summary.failed,
                              "result": str(folder / "results.parquet"), **{word: [rows[i] for i in at] for word, at in marks.items()}}))
            return
        print(f"{summary.runs} gaits, {summary.done} of them now, {summary.failed} of these failed: {folder / 'results.parquet'}")
        for word in ("fastest", "cheapest"):
            for i in marks[word]:
                numbers = ", ".join(f"{name} {rows[i][name]:.6g}" for name in (*study.of, "speed", "cost_of_transport"))
                print(f"{word}: {numbers}")

    return _told(work)
