// A number that follows what is asked for with two continuous derivatives: a filter of the second
// order, critically damped.
ELEMENT(smoothing, JOINT, "gait", "smoothed number")
    NUMBER(smoothing, "smoothing", "gait.smoothing", SECOND, USUAL(0.2), ABOVE_ZERO, ALWAYS,
           "Time constant with which the motion of the gait follows its numbers")
    GIVEN(asked, NONE, "for")
    GIVEN(position, NONE, "of the number now")
    GIVEN(rate, NONE, "its derivative")
    RESULT(acceleration, OUTPUT, "", NONE, ALWAYS, "")
#ifdef LAW
    out->acceleration = ((asked - position) / smoothing - 2 * rate) / smoothing;
#endif
END(smoothing)
