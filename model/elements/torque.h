// A torque or force that is what the input says. Every free joint without another drive has it.
ELEMENT(torque, MOVED_JOINT, "", "ideal torque")
    NUMBER_OF(effort, limit)
    INPUT(asked, "[slides?force:torque]", EFFORT, UP_TO(effort), ALWAYS,
          "Drive [slides?force:torque] at %s; positive increases its position")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
#ifdef LAW
    out->torque = asked;
#endif
END(torque)
