"""The picture of a circuit in an FMU's documentation: the netlist that its lines draw is that of the file."""

import re
import xml.etree.ElementTree as ET
import zipfile
from collections import Counter

import pytest

from conftest import SOURCE

REFERENCE = SOURCE / "tests" / "reference" / "circuits"
MACHINES = [*(REFERENCE / f"{n}.xml" for n in ("accumulator", "bucket", "lowering", "sharing_post", "slewing", "twin")),
            *(SOURCE / "examples" / "circuits" / f"{n}.xml" for n in ("patu655", "excavator"))]
PORTS = ("from", "to", "valve", "load", "pilot", "p", "t", "a", "b", "out", "tank", "node", "case")
SVG = "{http://www.w3.org/2000/svg}"


def picture(fmu):
    page = zipfile.ZipFile(fmu).read("documentation/index.html").decode()
    return ET.fromstring(re.search(r"The hydraulic circuit</h2>.*?(<svg.*?</svg>)", page, re.DOTALL)[1])


def corners(data):
    """The corners of a line of M, H and V; anything else is a dot or a symbol."""
    if not re.fullmatch(r"M-?\d+ -?\d+([HV]-?\d+)*", data):
        return None
    x, y = map(int, re.match(r"M(-?\d+) (-?\d+)", data).groups())
    points = [(x, y)]
    for letter, value in re.findall(r"([HV])(-?\d+)", data):
        x, y = (int(value), y) if letter == "H" else (x, int(value))
        points.append((x, y))
    return points


def drawn(svg):
    """For each node with a line: its name, its line, and the ways that lead there; and the symbols' places."""
    top = svg.find(f"{SVG}g")
    nodes, symbols, children = {}, [], list(top)
    for k, g in enumerate(children):
        place = re.match(r"translate\((-?\d+) (-?\d+)\)", g.get("transform", ""))
        if place:
            symbols.append((g.find(f"{SVG}title").text, int(place[1]), int(place[2])))
        following = children[k + 1] if k + 1 < len(children) else None
        is_line = g.tag == f"{SVG}g" and (g.get("data-node") or g.get("stroke-dasharray")) and not g.findall(f"{SVG}g")
        if not is_line or following is None or following.tag != f"{SVG}text":
            continue
        bus, *ways = [c for c in (corners(path.get("d")) for path in g.findall(f"{SVG}path")) if c]
        nodes[following.text] = (bus, ways)
    return nodes, symbols


def wanted(text):
    """For each node that no tank or supply gives, and for each load-sensing line, the parts at it, by their ports."""
    root = ET.fromstring(text)
    circuit = root if root.tag == "circuit" else root.find("circuit")
    given = {e.get("name") for e in circuit if e.tag in ("tank", "supply")}
    at = {}
    for e in circuit:
        if e.tag in ("oil", "tank", "supply", "volume", "load-sensing"):
            continue
        about = f"{e.tag} '{e.get('name')}'"
        for port in PORTS:
            if e.get(port) and e.get(port) not in given:
                at.setdefault(e.get(port), []).append(about)
        if e.get("ls"):
            at.setdefault(e.get("ls"), []).append(about)
    for c in root.findall("cylinder"):
        for side in "ab":
            node = c.get(f"node-{side}", f"{c.get('name')}.{side}")
            at.setdefault(node, []).append(f"cylinder '{c.get('name')}'")
    return {node: Counter(parts) for node, parts in at.items()}


def straight(points):
    return [tuple(sorted(pair)) for pair in zip(points, points[1:]) if pair[0] != pair[1]]


def bank(sections):
    """A large circuit alone: a pump with a bank of sections, each with relief and suction valves at both outlets."""
    parts = ["<tank name='T' pressure='2e5'/><volume name='P' volume='5e-3'/><load-sensing name='LS' time-constant='0.02' width='5e4' start='2e5'/>"
             "<pump name='main' out='P' tank='T' control='load-sensing' ls='LS' displacement='1e-5' speed='150' margin='2e6' start='0.1'/>"]
    for k in range(sections):
        parts.append(
            f"<valve name='v{k}' p='P' t='T' a='a{k}' b='b{k}' ls='LS' compensator='post' compensator-drop='8e5' bandwidth='10' damping='0.8'>"
            "<edge name='pa' spool='0 1' flow='0 1e-3' drop='8e5'/><edge name='bt' spool='0 1' flow='0 1e-3' drop='8e5'/></valve>")
        for side in "ab":
            parts.append(f"<volume name='{side}{k}' volume='1e-3'/>"
                         f"<relief name='{side}{k}' from='{side}{k}' to='T' pressure='2e7' gain='1e-9'/>"
                         f"<check name='{side}{k}' from='T' to='{side}{k}' nominal-flow='1e-3' nominal-drop='3e5'/>")
        parts.append(f"<relief name='x{k}' from='a{k}' to='b{(k + 1) % sections}' pressure='1e7' gain='1e-9'/>")
    return f"<circuit name='bank'><oil bulk-modulus='1.5e9'/>{''.join(parts)}</circuit>"


@pytest.mark.parametrize("machine", [*MACHINES, 12], ids=lambda m: getattr(m, "stem", "bank"))
def test_the_lines_of_the_picture_are_the_nodes_of_the_file(machine, export, tmp_path):
    if machine == 12:
        machine = tmp_path / "bank.xml"
        machine.write_text(bank(12))
    svg = picture(export(machine))
    nodes, symbols = drawn(svg)
    width, height = map(int, svg.get("viewBox").split()[2:])
    want = wanted(machine.read_text())
    assert set(nodes) == set(want)
    lines = {}
    for name, (bus, ways) in nodes.items():
        found = Counter()
        for way in ways:
            (x, y), end = way[0], way[-1]
            # It begins at a port of a symbol, at most 40 pixels from its middle; symbols are 80 apart.
            near = sorted(((sx - x) ** 2 + (sy - y) ** 2, about) for about, sx, sy in symbols)
            assert near[0][0] <= 42**2, (name, near[0])
            found[near[0][1]] += 1
            # It ends on the node's own line.
            assert end[1] == bus[0][1] and bus[0][0] <= end[0] <= bus[-1][0], (name, way, bus)
        assert found == want[name], name
        for line in [*straight(bus), *(line for way in ways for line in straight(way))]:
            lines.setdefault(line, name)
            assert all(0 <= px <= width and 0 <= py <= height for px, py in line)
    # Lines of two nodes cross, but none lies on another.
    items = list(lines.items())
    for i, (((ax, ay), (bx, by)), one) in enumerate(items):
        for ((cx, cy), (dx, dy)), other in items[:i]:
            if one == other:
                continue
            level = ay == by == cy == dy and min(bx, dx) > max(ax, cx)
            upright = ax == bx == cx == dx and min(by, dy) > max(ay, cy)
            assert not level and not upright, (one, other)
    # Symbols keep apart.
    for i, (one, ax, ay) in enumerate(symbols):
        for other, bx, by in symbols[:i]:
            assert abs(ax - bx) >= 60 or abs(ay - by) >= 60, (one, other)


def test_the_page_of_a_circuit_alone_is_about_a_circuit(export):
    page = zipfile.ZipFile(export(REFERENCE / "accumulator.xml")).read("documentation/index.html").decode()
    root = ET.fromstring((REFERENCE / "accumulator.xml").read_text())
    assert root.tag == "circuit" and "A hydraulic circuit as an FMU" in page and "Links and joints" not in page
