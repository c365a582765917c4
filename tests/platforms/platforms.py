#!/usr/bin/env python3
"""Runs the program of each platform beside this system's own, and compares what they say and write, byte by byte.

    platforms.py NATIVE CROSS [--page docs/platforms.md] PLATFORM…

NATIVE is a build folder with the program and the FMU's libraries for all platforms (build/release), CROSS holds
PLATFORM/program/cli/forearm (build/cross). x86_64 Linux runs as it is, aarch64 Linux by qemu-aarch64, Windows by Wine and
WebAssembly by node. Of a program for macOS format, processor, oldest system and signature are read, and nothing runs.
Output goes to files: Wine's servers hold pipes open."""

import argparse
import hashlib
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENDINGS = {"windows": ".exe", "wasi": ".wasm"}
ROBOTS = ["resources/robots/puma560.xml", "resources/robots/patu655.xml", "resources/robots/cmu_dd_arm.xml",
          "examples/scara/scara.urdf"]
RUN = ["--stop", "2", "--step", "0.01"]


class Program:
    """The program of one platform. Every call runs in a folder of its own making."""

    def __init__(self, platform, path, libraries, scratch):
        self.platform, self.path = platform, path
        self.folder = scratch / platform
        self.folder.mkdir()
        self.environment = dict(os.environ) | {"FOREARM_LIBRARY_DIR": str(libraries)}
        self.before = []
        system = platform.split("-")[-1]
        if system == "windows":
            wine = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
            self.before = [wine] if wine else None
            self.environment |= {"WINEPREFIX": str(path.parents[3] / "wine"), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml=",
                                 "FOREARM_LIBRARY_DIR": "Z:" + str(libraries).replace("/", "\\")}
        elif platform == "aarch64-linux" and os.uname().machine != "aarch64":
            qemu = shutil.which("qemu-aarch64")
            self.before = [qemu] if qemu else None
        elif system == "wasi":
            node = shutil.which("node")
            self.before = [node, "--no-warnings", str(ROOT / "tests/platforms/run_wasi.mjs")] if node else None

    def can_run(self):
        return self.before is not None and not self.platform.endswith("-darwin")

    def call(self, *words, given=None, seconds=600):
        """Exit code, standard output, standard error."""
        out, err = self.folder / ".out", self.folder / ".err"
        with out.open("wb") as stdout, err.open("wb") as stderr:
            got = subprocess.run([*self.before, str(self.path), *words], cwd=self.folder, env=self.environment, stdout=stdout,
                                 stderr=stderr, stdin=given.open("rb") if given else subprocess.DEVNULL, timeout=seconds)
        said = b"".join(line for line in err.read_bytes().splitlines(True) if not line.startswith(b"wine: "))
        return got.returncode, out.read_bytes(), said


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


# --------------------------------------------------------------------------------- what is compared

def simulations(program):
    """The tables of simulations with the parameter `deterministic`."""
    return {robot: program.call("simulate", f"tree/{robot}", *RUN, "--set", "deterministic=1") for robot in ROBOTS}


def fmus(program):
    """FMUs with everything that they usually have, and what `inspect` says of them."""
    found = {}
    for robot in ROBOTS:
        for fmi in ("2", "3"):
            code, _, errors = program.call("export", f"tree/{robot}", "--fmi", fmi, "-o", "made.fmu")
            made = program.folder / "made.fmu"
            found[robot, fmi] = code, digest(made.read_bytes()) if made.exists() else "", errors, program.call("inspect", "made.fmu")
            made.unlink(missing_ok=True)
    return found


def pictures(program):
    """Plots, as files."""
    found = {}
    for ending in ("svg", "png"):
        code, out, errors = program.call("simulate", f"tree/{ROBOTS[0]}", *RUN, "--set", "deterministic=1", "-o", "table.csv",
                                         "--plot", f"plot.{ending}")
        found[ending] = code, out, errors, digest((program.folder / f"plot.{ending}").read_bytes()) if code == 0 else ""
    return found


def sweeps(program):
    """Many runs in one process, each by itself, in threads where there are some."""
    table = program.folder / "runs.csv"
    table.write_text("payload.mass,deterministic\n" + "".join(f"{mass / 4},1\n" for mass in range(8)))
    return {"alone": program.call("runs", f"tree/{ROBOTS[0]}", "--in", "runs.csv", "--stop", "0.5", "--alone")}


def faults(program):
    """What `check` says of every file that is wrong on purpose or odd, and of every robot that is brought."""
    files = sorted(path.relative_to(ROOT).as_posix() for folder in ("tests/bad", "tests/urdf", "resources/robots")
                   for path in (ROOT / folder).iterdir() if path.suffix in (".xml", ".urdf"))
    return {file: program.call("check", f"tree/{file}") for file in files}


