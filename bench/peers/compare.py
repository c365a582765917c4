#!/usr/bin/env python3
"""Forward dynamics of Forearm and its peers in one run: builds what it needs, checks that all agree
with answers in 128 bits, and writes docs/peers.csv and docs/peers.svg.

    build/venv/bin/python3 bench/peers/compare.py

Forearm by gcc and by clang, as its FMUs come from either; the peers by clang, which makes most of them. Needs clang,
gcc with libquadmath, Eigen, KDL, DART and Simbody (libeigen3-dev, liborocos-kdl-dev,
libdart-dev, libsimbody-dev), the wheels of tests/python/requirements.txt, which bring Pinocchio and
MuJoCo, and the wheel casadi. A peer that is not there is left out, and said so.
"""

import argparse
import csv
import io
import math
import os
import sys

from tools import EIGEN, HERE, ROOT, WORK, compile_for_mujoco, folder_of, run, wheel_of_pinocchio

ROBOTS = ROOT / "build" / "robots"
MODELS = {  # arguments of peer_robots
    "ur5": [ROBOTS / "ur_description/urdf/ur5_robot.urdf"],
    "panda": [ROBOTS / "panda_description/urdf/panda.urdf", "panda_finger_joint1=0"],
    "chain12": ["12"], "chain20": ["20"], "chain50": ["50"], "chain100": ["100"]}
CASADI = ("ur5", "panda", "chain12", "chain20")  # longer ones take minutes to compile
INSIDE = [path for part in ("model", "import", "export", "bench/peers")
          for path in [ROOT / part, *sorted((ROOT / part).glob("**/"))]]
FOLDERS = [f"-I{path}" for path in INSIDE] + [f"-I{path}" for path in sorted((ROOT / "build").glob("*/generated"))[:1]]
# Times [ns] of a loaded machine are meaningful only as ratios. Errors beyond this are not rounding: the peer solves
# another problem.
AGREES = 1e-9
OURS = ("gcc", "clang")


def ours(compiler):
    """Compiles the library's sources with the flags of fmu/, and the program that times them."""
    objects = []
    for source in sorted(ROOT.glob("model/**/*.c")):
        target = WORK / f"{compiler}_{source.stem}.o"
        run(compiler, "-std=c99", "-O3", "-DNDEBUG", "-fPIC", "-ffp-contract=off", "-w", *FOLDERS,
            "-c", source, "-o", target)
        objects.append(target)
    program = WORK / f"ours_{compiler}"
    run(compiler, "-std=gnu11", "-O3", *FOLDERS, HERE / "ours.c", *objects, "-lm", "-o", program)
    batch = WORK / f"batch_{compiler}"
    run(compiler, "-std=gnu11", "-O3", *FOLDERS, HERE / "batch.c", *objects, "-lm", "-o", batch)
    return objects, [(program, MODELS), (batch, MODELS)]


def robots(objects):
    flags = run("pkg-config", "--cflags", "--libs", "libxml-2.0").split()
    schemas = next((ROOT / "build").glob("*/import"), None)
    imports = sorted((ROOT / "import").glob("**/*.c"))
    program = WORK / "robots"
    run("gcc", "-std=gnu11", "-O2", "-w", *FOLDERS, f"-I{schemas}", HERE / "robots.c", *imports,
        *(schemas.glob("*.c") if schemas else []), *objects, *flags, "-lquadmath", "-lm", "-o", program)
    for name, words in MODELS.items():
        (WORK / f"{name}.txt").write_text(run(program, name, *words))


def specialised(compiler, objects):
    """Compiles the specialised code of one robot, as export --specialise does, if there is such code."""
    writer = WORK / "specialise"
    parts = [ROOT / "export" / "specialise" / f"{part}.c"
             for part in ("graph", "frames", "equations", "order", "emit", "specialise")]
    run("gcc", "-std=gnu11", "-O2", *FOLDERS, HERE / "specialise.c", *parts, *objects, "-lm", "-o", writer)
    programs = []
    for name in MODELS:
        try:
            code = run(writer, f"{name}.txt", cwd=WORK)
        except RuntimeError as refusal:
            print(f"no code for one robot: {refusal}", file=sys.stderr)
            continue
        source = WORK / f"code_{name}" / "special.c"  # the file includes itself by this name
        source.parent.mkdir(exist_ok=True)
        source.write_text(code)
        general = [path for path in objects if path.stem != f"{compiler}_special"]
        run(compiler, "-std=c99", "-O2", "-DNDEBUG", "-fPIC", "-ffp-contract=off", "-w", *FOLDERS,
            "-c", source, "-o", WORK / f"special_{name}.o")
        for program in ("special", "batch"):
            built = WORK / f"{program}_{name}_{compiler}"
            run(compiler, "-std=gnu11", "-O3", *FOLDERS, HERE / f"{program}.c",
                WORK / f"special_{name}.o", *general, "-lm", "-o", built)
            programs.append((built, [name]))
    return programs


