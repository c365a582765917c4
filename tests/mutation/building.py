"""How a build tree compiles and links its tests, and how with a mutant in place of one file."""
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import threading

import reach

ROOT = pathlib.Path(__file__).resolve().parents[2]
AREAS = reach.AREAS
# Over the build's own options: what a mutant needs to be compiled and linked soon.
QUICK = ["-w", "-g0", "-O1"]
LINKER = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
LEAST = 3  # seconds of processor time that a test gets for a mutant at least; else three times what it takes without


def without_ccache(command: str) -> list[str]:
    words = shlex.split(command)
    while os.path.basename(words[0]) == "ccache":
        words.pop(0)
    return words


class Build:
    """How a build tree compiles and links."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.tests = reach.tests_of(folder)
        self.command: dict[str, list[str]] = {}  # object: the compiler and its options, without output and input
        self.objects: dict[str, list[str]] = {}  # source, of the product or of tests: what is compiled from it
        self.link: dict[str, list[str]] = {}     # program: the command that links it
        self.parts: dict[str, set[str]] = {}     # program: objects in its command and in the archives of it
        self.times: dict[str, float] = {}        # test: seconds of processor time without a mutant
        self.guessed: dict[str, float] = {}      # likewise, of another build: to order tests by
        self.locks = {name: threading.Lock() for name in self.tests}
        self.read_commands()

    def read_commands(self) -> None:
        programs = {t["program"] for t in self.tests.values()}
        lines = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", *sorted(programs)],
                               capture_output=True, text=True, check=True).stdout.splitlines()
        archives: dict[str, list[str]] = {}
        sources: dict[str, str] = {}
        for line in lines:
            if match := re.search(r"\bar qc (\S+\.a) (.*?)&&", line):
                archives[match[1]] = match[2].split()
            elif (match := re.search(r" -o (tests/\S+) ", line)) and match[1] in programs:
                self.link[match[1]] = without_ccache(line.split("&&")[1])
            elif " -c " in line and " -o " in line and not line.startswith("cd "):
                words = without_ccache(line)
                source = pathlib.Path(os.path.normpath(self.folder / words[words.index("-c") + 1]))
                if source.is_relative_to(ROOT) and source.suffix == ".c":
                    path, made = source.relative_to(ROOT).as_posix(), words[words.index("-o") + 1]
                    sources[made] = path
                    self.command[made] = words[: words.index("-o")]
        for program, words in self.link.items():
            named = [w for w in words if w.endswith(".o")]
            self.parts[program] = {*named, *(o for w in words if w.endswith(".a") for o in archives.get(w, []))}
        for made in sorted(set().union(*self.parts.values())):
            if sources.get(made, "").split("/")[0] in (*AREAS, "tests"):
                self.objects.setdefault(sources[made], []).append(made)

    def sources(self) -> list[str]:
        """The product's, which are mutated."""
        return sorted(path for path in self.objects if path.split("/")[0] in AREAS)

    def make(self, path: str, text: str, users: list[str], where: pathlib.Path) -> dict[str, pathlib.Path] | None:
        """The objects that differ where a file reads otherwise, by the name of the one that they replace, compiled
        beside links to the files that do not differ; None: the compiler refuses them."""
        folder = (ROOT / path).parent
        for old in where.iterdir():
            old.unlink()
        for file in folder.glob("*.[ch]"):
            (where / file.name).symlink_to(file)
        changed = where / pathlib.Path(path).name
        changed.unlink()
        changed.write_text(text, encoding="latin-1")
        objects = {}
        for source in users:
            # A source in the mutated file's folder is compiled through its link: headers beside a source come before any -I.
            beside = where / pathlib.Path(source).name
            read = beside if (ROOT / source).parent == folder else ROOT / source
            for made in self.objects[source]:
                objects[made] = where / (made.replace("/", "-"))
                compiler, *options = self.command[made]
                run = subprocess.run([compiler, f"-I{where}", *options, *QUICK, f"-I{folder}", "-c", read, "-o", objects[made]],
                                     cwd=self.folder, capture_output=True, check=False)
                if run.returncode != 0 and source.startswith("tests/"):
                    del objects[made]  # as vectors, for instance, of what is a double elsewhere
                elif run.returncode != 0:
                    return None
        return objects

    def concerns(self, name: str, users: list[str]) -> bool:
        """Whether a test's program contains what is compiled from one of these sources."""
        return any(made in self.parts[self.tests[name]["program"]] for source in users for made in self.objects[source])

    def survives(self, name: str, objects: dict[str, pathlib.Path], where: pathlib.Path) -> bool:
        """Whether a test passes with these objects in place of others."""
        test = self.tests[name]
        words = list(self.link[test["program"]])
        program = where / pathlib.Path(test["program"]).name
        words[words.index("-o") + 1] = str(program)
        archived = sorted({str(new) for old, new in objects.items()
                           if old not in words and old in self.parts[test["program"]]})
        words = [str(objects.get(word, word)) for word in words]
        first = next((at for at, word in enumerate(words) if word.endswith(".a")), len(words))
        words[first:first] = archived  # before the archives, which then lack nothing
        subprocess.run(words[:1] + LINKER + words[1:], cwd=self.folder, check=True, capture_output=True)
        try:
            return self.passes(name, program, LEAST + 3 * self.guess(name))[0]
        finally:
            program.unlink()

    def guess(self, name: str) -> float:
        """Seconds that a test may take; one that nobody has timed is timed where it first fails."""
        return self.times.get(name, self.guessed.get(name, 0.5))

    def time(self, name: str) -> float:
        """Seconds of processor time that a test takes with nothing changed; infinite: it fails all the same."""
        if name not in self.times:
            passed, seconds = self.passes(name, self.folder / self.tests[name]["program"], 600)
            self.times[name] = seconds if passed else float("inf")
            if not passed:
                print(f"{name} fails without any mutant and is not asked", file=sys.stderr, flush=True)
        return self.times[name]

    def digest(self, name: str) -> str:
        return hashlib.sha256((self.folder / self.tests[name]["program"]).read_bytes()).hexdigest()[:16]

    def load_times(self, kept: pathlib.Path) -> None:
        """Of programs that are as they were when they were timed: another may fail all the same."""
        known = json.loads(kept.read_text()) if kept.exists() else {}
        for name in known.keys() & self.tests.keys():
            self.guessed[name] = float(known[name][1])
            if known[name][0] == self.digest(name):
                self.times[name] = float(known[name][1])

    def save_times(self, kept: pathlib.Path) -> None:
        kept.write_text(json.dumps({name: (self.digest(name), str(t)) for name, t in sorted(self.times.items())}))

    def passes(self, name: str, program: pathlib.Path, limit: float) -> tuple[bool, float]:
        """Whether a test's program ends well within `limit` seconds of processor time, and how many it takes."""
        test = self.tests[name]
        limits = lambda: (resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 1)),
                          resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28)),
                          resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
                          resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        with self.locks[name]:  # two at once might write the same file
            process = subprocess.Popen([program, *test["arguments"]], cwd=test["folder"], env=os.environ | test["environment"],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       preexec_fn=limits)
            alarm = threading.Timer(60 * limit, process.kill)  # for one that sleeps
            alarm.start()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            alarm.cancel()
        return process.returncode == 0, used.ru_utime + used.ru_stime
