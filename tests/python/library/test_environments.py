"""Environments of gymnasium: its own checkers, all reset modes, what episodes draw, MuJoCo's integrator by the golden motions."""

import json
import pickle
import warnings

import numpy as np
import pytest

from core_package import GOLDEN, TWO, fa, golden

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

from forearm import environments  # noqa: E402


def two(**options):
    return fa.VectorEnv(fa.loads(TWO), **{"n": 4, "seed": 1, **options})


def rollout(env, seed, steps, action=None):
    found = [env.reset(seed=seed)[0]]
    for k in range(steps):
        found.append(env.step(np.full(env.action_space.shape, 0.1 * np.sin(k)) if action is None else action)[0])
    return np.array(found)


@pytest.mark.parametrize("name", ["Forearm/Reach-v0", "Forearm/Track-v0"])
def test_registered_environments_pass_gymnasiums_checker(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", gymnasium.error.DeprecatedEnv)
        env = gymnasium.make(name)
        check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point")
    observations, infos = many.reset(seed=0)
    assert many.observation_space.contains(observations) and infos["time"].shape == (3,)
    observations, rewards, ended, cut, infos = many.step(many.action_space.sample())
    assert many.observation_space.contains(observations) and (rewards < 0).all() and not ended.any() and not cut.any()


@pytest.mark.parametrize("options", [{}, {"action": "torque", "dtype": np.float32}, {"task": "track"},
                                     {"task": "reach", "termination": "reached", "randomise": {"payload.mass": (0, 1)}}])
def test_one_environment_is_row_0_of_many(options):
    robot = fa.loads(TWO)
    one, many = fa.Env(robot, **options), fa.VectorEnv(robot, n=3, **options)
    check_env(one, skip_render_check=True)
    assert (rollout(one, 5, 20) == rollout(many, 5, 20)[:, 0]).all()


def test_servo_environments_are_those_of_mujoco():
    robot = golden("arm7")[0]
    data = json.loads((GOLDEN / "motion_arm7.json").read_text())["servo"]
    env = fa.VectorEnv(robot, n=6, period=data["steps_in_a_period"] * data["step"], steps=data["steps_in_a_period"], kp=data["kp"],
                       kd=data["kd"], effort=data["limit"], time_limit=np.inf)
    env.reset(seed=0)
    worst = 0.0
    for period in range(40):
        observed = env.step(np.array(data["targets"][period // 10]))[0]
        if period % 10 == 9:
            worst = max(worst, np.abs(observed - np.array(data["states"])[:, period // 10]).max())
    assert worst < 1e-9  # the file's tolerance


def test_bits_depend_neither_on_threads_nor_on_the_number():
    options = {"task": "reach", "randomise": {"payload.mass": (0, 2), "joint.elbow.viscous_friction": (0.1, 1)}, "spread": 0.2}
    want = rollout(two(n=7, **options), 3, 30)
    assert (rollout(two(n=7, threads=3, **options), 3, 30) == want).all()
    assert (rollout(two(n=2, **options), 3, 30) == want[:, :2]).all()
    assert len({tuple(row) for row in want[-1]}) == 7


def test_episodes_draw_parameters_within_their_bounds():
    env = two(n=500, randomise={"payload.mass": (0.5, 2)})
    first = env.reset(seed=2)[1]["payload.mass"]
    second = env.reset()[1]["payload.mass"]
    assert (env.reset(seed=2)[1]["payload.mass"] == first).all() and (first != second).all()
    assert first.min() >= 0.5 and first.max() <= 2 and abs(first.mean() - 1.25) < 0.1  # 5 standard deviations of the mean
    numbers = environments.draws(0, np.arange(1000), 1, 50)
    assert abs(numbers.mean() - 0.5) < 0.01 and abs(np.corrcoef(numbers.T) - np.eye(50)).max() < 0.2


def test_the_three_reset_modes():
    def run(mode):
        env = two(n=2, time_limit=0.03, autoreset_mode=mode, termination=lambda s: np.array([s.t[0] > 0.015, False]))
        env.reset(seed=0)
        return env

    env = run(AutoresetMode.NEXT_STEP)
    steps = [env.step(np.zeros((2, 2))) for _ in range(5)]
    assert [row[2].tolist() for row in steps] == [[False, False], [True, False], [False, False], [False, False], [True, False]]
    assert [row[3].tolist() for row in steps] == [[False, False], [False, False], [False, True], [False, False], [False, False]]
    assert [row[4]["time"].round(3).tolist() for row in steps] == [[0.01, 0.01], [0.02, 0.02], [0, 0.03], [0.01, 0], [0.02, 0.01]]

    env = run(AutoresetMode.SAME_STEP)
    steps = [env.step(np.zeros((2, 2))) for _ in range(3)]
    assert steps[1][4]["time"].round(3).tolist() == [0, 0.02] and steps[1][4]["_final_obs"].tolist() == [True, False]
    assert steps[1][4]["final_info"]["time"].round(3).tolist() == [0.02, 0.02] and steps[1][4]["final_obs"][1] is None
    assert steps[1][4]["final_obs"][0].shape == (4,) and (steps[1][0][0] == 0).all()

    env = run(AutoresetMode.DISABLED)
    env.step(np.zeros((2, 2)))
    assert env.step(np.zeros((2, 2)))[2].tolist() == [True, False]
    with pytest.raises(fa.Error, match=r"environments \[0\] have ended"):
        env.step(np.zeros((2, 2)))
    infos = env.reset(options={"reset_mask": np.array([True, False])})[1]
    assert infos["time"].round(3).tolist() == [0, 0.02] and infos["episode"].tolist() == [2, 1]
    env.step(np.zeros((2, 2)))


def test_what_is_saved_goes_on_to_the_bit(tmp_path):
    for env in (two(task="track", randomise={"payload.mass": (0, 2)}), fa.Env(fa.loads(TWO), task="reach", spread=0.1)):
        env.reset(seed=4)
        action = env.action_space.sample()
        env.step(action)
        kept, copy = env.save(), pickle.loads(pickle.dumps(env))
        want = [env.step(action)[0] for _ in range(5)]
        env.restore(kept)
        for k in range(5):
            assert (env.step(action)[0] == want[k]).all() and (copy.step(action)[0] == want[k]).all()
    with pytest.raises(fa.ShapeError, match="saved by environments of another kind"):
        fa.Env(fa.loads(TWO)).restore(kept)


def test_a_state_that_is_kept_stays():
    env = two(task="reach")
    env.reset(seed=0)
    state = env.state
    q = state.q.copy()
    env.step(np.full((4, 2), 0.5))
    assert (state.q == q).all() and (env.state.q != q).any()


FAULTS = [
    (lambda r: fa.VectorEnv(r, n=0), "at least one environment"),
    (lambda r: fa.VectorEnv(r, period=0), "period: a time above zero is wanted, not 0 s"),
    (lambda r: fa.VectorEnv(r, method="euler"), "there is no method 'euler'; use one of semi-implicit, rk4"),
    (lambda r: fa.VectorEnv(r, action="voltage"), "there is no action 'voltage'; use position or torque"),
    (lambda r: fa.VectorEnv(r, task="fly"), "there is no task 'fly'; use reach or track"),
    (lambda r: fa.VectorEnv(r, reward="much"), "reward: there is no 'much'; give a function of the state, or one of none, reach, track"),
    (lambda r: fa.VectorEnv(r, randomise={"payload.mass": (2, 1)}), "is drawn from a lower to an upper bound, not from 2 to 1"),
    (lambda r: fa.VectorEnv(r, randomise={"payload.mass": (-1, 1)}), "'payload.mass' must be at least 0, not -1"),
    (lambda r: fa.VectorEnv(r, randomise={"payload.weight": (0, 1)}), "the robot has no variable 'payload.weight'"),
    (lambda r: fa.VectorEnv(r, kp=[1, 2, 3]), "kp: (…, 2) wanted for 2 joints, (3,) given"),
    (lambda r: fa.VectorEnv(r.with_parameters({"payload.mass": [1, 2]})), "one robot is wanted"),
    (lambda r: fa.VectorEnv(r, n=2).step(np.zeros((2, 3))), "action: (2) wanted for 2 environments, (2, 3) given"),
    (lambda r: fa.VectorEnv(r, n=2, reward=lambda s: np.zeros(3)).step(np.zeros((2, 2))), "reward: (2) wanted for 2 environments, (3,) given"),
    (lambda r: fa.VectorEnv(r, n=2).reset(seed=-1), "seed: a whole number from 0 on is wanted, not -1"),
    (lambda r: fa.VectorEnv(r, n=2).reset(seed=[1]), "seed: (2,) wanted for 2 environments, (1,) given"),
    (lambda r: fa.VectorEnv(r, n=2).reset(options={"reset_mask": np.zeros(2, bool)}), "one of them true at least"),
    (lambda r: fa.Env(r, render_mode="human"), "there is no render_mode 'human'"),
]


@pytest.mark.parametrize("ask, sentence", FAULTS, ids=[row[1][:40] for row in FAULTS])
def test_faults_say_what_is_wrong(ask, sentence):
    with pytest.raises(fa.Error) as fault:
        ask(fa.loads(TWO))
    assert sentence in str(fault.value)
