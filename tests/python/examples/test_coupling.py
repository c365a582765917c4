"""The coupling example: what its tables in docs/hydraulics.md claim, and that its SSP files run."""

import math
import pathlib
import shutil
import sys

import pytest

from conftest import FOREARM, SOURCE

sys.path.insert(0, str(SOURCE / "examples" / "coupling"))

import coupling  # noqa: E402
import jack  # noqa: E402


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    return coupling.Fmus(FOREARM, pathlib.Path(tmp_path_factory.mktemp("coupling")))


@pytest.fixture(scope="module")
def off(fmus):
    """The error of a cut and scheme at a step [s]; None where it diverges."""
    references = {}

    def run(cut, scheme, motion, h):
        if (motion, h) not in references:
            fine = 2e-4
            references[motion, h] = coupling.monolith(fmus, motion, fine, round(h / fine))
        signal = (coupling.coupled(fmus, cut, scheme, motion, h) if scheme
                  else coupling.monolith(fmus, motion, h))
        return coupling.error(signal, references[motion, h])

    return run


def test_a_held_force_diverges_where_the_other_cuts_are_exact(off):
    assert off("force", "held", "closed", 5e-3) is None
    for h in (5e-3, 20e-3):
        assert off("chamber", "held", "closed", h) < 1e-4
        assert off("valve", None, "closed", h) < 1e-4


def test_an_open_valve_costs_the_chamber_cut_less_than_a_per_cent(off):
    # 0.24 % at 20 ms, 0.068 % at 5 ms: half a step of the flow, where the force cut has a spring.
    assert off("chamber", "hydraulics first", "open", 20e-3) < 0.01
    assert off("chamber", "hydraulics first", "open", 5e-3) < 0.002
    assert off("force", "held", "open", 20e-3) is None


def test_a_command_with_its_slope_is_exact_where_a_held_one_is_late(fmus):
    exact = coupling.monolith(fmus, "open", 2e-3, slope=True)
    held, sloped = (coupling.error(coupling.monolith(fmus, "open", 20e-3, slope=s), exact) for s in (False, True))
    assert 0.01 < held < 0.02  # half a step behind
    assert sloped < 1e-5  # the solver's error per step, of 1e-10


def test_both_ssp_files_run_in_fmpy(fmus, tmp_path):
    path = coupling.write_ssp(fmus, "chamber", tmp_path)
    # At rest, with 0 at every input in the first step, nothing moves.
    assert abs(coupling.run_ssp(path, 20e-3)) < 1e-6
    path = coupling.write_ssp(fmus, "force", tmp_path)
    end = coupling.run_ssp(path, 1e-3)  # the same drops the arm, and does not recover
    assert end is None or math.isnan(end) or abs(end) > 1e-3


@pytest.mark.skipif(not shutil.which("cc"), reason="skipped: no C compiler")
def test_a_jack_in_c_moves_the_crane_through_the_port(export, tmp_path):
    """docs/recipes.md: in a loop and from an SSP file, against one FMU with valve and chambers inside."""
    crane = SOURCE / "examples" / "coupling" / "crane.xml"
    arm, own = export(crane, "--fmi", 2, "--cut", "lift=port"), jack.make_jack(tmp_path)
    reference = jack.whole(export(crane, "--fmi", 2))
    ssp = jack.write_ssp(arm, own, tmp_path)
    # The errors that the prototype of the port has, "opening" in docs/port.md, times 1.5.
    for h, together, first, line in ((5e-3, 0.065, 0.041, 0.0097), (2e-2, 1.4, 0.82, 0.45)):
        assert jack.error(jack.run_ssp(ssp, h), reference, h) <= 1.5e-2 * together
        assert jack.error(jack.jack_first(arm, own, h, False), reference, h) <= 1.5e-2 * first
        assert jack.error(jack.jack_first(arm, own, h, True), reference, h) <= 1.5e-2 * line
