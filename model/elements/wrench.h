// A force and a torque on a link by its surroundings, in world axes, at a point of the link: what
// the host says.
ELEMENT(wrench, LINK, "", "force and torque of the surroundings")
    INPUT(force_x, "force.x", NEWTON, FREE, ALWAYS,
          "Force on the arm by its surroundings at %s, world x")
    INPUT(force_y, "force.y", NEWTON, FREE, ALWAYS,
          "Force on the arm by its surroundings at %s, world y")
    INPUT(force_z, "force.z", NEWTON, FREE, ALWAYS,
          "Force on the arm by its surroundings at %s, world z")
    INPUT(torque_x, "torque.x", NEWTON_METRE, FREE, ALWAYS,
          "Torque on the arm by its surroundings at %s, world x")
    INPUT(torque_y, "torque.y", NEWTON_METRE, FREE, ALWAYS,
          "Torque on the arm by its surroundings at %s, world y")
    INPUT(torque_z, "torque.z", NEWTON_METRE, FREE, ALWAYS,
          "Torque on the arm by its surroundings at %s, world z")
    RESULT(along_x, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(along_y, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(along_z, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(about_x, PUSH, "", NEWTON_METRE, ALWAYS, "")
    RESULT(about_y, PUSH, "", NEWTON_METRE, ALWAYS, "")
    RESULT(about_z, PUSH, "", NEWTON_METRE, ALWAYS, "")
#ifdef LAW
    out->along_x = force_x;
    out->along_y = force_y;
    out->along_z = force_z;
    out->about_x = torque_x;
    out->about_y = torque_y;
    out->about_z = torque_z;
#endif
END(wrench)
