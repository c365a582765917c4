"""Makes docs/variables.md from what small robots' FMUs say of themselves.

Each kind of FMU begins with a robot that has nothing special. Features are added to it one at a time, and a
variable that a feature brings is "there" with that feature. Causality, variability, unit and description are
those of the FMU's modelDescription.xml, which is the program's table of variables, printed.
"""

import dataclasses
import pathlib
import re
import sys
import textwrap

from fmpy import read_model_description

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tree"))
import element_lists  # noqa: E402

ROLES = ["Parameters", "Inputs", "States", "Outputs", "Local variables"]


@dataclasses.dataclass
class Kind:
    """A section of the page: robots by the feature that each adds, and the options to export them with."""

    title: str
    lead: str
    robots: list  # of (features, XML, options); a robot has those of the robots whose features begin its own
    beside: str = ""  # the section to compare with: what is there already is not listed again


# ------------------------------------------------------------------------------------------ robots

def arm(inside="", base="", after="", link="", motor=None):
    """Two joints that have the same things inside, one of which turns and one slides."""
    link = f'mass="1" com="0.1 0 0" inertia="1 1 1 0 0 0" {link}'
    return f"""<arm name="arm" convention="standard" gravity="0 -9.81 0">{base}
      <joint name="jturn" type="revolute" a="1">{inside}<link name="lone" {link}/></joint>
      <joint name="jslide" type="prismatic">{inside}<link name="ltwo" {link}/></joint>{after}</arm>"""


LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
MOTOR = '<motor resistance="1" torque-constant="0.1" efficiency="0.9" {}/>'


def crane(cut, to="ltwo", inside='<valve nominal-flow="4e-4"/>'):
    return arm(after=f"""<cylinder name="cyl" from="base" to="{to}" from-xyz="0.3 -1 0" to-xyz="0 -0.1 0" cut="{cut}" bore="0.1"
      rod="0.05" closed-length="0.1" stroke="1.9">{inside}<start pressure-a="5e6" pressure-b="5e6"/></cylinder>""")


