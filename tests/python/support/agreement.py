"""Whether an FMU moves as Pinocchio says, on random states.

Tolerances, relative to the largest entry of what is compared:
  PRODUCTS    1e-13  kinematics and energies: products along the branch, in both programs
  solution()         accelerations: 1e-13, or 1e-15 times the condition number of the mass matrix
                     where that is more, because two programs that solve with it by different roads
                     differ by that much; 1e-15 is four or five roundings of 2.2e-16
"""

import numpy as np

from figures import close, scale
from robot_fmu import (ENERGIES, TIP_ACCELERATION, TIP_ANGULAR_ACCELERATION, TIP_ANGULAR_VELOCITY,
                       TIP_FORCE, TIP_POINT, TIP_TORQUE, TIP_VELOCITY)

PRODUCTS = 1e-13


def solution(arm, q):
    return max(1e-13, 1e-15 * np.linalg.cond(arm.mass_matrix(q)))


def states(arm, name, count):
    """Random positions, velocities, efforts and wrenches on the tip, as the FMU has them."""
    chance = np.random.default_rng(1)
    n = len(arm.fmu.joints)
    sliding = np.array([effort.endswith(".force") for effort in arm.fmu.efforts])
    for state in range(count):
        # Any angle, whatever its limits; distances of the size of such robots [rad], [m].
        q = np.where(sliding, 0.2, 3.0) * chance.uniform(-1, 1, n)
        qd = np.where(sliding, 0.5, 2.0) * chance.uniform(-1, 1, n)
        # Efforts that alone would give the joints some 20 rad/s2, so that fingers of grams do not
        # drown the rest; in every other state a wrench on the tip [N], [N m].
        inertia = np.diag(arm.mass_matrix(q))
        tau = inertia * chance.uniform(-20, 20, n)
        wrench = np.concatenate([chance.uniform(-1, 1, 3), chance.uniform(-0.1, 0.1, 3)])
        yield f"{name} state {state}", (q, qd, tau, (state % 2) * np.mean(inertia) * wrench)


def agree(arm, name, count):
    """Fails where the FMU and Pinocchio differ in one of `count` states."""
    fmu = arm.fmu
    with fmu.model() as model:
        for at, (q, qd, tau, wrench) in states(arm, name, count):
            model.set_state(q, qd)
            model.set(fmu.efforts + TIP_FORCE + TIP_TORQUE, [*tau, *wrench])
            close("accelerations", model.accelerations(), arm.solve(q, qd, tau, wrench),
                  solution(arm, q), at)
            outputs_agree(model, arm.outputs(q, qd, model.accelerations()), at)


def outputs_agree(model, want, at):
    close("tip rotation", model.tip_rotation(), want["rotation"], PRODUCTS, at)
    # The tip may pass through the origin: at least a metre is its measure.
    reach = max(1.0, scale(want["point"]))
    close("tip position", model.get(TIP_POINT), want["point"], PRODUCTS, at, reach)
    close("tip velocity", model.get(TIP_VELOCITY), want["velocity"], PRODUCTS, at)
    close("tip angular velocity", model.get(TIP_ANGULAR_VELOCITY), want["angular_velocity"],
          PRODUCTS, at)
    # Accelerations of several joints may cancel at the tip.
    joints = scale(model.accelerations())
    for what, names, size in (("acceleration", TIP_ACCELERATION, joints * reach),
                              ("angular_acceleration", TIP_ANGULAR_ACCELERATION, joints)):
        close(f"tip {what.replace('_', ' ')}", model.get(names), want[what], PRODUCTS, at,
              max(scale(want[what]), size))
    kinetic, potential = model.get(ENERGIES)
    close("kinetic energy", [kinetic], [want["kinetic"]], PRODUCTS, at)
    # So may the weights above and below the origin.
    close("potential energy", [potential], [want["potential"]], PRODUCTS, at,
          want["potential_terms"])
