"""The command line of `forearm sweep`."""

from __future__ import annotations

import argparse
import pathlib
import sys
import time

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


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("forearm sweep", description=ABOUT)
    parser.add_argument("study", help="the study file (TOML)")
    parser.add_argument("-o", "--out", type=pathlib.Path, metavar="FOLDER",
                        help="where results go; otherwise a folder named as the study, beside it")
    parser.add_argument("--workers", type=int, metavar="N", help="processes on this machine; otherwise one a core")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler, such as tcp://10.0.0.1:8786")
    parser.add_argument("--stops", nargs="?", const="", metavar="stiffness=K,damping=D",
                        help="stops at the limits of the robot's joints, in place of what the study says")
    parser.add_argument("--json", action="store_true", help="say the outcome as JSON")
    said = parser.parse_args(arguments)
    if said.workers is not None and said.workers < 1:
        parser.error("--workers must be above zero")
    progress = Progress()
    try:
        study = read_study(said.study, said.stops)
        try:
            import cryptography  # noqa: F401
            import distributed  # noqa: F401
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise Error(f"{error.name} is not installed; pip install 'forearm[sweep]'") from None
        from .driver import sweep

        folder = said.out or study.path.with_suffix("")
        summary = sweep(study, folder, said.scheduler, said.workers, progress)
    except Error as error:
        progress.end()
        print(error if error.line else f"forearm: {error}", file=sys.stderr)  # as the program says them
        return 1
    except KeyboardInterrupt:
        progress.end()
        print("forearm: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    progress.end()
    if said.json:
        import json

        print(json.dumps({"runs": summary.runs, "done": summary.done, "failed": summary.failed,
                          "result": str(summary.folder / "results.parquet")}))
    else:
        print(f"{summary.runs} runs, {summary.done} of them now, {summary.failed} of these failed: "
              f"{summary.folder / 'results.parquet'}")
    return 0
