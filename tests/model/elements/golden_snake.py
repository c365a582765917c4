#!/usr/bin/env python3
"""Laws of a snake's ground in 50 digits, as golden.py has those of the other elements: writes golden_snake.txt.

    python3 tests/model/elements/golden_snake.py > tests/model/elements/golden_snake.txt      (needs mpmath)
"""

from mpmath import cos, mpf, sin, sqrt, tanh, taylor

from golden import ONE, write, ZERO


def viscous_ground(tangential, normal, spin, along, across, turn, load, share, scale_along, scale_across):
    return {"forwards": -tangential * along * scale_along * share, "sideways_force": -normal * across * scale_across * share,
            "moment": -spin * turn * share}


def coulomb_ground(forward, backward, sideways, slip_speed, along, across, turn, load, share, scale_along, scale_across):
    pressed = load * share / sqrt(along**2 + across**2 + slip_speed**2)
    sense = along / sqrt(along**2 + slip_speed**2)
    mu = forward * (1 + sense) / 2 + backward * (1 - sense) / 2
    return {"forwards": -pressed * scale_along * mu * along, "sideways_force": -pressed * scale_across * sideways * across,
            "moment": ZERO}


def wheel_ground(slip_speed, viscous, coulomb, width, coefficient, along, across, turn, load, share, scale_along,
                 scale_across):
    rolling = -scale_along * (viscous * along + coulomb * tanh(along / width))
    lateral = -scale_across * coefficient * load * across / sqrt(across**2 + slip_speed**2)
    return {"forwards": share * rolling, "sideways_force": share * lateral, "moment": ZERO,
            "usage": sqrt(rolling**2 + lateral**2) / coefficient / load}


def patch(x, y, radius, width, height, angle, edge, scale_tangential, scale_normal, px, py, rectangle):
    if rectangle:
        u = cos(angle) * (px - x) + sin(angle) * (py - y)
        v = cos(angle) * (py - y) - sin(angle) * (px - x)

        def inside(at, size):
            return (tanh((at + size / 2) / edge) - tanh((at - size / 2) / edge)) / 2
        on = inside(u, width) * inside(v, height)
    else:
        on = (1 - tanh((sqrt((px - x)**2 + (py - y)**2) - radius) / edge)) / 2
    return {"along": 1 + (scale_tangential - 1) * on, "across": 1 + (scale_normal - 1) * on}


def touch(stiffness, exponent, dissipation, friction, slip_speed, cx, cy, size, hx, hy, radius, rear, front, px, py, ex, ey,
          vx, vy, turn, flat, ahead):
    if flat:
        at = front if ahead else -rear
        n = (hx / sqrt(hx**2 + hy**2), hy / sqrt(hx**2 + hy**2))
        q = (px + at * ex, py + at * ey)
        off = (q[0] - cx) * n[0] + (q[1] - cy) * n[1]
        depth, foot = radius - off, (q[0] - off * n[0], q[1] - off * n[1])
    else:
        at = max(-rear, min(front, (cx - px) * ex + (cy - py) * ey))
        q = (px + at * ex, py + at * ey)
        off = sqrt((q[0] - cx)**2 + (q[1] - cy)**2)
        n = ((q[0] - cx) / off, (q[1] - cy) / off)
        depth, foot = size + radius - off, (cx + size * n[0], cy + size * n[1])
    lever = (foot[0] - px, foot[1] - py)
    moved = (vx - turn * lever[1], vy + turn * lever[0])
    v = moved[0] * n[0] + moved[1] * n[1]
    slip = (moved[0] - v * n[0], moved[1] - v * n[1])
    f = max(ZERO, stiffness * depth**exponent * (1 - dissipation * v)) if depth > 0 else ZERO
    across = friction / sqrt(slip[0]**2 + slip[1]**2 + slip_speed**2)
    fx, fy = (f * (n[i] - across * slip[i]) for i in (0, 1))
    return {"force_x": fx, "force_y": fy, "moment": lever[0] * fy - lever[1] * fx, "depth": depth,
            "power": fx * moved[0] + fy * moved[1],
            "energy": stiffness * depth**(exponent + 1) / (exponent + 1) if depth > 0 else ZERO}