def files(program):
    """Names beyond ASCII, lines that end as Windows' do, folders that are not there, files that may not be replaced."""
    folder = program.folder / "rôbot ü" / "手"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / ROBOTS[0], folder / "ä 機.xml")
    name = "rôbot ü/手/ä 機.xml"
    found = {"unicode": program.call("export", name, "--bare", "--platforms", "native" if "wasi" not in program.platform else
                                     "x86_64-linux", "-o", "rôbot ü/手.fmu")[0],
             "inspect": program.call("inspect", "rôbot ü/手.fmu")[0]}
    table = program.folder / "crlf.csv"
    table.write_bytes(b"time,joint.waist.torque\r\n0,1\r\n1,2\r\n")
    found["crlf"] = program.call("simulate", f"tree/{ROBOTS[0]}", *RUN, "--input", "crlf.csv", "--set", "deterministic=1")
    found["standard input"] = program.call("simulate", f"tree/{ROBOTS[0]}", *RUN, "--input", "-", "--set", "deterministic=1",
                                           given=table)
    found["no folder"] = program.call("export", f"tree/{ROBOTS[0]}", "-o", "nowhere/x.fmu")
    (program.folder / "there").mkdir(exist_ok=True)
    found["a folder"] = program.call("export", f"tree/{ROBOTS[0]}", "-o", "there")
    if os.geteuid() != 0 or program.platform.endswith("windows"):
        kept = program.folder / "kept.fmu"
        kept.write_text("kept")
        kept.chmod(0o444)
        found["read-only"] = program.call("export", f"tree/{ROBOTS[0]}", "-o", "kept.fmu")[0] != 0, kept.read_text()
        kept.chmod(0o644)
    else:
        found["read-only"] = True, "kept"
    again = program.folder / "again.csv"
    again.write_text("before")
    found["replaced"] = program.call("simulate", f"tree/{ROBOTS[0]}", *RUN, "-o", "again.csv", "--set", "deterministic=1"), \
        digest(again.read_bytes())
    found["left behind"] = sorted(path.name for path in program.folder.glob("*.csv.*"))
    return found


def own_ways(program):
    """What only Windows has: backslashes, names of devices, drives."""
    if not program.platform.endswith("windows"):
        return []
    wrong = []
    tree = "tree\\" + ROBOTS[3].replace("/", "\\")
    (program.folder / "sub").mkdir(exist_ok=True)
    code, _, errors = program.call("simulate", tree, *RUN, "-o", "sub\\table.csv")
    if code != 0 or not (program.folder / "sub" / "table.csv").exists():
        wrong.append(f"-o sub\\table.csv: {errors!r}")
    code, _, errors = program.call("simulate", tree, *RUN, "-o", "nowhere\\table.csv")
    if b"there is no folder 'nowhere'" not in errors:
        wrong.append(f"-o nowhere\\table.csv: {errors!r}")
    code, _, errors = program.call("export", tree, "-o", "nul.fmu")
    if code == 0 or b"no file" not in errors:
        wrong.append(f"-o nul.fmu: {code} {errors!r}")
    code, out, errors = program.call("simulate", tree, *RUN, "-o", "NUL")
    if code != 0:
        wrong.append(f"-o NUL: {errors!r}")
    code, _, errors = program.call("check", "Z:" + str(ROOT / ROBOTS[3]).replace("/", "\\"))
    if code != 0:
        wrong.append(f"check Z:\\…: {errors!r}")
    return wrong


KINDS = [("simulations", simulations), ("FMUs, FMI 2.0 and 3.0", fmus), ("plots", pictures), ("runs", sweeps),
         ("`check` of files", faults), ("files and names", files)]


def cases(found):
    return len(found) if isinstance(found, dict) else 1


def differences(name, want, got):
    if not isinstance(want, dict):
        want, got = {name: want}, {name: got}
    for case, value in want.items():
        if got.get(case) != value:
            yield f"{name}: {case}: {str(got.get(case))[:300]} in place of {str(value)[:300]}"


# ------------------------------------------------------------------------------------------- macOS

