"""The kinds of FMU that one robot can become: a short name, the options of `forearm export`, and the
versions of FMI that have it. And robots with every other option that changes what is in an FMU."""

import pytest

VARIANTS = [
    ("baseline", [], (2, 3)),
    ("sources", ["--sources"], (2, 3)),
    ("arrays", ["--arrays"], (3,)),
]

every_variant = pytest.mark.parametrize(
    "fmi, options", [pytest.param(fmi, options, id=f"{name}-{fmi}")
                     for name, options, versions in VARIANTS for fmi in versions])

# Names below resources/robots, without .xml; ACTUATORS is the path of a file with the text below.
# The fixture export_special of conftest.py makes them.
EVERYTHING = "reactions,jacobian,mass-matrix,poses"
SPECIALS = {
    "everything": ("puma560", ["--inputs", "base,lock", "--outputs", EVERYTHING, "--wrench", "lower_arm"]),
    "switching": ("scara", ["--actuators", "ACTUATORS", "--outputs", "reactions"]),
    "motors": ("cmu_dd_arm", ["--inputs", "base,lock", "--outputs", "jacobian"]),
    "inverse": ("stanford", ["--kind", "inverse", "--inputs", "base"]),
    "cut at ports": ("patu655", ["--cut", "chamber"]),
    "cut nowhere": ("patu655", ["--cut", "valve", "--outputs", "mass-matrix,poses"]),
    "cut everywhere": ("excavator", ["--cut", "boom_left=chamber", "--cut", "boom_right=valve"]),
    "snake in the open": ("serpenoid", ["--outputs", "poses"]),
}

ACTUATORS = """<actuators for="scara">
  <joint name="elbow">
    <motor resistance="1" torque-constant="0.1" back-emf="0.1" inductance="1e-3" voltage-limit="24" current-limit="10"/>
    <rotor inertia="1e-4" gear="10"/>
    <friction viscous="0.2" coulomb="1" static="1.5" stribeck="0.1" law="stick-slip"/>
    <stop stiffness="1e4" damping="10"/>
  </joint>
  <joint name="shoulder">
    <valve-closure stiffness="1e3" damping="10" time="0.3"/>
    <lock input="true"/>
  </joint>
</actuators>
"""

every_special = pytest.mark.parametrize("special", SPECIALS)
