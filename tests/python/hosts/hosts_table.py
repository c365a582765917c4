"""Every robot through every host at hand, in both versions of FMI, both interfaces and as arrays: the table of
docs/hosts.md.

    build/venv/bin/python3 tests/python/hosts/hosts_table.py            prints it
    build/venv/bin/python3 tests/python/hosts/hosts_table.py --write    puts it into the page

Each run is a process of its own, since some hosts end theirs when something fails. A host that is not installed is
left out with a line; scripts/python-hosts, scripts/fmi4j, scripts/maestro and scripts/fmi-sim bring some.
"""

import argparse
import glob
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[3]
STOP, STEP = 0.5, 0.05
# Hosts add up time, which leaves rounding, and motions amplify it; Model Exchange has FMPy's CVode at 1e-8.
TOLERANCE = {"cs": 1e-6, "me": 1e-3}
KINDS = [("2", "cs", "plain"), ("2", "me", "plain"), ("3", "cs", "plain"), ("3", "me", "plain"), ("3", "cs", "arrays"), ("3", "me", "arrays")]
HEAD = ["FMI 2 CS", "FMI 2 ME", "FMI 3 CS", "FMI 3 ME", "FMI 3 CS, arrays", "FMI 3 ME, arrays"]


# ------------------------------------------------------------------------------------------- hosts

def by_fmpy(fmu, kind, names):
    import fmpy
    result = fmpy.simulate_fmu(fmu, stop_time=STOP, output_interval=STEP, step_size=STEP, record_events=False, relative_tolerance=1e-8,
                               fmi_type={"cs": "CoSimulation", "me": "ModelExchange"}[kind], output=names, set_stop_time=False)
    last = result[-1]
    assert abs(last["time"] - STOP) < 1e-9
    return [value for name in names for value in ([float(last[name])] if last[name].ndim == 0 else last[name].ravel().tolist())]


def by_libcosimpy(fmu, kind, names):
    from libcosimpy.CosimExecution import CosimExecution
    from libcosimpy.CosimObserver import CosimObserver
    from libcosimpy.CosimSlave import CosimLocalSlave
    execution = CosimExecution.from_step_size(step_size=int(STEP * 1e9))
    slave = execution.add_local_slave(CosimLocalSlave(fmu_path=fmu, instance_name="robot"))
    observer = CosimObserver.create_last_value()
    execution.add_observer(observer)
    reference = {v.name.decode(): v.reference for v in execution.slave_variables(slave)}
    execution.step(step_count=round(STOP / STEP))
    return [float(value) for value in observer.last_real_values(slave, [reference[name] for name in names])]


def by_ecos(fmu, kind, names):
    from ecospy import EcosSimulation, EcosSimulationStructure
    structure = EcosSimulationStructure()
    structure.add_model("robot", fmu)
    simulation = EcosSimulation(structure=structure, step_size=STEP)
    simulation.init()
    simulation.step(round(STOP / STEP))
    return [float(simulation.get_real(f"robot::{name}")) for name in names]


def by_fmi4j(fmu, kind, names):
    folder = SOURCE / "build" / "fmi4j"
    done = subprocess.run(["java", "-cp", f"{folder}:{folder}/jars/*", "Host", fmu, str(STOP), str(STEP), *names],
                          check=True, capture_output=True, text=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("values ")]
    return json.loads(line[len("values "):])


# What Maestro needs beside a robot, since it runs no system without a connection: inverse dynamics of a slide, which is
# told how far something of the robot is, and drives nothing.
LISTENER = """<arm name="listener" convention="standard" gravity="0 0 0"><joint name="slide" type="prismatic">
  <link name="cart" mass="1" com="0 0 0" inertia="1 1 1 0 0 0"/></joint></arm>"""


