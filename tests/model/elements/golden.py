#!/usr/bin/env python3
"""Laws of elements in 50 digits, with derivatives by differences: writes golden.txt and golden_contact.txt.

    python3 tests/model/elements/golden.py others > tests/model/elements/golden.txt      (needs mpmath)
    python3 tests/model/elements/golden.py contact > tests/model/elements/golden_contact.txt

The equations here share nothing with the element files but the names. Points are drawn so that every
side of every choice is met. A line of golden.txt:

    element | name=number … | flag … | result value | name=derivative … | result value | …

Derivatives that are zero are left out.
"""

import random
import sys

from mpmath import cos, exp, inf, log, mp, mpf, sin, sqrt, tanh

mp.dps = 50
STEP = mpf("1e-18")  # of each number; the error of a difference is the square of it
ZERO, ONE = mpf(0), mpf(1)


def clip(x, most):
    return max(-most, min(most, x))


def sign(x):
    return -1 if x < 0 else 1


def poppet(z):
    return ZERO if z <= 0 else ONE if z >= 1 else 3 * z**2 - 2 * z**3


def share_lost(torque, t, forth, back):
    """What a gear takes of a torque, times its sense."""
    way = sign(torque)
    return (1 - forth if way * t > 0 else 1 / back - 1) * way * t


def oil(beta, a, n, p0, pv, p):
    air = a * (p0 / p) ** (1 / n)
    textbook = 1 / (beta * (1 + air) / (1 + air * beta / (n * p)))
    return textbook + 3 * mpf(200) ** 3 / (p - pv) ** 4


def rotor(inertia, gear):
    return {"reflected": inertia * gear**2}


def torque(effort, asked):
    return {"torque": asked}


def motor(resistance, torque_constant, back_emf, inductance, efficiency, efficiency_back, voltage_limit,
          current_limit, gear, width, asked, current, rate, wanted, inverse):
    e = back_emf * gear * rate
    coil = inductance > 0
    state = coil and not inverse
    applied = asked
    if current_limit < inf:
        applied = e + clip(applied - e, resistance * current_limit)
    if voltage_limit < inf:
        applied = clip(applied, voltage_limit)
    t = tanh(rate / width)
    if inverse:
        i = wanted / (1 - share_lost(wanted, t, efficiency, efficiency_back)) / (gear * torque_constant)
        v = i * resistance + e
    else:
        i = current if state else (applied - e) / resistance
        v = applied
    before = gear * torque_constant * i
    out = before - before * share_lost(before, t, efficiency, efficiency_back)
    didt = (applied - e - resistance * current) / inductance if coil else ZERO
    at_joint = wanted if inverse else out
    losses = v * i - at_joint * rate - (inductance * i * didt if state else 0)
    return {"torque": out, "current_rate": didt, "amperes": i, "emf": e, "power": v * i, "losses": losses,
            "voltage": v}


def switch(signal, on):
    """Above zero while what a real signal switches is to be on; away from zero by a hysteresis."""
    return signal - mpf(1) / 2 + (mpf("1e-9") if on else -mpf("1e-9"))


def closure(stiffness, damping, time, effort, asked, position, rate, close, closed, rest, analogue):
    return {"torque": stiffness * (rest - position) - damping * rate if closed else asked,
            "indicator": switch(close, closed)}


def gait(amplitude, frequency, shift, bias, phase, stiffness, damping, time, joint, position, rate, torque_limit):
    at = phase + frequency * time + shift * joint
    asked = stiffness * (bias + amplitude * sin(at) - position) + damping * (frequency * amplitude * cos(at) - rate)
    return {"torque": clip(asked, torque_limit) if torque_limit < inf else asked,
            "reference": bias + amplitude * sin(at)}


def follower(bandwidth, wanted, wanted_rate, wanted_acceleration, position, rate):
    return {"acceleration": wanted_acceleration + (wanted_rate - rate) * 2 * bandwidth
            + (wanted - position) * bandwidth**2}


def friction(viscous, coulomb, coulomb_negative, width, breakaway, breakaway_negative, stribeck, gear, rate, slip,
             inverse, sticks, on_motor):
    side = gear if on_motor else ONE
    v = side * rate
    forwards, backwards = (breakaway, breakaway_negative) if side >= 0 else (breakaway_negative, breakaway)
    if sticks and not inverse:
        s = slip * sign(side)
        level, top = (coulomb, breakaway) if s > 0 else (coulomb_negative, breakaway_negative)
        f = viscous * v + (s * (level + (top - level) / mp.cosh(v / stribeck) ** 2) if s else 0)
    else:
        t = tanh(v / width)
        f = viscous * v + t * (coulomb * (1 + t) + coulomb_negative * (1 - t)) / 2
    return {"torque": -side * f, "loss": side * f * rate, "hold_forwards": abs(side) * forwards,
            "hold_backwards": abs(side) * backwards}


