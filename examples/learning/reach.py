#!/usr/bin/env python3
"""A small policy learns to bring the tip of a PUMA 560 to points, with another payload in each episode; docs/stories/reaching.md.

    reach.py [--generations N] [--out DIR]

An evolution strategy (Salimans, Ho, Chen and Sidor 2017) with mirrored perturbations: each environment runs a policy of its own, both
of a pair to the same points. Writes policy.npz, curve.csv and reaching.svg. Needs gymnasium, for its numpy and the environments.
"""

import argparse
import pathlib
import sys
import time

import numpy as np

import forearm as fa

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "scripts" / "result"))

import chart  # noqa: E402

PERIOD, TIME = 0.05, 2.0         # [s]
HIDDEN, TURN = 32, 1.0           # of the policy: neurons, and largest lead of a target [rad]
PAIRS, POINTS = 64, 16           # perturbations of a generation, each tried on so many points
SPREAD, RATE = 0.05, 0.02        # of perturbations, and the step of Adam
JUDGED = 500                     # points that the policy has never seen


def policy_size(robot):
    inputs = 2 * robot.n + 6     # sines and cosines of the joints, the tip, and the way from there to the point
    return [(inputs, HIDDEN), (HIDDEN,), (HIDDEN, robot.n), (robot.n,)]


def act(robot, state, goal, parameters):
    """Targets of the servos (environments, joints); a row of parameters is a policy for as many environments as there are rows fewer."""
    way = goal - state.tip
    seen = np.concatenate([np.sin(state.q), np.cos(state.q), state.tip, 3 * way], axis=-1).reshape(len(parameters), -1, 2 * robot.n + 6)
    at, layer = 0, []
    for size in policy_size(robot):
        length = int(np.prod(size))
        layer.append(parameters[:, at:at + length].reshape(-1, *size))
        at += length
    inside = np.tanh(seen @ layer[0] + layer[1][:, None])
    return state.q + TURN * np.tanh(inside @ layer[2] + layer[3][:, None]).reshape(state.q.shape)


def episode(env, goal, parameters):
    """The mean distance on the way of each environment, and the distance at the end [m]."""
    env.reset()
    far = []
    for _ in range(round(TIME / PERIOD)):
        env.step(act(env.robot, env.state, goal, parameters))
        far.append(np.linalg.norm(goal - env.state.tip, axis=-1))
    return np.mean(far, axis=0), far[-1]


def points(robot, n, random):
    """Points that the tip can reach: where it is in poses around the one at zero [m]."""
    return robot.pose(random.uniform(-1, 1, (n, robot.n)))[..., :3, 3]


def environments(robot, n, seed):
    return fa.VectorEnv(robot, n=n, period=PERIOD, spread=0.1, time_limit=2 * TIME, randomise={"payload.mass": (0, 2)}, seed=seed)


def learn(robot, generations, seed=0, say=print):
    """The policy's parameters, and a row of the curve for each generation: seconds, mean distance on the way, at the end [m]."""
    random = np.random.default_rng(seed)
    env = environments(robot, 2 * PAIRS * POINTS, seed)
    size = sum(int(np.prod(shape)) for shape in policy_size(robot))
    parameters, first, second = random.normal(size=size) * 0.1, np.zeros(size), np.zeros(size)
    curve, began = [], time.perf_counter()
    for generation in range(1, generations + 1):
        shift = random.normal(size=(PAIRS, size))
        goal = np.tile(points(robot, POINTS, random), (2 * PAIRS, 1))
        mean, last = episode(env, goal, parameters + SPREAD * np.concatenate([shift, -shift]))
        score = mean.reshape(2, PAIRS, POINTS).mean(axis=-1)
        rank = (score[0] - score[1]) / (score[0] - score[1]).std()  # what a shift adds to the distance
        slope = shift.T @ rank / PAIRS
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        pace = RATE * min(1, 2 * (1 - (generation - 1) / generations))  # slower in the second half
        parameters -= pace * first / (1 - 0.9**generation) / (np.sqrt(second / (1 - 0.99**generation)) + 1e-8)
        curve.append((time.perf_counter() - began, mean.mean(), last.mean()))
        if generation % 25 == 0 or generation == generations:
            say(f"generation {generation:4}, {curve[-1][0]:6.1f} s: {1e3 * mean.mean():6.1f} mm on the way, {1e3 * last.mean():6.1f} mm at the end")
    return parameters, np.array(curve)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--generations", type=int, default=600)
    options.add_argument("--out", type=pathlib.Path, default=pathlib.Path("reaching"))
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    robot = fa.load(SOURCE / "resources" / "robots" / "puma560.xml")
    parameters, curve = learn(robot, chosen.generations)
    goal = points(robot, JUDGED, np.random.default_rng(10**6))
    env = environments(robot, JUDGED, seed=10**6)
    env.reset()
    begin = np.linalg.norm(goal - env.state.tip, axis=-1)
    end = episode(env, goal, parameters[None])[1]
    print(f"{JUDGED} points not seen before: {1e3 * np.median(begin):.0f} mm away at first, {1e3 * np.median(end):.0f} mm in the end (median), "
          f"{1e3 * np.quantile(end, 0.9):.0f} mm for nine in ten")
    np.savez(chosen.out / "policy.npz", parameters=parameters)
    np.savetxt(chosen.out / "curve.csv", curve, fmt="%.6g", delimiter=",", header="seconds,way,end", comments="")
    parts = [chart.lines("Distance of the tip", "mm, over seconds of learning", curve[:, 0], {"on the way": 1e3 * curve[:, 1], "at the end": 1e3 * curve[:, 2]},
                         width=620)]
    (chosen.out / "reaching.svg").write_text(chart.svg(620, 240, parts[0] if isinstance(parts[0], list) else parts, "Learning curve"))


if __name__ == "__main__":
    sys.exit(main())