SPOOL = '<valve nominal-flow="4e-4" bandwidth="20"/>'
VALVE = '<valve nominal-flow="4e-4"/>'
PUMP = '<pump flow="8e-4" volume="0.003" relief-pressure="9e6" relief-gain="1e-9"/>'
CRANES = [
    (("a cylinder", 'cut at `force`'), crane("force"), []),
    (("a cylinder", 'cut at `force`', "over one joint"), crane("force", to="lone"), []),
    (("a cylinder", 'cut at `port`'), crane("port"), []),
    (("a cylinder", 'cut at `port`', "`<stop>`"), crane("port", inside=VALVE + "<stop/>"), []),
    (("a cylinder", 'cut at `chamber`'), crane("chamber"), []),
    (("a cylinder", 'cut at `valve`'), crane("valve"), []),
    (("a cylinder", 'cut at `valve`', "`<valve bandwidth>`"), crane("valve", inside=SPOOL), []),
    (("a cylinder", 'cut at `valve`', "`<pump>`"), crane("valve", inside=VALVE + PUMP), []),
]
UNDRIVEN = [
    ((), arm(), []),
    (("`<limit>`",), arm(LIMIT), []),
    (("`<limit>`", "`<stop>`"), arm(LIMIT + '<stop stiffness="1e4"/>'), []),
    (('`<friction law="stick-slip">`',), arm('<friction law="stick-slip" coulomb="1" static="2"/>'), []),
    (("`<spring>`",), arm('<spring stiffness="1"/>'), []),
    (("`<motor>`",), arm(MOTOR.format("")), []),
    (("`<motor>`", "`<motor inductance>`"), arm(MOTOR.format('inductance="0.01"')), []),
    (("`<motor>`", "`<motor voltage-limit>`"), arm(MOTOR.format('voltage-limit="24"')), []),
    (("`<motor>`", "`<motor current-limit>`"), arm(MOTOR.format('current-limit="5"')), []),
    (("`<motor>`", '`<friction side="motor">`'), arm(MOTOR.format("") + '<friction side="motor" coulomb="1"/>'), []),
    (("`<servo>`",), arm('<servo kp="1"/>'), []),
    (("`<servo>`", "`<servo ki>`"), arm('<servo kp="1" ki="1"/>'), []),
    (("`<servo>`", "`<servo torque-limit>`"), arm('<servo kp="1" torque-limit="9"/>'), []),
    (("`<servo>`", "`<servo torque-limit>`", "`<servo ki>`"),
     arm('<servo kp="1" torque-limit="9" ki="1" antiwindup-time="1"/>'), []),
    (("`<servo>`", "`<servo velocity-limit>`"), arm('<servo kp="1" velocity-limit="9"/>'), []),
    (("`<servo>`", "`<servo effort-time>`"), arm('<servo kp="1" effort-time="1"/>'), []),
    (("`<valve-closure>`",), arm('<valve-closure stiffness="1e4"/>'), []),
    (("`<valve-closure>`", "`<valve-closure time>`"), arm('<valve-closure stiffness="1e4" time="1"/>'), []),
    (("`<line-spring>`",), arm(after='<line-spring name="lsp" from="base" from-xyz="0 0 1" to="ltwo" to-xyz="0 0 0" '
                               'stiffness="1" rest="1"/>'), []),
    (("`<lock>` or `--inputs lock`",), arm('<lock input="true"/>'), []),
    (("`<lock>` or `--inputs lock`", '`signal="real"` or `--inputs lock-real`'), arm('<lock input="true" signal="real"/>'), []),
    (("`<valve-closure>`", '`signal="real"` or `--inputs close-real`'),
     arm('<valve-closure stiffness="1e4" signal="real"/>'), []),
    (("`<base motion>` or `--inputs base`",), arm(base='<base motion="true"/>'), []),
    (("`<link wrench>` or `--wrench`",), arm(link='wrench="true"'), []),
    *(((f"`--outputs {name}`",), arm(), ["--outputs", name])
      for name in ("reactions", "jacobian", "mass-matrix", "poses")),
]


def listed():
    """Elements at joints that no robot above has, each with the numbers that it must have."""
    for element in element_lists.listed("at_joints.h"):
        if element.xml and not any(f"<{element.xml}" in robot for _, robot, _ in UNDRIVEN):
            said = " ".join(f'{xml}="1"' for _, xml, _, _, otherwise, *_ in element.numbers() if otherwise == "REQUIRED")
            if said:
                yield (f"`<{element.xml}>`",), arm(f"<{element.xml} {said}/>"), []


UNDRIVEN += listed()
CONTACT = '<contact name="con" link="ltwo" stiffness="1" {}/>'
CONTACTS = [
    (("`<contact>`",), arm(after=CONTACT.format('radius="0.1" friction="0.5"')), []),
    (("`<contact>`", '`shape="point"`'), arm(after=CONTACT.format('shape="point"')), []),
    (("`<contact>`", '`law="bristle"`'),
     arm(after=CONTACT.format('radius="0.1" friction="0.5" law="bristle" bristle-stiffness="1"')), []),
    (("`<contact>`", "on an obstacle"), arm(after='<obstacle name="ball" shape="sphere" radius="1"/>'
                                            + CONTACT.format('radius="0.1" on="ball"')), []),
    (("`<contact>`", "`--outputs energy`"), arm(after=CONTACT.format('radius="0.1"')), ["--outputs", "energy"]),
]
ARM = UNDRIVEN + [(("`--outputs energy`",), arm(), ["--outputs", "energy"])] + CRANES + CONTACTS
INVERSE = [(features, robot, ["--kind", "inverse", *options]) for features, robot, options in UNDRIVEN + [
    (("a cylinder",), crane("force"), []),
    (("a cylinder", "over one joint"), crane("force", to="lone"), [])]]


def axis(inside, cut):
    size = 'bore="0.1" rod="0.05" closed-length="0.8" stroke="0.5"' if cut == "force" else ""
    return f"""<cylinder name="cyl" cut="{cut}" {size}>{inside}<start pressure-a="5e6" pressure-b="3e6"/></cylinder>"""


