"""The lists of the element files (model/elements), for checks of what is written by hand beside them."""

import dataclasses
import re

from tree import ROOT

FOLDER = ROOT / "model" / "elements"
ARGUMENT = re.compile(r'"(?:[^"\\]|\\.)*"|[^,()"]+|\((?:[^()]|\([^()]*\))*\)')


@dataclasses.dataclass
class Item:
    """A line of a list: its macro and what stands between its parentheses."""

    kind: str
    arguments: list


@dataclasses.dataclass
class Element:
    name: str
    xml: str
    head: str  # the comment at the top of its file
    items: list

    def numbers(self):
        """Name, XML, row, unit, otherwise, rule, when, text of each number."""
        return [item.arguments for item in self.items if item.kind == "NUMBER"]


def arguments(text):
    """What stands between the parentheses of a macro, with neighbouring strings joined."""
    found, depth, begin = [], 0, 0
    text = re.sub(r'"\s*"', "", text)
    quoted = False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        depth += (c == "(") - (c == ")") if not quoted else 0
        if c == "," and depth == 0 and not quoted:
            found.append(text[begin:i].strip())
            begin = i + 1
    found.append(text[begin:].strip())
    return [a[1:-1].replace('\\"', '"') if a.startswith('"') else a for a in found]


def read(path):
    """The element of a file."""
    text = path.read_text()
    head = " ".join(line[2:].strip() for line in text[: text.index("ELEMENT(")].splitlines())
    body = text[text.index("ELEMENT(") : text.index("#ifdef LAW") if "#ifdef LAW" in text else text.index("END(")]
    body = re.sub(r"//.*", "", body)
    items, at = [], 0
    while macro := re.compile(r"\b([A-Z_]+)\(").search(body, at):
        depth, end, quoted = 1, macro.end(), False
        while depth:
            quoted ^= body[end] == '"' and body[end - 1] != "\\"
            depth += ((body[end] == "(") - (body[end] == ")")) if not quoted else 0
            end += 1
        items.append(Item(macro[1], arguments(body[macro.end() : end - 1])))
        at = end
    name, _, xml, _ = items[0].arguments
    return Element(name, xml, head, items[1:])


def listed(header):
    """The elements of a list such as at_joints.h, in its order."""
    text = next(FOLDER.rglob(header)).read_text()
    return [read(next(FOLDER.rglob(name))) for name in re.findall(r'#include "(\w+\.h)"', text)]


def units():
    """How people write the units of the lists: one, or that of what turns and of what slides."""
    of_all = dict(re.findall(r'X\(FA_UNIT_(\w+), "([^"]*)"', (ROOT / "model" / "base" / "units.h").read_text()))
    said = {code: name.replace(".", " ").replace("m3", "m^3").replace("m2", "m^2") for code, name in of_all.items()}
    places = re.findall(r"X\(FA_UNIT_(\w+),[\s\\]+FA_UNIT_(\w+),[\s\\]+FA_UNIT_(\w+)\)", (FOLDER / "elements.h").read_text())
    found = {code: f"[{name}]" if name else "" for code, name in said.items()}
    return found | {code: f"[{said[turns]}] or [{said[slides]}]" for code, turns, slides in places}
