"""The kinds of FMU that one robot can become: a short name, the options of `forearm export`, and the
versions of FMI that have it."""

import pytest

VARIANTS = [
    ("baseline", [], (2, 3)),
    ("sources", ["--sources"], (2, 3)),
    ("arrays", ["--arrays"], (3,)),
]

every_variant = pytest.mark.parametrize(
    "fmi, options", [pytest.param(fmi, options, id=f"{name}-{fmi}")
                     for name, options, versions in VARIANTS for fmi in versions])
