#!/usr/bin/env python3
"""Fails where a schema does not say of an element's numbers what the element's list says. --fix writes it there.

The schemas are the reference of the formats: each number has its line, with text, unit and usual value. What parts, data
sheets and places say beside the lists is written by hand and stays.
"""

import re
import sys

import element_lists
from tree import ROOT

SCHEMAS = ROOT / "resources" / "schema"
# Attributes that are no numbers of a list, by the element that has them.
BESIDE = {"contact": {"weight-depth", "restitution", "speed"}, "stop": {"lower", "upper", "cone"}, "motor": {"voltage", "stall-torque", "no-load-speed"}, "pump": {"flow"}}
UNITS = element_lists.units()


def plain(text, owner):
    """A text of a list as it stands in a reference: of the joint, or of it, with no flag set."""
    text = re.sub(r"\[\w+\?([^:\]]*):([^\]]*)\]", r"\2", text).replace("%s", owner).replace("`", "")
    return text[0].lower() + text[1:]


def usual(otherwise, names):
    """What an attribute counts as where it is not there."""
    kind, values = re.fullmatch(r"(\w+)(?:\((.*)\))?", otherwise).groups()
    said = [names.get(value.strip(), value.strip()) for value in (values or "").split(",")]
    if kind == "USUAL":
        return "; none" if "INFINITY" in values else f"; {values}"
    if kind == "AS":
        return f"; as {said[0]}"
    if kind == "QUOTIENT":
        return f"; {said[0]} / {said[1]}"
    return f"; as {said[0]}, or as {said[1]}" if kind == "AS_SAID" else ""


def attribute(number, names, required, owner="the joint"):
    """The line of a number."""
    name, xml, _, unit, otherwise, _, _, text = number
    need = ' use="required"' if required and otherwise == "REQUIRED" else ""
    about = " ".join(word for word in (plain(text, owner), UNITS[unit]) if word) + usual(otherwise, names)
    return f'<xs:attribute name="{xml.split("/")[-1]}" type="number"{need}/> <!-- {about} -->'


def words(item):
    """Attribute and words of a choice, the usual one first; of a presence "true" comes first, as everywhere."""
    xml, no, yes = item.arguments[-3:]
    return (xml, yes, no) if item.kind == "PRESENCE" else (xml, no, yes)


def choice(item, required):
    """The lines of an attribute with two words."""
    need = ' use="required"' if required else ""
    xml, no, yes = words(item)
    return [f'<xs:attribute name="{xml}"{need}>', "  <xs:simpleType>", '    <xs:restriction base="xs:string">',
            f'      <xs:enumeration value="{no}"/>', f'      <xs:enumeration value="{yes}"/>', "    </xs:restriction>",
            "  </xs:simpleType>", "</xs:attribute>"]


def block(text, parent, xml):
    """Where the declaration of an element in its parent begins and ends, and how far it is indented."""
    outer = re.search(rf'^( *)<xs:element name="{parent}"[^>]*>\n', text, re.MULTILINE)
    end = text.index(f"\n{outer[1]}</xs:element>", outer.end())
    found = re.compile(rf'^( *)<xs:element name="{xml}"[^>]*>\n', re.MULTILINE).search(text, outer.end(), end)
    if not found:
        return None
    return found.start(), text.index(f"\n{found[1]}</xs:element>", found.end()), found[1]


def with_numbers(body, lines, indent, beside):
    """The lines of a declaration in which numbers are those given, by their names, in this order."""
    kept, first = [], None
    for line in body.split("\n"):
        name = re.match(r' *<xs:attribute name="([^"]+)" type="number"', line)
        if name and name[1] not in beside:
            first = len(kept) if first is None else first
        else:
            kept.append(line)
    if first is None:  # before the first attribute, or the end
        first = next((i for i, line in enumerate(kept) if "<xs:attribute" in line or "</xs:complexType" in line), len(kept))
    return "\n".join(kept[:first] + [f"{indent}    {line}" for line in lines] + kept[first:])


