"""Draws mutants: which files are mutated, which mutants there are, which sources to compile for each."""
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re

import sites
from building import AREAS, ROOT, Build

# Left out, by base names: what draws and describes, and what runs compilers. No number of an FMU comes from them, and
# tests in Python look at what they make.
LEFT_OUT = ("annotations", "bill", "compile", "compiler", "documentation", "inspect", "licence", "markup", "decimate",
            "picture", "picture_files", "process", "special_library", "trial", "form_visual", "visual")
SEED = 20261119
PER_FILE = 2  # mutants of each file at least
MANY = 6  # sources that a mutant of a header is compiled into at most


def left_out(path: str) -> bool:
    return pathlib.Path(path).stem in LEFT_OUT


class Includes:
    """Who includes what, by way of others or not; base names tell the project's headers apart."""

    def __init__(self, sources: list[str]):
        self.headers = {h.name: h.relative_to(ROOT).as_posix() for area in AREAS for h in sorted((ROOT / area).rglob("*.h"))}
        named = re.compile(r'^\s*#\s*include\s*"(?:[^"]*/)?([^"/]+)"', re.MULTILINE)
        direct = {path: set(named.findall((ROOT / path).read_text()))
                  for path in [*sources, *self.headers.values()]}
        self.users: dict[str, list[str]] = {path: [] for path in self.headers.values()}
        self.read: dict[str, list[str]] = {}  # source: itself and the headers that it includes
        for source in sources:
            open_, seen = [source], set()
            while open_:
                for name in direct[open_.pop()] & self.headers.keys() - seen:
                    seen.add(name)
                    open_.append(self.headers[name])
                    self.users[self.headers[name]].append(source)
            self.read[source] = [source, *sorted(self.headers[name] for name in seen)]
        for header, users in self.users.items():  # those beside it first: one shows what there is to mutate
            users.sort(key=lambda s: (s.startswith("tests/"), os.path.dirname(s) != os.path.dirname(header), s.split("/")[0] != header.split("/")[0], s))


def users_of(mutant: sites.Mutant, users: list[str]) -> list[str]:
    """The sources to compile for a mutant: of many that include its header those that name its function, tests first:
    they may have it inline."""
    if users == [mutant.path]:
        return users
    before = (ROOT / mutant.path).read_text(encoding="latin-1")[: mutant.begin]
    names = re.findall(r"^[a-zA-Z].*?\b(\w+)\(", before, re.MULTILINE)
    calls = [s for s in users if names and f"{names[-1]}(" in (ROOT / s).read_text()]
    ranked = sorted(users, key=lambda s: (s not in calls, not s.startswith("tests/")))
    tests = [s for s in ranked if s.startswith("tests/")]
    product = [s for s in ranked if not s.startswith("tests/")]
    return tests[:MANY // 2] + product[:MANY // 2] if len(users) > MANY else users


def mutants_of(command: list[str], folder: pathlib.Path, includes: Includes, source: str) -> list[tuple[str, list[sites.Mutant], list[str]]]:
    """By file: the mutants of a source and of the headers that it shows, each with the sources to compile. Kept
    in a folder as long as nothing changes that the source reads."""
    shown = [h for h, users in includes.users.items() if users[:1] == [source]]
    digest = hashlib.sha256(repr((command, shown)).encode())
    for path in [pathlib.Path(sites.__file__), *(ROOT / p for p in includes.read[source])]:
        digest.update(path.read_bytes())
    kept = folder / (digest.hexdigest() + ".json")
    if kept.exists():
        found = [sites.Mutant(*m) for m in json.loads(kept.read_text())]
    else:
        words = command[1:]
        options = [w for before, w in zip([""] + words, words)
                   if w.startswith(("-I", "-D", "-std", "-isystem", "-m")) or before == "-isystem"]
        found = sites.find(options, ROOT / source, {str(ROOT / path): path for path in [source, *shown]})
        kept.write_text(json.dumps(found))
    by_file: dict[str, list[sites.Mutant]] = {}
    for mutant in found:
        by_file.setdefault(mutant.path, []).append(mutant)
    return [(file, mutants, [source] if file == source else includes.users[file]) for file, mutants in by_file.items()]


def rank(mutant: sites.Mutant, source: str) -> str:
    """The place of a mutant in the shuffled row of all: it stays where other lines of a file change."""
    return hashlib.sha256(repr((SEED, pathlib.Path(mutant.path).name, *mutant.change(source))).encode()).hexdigest()


def draw(build: Build, number: int, areas: list[str], jobs: int) -> tuple[list[tuple[sites.Mutant, list[str]]], int]:
    """About so many mutants with the sources to compile for them, from each file in proportion to what can go wrong in
    it and at least PER_FILE, and how many there are to draw from."""
    sources = [s for s in build.sources() if s.split("/")[0] in areas and not left_out(s)]
    includes = Includes(sorted(build.objects))
    every: dict[str, tuple[list[sites.Mutant], list[str]]] = {}
    kept = build.folder / "sites"
    kept.mkdir(exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        for found in pool.map(mutants_of, (build.command[build.objects[s][0]] for s in sources), itertools.repeat(kept),
                              itertools.repeat(includes), sources):
            every |= {file: (mutants, users) for file, mutants, users in found if not left_out(file)}
    total = sum(len(mutants) for mutants, _ in every.values())
    drawn = []
    for path, (mutants, users) in sorted(every.items()):
        source = (ROOT / path).read_text(encoding="latin-1")
        ranked = sorted((rank(mutant, source), mutant) for mutant in mutants)
        share = max(PER_FILE, round(number * len(mutants) / total))
        drawn += [(key, mutant, users_of(mutant, users)) for key, mutant in ranked[:share]]
    return [(mutant, users) for _, mutant, users in sorted(drawn)], total