AXIS = [
    (('`cut="force"`',), axis(VALVE, "force"), []),
    (('`cut="chamber"`',), axis(VALVE, "chamber"), []),
    (('`cut="chamber"`', "`<pump>`"), axis(VALVE + PUMP, "chamber"), []),
    (('`cut="chamber"`', "`<valve bandwidth>`"), axis(SPOOL, "chamber"), []),
]


def snake(kind="torque", more="", joints=""):
    return f"""<snake name="snake" links="3"><every length="0.2" wheel="0.1" mass="1" inertia="0.005"/>
      <every-joint {joints}/><input kind="{kind}" {more}/><start angles="-0.5 0.5 -0.5"/></snake>"""


SNAKE = [
    ((), snake(), []),
    (('`stops="no"`',), snake(joints='stops="no"'), []),
    (("`--outputs poses`",), snake(), ["--outputs", "poses"]),
    (("`--outputs energy`",), snake(), ["--outputs", "energy"]),
    (('`kind="voltage"`',), snake("voltage", 'resistance="1" torque-constant="0.1"'), []),
    (('`kind="gait"`',), snake("gait", 'amplitude="0.5" frequency="2" stiffness="10"'), []),
    (('`kind="gait"`', "`--inputs gait`"), snake("gait", 'amplitude="0.5" frequency="2" stiffness="10"'),
     ["--inputs", "gait"]),
    (('`kind="prescribed"`',), snake("prescribed", 'joints="1"'), []),
    (('`kind="speeds"`',), snake("speeds"), []),
]


def grounded(law="viscous", more="", kind="torque"):
    return f"""<snake name="snake" links="3"><every length="0.2" mass="1" inertia="0.005" radius="0.02"/>
      <every-joint stops="no"/><ground law="{law}"/>{more}<input kind="{kind}" {GAIT if kind == "gait" else ""}/>
      <start angles="-0.5 0.5 -0.5"/></snake>"""


GAIT = 'amplitude="0.5" frequency="2" stiffness="10" torque-limit="3"'
TOLD = 'amplitude="0.5" frequency="2" drive="prescribed"'
TOUCH = '<contact stiffness="3000"/>'
GROUNDED = [
    (('`law="viscous"`',), grounded(), []),
    (('`law="coulomb"`',), grounded("coulomb"), []),
    (('`law="wheel"`',), grounded("wheel"), []),
    (('`law="ideal"`',), grounded("ideal"), []),
    (('`law="viscous"`', '`kind="gait"`'), grounded(kind="gait"), []),
    (('`law="viscous"`', '`shape="disc"`'), grounded(more='<patch name="ice" shape="disc" x="9" radius="0.3" edge="0.05"/>'), []),
    (('`law="viscous"`', '`shape="rectangle"`'),
     grounded(more='<patch name="ice" shape="rectangle" x="9" width="1" height="1" edge="0.05"/>'), []),
    (('`law="viscous"`', "`<peg>`"), grounded(more=TOUCH + '<peg name="stake" x="9" y="9" radius="0.1"/>'), []),
    (('`law="viscous"`', "`<wall>`"), grounded(more=TOUCH + '<wall name="fence" x="9" y="9" normal="0 1"/>'), []),
    (('`law="viscous"`', "`--outputs reactions`"), grounded(), ["--outputs", "reactions"]),
    (('`law="viscous"`', "`--outputs energy`"), grounded(), ["--outputs", "energy"]),
    (('`law="viscous"`', '`kind="gait"`', '`drive="prescribed"`'), grounded(kind="gait").replace(GAIT, TOLD), []),
    (('`law="viscous"`', "`--outputs work`"), grounded(), ["--outputs", "work"]),
]



