#!/usr/bin/env python3
"""Weighs the links of a robot while it moves: inertial parameters from a recorded trajectory.

    examples/calibration/identify.py [--forearm PROGRAM] [--out FOLDER]

A PUMA 560 on a bench (record.py) follows a motion; encoders and motor currents are recorded, with noise. `forearm inverse
--regressor` gives the matrix Y of torque = Y(q, qd, qdd) parameters + what is known, and least squares the parameters:

 1. how many of them there are to be found (rank), and which are found alone, in combinations, or not at all;
 2. the base parameters, with confidence intervals and condition number;
 3. the masses of the links, if the drawing is right about their shapes;
 4. what that is worth: torques of another motion, by the drawing and as calibrated.

Writes recording.csv, calibration.svg and table.md. Needs FMPy, numpy and scipy.
"""

import argparse
import csv
import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
from scipy import linalg, signal, stats

import record
from record import JOINTS, ROBOT, SAMPLE, SOURCE

sys.path.insert(0, str(SOURCE / "scripts" / "result"))

import chart  # noqa: E402

MOTION, OTHER = 1, 2   # motions to learn from, and to judge by
CUT = 8.0              # above this, positions and torques are taken for noise [Hz]
MARGIN = 100           # samples at either end that the filter spoils
EVERY = 16              # of the filtered samples one is kept: their noise then is independent
STILL = 0.1            # a joint that is slower may turn round [rad/s]: its torque is not used …
SPREAD = 40            # … nor this many samples before and after, over which the filter spreads the friction's jump
INERTIA = ["xx", "yy", "zz", "xy", "xz", "yz"]
PARAMETERS = ["mass", *(f"mass_com.{a}" for a in "xyz"), *(f"origin_inertia.{ij}" for ij in INERTIA)]


# --------------------------------------------------------------------------------------- the model

def program(forearm, *words):
    return subprocess.run([forearm, *map(str, words)], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          encoding="ascii").stdout


def drawing(forearm):
    """The links as drawn: {name: ten parameters, in the order of the regressor's columns}."""
    links = json.loads(program(forearm, "inspect", ROBOT, "--json"))["links"]
    found = {}
    for link in links:
        if link["joint"]:
            m, c = link["mass"], np.array(link["com"])
            xx, yy, zz, xy, xz, yz = link["inertia"]
            about = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) + m * (c @ c * np.eye(3) - np.outer(c, c))
            found[link["name"]] = np.array([m, *(m * c), *about[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]])
    return found


def regressor(forearm, folder, q, qd, qdd, links):
    """Y, of (samples, joints, parameters), and what it leaves: the torques of rotors, which are known."""
    head = [f"joint.{j}.{what}" for what in ("position", "velocity", "acceleration") for j in JOINTS]
    np.savetxt(folder / "motion.csv", np.hstack([q, qd, qdd]), delimiter=",", header=",".join(head), comments="")
    frictionless = [word for j in JOINTS for what in ("viscous_friction", "coulomb_friction", "coulomb_friction_negative")
                    for word in ("--set", f"joint.{j}.{what}=0")]
    text = program(forearm, "inverse", ROBOT, "--in", folder / "motion.csv", "--regressor", *frictionless)
    lines = text.splitlines()
    column = {name: k for k, name in enumerate(lines[0].split(","))}
    table = np.loadtxt(lines[1:], delimiter=",")
    wanted = [[column[f"joint.{j}.torque/link.{l}.{p}"] for l in links for p in PARAMETERS] for j in JOINTS]
    Y = table[:, wanted]
    drawn = table[:, [column[f"joint.{j}.torque"] for j in JOINTS]]
    return Y, drawn - Y @ np.concatenate(list(links.values()))


def friction(qd):
    """Columns for each joint's friction: against any motion by its speed, against positive, against negative motion."""
    n, joints = qd.shape
    F = np.zeros((n, joints, 3 * joints))
    for j in range(joints):
        F[:, j, 3 * j:3 * j + 3] = np.column_stack([qd[:, j], qd[:, j] > 0, -1.0 * (qd[:, j] < 0)])
    return F


# -------------------------------------------------------------------------------------- the record

def smooth(values):
    """Without what is above CUT, forwards and backwards, so that nothing comes late."""
    return signal.sosfiltfilt(signal.butter(4, CUT, fs=1 / SAMPLE, output="sos"), values, axis=0)


def observations(forearm, folder, recording, links):
    """(Y with friction, torques less what is known, joint) of every torque that can be used."""
    _, q, tau = recording
    q = smooth(q)
    qd = np.gradient(q, SAMPLE, axis=0)
    qdd = np.gradient(qd, SAMPLE, axis=0)
    kept = slice(MARGIN, -MARGIN, EVERY)
    Y, known = regressor(forearm, folder, q[kept], qd[kept], qdd[kept], links)
    matrix = np.concatenate([Y, friction(qd[kept])], axis=2)
    near = np.apply_along_axis(np.convolve, 0, np.abs(qd) <= STILL, np.ones(2 * SPREAD + 1), mode="same")
    moves = near[kept] < 0.5
    joint = np.broadcast_to(np.arange(len(JOINTS)), moves.shape)
    return matrix[moves], (smooth(tau)[kept] - known)[moves], joint[moves]


