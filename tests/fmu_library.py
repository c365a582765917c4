#!/usr/bin/env python3
"""Fails if the FMU's library needs more than libc and libm, shows more than the standards' functions,
or would not load beside an old C library.

    fmu_library.py LIBRARY FMI_HEADERS_DIR"""

import pathlib
import re
import shutil
import subprocess
import sys

GLIBC = (2, 17)  # the oldest one that hosts still run on (CentOS 7)
MAY_NEED = ("libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def declared(headers):
    """Functions that the standards' headers declare."""
    text = "".join((headers / f"fmi{n}Functions.h").read_text() for n in (2, 3))
    return set(re.findall(r"^\s*FMI[23]_Export\s+\w+TYPE\s+(fmi[23]\w+)\s*;", text, re.MULTILINE))


def main(library, headers):
    if not shutil.which("readelf") or pathlib.Path(library).read_bytes()[:4] != b"\x7fELF":
        print("skipped: readelf not found, or not an ELF library")
        return 0
    faults = []
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", library))
    faults += [f"needs {name}" for name in needed if name not in MAY_NEED]

    rows = [line.split() for line in run("readelf", "--dyn-syms", "--wide", library).splitlines()]
    rows = [row for row in rows if len(row) >= 8 and row[0].rstrip(":").isdigit()]
    shown = {row[7] for row in rows if row[6] != "UND"}
    functions = declared(pathlib.Path(headers))
    faults += [f"shows {name}" for name in sorted(shown - functions)]
    faults += [f"lacks {name}" for name in sorted(functions - shown)]

    for row in rows:
        version = re.search(r"@GLIBC_(\d+)\.(\d+)", row[7]) if row[6] == "UND" else None
        if version and (int(version[1]), int(version[2])) > GLIBC:
            faults.append(f"asks for {row[7]}")

    # Instances share nothing that is written. The C compiler's own start-up code has two words.
    section = r"^\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)"
    size = {name: int(n, 16) for name, n in
            re.findall(section, run("readelf", "--sections", "--wide", library), re.MULTILINE)}
    faults += [f"has {size[name]} bytes of thread-local data" for name in (".tdata", ".tbss")
               if size.get(name)]
    faults += [f"has {size[name]} bytes of writable data in {name}" for name in (".data", ".bss")
               if size.get(name, 0) > 16]
    print("\n".join(faults) or f"needs {', '.join(needed)}; shows {len(functions)} functions")
    return bool(faults) or not functions


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
