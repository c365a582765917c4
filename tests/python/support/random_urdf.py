"""A random tree of links as URDF: every kind of joint, oblique axes, turned inertials, mimics."""

import numpy as np


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def pose(chance, far):
    return (f'<origin xyz="{numbers(chance.uniform(-far, far, 3))}" '
            f'rpy="{numbers(chance.uniform(-3, 3, 3))}"/>')


def inertial(chance):
    """A solid box of random size, mass and place."""
    mass, size = chance.uniform(0.1, 5), chance.uniform(0.05, 0.5, 3) ** 2
    xx, yy, zz = (mass / 12 * (size.sum() - size)).tolist()
    return (f'<inertial>{pose(chance, 0.2)}<mass value="{mass!r}"/><inertia ixx="{xx!r}" '
            f'iyy="{yy!r}" izz="{zz!r}" ixy="0" ixz="0" iyz="0"/></inertial>')


def joint(chance, index, kinds, free):
    """The joint that holds link `index`; free: joints that another one may follow."""
    kind = chance.choice(kinds)
    axis = chance.normal(size=3)
    lines = [f'<joint name="joint{index}" type="{kind}">', pose(chance, 0.5),
             f'<parent link="link{chance.integers(max(0, index - 3), index)}"/>',
             f'<child link="link{index}"/>']
    if kind != "fixed":
        lines.append(f'<axis xyz="{numbers(axis / np.linalg.norm(axis))}"/>')
        lines.append('<limit lower="-4" upper="4" effort="100" velocity="10"/>')
        if chance.random() < 0.5:
            lines.append(f'<dynamics damping="{chance.uniform(0, 1)!r}" '
                         f'friction="{chance.uniform(0, 1)!r}"/>')
        if free and chance.random() < 0.15:
            lines.append(f'<mimic joint="joint{chance.choice(free)}" '
                         f'multiplier="{chance.uniform(-2, 2)!r}" '
                         f'offset="{chance.uniform(-0.5, 0.5)!r}"/>')
        else:
            free.append(index)
    return "\n    ".join(lines) + "\n  </joint>"


def random_urdf(seed):
    chance = np.random.default_rng(seed)
    count = int(chance.integers(2, 16))
    free = []
    parts = [f'<link name="link0">{inertial(chance)}</link>']
    for index in range(1, count + 1):
        kinds = ["revolute"] if index == 1 else ["revolute", "continuous", "prismatic", "fixed"]
        parts.append(f'<link name="link{index}">{inertial(chance)}</link>')
        parts.append(joint(chance, index, kinds, free))
    return f'<robot name="random{seed}">\n  ' + "\n  ".join(parts) + "\n</robot>\n"
