#!/usr/bin/env python3
"""Holds an FMU against the rules that hosts need and no validator looks at.

    python3 check_description.py FILE.fmu...

Each check is a generator of sentences; what it yields is wrong. The rules and their numbers are
those of docs/hosts.md. What only a running FMU shows is in test_dependencies.py.
"""

import hashlib
import re
import sys
import xml.etree.ElementTree as ET
import zipfile
import zlib

SEGMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
TYPES = {"2.0": {"Real", "Integer", "Boolean"}, "3.0": {"Float64", "Int32", "Boolean"}}
PLATFORMS = {
    "2.0": {"linux64", "win64", "darwin64", "aarch64-linux"},
    "3.0": {"x86_64-linux", "aarch64-linux", "x86_64-windows", "x86_64-darwin", "aarch64-darwin"},
}
# Words of Modelica, into which one host turns the names; it also adds variables of its own.
MODELICA = set("""algorithm and annotation assert block break class connect connector constant
constrainedby der discrete each else elseif elsewhen encapsulated end enumeration equation
expandable extends external false final flow for function if import impure in initial inner input
loop model not operator or outer output package parameter partial protected public pure record
redeclare replaceable return stream then true type when while within""".split())
WRAPPER = re.compile(r"logLevel$|debugLogging$|fmi_|flow")

ABILITIES = {
    ("3.0", "ModelExchange"): {
        "canGetAndSetFMUState": "true", "canSerializeFMUState": "true",
        "providesDirectionalDerivatives": "true", "providesAdjointDerivatives": "true",
        "needsExecutionTool": "false",
        "canBeInstantiatedOnlyOncePerProcess": "false", "needsCompletedIntegratorStep": "false"},
    ("3.0", "CoSimulation"): {
        "canGetAndSetFMUState": "true", "canSerializeFMUState": "true",
        "providesDirectionalDerivatives": "true", "providesAdjointDerivatives": "true",
        "needsExecutionTool": "false",
        "canBeInstantiatedOnlyOncePerProcess": "false",
        "canHandleVariableCommunicationStepSize": "true", "maxOutputDerivativeOrder": "1"},
    ("2.0", "ModelExchange"): {
        "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true",
        "providesDirectionalDerivative": "true", "needsExecutionTool": "false",
        "canBeInstantiatedOnlyOncePerProcess": "false",
        "completedIntegratorStepNotNeeded": "true"},
    ("2.0", "CoSimulation"): {
        "canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true",
        "providesDirectionalDerivative": "true", "needsExecutionTool": "false",
        "canBeInstantiatedOnlyOncePerProcess": "false",
        "canHandleVariableCommunicationStepSize": "true", "maxOutputDerivativeOrder": "1",
        "canInterpolateInputs": "true", "canNotUseMemoryManagementFunctions": "true"},
}
CATEGORIES = {"logStatusError", "logStatusWarning", "logStatusDiscard", "logEvents"}


class Variable:
    """One variable of either version, under the attribute names of FMI 3.0."""

    def __init__(self, element):
        self.attributes = dict(element.attrib)
        self.kind = element.tag
        if element.tag == "ScalarVariable":
            inner = next(iter(element))
            self.kind = inner.tag
            self.attributes.update(inner.attrib)
        self.children = [child.tag for child in element
                         if child.tag not in TYPES["2.0"] and child.tag != "Dimension"]
        self.dimensions = [dict(child.attrib) for child in element if child.tag == "Dimension"]
        self.name = element.get("name")
        self.reference = int(element.get("valueReference"))
        self.causality = element.get("causality", "local")

    def get(self, name):
        return self.attributes.get(name)

    def number(self, name):
        numbers = self.numbers(name)
        return numbers[0] if numbers else None

    def numbers(self, name):
        """The value of each element; none where the attribute is missing."""
        words = (self.get(name) or "").split()
        return [{"true": 1.0, "false": 0.0}[word] if word in ("true", "false") else float(word)
                for word in words]


