#!/usr/bin/env python3
"""Mutants of the dynamics and the unit tests that must notice them; scripts/campaign-mutation says
how it is used."""
import argparse
import json
import os
import pathlib
import random
import resource
import shlex
import subprocess
import sys
import time

import sites

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The tests of a folder, in the order in which they are asked: who kills most in least time goes first.
# What they let live goes before REST.
TESTS = {
    "model/dynamics": "test_regressor test_gibbs_and_reactions test_jacobians test_lagrange_lemmas test_fast test_batch"
                      " test_methods_agree test_methods_golden test_arm_outputs test_dynamics test_arm",
    "model/elements": "test_elements test_element_tables test_lawc test_arm",
    "model/drives": "test_arm_cylinders test_hydraulics test_arm test_arm_outputs",
    "model/snake": "test_snake_control test_snake_closed_forms test_snake_methods test_snake_golden test_snake_plant",
}
REST = "test_specialise test_arm test_arm_cylinders test_hydraulics test_snake_plant test_fmu_derivatives test_arrays test_stiff"
SEED = 20261118
LIMIT = 60  # seconds of processor time that a test may take; the slowest takes 3
PER_FILE = 2  # mutants of each file at least


def all_tests() -> list[str]:
    return list(dict.fromkeys(" ".join([*TESTS.values(), REST]).split()))


class Build:
    """How a build tree compiles and links."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.compile = {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            source = pathlib.Path(entry["file"])
            if "fa_model.dir" in entry["command"] and source.is_relative_to(ROOT):
                words = shlex.split(entry["command"])
                while not words[0].endswith(("cc", "gcc", "clang")):
                    words.pop(0)  # ccache
                out = words.index("-o")
                del words[out : out + 2]
                words = words[: words.index("-c")]
                self.compile[source.relative_to(ROOT).as_posix()] = words
        self.link = {}
        for name in all_tests():
            lines = subprocess.run(["ninja", "-C", folder, "-t", "commands", f"tests/{name}"],
                                   capture_output=True, text=True, check=True).stdout.splitlines()
            line = next(l for l in reversed(lines) if f"-o tests/{name} " in l)
            self.link[name] = shlex.split(line.split("&&")[1])

    def make(self, mutant: sites.Mutant, text: str, users: list[str], where: pathlib.Path) -> list[pathlib.Path] | None:
        """The objects that differ, compiled beside links to the files that do not; None: the
        compiler refuses them."""
        folder = (ROOT / mutant.path).parent
        for old in where.iterdir():
            old.unlink()
        for file in folder.glob("*.[ch]"):
            (where / file.name).symlink_to(file)
        changed = where / pathlib.Path(mutant.path).name
        changed.unlink()
        changed.write_text(text, encoding="latin-1")
        objects = []
        for source in users:
            name = pathlib.Path(source).name
            out = where / (name + ".o")
            run = subprocess.run([*self.compile[source], "-w", f"-I{folder}", "-c", where / name, "-o", out],
                                 cwd=self.folder, capture_output=True)
            if run.returncode != 0:
                return None
            objects.append(out)
        return objects

    def survives(self, test: str, objects: list[pathlib.Path], where: pathlib.Path) -> bool:
        words = list(self.link[test])
        out = words.index("-o")
        program = where / test
        words[out + 1] = str(program)
        words[out:out] = map(str, objects)  # before the archives, which then lack nothing
        subprocess.run(words, cwd=self.folder, check=True, capture_output=True)
        run = subprocess.run([program], cwd=ROOT / "tests", capture_output=True,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)))
        program.unlink()
        return run.returncode == 0


def users_of(header: pathlib.Path, sources: list[str]) -> list[str]:
    """The sources of a header's folder that include it, by way of others or not."""
    found, names = [], [header.name]
    headers = [h for h in header.parent.glob("*.h")]
    while True:
        more = [h.name for h in headers if h.name not in names
                and any(f'#include "{n}"' in h.read_text() for n in names)]
        if not more:
            break
        names += more
    for source in sources:
        if any(f'#include "{n}"' in (ROOT / source).read_text() for n in names):
            found.append(source)
    return found


