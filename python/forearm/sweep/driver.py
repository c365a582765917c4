"""Hands runs to workers and results to the store, a bounded number at a time."""

from __future__ import annotations

import collections
import difflib
import math
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Sequence

from ..api import export
from ..errors import Error
from . import built_in, gaits, worker
from .cluster import open_client
from .design import Design
from .store import COLUMNS, Store
from .study import Study

CHUNK = 20       # runs in one task: what a task costs by itself (about 1 ms) is shared by them
TOGETHER = 200   # runs in one task at most where many are computed at once, after the program has started and read the robot
IN_FLIGHT = 4    # tasks for each thread of the workers, so that none waits for this process
DEATHS = 3       # of workers, until a task is split, and a single run that kills them is given up


@dataclass
class Summary:
    runs: int        # of the study
    done: int        # in this call
    failed: int      # of those
    folder: pathlib.Path


def fmu_of(study: Study) -> bytes:
    try:
        data = study.source.read_bytes()
    except OSError as error:
        key = "robot" if study.is_robot else "fmu"
        raise study.fault(f"the {key} '{study.source}' cannot be read: {error.strerror}", key) from None
    if not study.is_robot:
        return data
    with tempfile.TemporaryDirectory() as folder:
        return _lean(study, pathlib.Path(folder) / "robot.fmu").read_bytes()


def _lean(study: Study, out: pathlib.Path) -> pathlib.Path:
    """The FMU of a robot with what workers need and no more, since it travels with every task."""
    try:
        return export(study.source, out, platforms="x86_64-linux,aarch64-linux", stops=study.stops, options=["--bare"])
    except Error:  # of the robot, which comes again, or Forearm was built for this platform only
        return export(study.source, out, platforms="native", stops=study.stops, options=["--bare"])


def _description(fmu: bytes, study: Study) -> Any:
    import fmpy

    with tempfile.NamedTemporaryFile(suffix=".fmu") as file:
        file.write(fmu)
        file.flush()
        try:
            # A study of a robot exports the FMU itself and need not validate it: FMPy parses each name with a slow grammar.
            return fmpy.read_model_description(file.name, validate=not study.is_robot)
        except Exception as error:
            raise study.fault(f"'{study.source}' is no FMU that FMPy reads: {error}", "fmu") from None


def starts_of(fmu: bytes, study: Study) -> dict[str, float]:
    """Start values of the parameters and inputs that are real numbers."""
    return {variable.name: float(variable.start) for variable in _description(fmu, study).modelVariables
            if variable.causality in ("parameter", "input") and variable.type.startswith(("Float", "Real"))}


def _bounds(low: float, high: float) -> str:
    """To go behind "must be"."""
    if high == math.inf:
        return "greater than 0" if 0 < low < 1e-300 else f"at least {low:.17g}"
    return f"between {low:.17g} and {high:.17g}" if low > -math.inf else f"at most {high:.17g}"


def _check_bounds(study: Study, variable: Any, values: Sequence[Any], *place: Any) -> None:
    """Those of parameters; of inputs they tell what a machine can take, not what may be asked of it."""
    low = float(variable.min) if variable.min is not None else -math.inf
    high = float(variable.max) if variable.max is not None else math.inf
    if low <= min(values) and max(values) <= high:
        return
    for i, value in enumerate(values):
        if low <= value <= high:
            continue
        said = study.of.get(variable.name)
        if isinstance(said, list):
            place = (*place, i)
        elif isinstance(said, dict):
            place = (*place, "from" if value < low else "to")
        raise study.fault(f"'{variable.name}' must be {_bounds(low, high)}, not {float(value):.17g}", *place)


def _check_values(study: Study, variable: Any, values: Sequence[Any], *place: str) -> None:
    """FMPy passes over what cannot be set, and cuts 2.7 down to 2 where a variable is whole."""
    from fmpy.simulation import settable_in_initialization_mode, settable_in_instantiated

    name = variable.name
    if not settable_in_instantiated(variable) and not settable_in_initialization_mode(variable):
        raise study.fault(f"'{name}' cannot be set: the FMU calculates it", *place)
    if variable.type in ("String", "Binary", "Clock") or variable.dimensions:
        kind = "an array" if variable.dimensions else f"of type {variable.type}"
        raise study.fault(f"'{name}' is {kind}, and a sweep sets single numbers", *place)
    if variable.causality == "parameter":
        _check_bounds(study, variable, values, *place)
    if variable.type.startswith(("Float", "Real")):
        return
    for value in values:
        if variable.type == "Boolean" and value not in (0, 1):
            raise study.fault(f"'{name}' is true or false, and {value!r} is neither", *place)
        if value != int(value):
            raise study.fault(f"'{name}' takes whole numbers, and {float(value)!r} is none", *place)


