"""The page of a map of gaits: pictures of speed and cost over two of the numbers, the best gaits marked, and the track of each."""

from __future__ import annotations

import csv
import html
import io
import math
import os
import pathlib
import re
from typing import Any, Mapping, Sequence

from .. import program
from ..errors import Error
from .built_in import path_of
from .gaits import GaitStudy, best

TRACKS_MOST = 8  # of the front: the fastest, the cheapest, and what lies evenly between
CELL, LEFT, BOTTOM, TOP = 46, 74, 46, 30  # of a picture, in pixels
STYLE = """body{font:15px/1.5 sans-serif;margin:2em auto;max-width:70em;padding:0 1em;color:#222}svg{max-width:100%}
table{border-collapse:collapse}td,th{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:right}
text{font:12px sans-serif;fill:#222}figure{display:inline-block;margin:0 1.5em 1em 0;vertical-align:top}"""


def _text(value: float) -> str:
    return f"{value:.4g}"


def _colour(share: float) -> str:
    """From dark blue over green to yellow."""
    stops = ((0.0, (68, 1, 84)), (0.25, (59, 82, 139)), (0.5, (33, 145, 140)), (0.75, (94, 201, 98)), (1.0, (253, 231, 37)))
    for (low, dark), (high, light) in zip(stops, stops[1:]):
        if share <= high:
            part = (share - low) / (high - low)
            return "#%02x%02x%02x" % tuple(round(a + part * (b - a)) for a, b in zip(dark, light))
    return "#fde725"


def _map(rows: Sequence[Mapping[str, Any]], names: Sequence[str], quantity: str, title: str, unit: str, marks: Mapping[int, str]) -> str:
    """A cell for each pair of values; of several gaits at one pair, the fastest."""
    across = sorted({row[names[0]] for row in rows})
    up = sorted({row[names[1]] for row in rows}) if len(names) > 1 else [0.0]
    shown: dict[tuple[int, int], int] = {}
    for i, row in enumerate(rows):
        if row["status"] != "done" or row[quantity] is None:
            continue
        at = across.index(row[names[0]]), up.index(row[names[1]]) if len(names) > 1 else 0
        if at not in shown or abs(row["speed"]) > abs(rows[shown[at]]["speed"]) or i in marks:
            shown[at] = i
    logarithmic = quantity == "cost_of_transport"  # a gait that stands still has any cost
    scale = (lambda value: math.log(max(value, 1e-300))) if logarithmic else float
    values = [scale(rows[i][quantity]) for i in shown.values()]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    width, height = LEFT + CELL * len(across) + 10, TOP + CELL * len(up) + BOTTOM
    lines = [f'<svg width="{width}" height="{height}" role="img"><title>{html.escape(title)}</title>'
             f'<text x="{LEFT}" y="16">{html.escape(title)} [{unit}]</text>']
    for (x, y), i in sorted(shown.items()):
        share = (scale(rows[i][quantity]) - low) / (high - low) if high > low else 0.5
        left, top = LEFT + CELL * x, TOP + CELL * (len(up) - 1 - y)
        lines.append(f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{_colour(share)}"><title>'
                     f'{html.escape(", ".join(f"{name} {_text(rows[i][name])}" for name in names))}: '
                     f'{_text(rows[i][quantity])}{"" if rows[i]["settled"] else ", not settled"}</title></rect>')
        ink = "#000" if share > 0.55 else "#fff"
        lines.append(f'<text x="{left + CELL / 2}" y="{top + CELL / 2 + 4}" text-anchor="middle" style="fill:{ink}">'
                     f'{rows[i][quantity]:.2g}</text>')
        if i in marks:
            lines.append(f'<circle cx="{left + CELL / 2}" cy="{top + CELL / 2}" r="{CELL / 2 - 3}" fill="none" stroke="#e22" '
                         f'stroke-width="2.5"/><text x="{left + 3}" y="{top + 12}" style="fill:{ink}">{marks[i]}</text>')
    for k, value in enumerate(across):
        lines.append(f'<text x="{LEFT + CELL * (k + 0.5)}" y="{height - BOTTOM + 16}" text-anchor="middle">{value:.3g}</text>')
    for k, value in enumerate(up if len(names) > 1 else ()):
        lines.append(f'<text x="{LEFT - 6}" y="{TOP + CELL * (len(up) - k - 0.5) + 4}" text-anchor="end">{value:.3g}</text>')
    lines.append(f'<text x="{LEFT}" y="{height - 8}">{html.escape(names[0])}'
                 f'{html.escape(f" to the right, {names[1]} upwards") if len(names) > 1 else ""}</text></svg>')
    return "<figure>" + "".join(lines) + "</figure>"


