// A damper with a dead band, as one with a by-pass has it: slow motion meets nothing, and what is
// faster than the band meets damping times as much as it is faster.
ELEMENT(damper, JOINT, "damper", "damper with a dead band")
    NUMBER(damping, "damping", "damper_damping", DAMPING, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Effort of the damper at %s per unit of speed beyond its dead band")
    NUMBER(band, "band", "damper_band", SPEED, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Speed up to which the damper at %s does nothing")
    GIVEN(rate, SPEED, "of the joint")
    RESULT(torque, PUSH, "", EFFORT, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    out->torque = damping * (clip(rate, band) - rate);
    out->loss = -out->torque * rate;
#endif
END(damper)
