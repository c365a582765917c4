"""Reads the project's pages: what is in their blocks, and what their remarks say about them.

docs/README.md, "How these pages are kept true", describes the remarks for whoever writes a page.
"""

import dataclasses
import pathlib
import re
import shutil

FENCE = re.compile(r"^( *)```(\S*)\s*$")
REMARK = re.compile(r"^ *<!-- (file|first|lines of):? (.*?) -->\s*$")
PROSE = re.compile(r"<!--.*?-->|^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")

# What is no program on this machine, but one on somebody's: a line that begins so is a command.
PROGRAMS = {"source", "forearm", "fmpy", "omc", "matlab", "cmake", "ctest", "pip"}


@dataclasses.dataclass
class Block:
    """A fence or an indented block; `remarks` are (word, text) of the lines above it, `line` is its first.

    A fence of text right behind one of Python is "printed" by it.
    """

    page: pathlib.PurePath
    line: int
    language: str
    lines: list
    remarks: list

    def __str__(self):
        return f"{self.page}:{self.line}"

    @property
    def text(self):
        return "\n".join(self.lines) + "\n"


@dataclasses.dataclass
class Command:
    """A command with the lines that it prints, None where the page shows none."""

    where: str
    text: str
    code: int = 0
    shown: list | None = None

    @property
    def bare(self):
        return re.sub(r"\s+# .*$", "", self.text, flags=re.MULTILINE)


def pages(root):
    """Pages with commands for users, as paths from the root on."""
    found = [*root.glob("docs/**/*.md"), *root.glob("examples/*/README.md")]
    return sorted(pathlib.PurePath(path.relative_to(root))
                  for path in [root / "README.md", root / "CONTRIBUTING.md", *found])


def blocks(root, page):
    """The page's blocks in their order."""
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    found, remarks, i, after = [], [], 0, 0
    while i < len(lines):
        fence, remark = FENCE.match(lines[i]), REMARK.match(lines[i])
        if fence:
            end = next(k for k in range(i + 1, len(lines)) if re.match(rf"^{fence[1]}```\s*$", lines[k]))
            follows = found and found[-1].language == "python" and not any(lines[after:i])
            language = "printed" if follows and fence[2] == "text" else fence[2] or "text"
            found.append(Block(page, i + 2, language, [line.removeprefix(fence[1]) for line in lines[i + 1:end]],
                               remarks))
            remarks, i = [], end + 1
            after = i
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip()):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(lines[i:end]).rstrip().splitlines()
            found.append(Block(page, i + 1, "indented", [line.strip() for line in text], remarks))
            remarks, i = [], end
        else:
            if remark:
                remarks.append((remark[1], remark[2]))
            i += 1
    if remarks:
        found.append(Block(page, len(lines), "text", [], remarks))
    return found


def is_command(root, line):
    word = line.split(maxsplit=1)[0] if line.split() else ""
    if "/" in word:
        return (root / word).is_file() or word.startswith("build/")
    return word in PROGRAMS or bool(re.fullmatch(r"[a-z][\w.-]*", word) and shutil.which(word))


def commands(root, block):
    """The commands of a block; none where it holds something else."""
    if block.language == "console":
        return console(block)
    if block.language == "indented" and not any(is_command(root, line) for line in block.lines):
        return []
    if block.language not in ("sh", "indented"):
        return []
    joined = block.text.replace("\\\n", "").splitlines()
    strange = [line for line in joined if line.strip() and not is_command(root, line)]
    assert not strange, f"{block}: among commands stands {strange[0]!r}, which is none"
    return [make(block, line) for line in joined if line.strip()]


def console(block):
    """Commands after a dollar sign, each with what it prints; a line that ends in \\ goes on in the next."""
    found = []
    for line in block.lines:
        if found and found[-1].shown == [] and found[-1].text.endswith("\\"):
            found[-1] = make(block, found[-1].text[:-1] + line.strip())
            found[-1].shown = []
        elif line.startswith("$ "):
            found.append(make(block, line[2:]))
            found[-1].shown = []
        else:
            assert found, f"{block}: output without a command"
            found[-1].shown.append(line)
    return found


def make(block, text):
    code = re.search(r"# exit code (\d+)", text)
    return Command(str(block), text, int(code[1]) if code else 0)


def mentions(root, page):
    """Commands of forearm that the page's sentences and table cells name."""
    text = PROSE.sub("", (root / page).read_text(encoding="utf-8"))
    return [code for code in CODE.findall(text) if re.match(r"forearm [a-z]", code)]
