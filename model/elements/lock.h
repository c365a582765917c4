// A brake that holds a joint where it is, whatever pushes. What moves by then is stopped in an
// impact, which is the plant's.
ELEMENT(lock, MOVED_JOINT, "lock", "lock by an input")
    SWITCH(lock, "lock", "True: %s is locked where it is; whatever moves by then is stopped")
    MODE(locked, "locked", BOOLEAN, NONE, ALWAYS, "Whether %s is locked")
    PRESENCE("input", "false", "true")
    RESULT(hold_forwards, HOLD, "", EFFORT, ALWAYS, "")
    RESULT(hold_backwards, HOLD, "", EFFORT, ALWAYS, "")
#ifdef LAW
    out->hold_forwards = where(locked == 0, num(0), num(INFINITY));
    out->hold_backwards = where(locked == 0, num(0), num(INFINITY));
#endif
#ifdef EVENT
    next->locked = lock != 0;
#endif
END(lock)
