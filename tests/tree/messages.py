#!/usr/bin/env python3
"""Fails on a message that no test provokes, and prints how many there are; --list prints them.

The list comes from the sources: every sentence that is handed to fa_fail, fa_warn and the macros around them below
FOLDERS. A message counts as provoked if it is among the importers' answers in
`tests/bad/expected.txt` and the like, or if a test in C or in Python expects it: whole, or ten letters in a row that no
other message has. That there is not enough memory is what the tests of memory provoke, each allocation in turn. What no
test brings about stands below with its reason."""

import re
import sys

from tree import ROOT, files

FOLDERS = ("import", "model", "solve", "run", "export", "plot", "render", "fmu", "cli", "interface")
CALL = re.compile(r"\b(?:fa_fail|fail|fa_xacro_halt|fa_xacro_mention|halt_at|no_expression|fa_warn|fa_remark|\w*FAIL|\w*WARN)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CONVERSION = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|t)?[diuxXfgeEscp%]")
LETTERS = 10
NOBODY_S = "the gizmo of joint '%s' is worn out; wind it up"  # the check proves on it that it can fail
MEMORY = re.compile(r"not enough memory|no memory")

LONG_PATH = "folders for temporary files have paths of a few dozen letters, and the system's limit is below ours"
WITHOUT = {
    "the events at t = %s s cause each other without end": "a machine that never comes to terms with itself; none is known",
    "the path %s is too long": LONG_PATH,
    "the compiler %s failed%s%.*s": "code that a compiler refuses; what is generated compiles",
    "what the compiler made of the code for this arm and the readable methods differ by %s of the largest torque, more "
    "than rounding explains": "a compiler that calculates wrongly",
    "what the compiler made of the code for this arm answers %d of %d questions": "the same",
    "there are too many sources, or their folder's path is too long": LONG_PATH,
    "cannot make the archive: %s": "faults of libzip beside memory, which the tests of memory bring about",
    "the parameter %s of cylinder '%s' is %s; it must be %s": "the bounds of the description, which refuse it before",
    "the host made a mistake": "it ends a step inwardly, behind the sentence on what the mistake was",
    "it has more than %d triangles; no link needs that": "they take a gigabyte",
    "expanding this takes more than %d MiB; no robot needs that": "the same",
    "the path of '%.200s' is too long": LONG_PATH,
    "the path is too long": "longer paths than systems open; test_fmu_place has the long ones that they do",
    "the file cannot be opened: %s": "test_fmu_place takes the resource away, where no log is heard",
    "the file cannot be read: %s": "a disk that fails while it is read",
    "it cannot be read: %s": "the same",
    "the derivatives of the accelerations are not finite numbers": "test_fmu_numbers counts it among its sentences",
}


def arguments(text, start):
    """What stands between the parenthesis before `start` and the one that closes it."""
    depth, at = 1, start
    while depth:
        if text[at] == '"':
            at = LITERAL.match(text, at).end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1]


def unescaped(literal):
    return literal.replace('\\"', '"').replace("\\\\", "\\")


def messages(path):
    """(line, format) of each message in a source: of each call the first string, where it has more than one word."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for call in CALL.finditer(text):
        before = text[text.rfind("\n", 0, call.start()) + 1 : call.start()]
        if "#define" in before or "//" in before:
            continue
        inside = re.sub(r"(?m)//.*$", "", arguments(text, call.end()))
        message, end = "", None
        for literal in LITERAL.finditer(inside):
            between = "" if end is None else inside[end : literal.start()].strip()
            if re.fullmatch(r"PRI[diuxX]\w+", between):  # of <inttypes.h>
                between, message = "", message + "u"
            if between:
                break
            message, end = message + literal.group(1), literal.end()
        if " " in message:
            yield text.count("\n", 0, call.start()) + 1, unescaped(message)


def windows(message):
    """All runs of LETTERS letters that a message has of its own, between what is put into it."""
    own = [piece.strip() for piece in CONVERSION.split(message)]
    return {piece[i : i + LETTERS] for piece in own for i in range(len(piece) - LETTERS + 1)}


def pattern(message, anything):
    return anything.join(re.escape(piece) for piece in CONVERSION.split(message))


def read(*patterns):
    return "\n".join((ROOT / path).read_text(encoding="utf-8") for path in files(*patterns))


def expected():
    """Everything that tests in C and Python expect to read: strings that are continued are one."""
    sources = read(*(f"tests/{folders}*.{kind}" for folders in ("", "*/", "*/*/") for kind in ("c", "h", "inc")), "tests/python/*.py", "tests/python/*/*.py").replace('\\"', "'")
    return re.sub(r'"\s*f?"', "", sources).replace("'", '"')


def main():
    found = [(path, line, message) for path in files("*.c") if path.parts[0] in FOLDERS
             for line, message in messages(path)]
    answers = read("tests/bad/expected.txt", "tests/*.expected.txt", "tests/urdf/expected.txt")
    text = expected()
    lines = text.splitlines()
    holders = {}
    for _, _, message in found:
        for window in windows(message):
            holders.setdefault(window, set()).add(message)
    if "--list" in sys.argv:
        print("\n".join(sorted(f"{path}:{line}: {message}" for path, line, message in found)))

    def lines_with(piece):
        return [line for line in lines if piece in line] if piece in text else []

    def provoked(message):
        if re.search(f"(?m): (warning: )?{pattern(message, '.*')}$", answers):
            return True
        if any(window in text and len(holders[window]) == 1 for window in windows(message)):
            return True
        anything = "[^\n]{0,120}?"
        whole = pattern(message.replace("'", '"'), anything)
        while whole.endswith(anything):
            whole = whole.removesuffix(anything)
        if len(message) <= LETTERS:
            return False
        longest = max(CONVERSION.split(message.replace("'", '"')), key=len)  # a search for a pattern takes far longer
        return any(re.search(whole, line) for line in lines_with(longest))

    if provoked(NOBODY_S):
        print("a message that is nowhere counts as provoked")
        return True
    lost = [(path, line, message) for path, line, message in found
            if message not in WITHOUT and not MEMORY.search(message) and not provoked(message)]
    for path, line, message in lost:
        print(f"{path}:{line}: no test provokes '{message}'; put a file into tests/bad, or expect it in a test")
    all_of = {message for _, _, message in found}
    for message in WITHOUT.keys() - all_of:
        print(f"'{message}' is no longer there; take it out of the list of those without a test")
    memory = sum(MEMORY.search(message) is not None for _, _, message in found)
    without = sum(message in WITHOUT for _, _, message in found)
    print(f"{len(found)} messages: {len(found) - memory - without - len(lost)} that tests expect, {memory} on memory, "
          f"{without} that nothing brings about, {len(lost)} without a test")
    return bool(lost or WITHOUT.keys() - all_of or len(found) < 400)


if __name__ == "__main__":
    sys.exit(main())
