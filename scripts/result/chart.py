"""Two kinds of drawing, as SVG text: lines over time, and an arm seen at several instants.

The text depends on the numbers alone: no fonts are embedded, nothing is random or dated.
"""

import math

import numpy as np

# Eight colours that stay apart for colour-blind eyes (Okabe and Ito), the darker ones first.
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6652", "#888888"]
INK, FAINT, GRID = "#24292f", "#6a737d", "#e4e7eb"
FONT = "font-family='system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif'"


def svg(width, height, parts, label):
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' "
            f"role='img' aria-label='{label}' {FONT}>\n"
            f"<rect width='{width}' height='{height}' rx='6' fill='#fff'/>\n" + "\n".join(parts) + "\n</svg>\n")


def group(parts, x, y):
    return f"<g transform='translate({x} {y})'>\n" + "\n".join(parts) + "\n</g>"


def text(x, y, words, size=12, colour=INK, anchor="start", weight="normal"):
    return (f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{colour}' "
            f"text-anchor='{anchor}' font-weight='{weight}'>{words}</text>")


def path(points, colour, width, extra=""):
    steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return (f"<polyline points='{steps}' fill='none' stroke='{colour}' stroke-width='{width}' "
            f"stroke-linecap='round' stroke-linejoin='round' {extra}/>")


def ticks(low, high, about):
    """Round numbers from low to high, about so many."""
    rough = (high - low) / about
    size = 10.0 ** math.floor(math.log10(rough))
    step = min((size * k for k in (1, 2, 5, 10)), key=lambda s: abs(math.log(s / rough)))
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def number(value):
    return f"{value:.10g}".replace("-", "−")