def wave(angle, joint, amplitude, amplitude_rate, amplitude_bend, frequency, frequency_rate, shift, shift_rate, shift_bend, bias,
         bias_rate, bias_bend):
    """By Taylor series of the wave in time: its first three terms."""
    def at(t):
        def along(z, rate, bend):
            return z + rate * t + bend * t**2 / 2
        turned = angle + frequency * t + frequency_rate * t**2 / 2 + joint * along(shift, shift_rate, shift_bend)
        return along(amplitude, amplitude_rate, amplitude_bend) * sin(turned) + along(bias, bias_rate, bias_bend)
    value, first, second = taylor(at, 0, 2)
    return {"reference": value, "reference_rate": first, "reference_acceleration": 2 * second}


def smoothing(smoothing, asked, position, rate):
    return {"acceleration": (asked - position) / smoothing**2 - 2 * rate / smoothing}


POINTS = {
    viscous_ground: (dict(tangential=(.1, 2), normal=(1, 9), spin=(.01, .1), along=(-1, 1), across=(-1, 1), turn=(-2, 2),
                          load=(1, 9), share=(.1, 1), scale_along=(.1, 2), scale_across=(.1, 2)), [], None),
    coulomb_ground: (dict(forward=(.1, .3), backward=(.2, .5), sideways=(.4, .9), slip_speed=(.02, .2), along=(-1, 1),
                          across=(-1, 1), turn=(-2, 2), load=(1, 9), share=(.1, 1), scale_along=(.1, 2),
                          scale_across=(.1, 2)), [], None),
    wheel_ground: (dict(slip_speed=(.02, .2), viscous=(.1, 3), coulomb=(.1, 2), width=(.05, .5), coefficient=(.2, 1),
                        along=(-1, 1), across=(-1, 1), turn=(-2, 2), load=(1, 9), share=(.1, 1), scale_along=(.1, 2),
                        scale_across=(.1, 2)), [], None),
    patch: (dict(x=(-1, 1), y=(-1, 1), radius=(.3, 1), width=(.5, 1), height=(.5, 1), angle=(-1, 1), edge=(.1, .5),
                 scale_tangential=(.1, 3), scale_normal=(.1, 3), px=(-1, 1), py=(-1, 1)), ["rectangle"], None),
    touch: (dict(stiffness=(1e2, 1e3), exponent=(1, 1), dissipation=(.05, .3), friction=(.1, .9), slip_speed=(.05, .3),
                 cx=(-.3, .3), cy=(-.3, .3), size=(.1, .3), hx=(-1, 1), hy=(-1, 1), radius=(.02, .3), rear=(.05, .2),
                 front=(.05, .2), px=(-.3, .3), py=(-.3, .3), ex=(-1, 1), ey=(-1, 1), vx=(-1, 1), vy=(-1, 1),
                 turn=(-2, 2)), ["flat", "ahead"],
            lambda n, x: x.update(exponent=ONE if n & 4 else mpf("1.5"))),
    wave: (dict(angle=(-3, 3), joint=(0, 9), amplitude=(.1, 1), amplitude_rate=(-1, 1), amplitude_bend=(-3, 3), frequency=(-3, 3),
                frequency_rate=(-1, 1), shift=(-1, 1), shift_rate=(-1, 1), shift_bend=(-1, 1), bias=(-1, 1), bias_rate=(-1, 1),
                bias_bend=(-1, 1)), [], None),
    smoothing: (dict(smoothing=(.05, 1), asked=(-1, 1), position=(-1, 1), rate=(-2, 2)), [], None),
}

if __name__ == "__main__":
    write("golden_snake.py", POINTS, {touch: 24})