def by_maestro(fmu, kind, names):
    import csv
    import fmpy
    lengths = [v.name for v in fmpy.read_model_description(fmu, validate=False).modelVariables
               if v.causality == "output" and "m" == (v.unit or (v.declaredType and v.declaredType.unit))]
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        (folder / "listener.xml").write_text(LISTENER)
        subprocess.run([os.environ["FOREARM"], "export", folder / "listener.xml", "--kind", "inverse", "--fmi", "2", "--bare",
                        "--platforms", "native", "-o", folder / "listener.fmu"], check=True, capture_output=True)
        shutil.copy(fmu, folder / "robot.fmu")
        (folder / "system.json").write_text(json.dumps({
            "fmus": {"{robot}": "robot.fmu", "{listener}": "listener.fmu"},
            "connections": {f"{{robot}}.r.{lengths[0]}": ["{listener}.l.joint.slide.position"]}, "parameters": {},
            "logVariables": {"{robot}.r": names}, "algorithm": {"type": "fixed-step", "size": STEP}, "startTime": 0, "endTime": STOP}))
        done = subprocess.run(["java", "-jar", maestro(), "import", "-output=out", "--interpret", "-if", "-fsp", ".", "Sg1", "system.json"],
                              cwd=folder, capture_output=True, text=True)
        results = folder / "out" / "outputs.csv"
        assert results.exists(), next((line for line in (done.stdout + done.stderr).splitlines() if "Exception" in line), "no results")
        head, *rows = csv.reader(results.read_text().splitlines())
        return [float(rows[-1][next(i for i, full in enumerate(head) if full.endswith(".r." + name))]) for name in names]


def maestro():
    """The archive that scripts/maestro has fetched."""
    found = list((SOURCE / "build" / "maestro").glob("maestro-*.jar")) if shutil.which("java") else []
    return found[0] if found else None


def by_omsimulator(fmu, kind, names):
    import csv
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["OMSimulatorPython3", f"--mode={kind}", "--start-time=0", f"--stop-time={STOP}", f"--step-size={STEP}", "--tolerance=1e-8",
                        "--stripRoot", f"--result-file={folder}/out.csv", fmu], cwd=folder, check=True, capture_output=True)
        head, *rows = list(csv.reader(open(f"{folder}/out.csv")))
        at = {name.strip('" ').split(":")[-1]: i for i, name in enumerate(head)}
        return [float(rows[-1][next(i for full, i in at.items() if full.endswith(name))]) for name in names]


def by_fmi_sim(fmu, kind, names):
    import csv
    program = beside("fmi-sim")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "--model", fmu, "--output-file", f"{folder}/out.csv", {"cs": "co-simulation", "me": "model-exchange"}[kind],
                        "-f", str(STOP), "--output-interval", str(STEP if kind == "cs" else 1e-5)], cwd=folder, check=True, capture_output=True)
        head, *rows = list(csv.reader(open(f"{folder}/out.csv")))
        return [float(rows[-1][head.index(name)]) for name in names]


def beside(name):
    own = SOURCE / "build" / name / "bin" / name
    return str(own) if own.exists() else shutil.which(name)


def package(name):
    return importlib.metadata.version(name) if importlib.util.find_spec(name) else None


def fmi4j():
    """The version of the one that scripts/fmi4j has fetched."""
    found = list((SOURCE / "build" / "fmi4j" / "jars").glob("fmi-import-*.jar")) if shutil.which("java") else []
    return found[0].stem.rpartition("-")[2] if found else None


def program(name):
    return "on the PATH" if beside(name) else None


# name, what runs it, its version or None, what it takes
HOSTS = {"FMPy": (by_fmpy, lambda: package("fmpy"), KINDS),
         "libcosimpy (OSP)": (by_libcosimpy, lambda: package("libcosimpy"), KINDS[:1]),
         "ecospy (Ecos)": (by_ecos, lambda: package("ecospy"), [k for k in KINDS if k[1] == "cs" and k[2] == "plain"]),
         "FMI4j": (by_fmi4j, fmi4j, KINDS[:1]),
         "Maestro (INTO-CPS)": (by_maestro, lambda: maestro() and maestro().stem.partition("-")[2], KINDS[:1]),
         "OMSimulator": (by_omsimulator, lambda: program("OMSimulatorPython3"), [k for k in KINDS if k[2] == "plain"]),
         "fmi-sim": (by_fmi_sim, lambda: program("fmi-sim"), [k for k in KINDS if k[2] == "plain"])}


# -------------------------------------------------------------------------------------------- runs

def environment():
    """Ecos' library wants one of Intel's, which PyPI's tbb puts beside the interpreter."""
    own = dict(os.environ)
    own.setdefault("FOREARM", str(SOURCE / "build" / "dev" / "cli" / "forearm"))
    own["LD_LIBRARY_PATH"] = ":".join([str(pathlib.Path(sys.prefix) / "lib"), own.get("LD_LIBRARY_PATH", "")])
    return own


def run(host, fmu, kind, names):
    """The values at the end, or a sentence."""
    done = subprocess.run([sys.executable, __file__, "--one", host, str(fmu), kind, *names], capture_output=True, text=True,
                          timeout=300, env=environment())
    for line in done.stdout.splitlines():
        if line.startswith("values "):
            return json.loads(line[7:])
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return (lines or [f"ended with {done.returncode}"])[-1].strip()


