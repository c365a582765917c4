#!/usr/bin/env python3
"""Mutation testing: mutants of the C sources and the unit tests that must notice them;
scripts/campaign-mutation and scripts/sample-mutants say how it is used."""
import argparse
import collections
import concurrent.futures
import contextlib
import functools
import json
import pathlib
import queue
import random
import re
import sys
import threading
import time

import record
import sites
from building import AREAS, ROOT, Build
from drawing import SEED, Includes, draw, users_of

SUITED = 3  # tests that killed a recorded mutant's neighbours, asked where the one that killed it does not
# Programs that judge nothing but whether they crash, which may depend on what else lies in memory: asked last.
CRASH = "fuzz_"
LINK = 0.1  # seconds that it takes to link a test
UNKNOWN = 0.02  # how likely a test kills a mutant of a file of which nothing is known
# What tests of a folder are asked first as long as little is known of it.
FIRST = {
    "model/mechanism": ["test_fmu_same_walks", "test_depends", "test_fmu_order"],
    "model/loops": ["test_loops", "test_fmu_same_walks"],
    "model/arm/contacts": ["test_fmu_same_walks", "test_depends", "test_fmu_order"],
    "import/mjcf": ["test_mjcf", "test_same_files"],
    "import/sdf": ["test_sdf", "test_same_files"],
    "import/form": ["test_same_files", "test_form", "test_import_files"],
    "export/convert": ["test_convert", "test_same_files"],
    "export/modelica": ["test_same_files"],
    "model/circuit": ["test_circuit_points", "test_depends", "test_fmu_same_walks"],
    "run": ["test_run", "test_run_equilibria", "test_nearest_root"],
    "system": ["test_export", "test_read_only_files"],
}


@functools.cache  # a source that changes while mutants are asked about is as it was when they were drawn
def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="latin-1")


class Campaign:
    """Asks tests about mutants, those first that killed most of a file's mutants in least time."""

    def __init__(self, build: Build, reached: dict[str, dict], patience: float):
        self.build, self.reached, self.patience = build, reached, patience
        self.executed: dict[str, set[int]] = collections.defaultdict(set)
        for found in reached.values():
            for path, lines in found["set"].items():
                self.executed[path] |= lines
        # By file, by folder and in all: how often each test was asked, and how often it killed.
        self.asked: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.kills: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.lock = threading.Lock()
        self.only: list[str] = []  # tests that alone are asked; none: all
        for of, tests in FIRST.items():
            for test in tests:
                self.asked[of][test], self.kills[of][test] = 5, 4

    def remember(self, path: str, test: str) -> None:
        """A kill of an earlier campaign, which does not say who was asked in vain."""
        for of in (path, path.rpartition("/")[0]):
            self.asked[of][test] += 1
            self.kills[of][test] += 1

    def learn(self, path: str, test: str, killed: bool) -> None:
        with self.lock:
            for of in (path, path.rpartition("/")[0], ""):
                self.asked[of][test] += 1
                self.kills[of][test] += killed

    def promise(self, path: str, test: str) -> float:
        """How likely a test kills a mutant of a file: as it did in the file, in the folder, anywhere."""
        likely = UNKNOWN
        for of in ("", path.rpartition("/")[0], path):
            likely = (self.kills[of][test] + 2 * likely) / (self.asked[of][test] + 2)
        return likely

    def reaching(self, mutant: sites.Mutant, source: str, users: list[str]) -> list[str]:
        """The tests that reach a mutant's lines, or of which nobody knows what they reach, best first."""
        first = mutant.line(source)
        lines = set(range(first, source.count("\n", 0, mutant.end) + 2))
        every = self.executed.get(mutant.path, set())
        while every and not lines & every and min(lines) > 1 and first - min(lines) < 5:
            lines.add(min(lines) - 1)  # gcov counts a statement of many lines at its first
        found = [t for t in self.only or self.build.tests if self.build.concerns(t, users)
                 and (t not in self.reached or not every or lines & self.reached[t]["set"].get(mutant.path, set()))]
        with self.lock:
            worth = {t: self.promise(mutant.path, t) / (self.build.guess(t) + LINK) for t in found}
        return sorted(found, key=lambda t: (not t.startswith(CRASH), worth[t]), reverse=True)

    def try_one(self, mutant: sites.Mutant, users: list[str], before: str, where: pathlib.Path) -> tuple[str, str]:
        """What became of a mutant, and which test killed it; `before`: the test that killed it in an earlier campaign, asked first."""
        source = text_of(mutant.path)
        objects = self.build.make(mutant.path, mutant.apply(source), users, where)
        if objects is None:
            return "refused", ""
        spent, asked = 0.0, 0
        tests = self.reaching(mutant, source, users)
        for test in sorted(tests, key=lambda t: t != before):
            if self.build.guess(test) == float("inf") or self.patience and spent + self.build.guess(test) > self.patience and asked:
                continue
            spent += self.build.guess(test)
            asked += 1
            timed = test in self.build.times
            killed = not self.build.survives(test, objects, where)
            if killed and self.build.time(test) == float("inf"):
                continue  # it fails all the same
            if killed and not timed:  # perhaps for want of the time that it is now known to take
                killed = not self.build.survives(test, objects, where)
            self.learn(mutant.path, test, killed)
            if killed:
                return "killed", test
        return "survives", ""


