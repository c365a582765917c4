#!/usr/bin/env python3
"""Draws Figure 2 of Mata and others (2002) from what `single_precision --csv` prints: how far single
precision is off, and the condition number of the inertia matrix.

    plot_single_precision.py curves.csv picture.svg
"""

import csv
import math
import sys

METHODS = {"articulated-body": "#111111", "composite-body": "#1f77b4", "gibbs-appell": "#d62728"}
WIDTH, HEIGHT, LEFT, TOP, GAP = 620, 150, 64, 24, 34


def panel(top, title, low, high, ticks, curves):
    def x(degrees):
        return WIDTH * degrees / 360

    def y(value):
        return HEIGHT * (high - value) / (high - low)

    out = [f'<g transform="translate({LEFT},{top})">', f'<text x="0" y="-8">{title}</text>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>']
    for degrees in range(0, 361, 60):
        out.append(f'<text x="{x(degrees):.0f}" y="{HEIGHT + 14}" text-anchor="middle">{degrees}°</text>')
    for value, label in ticks:
        out.append(f'<line x1="0" x2="{WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="-6" y="{y(value) + 4:.1f}" text-anchor="end">{label}</text>')
    for colour, points in curves:
        path = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
    return out + ["</g>"]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    angle = [float(row["q2_deg"]) for row in rows]
    off = [(colour, [(a, float(row["exact_qdd1"]) - float(row[f"{method}_qdd1"]))
                     for a, row in zip(angle, rows)]) for method, colour in METHODS.items()]
    condition = [("#2ca02c", [(a, math.log10(float(row["condition"]))) for a, row in zip(angle, rows)])]
    height = TOP + 2 * (HEIGHT + GAP) + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 20}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           f'<rect width="{LEFT + WIDTH + 20}" height="{height}" fill="#fff"/>']
    out += panel(TOP, "joint 1, double less single precision [rad/s²]", -1.5, 1.5,
                 [(v, f"{v:g}") for v in (-1, -0.5, 0, 0.5, 1)], off)
    out += panel(TOP + HEIGHT + GAP + 6, "condition number of the inertia matrix", 4, 5,
                 [(4, "10⁴"), (4.5, "3.2·10⁴"), (5, "10⁵")], condition)
    for k, (method, colour) in enumerate(METHODS.items()):
        x = LEFT + 160 * k
        out.append(f'<line x1="{x}" x2="{x + 24}" y1="{height - 12}" y2="{height - 12}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{x + 30}" y="{height - 8}">{method}</text>')
    out.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
