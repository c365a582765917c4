"""Every URDF file below a folder: read or refused, and if it moves, does it as Pinocchio says?

    FOREARM=build/release/cli/forearm python campaign.py FOLDER RESULT.csv [STATES]

Writes a line for each file, prints what differs, and ends with 1 if anything does.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import figures
from agreement import agree, states
from pinocchio_arm import PinocchioArm
from robot_fmu import RobotFmu

HEAD = ["file", "verdict", "joints", "condition", "difference", "remark"]


def forearm(*arguments):
    done = subprocess.run([os.environ["FOREARM"], *map(str, arguments)], capture_output=True,
                          text=True)
    complaints = [line for line in done.stderr.splitlines() if ": warning:" not in line]
    if done.returncode == 1:  # the file is wrong
        raise ValueError(complaints[0])
    if done.returncode != 0:
        sys.exit(f"forearm {arguments} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def judge(urdf, name, folder, count):
    """A line of the result, from the verdict on."""
    fmus = []
    try:
        for fmi in (3, 2):
            path = pathlib.Path(folder) / f"{fmi}.fmu"
            forearm("export", urdf, "-o", path, "--fmi", fmi)
            fmus.append(RobotFmu(path))
        tip = json.loads(forearm("inspect", "--json", urdf))["robot"]["tip_link"]
    except ValueError as reason:
        return ["refused", "", "", "", str(reason).removeprefix(f"{urdf}:")]
    if not fmus[0].joints:
        return ["without joints", 0, "", "", ""]
    try:
        arms = [PinocchioArm(urdf, fmu, tip) for fmu in fmus]
    except (ValueError, RuntimeError) as reason:
        return ["not read by Pinocchio", len(fmus[0].joints), "", "", str(reason).strip()]
    condition = max(np.linalg.cond(arms[0].mass_matrix(q))
                    for _, (q, *_) in states(arms[0], name, count))
    figures.worst.clear()
    try:
        for arm in arms:
            agree(arm, f"{name} FMI {arm.fmu.fmi}", count)
    except AssertionError as difference:
        return ["differs", len(fmus[0].joints), f"{condition:.1e}", "",
                str(difference).partition("\n")[0]]
    return ["agrees", len(fmus[0].joints), f"{condition:.1e}",
            f"{figures.worst['accelerations'].difference:.1e}", ""]


def main(folder, result, count=100):
    folder = pathlib.Path(folder)
    verdicts = {}
    worst = {}
    with open(result, "w", newline="", encoding="utf-8") as file, \
            tempfile.TemporaryDirectory() as scratch:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEAD)
        for urdf in sorted(folder.rglob("*.urdf")):
            name = str(urdf.relative_to(folder))
            row = judge(urdf, name, scratch, int(count))
            writer.writerow([name, *row])
            verdicts[row[0]] = verdicts.get(row[0], 0) + 1
            if row[0] not in ("agrees", "without joints"):
                print(f"{name}: {row[0]}; {row[-1]}")
            for what, seen in figures.worst.items():
                worst.setdefault(what, figures.Worst()).add(seen.difference, seen.tolerance,
                                                            seen.where, seen.share)
            figures.worst.clear()
    figures.worst.update(worst)
    print(*figures.lines(), sep="\n")
    print(", ".join(f"{verdict}: {count}" for verdict, count in sorted(verdicts.items())))
    return 1 if "differs" in verdicts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
