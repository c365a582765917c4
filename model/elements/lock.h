// A brake that holds a joint where it is, whatever pushes. What moves by then is stopped in an
// impact, which is the plant's.
ELEMENT(lock, MOVED_JOINT, "lock", "lock by an input")
    SWITCH(lock, "lock",
           "[analogue?Above 0.5:True]: %s is locked where it is; whatever moves by then is stopped")
    MODE(locked, "locked", BOOLEAN, NONE, ALWAYS, "Whether %s is locked")
    CHOICE(analogue, "signal", "boolean", "real")
    PRESENCE("input", "false", "true")
    RESULT(hold_forwards, HOLD, "", EFFORT, ALWAYS, "")
    RESULT(hold_backwards, HOLD, "", EFFORT, ALWAYS, "")
    RESULT(indicator, INDICATOR, "lock_indicator", NONE, IF(analogue),
           "Above zero while %s is to be locked")
#ifdef LAW
    out->hold_forwards = where(locked == 0, num(0), num(INFINITY));
    out->hold_backwards = where(locked == 0, num(0), num(INFINITY));
    // With a hysteresis that keeps it from zero when the mode changes.
    out->indicator = lock - 0.5 + where(locked == 0, -num(1e-9), num(1e-9));
#endif
#ifdef EVENT
    next->locked = lock > 0.5;
#endif
END(lock)
