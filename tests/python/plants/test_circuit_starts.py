"""Circuits that start from anywhere and are treated badly: accumulators empty and full, a pump that stands still, an engine
that stalls, spools thrown from end to end at 50 Hz. Pressures stay above that of vapour, nothing dies, and the energy that
comes in is work, loss or store.
"""

import numpy as np
import pytest

from cli import run
from conftest import SOURCE

REFERENCE = SOURCE / "tests" / "reference" / "circuits"
VAPOUR = 1e4  # [Pa], of every oil here
# What leaks back through a pump that stands still, at most 3e-12 m^3/(s Pa), from a tank at 1.5 bar into a vacuum.
LEAK = 3e-12 * 1.5e5


def spools_of(machine):
    text = (REFERENCE / f"{machine}.xml").read_text()
    return [line.split('name="')[1].split('"')[0] for line in text.splitlines() if "<valve " in line]


def pumps_of(machine):
    text = (REFERENCE / f"{machine}.xml").read_text()
    return [line.split('name="')[1].split('"')[0] for line in text.splitlines() if "<pump " in line]


def simulate(machine, tmp_path, rows, *options, stop=2.0, interpolate="held"):
    """Columns by name of a motion under a table of inputs: {name: [(time, value)]}."""
    times = sorted({t for points in rows.values() for t, _ in points} | {0.0})
    table = tmp_path / "inputs.csv"
    lines = [",".join(["time", *rows])]
    for t in times:
        held = [[v for at, v in points if at <= t][-1] if interpolate == "held"
                else np.interp(t, *zip(*points)) for points in rows.values()]
        lines.append(",".join(repr(float(x)) for x in [t, *held]))
    table.write_text("\n".join(lines) + "\n")
    done = run("simulate", REFERENCE / f"{machine}.xml", *(["--input", table] if rows else []), "--interpolate", interpolate,
               "--outputs", "energy", "--tolerance", "1e-8", "--step", "0.005", "--stop", str(stop), *options)
    assert done.returncode == 0, done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    values = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    assert np.all(np.isfinite(values))
    return dict(zip(lines[0].split(","), values.T))


def is_sound(motion):
    lowest = min(np.min(x) for name, x in motion.items() if name.startswith("node.") and name.endswith(".pressure"))
    assert lowest > VAPOUR
    supplied, *parts = [motion[f"circuit.{n}"] for n in
                        ("supplied_energy", "mechanical_work", "loss_energy", "stored_energy")]
    size = max(np.max(np.abs(x)) for x in [supplied, *parts])
    # An identity of the flows at every point: what is left is rounding, over some thousand steps of the solver.
    assert np.max(np.abs(supplied - sum(parts))) <= 1e-9 * size
    return motion


@pytest.mark.parametrize("machine", ["sharing_post", "sharing_pre", "slewing", "lowering", "bucket", "twin", "accumulator"])
def test_spools_thrown_from_end_to_end_at_50_hz(machine, tmp_path):
    spools = spools_of(machine)
    rows = {f"valve.{v}.spool": [(0.01 * i, 1.0 if i % 2 else -1.0) for i in range(100)] for v in spools}
    motion = is_sound(simulate(machine, tmp_path, rows, stop=1.0))
    assert any(np.ptp(motion[f"valve.{v}.spool_position"]) > 0 for v in spools)


@pytest.mark.parametrize("machine", ["sharing_post", "sharing_pre", "slewing", "accumulator"])
def test_an_engine_that_stalls_and_comes_back(machine, tmp_path):
    rows = {f"pump.{p}.speed": [(0, 188.5), (0.5, 188.5), (0.6, 0), (1.2, 0), (1.5, 188.5), (2, 188.5)]
            for p in pumps_of(machine)}
    rows |= {f"valve.{v}.spool": [(0, 0), (0.1, 0), (0.2, 0.7), (2, 0.7)] for v in spools_of(machine)}
    motion = is_sound(simulate(machine, tmp_path, rows, interpolate="linear"))
    at = np.searchsorted(motion["time"], 1.1)
    for p in pumps_of(machine):
        assert motion[f"pump.{p}.flow"][at] <= LEAK
        assert motion[f"pump.{p}.flow"][-1] > 0


@pytest.mark.parametrize("machine", ["sharing_post", "sharing_pre", "slewing", "accumulator"])
def test_a_pump_that_never_turns(machine, tmp_path):
    rows = {f"pump.{p}.speed": [(0, 0)] for p in pumps_of(machine)}
    rows |= {f"valve.{v}.spool": [(0, 0), (0.5, 0.5), (1.5, -0.5)] for v in spools_of(machine)}
    motion = is_sound(simulate(machine, tmp_path, rows))
    for p in pumps_of(machine):
        assert np.max(motion[f"pump.{p}.flow"]) <= LEAK


def test_an_accumulator_from_empty_and_from_full(tmp_path):
    # An accumulator of 4 l and 60 bar, with hardly any oil, and with hardly any gas, at 60 bar (4 l / 0.6 l)^1.4 = 855 bar.
    for oil in (1e-9, 3.4e-3):
        motion = is_sound(simulate("accumulator", tmp_path, {"valve.out.spool": [(0, 0), (0.2, 1.0), (1.5, 0)]},
                                   "--set", f"accumulator.acc.initial_volume={oil!r}"))
        volume = motion["accumulator.acc.volume"]
        assert np.all(volume > 0) and np.all(volume < 4e-3)
        assert abs(volume[-1] - oil) > 1e-6  # it has charged, or given
