"""A hydraulic axis written down once more, from the equations in docs/hydraulics.md: numbers in,
forces, flows and rates out. Shares nothing with Forearm but the names of the variables."""

import math


def oil(n, p):
    """Bulk modulus with entrained air, and vapour in series."""
    x = n["air"] * (n["atmosphere"] / p) ** (1 / n["air_exponent"])
    beta = n["bulk_modulus"]
    liquid = beta * (1 + x) / (1 + x * beta / (n["air_exponent"] * p))
    return 1 / (1 / liquid + 3 * 200.0**3 / (p - n["vapour_pressure"]) ** 4)


def orifice(n, opening, drop):
    k = n["nominal_flow"] / math.sqrt(n["nominal_drop"])
    return k * opening * drop / (drop**2 + n["transition_pressure"] ** 2) ** 0.25


def valve(n, spool, pa, pb, ps, pt):
    """Flows into A and B, from the supply, to the tank."""
    opening = max(0, min(1, abs(spool)) - n["overlap"]) / (1 - n["overlap"])
    if spool >= 0:
        a, b = orifice(n, opening, ps - pa), -orifice(n, opening, pb - pt)
        return a, b, a, -b
    a, b = -orifice(n, opening, pa - pt), orifice(n, opening, ps - pb)
    return a, b, b, -a


def friction(n, v):
    fall = math.exp(-((v / n["stribeck_velocity"]) ** 2))
    size = n["coulomb_friction"] + (n["static_friction"] - n["coulomb_friction"]) * fall
    return size * math.tanh(v / n["friction_width"]) + n["viscous_friction"] * v


def stop(n, x, v):
    def push(depth, rate):
        if depth <= 0:
            return 0
        s = min(1, depth / n["stop_cushion"])
        damping = n["stop_damping"] * s * s * (3 - 2 * s)
        return max(0, n["stop_stiffness"] * depth + damping * rate)

    return push(-x, -v) - push(x - n["stroke"], v)


def cylinder(n, length, v, pa, pb, qa, qb):
    """Force, friction, stop force, rates of both pressures."""
    x = length - n["closed_length"]
    area_a = math.pi / 4 * n["bore"] ** 2
    area_b = area_a - math.pi / 4 * n["rod"] ** 2
    hose = math.pi / 4 * n["hose_diameter"] ** 2 * n["hose_length"]
    leak = n["internal_leakage"] * (pa - pb)

    def left(volume, least):
        return volume if volume >= least else least**2 / (2 * least - volume)

    def rate(p, dead, area, out, net):
        inside, least = dead + area * out, 1e-3 * area * n["stroke"]
        room = left(inside + hose, least) / oil(n, p) + hose / n["hose_bulk_modulus"] \
            + left(inside, least) / n["wall_bulk_modulus"]
        return (net - n["external_leakage"] * (p - n["atmosphere"])) / room

    f, s = friction(n, v), stop(n, x, v)
    return (area_a * pa - area_b * pb - f + s, f, s,
            rate(pa, n["dead_volume_a"], area_a, x, qa - leak - area_a * v),
            rate(pb, n["dead_volume_b"], area_b, n["stroke"] - x, qb + leak + area_b * v))


def spool(n, command, place, rate):
    w = 2 * math.pi * n["spool_bandwidth"]
    return w * w * (max(-1, min(1, command)) - place) - 2 * n["spool_damping"] * w * rate


def supply(n, ps, pump, drawn):
    relief = n["relief_gain"] * max(0, ps - n["relief_pressure"])
    return relief, oil(n, ps) / n["supply_volume"] * (pump - drawn - relief)
