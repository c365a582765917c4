"""Environments of gymnasium: a robot under servos or torques, in fixed steps; one, or many at once."""

from __future__ import annotations

import math
import pathlib
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import program
from ._arrays import as_rows
from .errors import Error, ShapeError
from .robot import Robot, load
from .worlds import need

gymnasium = need("gymnasium", "fa.Env and fa.VectorEnv")
_MODES = gymnasium.vector.AutoresetMode

Numbers = npt.NDArray[np.float64]
METHODS = {"semi-implicit": 0, "rk4": 1}


# ------------------------------------------------------------------------------------ random numbers

def _mixed(x: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def draws(seed: npt.ArrayLike, environment: npt.ArrayLike, episode: npt.ArrayLike, count: int) -> Numbers:
    """Uniform numbers from 0 to 1, `count` for each environment and episode: a function of its arguments and of nothing
    else, so that no result depends on how many environments there are."""
    with np.errstate(over="ignore"):
        key = np.zeros(np.broadcast_shapes(np.shape(seed), np.shape(environment), np.shape(episode)), dtype=np.uint64)
        for part in (seed, environment, episode):
            key = _mixed(key ^ np.asarray(part).astype(np.uint64))
        found = _mixed(key[..., None] ^ _mixed(np.arange(count, dtype=np.uint64)))
    return (found >> np.uint64(11)) * 2.0**-53


# --------------------------------------------------------------------------------------------- tasks

@dataclass
class State:
    """The state that observations, rewards and terminations are functions of; the first axis is the environment."""

    robot: Robot
    t: Numbers       # since the episode began [s] (n,)
    q: Numbers       # (n, joints)
    qd: Numbers
    action: Numbers  # the last one
    goal: Numbers    # (n, …): what the task has drawn for the episode
    _tip: list[Numbers] = field(default_factory=list)

    @property
    def tip(self) -> Numbers:
        """The tip's position (n, 3), in the base's axes."""
        if not self._tip:
            self._tip.append(self.robot.pose(self.q)[..., :3, 3])
        return self._tip[0]


Batch = Callable[[State], npt.ArrayLike]


def _plain(state: State) -> Numbers:
    return np.concatenate([state.q, state.qd], axis=-1)


def _reach(state: State) -> Numbers:
    return np.concatenate([state.q, state.qd, state.goal - state.tip], axis=-1)


def _wanted(state: State) -> Numbers:
    """Positions on the way that goal describes: middle, amplitude, frequency and phase of each joint."""
    middle, height, pace, phase = np.moveaxis(state.goal.reshape(len(state.goal), -1, 4), -1, 0)
    return middle + height * np.sin(pace * state.t[:, None] + phase)


def _track(state: State) -> Numbers:
    return np.concatenate([state.q, state.qd, _wanted(state) - state.q], axis=-1)


def _nothing(state: State) -> Numbers:
    return np.zeros(len(state.q))


def _near(state: State) -> Numbers:
    return -np.linalg.norm(state.goal - state.tip, axis=-1) - 1e-3 * (state.qd**2).sum(axis=-1)


def _followed(state: State) -> Numbers:
    return -((_wanted(state) - state.q)**2).sum(axis=-1)


def _never(state: State) -> npt.NDArray[np.bool_]:
    return np.zeros(len(state.q), dtype=bool)


def _reached(state: State) -> npt.NDArray[np.bool_]:
    return (np.linalg.norm(state.goal - state.tip, axis=-1) < 0.01) & ((state.qd**2).sum(axis=-1) < 0.01)


OBSERVATIONS: dict[str, Batch] = {"state": _plain, "reach": _reach, "track": _track}
REWARDS: dict[str, Batch] = {"none": _nothing, "reach": _near, "track": _followed}
TERMINATIONS: dict[str, Batch] = {"never": _never, "reached": _reached}


def _chosen(what: str, given: str | Batch | None, table: Mapping[str, Batch], otherwise: str) -> Batch:
    given = otherwise if given is None else given
    if isinstance(given, str):
        if given not in table:
            raise Error(f"{what}: there is no '{given}'; give a function of the state, or one of {', '.join(table)}")
        return table[given]
    return given


# ------------------------------------------------------------------------------------- many at once

class _Arms:
    """Arms in fixed steps with a task each: what Env and VectorEnv share. Rows are environments."""

    def __init__(self, robot: Robot | str, n: int, period: float, *, action: str = "position",
                 randomise: Mapping[str, tuple[float, float]] | None = None, reward: str | Batch | None = None,
                 observation: str | Batch | None = None, termination: str | Batch | None = None, task: str | None = None,
                 steps: int = 5, method: str = "semi-implicit", kp: npt.ArrayLike | None = None, kd: npt.ArrayLike | None = None,
                 effort: npt.ArrayLike | None = None, start: npt.ArrayLike = 0.0, spread: float = 0.0, time_limit: float = 5.0,
                 dtype: npt.DTypeLike = np.float64, threads: int = 1):
        self.robot = robot = load(robot) if isinstance(robot, (str, pathlib.Path)) else robot
        robot._needs_a_tree("an environment in fixed steps")
        if robot.lane_shape:
            raise ShapeError(f"one robot is wanted, parameters of shape {robot.lane_shape} given; use randomise")
        for name, value in (("period", period), ("time_limit", time_limit)):
            if not (value > 0 and math.isfinite(value) or name == "time_limit" and value == math.inf):
                raise Error(f"{name}: a time above zero is wanted, not {value} s")
        if n < 1 or steps < 1:
            raise Error(f"at least one environment and one step a period are wanted, not {n} and {steps}")
        if method not in METHODS:
            raise Error(f"there is no method '{method}'; use one of {', '.join(METHODS)}")
        if action not in ("position", "torque"):
            raise Error(f"there is no action '{action}'; use position or torque")
        if task not in (None, "reach", "track"):
            raise Error(f"there is no task '{task}'; use reach or track")
        self.n, self.period, self.steps, self.method, self.threads = n, float(period), int(steps), METHODS[method], threads
        self.action, self.task, self.time_limit, self.dtype = action, task, float(time_limit), np.dtype(dtype)
        self.reward = _chosen("reward", reward, REWARDS, task or "none")
        self.observe = _chosen("observation", observation, OBSERVATIONS, task or "state")
        self.terminate = _chosen("termination", termination, TERMINATIONS, "never")
        self.randomise = {name: (float(low), float(high)) for name, (low, high) in (randomise or {}).items()}
        for name, (low, high) in self.randomise.items():
            if not low <= high:
                raise Error(f"randomise: '{name}' is drawn from a lower to an upper bound, not from {low:g} to {high:g}")
        self.start, self.spread = self._joints("start", start), float(spread)
        inertia = np.diagonal(robot.mass_matrix(self.start))
        self.effort = self._efforts(effort, inertia)
        self.kp = self._joints("kp", 20.0**2 * inertia if kp is None else kp)
        self.kd = self._joints("kd", 2 * 20.0 * inertia if kd is None else kd)
        self.seed = np.zeros(n, dtype=np.uint64)
        self.episode = np.zeros(n, dtype=np.int64)  # how many have begun
        self.t, self.q, self.qd = np.zeros(n), np.tile(self.start, (n, 1)), np.zeros((n, robot.n))
        self.last = np.zeros((n, robot.n))
        self.goal = np.zeros((n, {None: 0, "reach": 3, "track": 4 * robot.n}[task]))
        self.values = np.empty((n, len(self.randomise)))
        self._moving = robot
        if self.randomise:  # names and bounds are checked before the first episode
            for k in (0, 1):
                robot.with_parameters({name: bounds[k] for name, bounds in self.randomise.items()})
            self.values[:] = [low for low, _ in self.randomise.values()]
            self._take_values()

    def _joints(self, name: str, given: npt.ArrayLike) -> Numbers:
        value = np.array(as_rows(name, given, self.robot.n, self.robot.n), dtype=float)
        if value.ndim != 1 or not np.isfinite(value).all():
            raise ShapeError(f"{name}: ({self.robot.n},) finite numbers wanted for {self.robot.n} joints, {value.shape} given")
        return value

    def _efforts(self, given: npt.ArrayLike | None, inertia: Numbers) -> Numbers:
        """The drives' limits: as given; those of the robot file; or what lifts the arm twice and accelerates it by 100 rad/s²."""
        if given is not None:
            return self._joints("effort", given)
        usual = 2 * np.abs(self.robot.gravity_torque(math.pi * (2 * draws(0, np.arange(256), 0, self.robot.n) - 1))).max(axis=0)
        limit = np.asarray(self.robot.limits.effort)
        return np.where(np.isfinite(limit) & (limit > 0), limit, usual + 100 * inertia)

    # ---------------------------------------------------------------------------------- spaces

    def action_space(self) -> Any:
        lower, upper = (np.asarray(bound) for bound in (self.robot.limits.lower, self.robot.limits.upper))
        if self.action == "torque":
            lower, upper = -self.effort, self.effort
        else:
            lower = np.where(np.isfinite(lower), lower, self.start - math.pi)
            upper = np.where(np.isfinite(upper), upper, self.start + math.pi)
        return gymnasium.spaces.Box(lower.astype(self.dtype), upper.astype(self.dtype), dtype=self.dtype.type)

    def observation_space(self) -> Any:
        shape = np.shape(self.observed())[1:]
        return gymnasium.spaces.Box(-np.inf, np.inf, shape, self.dtype.type)

    # -------------------------------------------------------------------------------- episodes

    def state(self) -> State:
        return State(self._moving, self.t, self.q, self.qd, self.last, self.goal)

    def observed(self) -> npt.NDArray[Any]:
        return self._rows("observation", self.observe(self.state()), None).astype(self.dtype)

    def _rows(self, what: str, given: npt.ArrayLike, shape: tuple[int, ...] | None) -> npt.NDArray[Any]:
        value = np.asarray(given)
        if value.ndim == 0 or len(value) != self.n or shape is not None and value.shape != shape:
            raise ShapeError(f"{what}: ({self.n}{', …' if shape is None else ''}) wanted for {self.n} environments, {value.shape} given")
        return value

    def begin(self, which: npt.NDArray[np.bool_]) -> None:
        """New episodes of these environments."""
        at = np.flatnonzero(which)
        if not len(at):
            return
        self.episode[at] += 1
        n = self.robot.n
        drawn = draws(self.seed[at], at, self.episode[at], len(self.randomise) + 5 * n)
        for k, (low, high) in enumerate(self.randomise.values()):
            self.values[at, k] = low + (high - low) * drawn[:, k]
        drawn = drawn[:, len(self.randomise):]
        if self.randomise:
            self._take_values()
        for name in ("t", "q", "qd", "last", "goal"):  # a State that somebody keeps stays as it is
            setattr(self, name, getattr(self, name).copy())
        self.t[at], self.qd[at], self.last[at] = 0, 0, 0
        self.q[at] = self.start + self.spread * (2 * drawn[:, :n] - 1)
        space = self.action_space() if self.task else None
        if space is not None and self.action == "torque":
            lower, upper = self.start - 1, self.start + 1
        elif space is not None:
            middle = 0.5 * (space.low.astype(float) + space.high)
            lower, upper = middle + 0.5 * (space.low - middle), middle + 0.5 * (space.high - middle)
        if self.task == "reach":  # where the tip is in a pose that can be reached
            pose = lower + (upper - lower) * drawn[:, n:2 * n]
            self.goal[at] = self.robot.pose(pose)[..., :3, 3]
        if self.task == "track":
            share = drawn[:, n:5 * n].reshape(-1, n, 4)
            height = 0.25 * (upper - lower) * share[..., 1]
            self.goal[at] = np.stack([self.q[at] - height * np.sin(2 * math.pi * share[..., 3]), height, 0.5 + 1.5 * share[..., 2],
                                      2 * math.pi * share[..., 3]], axis=-1).reshape(len(at), -1)

    def _take_values(self) -> None:
        self._moving = self.robot.with_parameters({name: self.values[:, k] for k, name in enumerate(self.randomise)})

    def advance(self, actions: npt.ArrayLike, resting: npt.NDArray[np.bool_] | None = None) -> tuple[Numbers, Any, Any]:
        """A period of all but those that rest: rewards, terminations, truncations."""
        action = np.array(self._rows("action", actions, (self.n, self.robot.n)), dtype=float)
        if self.action == "torque":
            action = np.clip(action, -self.effort, self.effort)
        servo = self.action == "position"
        gains = [self.kp, self.kd, self.effort] if servo else [None, None, None]
        before = None if resting is None else (self.q[resting], self.qd[resting])
        self.q, self.qd = self.q.copy(), self.qd.copy()  # a State that somebody keeps stays as it is
        self._moving._fixed_steps(self.method, self.steps, self.period / self.steps, *gains, action, self.q, self.qd,
                                  self.threads, bool(self.dtype == np.float32))
        self.last, self.t = action, self.t + self.period
        if before is not None and resting is not None:
            self.q[resting], self.qd[resting] = before
            self.t[resting] -= self.period
        state = self.state()
        lost = ~(np.isfinite(self.q).all(axis=-1) & np.isfinite(self.qd).all(axis=-1))
        reward = np.array(self._rows("reward", self.reward(state), (self.n,)), dtype=float)
        ended = np.array(self._rows("termination", self.terminate(state), (self.n,)), dtype=bool) | lost
        over = self.t > self.time_limit - 0.5 * self.period
        return np.where(lost, 0.0, reward), ended, over & ~ended

    def told(self) -> dict[str, Any]:
        """Returns `info`: arrays with a row for each environment."""
        found: dict[str, Any] = {"time": self.t.copy(), "episode": self.episode.copy()}
        found |= {name: self.values[:, k].copy() for k, name in enumerate(self.randomise)}
        return found

    # ------------------------------------------------------------------------------ what is kept

    _KEPT = ("seed", "episode", "t", "q", "qd", "last", "goal", "values")

    def save(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name).copy() for name in self._KEPT)

    def restore(self, kept: tuple[Any, ...]) -> None:
        if len(kept) != len(self._KEPT) or any(np.shape(value) != np.shape(getattr(self, name)) for name, value in zip(self._KEPT, kept)):
            raise ShapeError("what is to be restored was saved by environments of another kind or number")
        for name, value in zip(self._KEPT, kept):
            setattr(self, name, value.copy())
        if self.randomise:
            self._take_values()