def check_names(fmu: bytes, study: Study, design: Design) -> None:
    """Every name must be one of the FMU's, and what is set must be settable, before thousands of runs fail over it."""
    description = _description(fmu, study)
    known = {variable.name: variable for variable in description.modelVariables}
    named = [*((name, ("design", "of", name)) for name in study.of), *((name, ("start", name)) for name in study.start),
             *((name, ("outputs", i)) for i, name in enumerate(study.outputs))]
    for name, place in named:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"{'forearm inspect' if study.is_robot else 'fmpy info'} lists them"
            raise study.fault(f"the FMU has no variable '{name}'; {hint}", *place)
    for name in study.of:
        _check_values(study, known[name], design.column(name), "design", "of", name)
    for name, value in study.start.items():
        _check_values(study, known[name], [value], "start", name)
    shown = study.outputs or [variable.name for variable in description.modelVariables if variable.causality == "output"]
    for name in {*study.of, *shown} & {"time", *COLUMNS}:
        raise study.fault(f"the FMU's variable '{name}' is called like a column of the results; leave it out of outputs, "
                          "which has to be said then", "outputs")
    if study.integrator == "built-in":
        for i, name in enumerate(study.outputs):
            if known[name].variability in ("constant", "fixed", "tunable"):
                raise study.fault(f"'{name}' does not move, and the built-in integrator keeps what does; leave it out",
                                  "outputs", i)
        built_in.check(fmu, study, study.of)
    if study.integrator == "gait":
        gaits.check(fmu, study, study.of)
    wanted = description.coSimulation if study.type == "CoSimulation" else description.modelExchange
    if wanted is None:
        raise study.fault(f"the FMU has no {study.type}; give another type, or another FMU", "type")


def sweep(study: Study, folder: pathlib.Path, scheduler: str | None = None, workers: int | None = None,
          progress: Callable[[int, int, int], None] = lambda done, failed, all_runs: None) -> Summary:
    """Runs what is missing of a study. `progress` hears of runs done, failed, and of all."""
    fmu = fmu_of(study)
    design = Design(study)
    check_names(fmu, study, design)
    summary = Summary(design.n, 0, 0, folder)
    with Store(folder, study, study.identity(fmu), design.names, design.n) as store:
        missing = list(store.missing())
        if missing:
            client, cluster = open_client(scheduler, workers)
            try:
                chunks = collections.deque(_chunks(study, missing, _threads(client)))
                _work(client, fmu, study, design, store, chunks, summary, progress)
            finally:
                _close(client, cluster)
        store.finish()
    return summary


def _close(client: Any, cluster: Any) -> None:
    """Ends the workers. What they did is stored by now: that one of them ends otherwise than Dask expects (a worker that is
    being started again while all are closed) is no fault of the sweep."""
    try:
        client.close()
        if cluster:
            cluster.close()
    except (AssertionError, OSError, TimeoutError):
        pass


def _threads(client: Any) -> int:
    return max(1, sum(client.nthreads().values()))


def _chunks(study: Study, missing: list[tuple[int, int]], threads: int) -> Iterator[tuple[int, int]]:
    """The runs of each task: first and one behind the last. With few runs there is something for every thread."""
    runs = sum(end - first for first, end in missing)
    size = CHUNK if study.integrator == "fmpy" else max(CHUNK, min(TOGETHER, runs // threads))
    if study.integrator == "gait":  # each takes many periods
        size = max(1, min(CHUNK, runs // (IN_FLIGHT * threads)))
    for first, end in missing:
        yield from ((at, min(at + size, end)) for at in range(first, end, size))


def _work(client: Any, fmu: bytes, study: Study, design: Design, store: Store,
          chunks: collections.deque[tuple[int, int]], summary: Summary,
          progress: Callable[[int, int, int], None]) -> None:
    from concurrent.futures import CancelledError

    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    already = design.n - sum(end - first for first, end in chunks)
    deaths: collections.Counter[tuple[int, int]] = collections.Counter()
    # Single runs whose process died, be it by what waited beside them: each is tried again alone.
    suspects: collections.deque[tuple[int, int]] = collections.deque()
    alone: set[tuple[int, int]] = set()
    waiting: dict[Any, tuple[int, int]] = {}
    run_some = {"fmpy": worker.run_some, "built-in": built_in.run_some, "gait": gaits.run_some}[study.integrator]
    completed = as_completed(raise_errors=False)

    def start(first: int, end: int) -> None:
        runs = [(run, design.values(run)) for run in range(first, end)]
        # The FMU goes with every task: some 0.1 ms a run, and no worker's death can lose it.
        future = client.submit(run_some, fmu, study, runs, pure=False, retries=0)
        waiting[future] = (first, end)
        completed.add(future)

    def submit() -> None:
        while chunks and len(waiting) < IN_FLIGHT * _threads(client):
            start(*chunks.popleft())
        if suspects and not waiting:
            alone.add(suspects[0])
            start(*suspects.popleft())

    def keep(rows: list[dict[str, Any]]) -> None:
        store.add(rows)
        summary.done += len(rows)
        summary.failed += sum(row["status"] != "done" for row in rows)
        progress(already + summary.done, summary.failed, design.n)

    progress(already, 0, design.n)
    submit()
    for future in completed:
        first, end = waiting.pop(future)
        try:
            keep(future.result())
        except KilledWorker:
            deaths[first, end] += end - first > 1 or (first, end) in alone
            if end - first > 1:
                again = deaths[first, end] < DEATHS
                chunks.extend([(first, end)] if again else [(run, run + 1) for run in range(first, end)])
            elif deaths[first, end] < DEATHS:
                suspects.appendleft((first, end))
            else:
                keep([{"run": first, **design.values(first), "status": "failed", "attempts": DEATHS,
                       "message": f"the process that ran it died, {DEATHS} times"}])
        except CancelledError:  # done, but the worker died before it could say so
            chunks.append((first, end))
        except (ArithmeticError, ImportError, LookupError, OSError, TypeError, ValueError) as error:
            raise Error(f"runs {first} to {end - 1} cannot be run: {type(error).__name__}: {error}",
                        str(study.path)) from error
        future.release()
        submit()
