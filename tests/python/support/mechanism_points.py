"""States of tests/mechanisms set in an FMU, and what the FMU says of them beside what is expected there."""

import json
import xml.etree.ElementTree as xml

import numpy as np

from conftest import SOURCE

FOLDER = SOURCE / "tests" / "mechanisms"
QUATERNION = [f"quaternion.{part}" for part in "wxyz"]


def along(what):
    return [f"{what}.{axis}" for axis in "xyz"]


# By type: names of positions, speeds, efforts, accelerations, in the order of the expected values.
SEVERAL = {
    "planar": (["position.x", "position.y", "angle"], ["velocity.x", "velocity.y", "angular_velocity"],
               ["force.x", "force.y", "torque"], ["acceleration.x", "acceleration.y", "angular_acceleration"]),
    "spherical": (QUATERNION, along("angular_velocity"), along("torque"), along("angular_acceleration")),
    "floating": (along("position") + QUATERNION, along("velocity") + along("angular_velocity"),
                 along("force") + along("torque"), along("acceleration") + along("angular_acceleration")),
}


class Points:
    def __init__(self, name):
        self.name = name
        self.robot = FOLDER / "robots" / f"{name}.urdf"
        self.side = FOLDER / "robots" / f"{name}.mechanism.xml"
        self.data = json.loads((FOLDER / "points" / f"{name}.json").read_text())
        root = xml.parse(self.robot).getroot()
        self.type = {joint.get("name"): joint.get("type") for joint in root.iter("joint")}
        self.type = {name: {"ball": "spherical"}.get(kind, kind) for name, kind in self.type.items()}

    def options(self):
        links = {link for p in self.data["points"] for link in
                 [*p["input"].get("link_force", {}), *p["input"].get("link_torque", {})]}
        return [*(["--actuators", self.side] if self.side.exists() else []),
                *(word for link in sorted(links) for word in ("--wrench", link))]

    def names(self, joint, which):
        """0: positions, 1: speeds, 2: efforts, 3: accelerations."""
        kind = self.type[joint]
        slides = kind == "prismatic"
        own = SEVERAL[kind][which] if kind in SEVERAL else [
            ("position", "velocity", "force" if slides else "torque", "acceleration")[which]]
        return [f"joint.{joint}.{name}" for name in own]

    def values(self, table, which):
        """Names and values of what a table says of joints."""
        found = {}
        for joint, value in table.items():
            found.update(zip(self.names(joint, which), np.atleast_1d(value)))
        return found

    def start(self, point):
        found = {}
        for table, which in ((point["position"], 0), (point["velocity"], 1)):
            for name, value in self.values(table, which).items():
                joint, quantity = name[len("joint."):].split(".", 1)
                found[f"joint.{joint}.initial_{quantity}"] = value
        given = point["input"]
        for joint, servo in given.get("servo_input", {}).items():
            found.update({f"joint.{joint}.initial_{what}": servo[what] for what in ("reference", "integral", "effort")
                          if what in servo})
        for contact, bristle in given.get("bristle", {}).items():
            found.update({f"contact.{contact}.initial_bristle.{axis}": x for axis, x in zip("xy", bristle)})
        return found

    def inputs(self, point):
        given = point["input"]
        found = self.values(given.get("effort", {}), 2)
        for kind in ("force", "torque"):
            for link, value in given.get(f"link_{kind}", {}).items():
                found.update({f"link.{link}.{kind}.{axis}": x for axis, x in zip("xyz", value)})
        for joint, servo in given.get("servo_input", {}).items():
            found.update({f"joint.{joint}.{what}": servo[what] for what in ("target", "target_velocity", "feedforward")})
        return found

    def expected(self, point):
        """By name: the value, and the size that its error is measured by."""
        accelerations = self.values(point["acceleration"], 3)
        largest = 1 + max(abs(x) for x in accelerations.values())
        found = {name: (x, largest) for name, x in accelerations.items()}
        found["energy.kinetic"] = (point["kinetic"], 1 + abs(point["kinetic"]))
        for contact, says in point.get("contact", {}).items():
            force = 1 + max(abs(x) for x in says["force"])
            found.update({f"contact.{contact}.force.{axis}": (x, force) for axis, x in zip("xyz", says["force"])})
            found[f"contact.{contact}.depth"] = (says["depth"], 1)
        for contact, rate in point.get("bristle_rate", {}).items():
            found.update({f"contact.{contact}.bristle_rate.{axis}": (x, 1 + abs(x)) for axis, x in zip("xy", rate)})
        for joint, servo in point.get("servo", {}).items():
            name = self.names(joint, 2)[0]
            found[name] = (servo["torque"], 1 + abs(servo["torque"]) + abs(servo["demand"]))
            for rate in ("reference_rate", "integral_rate"):
                if rate in servo:
                    found[f"joint.{joint}.{rate}"] = (servo[rate], 1 + abs(servo[rate]))
        return found
