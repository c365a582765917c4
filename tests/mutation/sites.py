"""Mutation sites of a C file: places in its functions where a sign may be turned, a term or a statement
dropped, an index shifted, a condition negated, found in the syntax tree that clang makes of it."""
import json
import os
import pathlib
import re
import subprocess
from typing import NamedTuple

# Members that number something: the next one stands for a shifted index.
NEXT = {"x": "y", "y": "z", "z": "x", "xx": "yy", "yy": "zz", "zz": "xx", "xy": "yz", "yz": "xz", "xz": "xy"}
SUMS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
LOGIC = {"&&": "||", "||": "&&", "==": "!=", "!=": "=="}
# Calls that may be dropped without any effect on a result: what they free is freed at the end of the process,
# and an assertion holds.
NO_EFFECT = ("free", "Free", "assert", "__assert_fail", "fclose", "memset")
# Sizes of memory, as names of functions and of what allocates: too much is never noticed, and too little by sanitizers,
# which run every test in a stage of their own.
SIZES = ("_size", "_bytes", "malloc", "calloc", "realloc")
PRINTS = ("snprintf", "vsnprintf")  # whose second argument is one: the room for a text
# Functions of the project that are sums or differences of whatever they are named for.
ADD, SUBTRACT = "_add", "_sub"


class Mutant(NamedTuple):
    path: str   # from the root of the project
    begin: int  # what is replaced, in characters
    end: int
    text: str
    kind: str   # sign, term, index, statement, condition or logic

    def apply(self, source: str) -> str:
        return source[: self.begin] + self.text + source[self.end :]

    def line(self, source: str) -> int:
        return source.count("\n", 0, self.begin) + 1

    def change(self, source: str) -> tuple[str, str, int]:
        """The mutated lines, what becomes of them, and how often they occur before."""
        start = source.rfind("\n", 0, self.begin) + 1
        stop = source.find("\n", self.end)
        was = source[start:stop]
        now = source[start : self.begin] + self.text + source[self.end : stop]
        return was, now, source.count("\n" + was + "\n", 0, start)

    def describe(self, source: str) -> str:
        was, now, _ = (" ".join(part.split()) if isinstance(part, str) else part for part in self.change(source))
        return f"{self.path}:{self.line(source)}: {self.kind}: {was}  ->  {now}"


class Walk:
    """Follows the tree in the order in which it was printed: a location says its file only where
    that differs from the location before it."""

    def __init__(self, wanted: dict[str, str], main: str):
        self.wanted = wanted  # what a file is called by the compiler: what we call it
        self.file = main
        self.function = ""
        self.source: dict[str, str] = {}
        self.found: dict[Mutant, None] = {}

    def place(self, location: dict) -> tuple[str, int, int] | None:
        """File, offset and length of the token; None: it comes from a macro."""
        if "spellingLoc" in location or "expansionLoc" in location:
            for part in ("spellingLoc", "expansionLoc"):
                self.place(location.get(part, {}))
            return None
        if "file" in location:
            self.file = os.path.normpath(location["file"])
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
        elif kind == "FunctionDecl":
            self.function = node.get("name", "")
        name = self.callee(node) if kind == "CallExpr" else ""
        if name.endswith(SIZES):
            inside = False
        children = []
        for at, child in enumerate(node.get("inner", [])):
            if "kind" in child:
                room = name in PRINTS and at == 2
                children.append((child, self.node(child, inside and not room, kind == "CompoundStmt")))
        if inside and here and not self.function.endswith(SIZES):
            self.mutate(node, kind, here, children, statement)
        return here

    @staticmethod
    def callee(node: dict) -> str:
        """The name of the function that a call names."""
        while node.get("inner"):
            node = node["inner"][0]
        return node.get("referencedDecl", {}).get("name", "")

    def text(self, place: tuple[str, int, int]) -> str:
        path, begin, end = place
        if path not in self.source:
            # Offsets count bytes.
            self.source[path] = pathlib.Path(path).read_bytes().decode("latin-1")
        return self.source[path][begin:end]

    def add(self, place: tuple[str, int, int], text: str, kind: str) -> None:
        self.found[Mutant(self.wanted[place[0]], place[1], place[2], text, kind)] = None

    def drop_call(self, here: tuple[str, int, int], name: str, statement: bool) -> None:
        if statement and not name.endswith(NO_EFFECT):
            self.add(here, "(void)0", "statement")

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
        elif kind == "BinaryOperator" and node.get("opcode") in LOGIC:
            if len(places) != 2 or None in places:
                return
            left, right = places
            sign = node["opcode"]
            between = self.text((here[0], left[2], right[1]))
            if between.count(sign) == 1:
                at = left[2] + between.index(sign)
                self.add((here[0], at, at + 2), LOGIC[sign], "logic")
        elif kind == "BinaryOperator" and node.get("opcode") == "=" and statement:
            self.add(here, "(void)0", "statement")
        elif kind == "IfStmt" and places and places[0] and children[0][0].get("kind") != "DeclStmt":
            self.add(places[0], f"!({self.text(places[0])})", "condition")
        elif kind == "UnaryOperator" and node.get("opcode") == "-" and None not in places:
            self.add(here, f"({self.text(places[0])})", "sign")
        elif kind == "CallExpr" and len(places) == 3 and None not in places[1:]:
            name = self.text(places[0]) if places[0] else ""
            a, b = self.text(places[1]), self.text(places[2])
            self.drop_call(here, name, statement)
            if name.endswith((ADD, SUBTRACT)):
                self.add(here, a, "term")
            if name.endswith(ADD):
                self.add(here, b, "term")
            if name.endswith(SUBTRACT):
                self.add(here, f"{name}({b}, {a})", "sign")
        elif kind == "CallExpr" and places and places[0]:
            self.drop_call(here, self.text(places[0]), statement)
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
        capture_output=True, check=True)
    walk = Walk(wanted, str(source))
    names = [os.path.basename(name).encode() for name in wanted]
    # Declaration by declaration: most are the system's, and of these only the last file that they name counts.
    for text in run.stdout.partition(b'\n  "inner": [\n')[2].split(b"\n    },\n"):
        if walk.file in wanted or any(name in text for name in names):
            text = text.rstrip()
            walk.node(json.loads(text.removesuffix(b"]\n}").rstrip() if text.endswith(b"\n  ]\n}") else text + b"\n    }"), False)
        elif files := [name for by, name in re.findall(rb'("includedFrom": \{\s*)?"file": "([^"]*)"', text) if not by]:
            walk.file = os.path.normpath(files[-1].decode())
    return list(walk.found)