def spring(stiffness, damping, rest, position, rate):
    return {"damper": -damping * rate, "torque": stiffness * (rest - position), "loss": damping * rate**2,
            "energy": stiffness * (position - rest) ** 2 / 2}


def damper(damping, band, rate):
    beyond = max(abs(rate) - band, ZERO) * sign(rate)
    return {"torque": -damping * beyond, "loss": damping * beyond * rate}


def drag(effort, speed, rate):
    return {"torque": -sign(rate) * effort * (rate / speed) ** 2, "loss": effort * abs(rate) ** 3 / speed**2}


def stop(stiffness, damping, lower, upper, position, rate, side):
    slack = mpf(1e-9)  # as a double has it

    def touch(s):
        return (position - upper if s > 0 else lower - position) + min(0, s * damping / stiffness * rate)

    if side == 0:
        return {"torque": ZERO, "loss": ZERO, "energy": ZERO, "indicator": max(touch(1), touch(-1)) - slack}
    x, v = (position - upper, rate) if side > 0 else (lower - position, -rate)
    force = stiffness * x + damping * v
    return {"torque": -side * force if force > 0 else ZERO,
            "loss": damping * v**2 if force > 0 else -stiffness * x * v,
            "energy": stiffness * x**2 / 2, "indicator": touch(side) + slack}


def cone(limit, stiffness, damping, angle, rate, side):
    at = stop(stiffness, damping, -inf, limit, angle, rate, side) if side else \
        {"torque": ZERO, "loss": ZERO, "energy": ZERO,
         "indicator": angle - limit + min(0, damping / stiffness * rate) - mpf(1e-9)}
    return {**at, "work": at["torque"] * rate}


def lock(lock, locked, analogue):
    hold = inf if locked else ZERO
    return {"hold_forwards": hold, "hold_backwards": hold, "indicator": switch(lock, locked)}


def pace(bandwidth, wanted_speed, wanted_rate, speed, rate):
    return {"speed_derivative": (wanted_speed - speed) * bandwidth, "rate_derivative": (wanted_rate - rate) * bandwidth}


def wheel(viscous, coulomb, width, rate):
    f = -(viscous * rate + coulomb * tanh(rate / width))
    return {"force": f, "loss": -f * rate}


def grip(coefficient, lateral, rolling, mass, gravity, slip):
    return {"usage": sqrt(lateral**2 + rolling**2) / coefficient / mass / gravity}


def valve(nominal_flow, nominal_drop, overlap, transition, bandwidth, damping, command, spool, spool_rate,
          pressure_a, pressure_b, supply, tank):
    wanted = clip(command, ONE)
    u = clip(spool, ONE) if bandwidth > 0 else wanted
    k = nominal_flow / sqrt(nominal_drop)

    def edge(opening, d):
        return k * max(0, opening) / (1 - overlap) * d / (d**2 + transition**2) ** mpf("0.25")

    pa, at = edge(u - overlap, supply - pressure_a), edge(-u - overlap, pressure_a - tank)
    pb, bt = edge(-u - overlap, supply - pressure_b), edge(u - overlap, pressure_b - tank)
    w = 2 * mp.pi * bandwidth
    moves = bandwidth > 0
    return {"spool_speed": spool_rate if moves else ZERO,
            "spool_acceleration": w**2 * (wanted - spool) - 2 * damping * w * spool_rate if moves else ZERO,
            "flow_a": pa - at, "flow_b": pb - bt, "supply_flow": pa + pb, "tank_flow": at + bt,
            "room": (1 + mpf("1e-9")) ** 2 - spool**2}


