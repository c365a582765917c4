#!/usr/bin/env python3
"""Simulates exported FMUs with FMPy and makes a page of what came out.

    page.py <output folder> <robot file>=<fmu> ...

For each robot: <name>.csv with every sample, <name>.svg, its part of index.html, and <name>.html,
where it moves: the same story told to `forearm simulate`, the program named in FOREARM.
"""

import html
import os
import pathlib
import subprocess
import sys
import time

import chart
import fmpy
import numpy as np
from skeleton import Skeleton

SAMPLE = 0.01  # [s]

# The run of each robot: end [s], initial positions [rad], and pushes: joint, from, to [s], torque
# [N m].
STORIES = {
    "puma560": {
        "title": "PUMA 560",
        "says": "The PUMA 560 is let go with its upper arm level. Its motor turns the waist with "
                "60 N m from 0.5 s to 1.1 s and pulls the elbow with 30 N m from 1.8 s to 2.15 s; "
                "gravity, the friction of its joints and the stops at their limits do the rest.",
        "stop": 4.0,
        "start": {},
        "pushes": [("waist", 0.5, 1.1, 60.0), ("elbow", 1.8, 2.15, -30.0)],
    },
    "ur5_robot": {
        "title": "UR5",
        "says": "The UR5, whose URDF file names no friction, falls freely from an upright elbow. "
                "Nothing takes energy away until a joint meets a stop at its limit, at each of which "
                "the sum of kinetic and potential energy falls.",
        "stop": 2.0,
        "start": {"shoulder_lift_joint": -1.2, "elbow_joint": 1.0, "wrist_1_joint": 0.4},
        "pushes": [],
    },
}


def simulate(fmu, joints, story):
    """The samples as FMPy gives them, and the seconds that this took."""
    names = [f"joint.{joint}.position" for joint in joints]
    names += ["tip.x", "tip.y", "tip.z", "energy.kinetic", "energy.potential"]
    start = {f"joint.{joint}.initial_position": q for joint, q in story["start"].items()}
    corners = sorted({0.0, story["stop"], *(t for _, a, b, _ in story["pushes"] for t in (a, b))})
    inputs = [variable.name for variable in fmpy.read_model_description(str(fmu)).modelVariables
              if variable.causality == "input"]
    # Two rows at each corner, just before and just after the jump.
    instants = [t + side for t in corners for side in (-1e-9, 1e-9)]
    signals = np.zeros(len(instants), dtype=[(name, float) for name in ("time", *inputs)])
    signals["time"] = instants
    for joint, begin, end, torque in story["pushes"]:
        pushed = (begin < signals["time"]) & (signals["time"] < end)
        signals[f"joint.{joint}.torque"] += torque * pushed
    began = time.perf_counter()
    samples = fmpy.simulate_fmu(str(fmu), stop_time=story["stop"], output_interval=SAMPLE,
                                start_values=start, input=signals, output=names)
    return samples, time.perf_counter() - began


