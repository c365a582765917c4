"""Forearm among other packages, each in a file of its own that is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import Error


def need(package: str, what: str) -> Any:
    """A package that `what` stands on; a sentence where it is not installed."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as fault:
        if fault.name is None or package.split(".")[0] != fault.name.split(".")[0]:
            raise
        raise Error(f"{what} needs the package {fault.name}, which is not installed: pip install {fault.name}") from None
