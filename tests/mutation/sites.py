"""What can go wrong in a C file: places in its functions where a sign may be turned, a term dropped
or an index shifted, found in the tree that clang makes of it."""
import json
import pathlib
import subprocess
from typing import NamedTuple

# Members that number something: the next one stands for a shifted index.
NEXT = {"x": "y", "y": "z", "z": "x", "xx": "yy", "yy": "zz", "zz": "xx", "xy": "yz", "yz": "xz", "xz": "xy"}
SUMS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
# Functions of the project that are sums or differences of whatever they are named for.
ADD, SUBTRACT = "_add", "_sub"


class Mutant(NamedTuple):
    path: str   # from the root of the project
    begin: int  # what is replaced, in characters
    end: int
    text: str
    kind: str   # sign, term or index

    def apply(self, source: str) -> str:
        return source[: self.begin] + self.text + source[self.end :]

    def describe(self, source: str) -> str:
        line = source.count("\n", 0, self.begin) + 1
        start = source.rfind("\n", 0, self.begin) + 1
        stop = source.find("\n", self.end)
        was = " ".join(source[start:stop].split())
        now = " ".join((source[start : self.begin] + self.text + source[self.end : stop]).split())
        return f"{self.path}:{line}: {self.kind}: {was}  ->  {now}"


class Walk:
    """Follows the tree in the order in which it was printed: a location says its file only where
    that differs from the location before it."""

    def __init__(self, wanted: dict[str, str], main: str):
        self.wanted = wanted  # what a file is called by the compiler: what we call it
        self.file = main
        self.source: dict[str, str] = {}
        self.found: dict[Mutant, None] = {}

    def place(self, location: dict) -> tuple[str, int, int] | None:
        """File, offset and length of the token; None: it comes from a macro."""
        if "spellingLoc" in location or "expansionLoc" in location:
            for part in ("spellingLoc", "expansionLoc"):
                self.place(location.get(part, {}))
            return None
        self.file = location.get("file", self.file)
        return (self.file, location["offset"], location["tokLen"]) if "offset" in location else None

    def range(self, node: dict) -> tuple[str, int, int] | None:
        begin = self.place(node.get("range", {}).get("begin", {}))
        end = self.place(node.get("range", {}).get("end", {}))
        if not begin or not end or begin[0] != end[0] or begin[0] not in self.wanted:
            return None
        return begin[0], begin[1], end[1] + end[2]

    def node(self, node: dict, inside: bool, statement: bool = False) -> tuple[str, int, int] | None:
        """Walks below a node and gives its range back. `inside`: within a function's body;
        `statement`: the node is a statement of its own."""
        if "loc" in node:
            self.place(node["loc"])
        here = self.range(node)
        kind = node.get("kind", "")
        if kind == "CompoundStmt":
            inside = True
        children = []
        for child in node.get("inner", []):
            if "kind" in child:
                children.append((child, self.node(child, inside, kind == "CompoundStmt")))
        if inside and here:
            self.mutate(node, kind, here, children, statement)
        return here

    def text(self, place: tuple[str, int, int]) -> str:
        path, begin, end = place
        if path not in self.source:
            # Offsets count bytes.
            self.source[path] = pathlib.Path(path).read_bytes().decode("latin-1")
        return self.source[path][begin:end]

    def add(self, place: tuple[str, int, int], text: str, kind: str) -> None:
        self.found[Mutant(self.wanted[place[0]], place[1], place[2], text, kind)] = None

    def mutate(self, node, kind, here, children, statement):
        places = [place for _, place in children]
        if kind in ("BinaryOperator", "CompoundAssignOperator") and node.get("opcode") in SUMS:
            if len(places) != 2 or None in places:
                return
            left, right = places
            sign = node["opcode"]
            between = self.text((here[0], left[2], right[1]))
            if between.count(sign) != 1:
                return
            at = left[2] + between.index(sign)
            self.add((here[0], at, at + len(sign)), SUMS[sign], "sign")
            if len(sign) == 2:
                if statement:
                    self.add(here, "(void)0", "term")
            else:
                self.add(here, self.text(left), "term")
                self.add(here, f"({'-' if sign == '-' else ''}({self.text(right)}))", "term")
        elif kind == "UnaryOperator" and node.get("opcode") == "-" and None not in places:
            self.add(here, f"({self.text(places[0])})", "sign")
        elif kind == "CallExpr" and len(places) == 3 and None not in places[1:]:
            name = self.text(places[0]) if places[0] else ""
            a, b = self.text(places[1]), self.text(places[2])
            if name.endswith((ADD, SUBTRACT)):
                self.add(here, a, "term")
            if name.endswith(ADD):
                self.add(here, b, "term")
            if name.endswith(SUBTRACT):
                self.add(here, f"{name}({b}, {a})", "sign")
        elif kind == "ArraySubscriptExpr" and len(places) == 2 and places[1]:
            index = self.text(places[1])
            step = "-" if index == "1" else "+"
            self.add(places[1], f"({index}) {step} 1", "index")
        elif kind == "MemberExpr" and node.get("name") in NEXT:
            name = node["name"]
            if self.text(here).endswith(name) and node.get("type", {}).get("qualType", "").endswith("double"):
                self.add((here[0], here[2] - len(name), here[2]), NEXT[name], "index")


def find(command: list[str], source: pathlib.Path, wanted: dict[str, str]) -> list[Mutant]:
    """The mutants of `wanted`, files that compiling `source` reads; `command`: clang's options."""
    run = subprocess.run(
        ["clang", "-fsyntax-only", "-Wno-everything", *command, "-Xclang", "-ast-dump=json", str(source)],
        capture_output=True, text=True, check=True)
    walk = Walk(wanted, str(source))
    walk.node(json.loads(run.stdout), False)
    return list(walk.found)
