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
WINDOWS = ["conio", "process", "share"]  # which headers of Windows include: ours would hide them

# system/ alone knows the operating system. C99 has no word for what a processor can do, nor for the FMU's library to look
# up its own place on disk (library_place.c, resource.c, source_begin.h).
PARTS = {
    "model": ([], C99 + ["cpuid"], ()),
    "lawc": (["model"], C11, ()),
    "solve": (["model"], C99, ()),
    "run": (["model", "solve"], C99, ()),
    "fmu": (["model", "solve"], C99 + ["dlfcn", "link", "windows", "xmmintrin"], ("fmi2", "fmi3")),
    "system": (["model"], C11 + POSIX, ("sys/", "linux/")),
    "import": (["model", "system"], C11, ("libxml/", "yaml")),
    "raster": (["model"], C11, ("zlib",)),
    "export": (["model", "raster", "system"], C11, ("libxml/", "zip")),
    "plot": (["model", "raster", "export", "system"], C11, ()),
    "render": (["model", "import", "raster", "export", "plot", "system"], C11, ()),
    "measure": (["model", "system"], C11, ()),
    "interface": (["model", "solve", "run", "import", "system"], C99, ()),
    "cli": (["model", "import", "export", "plot", "render", "solve", "run", "system", "measure"], C11,
            ("fmi2", "fmi3", "histedit", "libxml/", "zip.")),
}
PLACES = {"fmu/instance/library_place.c", "fmu/instance/resource.c", "fmu/instance/source_begin.h"}

# The folders of model/ from the bottom up, with all below them. A header sees its own row and the rows above it in
# this list, but folders of one row do not see each other. Sources implement what a header promises and may see all of
# model/.
MODEL = [
    ["base"],
    ["maths"],
    ["elements", "expressions"],
    ["robot"],
    ["chain"],
    ["loops"],
    ["dynamics"],
    ["plant"],
    ["arm", "snake"],
    ["mechanism"],
    ["circuit"],
]

# Edges that would be faults: the check proves on them that it can fail.
FAULTS = [
    ("fmu/instance/instance.c", '"', "import.h"),
    ("import/urdf/urdf.c", '"', "export.h"),
    ("export/pages/picture.c", '"', "plot.h"),
    ("model/dynamics/dynamics.h", '"', "plant.h"),
    ("model/robot/robot.h", '"', "chain.h"),
    ("model/plant/plant.c", "<", "libxml/tree.h"),
    ("fmu/standard/fmi3.c", "<", "zip.h"),
    ("fmu/stepping/step.c", '"', "simulation.h"),
    ("fmu/stepping/step.c", "<", "dlfcn.h"),
    ("import/xml/source.c", "<", "unistd.h"),
    ("cli/tables/csv.c", "<", "sys/stat.h"),
    ("system/files.c", '"', "export.h"),
    ("run/simulation.c", '"', "options.h"),
]

GENERATED = ["laws.gen.h", "reach.gen.h"]  # by lawc, from model/elements

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def row_of(path):
    """Row of a header of model/ in MODEL; None without one."""
    return next((number for number, folders in enumerate(MODEL) if path.parts[1] in folders), None)


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
        if part == "fmu" and stem in POSIX and str(path) not in PLACES:
            return f"{path} may not use <{name}>, which is of an operating system"
        if stem in system or name.startswith(tuple(outside)):
            return None
        return f"{part}/ may not use <{name}>"
    if own.parts[0] != part and own.parts[0] not in below:
        return f"{part}/ may not include from {own.parts[0]}/"
    if part != "model":
        return None
    if path.suffix == ".c":
        return None
    here, there = row_of(path), row_of(own)
    if here is None or there is None:
        return f"{path if here is None else own} is in no folder of tests/tree/includes.py"
    if there > here:
        return f"{own} lies above {path}"
    if there == here and own.parts[1] != path.parts[1]:
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
            if path.stem in C11 + POSIX + WINDOWS:
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
