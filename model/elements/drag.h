// Drag in air or water, as of a fan, a stirrer or an arm under water: against the motion, with the
// square of its speed, through one point that was measured.
ELEMENT(drag, JOINT, "drag", "drag")
    NUMBER(effort, "effort", "drag_effort", EFFORT, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Effort of the drag at %s at the speed that it is given for")
    NUMBER(speed, "speed", "drag_speed", SPEED, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Speed that the drag at %s is given for; above zero")
    GIVEN(rate, SPEED, "of the joint")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const real times = rate / speed;
    out->torque = -effort * times * real_abs(times);
    out->loss = -out->torque * rate;
#endif
END(drag)
