#!/usr/bin/env python3
"""Fails on an #include that points up or sideways (docs/architecture.md, "Dependencies point down")."""

import pathlib
import re
import sys

from tree import ROOT, files

# Each part: what it may include of the project beside itself, and which system headers.
C99 = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdarg
stdbool stddef stdint stdio stdlib string tgmath time wchar wctype""".split()
C11 = C99 + ["stdalign", "stdatomic", "stdnoreturn", "threads", "uchar"]
POSIX = ["dirent", "dlfcn", "fcntl", "glob", "link", "poll", "pthread", "strings", "unistd", "windows",
         "io", "direct", "mach-o/dyld"]

# C99 has no word for what a processor can do, nor for the FMU's library to look up its own place on disk.
PARTS = {
    "model": ([], C99 + ["cpuid"], ()),
    "lawc": (["model"], C11, ()),
    "fmu": (["model"], C99 + ["dlfcn", "link", "windows", "xmmintrin"], ("fmi2", "fmi3")),
    "import": (["model"], C11 + POSIX, ("libxml/", "sys/stat")),
    "raster": (["model"], C11, ("zlib",)),
    "export": (["model", "raster"], C11 + POSIX, ("libxml/", "zip", "sys/stat", "sys/wait")),
    "plot": (["model", "raster", "export"], C11 + POSIX, ()),
    "measure": (["model"], C11 + POSIX, ("sys/", "linux/")),
    "cli": (["model", "import", "export", "plot", "fmu", "measure"], C11 + POSIX, ("fmi2", "fmi3", "histedit", "libxml/", "zip", "sys/")),
}

# The headers of model/ from the bottom up, and the folders in it with all their files. Each sees its
# own row and the rows above it in this list, but folders of one row do not see each other. Sources
# outside the folders implement what a header promises and may see all of model/.
MODEL = [
    ["status", "number", "text", "units", "sha256", "sincos", "tanh", "arctan", "exponential", "categories", "arena", "view_names"],
    ["maths/"],
    ["elements/"],
    ["spatial", "variables", "hydraulics"],
    ["robot", "view_groups", "arm_quantity"],
    ["chain", "robot_file"],
    ["kinematics"],
    ["dynamics/", "drives/", "snake/"],
    ["robot_snake", "robot_cylinders", "robot_joint", "robot_link", "robot_stops", "robot_tidy", "reach", "arena"],
    ["axis_rows"],
    ["arm_cylinders"],
    ["plant"],
    ["arm", "snake_plant", "cylinder_plant", "inverse", "probe", "view"],
    ["arm_table", "arm_outputs", "arm_together", "arm_elements"],
]

# Edges that would be faults: the check proves on them that it can fail.
FAULTS = [
    ("fmu/instance.c", '"', "import.h"),
    ("import/urdf.c", '"', "export.h"),
    ("export/picture.c", '"', "plot.h"),
    ("model/dynamics/dynamics.c", '"', "plant.h"),
    ("model/robot.h", '"', "chain.h"),
    ("model/plant.c", "<", "libxml/tree.h"),
    ("fmu/fmi3.c", "<", "zip.h"),
]

GENERATED = ["laws.gen.h", "reach.gen.h"]  # by lawc, from model/elements

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def row_of(path):
    """Row of a file of model/ in MODEL, and the entry that matched; None, None without one."""
    inside = "/".join(path.parts[1:])
    for number, entries in enumerate(MODEL):
        for entry in entries:
            if inside.startswith(entry) if entry.endswith("/") else inside == f"{entry}.h":
                return number, entry
    return None, None


def fault(path, bracket, name, headers):
    """Why `path` must not include `name`, or None."""
    part = path.parts[0]
    below, system, outside = PARTS[part]
    base = name.rsplit("/", 1)[-1]
    own = headers.get(base)
    if own is None and base in GENERATED:
        return None
    if own is None or bracket == "<":
        stem = name[:-2] if name.endswith(".h") else name
        if stem in system or name.startswith(tuple(outside)):
            return None
        return f"{part}/ may not use <{name}>"
    if own.parts[0] != part and own.parts[0] not in below:
        return f"{part}/ may not include from {own.parts[0]}/"
    if part != "model":
        return None
    here, entry = row_of(path)
    there, other = row_of(own)
    if here is None and path.suffix == ".c":
        return None
    if here is None or there is None:
        return f"{path if here is None else own} has no row in tests/tree/includes.py"
    if there > here:
        return f"{own} lies above {path}"
    if there == here and entry != other and entry.endswith("/"):
        return f"{own} lies beside {path}, not below it"
    return None


def main():
    sources = [path for path in files("*.c", "*.h") if path.parts[0] in PARTS]
    headers, faults, count = {}, [], 0
    for path in sources:
        if path.suffix == ".h":
            if path.name in headers:
                faults.append(f"{path}: {headers[path.name]} has the same name")
            # A folder given with -I comes before the system's: <limits.h> would be ours.
            if path.stem in C11 + POSIX:
                faults.append(f"{path} stands before the system's <{path.name}>; give it another name")
            headers[path.name] = path
    for path, bracket, name in FAULTS:
        if not fault(pathlib.PurePath(path), bracket, name, headers):
            faults.append(f"{path} may include {name}, says this check, and must not")
    for path in sources:
        text = (ROOT / path).read_text()
        for match in INCLUDE.finditer(text):
            count += 1
            why = fault(path, match[1], match[2], headers)
            if why:
                faults.append(f"{path}:{text.count(chr(10), 0, match.start(2)) + 1}: {why}")
    print("\n".join(faults) or f"{count} includes in {len(sources)} files point down")
    return bool(faults) or not count


if __name__ == "__main__":
    sys.exit(main())