def spread(wanted, gap, low, high):
    """Heights as near to the wanted ones as labels `gap` apart allow, in the same order."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = []
    for i in order:
        placed.append(max(wanted[i], placed[-1] + gap if placed else low))
    over = placed[-1] - high if placed else 0
    for k in range(len(placed) - 1, -1, -1):
        if over > 0:
            placed[k] = min(placed[k], (placed[k + 1] - gap) if k + 1 < len(placed) else high)
    return {i: y for i, y in zip(order, placed)}


def lines(title, unit, time, curves, width=460, height=230):
    """curves: {label: values}. Labels stand at the right end of their lines."""
    values = np.concatenate([np.asarray(v, float) for v in curves.values()])
    low, high = min(values.min(), 0.0), max(values.max(), 0.0)
    margin = 0.05 * (high - low or 1)
    low, high = low - margin, high + margin
    # Room for the longest number: digits of this size are some 6.6 wide, and the minus is wider.
    longest = max(len(number(v)) for v in ticks(low, high, 5))
    left, right, top, bottom = max(40, round(10 + 6.6 * longest)), 102, 28, 34
    w, h = width - left - right, height - top - bottom
    t0, t1 = float(time[0]), float(time[-1])

    def sx(t):
        return left + (t - t0) / (t1 - t0) * w

    def sy(v):
        return top + (high - v) / (high - low) * h

    parts = [text(0, 14, f"{title} <tspan fill='{FAINT}' font-weight='normal'>in {unit}</tspan>", 13,
                  weight="600")]
    for v in ticks(low, high, 5):
        colour = "#b4bac2" if abs(v) < 1e-12 else GRID
        parts.append(path([(left, sy(v)), (left + w, sy(v))], colour, 1))
        parts.append(text(left - 8, sy(v) + 4, number(v), 11, FAINT, "end"))
    for t in ticks(t0, t1, 6):
        parts.append(text(sx(t), height - bottom + 16, number(t), 11, FAINT, "middle"))
    parts.append(text(left + w, height - 4, "time in s", 11, FAINT, "end"))
    ends = spread([sy(v[-1]) for v in curves.values()], 13, top + 4, top + h)
    step = max(1, len(time) // 300)
    for i, (label, v) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        kept = list(range(0, len(time), step)) + [len(time) - 1]
        parts.append(path([(sx(time[k]), sy(v[k])) for k in kept], colour, 1.8))
        parts.append(path([(left + w + 3, sy(v[-1])), (left + w + 11, ends[i])], colour, 0.8))
        parts.append(text(left + w + 14, ends[i] + 4, label, 11, colour))
    return parts


class View:
    """Looks at the scene from the side and a little from above, from far away."""

    def __init__(self, points, width, height, turn=-35, tilt=18):
        turn, tilt = math.radians(turn), math.radians(tilt)
        self.right = np.array([math.cos(turn), math.sin(turn), 0])
        back = np.array([-math.sin(turn), math.cos(turn), 0])
        self.up = math.cos(tilt) * np.array([0, 0, 1]) + math.sin(tilt) * back
        flat = np.array([(p @ self.right, p @ self.up) for p in points])
        low, high = flat.min(axis=0), flat.max(axis=0)
        self.scale = min(width / (high[0] - low[0]), height / (high[1] - low[1]))
        self.centre, self.middle = (low + high) / 2, np.array([width / 2, height / 2])

    def __call__(self, point):
        x, y = np.array([point @ self.right, point @ self.up]) - self.centre
        return self.middle[0] + self.scale * x, self.middle[1] - self.scale * y


def arm(title, poses, times, tips, width=400, height=480):
    """poses: one (lines, pivots) of Skeleton.pose for each of `times`; tips: the hand's whole path."""
    top = 24
    ends = [end for segments, _ in poses for line in segments for end in line]
    reach = max(np.linalg.norm(p[:2]) for p in [*ends, *tips])
    ground = min(0.0, min(p[2] for p in [*ends, *tips]))
    size = 0.2 * math.ceil(0.6 * reach / 0.2)
    corners = [np.array([x, y, ground]) for x in (-size, size) for y in (-size, size)]
    view = View([*ends, *tips, *corners], width - 8, height - top - 30)
    parts = [text(0, 14, title, 13, weight="600"), f"<g transform='translate(4 {top})'>"]
    for k in np.arange(-size, size + 0.01, 0.2):
        for a, b in (((k, -size), (k, size)), ((-size, k), (size, k))):
            parts.append(path([view(np.array([*a, ground])), view(np.array([*b, ground]))], GRID, 0.8))

    foot = poses[0][0][0][0]
    if foot[2] - ground > 0.05:  # the arm reaches below its foot: draw what it stands on
        parts.append(path([view(foot), view(foot * [1, 1, 0] + [0, 0, ground])], "#b9c0c8", 9))
    shade = np.array([1, 1, 0])
    for line in poses[-1][0]:
        parts.append(path([view(p * shade + [0, 0, ground]) for p in line], "#d3d8de", 6))
    parts.append(path([view(p) for p in tips], COLOURS[1], 1.4, "stroke-dasharray='1 3'"))
    for i, (segments, pivots) in enumerate(poses):
        share = i / max(1, len(poses) - 1)
        last = i == len(poses) - 1
        # From a light blue-grey to the full colour as time goes by.
        colour = "#" + "".join(f"{round(a + (b - a) * share ** 1.5):02x}"
                               for a, b in zip((0xc3, 0xd5, 0xe3), (0x00, 0x5a, 0x8f)))
        for line in segments:
            parts.append(path([view(p) for p in line], colour, 7 if last else 4.5))
        if last:
            for pivot in pivots:
                x, y = view(pivot)
                parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.4' fill='#fff' stroke='{INK}' "
                             "stroke-width='1.4'/>")
    parts.append("</g>")
    every = number((times[-1] - times[0]) / (len(times) - 1))
    note = f"every {every} s, dark: the end; dotted: the hand; floor squares: 0.2 m"
    parts.append(text(0, height - 4, note, 11, FAINT))
    return parts
