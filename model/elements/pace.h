// A base with prescribed motion: deviations of speed and rate decay with the bandwidth.
ELEMENT(pace, BASE, "speeds", "commands of speed and rate")
    NUMBER(bandwidth, "bandwidth", "command.bandwidth", RADIAN_PER_SECOND, USUAL(10), ABOVE_ZERO,
           ALWAYS, "How fast deviations from what is commanded die out")
    TUNABLE()
    INPUT(wanted_speed, "speed_command", METRE_PER_SECOND, FREE, ALWAYS,
          "Speed that the wheel of %s is to have")
    INPUT(wanted_rate, "rate_command", RADIAN_PER_SECOND, FREE, ALWAYS, "Rate that %s is to have")
    GIVEN(speed, METRE_PER_SECOND, "of the base")
    GIVEN(rate, RADIAN_PER_SECOND, "of the base")
    RESULT(speed_derivative, ACCELERATION, "", METRE_PER_SECOND2, ALWAYS, "")
    RESULT(rate_derivative, ACCELERATION, "", RADIAN_PER_SECOND2, ALWAYS, "")
#ifdef LAW
    out->speed_derivative = bandwidth * (wanted_speed - speed);
    out->rate_derivative = bandwidth * (wanted_rate - rate);
#endif
END(pace)
