// A serpenoid gait as a prescribed motion, with numbers that change over time:
//     r = amplitude sin(angle + joint shift) + bias
// and both derivatives of it. The derivative of the angle is the frequency.
ELEMENT(wave, JOINT, "gait", "serpenoid gait")
    GIVEN(angle, RADIAN, "of the gait at the first joint")
    GIVEN(joint, NONE, "number of the joint")
    GIVEN(amplitude, RADIAN, "of the wave")
    GIVEN(amplitude_rate, RADIAN_PER_SECOND, "its derivative")
    GIVEN(amplitude_bend, RADIAN_PER_SECOND2, "its second derivative")
    GIVEN(frequency, RADIAN_PER_SECOND, "derivative of the angle")
    GIVEN(frequency_rate, RADIAN_PER_SECOND2, "its derivative")
    GIVEN(shift, RADIAN, "from joint to joint")
    GIVEN(shift_rate, RADIAN_PER_SECOND, "its derivative")
    GIVEN(shift_bend, RADIAN_PER_SECOND2, "its second derivative")
    GIVEN(bias, RADIAN, "of all joints")
    GIVEN(bias_rate, RADIAN_PER_SECOND, "its derivative")
    GIVEN(bias_bend, RADIAN_PER_SECOND2, "its second derivative")
    RESULT(reference, OUTPUT, "", RADIAN, ALWAYS, "")
    RESULT(reference_rate, OUTPUT, "", RADIAN_PER_SECOND, ALWAYS, "")
    RESULT(reference_acceleration, OUTPUT, "", RADIAN_PER_SECOND2, ALWAYS, "")
#ifdef LAW
    const real at = angle + joint * shift;
    const real turn = frequency + joint * shift_rate;
    const real bend = frequency_rate + joint * shift_bend;
    const real s = real_sin(at);
    const real c = real_cos(at);
    out->reference = amplitude * s + bias;
    out->reference_rate = amplitude_rate * s + amplitude * turn * c + bias_rate;
    out->reference_acceleration = (amplitude_bend - amplitude * turn * turn) * s +
                                  (2 * amplitude_rate * turn + amplitude * bend) * c + bias_bend;
#endif
END(wave)