def mechanism(kind, more="", after="", inside=""):
    """A joint of this type, with one that slides behind it."""
    link = 'mass="1" com="0.1 0 0" inertia="1 1 1 0 0 0"'
    return f"""<arm name="arm" convention="standard" gravity="0 -9.81 0">
      <joint name="jany" type="{kind}" a="1" {more}>{inside}<link name="lone" {link}/></joint>
      <joint name="jslide" type="prismatic"><link name="ltwo" {link}/></joint>{after}</arm>"""


LOOP = '<loop name="tie" type="{}" from="base" from-xyz="{} 0" to="ltwo" to-xyz="0 0 0" {}/>'
MECHANISMS = [
    *(((f"joints `{kind}`",), mechanism(kind), []) for kind in ("floating", "planar", "spherical")),
    (("joints `spherical`", "`<stop cone>`"), mechanism("spherical", inside='<stop cone="0.5" stiffness="10"/>'), []),
    (("joints `screw`",), mechanism("screw", 'pitch="0.1"'), []),
    (("`<loop>`",), mechanism("revolute", after=LOOP.format("distance", "0.6 0.3", 'length="0.5"')), []),
    (("`<loop>`", "`--outputs reactions`"), mechanism("revolute", after=LOOP.format("distance", "0.6 0.3", 'length="0.5"')),
     ["--outputs", "reactions"]),
]

KINDS = [
    Kind("Arms", "From `<arm>` and URDF: efforts in, motion out. `<j>` and `<k>` are joints, `<l>` is a link, `<c>` a "
         "cylinder or a contact, `<s>` a line spring.", ARM),
    Kind("Arms, inverse", "`--kind inverse`: motion in, efforts out.", INVERSE, "Arms"),
    Kind("Mechanisms", "Arms with [joints of several freedoms](free-bases.md) and screws, or with [closed loops](loops.md). `<p>` is a loop. "
         "Positions and velocities of joints that loops determine are outputs.", MECHANISMS, "Arms"),
    Kind("Snakes", "From `<snake>`. `<i>` counts links, wheels and joints from 1. Where it says link 1, of `speed`, `rate` and "
         "what belongs to them, it is the snake's `base`.", SNAKE),
    Kind("Snakes on real ground", "From `<snake>` with `<ground>`, or with a slope, patches or obstacles ([snakes](snakes.md#which-ground)). `<n>` is a "
         "patch, a peg or a wall. `speed` and `rate` are states on ideal wheels, and outputs where links slide; `link<i>.rate` and `velocity` the "
         "other way round.", GROUNDED, "Snakes"),
    Kind("Hydraulic axes", "From `<cylinder>` as the root element: the other side of an arm's cut.", AXIS),
]

# ---------------------------------------------------------------------------------------- variables


@dataclasses.dataclass
class Row:
    """A variable, or several that differ in an index, an axis or the type of their joint."""

    role: str
    causality: str
    name: str
    unit: str
    meaning: str
    when: str = ""

    def key(self):
        return self.role, self.causality, self.name, self.meaning


SIGNS = {"jturn": "<j>", "jany": "<j>", "jslide": "<j>", "lone": "<l>", "ltwo": "<l>", "cyl": "<c>", "con": "<c>", "lsp": "<s>", "tie": "<p>",
         "ice": "<n>", "stake": "<n>", "fence": "<n>"}


def general(name):
    """A variable's name without those of this robot's joints and links."""
    name = re.sub(r"^mass_matrix\..*", "mass_matrix.<j>.<k>", name)
    name = re.sub("|".join(rf"\b{word}\b" for word in SIGNS), lambda match: SIGNS[match[0]], name)
    return re.sub(r"\b(joint|link|wheel)[1-3]\b", r"\1<i>", name)


def general_meaning(text, name):
    """A description likewise. Of arms' joints the same is said, whether they turn or slide."""
    text = re.sub("|".join(rf"\b{word}\b" for word in SIGNS), lambda match: SIGNS[match[0]], text)
    if "<i>" in name:
        text = re.sub(r"\b(joint|link|wheel) [1-3]\b", r"\1 <i>", text)
    if name == "mass_matrix.<j>.<k>":
        text = re.sub(r"<j>(?!.*<j>)", "<k>", text)
    text = re.sub(r"^(Angle|Distance) (of joint <j>)(?! about)", r"Angle or distance \2", text)
    text = re.sub(r"^Cylinder <c>: ", "", text)
    return text[:1].upper() + text[1:]