FAST = ["clang++", "-std=c++17", "-O3", "-DNDEBUG", "-march=native", "-w", *FOLDERS]


def pinocchio():
    run(*FAST, HERE / "pinocchio.cpp", *wheel_of_pinocchio(), "-o", WORK / "pinocchio")
    return [(WORK / "pinocchio", MODELS)]


def kdl():
    run(*FAST, *EIGEN, HERE / "kdl.cpp", "-lorocos-kdl", "-o", WORK / "kdl")
    return [(WORK / "kdl", MODELS)]


def dart():
    # Flags of Debian's build: the layout of its matrices depends on the target processor.
    general = [word for word in FAST if word != "-march=native"]
    run(*general, *EIGEN, HERE / "dart.cpp", "-ldart", "-o", WORK / "dart")
    return [(WORK / "dart", MODELS)]


def simbody():
    # Flags of Debian's build: the layout of its objects depends on its assertions.
    general = [word for word in FAST if word not in ("-march=native", "-DNDEBUG")]
    run(*general, "-I/usr/include/simbody", HERE / "simbody.cpp", "-lSimTKsimbody", "-lSimTKmath",
        "-lSimTKcommon", "-o", WORK / "simbody")
    return [(WORK / "simbody", MODELS)]


def mujoco():
    compile_for_mujoco("mujoco", *FOLDERS)
    return [(WORK / "mujoco", MODELS)]


def casadi():
    wheel = folder_of("casadi")
    run("clang++", "-std=c++17", "-O0", "-w", *FOLDERS, f"-I{wheel / 'include'}", HERE / "casadi.cpp",
        *wheel_of_pinocchio(), f"-L{wheel}", f"-Wl,-rpath,{wheel}", "-lcasadi", "-o", WORK / "casadi")
    programs = []
    for name in CASADI:
        run(WORK / "casadi", f"{name}.txt", cwd=WORK)
        run("clang", "-std=gnu11", "-O3", "-march=native", "-w", *FOLDERS,
            f'-DGENERATED="{WORK / f"casadi_{name}.c"}"', HERE / "generated.c", "-lm",
            "-o", WORK / f"casadi_{name}")
        programs.append((WORK / f"casadi_{name}", [name]))
    return programs


