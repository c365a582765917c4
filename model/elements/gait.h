// A serpenoid gait: joint k = 0, 1, … follows amplitude sin(frequency t + k shift + phase) + bias,
// held by a servo.
ELEMENT(gait, JOINT, "gait", "serpenoid gait")
    NUMBER(amplitude, "amplitude", "gait.amplitude", RADIAN, REQUIRED, FINITE, ALWAYS,
           "Amplitude of the gait")
    NUMBER(frequency, "frequency", "gait.frequency", RADIAN_PER_SECOND, REQUIRED, FINITE, ALWAYS,
           "Frequency of the gait")
    NUMBER(shift, "shift", "gait.shift", RADIAN, REQUIRED, FINITE, ALWAYS,
           "Phase between one joint and the next")
    NUMBER(bias, "bias", "gait.bias", RADIAN, USUAL(0), FINITE, ALWAYS,
           "Angle that the gait swings about; it steers")
    NUMBER(phase, "phase", "gait.phase", RADIAN, USUAL(0), FINITE, ALWAYS,
           "Phase of the gait at the start")
    NUMBER(stiffness, "stiffness", "gait.stiffness", NEWTON_METRE_PER_RADIAN, REQUIRED,
           NOT_NEGATIVE, ALWAYS, "Stiffness of the servos that hold the gait")
    NUMBER(damping, "damping", "gait.damping", NEWTON_METRE_SECOND_PER_RADIAN, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Damping of the servos that hold the gait")
    GIVEN(time, SECOND, "")
    GIVEN(joint, NONE, "number of the joint")
    GIVEN(position, RADIAN, "of the joint")
    GIVEN(rate, RADIAN_PER_SECOND, "of the joint")
    RESULT(torque, PUSH, "", NEWTON_METRE, ALWAYS, "")
    RESULT(reference, OUTPUT, "reference", RADIAN, ALWAYS, "Angle that the gait wants of %s")
#ifdef LAW
    const real angle = frequency * time + joint * shift + phase;
    const real wanted = amplitude * real_sin(angle) + bias;
    const real wanted_rate = amplitude * frequency * real_cos(angle);
    out->torque = stiffness * (wanted - position) + damping * (wanted_rate - rate);
    out->reference = wanted;
#endif
END(gait)