def mutants_of(build: Build, folder: str, sources: list[str]) -> list[tuple[list[sites.Mutant], list[str]]]:
    """The mutants of each of these sources of a folder, and of each header that they include from
    it, with the sources to compile for them."""
    every = []
    headers = {str(h): h.relative_to(ROOT).as_posix() for h in sorted((ROOT / folder).glob("*.h"))}
    of_header: dict[str, set[sites.Mutant]] = {h: set() for h in headers.values()}
    for source in sources:
        path = ROOT / source
        options = [w for w in build.compile[source][1:] if w.startswith(("-I", "-D", "-std", "-isystem"))]
        mutants = sites.find(options, path, {str(path): source} | headers)
        every.append((sorted(m for m in mutants if m.path == source), [source]))
        for mutant in mutants:
            if mutant.path != source:
                of_header[mutant.path].add(mutant)
    all_sources = [s for s in build.compile if os.path.dirname(s) == folder]
    every += [(sorted(mutants), users_of(ROOT / header, all_sources)) for header, mutants in of_header.items()]
    return [(mutants, users) for mutants, users in every if mutants]


def draw(build: Build, number: int) -> tuple[list[tuple[sites.Mutant, list[str]]], int]:
    """About so many mutants with the sources to compile for them, and how many there are to draw
    from. Of a draw too small for every file, only some files are looked at."""
    sources = sorted(s for s in build.compile if os.path.dirname(s) in TESTS)
    generator = random.Random(SEED)
    few = number < len(sources) * PER_FILE
    if few:
        sources = generator.sample(sources, min(number, len(sources)))
    every = []
    for folder in TESTS:
        every += mutants_of(build, folder, [s for s in sources if os.path.dirname(s) == folder])
    total = sum(len(mutants) for mutants, _ in every)
    drawn = []
    for mutants, users in every:
        share = max(1 if few else PER_FILE, round(number * len(mutants) / total))
        of_file = random.Random(f"{SEED} {mutants[0].path}")
        drawn += [(m, users) for m in of_file.sample(mutants, min(share, len(mutants)))]
    generator.shuffle(drawn)
    return (drawn[:number] if few else drawn), total


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--targets", action="store_true", help="print the tests to build, and end")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0, help="begin no mutant after so many; 0: no limit")
    parser.add_argument("--least", type=float, default=95, help="percentage that must be killed")
    options = parser.parse_args()
    if options.targets:
        print(*all_tests())
        return 0
    start = time.monotonic()
    build = Build(options.build.resolve())
    drawn, total = draw(build, options.number)
    where = options.build.resolve() / "mutant"
    where.mkdir(exist_ok=True)
    killed, refused, alive = 0, 0, []
    for mutant, users in drawn:
        if options.seconds and time.monotonic() - start > options.seconds:
            break
        source = (ROOT / mutant.path).read_text(encoding="latin-1")
        objects = build.make(mutant, mutant.apply(source), users, where)
        if objects is None:
            refused += 1
            continue
        folder = os.path.dirname(mutant.path)
        tests = list(dict.fromkeys((TESTS[folder] + " " + REST).split()))
        if all(build.survives(test, objects, where) for test in tests):
            alive.append(mutant)
            print("survives:", mutant.describe(source), flush=True)
        else:
            killed += 1
        if (killed + len(alive)) % 20 == 0:
            print(f"{killed} of {killed + len(alive)} killed", file=sys.stderr, flush=True)
    tried = killed + len(alive)
    if not tried:
        print("no mutant was tried")
        return 1
    print(f"{tried} mutants of {total} tried in {time.monotonic() - start:.0f} s, {killed} killed,"
          f" {100 * killed / tried:.1f} %; {refused} more do not compile")
    return 0 if killed >= options.least / 100 * tried else 1


if __name__ == "__main__":
    sys.exit(main())
