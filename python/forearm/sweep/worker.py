"""Runs some of a study's runs, one after the other, in a process that may be anywhere.

The FMU comes as bytes and is unpacked and loaded once in each process. A run starts from a reset
instance, so that it is the same whatever ran before it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import pathlib
import shutil
import tempfile
from typing import Any

import numpy

from .study import Study

SENTENCES = 5  # of an FMU about one failure

_loaded: dict[str, "_Loaded"] = {}


class _Loaded:
    """An FMU unpacked, described and instantiated."""

    def __init__(self, fmu: bytes, study: Study):
        import fmpy

        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="forearm-sweep-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        archive = self.folder / "model.fmu"
        archive.write_bytes(fmu)
        self.unzipped = fmpy.extract(str(archive), unzipdir=str(self.folder / "model"))
        archive.unlink()
        self.description = fmpy.read_model_description(self.unzipped, validate=False)
        self.study = study
        self.instance: Any = None
        self.heard: list[str] = []  # what the FMU has complained of in this run

    def simulate(self, start: dict[str, float], listening: bool) -> numpy.ndarray:
        """One run. An instance that is listened to tells everything that it has to tell, which can take long; it is for a
        run that has failed before."""
        import fmpy

        study = self.study
        self.heard = []
        if listening:
            self.drop()
        if self.instance is None:
            self.instance = fmpy.instantiate_fmu(self.unzipped, self.description, study.type, debug_logging=listening,
                                                 logger=self.hear)
        options: dict[str, Any] = {}
        if study.tolerance is not None:
            options["relative_tolerance"] = study.tolerance
        try:
            result = fmpy.simulate_fmu(
                self.unzipped, model_description=self.description, fmu_instance=self.instance, validate=False,
                fmi_type=study.type, start_values={**study.start, **start}, stop_time=study.stop,
                output_interval=study.step, output=list(study.outputs) or None, **options)
        except BaseException:
            self.drop()
            raise
        self.reset(listening)
        return result

    def reset(self, listening: bool) -> None:
        """As if it were new, for the next run; where the FMU cannot, the next run has another one."""
        if not listening:
            try:
                return self.instance.reset()
            except Exception:
                pass
        self.drop()

    def hear(self, *told: Any) -> None:
        """Logs a message of the FMU: in all versions of FMI the last three are a status, a category and a text."""
        status, _, text = told[-3:]
        sentence = text.decode("utf-8", "replace").strip() if isinstance(text, bytes) else str(text).strip()
        if status and sentence not in self.heard and len(self.heard) < SENTENCES:
            self.heard.append(sentence)

    def message(self, error: Exception) -> str:
        """The FMU's own words, if it had some, and what FMPy made of them."""
        plain = f"{type(error).__name__}: {error}".replace(f"{self.unzipped}{os.sep}", "")  # another one in each process
        return f"{'; '.join(self.heard)} ({plain})" if self.heard else plain

    def drop(self) -> None:
        instance, self.instance = self.instance, None
        if instance is not None:
            try:
                instance.freeInstance()
            except Exception:
                pass  # it has failed; its process may be rid of it all the same


def _summaries(result: numpy.ndarray, keep: tuple[str, ...]) -> dict[str, float]:
    row = {}
    for name in result.dtype.names or ():
        if name == "time":
            continue
        values = result[name].astype(float)
        for what in keep:
            number = (values[0] if what == "first" else values[-1] if what == "last" else
                      values.min() if what == "min" else values.max() if what == "max" else values.mean())
            row[f"{name}.{what}" if len(keep) > 1 else name] = float(number)
    return row


def die_if_told(run: int) -> None:
    """For tests: in the middle of a run."""
    if os.environ.get("FOREARM_SWEEP_CRASH_AT") == str(run):
        os._exit(1)


def run_some(fmu: bytes, study: Study, runs: list[tuple[int, dict[str, float]]]) -> list[dict[str, Any]]:
    """Rows of the result: one for each run, or, where every sample is kept, columns of samples."""
    key = hashlib.sha256(fmu).hexdigest() + repr(study)
    if key not in _loaded:
        _loaded[key] = _Loaded(fmu, study)
    loaded, rows = _loaded[key], []
    for run, start in runs:
        die_if_told(run)
        row: dict[str, Any] = {"run": run, **start, "status": "done", "message": "", "attempts": 0}
        for attempt in range(study.retries + 1):
            row["attempts"] = attempt + 1
            try:
                result = loaded.simulate(start, listening=attempt > 0 or study.retries == 0)
            except Exception as error:
                row["status"], row["message"] = "failed", loaded.message(error)
                continue
            row["status"], row["message"] = "done", ""
            if isinstance(study.keep, str):  # "all"
                row["samples"] = {name: result[name].astype(float) for name in result.dtype.names or ()}
            else:
                row.update(_summaries(result, study.keep))
            break
        rows.append(row)
    return rows
