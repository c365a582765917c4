"""Forearm turns robot descriptions into Functional Mock-up Units.

    import forearm

    fmu = forearm.export("ur5.urdf", fmi=3)             # ur5.fmu
    report = forearm.check("ur5.urdf")                  # links, masses, warnings
    result = forearm.simulate(fmu, stop=2.0)            # by FMPy: a numpy structured array
    result = forearm.simulate(fmu, stop=2.0, as_frame=True)   # or a pandas DataFrame

Faults are raised as forearm.Error with .file, .line, .column and .message.
"""

from ._version import __version__
from .api import Report, check, expand, export, inspect, simulate
from .errors import Error, Warning

__all__ = ["Error", "Report", "Warning", "__version__", "check", "expand", "export", "inspect", "simulate"]
