// A joint that follows a prescribed motion: a deviation from the reference dies out as that of a
// critically damped spring, so that it is enough to connect the angle, and a start off the
// reference is legal.
ELEMENT(follower, JOINT, "prescribed", "prescribed motion")
    NUMBER(bandwidth, "bandwidth", "command.bandwidth", RADIAN_PER_SECOND, USUAL(10), ABOVE_ZERO,
           ALWAYS, "How fast deviations from what is commanded die out")
    TUNABLE()
    INPUT(wanted, "reference", RADIAN, FREE, ALWAYS, "Angle that %s is to have")
    INPUT(wanted_rate, "reference_rate", RADIAN_PER_SECOND, FREE, ALWAYS,
          "Derivative of the reference of %s, where known")
    INPUT(wanted_acceleration, "reference_acceleration", RADIAN_PER_SECOND2, FREE, ALWAYS,
          "Second derivative of the reference of %s, where known")
    GIVEN(position, RADIAN, "of the joint")
    GIVEN(rate, RADIAN_PER_SECOND, "of the joint")
    RESULT(acceleration, ACCELERATION, "", RADIAN_PER_SECOND2, ALWAYS, "")
#ifdef LAW
    const real off = wanted - position;
    const real off_rate = wanted_rate - rate;
    out->acceleration =
        wanted_acceleration + 2 * bandwidth * off_rate + bandwidth * bandwidth * off;
#endif
END(follower)
