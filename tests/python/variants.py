"""The kinds of FMU that one robot can become: options of `forearm export`, by a short name."""

VARIANTS = {
    "baseline": [],
    "sources": ["--sources"],
}