class Unknown:
    """An entry of ModelStructure; dependencies are None where the file leaves them open."""

    def __init__(self, element):
        self.reference = int(element.get("valueReference") or element.get("index"))
        listed = element.get("dependencies")
        self.dependencies = None if listed is None else [int(word) for word in listed.split()]
        kinds = element.get("dependenciesKind")
        self.kinds = kinds.split() if kinds is not None else ["dependent"] * len(
            self.dependencies or [])


class Description:
    """modelDescription.xml of either version."""

    def __init__(self, text):
        self.root = ET.fromstring(text)
        self.version = self.root.get("fmiVersion")
        self.variables = [Variable(e) for e in self.root.find("ModelVariables")]
        self.at = {v.reference: v for v in self.variables}
        self.named = {v.name: v for v in self.variables}
        self.arrays = any(v.dimensions for v in self.variables)
        structure = self.root.find("ModelStructure")
        if self.version == "2.0":
            groups = ["Outputs", "Derivatives", "InitialUnknowns"]
            lists = [[Unknown(e) for e in structure.findall(f"{g}/Unknown")] for g in groups]
            self.indicators = []
        else:
            groups = ["Output", "ContinuousStateDerivative", "InitialUnknown", "EventIndicator"]
            lists = [[Unknown(e) for e in structure.findall(g)] for g in groups]
            self.indicators = lists[3]
        self.outputs, self.derivatives, self.initial_unknowns = lists[:3]

    def states(self):
        """States in the order of their derivatives."""
        return [self.at[int(self.at[d.reference].get("derivative"))] for d in self.derivatives]

    def switches(self):
        """By itself, or because the host says so."""
        return self.indicators or any(
            v.causality == "input" and v.get("variability") == "discrete" for v in self.variables)

    def notes(self):
        """Whether it has flags that are renewed after each step and end none: those of a snake."""
        return any(v.get("name") == "slipped" for v in self.variables)

    def unit(self, variable):
        """Name of the unit, through the declared type in FMI 3.0."""
        if variable.get("unit"):
            return variable.get("unit")
        for kind in self.root.find("TypeDefinitions"):
            if kind.get("name") == variable.get("declaredType"):
                return kind.get("unit") or next(iter(kind)).get("unit")
        return None

    def exponents(self, unit):
        """Exponents of SI base units, without those that are zero."""
        for definition in self.root.iter("Unit"):
            if definition.get("name") == unit:
                return {k: int(v) for k, v in definition.find("BaseUnit").attrib.items() if int(v)}
        return None


def size_of(d, variable):
    """How many elements a variable has, the structural parameter being as it starts."""
    size = 1
    for dimension in variable.dimensions:
        by = dimension.get("valueReference")
        size *= int(dimension.get("start") if by is None else d.at[int(by)].get("start"))
    return size


def initial_parameters(description):
    """Value references of the parameters from which states start, with the state of each."""
    found = {}
    for state in description.states():
        head, _, tail = state.name.rpartition(".")
        parameter = description.named.get(f"{head}.initial_{tail}" if head else f"initial_{tail}")
        if parameter:
            found[parameter.reference] = state.reference
    return found


# ------------------------------------------------------------------------------------- the checks


def check_head(d):
    root = d.root
    if d.version not in TYPES:
        yield f"fmiVersion is '{d.version}', not 2.0 or 3.0 (rule 3)"
        return
    name = root.get("modelName")
    if not SEGMENT.fullmatch(name or ""):
        yield f"modelName '{name}' is no C identifier (rule 3)"
    for interface in ("ModelExchange", "CoSimulation"):
        element = root.find(interface)
        if element is None:
            yield f"there is no {interface} (rules 9, 18)"
            continue
        if element.get("modelIdentifier") != name:
            yield f"modelIdentifier of {interface} is not modelName (rule 3)"
        for ability, value in ABILITIES[d.version, interface].items():
            if interface == "ModelExchange" and "ompletedIntegratorStep" in ability and d.notes():
                value = {"true": "false", "false": "true"}[value]
            if element.get(ability, "false") != value:
                yield f"{ability} of {interface} is not {value} (rule 9)"
        if element.get("hasEventMode", "false") != "false" and not d.switches():
            yield f"hasEventMode of {interface}, but nothing switches (rule 9)"
    if not root.get("description"):
        yield "there is no description with the robot's own name (rule 3)"
    if root.get("generationDateAndTime"):
        yield "generationDateAndTime makes equal exports differ (rule 10)"
    if not re.fullmatch(r"Forearm \d+\.\d+\.\d+", root.get("generationTool", "")):
        yield "generationTool does not name the version"
    if not re.fullmatch(r"\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}",
                        root.get("guid" if d.version == "2.0" else "instantiationToken") or ""):
        yield "the token is not {8-4-4-4-12}"
    experiment = root.find("DefaultExperiment")
    for attribute in ("startTime", "stopTime", "tolerance", "stepSize"):
        if experiment is None or experiment.get(attribute) is None:
            yield f"DefaultExperiment has no {attribute}"
    categories = {c.get("name") for c in root.iter("Category")}
    for missing in CATEGORIES - categories:
        yield f"log category {missing} is missing (rule 17)"


