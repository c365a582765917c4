"""Costs of an FMU to its host: bytes of memory for an instance, time to load and instantiate it.

    build/venv/bin/python3 bench/instance.py FMU…

FMI 3.0, Co-Simulation, this system's library. Memory is what the C library's heap has given out after 64
more instances, over 64; time is that of dlopen and fmi3InstantiateCoSimulation in a new process, lowest
and middle of 25.
"""

import ctypes
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from xml.etree import ElementTree

INSTANCES, PROCESSES = 64, 25


class Heap(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def heap():
    """Returns the bytes allocated by brk and by mmap."""
    call = ctypes.CDLL(None).mallinfo2
    call.restype = Heap
    now = call()
    return now.uordblks + now.hblkhd


def instantiate(library, token, resources):
    call = library.fmi3InstantiateCoSimulation
    call.restype = ctypes.c_void_p
    no, nothing = ctypes.c_bool(False), ctypes.c_void_p(None)
    made = call(b"one", token.encode(), str(resources).encode() + b"/", no, no, no, no, nothing, ctypes.c_size_t(0),
                nothing, nothing, nothing)
    assert made, "it was not instantiated"
    return made


def measure(folder):
    """Measures in a new process: seconds until the first instance exists, bytes of each further one."""
    folder = pathlib.Path(folder)
    root = ElementTree.parse(folder / "modelDescription.xml").getroot()
    token, name = root.get("instantiationToken"), root.find("CoSimulation").get("modelIdentifier")
    path = folder / "binaries" / f"{platform.machine()}-linux" / f"{name}.so"
    start = time.perf_counter()
    library = ctypes.CDLL(str(path))
    instantiate(library, token, folder / "resources")
    seconds = time.perf_counter() - start
    before = heap()
    for _ in range(INSTANCES):
        instantiate(library, token, folder / "resources")
    print(seconds, (heap() - before) / INSTANCES, path.stat().st_size)


def main(paths):
    print("| FMU | bytes of an instance | first instance after, lowest | middle | library |\n|-|-|-|-|-|")
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(path).extractall(folder)
            runs = [subprocess.run([sys.executable, __file__, "--measure", folder], capture_output=True, text=True,
                                   check=True).stdout.split() for _ in range(PROCESSES)]
        seconds = [float(run[0]) for run in runs]
        print(f"| {pathlib.Path(path).stem} | {float(runs[0][1]):.0f} | {min(seconds) * 1e3:.2f} ms "
              f"| {statistics.median(seconds) * 1e3:.2f} ms | {int(runs[0][2]) / 1e6:.2f} MB |")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--measure":
        measure(sys.argv[2])
    elif len(sys.argv) > 1:
        main(sys.argv[1:])
    else:
        sys.exit(__doc__)