def declare(text, parent, element, own, owner="the joint"):
    """A schema in which the parent's declaration says of an element what the list says."""
    names = {number[0]: number[1].split("/")[-1] for number in element.numbers()}
    where = block(text, parent, element.xml) if parent else own
    if where is None:  # it is new: behind the others
        outer = re.search(rf'^( *)<xs:element name="{parent}"[^>]*>\n', text, re.MULTILINE)
        at = text.index("</xs:all>", outer.end())
        at = text.rindex("\n", 0, at) + 1
        last = re.search(r' *(?=<!-- What the joint moves)', text[outer.end() : at])
        at = outer.end() + last.start() if last else at
        pad = outer[1] + " " * 6
        new = [f"<!-- {element.head} -->", f'<xs:element name="{element.xml}" minOccurs="0">', "  <xs:complexType>",
               *(f"    {line}" for item in element.items if item.kind in ("CHOICE", "PRESENCE")
                 for line in choice(item, item.kind == "PRESENCE")), "  </xs:complexType>", "</xs:element>", ""]
        text = text[:at] + "".join(f"{pad}{line}".rstrip() + "\n" for line in new) + text[at:]
        where = block(text, parent, element.xml)
    begin, end, indent = where
    body = text[begin:end]
    required = 'name="part"' not in body and 'name="weight-depth"' not in body
    lines = [attribute(number, names, required, owner) for number in element.numbers()]
    body = with_numbers(body, lines, indent, BESIDE.get(element.xml, ()))
    for item in element.items:
        if item.kind in ("CHOICE", "PRESENCE"):
            xml, no, yes = words(item)
            body = re.sub(rf'(name="{xml}"[^>]*>\s*<xs:simpleType>\s*<xs:restriction[^>]*>\s*)<xs:enumeration value="[^"]*"/>'
                          rf'(\s*)<xs:enumeration value="[^"]*"/>',
                          rf'\1<xs:enumeration value="{no}"/>\2<xs:enumeration value="{yes}"/>', body)
    return text[:begin] + body + text[end:]


def declare_cylinder(text, cylinder):
    """Of a cylinder the numbers stand in children, by what stands before the slash, or in its own attributes."""
    names = {number[0]: number[1].split("/")[-1] for number in cylinder.numbers()}
    for child in dict.fromkeys(n[1].split("/")[0] for n in cylinder.numbers() if "/" in n[1]):
        begin, end, indent = block(text, "cylinder", child)
        lines = [attribute(n, names, True) for n in cylinder.numbers() if n[1].startswith(child + "/")]
        text = text[:begin] + with_numbers(text[begin:end], lines, indent, ()) + text[end:]
    outer = re.search(r'^( *)<xs:element name="cylinder"[^>]*>\n', text, re.MULTILINE)
    begin = text.index(f"\n{outer[1]}    </xs:all>", outer.end())
    end = text.index(f"\n{outer[1]}</xs:element>", outer.end())
    lines = [attribute(n, names, False) for n in cylinder.numbers() if "/" not in n[1]]
    lines = [line.replace(" -->", "; nothing with a hose, else a centimetre of stroke -->") if "dead-volume" in line else line
             for line in lines]
    return text[:begin] + with_numbers(text[begin:end], lines, outer[1], ("offset",)) + text[end:]


def with_lines(text, parent, lines, kept):
    """A schema in which attributes of a declaration are these lines, where the first of them stands; `kept`: those beside."""
    begin, end, indent = block(text, "snake", parent)
    return text[:begin] + with_numbers(text[begin:end], lines, indent, kept) + text[end:]