# ----------------------------------------------------------------------------------- least squares

ROUNDING = 1e-8  # of the largest: steps of the factorisation below it are rounding, which is some 1e-15; the least is 1e-3


def base(A):
    """Columns that are independent, and how the rest follows from them: A[:, rest] = A[:, chosen] K. Columns of zeros
    are in neither. Also the steps of the factorisation, in which the rank shows."""
    size = np.linalg.norm(A, axis=0)
    some = np.flatnonzero(size > ROUNDING * size.max())
    _, R, order = linalg.qr(A[:, some] / size[some], mode="economic", pivoting=True)
    steps = np.abs(np.diag(R))
    rank = int(np.sum(steps > ROUNDING * steps[0]))
    chosen, rest = some[order[:rank]], some[order[rank:]]
    K = linalg.solve_triangular(R[:rank, :rank], R[:rank, rank:]) * size[rest] / size[chosen][:, None]
    return chosen, rest, K, steps


def found_alone(A):
    """Returns for each column whether its parameter can be identified alone, in a combination, or not at all."""
    chosen, rest, K, _ = base(A)
    said = np.full(A.shape[1], "nothing", dtype=object)
    said[rest] = "combined"
    said[chosen] = np.where(np.abs(K).max(axis=1, initial=0) > ROUNDING, "combined", "alone")
    return said


class Fit:
    """Least squares in which each joint's torque counts by how well it is known, which the residuals say."""

    def __init__(self, A, b, joint):
        size = np.linalg.norm(A, axis=0)
        weight = np.ones(len(b))
        for _ in range(4):
            self.x = linalg.lstsq(A / size * weight[:, None], b * weight)[0] / size
            rest = b - A @ self.x
            share = 1 - A.shape[1] / len(b)  # of the torques that the parameters leave free
            self.sigma = np.array([np.sqrt(np.mean(rest[joint == j] ** 2) / share) for j in range(len(JOINTS))])
            weight = 1 / self.sigma[joint]
        R = linalg.qr(A / size * weight[:, None], mode="r")[0][:A.shape[1]]
        inverse = linalg.solve_triangular(R, np.eye(A.shape[1])) / size[:, None]
        self.covariance = inverse @ inverse.T
        self.error = np.sqrt(np.diag(self.covariance))
        self.interval = stats.t.ppf(0.975, len(b) - A.shape[1]) * self.error  # to either side, 95 % of confidence
        self.condition = np.linalg.cond(R / np.linalg.norm(R, axis=0))


def by_mass(A, links):
    """The columns of A when shapes are known: a mass for each link, the trunk's inertia, the frictions."""
    weighed = [name for name, phi in links.items() if phi[0] > 0]
    shape = np.zeros((A.shape[1], 1 + len(weighed)))
    for k, (name, phi) in enumerate(links.items()):
        column = 1 + weighed.index(name) if phi[0] > 0 else 0
        shape[10 * k:10 * k + 10, column] = phi / phi[0] if phi[0] > 0 else phi / phi.max()
    return weighed, np.hstack([A @ shape, A[:, 10 * len(links):]])


# ----------------------------------------------------------------------------------------- results

class Study:
    """All of it, from a record on."""

    def __init__(self, forearm, folder, recording):
        self.forearm, self.folder, self.links = forearm, folder, drawing(forearm)
        self.A, b, joint = observations(forearm, folder, recording, self.links)
        self.columns = [f"link.{l}.{p}" for l in self.links for p in PARAMETERS]
        self.columns += [f"joint.{j}.{f}" for j in JOINTS
                         for f in ("viscous_friction", "coulomb_friction", "coulomb_friction_negative")]
        self.chosen, self.rest, self.K, self.steps = base(self.A)
        self.alone = found_alone(self.A)
        self.full = Fit(self.A[:, self.chosen], b, joint)
        self.weighed, M = by_mass(self.A, self.links)
        self.rank_of_masses = len(base(M)[0])
        self.masses = Fit(M, b, joint)

    def drawn(self):
        """The parameters of the drawing, friction included, in the order of the columns."""
        joints = json.loads(program(self.forearm, "inspect", ROBOT, "--json"))["joints"]
        rubbing = [joint["friction"][what] for name in JOINTS for joint in joints if joint["name"] == name
                   for what in ("viscous", "coulomb", "coulomb_negative")]
        return np.concatenate([*self.links.values(), rubbing])

    def truth(self):
        """Those of the robot on the bench: for judging what was found, not for finding it."""
        factor = [record.MASS.get(name, 1.0) for name in self.links for _ in PARAMETERS]
        return self.drawn() * np.array(factor + [record.FRICTION] * 3 * len(JOINTS))

    def combined(self, parameters):
        """The base parameters that these parameters amount to."""
        return parameters[self.chosen] + self.K @ parameters[self.rest]

    def judge(self, recording):
        """Root mean square errors of the torques of another record, joint by joint: by the drawing, and as calibrated."""
        A, b, joint = observations(self.forearm, self.folder, recording, self.links)
        errors = [b - A @ self.drawn(), b - A[:, self.chosen] @ self.full.x]
        return [[float(np.sqrt(np.mean(e[joint == j] ** 2))) for j in range(len(JOINTS))] for e in errors]