def measure(program, names):
    """Runs a program on one fixed processor and reads its table. Rows of Forearm name the compiler."""
    cpu = max(os.sched_getaffinity(0))
    text = run(program, *[f"{name}.txt" for name in names], cwd=WORK,
               preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    rows = list(csv.reader(io.StringIO(text)))
    for compiler in OURS:
        if program.name.endswith(f"_{compiler}"):
            for row in rows:
                row[2] += f" {compiler}"
    return rows


def kind(who):
    if who.startswith("forearm fast"):
        return "Forearm"
    if who.startswith("forearm specialised"):
        return "specialised"
    if who.startswith("batch"):
        return "batch, " + who.split()[1]
    if who.startswith("derivatives"):
        return "derivatives of " + who.split()[1]
    return {"forearm": "readable", "pinocchio": "Pinocchio", "mujoco": "MuJoCo", "kdl": "KDL",
            "dart": "DART", "simbody": "Simbody", "casadi": "CasADi C"}[who.split()[0]]


def best(rows, what, robot, column):
    return min((float(row[column]) for row in rows if row[0] == robot and kind(row[2]) == what),
               default=math.nan)


def summary(rows):
    print(f"\n{'robot':9s} {'':10s} {'Forearm':>8s} " + " ".join(f"{p:>18s}" for p in PEERS))
    for name in MODELS:
        for column, what in ((3, "throughput"), (4, "latency")):
            own = best(rows, "Forearm", name, column)
            cells = []
            for peer in PEERS:
                theirs = best(rows, peer, name, column)
                cells.append(f"{theirs:10.0f} {theirs / own:6.2f}x" if theirs == theirs else " " * 18)
            print(f"{name:9s} {what:10s} {own:8.0f} " + " ".join(cells))
            code, theirs = (best(rows, who, name, column) for who in DERIVATIVES)
            if code == code:
                print(f"{name:9s} {what:10s} with all derivatives, specialised {code:8.0f}, Pinocchio "
                      f"{theirs:8.0f} {theirs / code:6.2f}x")


DERIVATIVES = ("derivatives of specialised", "derivatives of pinocchio")
PEERS = ("specialised", "batch, general", "batch, specialised", "CasADi C", "MuJoCo", "Pinocchio", "KDL", "DART", "Simbody", "readable")
COLOURS = {"Forearm": "#c00", "specialised": "#f80", "CasADi C": "#06c", "MuJoCo": "#880", "Pinocchio": "#084", "KDL": "#808", "DART": "#a60", "Simbody": "#0aa",
           "readable": "#888"}


def plot(rows, path):
    """Plots the time of a call over the number of joints, both logarithmic."""
    sizes = {row[0]: int(row[1]) for row in rows}
    left, top, width, height = 70, 20, 520, 360
    low, high = 1.8, 5.7  # powers of ten [ns]

    def x(n):
        return left + width * math.log(n / 5) / math.log(110 / 5)

    def y(ns):
        return top + height * (high - math.log10(ns)) / (high - low)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 430" font-family="sans-serif" font-size="12">',
             '<rect width="720" height="430" fill="white"/>']
    for power in range(2, 6):
        lines.append(f'<line x1="{left}" x2="{left + width}" y1="{y(10 ** power):.1f}" y2="{y(10 ** power):.1f}" stroke="#ddd"/>')
        label = {2: "100 ns", 3: "1 µs", 4: "10 µs", 5: "100 µs"}[power]
        lines.append(f'<text x="{left - 8}" y="{y(10 ** power) + 4:.1f}" text-anchor="end">{label}</text>')
    for n in (6, 7, 12, 20, 50, 100):
        lines.append(f'<text x="{x(n):.1f}" y="{top + height + 18}" text-anchor="middle">{n}</text>')
    lines.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">joints</text>')
    taken = []  # heights of the labels placed so far
    for what, colour in COLOURS.items():
        points = [(sizes[name], best(rows, what, name, 3)) for name in MODELS]
        points = [(n, ns) for n, ns in points if ns == ns]
        if not points:
            continue
        path_of = " ".join(f"{x(n):.1f},{y(ns):.1f}" for n, ns in points)
        lines.append(f'<polyline points="{path_of}" fill="none" stroke="{colour}" stroke-width="2"/>')
        n, ns = points[-1]
        label = {"readable": "Forearm, readable", "specialised": "Forearm, specialised"}.get(what, what)
        label_y = y(ns) + 4
        while n == 100 and any(abs(label_y - other) < 13 for other in taken):
            label_y += 1  # moves below the labels placed already
        taken += [label_y] if n == 100 else []
        lines.append(f'<text x="{x(n) + 6:.1f}" y="{label_y:.1f}" fill="{colour}">{label}</text>')
    lines.append("</svg>")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    programs = []
    for compiler in OURS:
        objects, own = ours(compiler)
        if not programs:
            robots(objects)
        programs += own + specialised(compiler, objects)
    for peer in (pinocchio, mujoco, kdl, dart, simbody, casadi):
        try:
            programs += peer()
        except (RuntimeError, FileNotFoundError, ValueError) as error:
            print(f"left out: {peer.__name__}: {error}", file=sys.stderr)
    rows = []
    for program, names in programs:
        rows += measure(program, names)
    apart = [row for row in rows if not float(row[6]) < AGREES]
    for row in apart:
        print(f"{row[2]} does not agree on {row[0]}: off by {row[6]}", file=sys.stderr)
    with open(ROOT / "docs" / "peers.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["robot", "joints", "who", "throughput_ns", "latency_ns", "instructions", "error"])
        writer.writerows(rows)
    plot(rows, ROOT / "docs" / "peers.svg")
    summary(rows)
    return 1 if apart else 0


if __name__ == "__main__":
    sys.exit(main())
