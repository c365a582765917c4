// A servo drive: position and speed of a joint controlled, with what drives have around that.
//
//     reference  r = target, r' = target_velocity; with a velocity-limit r is a state:
//                r' = clip(bandwidth (target - r) + target_velocity, +-velocity_limit)
//     demand     kp (r - q) + kd (r' - q') + z + gravity + feedforward
//     torque     clip(demand, +-torque_limit); with an effort-time T a state y, T y' = torque - y
//     integral   z' = ki (r - q) + (clip(demand) - demand) / antiwindup-time
//
// gravity="true" adds the effort that holds the robot of the file's masses where it is. With kp = 0
// it is a servo of the speed.
ELEMENT(servo, MOVED_JOINT, "servo", "servo drive")
    NUMBER(kp, "kp", "servo_kp", STIFFNESS, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "[slides?Force:Torque] of the servo of %s per unit of position off the reference")
    NUMBER(kd, "kd", "servo_kd", DAMPING, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "[slides?Force:Torque] of the servo of %s per unit of speed off the reference's")
    NUMBER(ki, "ki", "servo_ki", STIFFNESS_RATE, USUAL(0), NOT_NEGATIVE, IF(integrates),
           "Growth of the integral of %s per unit of position off the reference")
    NUMBER(antiwindup, "antiwindup-time", "servo_antiwindup_time", SECOND, QUOTIENT(kd, kp),
           NOT_NEGATIVE, IF(winds),
           "Time over which the integral of %s gives way to the limit; above zero")
    NUMBER(torque_limit, "torque-limit", "torque_limit", EFFORT, USUAL(INFINITY), NOT_NEGATIVE,
           IF(limits_torque), "Largest [slides?force:torque] of the servo of %s, either way")
    NUMBER(velocity_limit, "velocity-limit", "servo_velocity_limit", SPEED, USUAL(INFINITY),
           NOT_NEGATIVE, IF(limits_velocity), "Largest speed of the reference of %s, either way")
    NUMBER(bandwidth, "bandwidth", "servo_bandwidth", PER_SECOND, USUAL(50), ABOVE_ZERO,
           IF(limits_velocity),
           "Rate with which the reference of %s goes to the target; above zero")
    NUMBER(effort_time, "effort-time", "servo_effort_time", SECOND, USUAL(0), NOT_NEGATIVE,
           IF(lags), "Time constant of the drive of %s; above zero")
    INPUT(target, "target", POSITION, FREE, ALWAYS, "Position that %s is to have")
    INPUT(target_velocity, "target_velocity", SPEED, FREE, ALWAYS, "Speed that %s is to have")
    INPUT(feedforward, "feedforward", EFFORT, FREE, ALWAYS,
          "[slides?Force:Torque] added to what the servo of %s asks for")
    STATE(reference, "reference", POSITION, 1, FREE, IF(limits_velocity),
          "Position that the servo of %s holds the joint against")
    STATE(integral, "integral", EFFORT, 1, FREE, IF(integrates), "Integral of the servo of %s")
    STATE(effort, "servo_effort", EFFORT, 1, FREE, IF(lags),
          "What the servo of %s does at the joint by now")
    GIVEN(position, POSITION, "of the joint")
    GIVEN(rate, SPEED, "of the joint")
    GIVEN(gravity, EFFORT, "that holds the robot of the file's masses at this pose")
    CHOICE(compensates, "gravity", "false", "true")
    FLAG(limits_torque, torque_limit < INFINITY, "a torque-limit")
    FLAG(limits_velocity, velocity_limit < INFINITY, "a velocity-limit")
    FLAG(integrates, ki > 0, "an integral, ki")
    FLAG(winds, ki > 0 && torque_limit < INFINITY, "an integral that meets a limit")
    FLAG(lags, effort_time > 0, "an effort-time")
    TUNABLE()
    RULE(!winds || antiwindup > 0,
         "the servo of %s has an integral and a torque-limit, and so must say over which time the "
         "integral gives way to it; write an antiwindup-time above zero, which is kd / kp where "
         "both are there")
    RESULT(torque, PUSH, "[slides?force:torque]", EFFORT, ALWAYS,
           "What the servo of %s does at the joint")
    RESULT(reference_rate, RATE, "reference_rate", SPEED, IF(limits_velocity),
           "Change of the reference of %s")
    RESULT(integral_rate, RATE, "integral_rate", EFFORT_RATE, IF(integrates),
           "Change of the integral of the servo of %s")
    RESULT(effort_rate, RATE, "servo_effort_rate", EFFORT_RATE, IF(lags),
           "Change of what the servo of %s does")
    RESULT(torque_room, INDICATOR, "servo_torque_indicator", NONE, IF(limits_torque),
           "Above zero while the servo of %s asks for less than its limit")
    RESULT(velocity_room, INDICATOR, "servo_velocity_indicator", NONE, IF(limits_velocity),
           "Above zero while the reference of %s is slower than its limit")
#ifdef LAW
    const real wish =
        limits_velocity ? bandwidth * (target - reference) + target_velocity : target_velocity;
    const real aim_rate = limits_velocity ? clip(wish, velocity_limit) : wish;
    const real aim = limits_velocity ? reference : target;
    const real off = aim - position;
    const real sum = integrates ? integral : num(0);
    const real weight = compensates ? gravity : num(0);
    const real demand = kp * off + kd * (aim_rate - rate) + sum + weight + feedforward;
    const real given = limits_torque ? clip(demand, torque_limit) : demand;
    const real beyond = winds ? (given - demand) / antiwindup : num(0);

    out->torque = lags ? effort : given;
    out->reference_rate = aim_rate;
    out->integral_rate = integrates ? ki * off + beyond : num(0);
    out->effort_rate = lags ? (given - effort) / effort_time : num(0);
    out->torque_room = limits_torque ? torque_limit - real_abs(demand) : num(1);
    out->velocity_room = limits_velocity ? velocity_limit - real_abs(wish) : num(1);
#endif
END(servo)
