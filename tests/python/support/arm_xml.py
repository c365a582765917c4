"""Turns an `arm` object of tests/reference/*.json into our <arm> XML, every number exactly.

    python arm_xml.py ../reference/arm_points.json puma560 > puma560.xml
"""

import json
import sys
from xml.sax.saxutils import quoteattr


class Unfit(ValueError):
    """The arm has something that <arm> has no word for."""


def number(value):
    """Shortest text that reads back as the same double; 0 and -0 are written 0."""
    value = float(value)
    if value == 0:
        return "0"
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def numbers(values):
    return " ".join(number(value) for value in values)


def tensor(I):
    return numbers([I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]])


def attributes(**values):
    """name="value" of those that are not None; _ in a name stands for -."""
    return "".join(
        f" {name.replace('_', '-')}={quoteattr(value)}"
        for name, value in values.items()
        if value is not None
    )


def friction(link):
    viscous, coulomb = link.get("viscous") or 0, link.get("coulomb") or [0, 0]
    if not viscous and not any(coulomb):
        return None
    width = link.get("coulomb_vs")
    if any(coulomb) and width is None:
        raise Unfit("Coulomb friction by the sign of the speed")
    values = attributes(
        viscous=number(viscous),
        coulomb=number(coulomb[0]),
        coulomb_negative=number(abs(coulomb[1])),
        # A purely viscous friction has no width.
        width=number(width) if width is not None else None,
    )
    return f"<friction{values}/>"


def spring(link):
    data = link.get("spring")
    if not data:
        return None
    values = attributes(
        stiffness=number(data["k"]), damping=number(data["d"]), rest=number(data["q0"])
    )
    return f"<spring{values}/>"


def rotor(link):
    if not link.get("Jm"):
        return None
    return f"<rotor{attributes(inertia=number(link['Jm']), gear=number(link['G']))}/>"


def joint(link, index, lines):
    head = attributes(
        name=link.get("joint_name", f"joint{index}"),
        type={"R": "revolute", "P": "prismatic"}[link["type"]],
        **{key: number(link[key]) for key in ("a", "alpha", "d", "theta", "offset")},
    )
    lines.append(f"  <joint{head}>")
    for child in (friction(link), rotor(link), spring(link)):
        if child:
            lines.append(f"    {child}")
    body = attributes(
        name=link.get("link_name", f"link{index}"),
        mass=number(link["m"]),
        com=numbers(link["com"]),
        inertia=tensor(link["I"]),
    )
    lines.append(f"    <link{body}/>")
    lines.append("  </joint>")


def names(arm, index):
    """The name of the link that joint number `index` holds, from 1; the base for 0."""
    return arm["links"][index - 1].get("link_name", f"link{index}") if index else "base"


def arm_xml(arm):
    head = attributes(
        name=arm["name"], convention=arm["convention"], gravity=numbers(arm["gravity"])
    )
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<arm{head}>"]
    for index, link in enumerate(arm["links"], 1):
        joint(link, index, lines)
    if arm.get("tip") and any(arm["tip"]["r"]):
        lines.append(f"  <tip{attributes(xyz=numbers(arm['tip']['r']))}/>")
    for index, link in enumerate(arm["links"], 1):
        if link.get("cylinder"):  # a spring and damper in the file: what pushes is up to the test
            ends = attributes(**{"name": f"c{index}", "from": names(arm, index - 1), "from-xyz": numbers(
                link["cylinder"]["pA"]), "to": names(arm, index), "to-xyz": numbers(link["cylinder"]["pB"])})
            lines.append(f'  <cylinder{ends} cut="force"/>')
    lines.append("</arm>")
    return "\n".join(lines) + "\n"


def main():
    path, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        robots = json.load(file)["robots"]
    for robot in robots:
        if robot["arm"]["name"] == name:
            print(arm_xml(robot["arm"]), end="")
            return
    sys.exit(f"{path} has no arm {name}")


if __name__ == "__main__":
    main()
