"""The processes that runs are handed to: some of this machine, or those of somebody's Dask scheduler.

Those of this machine talk through ports of the loopback interface, which every user of the machine can reach and
through which Dask does whatever it is told. So each connection is encrypted and both of its ends show a certificate,
made for this one sweep and kept in memory. What Dask would serve beside, its pages for browsers, is not served.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

import dask
import distributed.nanny
from distributed import Client, LocalCluster, Nanny, Scheduler, Security, Worker
from distributed.deploy.spec import SpecCluster

from ..errors import Error


class _SilentScheduler(Scheduler):
    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None: Dask's own listens on port 8787 even where no address is given."""


class _SilentWorker(Worker):
    def start_http_server(self, *_: Any, **__: Any) -> None:
        """None either, on a port of each worker."""


class _SilentProcess(distributed.nanny.WorkerProcess):
    """Discards output of Dask's Python in a worker that ends; output of an FMU's C code is kept.

    A worker may be told to end at any moment of its start or its end, and each moment has a traceback of its own.
    None of them concerns the user: the driver reports which run ended its process. DASK_LOGGING__DISTRIBUTED=info, for
    instance, brings them back.
    """

    @classmethod
    def _run(cls, *arguments: Any, **options: Any) -> None:
        if os.environ.get("DASK_LOGGING__DISTRIBUTED") == "critical":
            sys.stderr = open(os.devnull, "w", encoding="utf-8")
        super()._run(*arguments, **options)


class _SilentNanny(Nanny):
    def __init__(self, *arguments: Any, **options: Any):
        super().__init__(*arguments, worker_class=_SilentWorker, **options)


class _Local(LocalCluster):
    """LocalCluster chooses the class of its scheduler itself; what it has chosen is changed before it starts."""

    def _start(self) -> Any:
        self.scheduler_spec = {**self.scheduler_spec, "cls": _SilentScheduler}
        return SpecCluster._start(self)


def open_client(scheduler: str | None, workers: int | None) -> tuple[Any, Any]:
    """A client, and the cluster to be closed with it; None where that is somebody else's."""
    # One worker that dies takes its task with it; who is to blame is found out by the driver, not there.
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    # Dask keeps the last thousand messages below 1 MB, to be looked at by its developers: with an FMU in each, that is
    # most of a gigabyte.
    dask.config.set({"distributed.admin.low-level-log-length": 10})
    # Silence Dask's loggers: this package reports workers that die in its own sentences.
    for name in ("distributed", "distributed.client", "asyncio", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "critical")  # of the workers
    if scheduler:
        try:
            return Client(scheduler, timeout="10s"), None
        except (OSError, TypeError, ValueError) as error:  # TLS without certificates is a TypeError
            raise Error(f"no scheduler answers at {scheduler}: {error}") from None
    distributed.nanny.WorkerProcess = _SilentProcess
    cluster = _Local(n_workers=workers, threads_per_worker=1, dashboard_address=None, worker_class=_SilentNanny,
                     security=Security.temporary(), silence_logs=logging.CRITICAL)
    # A worker that dies is started again by its nanny, but a nanny gives up where it dies too soon for it. Without this,
    # a few runs that end their process one after the other would leave nobody, and the sweep waiting.
    n = len(cluster.workers)
    cluster.adapt(minimum=n, maximum=n, interval="500ms")
    return Client(cluster), cluster