def table(head, rows):
    return "\n".join(["| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]]) + "\n"


def mass_table(study):
    """Returns a table of the links' masses, and the sum of the two that are hardest to tell from each other."""
    x, half, C = study.masses.x[1:], study.masses.interval[1:], study.masses.covariance[1:, 1:]
    names = study.weighed
    drawn = np.array([study.links[name][0] for name in names])
    true = np.array([record.MASS.get(name, 1) for name in names]) * drawn
    n = len(names)
    error = np.sqrt(np.diag(C[:n, :n]))
    i, k = np.unravel_index(np.argmin(C[:n, :n] / np.outer(error, error)), (n, n))
    both = half[i] / error[i] * np.sqrt(C[i, i] + C[k, k] + 2 * C[i, k])
    rows = [(name, drawn[j], x[j], half[j], true[j]) for j, name in enumerate(names)]
    rows.append((f"{names[i]} + {names[k]}", drawn[i] + drawn[k], x[i] + x[k], both, true[i] + true[k]))
    return table(["link", "drawing [kg]", "found [kg]", "95 % within ± [kg]", "truth [kg]"],
                 [[name, *(f"{value:.3f}" for value in values)] for name, *values in rows])


def error_table(drawing_errors, calibrated):
    return table(["joint", "by the drawing [N m]", "calibrated [N m]"],
                 [[j, f"{a:.3f}", f"{b:.3f}"] for j, a, b in zip(JOINTS, drawing_errors, calibrated)])


def picture(study, clean, recording):
    """The other motion: the shoulder's torque as recorded, and what drawing and calibration leave of it."""
    time, q, tau = recording
    q = smooth(q)
    qd = np.gradient(q, SAMPLE, axis=0)
    every = slice(MARGIN, -MARGIN, 4)
    Y, known = regressor(study.forearm, study.folder, q[every], qd[every], np.gradient(qd, SAMPLE, axis=0)[every],
                         study.links)
    A = np.concatenate([Y, friction(qd[every])], axis=2)
    by_drawing, by_fit = known + A @ study.drawn(), known + A[:, :, study.chosen] @ study.full.x
    t, parts = time[every] - time[every][0], []
    for k, j in enumerate((1, 2)):
        measured = smooth(tau)[every][:, j]
        parts.append(chart.group(chart.lines(f"{JOINTS[j].capitalize()}, recorded less model", "N m", t, {
            "drawing": measured - by_drawing[:, j], "calibrated": measured - by_fit[:, j]}), 470 * (k + 1), 0))
    parts.insert(0, chart.group(chart.lines("Shoulder", "N m", t, {
        "recorded": tau[every][:, 1], "calibrated": by_fit[:, 1]}), 0, 0))
    return chart.svg(1410, 240, parts, "Torques of another motion: recorded, and what drawing and calibration leave of them")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--forearm", default=shutil.which("forearm") or "build/dev/cli/forearm")
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("results/calibration"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    recording = record.record(record.drive(chosen.forearm, MOTION, periods=2), seed=1)
    with open(chosen.out / "recording.csv", "w", newline="", encoding="ascii") as file:
        rows = csv.writer(file)
        rows.writerow(["time", *(f"joint.{j}.{what}" for what in ("position", "torque") for j in JOINTS)])
        rows.writerows(np.round(np.column_stack(recording), 6).tolist())
    study = Study(chosen.forearm, chosen.out, recording)
    n = len(study.A)
    print(f"{n} torques, {len(study.columns)} parameters: {60} of links, {18} of friction")
    print(f"rank {len(study.chosen)}; the step after it is {study.steps[len(study.chosen)]:.0e} of the largest, the one before "
          f"{study.steps[len(study.chosen) - 1] / study.steps[0]:.0e}; condition number {study.full.condition:.0f}")
    for word in ("alone", "combined", "nothing"):
        which = [name for name, said in zip(study.columns, study.alone) if said == word and name.startswith("link")]
        masses = [name.split(".")[1] for name in which if name.endswith(".mass")]
        print(f"{word}: {len(which)} parameters of links" + (f", the masses of {', '.join(masses)} among them" if masses else ""))
    print(f"by shape: {study.rank_of_masses} of {len(study.masses.x)} found, condition number {study.masses.condition:.0f}\n")
    print(mass_table(study))
    other = record.drive(chosen.forearm, OTHER)
    errors = study.judge(record.record(other, seed=2))
    print(error_table(*errors))
    (chosen.out / "table.md").write_text(mass_table(study) + "\n" + error_table(*errors))
    (chosen.out / "calibration.svg").write_text(picture(study, other, record.record(other, seed=2)))


if __name__ == "__main__":
    sys.exit(main())
