#!/usr/bin/env python3
"""Laws of circuits in 50 digits, as golden.py has those of the other elements: writes golden_circuit.txt.

    python3 tests/model/elements/golden_circuit.py > tests/model/elements/golden_circuit.txt      (needs mpmath)
"""

from mpmath import log, mp, mpf, sqrt, tanh

from golden import OIL, clip, oil, ONE, poppet, sign, ZERO, write


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


# As in golden.py.
POINTS = {
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
COUNT = {displacement_pump: 64, line: 16, section: 48, counterbalance: 24, pilot_check: 12, filter: 12, chambers: 12, shuttle: 12}
# Numbers of circuits at whose usual value a flag turns.
AT_FLAGS = {("counterbalance", "time_constant"), ("section", "check_width"),
            ("displacement_pump", "pressure_limit"), ("displacement_pump", "power_limit"),
            ("displacement_pump", "flow_limit")}

if __name__ == "__main__":
    write("golden_circuit.py", POINTS, COUNT, AT_FLAGS)