def snake_numbers():
    """Of a snake the numbers of each joint, of each wheel, of all wheels and of its inputs: lines, and the lists' own words."""
    lists = {element.name: element for element in element_lists.listed("at_snake_joints.h")}
    head = (ROOT / "model" / "snake" / "rows" / "snake_lists.h").read_text()
    source = (ROOT / "model" / "snake" / "rows" / "snake_lists.c").read_text()
    defaults = dict(re.findall(r"SNAKE_(\w+) = ([^;]+);", (ROOT / "model" / "robot" / "robot_new.c").read_text()))
    joints = []
    for element, name, row, word in re.findall(r"X\((\w+), (\w+), ([A-Z_]+), \"([^\"]+)\"", head):
        number = list(next(n for n in lists[element].numbers() if n[0] == name))
        number[1] = word
        if row == "LIMIT":
            number[7] = re.search(r'about = "(Angle of [^"]*)"', source)[1]
        if row in defaults:
            number[4] = f"USUAL({2.618 if row == 'LIMIT' else defaults[row]})"
        joints.append(attribute(number, {}, False).replace("[rad] or [m]", "[rad]"))
    wheels = [(n, attribute(n, {}, False, "the wheel")) for e in element_lists.listed("at_wheels.h") for n in e.numbers()]
    own = [line for n, line in wheels if n[6] != "SHARED"]
    inputs = []
    for kind, name, last in (("voltage", "motor", "back_emf"), ("gait", "gait", "torque_limit"),
                             ("gait, prescribed", "smoothing", "smoothing"), ("prescribed, speeds", "pace", "bandwidth")):
        numbers = (lists.get(name) or element_lists.read(element_lists.FOLDER / f"{name}.h")).numbers()
        names = {n[0]: n[1] for n in numbers}
        numbers = numbers[: [n[0] for n in numbers].index(last) + 1]
        inputs += [attribute(n, names, False, "each joint").replace("<!-- ", f"<!-- {kind}: ") for n in numbers]
    return [turning(line) for line in joints], own, [line for n, line in wheels if n[6] == "SHARED"], inputs


def turning(line):
    """The unit of what turns."""
    return re.sub(r"(\[[^\]]*\]) or \[[^\]]*\]", r"\1", line)


def bare(lines):
    """Without what is said of them elsewhere."""
    return [line.split(" <!--")[0] for line in lines]


def declare_snake(text):
    """Numbers of elements, each where a snake's file has it."""
    joint, wheel, shared, inputs = snake_numbers()
    link = {"length", "wheel", "mass", "inertia", "radius", *(n[1] for e in element_lists.listed("at_feet.h") for n in e.numbers())}
    text = with_lines(text, "every", wheel, link)
    text = with_lines(text, "link", bare(wheel), link)
    text = with_lines(text, "every-joint", joint, set())
    text = with_lines(text, "joint", bare(joint), set())
    text = with_lines(text, "input", inputs, set())
    at = text.rindex("</xs:sequence>")  # the snake's own
    body = text[at:]
    return text[:at] + with_numbers(body, shared, "  ", {"gravity", "slope", "slope-direction"})


def main():
    joints = [element for element in element_lists.listed("at_joints.h") if element.xml]
    touches = [element_lists.read(element_lists.FOLDER / name) for name in ("contact.h", "line_spring.h")]
    cylinder, *parts = element_lists.listed("at_axis.h")
    faults = []
    for name in ("arm", "actuators", "cylinder", "snake"):
        path = SCHEMAS / f"{name}.xsd"
        stored = text = path.read_text(encoding="utf-8")
        if name == "snake":
            text = declare_snake(text)
        for element in joints if name in ("arm", "actuators") else []:
            text = declare(text, "joint", element, None)
        for element in touches if name in ("arm", "actuators") else []:
            text = declare(text, name if name == "arm" else "actuators", element, None, "it")
        if name != "snake":
            text = declare_cylinder(text, cylinder)
        for element in parts if name != "snake" else []:
            text = declare(text, "cylinder", element, None)
        if text != stored and "--fix" in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif text != stored:
            new, old = text.splitlines(), stored.splitlines()
            faults += [f"{path.name} lacks:{line}" for line in new if line not in old]
            faults += [f"{path.name} has, and no list:{line}" for line in old if line not in new]
            faults += [] if faults else [f"{path.name} has lines in another order than the lists"]
    if faults:
        print("\n".join(faults) + "\nrun tests/tree/schemas.py --fix")
        return 1
    print(f"{sum(len(e.numbers()) for e in [*joints, *touches, cylinder, *parts])} numbers stand in the schemas as in their lists")
    return 0


if __name__ == "__main__":
    sys.exit(main())
