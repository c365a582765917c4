#!/usr/bin/env python3
"""Fails on a page that names a file of this project that is not there, on a link to a heading that
is not there, and on a page of docs/ that no way leads to from docs/README.md.

A line that says "planned" may name what is still to come.
"""

import pathlib
import posixpath
import re
import sys

from tree import ROOT, files

TOPS = "model|solve|lawc|fmu|import|export|raster|plot|render|cli|resources|tests|bench|python|examples|docs|cmake|scripts"
NAMED = re.compile(rf"(?<![\w/.<-])((?:{TOPS}|\.ci|\.devcontainer)/[\w./-]*)(?![\w<*])")
LINKED = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
FRONT = pathlib.PurePath("docs/README.md")


def exists(name, folder=pathlib.PurePath()):
    path = ROOT / folder / name.rstrip(".")
    # `model/spatial` stands for the header and the source.
    return path.exists() or path.with_name(path.name + ".h").exists()


def anchors(page):
    """What a link may name behind #, as GitHub makes it of headings: letters, digits, - and _."""
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *$", FENCE.sub("", (ROOT / page).read_text()), re.MULTILINE):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        slug = re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")
        number = next(n for n in range(len(found) + 1) if (f"{slug}-{n}" if n else slug) not in found)
        found.add(f"{slug}-{number}" if number else slug)
    return found


def links(page):
    """(line, page that is linked to, anchor or empty) of links to pages of the project."""
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        for name, anchor in LINKED.findall(line):
            target = pathlib.PurePath(posixpath.normpath(page.parent / name) if name else page)
            if target.suffix == ".md" and (ROOT / target).exists():
                yield number, target, anchor


def main():
    faults, count = [], 0
    pages = files("*.md")
    for page in pages:
        for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
            if "planned" in line:
                continue
            named = [(name, pathlib.PurePath()) for name in NAMED.findall(line)]
            linked = [(name, page.parent) for name, _ in LINKED.findall(line) if name]
            count += len(named) + len(linked)
            faults += [f"{page}:{number}: there is no {name}" for name, folder in named + linked
                       if not exists(name, folder)]
        faults += [f"{page}:{number}: {target} has no heading #{anchor}" for number, target, anchor in links(page)
                   if anchor and anchor not in anchors(target)]
    reached, waiting = set(), [FRONT]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += [target for _, target, _ in links(page)]
    faults += [f"{page}: no way leads here from {FRONT}; link to it" for page in pages
               if (page.parts[0] == "docs" or page.match("examples/*/README.md")) and page not in reached]
    print("\n".join(faults) or f"{count} paths in {len(pages)} pages exist, all of docs/ is in reach")
    return bool(faults) or not count


if __name__ == "__main__":
    sys.exit(main())
