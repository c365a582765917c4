"""States of tests/mechanisms with servos and contacts set in an FMU, and what the FMU says of them beside what is expected there."""

from mechanism import Mechanism, axes


def sized(numbers):
    """The size that errors of these numbers are measured by."""
    return 1 + max(map(abs, numbers))


class Points(Mechanism):
    def start(self, point, digits=None):
        found = super().start(point, digits)
        given = point["input"]
        for joint, servo in given.get("servo_input", {}).items():
            found |= {f"joint.{joint}.initial_{what}": servo[what] for what in ("reference", "integral", "effort") if what in servo}
        for contact, bristle in given.get("bristle", {}).items():
            found |= dict(zip(axes(f"contact.{contact}.initial_bristle", "xy"), bristle))
        return found

    def inputs(self, point):
        found = super().inputs(point)
        for joint, servo in point["input"].get("servo_input", {}).items():
            found |= {f"joint.{joint}.{what}": servo[what] for what in ("target", "target_velocity", "feedforward")}
        return found

    def expected(self, point):
        """By name: the value, and the size that its error is measured by."""
        accelerations = self.named(3, point["acceleration"])
        largest = sized(accelerations.values())
        found = {name: (x, largest) for name, x in accelerations.items()}
        found["energy.kinetic"] = (point["kinetic"], sized([point["kinetic"]]))
        for contact, says in point.get("contact", {}).items():
            force = sized(says["force"])
            found |= {name: (x, force) for name, x in zip(axes(f"contact.{contact}.force"), says["force"])}
            found[f"contact.{contact}.depth"] = (says["depth"], 1)
        for contact, rate in point.get("bristle_rate", {}).items():
            found |= {name: (x, sized([x])) for name, x in zip(axes(f"contact.{contact}.bristle_rate", "xy"), rate)}
        for joint, servo in point.get("servo", {}).items():
            effort = self.parts(joint, 2)[0]
            found[f"joint.{joint}.{effort}"] = (servo["torque"], 1 + abs(servo["torque"]) + abs(servo["demand"]))
            found |= {f"joint.{joint}.{rate}": (servo[rate], sized([servo[rate]]))
                      for rate in ("reference_rate", "integral_rate") if rate in servo}
        return found