_OPTIONS = """
    `period` [s]: of one action, in `steps` steps by `method`, "semi-implicit" (Euler with implicit damping) or "rk4". `action`:
    "position", targets of servos with gains `kp` and `kd` within ± `effort`, or "torque". `task`: "reach", the tip to a
    point, "track", the joints along sines, or None. `observation`, `reward`, `termination`: names of built-in ones ("state",
    "reach", "track"; "none", "reach", "track"; "never", "reached"), or functions of a `State`, whose first axis is the
    environment. `randomise`: parameters and the bounds from which each episode draws them. Episodes begin at `start`, ±
    `spread` at each joint, and are truncated after `time_limit` [s]. `dtype`: of observations and actions; with float32 steps are
    in single precision, too, twice as many at once, and part from double precision within a second where drives reach limits.
"""


class _OfArms:
    """Description of the arms of environments."""

    _arms: _Arms

    @property
    def robot(self) -> Robot:
        """The robot, without the parameters that episodes draw."""
        return self._arms.robot

    @property
    def state(self) -> State:
        """Where the environments are; the first axis is the environment, of an Env with the length 1."""
        return self._arms.state()


class VectorEnv(_OfArms, gymnasium.vector.VectorEnv):  # type: ignore[misc, name-defined]
    __doc__ = f"""Many environments of one robot at once: a gymnasium.vector.VectorEnv, in all three `autoreset_mode`s.
{_OPTIONS}
    >>> env = fa.VectorEnv(robot, n=3, task="reach", randomise={{"payload.mass": (0, 2)}})
    >>> observations, infos = env.reset(seed=1)
    >>> observations.shape, env.step(env.action_space.sample())[1].shape, infos["payload.mass"].shape
    ((3, 7), (3,), (3,))
    """

    def __init__(self, robot: Robot | str, n: int = 1, period: float = 0.01, *, seed: int | None = None,
                 autoreset_mode: Any = _MODES.NEXT_STEP, **options: Any):
        self._arms = arms = _Arms(robot, n, period, **options)
        mode = _MODES(autoreset_mode)
        self.num_envs = n
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_action_space, self.single_observation_space = arms.action_space(), arms.observation_space()
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, n)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, n)
        self._mode, self._over = mode, np.zeros(n, dtype=bool)
        self._seed(seed)

    def _seed(self, seed: int | Sequence[int | None] | None) -> None:
        if seed is None:
            self._arms.seed[:] = int(np.random.default_rng().integers(2**63))
        elif np.ndim(seed) == 0:
            self._arms.seed[:] = _whole(seed)
        else:
            given = list(seed)  # type: ignore[arg-type]
            if len(given) != self.num_envs:
                raise ShapeError(f"seed: ({self.num_envs},) wanted for {self.num_envs} environments, ({len(given)},) given")
            for k, one in enumerate(given):
                if one is not None:
                    self._arms.seed[k] = _whole(one)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """New episodes; with options={"reset_mask": …} of those environments alone. A seed starts their count again."""
        mask = np.ones(self.num_envs, dtype=bool)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                raise ShapeError(f"reset_mask: ({self.num_envs},) truth values wanted, one of them true at least, {mask.dtype} {mask.shape} given")
        if seed is not None:
            before = self._arms.seed.copy()
            self._seed(seed)
            self._arms.seed = np.where(mask, self._arms.seed, before)
            self._arms.episode[mask] = 0
        self._arms.begin(mask)
        self._over[mask] = False
        return self._arms.observed(), self._arms.told()

    def step(self, actions: npt.ArrayLike) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """A period of all environments."""
        arms, resting = self._arms, None
        if self._mode == _MODES.NEXT_STEP and self._over.any():
            resting = self._over.copy()
            arms.begin(resting)
        if self._mode == _MODES.DISABLED and self._over.any():
            raise Error(f"environments {np.flatnonzero(self._over).tolist()} have ended: reset(options={{\"reset_mask\": …}}) them first")
        reward, ended, cut = arms.advance(actions, resting)
        if resting is not None:
            reward[resting], ended[resting], cut[resting] = 0.0, False, False
        over = ended | cut
        observed, told = arms.observed(), arms.told()
        if self._mode == _MODES.SAME_STEP and over.any():
            final, final_told = observed, told
            arms.begin(over)
            observed, told = arms.observed(), arms.told()
            told["final_obs"] = np.array([final[k] if over[k] else None for k in range(self.num_envs)], dtype=object)
            told["_final_obs"] = over.copy()
            told["final_info"] = final_told
            told["_final_info"] = over.copy()
        self._over = over if self._mode != _MODES.SAME_STEP else np.zeros_like(over)
        return observed, reward, ended, cut, told

    def save(self) -> bytes:
        """Where all environments are, for restore."""
        return pickle.dumps((self._arms.save(), self._over))

    def restore(self, kept: bytes) -> None:
        """Back to where save() was, to the bit."""
        arms, over = pickle.loads(kept)
        self._arms.restore(arms)
        self._over = over.copy()