def cylinder(closed_length, stroke, bore, rod, dead_a, dead_b, coulomb, breakaway, stribeck, width, viscous, leakage,
             leakage_out, stop_stiffness, stop_damping, cushion, bulk_modulus, air, exponent, atmosphere, vapour,
             hose_diameter, hose_length, hose_modulus, wall_modulus, flow_a, flow_b, pressure_a, pressure_b, length,
             rate, open):
    big = mp.pi / 4 * bore**2
    small = big - mp.pi / 4 * rod**2
    hose = mp.pi / 4 * hose_diameter**2 * hose_length
    x = length - closed_length

    def room(volume, least):
        return volume if volume >= least else least**2 / (2 * least - volume)

    def chamber(p, inside, flow, area):
        least = area * stroke / 1000
        if p - vapour < 1:
            return 1000 * (vapour + 200 - p)
        c = oil(bulk_modulus, air, exponent, atmosphere, vapour, p)
        return (flow - leakage_out * (p - atmosphere)) / (room(inside + hose, least) * c + hose / hose_modulus
                                                           + room(inside, least) / wall_modulus)

    def end(depth, into):
        if depth <= 0:
            return ZERO
        return max(0, stop_stiffness * depth + stop_damping * poppet(depth / cushion) * into)

    inner = leakage * (pressure_a - pressure_b)
    seals = (coulomb + (breakaway - coulomb) * exp(-((rate / stribeck) ** 2))) * tanh(rate / width) + viscous * rate
    ends = end(-x, -rate) - end(x - stroke, rate)
    push = pressure_a * big - pressure_b * small
    return {"force": push - seals + ends,
            "pressure_a_rate": chamber(pressure_a, dead_a + big * x, flow_a - inner - big * rate, big),
            "pressure_b_rate": chamber(pressure_b, dead_b + small * (stroke - x), flow_b + inner + small * rate,
                                       small),
            "oil_force": push, "friction": seals, "end": ends, "friction_loss": seals * rate,
            "end_loss": -ends * rate}


def pump(volume, relief_pressure, relief_gain, bulk_modulus, air, exponent, atmosphere, vapour, flow, pressure, drawn):
    relief = relief_gain * max(0, pressure - relief_pressure)
    c = oil(bulk_modulus, air, exponent, atmosphere, vapour, pressure)
    below = pressure - vapour < 1
    return {"relief": relief, "pressure_rate": 1000 * (vapour + 200 - pressure) if below
            else (flow - drawn - relief) / (volume * c)}


def port(first_stiffness, first_damping, closed_length, stroke, coulomb, breakaway, stribeck, width, viscous,
         stop_stiffness, stop_damping, cushion, push, length, rate, hold, spring, damper, held_force, held_length,
         held_velocity, told_length, told_velocity, told_acceleration, ends):
    def end(depth, into):
        return max(0, stop_stiffness * depth + stop_damping * poppet(depth / cushion) * into) if depth > 0 else ZERO

    jack = push if hold == 0 else (push if hold == 1 else held_force) - spring * (length - held_length) \
        - damper * (rate - held_velocity)
    seals = (coulomb + (breakaway - coulomb) * exp(-((rate / stribeck) ** 2))) * tanh(rate / width) + viscous * rate
    x = length - closed_length
    stop_push = end(-x, -rate) - end(x - stroke, rate) if ends else ZERO
    return {"force": jack - seals + stop_push, "jack_force": jack, "friction": seals, "end": stop_push,
            "velocity": told_velocity if hold else rate, "acceleration": told_acceleration if hold else ZERO,
            "place": told_length if hold else length, "gap": length - told_length if hold else ZERO,
            "friction_loss": seals * rate, "end_loss": -stop_push * rate}


def wrench(force_x, force_y, force_z, torque_x, torque_y, torque_z):
    return {"along_x": force_x, "along_y": force_y, "along_z": force_z, "about_x": torque_x, "about_y": torque_y,
            "about_z": torque_z}


def servo(kp, kd, ki, antiwindup, torque_limit, velocity_limit, bandwidth, effort_time, target, target_velocity,
          feedforward, reference, integral, effort, position, rate, gravity, compensates):
    r, dr = target, target_velocity
    wish = dr
    if velocity_limit < inf:
        wish = bandwidth * (target - reference) + target_velocity
        r, dr = reference, clip(wish, velocity_limit)
    asked = kd * (dr - rate) + kp * (r - position) + feedforward
    asked += integral if ki > 0 else 0
    asked += gravity if compensates else 0
    clipped = clip(asked, torque_limit) if torque_limit < inf else asked
    growth = ki * (r - position) if ki > 0 else ZERO
    if ki > 0 and torque_limit < inf:
        growth += (clipped - asked) / antiwindup
    lag = effort_time > 0
    return {"torque": effort if lag else clipped, "reference_rate": dr, "integral_rate": growth,
            "effort_rate": (clipped - effort) / effort_time if lag else ZERO,
            "torque_room": torque_limit - abs(asked) if torque_limit < inf else ONE,
            "velocity_room": velocity_limit - abs(wish) if velocity_limit < inf else ONE}