def check_order(d):
    for position, v in enumerate(d.variables, 1):
        if v.reference != position:
            yield f"{v.name} is number {position} but has value reference {v.reference} (rule 2)"
    for v in d.variables:
        if v.get("derivative") and int(v.get("derivative")) >= v.reference:
            yield f"{v.name} is declared before the state whose derivative it is (rule 2)"
    independent = [v for v in d.variables if v.causality == "independent"]
    if d.version == "2.0":
        if independent or "time" in d.named:
            yield "FMI 2.0 has a variable for time (rules 2, 22)"
        if int(d.root.get("numberOfEventIndicators", 0)) < 0:
            yield "numberOfEventIndicators is negative"
    else:
        if [v.name for v in independent] != ["time"] or d.variables[-1].name != "time":
            yield "the last variable is not time, the only independent one (rule 2)"
        before = [v.reference for v in d.variables[-1 - len(d.indicators):-1]]
        if [i.reference for i in d.indicators] != before:
            yield "event indicators do not stand just before time (rule 2)"


def check_names(d):
    seen = {}
    for v in d.variables:
        if not all(SEGMENT.fullmatch(part) for part in v.name.split(".")):
            yield f"'{v.name}' is not made of identifiers joined by dots (rule 5)"
        flat = v.name.replace(".", "_")
        if flat in seen:
            yield f"'{v.name}' and '{seen[flat]}' are one name after '.' became '_' (rule 5)"
        seen[flat] = v.name
        if flat in MODELICA or WRAPPER.match(flat):
            yield f"'{v.name}' is a word that a host keeps for itself (rule 5)"
        if v.name in MODELICA:
            yield f"'{v.name}' is a word of Modelica (rule 5)"
        if not v.get("description"):
            yield f"'{v.name}' has no description"


def check_kinds(d):
    legal = {"structuralParameter": {"fixed"} if d.arrays else set(),
             "parameter": {"fixed", "tunable"}, "input": {"continuous", "discrete"},
             "output": {"continuous", "discrete"}, "local": {"continuous", "discrete"},
             "independent": {"continuous"}}
    initial = {"structuralParameter": {"exact"}, "parameter": {"exact"}, "output": {"calculated"}, "local": {"calculated"},
               "input": {None} if d.version == "2.0" else {None, "exact"}, "independent": {None}}
    for v in d.variables:
        if v.kind not in TYPES[d.version] | ({"UInt64"} if d.arrays else set()):
            yield f"{v.name} is of type {v.kind}, which is not in the baseline (rules 1, 22)"
        if v.children:
            yield f"{v.name} has {v.children[0]} (rules 1, 4)"
        if v.causality not in legal:
            yield f"{v.name} has causality {v.causality} (rule 1)"
            continue
        if v.get("variability") not in legal[v.causality]:
            yield f"{v.name} has variability {v.get('variability')} (rule 22)"
        if v.get("initial") not in initial[v.causality]:
            yield f"{v.name} has initial {v.get('initial')} (rule 21)"
        if v.get("variability") == "tunable" and v.name.startswith(("link.", "joint.", "gravity.")):
            yield f"{v.name} identifies the robot but is tunable (rule 6)"
        if v.get("reinit") and not d.switches():
            yield f"{v.name} may be reset, but nothing switches (rule 20)"


