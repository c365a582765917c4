#!/usr/bin/env python3
"""Draws columns of results over time as an SVG picture with one panel per quantity.

    picture.py PICTURE.svg RESULT.csv TITLE:FACTOR:NAME,NAME… …

A panel has a title, a factor from SI units to those of the title, and the columns that it shows.

    picture.py PICTURE.svg FMU

takes the picture of the circuit from the FMU's documentation instead.
"""

import csv
import html
import math
import re
import sys
import zipfile

WIDTH, HEIGHT, LEFT, TOP, GAP, RIGHT = 560, 110, 56, 24, 34, 190
COLOURS = ["#1f6fb4", "#d1495b", "#2e8b57", "#e08e0b", "#6f4fa0", "#555555"]


def ticks(low, high):
    """Three to seven multiples of 1, 2 or 5 times a power of ten, from low to high."""
    decade = 10.0 ** math.floor(math.log10((high - low) / 3))
    step = next(m * decade for m in (5, 2, 1) if m * decade <= (high - low) / 3)
    return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]


def panel(out, top, title, factor, names, rows):
    """One panel: a frame with ticks, a curve and a line of the legend per name."""
    time = [float(r["time"]) for r in rows]
    curves = [[factor * float(r[n]) for r in rows] for n in names]
    low, high = min(0.0, *(min(c) for c in curves)), max(max(c) for c in curves)
    high = high if high > low else low + 1  # a line of zeros has a frame, too

    def at(t, y):
        return f"{LEFT + WIDTH * t / time[-1]:.1f},{top + HEIGHT * (high - y) / (high - low):.1f}"

    out.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>')
    out.append(f'<text x="{LEFT}" y="{top - 6}" font-weight="bold">{html.escape(title)}</text>')
    for y in ticks(low, high):
        here = top + HEIGHT * (high - y) / (high - low)
        out.append(f'<path d="M{LEFT} {here:.1f}h{WIDTH}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 5}" y="{here + 4:.1f}" text-anchor="end">{y:g}</text>')
    for k, (name, curve) in enumerate(zip(names, curves)):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join(at(t, y) for t, y in zip(time, curve))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
        out.append(f'<text x="{LEFT + WIDTH + 8}" y="{top + 14 + 16 * k}" fill="{colour}">{html.escape(name)}</text>')


def circuit_of(fmu):
    """The picture of the circuit in an FMU's documentation, in ink on no ground."""
    page = zipfile.ZipFile(fmu).read("documentation/index.html").decode("utf-8")
    picture = re.search(r"The hydraulic circuit</h2>.*?<svg(.*?</svg>)", page, re.DOTALL)[1]
    return f'<svg color="#222"{picture}\n'


def main():
    picture, result, *panels = sys.argv[1:]
    if result.endswith(".fmu"):
        with open(picture, "w", encoding="utf-8") as file:
            file.write(circuit_of(result))
        return
    with open(result, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    height = TOP + len(panels) * (HEIGHT + GAP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{height}" '
           f'viewBox="0 0 {LEFT + WIDTH + RIGHT} {height}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    for k, text in enumerate(panels):
        title, factor, names = text.split(":")
        panel(out, TOP + k * (HEIGHT + GAP), title, float(factor), names.split(","), rows)
    last = TOP + len(panels) * (HEIGHT + GAP) - GAP + 15
    for t in ticks(0, float(rows[-1]["time"])):
        out.append(f'<text x="{LEFT + WIDTH * t / float(rows[-1]["time"]):.1f}" y="{last}" text-anchor="middle">{t:g} s</text>')
    out.append("</svg>")
    with open(picture, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
