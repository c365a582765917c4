#!/usr/bin/env python3
"""Draws what `scaling` measured: nanoseconds of one call over the number of joints, both logarithmic.

    plot_scaling.py results.csv picture.svg
"""

import csv
import math
import sys

PANELS = [("inverse", "inverse dynamics"), ("matrix", "mass matrix"), ("forward", "forward dynamics")]
COLOURS = {
    "articulated-body": "#111111", "composite-body": "#1f77b4", "newton-euler": "#17becf",
    "gibbs-appell": "#d62728", "gibbs-hessian": "#f4a3a3", "walker-orin": "#2ca02c",
    "walker-orin-1": "#98df8a", "closed-form": "#9467bd", "natural-complement": "#8c564b",
    "decoupled-complement": "#000080",
    "lagrange": "#ff7f0e", "uicker-kahn": "#7f7f7f", "hollerbach-4x4": "#bcbd22",
    "hollerbach-3x3": "#e377c2", "fast-composite": "#00c8c8", "fast-articulated": "#ff00ff",
}
WIDTH, HEIGHT, LEFT, TOP, GAP = 260, 300, 56, 28, 62
JOINTS = (2, 100)
NANOSECONDS = (1e2, 1e10)


def across(joints):
    return WIDTH * math.log(joints / JOINTS[0]) / math.log(JOINTS[1] / JOINTS[0])


def up(nanoseconds):
    low, high = NANOSECONDS
    return HEIGHT * (1 - math.log(nanoseconds / low) / math.log(high / low))


def panel(left, title, curves):
    out = [f'<g transform="translate({left},{TOP})">',
           f'<text x="{WIDTH / 2}" y="-10" text-anchor="middle" font-weight="bold">{title}</text>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>']
    for joints in (2, 5, 10, 20, 50, 100):
        x = across(joints)
        out.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{HEIGHT}" stroke="#eee"/>')
        out.append(f'<text x="{x:.1f}" y="{HEIGHT + 15}" text-anchor="middle">{joints}</text>')
    for power, label in zip(range(2, 11), ("100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms",
                                          "1 s", "10 s")):
        y = up(10.0 ** power)
        out.append(f'<line x1="0" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#eee"/>')
        out.append(f'<text x="-5" y="{y + 4:.1f}" text-anchor="end">{label}</text>')
    for method, points in curves.items():
        path = " ".join(f"{across(n):.1f},{up(t):.1f}" for n, t in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS.get(method, "#000")}" '
                   f'stroke-width="1.6"><title>{method}</title></polyline>')
    out.append("</g>")
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    curves = {call: {} for call, _ in PANELS}
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["nanoseconds"] != "inf":
                curves[row["call"]].setdefault(row["method"], []).append(
                    (int(row["n"]), float(row["nanoseconds"])))
    width = LEFT + len(PANELS) * (WIDTH + GAP) + GAP
    height = TOP + HEIGHT + 50 + 18 * math.ceil(len(COLOURS) / 5)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'font-family="sans-serif" font-size="11">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for k, (call, title) in enumerate(PANELS):
        out += panel(LEFT + k * (WIDTH + GAP), title, curves[call])
    for k, (method, colour) in enumerate(COLOURS.items()):
        x, y = LEFT + k % 5 * 190, TOP + HEIGHT + 38 + k // 5 * 18
        out.append(f'<line x1="{x}" x2="{x + 24}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{x + 30}" y="{y}">{method}</text>')
    out.append("</svg>")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