def mach(path, platform):
    """What a Mach-O program says of itself: faults, and a sentence."""
    data = path.read_bytes()
    magic, processor = struct.unpack_from("<II", data)
    commands, = struct.unpack_from("<I", data, 16)
    wanted = {"x86_64-darwin": 0x01000007, "aarch64-darwin": 0x0100000C}[platform]
    faults = [] if (magic, processor) == (0xFEEDFACF, wanted) else [f"{path}: is not of {platform}"]
    at, oldest, signed, libraries = 32, None, False, []
    for _ in range(commands):
        command, size = struct.unpack_from("<II", data, at)
        if command == 0x32:  # LC_BUILD_VERSION
            oldest = struct.unpack_from("<I", data, at + 12)[0] >> 16
        elif command == 0x1D:  # LC_CODE_SIGNATURE
            signed = True
        elif command == 0x0C:  # LC_LOAD_DYLIB
            begin = at + struct.unpack_from("<I", data, at + 8)[0]
            libraries.append(data[begin:data.index(b"\0", begin)].decode())
        at += size
    if oldest != 11:
        faults.append(f"{path}: is for macOS {oldest}, not 11")
    if [library for library in libraries if "libSystem" not in library]:
        faults.append(f"{path}: needs {libraries}")
    if platform.startswith("aarch64") and not signed:
        faults.append(f"{path}: has no signature, and Apple's processors run none without")
    return faults, f"macOS {oldest}, {'signed ad hoc' if signed else 'not signed'}"


# --------------------------------------------------------------------------------------------- main

HOW = {"x86_64-linux": "as it is", "aarch64-linux": "qemu-aarch64", "x86_64-windows": "Wine", "wasm32-wasi": "node"}


def needs(path, platform):
    if platform.endswith("linux"):
        return "a Linux kernel: static, any distribution"
    if platform.endswith("windows"):
        found = sorted({name.decode().upper() for name in re.findall(rb"[\w-]+\.dll(?=\0)", path.read_bytes(), re.IGNORECASE)})
        return ("Windows 10 (Universal CRT)" if all(name.startswith(("API-MS-WIN-CRT-", "KERNEL32", "ADVAPI32", "USER32", "WS2_32", "NTDLL"))
                                                    for name in found) else f"Windows with {', '.join(found)}")
    return "macOS 11" if platform.endswith("darwin") else "a host of WASI preview 1"


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("native", type=pathlib.Path)
    ask.add_argument("cross", type=pathlib.Path)
    ask.add_argument("--page", type=pathlib.Path)
    ask.add_argument("platforms", nargs="+")
    words = ask.parse_args()
    wrong, rows = [], []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        scratch = pathlib.Path(place)
        libraries = (words.native / "lib/forearm/binaries").resolve()
        native = Program("native", (words.native / "cli/forearm").resolve(), libraries, scratch)
        (native.folder / "tree").symlink_to(ROOT)
        want = {name: kind(native) for name, kind in KINDS}
        bad = [f"native: {name}: {case}: {value}" for name in ("simulations", "FMUs, FMI 2.0 and 3.0", "plots", "runs")
               for case, value in want[name].items() if value[0] != 0]
        bad += [f"native: {case}: {want['files and names'][case]}" for case in ("crlf", "standard input")
                if want["files and names"][case][0] != 0]
        if bad:
            sys.exit("\n".join(bad))
        for platform in words.platforms:
            path = (words.cross / platform / "program/cli" / ("forearm" + ENDINGS.get(platform.split("-")[-1], ""))).resolve()
            size = f"{path.stat().st_size / 1e6:.2f} MB"
            if platform.endswith("-darwin"):
                found, sentence = mach(path, platform)
                wrong += found
                rows.append([f"`{platform}`", size, needs(path, platform), f"**not run**; headers read: {sentence}"])
                continue
            program = Program(platform, path, libraries, scratch)
            if not program.can_run():
                rows.append([f"`{platform}`", size, needs(path, platform), "**not run**: what would run it is not here"])
                wrong.append(f"{platform}: what would run it is not here")
                continue
            # Hosts of WASI follow no link out of a folder that they open.
            if platform.endswith("wasi"):
                for part in ("tests/bad", "tests/urdf", "resources", "examples/scara"):
                    shutil.copytree(ROOT / part, program.folder / "tree" / part)
            else:
                (program.folder / "tree").symlink_to(ROOT)
            program.call("--version")  # Wine says how it sets itself up, once
            told = []
            for name, kind in KINDS:
                found = kind(program)
                apart = list(differences(name, want[name], found))
                wrong += [f"{platform}: {fault}" for fault in apart]
                told.append(f"{name}: {cases(found) - len(apart)} of {cases(found)}")
                print(f"{platform}: {told[-1]}", flush=True)
            wrong += [f"{platform}: {fault}" for fault in own_ways(program)]
            rows.append([f"`{platform}`", size, needs(path, platform), f"{HOW[platform]}; equal: {'; '.join(told)}"])
    table = "\n".join(["| program | size | needs | run |", "|---|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows)])
    print(table)
    print("\n".join(wrong))
    if words.page and not wrong:
        text = words.page.read_text()
        text, n = re.subn(r"(<!-- programs -->\n).*?(<!-- end -->)", lambda m: f"{m[1]}{table}\n{m[2]}", text, flags=re.DOTALL)
        if n != 1:
            sys.exit(f"{words.page} has no place for the table")
        words.page.write_text(text)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