def check_arrays(d):
    """Rule 20, and what docs/arrays.md says."""
    counts = [v for v in d.variables if v.causality == "structuralParameter"]
    if (counts or d.arrays) and d.version == "2.0":
        yield "FMI 2.0 has neither arrays nor structural parameters"
    if [v.reference for v in counts] not in ([], [1]):
        yield "the structural parameter is not the first variable"
    for v in counts:
        if v.kind != "UInt64" or v.number("min") is None or v.number("max") is None:
            yield f"{v.name} is no UInt64 with bounds (rule 20)"
    for v in d.variables:
        sized = [dim for dim in v.dimensions if "valueReference" in dim]
        if any(set(dim) not in ({"start"}, {"valueReference"}) for dim in v.dimensions):
            yield f"{v.name} has a dimension that is not one number"
        if any(int(dim["valueReference"]) != 1 for dim in sized) or (sized and not counts):
            yield f"{v.name} is sized by something that is no structural parameter"
        size, given = size_of(d, v), len(v.numbers("start"))
        if given > 1 and given != size or given == 1 and size > 1 and not sized:
            yield f"{v.name} has {size} elements and {given} start values"
        if sized and given > 1 and len(set(v.numbers("start"))) == 1:
            yield f"{v.name} has equal start values, of which one would do (rule 20)"
        if v.dimensions and "." in v.name and re.search(r"\d+$", v.name.split(".")[0]):
            yield f"{v.name} is an array of what is counted in its name"
    for v in d.variables:
        if v.get("derivative"):
            state = d.at[int(v.get("derivative"))]
            if state.dimensions != v.dimensions:
                yield f"{v.name} and its state are not of one size"


def check_values(d):
    states = {s.reference for s in d.states()}
    for v in d.variables:
        starts = v.numbers("start")
        given = ("parameter", "input", "structuralParameter")
        if v.causality in given:
            if not starts:
                yield f"{v.name} has no start value (rule 8)"
                continue
        elif starts:
            yield f"{v.name} is calculated but has a start value (rule 21)"
        low, high = v.number("min"), v.number("max")
        mode = v.kind in ("Integer", "Int32") and v.get("variability") == "discrete"
        if v.causality not in given and not mode and (low is not None or high is not None):
            yield f"{v.name} has bounds, which belong to parameters, inputs and modes"
        if low is not None and high is not None and low > high:
            yield f"{v.name} has min {low} above max {high}"
        for start in starts:
            if low is not None and start < low:
                yield f"{v.name} starts at {start}, below its min {low}"
            if high is not None and start > high:
                yield f"{v.name} starts at {start}, above its max {high}"
        nominal = v.number("nominal")
        if nominal is not None and not nominal > 0:
            yield f"{v.name} has the nominal {nominal} (rule 9)"
        if nominal == 1:
            yield f"{v.name} says the nominal that it has anyway, which one host does not know (rule 9)"


def check_units(d):
    types = {t.get("name") for t in d.root.find("TypeDefinitions")}
    units = [u.get("name") for u in d.root.iter("Unit")]
    if len(units) != len(set(units)):
        yield "a unit is defined twice"
    if types & set(d.named):
        yield f"a type has the name of a variable: {types & set(d.named)}"
    used = set()
    for v in d.variables:
        if d.version == "3.0" and (v.get("unit") or v.get("displayUnit")):
            yield f"{v.name} has its unit beside its type, which crashes a host (rule 4)"
        if v.get("declaredType") and v.get("declaredType") not in types:
            yield f"{v.name} is of the type {v.get('declaredType')}, which is not defined"
        unit = d.unit(v)
        used.add(unit)
        if unit and unit not in units:
            yield f"{v.name} has the unit {unit}, which is not defined"
    for unused in set(units) - used:
        yield f"the unit {unused} is defined but used nowhere"
    for v in d.variables:
        if not v.get("derivative"):
            continue
        if v.dimensions and not d.unit(v):
            continue  # elements of several units
        of = dict(d.exponents(d.unit(d.at[int(v.get("derivative"))])) or {})  # None: no unit
        of["s"] = of.get("s", 0) - 1
        if d.exponents(d.unit(v)) != {k: e for k, e in of.items() if e}:
            yield f"{v.name} does not have the unit of its state per second"


