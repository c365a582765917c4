// A serpenoid gait: joint k = 0, 1, … follows amplitude sin(frequency t + k shift + phase) + bias,
// held by a servo.
ELEMENT(gait, JOINT, "gait", "serpenoid gait")
    NUMBER(amplitude, "amplitude", "gait.amplitude", RADIAN, REQUIRED, FINITE, ALWAYS,
           "Amplitude of the angle that every joint is to follow")
    NUMBER(frequency, "frequency", "gait.frequency", RADIAN_PER_SECOND, REQUIRED, FINITE, ALWAYS,
           "Circular frequency of it")
    NUMBER(shift, "shift", "gait.shift", RADIAN, USUAL(0), FINITE, ALWAYS,
           "Phase by which each joint is ahead of the one behind it; above zero, the snake goes "
           "towards its last link")
    NUMBER(bias, "bias", "gait.bias", RADIAN, USUAL(0), FINITE, ALWAYS,
           "Mean of the angles, which steers")
    NUMBER(phase, "phase", "gait.phase", RADIAN, USUAL(0), FINITE, ALWAYS,
           "Phase of the first joint at time 0; afterwards without effect")
    NUMBER(stiffness, "stiffness", "gait.stiffness", NEWTON_METRE_PER_RADIAN, REQUIRED,
           NOT_NEGATIVE, ALWAYS, "Torque of the joint servos per unit of angle that they are off")
    NUMBER(damping, "damping", "gait.damping", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Torque of the joint servos per unit of rate that they are off")
    NUMBER(torque_limit, "torque-limit", "gait.torque_limit", NEWTON_METRE, USUAL(INFINITY),
           ABOVE_ZERO, ALWAYS, "Largest torque of the joint servos, to either side")
    TUNABLE()
    GIVEN(time, SECOND, "")
    GIVEN(joint, NONE, "number of the joint")
    GIVEN(position, RADIAN, "of the joint")
    GIVEN(rate, RADIAN_PER_SECOND, "of the joint")
    SHORTCUT(limits_torque, torque_limit < INFINITY)
    RESULT(torque, PUSH, "", NEWTON_METRE, ALWAYS, "")
    RESULT(reference, OUTPUT, "reference", RADIAN, ALWAYS, "Angle that the gait wants of %s")
#ifdef LAW
    const real angle = frequency * time + joint * shift + phase;
    const real wanted = amplitude * real_sin(angle) + bias;
    const real wanted_rate = amplitude * frequency * real_cos(angle);
    const real asked = stiffness * (wanted - position) + damping * (wanted_rate - rate);
    out->torque = limits_torque ? clip(asked, torque_limit) : asked;
    out->reference = wanted;
#endif
END(gait)
