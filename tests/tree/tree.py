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
        tops = [top for top in ROOT.iterdir() if top.name not in ("build", ".git")]
        inside = [path for top in tops for path in ([top] if top.is_file() else top.rglob("*"))]
        paths = [path.relative_to(ROOT) for path in inside if path.is_file()]
    return sorted(path for path in paths if not patterns or any(path.match(p) for p in patterns))
