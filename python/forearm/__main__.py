"""`python -m forearm`, and the command `forearm` of the installed package: the program itself, and
`sweep` and maps of gaits, which are written in Python."""

import os
import sys

from . import program
from .errors import Error


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["sweep"] or words[:2] == ["help", "sweep"]:
        from .sweep.command import main as sweep

        return sweep(words[1:] if words[0] == "sweep" else ["--help"])
    if words[:1] == ["gait"] and any(word.endswith(".toml") for word in words[1:]):
        from .sweep.command import gait_main

        return gait_main(words[1:])
    try:
        here = program.path()
    except Error as error:
        print(f"forearm: {error}", file=sys.stderr)
        return 3
    if words in (["help"], ["--help"], ["-h"]):
        print(program.run("help"), end="")
        print("\nBeside these, from the Python package:\n  sweep STUDY             run an FMU with many values of its "
              "parameters\n  gait STUDY              a map of a snake's gaits: speed, cost, the best of them")
        return 0
    os.execv(here, ["forearm", *words])


if __name__ == "__main__":
    sys.exit(main())