def check_states(d):
    states = d.states()
    if [s.reference for s in states] != sorted(s.reference for s in states):
        yield "derivatives are not listed in the order of their states"
    if {v.reference for v in d.variables if v.get("derivative")} != {
            u.reference for u in d.derivatives}:
        yield "ModelStructure does not list exactly the variables that are derivatives"
    for state in states:
        if state.causality != "output":
            yield f"state {state.name} is no output"
    for missing in {s.reference for s in states} - set(initial_parameters(d).values()):
        if d.at[missing].name.startswith("energy."):
            continue  # accounts, opened with nothing in them
        yield f"state {d.at[missing].name} has no parameter to start from (rule 21)"


def check_structure(d):
    outputs = [v.reference for v in d.variables if v.causality == "output"]
    if [u.reference for u in d.outputs] != outputs:
        yield "ModelStructure does not list every output once, in order (rule 7)"
    expected = sorted(set(outputs) | {u.reference for u in d.derivatives})
    if [u.reference for u in d.initial_unknowns] != expected:
        yield "InitialUnknowns are not every output, state and derivative once, in order (rule 7)"
    starts = initial_parameters(d)
    states = {s.reference for s in d.states()}
    for phase, unknowns in (("simulation", d.outputs + d.derivatives + d.indicators),
                            ("initialisation", d.initial_unknowns)):
        for u in unknowns:
            name = d.at[u.reference].name
            if u.dependencies is None:
                yield f"{name} does not say what it depends on (rule 7)"
                continue
            if u.dependencies != sorted(set(u.dependencies)):
                yield f"dependencies of {name} are not in order, each once"
            if len(u.kinds) != len(u.dependencies):
                yield f"{name} has {len(u.dependencies)} dependencies of {len(u.kinds)} kinds"
            if set(u.kinds) - {"dependent", "constant"}:
                yield f"{name} has dependencies of the kinds {set(u.kinds)}"
            for k in u.dependencies:
                yield from check_known(d, phase, name, d.at[k], k in states, k in starts)
    yield from check_phases(d, starts, states)


def check_known(d, phase, name, known, is_state, is_start):
    if phase == "initialisation":
        if known.causality not in ("parameter", "input", "independent"):
            yield f"at the start {name} depends on {known.name}, which is not known then (rule 7)"
    elif is_start:
        yield f"{name} depends on {known.name}, which has no effect after the start (rule 7)"
    elif known.causality == "parameter" and d.version == "2.0":
        yield f"{name} depends on the parameter {known.name}, which FMI 2.0 does not list"
    elif not is_state and known.causality not in ("parameter", "input", "independent"):
        yield f"{name} depends on {known.name}, which is not known (rule 7)"


def check_phases(d, starts, states):
    """Initial values stand for their states: both phases tell the same story."""
    initial = {u.reference: u for u in d.initial_unknowns}
    for u in d.outputs + d.derivatives:
        name = d.at[u.reference].name
        if u.reference in states and u.dependencies != [u.reference]:
            yield f"state {name} depends on something else than itself (rule 7)"
        at_start = initial.get(u.reference)
        if u.dependencies is None or at_start is None or at_start.dependencies is None:
            continue
        seen = {starts.get(k, k) for k in at_start.dependencies}
        if d.version == "2.0":
            seen = {k for k in seen if d.at[k].causality != "parameter"}
        # Accounts of energy are opened with nothing in them, so that nothing stands for them.
        accounts = {k for k in u.dependencies if d.at[k].name.startswith("energy.") and k not in starts.values()}
        if seen != set(u.dependencies) - accounts:
            names = sorted(d.at[k].name for k in seen ^ (set(u.dependencies) - accounts))
            yield f"{name} depends on {names} in one phase only (rule 7)"


