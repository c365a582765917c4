"""What the checks of the tree share: where it is and which files belong to it."""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def files(*patterns):
    """Files of the project, as paths relative to its root; build folders and the like left out."""
    try:
        listed = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True, capture_output=True, text=True).stdout.split("\0")
        paths = [pathlib.PurePath(name) for name in listed if name and (ROOT / name).is_file()]
    except (OSError, subprocess.CalledProcessError):  # an archive without its history
        paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
        paths = [path for path in paths if path.parts[0] not in ("build", ".git")]
    return sorted(path for path in paths if not patterns or any(path.match(p) for p in patterns))