def _track(fmu: bytes, study: GaitStudy, row: Mapping[str, Any], starts: Mapping[str, float], names: Sequence[str]) -> list[tuple[float, float]]:
    """Where the centre of mass goes, from the gait's shape as `forearm gait` has it."""
    said = {**starts, **{name: float(value) for name, value in study.start.items()}, **{name: row[name] for name in names}}
    given = {name: float(said[name]) for name in (*study.start, *names)}
    if not any(re.fullmatch(r"link\d+\.initial_(angle|rate)|initial_(velocity\.[xy]|speed|rate)", name) for name in given):
        angles = [0.0]
        for k in range(sum(re.fullmatch(r"link\d+\.initial_angle", name) is not None for name in starts) - 1):
            angles.append(angles[-1] + said["gait.amplitude"] * math.sin(said["gait.phase"] + k * said["gait.shift"])
                          + said["gait.bias"])
        heading = math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles)))
        given |= {f"link{k + 1}.initial_angle": angle - heading for k, angle in enumerate(angles)}
        given |= {name: 0.0 for name in starts if re.fullmatch(r"link\d+\.initial_rate|initial_(velocity\.[xy]|speed|rate)", name)}
    duration, periods = row["duration"], min(row["periods"], 10)
    lines = csv.DictReader(io.StringIO(program.run("simulate", path_of(fmu), *program.options([
        ("stop", repr(duration * periods)), ("step", repr(duration / 32)), ("set", given)]), heard=[])))
    return [(float(line["com.x"]), float(line["com.y"])) for line in lines]


def _tracks(tracks: Mapping[str, list[tuple[float, float]]]) -> str:
    points = [point for track in tracks.values() for point in track]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(y for _, y in points), max(y for _, y in points)
    scale = 640 / max(right - left, high - low, 1e-9)
    width, height = 720, 60 + scale * (high - low)
    lines = [f'<svg width="{width}" height="{height:.0f}" role="img"><title>Tracks of the centre of mass</title>']
    for k, (mark, track) in enumerate(tracks.items()):
        place = [(20 + scale * (x - left), height - 30 - scale * (y - low)) for x, y in track]
        colour = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#17becf")[k % 8]
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="'
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in place) + f'"/><text x="{place[-1][0] + 4:.1f}" '
                     f'y="{place[-1][1] + 4:.1f}" style="fill:{colour}">{mark}</text>')
    lines.append(f'<text x="20" y="{height - 6:.0f}">{_text((right - left))} m across; from rest, up to ten periods</text></svg>')
    return "".join(lines)


def marked(rows: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """A letter for each gait of the front that is shown, the fastest first."""
    front = best(rows)["front"]
    if len(front) > TRACKS_MOST:
        front = [front[round(k * (len(front) - 1) / (TRACKS_MOST - 1))] for k in range(TRACKS_MOST)]
    return {i: "ABCDEFGH"[k] for k, i in enumerate(front)}


def write_page(path: pathlib.Path, study: GaitStudy, fmu: bytes, rows: Sequence[Mapping[str, Any]], starts: Mapping[str, float]) -> None:
    names, marks = list(study.of), marked(rows)
    names_shown = names[:2]
    table = ["", *names, "speed [m/s]", "lengths a period", "cost of transport", "peak torque [N m]", "tracking [rad]"]
    lines = ["<tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in table) + "</tr>"]
    for i, mark in marks.items():
        row = rows[i]
        numbers = [*(row[name] for name in names), *(row[name] for name in ("speed", "speed_bl", "cost_of_transport", "peak_torque",
                                                                             "rms_tracking"))]
        lines.append(f"<tr><td>{mark}</td>" + "".join(f"<td>{_text(value)}</td>" for value in numbers) + "</tr>")
    tracks = {mark: _track(fmu, study, rows[i], starts, names) for i, mark in marks.items()}
    done = sum(row["status"] == "done" for row in rows)
    settled = sum(row["status"] == "done" and row["settled"] == 1 for row in rows)
    text = f"""<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Gaits of {html.escape(study.source.name)}</title><style>{STYLE}</style>
<h1>Gaits of {html.escape(study.source.name)}</h1>
<p>{len(rows)} gaits, {done} of them with an answer, {settled} of these settled. Marked is the front: no other settled gait is faster and cheaper.
A is the fastest, the last letter the cheapest. Of several gaits in one cell the fastest is shown, or a marked one.</p>
{_map(rows, names_shown, "speed", "Speed along the heading", "m/s", marks)}
{_map(rows, names_shown, "cost_of_transport", "Cost of transport", "1", marks)}
<table>{"".join(lines)}</table>
{"<h2>Tracks of the centre of mass</h2>" + _tracks(tracks) if tracks else "<p>No gait has settled.</p>"}
</html>
"""
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise Error(f"it cannot be written: {error.strerror}", str(path)) from None