DESCRIPTION_CHECKS = [check_head, check_order, check_names, check_kinds, check_arrays, check_values, check_units,
                      check_states, check_structure]


def check_sources(archive, d, names):
    """A source-code FMU: what it lists is there, and includes nothing from elsewhere (rule 15)."""
    listed = [f.get("name") for i in ("ModelExchange", "CoSimulation")
              for f in d.root.findall(f"{i}/SourceFiles/File")]
    if "sources/buildDescription.xml" in names:
        build = ET.fromstring(archive.read("sources/buildDescription.xml"))
        listed += [f.get("name") for f in build.iter("SourceFile")]
        for configuration in build:
            if configuration.get("modelIdentifier") != d.root.get("modelName"):
                yield "buildDescription.xml is for another modelIdentifier (rule 15)"
    compiled = {n.removeprefix("sources/") for n in names if n.endswith(".c")}
    if set(listed) != compiled or any(listed.count(n) > 2 for n in listed):
        yield f"sources {sorted(set(listed) ^ compiled)} are not both listed and there (rule 15)"
    own = {f"fmi{d.version[0]}{part}.h" for part in ("Functions", "FunctionTypes", "PlatformTypes")}
    for name in sorted(names):
        if name.count("/") != 1 or name.split("/")[1].startswith("fmi") and name.endswith(".h"):
            yield f"{name} is in a folder of its own, or the standard's (rule 15)"
        if not name.endswith((".c", ".h")):
            continue
        for included in re.findall(r'^#include "(.*)"', archive.read(name).decode(), re.MULTILINE):
            if f"sources/{included}" not in names and included not in own:
                yield f"{name} includes {included}, which is not there (rule 15)"


def check_terminals(root, d):
    """terminalsAndIcons.xml: what a joint, a cylinder or the tip has is in one plug (rule 16)."""
    names, in_terminal = [], {}
    for terminal in root.iter("Terminal"):
        name = terminal.get("name")
        names.append(name)
        if terminal.get("matchingRule") != "plug":
            yield f"terminal {name} has the matchingRule {terminal.get('matchingRule')} (rule 16)"
        if not SEGMENT.fullmatch(name):
            yield f"the terminal's name {name} is no identifier (rule 16)"
        members = [m.get("memberName") for m in terminal.findall("TerminalMemberVariable")]
        if not members or len(members) != len(set(members)):
            yield f"terminal {name} has the members {members} (rule 16)"
        for member in terminal.findall("TerminalMemberVariable"):
            variable = d.named.get(member.get("variableName"))
            in_terminal[member.get("variableName")] = name
            if member.get("variableKind") != "signal":
                yield f"{member.get('variableName')} is no signal in terminal {name} (rule 16)"
            if variable is None or variable.causality not in ("input", "output"):
                yield f"{member.get('variableName')} of terminal {name} is no input or output (rule 16)"
        if "voltage" in members and not (terminal.get("terminalKind") or "").startswith("forearm."):
            yield f"terminal {name} takes a voltage and has no kind of its own (rule 16)"
    if len(names) != len(set(names)):
        yield "two terminals have one name (rule 16)"
    for v in d.variables:
        last = v.name.rpartition(".")[2]
        plugged = {"torque", "force", "voltage", "position", "velocity", "angle"}
        joint = re.fullmatch(r"joint(\.[^.]+|\d+)\.\w+", v.name)
        told = v.name.startswith("joint.reaction.")  # an array of all joints' reactions, which nobody plugs in
        if joint and not told and last in plugged and v.causality in ("input", "output") and v.name not in in_terminal:
            yield f"{v.name} is in no terminal (rule 16)"
        along = re.fullmatch(r"joint\.[^.]+\.(position|quaternion|velocity|angular_velocity|force|torque)\.[wxyz]|"
                             r"contact\.[^.]+\.(force|slip)\.[xyz]", v.name)
        if along and v.causality in ("input", "output") and v.name not in in_terminal:
            yield f"{v.name} is in no terminal (rule 16)"
        cylinder = re.match(r"cylinder\.([^.]+)\.", v.name)
        if cylinder and v.causality == "input" and f"cylinder_{cylinder[1]}" not in names:
            yield f"cylinder {cylinder[1]} has no terminal (rule 16)"