def role_of(variable, states):
    if variable.name in states:
        return "States"
    return {"parameter": "Parameters", "structuralParameter": "Parameters", "input": "Inputs", "output": "Outputs",
            "local": "Local variables", "independent": "Outputs"}[variable.causality]


def rows_of(fmu):
    """The variables of an FMU by their keys, and the joints, if it is of joints, that have each."""
    description = read_model_description(str(fmu), validate=False)
    states = {unknown.variable.derivative.name for unknown in description.derivatives}
    rows, joints = {}, {}
    for variable in description.modelVariables:
        unit = variable.unit or getattr(variable.declaredType, "unit", None)
        unit = {"Float64": unit or "1", "Int32": "integer", "Boolean": "boolean"}[variable.type]
        name = general(variable.name)
        new = Row(role_of(variable, states), f"{variable.causality}, {variable.variability}", name, unit,
                  general_meaning(variable.description, name))
        row = rows.setdefault(new.key(), new)
        row.unit = union(row.unit, unit)
        joint = re.match(r"joint\.(jturn|jslide)\.", variable.name)
        joints.setdefault(new.key(), set()).add(joint[1] if joint else "")
    return rows, joints


def union(left, right):
    """Two units, or two lists of them, as one list."""
    return " or ".join(dict.fromkeys(left.split(" or ") + right.split(" or ")))


def found(kind, export):
    """The rows of a kind of FMU, each with when it is there. `export(robot's XML, options)` makes an FMU."""
    rows, joints, having = {}, {}, {}
    for features, robot, options in kind.robots:
        here, of = rows_of(export(robot, options))
        for key, row in here.items():
            first = rows.setdefault(key, row)
            first.unit = union(first.unit, row.unit)
            joints.setdefault(key, set()).update(of[key])
            having.setdefault(key, set()).add(features)
    every = {features for features, _, _ in kind.robots}
    for key, row in rows.items():
        only = {("jturn",): ["joints that turn"], ("jslide",): ["joints that slide"]}.get(tuple(joints[key]), [])
        there = "; ".join(condition((), having[key], every))
        row.when = ", ".join(only + ([there] if there else []))
    return list(rows.values())


def condition(place, having, every):
    """In words, which of the robots whose features begin with `place` have a variable: a list of alternatives."""
    below = under(place, every)
    if place in having or below <= having:
        return [", ".join([*place[-1:], *("not " + word for word in exceptions(place, having, every))])]
    return [word for part in parts(place, below) for word in condition(part, having, every)]


def exceptions(place, having, every):
    lacking = []
    for part in parts(place, under(place, every)):
        lacking += exceptions(part, having, every) if under(part, every) & having else [part[-1]]
    return lacking


def under(place, every):
    return {features for features in every if features[:len(place)] == place}


def parts(place, below):
    """The places one step below."""
    return sorted({features[:len(place) + 1] for features in below if len(features) > len(place)})


LAST = re.compile(r"^(.*?)([._]?)([xyzw]|xx|yy|zz|xy|xz|yz|a|b)$")


def joined(rows):
    """Rows of which the last part of the name counts axes, as one row each."""
    result = []
    for row in rows:
        match = LAST.match(row.name)
        stem = match and match[1] + match[2]
        last = result[-1] if result else None
        if last and match and getattr(last, "stem", None) == stem and same_but(last, row):
            last.parts.append(match[3])
            last.meanings.append(row.meaning)
        else:
            row.stem, row.parts, row.meanings = stem, [match[3]] if match else [], [row.meaning]
            result.append(row)
    return result


def same_but(left, right):
    """Whether two rows say the same but for an axis."""
    same = (left.role, left.causality, left.unit, left.when) == (right.role, right.causality, right.unit, right.when)
    words = [re.findall(r"\S+", row) for row in (left.meanings[0], right.meaning)]
    return same and len(words[0]) == len(words[1]) and sum(a != b for a, b in zip(*words)) <= 1


