#!/usr/bin/env python3
"""Draws Figures 3 to 6 of Tavakoli Nia, Pishkenari and Meghdari (2005) from our programs' results.

  plot.py FOLDER times.csv picture.svg      FOLDER: output of snake_drift_double and _single

Prints the table of docs/theory/snake.md.
"""

import csv
import math
import pathlib
import subprocess
import sys

LINKS, STEP, STOP = (3, 10), "0.001", "10"  # the figures use the last number of links
METHODS = [("kane", "Kane, O(n)", "#1f77b4"), ("lagrange", "Lagrange", "#d62728")]
WIDTH, HEIGHT, LEFT, TOP, GAP = 270, 220, 62, 30, 84


def drift(folder, precision, method, links):
    done = subprocess.run([folder / f"snake_drift_{precision}", method, str(links), STEP, STOP],
                          capture_output=True, text=True, check=True)
    return [{key: float(value) for key, value in row.items()}
            for row in csv.DictReader(done.stdout.splitlines())]


def panel(column, title, ylabel, curves, log=False, xlabel="t [s]"):
    """curves: (points, colour, dashed, label)."""
    xs = [x for points, *_ in curves for x, _ in points]
    ys = [y for points, *_ in curves for _, y in points]
    low, high = min(ys), max(ys)
    if log:
        low, high = 10.0 ** math.floor(math.log10(low)), 10.0 ** math.ceil(math.log10(high))

    def place(x, y):
        part = (math.log(y / low) / math.log(high / low)) if log else (y - low) / (high - low)
        return f"{WIDTH * (x - min(xs)) / (max(xs) - min(xs)):.1f},{HEIGHT * (1 - part):.1f}"

    left = LEFT + column % 2 * (WIDTH + GAP)
    top = TOP + column // 2 * (HEIGHT + GAP)
    out = [f'<g transform="translate({left},{top})">',
           f'<text x="{WIDTH / 2}" y="-10" text-anchor="middle" font-weight="bold">{title}</text>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>',
           f'<text x="{WIDTH / 2}" y="{HEIGHT + 32}" text-anchor="middle">{xlabel}</text>',
           f'<text transform="translate(-46,{HEIGHT / 2}) rotate(-90)" text-anchor="middle">{ylabel}'
           "</text>",
           f'<text x="0" y="{HEIGHT + 15}">{min(xs):g}</text>',
           f'<text x="{WIDTH}" y="{HEIGHT + 15}" text-anchor="end">{max(xs):g}</text>',
           f'<text x="-4" y="{HEIGHT}" text-anchor="end">{low:.2g}</text>',
           f'<text x="-4" y="10" text-anchor="end">{high:.2g}</text>']
    for index, (points, colour, dashed, label) in enumerate(curves):
        dash = ' stroke-dasharray="5 3"' if dashed else ""
        line = " ".join(place(x, y) for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}"{dash}/>')
        y = 16 + 14 * index
        out.append(f'<text x="8" y="{y}" fill="{colour}">{label}{" (dashed)" if dashed else ""}'
                   "</text>")
    return out + ["</g>"]


def main(folder, times, picture):
    folder = pathlib.Path(folder)
    rows = [row for row in csv.DictReader(open(times, encoding="utf-8")) if row["lagrange"]]
    ratios = [([(float(r["links"]), float(r["lagrange"]) / float(r[method])) for r in rows], colour,
               False, label) for method, colour, label in (
                   ("kane", "#1f77b4", "Lagrange / Kane, O(n)"),
                   ("kane-paper", "#2ca02c", "Lagrange / Kane as printed"))]
    of = {links: {(method, precision): drift(folder, precision, method, links)
                  for method, *_ in METHODS for precision in ("double", "single")} for links in LINKS}
    runs = of[LINKS[-1]]
    out = panel(0, "Figure 3: ratio of times", "ratio", ratios, log=True, xlabel="links")
    for column, title in ((1, "Figures 4, 5: angle of joint 1"), (2, "Figure 6: S, single precision"),
                          (3, "Figure 6: S, double precision")):
        curves = []
        for method, label, colour in METHODS:
            for precision in ("double", "single"):
                if column == 2 and precision == "double" or column == 3 and precision == "single":
                    continue
                key = "phi1" if column == 1 else "S"
                points = [(row["t"], row[key]) for row in runs[method, precision]]
                curves.append((points, colour, precision == "single" and column == 1,
                               f"{label}, {precision}" if column == 1 else label))
        out += panel(column, title, "rad" if column == 1 else "J", curves)
    width, height = LEFT + 2 * WIDTH + GAP + 20, TOP + 2 * HEIGHT + GAP + 44
    with open(picture, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                   'font-family="sans-serif" font-size="11">\n'
                   f'<rect width="{width}" height="{height}" fill="#fff"/>\n'
                   + "\n".join(out) + "\n</svg>\n")
    print("| links | method | precision | largest S [J] | φ₁ off the same method's in double precision at 2 s | at 5 s "
          "| at 10 s [rad] |")
    print("|---|---|---|---|---|---|---|")
    for links, done in of.items():
        for (method, precision), run in done.items():
            best = done[method, "double"]
            errors = [abs(row["phi1"] - other["phi1"]) for end in (2, 5, 10)
                      for row, other in [min(zip(run, best), key=lambda pair: abs(pair[0]["t"] - end))]]
            print(f"| {links} | {method} | {precision} | {run[-1]['most']:.1e} | "
                  + " | ".join("–" if run is best else f"{error:.0e}" for error in errors) + " |")


if __name__ == "__main__":
    main(*sys.argv[1:])
