"""The version of the project, from the metadata of the installed package or from CMakeLists.txt."""

import importlib.metadata
import pathlib
import re

try:
    __version__ = importlib.metadata.version("forearm")
except importlib.metadata.PackageNotFoundError:  # run from the source tree
    _project = pathlib.Path(__file__).parents[2] / "CMakeLists.txt"
    __version__ = re.findall(r"VERSION ([\d.]+)", _project.read_text().split("project(")[1])[0]
