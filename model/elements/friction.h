// Friction of a bearing, against the motion; v: speed of the joint, or of its motor (side="motor").
//     smooth:      viscous v + (c+ + c-)/2 t + (c+ - c-)/2 t^2            t = tanh(v / width)
//     stick-slip:  viscous v + s (c + (b - c) sech^2(v / stribeck))       s = 1, -1: sense of slip
// c, b: Coulomb and break-away level of that sense. What sticks (s = 0) is held by the plant. Of an
// inverse, whose motion is given, nothing sticks.
ELEMENT(friction, JOINT, "friction", "friction of the bearing")
    NUMBER(viscous, "viscous", "viscous_friction", DAMPING, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Effort against the motion of [on_motor?the motor of :]%s per unit of speed")
    NUMBER(coulomb, "coulomb", "coulomb_friction", EFFORT, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Effort against positive motion of [on_motor?the motor of :]%s, whatever the speed")
    NUMBER(coulomb_negative, "coulomb-negative", "coulomb_friction_negative", EFFORT, AS(coulomb),
           NOT_NEGATIVE, ALWAYS,
           "Effort against negative motion of [on_motor?the motor of :]%s, whatever the speed")
    NUMBER(width, "width", "friction_width", SPEED, USUAL(0.01), ABOVE_ZERO, ALWAYS,
           "Speed over which the Coulomb friction of %s turns round; above zero")
    NUMBER(breakaway, "static", "static_friction", EFFORT, AS(coulomb), NOT_NEGATIVE, IF(slips),
           "Effort that sets %s in positive motion when it sticks")
    NUMBER(breakaway_negative, "static-negative", "static_friction_negative", EFFORT,
           AS_SAID(breakaway, coulomb_negative), NOT_NEGATIVE, IF(slips),
           "Effort that sets %s in negative motion when it sticks")
    NUMBER(stribeck, "stribeck", "stribeck_speed", SPEED, USUAL(0.01), ABOVE_ZERO, IF(slips),
           "Speed over which the static friction of %s falls to the Coulomb level; above zero")
    NUMBER_OF(gear, rotor)
    GIVEN(rate, SPEED, "of the joint")
    MODE(slip, "slip", INTEGER, NONE, IF(slips), "1 or -1: %s slips that way; 0: it sticks")
    SITE(inverse, "the motion is given")
    CHOICE(sticks, "law", "smooth", "stick-slip")
    CHOICE(on_motor, "side", "joint", "motor")
    FLAG(slips, sticks && !inverse, "law=\"stick-slip\"")
    SHORTCUT(dry, coulomb != 0 || coulomb_negative != 0)
    TURNING(on_motor)
    EVERYWHERE()
    RULE(!sticks || (breakaway >= coulomb && breakaway_negative >= coulomb_negative),
         "%s has a static friction below its Coulomb friction, and could not stick; make it larger")
    RULE(!on_motor || gear != 0,
         "%s has its friction on the motor's side of the gear ratio 0; write another ratio")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(hold_forwards, HOLD, "", EFFORT, IF(slips), "") // with which it holds while slip is 0
    RESULT(hold_backwards, HOLD, "", EFFORT, IF(slips), "")
#ifdef LAW
    const real side = on_motor ? gear : num(1);
    const real v = side * rate;

    const real even = 0.5 * (coulomb + coulomb_negative);
    const real odd = 0.5 * (coulomb - coulomb_negative);
    const real t = slips ? real_tanh(v / stribeck) : dry ? real_tanh(v / width) : num(0);
    const real smooth = viscous * v + even * t + odd * t * t;

    const real sense = where(side < 0, -slip, slip);
    const real level = where(sense > 0, coulomb, coulomb_negative);
    const real hold = where(sense > 0, breakaway, breakaway_negative);
    const real slipping = viscous * v + sense * (level + (hold - level) * ((1 - t) * (1 + t)));

    out->torque = -side * (slips ? slipping : smooth);
    out->loss = -out->torque * rate;
    out->hold_forwards = side * where(side < 0, -breakaway_negative, breakaway);
    out->hold_backwards = side * where(side < 0, -breakaway, breakaway_negative);
#endif
END(friction)
