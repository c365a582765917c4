#!/usr/bin/env python3
"""Fails on a call or macro of one operating system outside system/: C11's own headers declare getline, realpath and their like,
too, so that the test of includes does not see them. And every function that system/ promises has one definition for each system."""

import re
import sys

from tree import ROOT, files

FOLDERS = ("model", "lawc", "solve", "run", "fmu", "import", "raster", "export", "plot", "render", "measure", "interface", "cli",
           "viewer")
MACROS = r"\b(?:_XOPEN_SOURCE|_POSIX_C_SOURCE|_GNU_SOURCE|_DEFAULT_SOURCE|_DARWIN_C_SOURCE|_WIN32|__linux__|__APPLE__|__wasi__)\b"
CALLS = (r"(?<![\w.>])(?:open_memstream|fmemopen|getline|getdelim|strn?dup|strn?casecmp|strtok_r|realpath|fileno|fdopen|popen"
         r"|isatty|getpid|setenv|unsetenv|fork|exec[lv]p?e?|waitpid|kill|sigaction|sigprocmask|setitimer|mkdtemp|mkstemp|mkdir"
         r"|rmdir|unlink|access|stat|fstat|lstat|opendir|readdir|scandir|glob|fsync|sysconf|clock_gettime|nanosleep|usleep"
         r"|sleep|pthread_\w+|mmap|mlockall|dlopen|dlsym|dladdr)\s*\(")

# What must know the system itself, and why.
MAY = {
    "cli/editor/libedit/line_edit.c": "libedit is there on POSIX alone",
    "export/fmu/library.c": "the name of this platform",
    "fmu/instance/library_place.c": "an FMU's library stands on nothing of ours",
    "fmu/instance/resource.c": "as above",
    "fmu/instance/source_begin.h": "as above",
    "fmu/instance/source_end.h": "as above",
}
# The sources of system/ that each system compiles, as system/CMakeLists.txt has them.
SYSTEMS = {"POSIX": ("posix", "posix/files"), "Windows": ("windows",), "WASI": ("wasi", "posix/files")}


def uses(text):
    """Names of the system outside comments and strings."""
    code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)
    return sorted({found.rstrip("( \n") for found in re.findall(f"{MACROS}|{CALLS}", code)})


def promised():
    return {name for path in files("system/*.h") if len(path.parts) == 2
            for name in re.findall(r"^(?!typedef)[^\n/#]*?\b(fa_\w+)\(", (ROOT / path).read_text(), re.MULTILINE)}


def defined(folder):
    return [name for path in (ROOT / "system" / folder).glob("*.c")
            for name in re.findall(r"^(?!static)[^\n;/#]*?\b(fa_\w+)\([^;{}]*\)\n\{", path.read_text(), re.MULTILINE)]


def main():
    found = {str(path): uses((ROOT / path).read_text(encoding="utf-8"))
             for path in files("*.c", "*.h") if path.parts[0] in FOLDERS}
    faults = [f"{path}: {', '.join(names)} is of an operating system; ask system/ for it"
              for path, names in sorted(found.items()) if names and path not in MAY]
    faults += [f"tests/tree/portable.py: {path} uses nothing of a system" for path in MAY
               if not found.get(path) and (ROOT / path).exists()]
    shared = sorted(set(defined(".")))  # instructions.c has one of two
    for system, folders in SYSTEMS.items():
        there = shared + [name for folder in folders for name in defined(folder)]
        faults += [f"system/ for {system} does not define {name}" for name in sorted(promised() - set(there))]
        faults += [f"system/ for {system} defines {name} twice" for name in sorted(set(there)) if there.count(name) > 1]
    if uses("fa_stat(x); a.kill(b); // fork()\n") or uses('x = realpath (a, "fork()");') != ["realpath"] or len(promised()) < 30:
        faults.append("tests/tree/portable.py does not tell names of a system from ours")
    print("\n".join(faults) or f"{len(found)} sources know no operating system; {len(promised())} functions are there for each")
    return bool(faults) or len(found) < 300


if __name__ == "__main__":
    sys.exit(main())