def add(a, b, by=1):
    return [x + by * y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return [x / sqrt(dot(a, a)) for x in a]


def nearest_of_box(place, axes, half, point):
    """Nearest point of a box, the way from there out to the point, and how far that is; below zero inside."""
    local = [dot(axis, add(point, place, -1)) for axis in axes]
    if all(abs(x) <= h for x, h in zip(local, half)):
        face = min(range(3), key=lambda i: half[i] - abs(local[i]))
        return [sign(local[face]) * x for x in axes[face]], abs(local[face]) - half[face]
    on = [max(-h, min(h, x)) for x, h in zip(local, half)]
    away = add(local, on, -1)
    out = unit(away)
    return [sum(out[i] * axes[i][k] for i in range(3)) for k in range(3)], sqrt(dot(away, away))


def contact(stiffness, exponent, dissipation, friction, slip_speed, radius, bristle_stiffness, bristle_damping, bristle_x,
            bristle_y, cx, cy, cz, vx, vy, vz, wx, wy, wz, ax, ay, az, ox, oy, oz, px, py, pz, qx, qy, qz, rx, ry, rz,
            half_x, half_y, half_z, touching, round, rolls, on_ball, on_box, bristle):
    c, o, a = [cx, cy, cz], [ox, oy, oz], [ax, ay, az]

    def touch(c, a):
        if on_box:
            n, gap = nearest_of_box(o, [[px, py, pz], [qx, qy, qz], [rx, ry, rz]], [half_x, half_y, half_z], c)
        elif on_ball:
            n, gap = unit(add(c, o, -1)), sqrt(dot(add(c, o, -1), add(c, o, -1))) - half_x
        else:
            n = unit([px, py, pz])
            gap = dot(n, add(c, o, -1))
        low = [-radius * x for x in n]
        if rolls:
            across = add(n, a, -dot(n, a))
            low = [-radius * x for x in unit(across)] if dot(across, across) > mpf("1e-12") else [ZERO] * 3
        if rolls and on_ball:
            to_low = add(add(c, low), o, -1)
            return unit(to_low), sqrt(dot(to_low, to_low)) - half_x, low
        return n, gap + dot(low, n), low

    n, gap, low = touch(c, a)
    h, turned = mpf("1e-15"), cross([wx, wy, wz], a)
    gap_rate = (touch(add(c, [vx, vy, vz], h), add(a, turned, h))[1]
                - touch(add(c, [vx, vy, vz], -h), add(a, turned, -h))[1]) / (2 * h)
    lever = add(low, n, -gap)
    v = add([vx, vy, vz], cross([wx, wy, wz], lever))
    vn = dot(v, n)
    slip = add(v, n, -vn)
    over_edge = ZERO  # as the normal turns at an edge, a wheel's lowest point comes closer
    if rolls and on_box and dot(low, low) > 0:
        there, here = (touch(add(c, [vx, vy, vz], s * h), a)[0] for s in (1, -1))
        turn = [x / (2 * h) for x in add(there, here, -1)]
        across = add(n, a, -dot(n, a))
        over_edge = radius * dot(n, a) * dot(turn, a) / sqrt(dot(across, across))
    if abs(dot(a, a) - 1) < mpf("1e-15"):
        assert abs(gap_rate - vn - over_edge) < mpf("1e-12") * (1 + abs(vn)), (gap_rate, vn, over_edge)
    elastic = stiffness * (-gap) ** exponent if gap < 0 else ZERO
    f = max(ZERO, elastic * (1 - dissipation * vn))
    rate = [ZERO, ZERO]
    if bristle:
        k = max(range(3), key=lambda i: (abs(n[i]), -i))
        e = [ONE if i == (k + 1) % 3 else ZERO for i in range(3)]
        e1 = unit(add(e, n, -dot(e, n)))
        e2 = cross(n, e1)
        s = [bristle_x, bristle_y]
        rate = [dot(slip, e) - bristle_stiffness * sqrt(dot(slip, slip)) / friction * x for e, x in zip((e1, e2), s)]
        pull = [bristle_stiffness * x + bristle_damping * r for x, r in zip(s, rate)]
        back = [pull[0] * x + pull[1] * y for x, y in zip(e1, e2)]
    else:
        back = [friction * x / sqrt(dot(slip, slip) + slip_speed**2) for x in slip]
    force = [f * x for x in add(n, back, -1)]
    work = dot(force, v)
    slack = mpf(1e-9)
    return {**dict(zip(("force_x", "force_y", "force_z"), force)), **dict(zip(("foot_x", "foot_y", "foot_z"), add(c, lever))),
            "depth": -gap, **dict(zip(("slip_x", "slip_y", "slip_z"), slip)), "bristle_x_rate": rate[0],
            "bristle_y_rate": rate[1], "work": work, "loss": elastic * (vn + over_edge) - work,
            "energy": elastic * max(ZERO, -gap) / (exponent + 1), "indicator": -gap + (slack if touching else -slack)}


def line_spring(stiffness, damping, rest, dx, dy, dz, vx, vy, vz):
    d = [dx, dy, dz]
    length = sqrt(dot(d, d))
    rate = dot(d, [vx, vy, vz]) / length
    push = stiffness * (rest - length) - damping * rate
    return {**dict(zip(("force_x", "force_y", "force_z"), [push * x / length for x in d])), "length": length, "force": push,
            "work": push * rate, "loss": damping * rate**2, "energy": stiffness * (length - rest) ** 2 / 2}


def turn_box(x):
    """Axes of a box that stands somehow; of a plane its normal."""
    p = unit([x["px"], x["py"], x["pz"]])
    q = unit(cross([x["qx"], x["qy"], x["qz"]], p))
    for axis, v in zip("pqr", (p, q, cross(p, q))):
        x.update({axis + k: c for k, c in zip("xyz", v)})


def place_contact(n, x):
    """Ball, wheel or point n; on a plane, a ball, outside or inside of a box; with it every law."""
    x.update(exponent=ONE if n & 1 else mpf("1.5"), touching=mpf(n // 2 % 2))
    x.update({k: v for k, v in zip(("ax", "ay", "az"), unit([x["ax"], x["ay"], x["az"]]))})
    flags = place_contact.flags(n)
    if not flags["round"]:
        x.update(radius=ZERO)
    if flags["on_box"] or flags["on_ball"]:
        turn_box(x)
        x.update({k: x[k] * 2 for k in ("cx", "cy", "cz")})
    if flags["on_box"] and n % 5 < 2:
        x.update({k: x[k] / 12 for k in ("cx", "cy", "cz")})  # inside
    if flags["on_box"] and n % 5 == 4:
        x.update(cx=x["cx"] * 9)  # far away
    if flags["rolls"] and flags["on_box"] and n < 68:  # beside two or three faces, and deep
        away = [x["half_x"] + mpf("0.2"), x["half_y"] + mpf("0.3"), x["half_z"] * (n % 4 - 1) / 2 + mpf("0.1")]
        for k in "xyz":
            x["c" + k] = x["o" + k] + away[0] * x["p" + k] - away[1] * x["q" + k] + away[2] * x["r" + k]
    if n in (24, 25, 26, 60, 61, 62):  # inside, near the face across the axis number n
        share = [mpf("0.2"), mpf("0.3"), mpf("0.1")]
        share[n % 3] = mpf("0.9")
        for k in "xyz":
            x["c" + k] = x["o" + k] + (1 if n >= 60 else -1) * sum(s * x[f"half_{i}"] * x[axis + k] for s, i, axis in zip(share, "xyz", "pqr"))
    if n in (5, 41):  # a wheel that lies flat
        x.update({k: v for k, v in zip(("ax", "ay", "az"), unit([x["px"], x["py"], x["pz"]]))})
    if n % 7 == 0:
        x.update(cz=x["cz"] + 5)
    if n % 7 == 1:
        x.update(vz=x["vz"] + 20)  # so fast out of the surface that it would pull


def contact_flags(n):
    kind, surface = n // 4 % 3, n // 12 % 3
    return {"round": kind != 0, "rolls": kind == 1, "on_ball": surface == 1, "on_box": surface == 2,
            "bristle": bool(n // 36 % 2) and surface != 1}


place_contact.flags = contact_flags

OIL = dict(bulk_modulus=(1e9, 2e9), air=(.001, .02), exponent=(1, 1.4), atmosphere=(9e4, 1.1e5), vapour=(5e3, 2e4))

# Ranges of the reals in the order of the law, flags that the file or the place sets, modes; and what is special
# about point number n.
POINTS = {
    rotor: (dict(inertia=(0, 1), gear=(-20, -2)), [], None),
    torque: (dict(effort=(1, 9), asked=(-9, 9)), [], None),
    motor: (dict(resistance=(.5, 3), torque_constant=(.1, 1), back_emf=(.1, 1), inductance=(1e-3, 1e-2),
                 efficiency=(.5, .9), efficiency_back=(.5, .9), voltage_limit=(5, 60), current_limit=(2, 60),
                 gear=(-20, -2), width=(.05, .5), asked=(-60, 60), current=(-9, 9), rate=(-3, 3), wanted=(-50, 50)),
            ["inverse"],
            lambda n, x: ((x.update(inductance=ZERO, current=ZERO) if n & 1 else 0),
                          (x.update(voltage_limit=inf) if n & 2 else 0), (x.update(current_limit=inf) if n & 4 else 0),
                          (x.update(efficiency=ONE, efficiency_back=ONE) if n & 8 else 0),
                          (x.update(rate=x["rate"] / 20) if n & 16 else 0))),
    closure: (dict(stiffness=(10, 1e3), damping=(1, 50), time=(0, 1), effort=(1, 9), asked=(-9, 9), position=(-1, 1),
                   rate=(-1, 1), close=(0, 1), closed=(0, 0), rest=(-1, 1)), ["analogue"],
              lambda n, x: x.update(closed=mpf(n % 2))),
    gait: (dict(amplitude=(.1, 1), frequency=(1, 9), shift=(.1, 1), bias=(-1, 1), phase=(-1, 1), stiffness=(1, 50),
                damping=(.1, 5), time=(0, 1), joint=(1, 3), position=(-1, 1), rate=(-1, 1)), [],
           lambda n, x: x.update(torque_limit=inf if n & 1 else mpf(3 + 4 * n))),
    follower: (dict(bandwidth=(1, 20), wanted=(-1, 1), wanted_rate=(-1, 1), wanted_acceleration=(-9, 9),
                    position=(-1, 1), rate=(-1, 1)), [], None),
    friction: (dict(viscous=(.1, 3), coulomb=(.1, 2), coulomb_negative=(.1, 2), width=(.05, .5), breakaway=(2, 4),
                    breakaway_negative=(2, 4), stribeck=(.1, 1), gear=(-20, 20), rate=(-1, 1), slip=(0, 0)),
               ["inverse", "sticks", "on_motor"],
               lambda n, x: (x.update(slip=mpf(n // 8 % 3 - 1)), x.update(rate=x["rate"] / 10),
                             (x.update(coulomb=ZERO, coulomb_negative=ZERO) if n % 11 == 10 else 0))),
    spring: (dict(stiffness=(1, 50), damping=(.1, 5), rest=(-.3, .3), position=(-1, 1), rate=(-1, 1)), [], None),
    stop: (dict(stiffness=(10, 1e3), damping=(1, 50), lower=(-.5, -.1), upper=(.1, .5), position=(-1, 1), rate=(-3, 3),
                side=(0, 0)), [],
           lambda n, x: (x.update(side=mpf(n % 3 - 1)), (x.update(rate=x["rate"] * 9) if n % 2 else 0),
                         (x.update(lower=-inf, side=mpf(n // 8 % 2)) if n % 8 == 7 else 0))),
    lock: (dict(lock=(0, 1), locked=(0, 0)), ["analogue"], lambda n, x: x.update(locked=mpf(n % 2))),
    pace: (dict(bandwidth=(1, 20), wanted_speed=(-1, 1), wanted_rate=(-1, 1), speed=(-1, 1), rate=(-1, 1)), [], None),
    wheel: (dict(viscous=(.1, 3), coulomb=(.1, 2), width=(.05, .5), rate=(-1, 1)), [],
            lambda n, x: x.update(coulomb=ZERO) if n % 4 == 3 else x.update(rate=x["rate"] / 5)),
    grip: (dict(coefficient=(.2, 1), lateral=(-9, 9), rolling=(-9, 9), mass=(.5, 2), gravity=(1, 10), slip=(0, 0)), [],
           None),
    valve: (dict(nominal_flow=(1e-4, 1e-3), nominal_drop=(1e6, 4e6), overlap=(.01, .1), transition=(5e4, 2e5),
                 bandwidth=(20, 90), damping=(.5, 1), command=(-1.5, 1.5), spool=(-1.3, 1.3), spool_rate=(-50, 50),
                 pressure_a=(1e5, 1e7), pressure_b=(1e5, 1e7), supply=(5e6, 2e7), tank=(1e5, 5e5)), [],
            lambda n, x: (x.update(bandwidth=ZERO) if n & 1 else 0,
                          x.update(spool=(-1) ** (n % 7) * mpf("1.2"), command=(-1) ** (n % 7) * mpf("1.3"))
                          if n % 7 > 4 else 0,
                          x.update(pressure_a=x["supply"] + 3e4, pressure_b=x["tank"] - 2e4) if n % 3 == 0 else 0)),
    cylinder: (dict(closed_length=(.5, 1), stroke=(.4, .6), bore=(.05, .1), rod=(.02, .04), dead_a=(1e-5, 1e-4),
                    dead_b=(1e-5, 1e-4), coulomb=(50, 200), breakaway=(200, 400), stribeck=(.004, .02),
                    width=(.001, .01), viscous=(100, 900), leakage=(1e-13, 1e-12), leakage_out=(1e-14, 1e-13),
                    stop_stiffness=(1e7, 1e8), stop_damping=(1e4, 1e5), cushion=(5e-4, 2e-3), **OIL,
                    hose_diameter=(.005, .02), hose_length=(.5, 3), hose_modulus=(5e8, 9e8),
                    wall_modulus=(1e11, 2.1e11), flow_a=(-1e-3, 1e-3), flow_b=(-1e-3, 1e-3), pressure_a=(1e5, 2e7),
                    pressure_b=(1e5, 2e7), length=(.1, .3), rate=(-.5, .5)), ["open"],
               lambda n, x: (x.update(length=x["closed_length"] + [x["length"], -x["cushion"] / 3, x["stroke"]
                                      + x["cushion"] / 3, -2 * x["cushion"], x["stroke"] + 2 * x["cushion"],
                                      x["length"]][n % 6]),
                             x.update(hose_length=mpf("0.02"), dead_a=mpf("1e-8"), dead_b=mpf("1e-8"))
                             if n // 6 % 2 else 0,
                             x.update(rate=x["rate"] / [1, 50, 1000][n % 3] if n % 6 < 3 else x["rate"] / 4),
                             x.update(pressure_a=x["vapour"] + [-50, 600][n // 6 % 2]) if n % 6 == 5 else 0,
                             x.update(pressure_b=x["vapour"] + [900, -20][n // 6 % 2]) if n % 6 == 4 else 0)),
    pump: (dict(volume=(1e-4, 1e-3), relief_pressure=(1e7, 2e7), relief_gain=(1e-10, 1e-9), **OIL, flow=(0, 1e-3),
                pressure=(5e6, 2.5e7), drawn=(0, 1e-3)), [],
           lambda n, x: x.update(pressure=x["vapour"] + [-50, 700][n % 2]) if n % 5 > 2 else 0),
    wrench: (dict(force_x=(-9, 9), force_y=(-9, 9), force_z=(-9, 9), torque_x=(-9, 9), torque_y=(-9, 9),
                  torque_z=(-9, 9)), [], None),
    damper: (dict(damping=(.1, 5), band=(.1, .5), rate=(-1, 1)), [], lambda n, x: x.update(rate=(-1) ** n * abs(x["rate"]))),
    servo: (dict(kp=(10, 90), kd=(1, 9), ki=(5, 50), antiwindup=(.05, .5), torque_limit=(5, 40), velocity_limit=(.5, 2),
                 bandwidth=(5, 50), effort_time=(.01, .1), target=(-1, 1), target_velocity=(-1, 1), feedforward=(-5, 5),
                 reference=(-1, 1), integral=(-5, 5), effort=(-9, 9), position=(-1, 1), rate=(-1, 1), gravity=(-20, 20)),
            ["compensates"],
            lambda n, x: ((x.update(torque_limit=inf) if n & 2 else 0), (x.update(velocity_limit=inf) if n & 4 else 0),
                          (x.update(ki=ZERO) if n & 8 else 0), (x.update(effort_time=ZERO) if n & 16 else 0),
                          (x.update(target=x["reference"] + x["target"] / 100) if n & 32 else 0))),
    contact: (dict(stiffness=(1e3, 1e4), exponent=(1, 1), dissipation=(.05, .2), friction=(.2, .9), slip_speed=(.05, .5),
                   radius=(1, 2), bristle_stiffness=(5, 20), bristle_damping=(.1, 1), bristle_x=(-.1, .1), bristle_y=(-.1, .1),
                   cx=(-1, 1), cy=(-1, 1), cz=(-1, 1), vx=(-1, 1), vy=(-1, 1), vz=(-1, 1), wx=(-1, 1), wy=(-1, 1),
                   wz=(-1, 1), ax=(-1, 1), ay=(-1, 1), az=(-1, 1), ox=(-.2, .2), oy=(-.2, .2), oz=(-.2, .2), px=(-1, 1),
                   py=(-1, 1), pz=(-1, 1), qx=(-1, 1), qy=(-1, 1), qz=(-1, 1), rx=(-1, 1), ry=(-1, 1), rz=(-1, 1),
                   half_x=(.3, .9), half_y=(.3, .9), half_z=(.3, .9), touching=(0, 0)), contact_flags, place_contact),
    line_spring: (dict(stiffness=(10, 90), damping=(1, 9), rest=(.5, 1), dx=(-1, 1), dy=(-1, 1), dz=(-1, 1), vx=(-1, 1),
                       vy=(-1, 1), vz=(-1, 1)), [], None),
    port: (dict(first_stiffness=(1e7, 1e8), first_damping=(0, 1e4), closed_length=(.5, 1), stroke=(.4, .6),
                coulomb=(50, 200), breakaway=(200, 400), stribeck=(.004, .02), width=(.001, .01), viscous=(100, 900),
                stop_stiffness=(1e7, 1e8), stop_damping=(1e4, 1e5), cushion=(5e-4, 2e-3), push=(-1e5, 1e5),
                length=(.1, .3), rate=(-.1, .1), hold=(0, 0), spring=(1e7, 1e8), damper=(0, 1e5),
                held_force=(-1e5, 1e5), held_length=(-.01, .01), held_velocity=(-.1, .1), told_length=(-.01, .01),
                told_velocity=(-.1, .1), told_acceleration=(-1, 1)), ["ends"],
           lambda n, x: (x.update(hold=mpf(n // 2 % 3), length=x["closed_length"] + [x["length"], -x["cushion"] / 3,
                                  x["stroke"] + x["cushion"] / 3, -2 * x["cushion"], x["stroke"] + 2 * x["cushion"],
                                  x["length"]][n // 6 % 6]),
                         x.update(held_length=x["length"] + x["held_length"], told_length=x["length"] + x["told_length"]),
                         x.update(rate=x["rate"] / 50) if n % 4 == 3 else 0)),
    drag: (dict(effort=(.1, 5), speed=(.5, 2), rate=(-1, 1)), [], lambda n, x: x.update(rate=(-1) ** n * abs(x["rate"]))),
    cone: (dict(limit=(.3, 1), stiffness=(10, 90), damping=(1, 9), angle=(.1, 2), rate=(-1, 1), side=(0, 0)), [],
           lambda n, x: (x.update(side=mpf(n % 2)), x.update(rate=(-1) ** (n // 2) * abs(x["rate"])),
                         x.update(angle=x["limit"] + x["angle"] / 50) if n % 8 > 5 else 0)),
}
MODES = {contact: ["touching"], lock: ["locked"], friction: ["slip"], stop: ["side"], cone: ["side"], closure: ["closed", "rest"], grip: ["slip"],
         port: ["hold", "spring", "damper", "held_force", "held_length", "held_velocity", "told_length", "told_velocity",
                "told_acceleration"]}
COUNT = {contact: 108, servo: 64, motor: 64, friction: 66, cylinder: 24, port: 36, valve: 24, stop: 24, pump: 15, cone: 24}


def text(x):
    return repr(float(x))  # the nearest double


def derivatives(law, x, flags, base, at_flags):
    """By result, then by the name of the real."""
    by = {result: {} for result in base}
    for name, value in x.items():
        if name in MODES.get(law, []) or abs(value) == inf:
            continue
        h = STEP * (abs(value) or ONE)
        up = law(**{**x, name: value + h}, **flags)
        down = law(**{**x, name: value - h}, **flags)
        if law is motor and name == "inductance" and value == 0:
            continue  # a flag turns there
        if law is servo and name in ("ki", "effort_time") and value == 0:
            continue  # flags turn there
        if law.__name__ in ("contact", "touch") and name == "exponent":
            continue  # a flag turns there
        if law is contact and name == "friction" and flags["bristle"] and value == 0:
            continue
        if law is valve and name in ("bandwidth",) and value == 0:
            continue
        if (law.__name__, name) in at_flags and value == 0:
            continue
        for result in base:
            if abs(base[result]) == inf:
                continue  # whatever its numbers are
            slope = (up[result] - down[result]) / (2 * h)
            if slope:
                by[result][name] = slope
    return by


def write(script, points, count, at_flags=(), printed=lambda law: True):
    """Prints points of laws; at_flags: numbers of laws at whose 0 a flag turns. All laws are drawn, so that points do not
    depend on which of them are printed."""
    random.seed(7)
    print(f"# Written by {script}; not to be edited.")
    for law, (ranges, flag_names, special) in points.items():
        for n in range(count.get(law, 8)):
            x = {name: mpf(random.uniform(low, high)) for name, (low, high) in ranges.items()}
            if special:
                special(n, x)
            x = {name: mpf(float(value)) for name, value in x.items()}
            flags = flag_names(n) if callable(flag_names) else \
                {name: bool((n >> (5 if law is motor else i)) & 1) for i, name in enumerate(flag_names)}
            if not printed(law):
                continue
            base = law(**x, **flags)
            parts = [law.__name__, " ".join(f"{name}={float(v).hex() if abs(v) != inf else float(v)}"
                                            for name, v in x.items()),
                     " ".join(name for name in flags if flags[name])]
            by = derivatives(law, x, flags, base, at_flags)
            for result, value in base.items():
                parts.append(f"{result} {text(value)}")
                parts.append(" ".join(f"{name}={text(d)}" for name, d in by[result].items()))
            print(" | ".join(parts))


if __name__ == "__main__":
    if sys.argv[1:] not in (["contact"], ["others"]):
        sys.exit(__doc__)
    write("golden.py", POINTS, COUNT, printed=lambda law: (law is contact) == (sys.argv[1] == "contact"))
