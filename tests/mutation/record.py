"""What became of mutants: campaign.jsonl, a line for each with what it changes, so that it is found again when other
lines of its file have changed; and why those that live on do, survivors.txt."""
import json
import pathlib

import sites
from building import ROOT

CAMPAIGN = pathlib.Path(__file__).with_name("campaign.jsonl")
SURVIVORS = pathlib.Path(__file__).with_name("survivors.txt")


class Record:
    """Outcomes by mutant. `killed` by a test; `refused` by the compiler; `survives` all tests that reach it."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.known: dict[tuple, tuple[str, str]] = {}
        if path.exists():
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                self.known[self.key(entry)] = entry["outcome"], entry.get("by", "")

    @staticmethod
    def key(entry: dict) -> tuple:
        # By base name: files move.
        return pathlib.Path(entry["file"]).name, entry["was"], entry["now"], entry.get("occurs", 0)

    @staticmethod
    def entry(mutant: sites.Mutant, source: str) -> dict:
        was, now, occurs = mutant.change(source)
        return {"file": mutant.path, "was": was, "now": now, "kind": mutant.kind} | ({"occurs": occurs} if occurs else {})

    def ended(self, mutant: sites.Mutant, source: str) -> tuple[str, str] | None:
        """What became of it, unless it lived: tests have been added since."""
        found = self.known.get(self.key(self.entry(mutant, source)))
        return found if found and found[0] != "survives" else None

    def add(self, mutant: sites.Mutant, source: str, outcome: str, by: str) -> None:
        entry = self.entry(mutant, source)
        self.known[self.key(entry)] = outcome, by
        with self.path.open("a") as file:
            file.write(json.dumps(entry | {"outcome": outcome} | ({"by": by} if by else {}), ensure_ascii=False) + "\n")

    def save(self, drawn: list[sites.Mutant]) -> None:
        """Writes the file anew with these mutants alone, in order."""
        lines = []
        for mutant in sorted(drawn):
            entry = self.entry(mutant, (ROOT / mutant.path).read_text(encoding="latin-1"))
            if found := self.known.get(self.key(entry)):
                lines.append(json.dumps(entry | {"outcome": found[0]} | ({"by": found[1]} if found[1] else {}), ensure_ascii=False))
        beside = self.path.with_suffix(".new")
        beside.write_text("\n".join(lines) + "\n")
        beside.replace(self.path)

    def keep(self) -> None:
        """Writes what is recorded anew, each mutant once, those alone that can still be made of the sources."""
        self.save(list(dict.fromkeys(mutant for _, mutant in recorded(self.path))))


def recorded(path: pathlib.Path) -> list[tuple[dict, sites.Mutant]]:
    """The recorded mutants whose lines are still in their files, each with where it lies now."""
    found = []
    places = {p.name: [] for p in ()}
    texts: dict[str, str] = {}
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        file = entry["file"]
        if not (ROOT / file).exists():  # moved, below the same first folder
            name = pathlib.Path(file).name
            if name not in places:
                places[name] = sorted((ROOT / file.split("/")[0]).rglob(name))
            if len(places[name]) != 1:
                continue
            file = places[name][0].relative_to(ROOT).as_posix()
        text = texts.setdefault(file, "\n" + (ROOT / file).read_text(encoding="latin-1"))
        at = -1
        for _ in range(entry.get("occurs", 0) + 1):
            at = text.find("\n" + entry["was"] + "\n", at + 1)
            if at < 0:
                break
        if at >= 0:  # offsets without the line feed before the text
            found.append((entry, sites.Mutant(file, at, at + len(entry["was"]), entry["now"], entry["kind"])))
    return found


def reasons() -> dict[str, str]:
    """By mutant as `sites.Mutant.describe` words it, without its line: why it lives. Indented lines below it."""
    found: dict[str, str] = {}
    mutant = ""
    for line in SURVIVORS.read_text().splitlines() if SURVIVORS.exists() else []:
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("  "):
            found[mutant] = (found.get(mutant, "") + " " + line.strip()).strip()
        else:
            mutant = line
    return found