def moving(robot, story, folder):
    """A page with the robot in motion, by `forearm simulate`; None where the viewer is not built in."""
    joints = [joint for joint, *_ in story["pushes"]]
    lines = [["time", *(f"joint.{joint}.torque" for joint in joints)]]
    for t in sorted({0.0, *(t for _, a, b, _ in story["pushes"] for t in (a, b))}):
        lines.append([str(t), *(str(torque if a <= t < b else 0) for _, a, b, torque in story["pushes"])])
    table = folder / f"{robot.stem}_torques.csv"
    page = folder / f"{robot.stem}.html"
    arguments = ["--stops", "--stop", str(story["stop"]), "--html", page]
    if joints:
        table.write_text("".join(",".join(line) + "\n" for line in lines))
        arguments += ["--input", table]
    for joint, q in story["start"].items():
        arguments += ["--set", f"joint.{joint}.initial_position={q}"]
    done = subprocess.run([os.environ["FOREARM"], "simulate", robot, *arguments], capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
    return None if done.returncode else page.name


def picture(title, skeleton, samples):
    """Left the arm at some instants, right its joints and energies over time."""
    joints, t = skeleton.joints(), samples["time"]
    instants = [int(round(i)) for i in np.linspace(0, len(t) - 1, 9)]
    poses = [skeleton.pose({j: samples[f"joint.{j}.position"][k] for j in joints}) for k in instants]
    tips = np.array([samples["tip.x"], samples["tip.y"], samples["tip.z"]]).T
    shown = {j.removesuffix("_joint").replace("_", " "): samples[f"joint.{j}.position"] for j in joints}
    kinetic, potential = samples["energy.kinetic"], samples["energy.potential"]
    potential = potential - potential[0]
    parts = [
        chart.group(chart.arm("Motion", poses, t[instants], tips, 400, 470), 10, 10),
        chart.group(chart.lines("Joint positions", "rad", t, shown), 430, 10),
        chart.group(chart.lines("Energy since the start", "J", t, {
            "kinetic": kinetic, "potential": potential, "sum": kinetic + potential}), 430, 250),
    ]
    return chart.svg(900, 490, parts, f"{title}: motion, joint positions and energy over {t[-1]:g} s")


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forearm: what came out</title>
<style>
body {{ margin: 0; background: #f4f6f8; color: #24292f;
       font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }}
main {{ max-width: 960px; margin: 0 auto; padding: 32px 20px 48px; }}
h1 {{ font-size: 26px; margin: 0 0 4px; }}
h2 {{ font-size: 19px; margin: 0 0 6px; }}
section {{ background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: 20px 24px;
          margin-top: 22px; }}
svg {{ display: block; width: 100%; height: auto; margin-top: 12px; }}
p {{ margin: 0 0 8px; }}
small, .facts {{ color: #57606a; font-size: 13px; }}
a {{ color: #0969da; }}
code {{ font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }}
</style>
</head>
<body><main>
<h1>Robots that run as FMUs</h1>
<p>Each was exported from its robot file by <code>forearm export</code> and simulated by FMPy {fmpy}
in Co-Simulation. The FMU solved its own equations of motion in C.</p>
{sections}
</main></body>
</html>
"""

SECTION = """<section>
<h2>{title}</h2>
<p>{says}</p>
{picture}
<p class="facts">{facts}</p>
</section>
"""


def main(folder, *pairs):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    sections = []
    for pair in pairs:
        robot, fmu = map(pathlib.Path, pair.split("="))
        name, story, skeleton = robot.stem, STORIES[robot.stem], Skeleton(robot)
        samples, seconds = simulate(fmu, skeleton.joints(), story)
        np.savetxt(folder / f"{name}.csv", np.array(samples.tolist()), delimiter=",", fmt="%.17g",
                   header=",".join(samples.dtype.names), comments="")
        drawing = picture(story["title"], skeleton, samples)
        (folder / f"{name}.svg").write_text(drawing)
        description = fmpy.read_model_description(str(fmu))
        facts = (f"{fmu.name}: FMI {description.fmiVersion}, {len(description.modelVariables)} "
                 f"variables, {fmu.stat().st_size / 1024:.0f} KiB. {story['stop']:g} s of motion took "
                 f"{seconds:.2f} s with loading. Every sample: <a href='{name}.csv'>{name}.csv</a>")
        print(f"{fmu}: {story['stop']:g} s simulated in {seconds:.2f} s, {len(samples)} samples")
        page = moving(robot, story, folder)
        if page:
            facts = f"<a href='{page}'>See it move.</a> {facts}"
        sections.append(SECTION.format(title=html.escape(story["title"]), says=html.escape(story["says"]),
                                       picture=drawing, facts=facts))
    page = folder / "index.html"
    page.write_text(PAGE.format(fmpy=fmpy.__version__, sections="".join(sections)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