def _whole(seed: Any) -> int:
    if int(seed) != seed or seed < 0:
        raise Error(f"seed: a whole number from 0 on is wanted, not {seed}")
    return int(seed)


class Env(_OfArms, gymnasium.Env):  # type: ignore[misc, name-defined]
    __doc__ = f"""One environment of a robot: a gymnasium.Env, the same as row 0 of a `VectorEnv` with the same seed.
{_OPTIONS}
    >>> env = fa.Env(robot, task="reach")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, env.step(env.action_space.sample())[2]
    ((7,), False)
    """
    metadata = {"render_modes": []}

    def __init__(self, robot: Robot | str, period: float = 0.01, *, render_mode: str | None = None, **options: Any):
        if render_mode is not None:
            raise Error(f"there is no render_mode '{render_mode}'; forearm simulate --html shows motions")
        self.render_mode = None
        self._arms = _Arms(robot, 1, period, **options)
        self.action_space, self.observation_space = self._arms.action_space(), self._arms.observation_space()
        self._arms.seed[:] = int(np.random.default_rng().integers(2**63))

    def _told(self) -> dict[str, Any]:
        return {name: value[0] for name, value in self._arms.told().items()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new episode. A seed starts their count again."""
        super().reset(seed=seed)
        if seed is not None:
            self._arms.seed[:] = _whole(seed)
            self._arms.episode[:] = 0
        self._arms.begin(np.ones(1, dtype=bool))
        return self._arms.observed()[0], self._told()

    def step(self, action: npt.ArrayLike) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A period."""
        reward, ended, cut = self._arms.advance(np.asarray(action)[None])
        return self._arms.observed()[0], float(reward[0]), bool(ended[0]), bool(cut[0]), self._told()

    def save(self) -> bytes:
        """Where the environment is, for restore."""
        return pickle.dumps(self._arms.save())

    def restore(self, kept: bytes) -> None:
        """Back to where save() was, to the bit."""
        self._arms.restore(pickle.loads(kept))


# -------------------------------------------------------------------------------------- registered

def usual_robot() -> Robot:
    """The arm of the registered environments: a PUMA 560."""
    folder = pathlib.Path("robots") / "puma560.xml"
    base = program.path().resolve().parents[1]
    for place in (base / "share" / "forearm", *(parent / "resources" for parent in (base, *base.parents))):
        if (place / folder).exists():
            return load(place / folder)
    raise Error("the robots that come with forearm are not beside the program; give the environment a robot")


def make(robot: Robot | str | None = None, **options: Any) -> Env:
    """Entry point of gymnasium.make("Forearm/…")."""
    return Env(usual_robot() if robot is None else robot, **options)


def make_vector(num_envs: int = 1, robot: Robot | str | None = None, vectorization_mode: Any = None, **options: Any) -> VectorEnv:
    """Entry point of gymnasium.make_vec("Forearm/…")."""
    return VectorEnv(usual_robot() if robot is None else robot, num_envs, **options)


def register() -> None:
    """Forearm/Reach-v0 and Forearm/Track-v0; gymnasium calls it when it is imported and this package is installed."""
    for name, task in (("Forearm/Reach-v0", "reach"), ("Forearm/Track-v0", "track")):
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="forearm.environments:make", vector_entry_point="forearm.environments:make_vector",
                               kwargs={"task": task, "spread": 0.1}, disable_env_checker=False)


register()