def meaning(row):
    words = [re.findall(r"\S+", text) for text in row.meanings]
    return " ".join(several(list(dict.fromkeys(place))) for place in zip(*words))


def several(words):
    """One word, or the differing ones: x, y, z."""
    comma = "," if words[0].endswith(",") else ""
    return words[0] if len(words) == 1 else ", ".join(word.rstrip(",") for word in words) + comma


def shown_name(row):
    first = f"`{row.stem}{row.parts[0]}`" if row.parts else f"`{row.name}`"
    mark = re.search(r"[._]?$", row.stem)[0] if row.stem else ""
    return " ".join([first, *(f"`{mark}{part}`" for part in row.parts[1:])])


# --------------------------------------------------------------------------------------------- page

HEAD = """\
# Variables

After this page you know every variable that an FMU of Forearm can have: its unit, what may be done with it, its sign, and
what a robot must have for it to be there. `forearm inspect FILE` lists those of one robot, with values.

This page is made from the program's own table of variables; `FOREARM_UPDATE=1 ctest --preset dev -R variables` makes it
anew, and a test fails where it is not what the program says. [robot-file.md](robot-file.md) explains the elements named in the
third column, [actuators.md](actuators.md), [hydraulics.md](hydraulics.md) and [snakes.md](snakes.md) the models behind them.

* **Signs.** An effort is positive when it increases the joint's position; a cylinder's force when it pushes the piston out; a
  flow when oil enters a chamber; pressures are absolute. Forces and torques on tip and links are those of the
  surroundings on the robot. Vectors are in world axes where nothing else is said, and gravity is the acceleration of free fall.
* **Units** are written as FMUs write them: `N.m` is a newton metre, `m/s2` m/s², `1` a plain number. Where there
  is an "or", the second unit is that of a joint that slides.
* **Names** are dots and words. With `--arrays`, what differs only in `<j>`, `<l>`, `<i>` or an axis is
  [one array](arrays.md).
* An empty third column: it is always there.
* In FMI 2.0 there is no `time` and there are no event indicators among the variables; all else is the same.
"""


def table(rows):
    lines = ["| name | unit | there with | causality, variability | meaning |", "|---|---|---|---|---|"]
    for row in rows:
        cells = [shown_name(row), row.unit, row.when, row.causality, escaped(meaning(row))]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def escaped(text):
    return re.sub(r"<(\w)>", r"‹\1›", text).replace("|", "\\|")


def page(export):
    """The text of docs/variables.md."""
    lines, rows = [HEAD], {}
    for kind in KINDS:
        rows[kind.title] = found(kind, export)
        lines += [f"## {kind.title}", "", kind.lead, ""]
        shown = rows[kind.title]
        if kind.beside:
            shown, sentence = compared(shown, rows[kind.beside])
            if kind.robots in (MECHANISMS, GROUNDED):
                sentence = "What stands above is not listed again."
            lines += [sentence, ""]
        for role in ROLES:
            some = joined([row for row in shown if row.role == role])
            if some:
                lines += [f"### {role}", "", *table(some), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def compared(rows, others):
    """The rows that are not among others, and a sentence on the parameters that are the same or are lacking."""
    keys, known = {row.key() for row in rows}, {row.key() for row in others}
    names = {row.name for row in rows}
    lacking = [row.name for row in others if row.role == "Parameters" and row.name not in names]
    lacking = [name for name in lacking if not re.match(r"(cylinder|supply)\b", name)]
    same = sum(key in known for key in keys)
    sentence = (f"It shares {same} of the variables above, which are not listed again: what is said there holds. Of cylinders "
                "it has lengths, velocities and levers; and it has none of the parameters "
                + ", ".join(f"`{name}`" for name in dict.fromkeys(lacking)) + ".")
    return [row for row in rows if row.key() not in known], textwrap.fill(sentence, 120, break_on_hyphens=False)