def expected(forearm, robot, folder):
    """States of the motion at the end, by names, as `forearm simulate` has them."""
    import fmpy
    out = folder / "ours.csv"
    subprocess.run([forearm, "simulate", robot, "--stop", str(STOP), "--step", str(STEP), "-o", str(out)], check=True, capture_output=True)
    head, *rows = out.read_text().splitlines()
    head = [re.split(r"[ \[]", name.strip('"'))[0] for name in head.split(",")]
    value = dict(zip(head, map(float, rows[-1].split(","))))
    fmu = folder / "names.fmu"
    subprocess.run([forearm, "export", robot, "--bare", "--platforms", "native", "-o", str(fmu)], check=True, capture_output=True)
    states = [d.variable.derivative.name for d in fmpy.read_model_description(str(fmu), validate=False).derivatives]
    return {name: value[name] for name in states if name in value}


def cell(host, kind, robots, forearm, folder, truth):
    """"14 of 14", or which ones failed and why."""
    import fmpy
    version, interface, variant = kind
    good, wrong = 0, {}
    for robot in robots:
        fmu = folder / f"{robot.stem}_{version}_{variant}.fmu"
        if not fmu.exists():
            subprocess.run([forearm, "export", robot, "--fmi", version, "--bare", "--platforms", "native", "-o", fmu,
                            *(["--arrays"] if variant == "arrays" else [])], check=True, capture_output=True)
        names, values = list(truth[robot]), list(truth[robot].values())
        if variant == "arrays":
            states = [d.variable.derivative.name for d in fmpy.read_model_description(str(fmu), validate=False).derivatives]
            names, values = list(dict.fromkeys(states)), None
        got = run(host, fmu, interface, names)
        if isinstance(got, str):
            wrong.setdefault(got, []).append(robot.stem)
            continue
        # Arrays list the same states joint by joint, and may end in elements that stand for nothing.
        def near(a, b):
            return abs(a - b) < TOLERANCE[interface] * max(1, abs(b))
        fits = (all(near(a, b) for a, b in zip(got, values)) if values else
                all(any(near(a, b) for a in got) for b in truth[robot].values()))
        if fits:
            good += 1
        else:
            wrong.setdefault("other numbers", []).append(robot.stem)
    return good, wrong


def table(forearm, robots):
    lines, notes, missing = [], [], []
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        truth = {robot: expected(forearm, robot, folder) for robot in robots}
        for host, (_, version, kinds) in HOSTS.items():
            if not version():
                missing.append(host)
                continue
            cells = []
            for kind in KINDS:
                if kind not in kinds:
                    cells.append("–")
                    continue
                good, wrong = cell(host, kind, robots, forearm, folder, truth)
                cells.append(f"{good} of {len(robots)}")
                notes += [f"- {host}, {HEAD[KINDS.index(kind)]}: {', '.join(names)}: `{why[:160]}`" for why, names in wrong.items()]
            lines.append(f"| {host} {version()} | " + " | ".join(cells) + " |")
    head = "| host | " + " | ".join(HEAD) + " |\n|---|" + "---|" * len(HEAD)
    said = f"\nNot installed where this was measured: {', '.join(missing)}." if missing else ""
    return "\n".join([head, *lines]) + ("\n\n" + "\n".join(notes) if notes else "") + ("\n" + said if said else "")


BEGIN, END = "<!-- hosts_table.py writes this -->", "<!-- until here -->"


def main():
    if len(sys.argv) > 4 and sys.argv[1] == "--one":
        _, _, host, fmu, kind, *names = sys.argv
        print("values " + json.dumps(HOSTS[host][0](fmu, kind, names)), flush=True)
        os._exit(0)  # some libraries do not survive their own end
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--write", action="store_true", help="put the table into docs/hosts.md")
    options.add_argument("--forearm", default=str(SOURCE / "build" / "dev" / "cli" / "forearm"))
    chosen = options.parse_args()
    os.environ["FOREARM"] = os.path.abspath(chosen.forearm)
    robots = sorted(pathlib.Path(path) for path in glob.glob(str(SOURCE / "resources" / "robots" / "*.xml")))
    text = table(chosen.forearm, robots)
    print(text)
    if chosen.write:
        page = SOURCE / "docs" / "hosts.md"
        before, rest = page.read_text().split(BEGIN)
        page.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
