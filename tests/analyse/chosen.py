"""Which files scripts/test --all analyses path by path, which takes seconds for each: those that the last commits have
changed, and a sample of the others. scripts/analyse takes all, and so does FOREARM_ALL=1."""
import os
import pathlib
import subprocess
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMITS = 20
ONE_IN = 5  # of the others


def chosen(paths: set[str]) -> set[str]:
    """Of paths below the project's folder. Without a history, as in an archive of the sources, it is the sample alone."""
    if os.environ.get("FOREARM_ALL") == "1":
        return paths
    log = subprocess.run(["git", "log", f"-{COMMITS}", "--no-merges", "--name-only", "--pretty=format:"], cwd=ROOT,
                         capture_output=True, text=True)
    changed = {*log.stdout.split("\n")} if log.returncode == 0 else set()
    return {path for path in paths if path in changed or zlib.crc32(path.encode()) % ONE_IN == 0}
