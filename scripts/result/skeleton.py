"""An arm as lines for drawing: where its joints stand at given joint coordinates.

Reads the same robot file as `forearm` with none of its code, so that a picture in which the arm's
hand leaves the path that the FMU calculated shows a fault in one of the two.
"""

import xml.etree.ElementTree as xml

import numpy as np


def rotation(axis, angle):
    """Turns vectors by `angle` about the unit vector `axis` (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def rpy(angles):
    roll, pitch, yaw = angles
    return rotation((0, 0, 1), yaw) @ rotation((0, 1, 0), pitch) @ rotation((1, 0, 0), roll)


def frame(turn=np.eye(3), move=(0, 0, 0)):
    matrix = np.eye(4)
    matrix[:3, :3] = turn
    matrix[:3, 3] = move
    return matrix


def numbers(text, default):
    return np.array([float(word) for word in text.split()]) if text else np.array(default, float)


def placed(element):
    """The frame that an element's xyz and rpy describe."""
    if element is None:
        return frame()
    return frame(rpy(numbers(element.get("rpy"), (0, 0, 0))), numbers(element.get("xyz"), (0, 0, 0)))


class Skeleton:
    """Steps from the base to the leaves; each is (parent's index, frames before the joint moves,
    name of the joint that moves or None, its axis, whether it slides, frames after it has moved)."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.steps = self.arm(root) if root.tag == "arm" else self.urdf(root)

    @staticmethod
    def arm(root):
        degrees = np.pi / 180 if root.get("angle-unit") == "deg" else 1
        modified = root.get("convention") == "modified"
        steps = [(None, [placed(root.find("base"))], None, None, False, [])]
        for number, joint in enumerate(root.findall("joint")):
            a, alpha, d, theta, offset = (float(joint.get(key) or 0)
                                          for key in ("a", "alpha", "d", "theta", "offset"))
            slides = joint.get("type") == "prismatic"
            theta = (theta + (0 if slides else offset)) * degrees
            turned = frame(rotation((0, 0, 1), theta))
            raised = frame(move=(0, 0, d + (offset if slides else 0)))
            along = [frame(move=(a, 0, 0)), frame(rotation((1, 0, 0), alpha * degrees))]
            before, after = (along, []) if modified else ([], along)
            moves = joint.get("type") != "fixed"
            steps.append((number, before, joint.get("name") if moves else None, (0, 0, 1), slides,
                          [turned, raised, *after]))
        return steps + [(len(steps) - 1, [placed(root.find("tip"))], None, None, False, [])]

    @staticmethod
    def urdf(root):
        joints = [joint for joint in root.findall("joint") if joint.find("parent") is not None]
        children = {joint.find("child").get("link") for joint in joints}
        (base,) = [link.get("name") for link in root.findall("link") if link.get("name") not in children]
        steps, index, waiting = [(None, [], None, None, False, [])], {base: 0}, [base]
        while waiting:
            parent = waiting.pop()
            for joint in joints:
                if joint.find("parent").get("link") != parent:
                    continue
                moves = joint.get("type") not in ("fixed", None)
                axis = joint.find("axis")
                axis = numbers(axis.get("xyz") if axis is not None else None, (1, 0, 0))
                child = joint.find("child").get("link")
                index[child] = len(steps)
                waiting.append(child)
                steps.append((index[parent], [placed(joint.find("origin"))],
                              joint.get("name") if moves else None, axis / np.linalg.norm(axis),
                              joint.get("type") == "prismatic", []))
        return steps

    def joints(self):
        return [name for _, _, name, _, _, _ in self.steps if name]

    def pose(self, q):
        """Lines [(from, to), ...] and the points at which something moves, for q[joint's name]."""
        frames, lines, pivots = [], [], []
        for parent, before, name, axis, slides, after in self.steps:
            pose = np.eye(4) if parent is None else frames[parent]
            path = [pose[:3, 3]]
            for step in before:
                pose = pose @ step
                path.append(pose[:3, 3])
            if name:
                pivots.append(pose[:3, 3])
                moved = np.asarray(axis, float) * q[name]
                pose = pose @ (frame(move=moved) if slides else frame(rotation(axis, q[name])))
                path.append(pose[:3, 3])
            for step in after:
                pose = pose @ step
                path.append(pose[:3, 3])
            frames.append(pose)
            lines += [(a, b) for a, b in zip(path, path[1:]) if np.linalg.norm(b - a) > 1e-9]
        return lines, pivots