class Folders:
    """Folders to build mutants in, one for each job."""

    def __init__(self, build: Build, jobs: int):
        self.free: queue.Queue = queue.Queue()
        for k in range(jobs):
            folder = build.folder / f"mutant{k}"
            folder.mkdir(exist_ok=True)
            self.free.put(folder)

    @contextlib.contextmanager
    def one(self):
        folder = self.free.get()
        try:
            yield folder
        finally:
            self.free.put(folder)


def load_reach(path: pathlib.Path) -> dict[str, dict]:
    reached = json.loads(path.read_text())
    for found in reached.values():
        found["set"] = {file: set(lines) for file, lines in found["lines"].items()}
    return reached


def percent(killed: int, of: int) -> str:
    return f"{killed} of {of} killed, {100 * killed / max(of, 1):.1f} %"


def campaign(build: Build, options: argparse.Namespace) -> int:
    """Draws mutants, asks about those that are new or lived, and keeps and prints what became of each."""
    start = time.monotonic()
    ask = Campaign(build, load_reach(options.reach) if options.reach else {}, options.patience)
    drawn, total = draw(build, options.number, options.areas, options.jobs)
    drawn.sort(key=lambda pair: not pair[0].path.startswith(tuple(options.first)))
    print(f"{len(drawn)} mutants drawn of {total}", file=sys.stderr, flush=True)
    kept = record.Record(options.record)
    for mutant, _ in drawn:
        known = kept.ended(mutant, text_of(mutant.path))
        if known and known[0] == "killed":
            ask.remember(mutant.path, known[1])
    folders = Folders(build, options.jobs)

    def work(pair):
        mutant, users = pair
        source = text_of(mutant.path)
        known = kept.ended(mutant, source)
        if known and not (options.again and known[0] == "killed"):
            return mutant, known
        if options.only_new and kept.known.get(kept.key(kept.entry(mutant, source))):
            return mutant, ("survives", "")
        if options.seconds and time.monotonic() - start > options.seconds:
            return mutant, ("late", "")
        with folders.one() as where:
            outcome = ask.try_one(mutant, users, known[1] if known else "", where)
        with ask.lock:
            kept.add(mutant, source, *outcome)
        return mutant, outcome

    counts = collections.defaultdict(collections.Counter)
    alive, why = [], record.reasons()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (mutant, (outcome, _)) in enumerate(pool.map(work, drawn), 1):
            counts["/".join(mutant.path.split("/")[:-1])][outcome] += 1
            if outcome == "survives":
                told = mutant.describe(text_of(mutant.path))
                alive.append(re.sub(r":\d+:", ":", told, count=1))
                print("survives:", told, flush=True)
            if done % 50 == 0:
                print(f"{done} of {len(drawn)}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    if not options.seconds:
        kept.save([mutant for mutant, _ in drawn])
    killed = living = refused = 0
    for folder, of in sorted(counts.items()):
        killed, living, refused = killed + of["killed"], living + of["survives"], refused + of["refused"]
        print(f"{folder}: {percent(of['killed'], of['killed'] + of['survives'])}")
    print(f"seed {SEED}: {percent(killed, killed + living)}, of {total} places; {refused} more do not compile")
    unexplained = [told for told in alive if told not in why]
    if unexplained:
        print(f"{len(unexplained)} live on for which tests/mutation/survivors.txt has no reason")
    return 0 if killed and killed >= options.least / 100 * (killed + living) else 1


def living(build: Build, options: argparse.Namespace) -> int:
    """Asks tests about recorded mutants that live, and records those that they kill: without a draw, which takes minutes."""
    ask = Campaign(build, load_reach(options.reach) if options.reach else {}, options.patience)
    ask.only = options.tests or []
    found = [mutant for entry, mutant in record.recorded(options.record)
             if entry["outcome"] == "survives" and any(part in mutant.describe(text_of(mutant.path)) for part in options.living or [""])]
    includes = Includes(sorted(build.objects))
    kept, folders = record.Record(options.record), Folders(build, options.jobs)

    def work(mutant):
        users = [mutant.path] if mutant.path in build.objects else users_of(mutant, includes.users[mutant.path])
        with folders.one() as where:
            outcome = ask.try_one(mutant, users, "", where)
        if outcome[0] != "survives":
            with ask.lock:
                kept.add(mutant, text_of(mutant.path), *outcome)
        print(*outcome, mutant.describe(text_of(mutant.path)), flush=True)
        return outcome[0]

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        counts = collections.Counter(pool.map(work, found))
    kept.keep()
    outcomes = collections.Counter(entry["outcome"] for entry, _ in record.recorded(options.record))
    print(f"{percent(counts['killed'], len(found))}; in all {percent(outcomes['killed'], outcomes['killed'] + outcomes['survives'])}")
    return 0


# Which test has the cases now by which these killed when the campaign was recorded.
TOOK_OVER = {"test_arm": "test_plants_arm", "test_arm_cylinders": "test_plants_arm-with-cylinders", "test_snake_plant": "test_plants_snake"}


def sample(build: Build, options: argparse.Namespace) -> int:
    """Of the mutants that a campaign saw killed, some of each folder in turn: whether the tests that killed them still do.
    Which they are follows from the seed and from what is recorded. A mutant whose lines have changed since is passed over."""
    found = record.recorded(options.record)
    by_folder = collections.defaultdict(list)
    kills: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)  # of files, and of folders
    for entry, mutant in found:
        if entry["outcome"] == "killed" and not entry["by"].startswith(CRASH):
            for of in (mutant.path, mutant.path.rpartition("/")[0]):
                kills[of][entry["by"]] += 1
            # A mutated header would have to be compiled into many sources; a killer that takes long is for campaigns.
            if mutant.path in build.objects and entry["by"] in build.tests:
                by_folder[mutant.path.rpartition("/")[0]].append((entry, mutant))
    generator = random.Random(SEED)
    for members in by_folder.values():
        generator.shuffle(members)
    chosen = []
    while len(chosen) < options.sample and any(by_folder.values()):
        chosen += [members.pop() for members in by_folder.values() if members]
    chosen = chosen[: options.sample]
    folders = Folders(build, options.jobs)

    def work(pair):
        entry, mutant = pair
        with folders.one() as where:
            objects = build.make(mutant.path, mutant.apply(text_of(mutant.path)), [mutant.path], where)
            if objects is None:
                return mutant, "refused"
            others = [t for of in (mutant.path, mutant.path.rpartition("/")[0]) for t, _ in kills[of].most_common()]
            asked = [t for t in dict.fromkeys([entry["by"], TOOK_OVER.get(entry["by"], ""), *others])
                     if t in build.tests and build.concerns(t, [mutant.path])][: SUITED + 1]
            return mutant, "survives" if all(build.survives(t, objects, where) for t in asked) else "killed"

    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for mutant, outcome in pool.map(work, chosen):
            counts[outcome] += 1
            if outcome == "survives":
                print("survives:", mutant.describe(text_of(mutant.path)), flush=True)
    print(f"{percent(counts['killed'], counts['killed'] + counts['survives'])}, each by a test that has killed it before")
    if len(chosen) < options.sample:
        print(f"only {len(chosen)} recorded mutants can still be made of the sources: run scripts/campaign-mutation")
        return 1
    return 0 if counts["killed"] >= options.least / 100 * (counts["killed"] + counts["survives"]) else 1


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--record", type=pathlib.Path, default=record.CAMPAIGN, help="what became of each mutant")
    parser.add_argument("--sample", type=int, default=0, help="ask about so many recorded mutants, and end")
    parser.add_argument("--reach", type=pathlib.Path,
                        help="lines that each test executes, from reach.py; without, each test is asked that links the source")
    parser.add_argument("--number", type=int, default=1200)
    parser.add_argument("--seconds", type=float, default=0, help="begin no mutant after so many; 0: no limit")
    parser.add_argument("--patience", type=float, default=0,
                        help="seconds of tests that a mutant meets at most; a later run asks the others; 0: all")
    parser.add_argument("--again", action="store_true", help="ask about all anew, first the test that killed a mutant before")
    parser.add_argument("--first", nargs="+", default=[], help="folders whose mutants come first")
    parser.add_argument("--only-new", action="store_true", help="do not ask again about mutants that lived")
    parser.add_argument("--living", nargs="*", help="ask about recorded mutants that live whose words hold one of these, and end")
    parser.add_argument("--tests", nargs="+", help="with --living: these tests alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--areas", nargs="+", default=list(AREAS))
    parser.add_argument("--least", type=float, default=97, help="percentage that must be killed")
    options = parser.parse_args()
    build = Build(options.build.resolve())
    if options.sample:
        return sample(build, options)
    kept = build.folder / "times.json"
    build.load_times(kept)
    try:
        return campaign(build, options) if options.living is None else living(build, options)
    finally:
        build.save_times(kept)


if __name__ == "__main__":
    sys.exit(main())
