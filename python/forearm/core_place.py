"""Where the extension module is: in the installed package, or in the build that the program is of."""

from __future__ import annotations

import importlib
import pathlib
from typing import Any

from . import program
from .errors import Error


def need() -> Any:
    """The module forearm._core; a sentence where it cannot be loaded."""
    package = importlib.import_module(__package__ or "forearm")
    try:
        return importlib.import_module("forearm._core")
    except ModuleNotFoundError as fault:
        if fault.name != "forearm._core":
            raise Error(f"forearm.load and what it stands on need the package {fault.name}, which is not installed") from None
    except ImportError as fault:
        raise Error(f"the compiled part of the package cannot be loaded here: {fault}; forearm.export, check and simulate work "
                    "without it") from None
    built = program.path().resolve().parents[1] / "python"
    if not (built / "_core.abi3.so").exists():
        raise Error("the compiled part of the package, forearm._core, is not there: it is built where Python's headers are (on "
                    "Debian the package python3-dev); forearm.export, check and simulate work without it")
    folders: Any = package.__path__
    if str(built) not in folders:
        folders.append(str(pathlib.Path(built)))
    importlib.invalidate_caches()
    return importlib.import_module("forearm._core")