def check_picture(data):
    """A PNG file that shows something (rule 17)."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        yield "the icon is no PNG file (rule 17)"
        return
    at, pixels = 8, b""
    while at < len(data):
        size, kind = int.from_bytes(data[at:at + 4]), data[at + 4:at + 8]
        if zlib.crc32(data[at + 4:at + 8 + size]) != int.from_bytes(data[at + 8 + size:at + 12 + size]):
            yield f"the icon's part {kind.decode()} is damaged (rule 17)"
        if kind == b"IHDR":
            width, height = (int.from_bytes(data[at + 8 + 4 * i:at + 12 + 4 * i]) for i in (0, 1))
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + size]
        at += 12 + size
    shown = zlib.decompress(pixels)
    if width != height or len(shown) != height * (1 + 4 * width):
        yield "the icon is no square of pixels with red, green, blue and opacity (rule 17)"
    opaque = sum(shown[y * (1 + 4 * width) + 4 * x + 4] > 127 for y in range(height) for x in range(width))
    if not 0.01 < opaque / (width * height) < 0.9:
        yield f"{opaque} of {width * height} pixels of the icon are painted (rule 17)"


def check_icons(archive, d, names):
    if d.version == "2.0":
        if "model.png" not in names:
            yield "model.png is missing (rule 17)"
            return
        yield from check_picture(archive.read("model.png"))
        return
    folder = "terminalsAndIcons/"
    for name in ("terminalsAndIcons.xml", "icon.png", "icon.svg"):
        if folder + name not in names:
            yield f"{folder}{name} is missing (rules 16, 17)"
            return
    yield from check_terminals(ET.fromstring(archive.read(folder + "terminalsAndIcons.xml")), d)
    yield from check_picture(archive.read(folder + "icon.png"))
    if ET.fromstring(archive.read(folder + "icon.svg")).tag != "{http://www.w3.org/2000/svg}svg":
        yield "icon.svg is no SVG file (rule 17)"


ROLES = re.compile("document|requirement|specification|model|parameter|system|testcase|experiment"
                   "(/(smoke-test|validation|uncertainty-analysis))?|result|method|rationale|report|"
                   "request|delivery|configuration|signature|serialized-state(/.*)?|meta-data|other")


def check_references(archive, d, names):
    """What the layered standard FMI-LS-REF says of the files beside its manifest (rule 17)."""
    folder = "extra/org.fmi-standard.fmi-ls-ref/"
    there = {n.removeprefix(folder) for n in names if n.startswith(folder)}
    if not there:
        return
    if "fmi-ls-manifest.xml" not in there:
        yield "extra/ has no fmi-ls-manifest.xml (rule 17)"
        return
    root = ET.fromstring(archive.read(folder + "fmi-ls-manifest.xml"))
    space = "{http://fmi-standard.org/fmi-ls-manifest}fmi-ls-"
    if root.tag != "fmiReferences" or root.get(space + "name") != "org.fmi-standard.fmi-ls-ref" or not (
            root.get(space + "version") and root.get(space + "description")):
        yield "fmi-ls-manifest.xml does not say which layered standard it belongs to (rule 17)"
    listed = {r.get("source") for r in root.findall("Related")}
    if listed != there - {"fmi-ls-manifest.xml"}:
        yield f"{sorted(listed ^ there)} are not both in the manifest and there (rule 17)"
    for related in root.findall("Related"):
        name = related.get("source")
        if not ROLES.fullmatch(related.get("role", "")):
            yield f"{name} has the role {related.get('role')} (rule 17)"
        data = archive.read(folder + name) if name in there else b""
        if related.get("checksumType") != "SHA-256" or (
                related.get("checksum") != hashlib.sha256(data).hexdigest()):
            yield f"{name} is not what its checksum says (rule 17)"
    if "parameters.ssv" in there:
        values = {p.get("name"): p[0].get("value")
                  for p in ET.fromstring(archive.read(folder + "parameters.ssv")).iter(
                      "{http://ssp-standard.org/SSP1/SystemStructureParameterValues}Parameter")}
        wanted = {}
        for v in d.variables:
            if v.causality == "parameter":
                starts = v.get("start").split()  # one may stand for all elements
                wanted[v.name] = " ".join(starts * size_of(d, v) if len(starts) == 1 else starts)
        if "results.csv" in there and "deterministic" in wanted:  # so that the results are those of every processor
            wanted["deterministic"] = "true"
        if values != wanted:
            yield f"parameters.ssv differs from the starts in {sorted(set(values.items()) ^ set(wanted.items()))[:4]} (rule 17)"
    if "results.csv" in there:
        head = archive.read(folder + "results.csv").split(b"\n", 1)[0].decode().split(",")
        outputs = [v.name for v in d.variables if v.causality == "output"]
        if head != ["time", *outputs]:
            yield "results.csv has other columns than time and the outputs (rule 17)"


def check_archive(archive, d):
    """The zip file itself (rules 10, 17)."""
    names = [info.filename for info in archive.infolist()]
    identifier = d.root.get("modelName")
    if len(names) != len(set(names)):
        yield "a file is in the archive twice"
    for needed in ("modelDescription.xml", "resources/robot.forearm", "documentation/index.html",
                   "documentation/licenses/license.txt", "documentation/licenses/license.spdx"):
        if needed not in names:
            yield f"{needed} is missing (rules 10, 17)"
    platforms = {n.split("/")[1] for n in names if n.startswith("binaries/")}
    sources = {n for n in names if n.startswith("sources/")}
    if platforms - PLATFORMS[d.version] or not platforms | sources:
        yield f"binaries are for {sorted(platforms)} (rule 10)"
    yield from check_sources(archive, d, sources)
    yield from check_icons(archive, d, names)
    yield from check_references(archive, d, names)
    for info in archive.infolist():
        name = info.filename
        if name.startswith("binaries/") and name.split("/")[2].partition(".")[0] != identifier:
            yield f"{name} is not called after the modelIdentifier (rule 3)"
        if "\\" in name or name.startswith(("/", "./")) or ".." in name.split("/"):
            yield f"{name} is not a plain path with forward slashes (rule 10)"
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield f"{name} is neither stored nor deflated (rule 10)"
        if info.date_time != (1980, 1, 1, 12, 0, 0):
            yield f"{name} has the time stamp {info.date_time} (rule 10)"
        if info.extra:
            yield f"{name} has extra fields, which may hold times (rule 10)"
        if (info.external_attr >> 16) not in (0o100644, 0o100755):
            yield f"{name} has the mode {info.external_attr >> 16:o} (rule 10)"
        if info.flag_bits & 1:
            yield f"{name} is encrypted"


def check_fmu(path):
    """Everything that is wrong with an FMU, as sentences."""
    with zipfile.ZipFile(path) as archive:
        d = Description(archive.read("modelDescription.xml"))
        faults = [f for check in DESCRIPTION_CHECKS for f in check(d)]
        return faults + list(check_archive(archive, d))


def check_versions_agree(two, three):
    """FMI 2.0 and 3.0 share names, order, references and starts; 3.0 only appends (rule 2)."""
    shared = ("valueReference", "causality", "variability", "start", "min", "max", "nominal",
              "derivative", "declaredType", "description")
    extra = three.variables[len(two.variables):]
    for v in extra:
        if v.causality not in ("local", "independent"):
            yield f"{v.name} is in FMI 3.0 only, but is no indicator and not time"
    for a, b in zip(two.variables, three.variables):
        if a.name != b.name:
            yield f"{a.name} of FMI 2.0 stands where FMI 3.0 has {b.name}"
            return
        for attribute in shared:
            if a.get(attribute) != b.get(attribute):
                yield f"{a.name} differs in {attribute} between FMI 2.0 and 3.0"


if __name__ == "__main__":
    found = {path: check_fmu(path) for path in sys.argv[1:]}
    for path, faults in found.items():
        for fault in faults:
            print(f"{path}: {fault}")
    sys.exit(any(found.values()))
