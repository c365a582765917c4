"""Forearm turns robot descriptions into Functional Mock-up Units, and computes with them.

    import forearm

    fmu = forearm.export("ur5.urdf", fmi=3)             # ur5.fmu
    report = forearm.check("ur5.urdf")                  # links, masses, warnings
    result = forearm.simulate(fmu, stop=2.0)            # by FMPy: a numpy structured array
    result = forearm.simulate(fmu, stop=2.0, as_frame=True)   # or a pandas DataFrame

    robot = forearm.load("ur5.urdf")                    # equations of motion, in memory
    qdd = robot.forward(q, qd, tau)                     # (..., n)
    motion = robot.simulate(2.0, q=q)                   # motion.t, motion.q, motion["tip.x"]

Faults are raised as forearm.Error with .file, .line, .column and .message.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .api import Report, check, expand, export, inspect, simulate
from .errors import Error, RobotError, ShapeError, SimulationError, Warning

if TYPE_CHECKING:
    from ._core import build_info
    from .environments import Env, VectorEnv
    from .motion import Solution
    from .robot import BaseParameters, Derivatives, LinearSystem, Limits, Robot, aliases, load, loads
    from .worlds import casadi, jax, scipy, torch

__all__ = ["BaseParameters", "Derivatives", "Env", "Error", "LinearSystem", "Limits", "Report", "Robot", "RobotError", "ShapeError",
           "SimulationError", "Solution", "VectorEnv", "Warning", "__version__", "aliases", "build_info", "casadi", "check", "expand",
           "export", "inspect", "jax", "load", "loads", "scipy", "simulate", "torch"]

# Lazy imports: names that need numpy or the extension module are imported at their first use.
_LATER = {"build_info": "_core", "Solution": "motion", "Env": "environments", "VectorEnv": "environments",
          **dict.fromkeys(["BaseParameters", "Derivatives", "LinearSystem", "Limits", "Robot", "aliases", "load", "loads"], "robot")}
_WORLDS = ["casadi", "jax", "scipy", "torch"]  # robots within these packages


def __getattr__(name: str) -> Any:
    if name in _LATER or name in _WORLDS:
        from . import core_place
        core_place.need()
        module = importlib.import_module(f".worlds.{name}" if name in _WORLDS else f".{_LATER[name]}", __name__)
        found = module if name in _WORLDS else getattr(module, name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'forearm' has no attribute '{name}'")
