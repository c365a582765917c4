#!/usr/bin/env python3
"""Laws of elements in 50 digits, with derivatives by differences: writes golden.txt.

    python3 tests/model/elements/golden.py > tests/model/elements/golden.txt      (needs mpmath)

The equations here share nothing with the element files but the names. Points are drawn so that every
side of every choice is met. A line of golden.txt:

    element | name=number … | flag … | result value | name=derivative … | result value | …

Derivatives that are zero are left out.
"""

import random

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


def gait(amplitude, frequency, shift, bias, phase, stiffness, damping, time, joint, position, rate):
    at = phase + frequency * time + shift * joint
    return {"torque": stiffness * (bias + amplitude * sin(at) - position)
            + damping * (frequency * amplitude * cos(at) - rate),
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


def ramp(x, w):
    return ZERO if x <= 0 else x**2 / (2 * w) if x < w else x - w / 2


def smin(a, b, w):
    return (a + b - sqrt((a - b) ** 2 + w**2)) / 2


def smax(a, b, w):
    return (a + b + sqrt((a - b) ** 2 + w**2)) / 2


def opening_flow(nominal_flow, nominal_drop, transition, d):
    return nominal_flow / sqrt(nominal_drop) * d / (d**2 + transition**2) ** mpf("0.25")


def circuit_oil(bulk_modulus, air, exponent, atmosphere, vapour, density, viscosity, pressure):
    return {"compressibility": oil(bulk_modulus, air, exponent, atmosphere, vapour, pressure)}


circuit_oil.__name__ = "oil"


def node(vapour, pressure, net, capacity):
    rate = 1000 * (vapour + 200 - pressure) if pressure - vapour < 1 else net / capacity
    return {"pressure_rate": rate, "storing": pressure * capacity * rate}


def reservoir(pressure, net):
    return {"supplied": -pressure * net}


def volume(volume, wall_modulus, bulk_modulus, air, exponent, atmosphere, vapour, pressure):
    return {"capacity": volume * (oil(bulk_modulus, air, exponent, atmosphere, vapour, pressure) + 1 / wall_modulus)}


def orifice(nominal_flow, nominal_drop, transition, p_from, p_to):
    q = opening_flow(nominal_flow, nominal_drop, transition, p_from - p_to)
    return {"flow": q, "lost": q * (p_from - p_to)}


def line(diameter, length, friction_factor, loss, wall_modulus, bulk_modulus, air, exponent, atmosphere, vapour,
         density, viscosity, moving, p_from, p_to, inertance):
    a = mp.pi * diameter**2 / 4
    r = 128 * viscosity * density * length / (mp.pi * diameter**4)
    k = (friction_factor * length / diameter + loss) * density / (2 * a**2)
    d = p_from - p_to
    q = moving if inertance else sign(d) * (sqrt(r**2 + 4 * k * abs(d)) - r) / (2 * k)
    friction = r * q + k * q * abs(q) if inertance else d
    end = [a * length / 2 * (oil(bulk_modulus, air, exponent, atmosphere, vapour, p) + 1 / wall_modulus)
           for p in (p_from, p_to)]
    return {"flow_rate": (d - friction) * a / (density * length) if inertance else ZERO, "flow": q,
            "capacity_from": end[0], "capacity_to": end[1], "lost": q * friction,
            "storing": q * (d - friction) if inertance else ZERO}


def filter(resistance, quadratic, bypass_pressure, bypass_gain, bypass_width, p_from, p_to):
    d = p_from - p_to
    q = sign(d) * (sqrt(resistance**2 + 4 * quadratic * abs(d)) - resistance) / (2 * quadratic)
    q += bypass_gain * ramp(d - bypass_pressure, bypass_width)
    return {"flow": q, "lost": q * d}


def check(cracking, range, nominal_flow, nominal_drop, transition, p_from, p_to):
    d = p_from - p_to
    q = poppet((d - cracking) / range) * opening_flow(nominal_flow, nominal_drop, transition, d)
    return {"flow": q, "lost": q * d}


def relief(setting, gain, width, p_from, p_to):
    q = gain * ramp(p_from - p_to - setting, width)
    return {"flow": q, "lost": q * (p_from - p_to)}


def pilot_check(ratio, pilot_width, cracking, range, nominal_flow, nominal_drop, transition, p_valve, p_load, p_pilot):
    z = (ratio * ramp(p_pilot - p_valve, pilot_width) + p_valve - p_load - cracking) / range
    q = poppet(z) * opening_flow(nominal_flow, nominal_drop, transition, p_valve - p_load)
    return {"opening": poppet(z), "flow": q, "lost": q * (p_valve - p_load)}


def counterbalance(setting, ratio, back_factor, range, nominal_flow, nominal_drop, transition, check_flow, check_drop,
                   cracking, check_range, time_constant, atmosphere, lift, p_valve, p_load, p_pilot):
    z = (p_load + ratio * p_pilot - back_factor * p_valve - (1 + ratio - back_factor) * atmosphere - setting) / range
    y = lift if time_constant > 0 else poppet(z)
    d = p_load - p_valve
    q = y * opening_flow(nominal_flow, nominal_drop, transition, d) - poppet(
        (p_valve - p_load - cracking) / check_range) * opening_flow(check_flow, check_drop, transition, -d)
    return {"opening_rate": (poppet(z) - lift) / time_constant if time_constant > 0 else ZERO, "opening": y, "flow": q,
            "lost": q * d}


def edge(drop, coefficient, density, height, by_area):
    return {"conductance": coefficient * height * sqrt(2 / density) if by_area else height / sqrt(drop)}


def section(bandwidth, damping, transition, compensator_drop, compensator_width, check_width, ls_start, ls_range,
            command, spool, spool_rate, p_p, p_t, p_a, p_b, p_ls, pa, bt, pb, at, pt, backward, pre, post):
    wanted = clip(command, ONE)
    w = 2 * mp.pi * bandwidth
    load = p_b if backward else p_a
    d = p_p - load
    if post:
        d = p_p - smax(p_ls, load, compensator_width)
    elif pre:
        d = smin(d, compensator_drop, compensator_width)
    if check_width > 0:
        d = ramp(d, check_width)

    def through(k, drop):
        return opening_flow(k, ONE, transition, drop)

    q_pa, q_pb = through(pa, d), through(pb, d)
    q_at, q_bt, q_pt = through(at, p_a - p_t), through(bt, p_b - p_t), through(pt, p_p - p_t)
    return {"spool_speed": spool_rate, "spool_acceleration": w**2 * (wanted - spool) - 2 * damping * w * spool_rate,
            "flow_a": q_pa - q_at, "flow_b": q_pb - q_bt, "supply_flow": q_pa + q_pb + q_pt,
            "tank_flow": q_at + q_bt + q_pt, "metering_drop": d,
            "ls_pressure": p_t + poppet((abs(spool) - ls_start) / ls_range) * (load - p_t),
            "lost": p_p * (q_pa + q_pb + q_pt) - p_a * (q_pa - q_at) - p_b * (q_pb - q_bt) - p_t * (q_at + q_bt + q_pt)}


def load_sensing(time_constant, width, pressure, highest):
    return {"pressure_rate": (highest - pressure) / time_constant}


def shuttle(width, one, other):
    return {"higher": smax(one, other, width)}


def displacement_pump(displacement, margin, margin_band, pressure_limit, pressure_band, power_limit, flow_limit, minimum,
                      leakage, viscous, drag, time_constant, speed, stroke, p_out, p_tank, p_ls, regulated, sensing):
    w = mpf(0.02)  # as a double has it
    lift = p_out - p_tank
    s = min(ONE, flow_limit / (displacement * speed)) if flow_limit > 0 else ONE
    if sensing:
        s = smin(s, (p_ls + margin - p_out) / margin_band, w)
    if pressure_limit > 0:
        s = smin(s, (pressure_limit - p_out) / pressure_band, w)
    if power_limit > 0:
        s = smin(s, power_limit / (displacement * speed * smax(lift, mpf(10) ** 6, mpf(10) ** 5)), w)
    s = smax(s, minimum, w)
    now = stroke if regulated else ONE
    return {"stroke_rate": (s - stroke) / time_constant if regulated else ZERO, "reference": s,
            "flow": now * displacement * speed - leakage * lift,
            "torque": now * displacement * lift + viscous * speed + drag, "supplied": now * displacement * speed * lift,
            "lost": leakage * lift**2}


def accumulator(precharge, shell, exponent, poppet_volume, nominal_flow, nominal_drop, transition, volume, pressure):
    gas = precharge * (shell / (shell - volume)) ** exponent
    behind = gas - precharge * (1 - poppet(volume / poppet_volume))
    q = opening_flow(nominal_flow, nominal_drop, transition, pressure - behind)
    x = min(ONE, volume / poppet_volume)
    of_gas = log(shell / (shell - volume)) if exponent == 1 else \
        ((shell / (shell - volume)) ** (exponent - 1) - 1) / (exponent - 1)
    return {"flow": q, "gas_pressure": gas, "storing": behind * q, "lost": (pressure - behind) * q,
            "energy": precharge * (shell * of_gas - poppet_volume * (x - x**3 + x**4 / 2))}


def hydraulic_motor(displacement, gear, leakage, case_leakage, coulomb, pressure_friction, viscous, width, inertia,
                    volume_a, volume_b, wall_modulus, bulk_modulus, air, atmosphere, vapour, exponent, velocity, p_a, p_b,
                    p_case):
    turn, delta = gear * velocity, p_a - p_b
    friction = (coulomb + pressure_friction * displacement * sqrt(delta**2 + mpf(10) ** 10)) * tanh(turn / width) \
        + viscous * turn
    case = [case_leakage * (p - p_case) for p in (p_a, p_b)]
    inner = displacement * turn + leakage * delta
    room = [v * (oil(bulk_modulus, air, exponent, atmosphere, vapour, p) + 1 / wall_modulus)
            for v, p in ((volume_a, p_a), (volume_b, p_b))]
    return {"torque": gear * (displacement * delta - friction), "flow_a": inner + case[0], "flow_b": case[1] - inner,
            "case_flow": case[0] + case[1], "capacity_a": room[0], "capacity_b": room[1],
            "reflected": gear**2 * inertia, "loss_torque": gear * friction, "work": displacement * delta * turn,
            "lost": leakage * delta**2 + case[0] * (p_a - p_case) + case[1] * (p_b - p_case)}


def chambers(closed_length, stroke, bore, rod, dead_a, dead_b, leakage, leakage_out, hose_diameter, hose_length,
             hose_modulus, wall_modulus, bulk_modulus, air, exponent, atmosphere, vapour, p_a, p_b, length, rate):
    big = mp.pi / 4 * bore**2
    small = big - mp.pi / 4 * rod**2
    hose = mp.pi / 4 * hose_diameter**2 * hose_length
    x = length - closed_length

    def room(v, least):
        return v if v >= least else least**2 / (2 * least - v)

    def capacity(p, inside, area):
        least = area * stroke / 1000
        return (room(inside + hose, least) * oil(bulk_modulus, air, exponent, atmosphere, vapour, p)
                + hose / hose_modulus + room(inside, least) / wall_modulus)

    inner, outer = leakage * (p_a - p_b), [leakage_out * (p - atmosphere) for p in (p_a, p_b)]
    return {"flow_a": big * rate + inner + outer[0], "flow_b": outer[1] - inner - small * rate,
            "capacity_a": capacity(p_a, dead_a + big * x, big),
            "capacity_b": capacity(p_b, dead_b + small * (stroke - x), small),
            "work": (big * p_a - small * p_b) * rate, "lost": inner * (p_a - p_b) + outer[0] * p_a + outer[1] * p_b}


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
                damping=(.1, 5), time=(0, 1), joint=(1, 3), position=(-1, 1), rate=(-1, 1)), [], None),
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
    circuit_oil: (dict(**OIL, density=(800, 900), viscosity=(1e-5, 1e-4), pressure=(1e5, 2e7)), [],
                  lambda n, x: x.update(pressure=x["vapour"] + 500) if n & 1 else 0),
    node: (dict(vapour=(5e3, 2e4), pressure=(1e5, 2e7), net=(-1e-3, 1e-3), capacity=(1e-13, 1e-12)), [],
           lambda n, x: x.update(pressure=x["vapour"] + [-50, 700][n % 2]) if n > 5 else 0),
    reservoir: (dict(pressure=(1e5, 2e7), net=(-1e-3, 1e-3)), [], None),
    volume: (dict(volume=(1e-4, 1e-3), wall_modulus=(1e9, 3e9), **OIL, pressure=(1e5, 2e7)), [],
             lambda n, x: x.update(pressure=x["vapour"] + 500) if n & 1 else 0),
    orifice: (dict(nominal_flow=(1e-4, 1e-3), nominal_drop=(1e6, 4e6), transition=(5e4, 2e5), p_from=(1e5, 2e7),
                   p_to=(1e5, 2e7)), [], lambda n, x: x.update(p_to=x["p_from"] + 1e4) if n % 3 == 2 else 0),
    line: (dict(diameter=(.01, .02), length=(1, 5), friction_factor=(.02, .05), loss=(.5, 2), wall_modulus=(5e8, 9e8), **OIL,
                density=(800, 900), viscosity=(1e-5, 1e-4), moving=(-1e-3, 1e-3), p_from=(1e5, 1e7), p_to=(1e5, 1e7)),
           ["inertance"], lambda n, x: x.update(p_to=x["p_from"] + (-1) ** n * 1e4) if n % 3 == 2 else
           x.update(p_to=x["vapour"] + 500, p_from=x["vapour"] + 900) if n % 4 == 1 else 0),
    filter: (dict(resistance=(5e7, 2e8), quadratic=(1e10, 5e10), bypass_pressure=(2e5, 3e5), bypass_gain=(1e-9, 5e-9),
                  bypass_width=(3e4, 6e4), p_from=(1e5, 9e5), p_to=(1e5, 3e5)), [],
             lambda n, x: x.update(p_from=x["p_to"] + x["bypass_pressure"] + x["bypass_width"] / 2) if n % 3 == 0 else
             x.update(p_from=x["p_to"] - 5e4 + 1e5 * (n % 2)) if n % 3 == 1 else 0),
    check: (dict(cracking=(1e4, 5e4), range=(5e4, 2e5), nominal_flow=(1e-4, 1e-3), nominal_drop=(1e5, 1e6),
                 transition=(5e4, 2e5), p_from=(1e5, 2e7), p_to=(1e5, 2e7)), [],
            lambda n, x: x.update(p_from=x["p_to"] + x["cracking"] + x["range"] / 3) if n % 3 == 0 else 0),
    relief: (dict(setting=(5e6, 9e6), gain=(5e-10, 2e-9), width=(1e5, 5e5), p_from=(1e5, 2e7), p_to=(1e5, 5e5)), [],
             lambda n, x: x.update(p_from=x["p_to"] + x["setting"] + x["width"] / 3) if n % 3 == 0 else 0),
    pilot_check: (dict(ratio=(2, 5), pilot_width=(5e4, 2e5), cracking=(1e5, 3e5), range=(5e6, 1.2e7), nominal_flow=(1e-4, 1e-3),
                       nominal_drop=(1e5, 1e6), transition=(5e4, 2e5), p_valve=(2e5, 2e6), p_load=(5e6, 1e7),
                       p_pilot=(1e5, 9e6)), [],
                  lambda n, x: (x.update(p_pilot=x["p_valve"] + x["pilot_width"] / 2, p_valve=x["p_valve"]) if n % 3 == 0 else 0,
                                x.update(p_load=x["p_valve"] - x["cracking"] - x["range"] / 4) if n % 3 == 0 else 0)),
    counterbalance: (dict(setting=(1e7, 1.5e7), ratio=(2, 5), back_factor=(0, 5), range=(4e6, 8e6), nominal_flow=(1e-4, 1e-3),
                          nominal_drop=(1e6, 3e6), transition=(5e4, 2e5), check_flow=(1e-4, 1e-3), check_drop=(5e5, 1e6),
                          cracking=(1e5, 3e5), check_range=(1e5, 4e5), time_constant=(.005, .02), atmosphere=(9e4, 1.1e5),
                          lift=(.1, .9), p_valve=(1e5, 1e6), p_load=(5e6, 1.8e7), p_pilot=(1e5, 6e6)), [],
                     lambda n, x: (x.update(time_constant=ZERO) if n & 1 else 0,
                                   x.update(p_valve=x["p_load"] + x["cracking"] + x["check_range"] / 2) if n % 4 > 1 else 0,
                                   x.update(p_pilot=(x["range"] * mpf("0.4") + x["setting"] + x["back_factor"] * x["p_valve"]
                                                     + (1 + x["ratio"] - x["back_factor"]) * x["atmosphere"] - x["p_load"])
                                            / x["ratio"]) if n % 3 else 0)),
    edge: (dict(drop=(1e5, 1e6), coefficient=(.5, .8), density=(800, 900), height=(1e-5, 1e-3)), ["by_area"], None),
    section: (dict(bandwidth=(5, 20), damping=(.5, 1), transition=(5e4, 2e5), compensator_drop=(5e5, 1e6),
                   compensator_width=(3e4, 8e4), check_width=(3e4, 8e4), ls_start=(.03, .08), ls_range=(.03, .08),
                   command=(-1.5, 1.5), spool=(-1.1, 1.1), spool_rate=(-9, 9), p_p=(1e7, 2e7), p_t=(1e5, 3e5), p_a=(1e6, 9e6),
                   p_b=(1e6, 9e6), p_ls=(1e6, 9e6), pa=(1e-7, 1e-6), bt=(1e-7, 1e-6), pb=(1e-7, 1e-6), at=(1e-7, 1e-6),
                   pt=(1e-7, 1e-6)), ["pre", "post", "backward"],
              lambda n, x: (x.update(check_width=ZERO) if n & 8 else 0,
                            x.update(spool=(-1) ** (n // 4) * (x["ls_start"] + x["ls_range"] / 3)) if n % 5 == 0 else 0,
                            x.update(p_p=(x["p_b"] if n & 4 else x["p_a"]) + [x["compensator_drop"], 2e4, -3e5][n % 3],
                                     p_ls=x["p_b"] if n & 4 else x["p_a"]) if n % 7 > 3 else 0)),
    load_sensing: (dict(time_constant=(.005, .02), width=(2e4, 9e4), pressure=(1e5, 2e7), highest=(1e5, 2e7)), [], None),
    shuttle: (dict(width=(2e4, 9e4), one=(1e5, 2e7), other=(1e5, 2e7)), [],
              lambda n, x: x.update(other=x["one"] + (-1) ** n * 1e4) if n % 3 == 0 else 0),
    displacement_pump: (dict(displacement=(4e-6, 8e-6), margin=(1e6, 3e6), margin_band=(4e5, 8e5), pressure_limit=(2e7, 2.5e7),
                             pressure_band=(5e5, 2e6), power_limit=(5e3, 2e4), flow_limit=(3e-4, 2e-3), minimum=(.01, .05),
                             leakage=(1e-12, 4e-12), viscous=(.01, .03), drag=(.5, 2), time_constant=(.02, .08),
                             speed=(90, 200), stroke=(.1, 1), p_out=(2e6, 2.5e7), p_tank=(1e5, 3e5), p_ls=(1e6, 2e7)),
                        ["regulated", "sensing"],
                        lambda n, x: (x.update(pressure_limit=ZERO) if n & 4 else 0, x.update(power_limit=ZERO) if n & 8 else 0,
                                      x.update(flow_limit=ZERO) if n & 16 else 0,
                                      x.update(p_out=x["p_ls"] + x["margin"] - x["margin_band"] / 2) if n % 3 == 0 else 0,
                                      x.update(p_out=x["p_tank"] + mpf("1.05e6")) if n % 7 == 5 else 0)),
    accumulator: (dict(precharge=(5e6, 8e6), shell=(.003, .005), exponent=(1.1, 1.5), poppet_volume=(5e-5, 1e-4),
                       nominal_flow=(5e-4, 2e-3), nominal_drop=(3e5, 8e5), transition=(5e4, 2e5), volume=(2e-4, 2e-3),
                       pressure=(1e6, 2e7)), [],
                  lambda n, x: x.update(volume=x["poppet_volume"] * mpf("0.3")) if n % 3 == 0 else 0),
    hydraulic_motor: (dict(displacement=(5e-6, 9e-6), gear=(-130, 130), leakage=(5e-13, 2e-12), case_leakage=(2e-13, 8e-13),
                           coulomb=(1, 4), pressure_friction=(.03, .09), viscous=(.01, .04), width=(1, 3),
                           inertia=(.001, .006), volume_a=(1e-4, 5e-4), volume_b=(1e-4, 5e-4), wall_modulus=(1e9, 3e9),
                           bulk_modulus=(1e9, 2e9), air=(.001, .02), atmosphere=(9e4, 1.1e5), vapour=(5e3, 2e4),
                           exponent=(1, 1.4), velocity=(-1, 1), p_a=(1e5, 2e7), p_b=(1e5, 2e7), p_case=(1e5, 3e5)), [],
                      lambda n, x: (x.update(velocity=x["velocity"] / 60) if n & 1 else 0,
                                    x.update(p_a=x["vapour"] + 500, p_b=x["vapour"] + 700) if n % 4 == 2 else 0)),
    chambers: (dict(closed_length=(.5, 1), stroke=(.4, .6), bore=(.05, .1), rod=(.02, .04), dead_a=(1e-5, 1e-4),
                    dead_b=(1e-5, 1e-4), leakage=(1e-13, 1e-12), leakage_out=(1e-14, 1e-13), hose_diameter=(.005, .02),
                    hose_length=(.5, 3), hose_modulus=(5e8, 9e8), wall_modulus=(1e11, 2.1e11), **OIL, p_a=(1e5, 2e7),
                    p_b=(1e5, 2e7), length=(.1, .3), rate=(-.5, .5)), [],
               lambda n, x: (x.update(length=x["closed_length"] + [x["length"], -mpf("0.004"), x["stroke"] + mpf("0.004")][n % 3]),
                             x.update(hose_length=mpf("0.02"), dead_a=mpf("1e-8"), dead_b=mpf("1e-8")) if n > 5 else 0,
                             x.update(p_a=x["vapour"] + 500, p_b=x["vapour"] + 700) if n % 4 == 2 else 0)),
}
MODES = {contact: ["touching"], lock: ["locked"], friction: ["slip"], stop: ["side"], closure: ["closed", "rest"], grip: ["slip"]}
COUNT = {displacement_pump: 48, section: 48, counterbalance: 24, pilot_check: 12, filter: 12, chambers: 12, shuttle: 12, contact: 108, servo: 64, motor: 64, friction: 66, cylinder: 24, valve: 24, stop: 24, pump: 15}


# Numbers of circuits at whose usual value a flag turns.
AT_FLAGS = {("counterbalance", "time_constant"), ("section", "check_width"),
            ("displacement_pump", "pressure_limit"), ("displacement_pump", "power_limit"),
            ("displacement_pump", "flow_limit")}


def text(x):
    return str(float(x)) if abs(x) == inf else mp.nstr(x, 20)


def derivatives(law, x, flags, base):
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
        if law is contact and name == "exponent":
            continue  # a flag turns there
        if law is contact and name == "friction" and flags["bristle"] and value == 0:
            continue
        if law is valve and name in ("bandwidth",) and value == 0:
            continue
        if (law.__name__, name) in AT_FLAGS and value == 0:
            continue
        for result in base:
            if abs(base[result]) == inf:
                continue  # whatever its numbers are
            slope = (up[result] - down[result]) / (2 * h)
            if slope:
                by[result][name] = slope
    return by


def main():
    random.seed(7)
    print("# Written by golden.py; not to be edited.")
    for law, (ranges, flag_names, special) in POINTS.items():
        for n in range(COUNT.get(law, 8)):
            x = {name: mpf(random.uniform(low, high)) for name, (low, high) in ranges.items()}
            if special:
                special(n, x)
            x = {name: mpf(float(value)) for name, value in x.items()}
            flags = flag_names(n) if callable(flag_names) else \
                {name: bool((n >> (5 if law is motor else i)) & 1) for i, name in enumerate(flag_names)}
            base = law(**x, **flags)
            parts = [law.__name__, " ".join(f"{name}={float(v).hex() if abs(v) != inf else float(v)}"
                                            for name, v in x.items()),
                     " ".join(name for name in flags if flags[name])]
            by = derivatives(law, x, flags, base)
            for result, value in base.items():
                parts.append(f"{result} {text(value)}")
                parts.append(" ".join(f"{name}={text(d)}" for name, d in by[result].items()))
            print(" | ".join(parts))


if __name__ == "__main__":
    main()
