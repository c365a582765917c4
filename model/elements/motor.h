// A direct-current motor with its amplifier and gear.
//     emf      = K_e N w                               w: speed of the joint, N: gear ratio
//     applied  = asked, at most R I_max away from emf, and then within +-V_max
//     current  = (applied - emf) / R, or L di/dt = applied - emf - R i
//     torque   = N K_t i (1 - k t)                     t = tanh(w / width)
// k is what the gear loses: 1 - efficiency where the motor drives the joint, 1 / efficiency_back -
// 1 where the joint drives the motor; near standstill the loss fades with t. Of an inverse the
// torque is given, and current and voltage follow, limits and L di/dt aside.
ELEMENT(motor, FREE_JOINT, "motor", "motor with amplifier and gear")
    NUMBER(resistance, "resistance", "resistance", OHM, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Resistance of the motor of %s; above zero")
    NUMBER(torque_constant, "torque-constant", "torque_constant", NEWTON_METRE_PER_AMPERE, REQUIRED,
           NOT_ZERO, ALWAYS, "Torque of the motor of %s per unit of current")
    NUMBER(back_emf, "back-emf", "back_emf", VOLT_SECOND_PER_RADIAN, AS(torque_constant), FINITE,
           ALWAYS, "Voltage that the motor of %s generates per unit of its speed")
    NUMBER(inductance, "inductance", "inductance", HENRY, USUAL(0), NOT_NEGATIVE, IF(inductive),
           "Inductance of the motor of %s; above zero")
    NUMBER(efficiency, "efficiency", "efficiency", NONE, USUAL(1), SHARE, ALWAYS,
           "Share of the motor's torque that the gear passes on while the motor drives %s")
    NUMBER(efficiency_back, "efficiency-back", "efficiency_back", NONE, AS(efficiency), SHARE,
           ALWAYS, "Share of the joint's torque that the gear passes on while %s drives the motor")
    NUMBER(voltage_limit, "voltage-limit", "voltage_limit", VOLT, USUAL(INFINITY), ABOVE_ZERO,
           IF(limits_voltage), "Largest voltage that the amplifier of %s applies")
    NUMBER(current_limit, "current-limit", "current_limit", AMPERE, USUAL(INFINITY), ABOVE_ZERO,
           IF(limits_current), "Current within which the amplifier of %s keeps its motor")
    NUMBER_OF(gear, rotor)
    NUMBER_OF(width, friction)
    INPUT(asked, "voltage", VOLT, UP_TO(voltage_limit), ALWAYS,
          "Voltage asked of the amplifier of %s")
    STATE(current, "current", AMPERE, 1, FREE, IF(inductive), "Current in the motor of %s")
    GIVEN(rate, SPEED, "of the joint")
    GIVEN(wanted, EFFORT, "of an inverse: the torque at the joint")
    SITE(inverse, "the motion is given")
    FLAG(inductive, inductance > 0, "an inductance, by which the current is a state")
    FLAG(at_once, inverse || !(inductance > 0), "")
    FLAG(limits_voltage, voltage_limit < INFINITY, "a voltage-limit")
    FLAG(limits_current, current_limit < INFINITY, "a current-limit")
    SHORTCUT(lossy, efficiency != 1 || efficiency_back != 1)
    RULE(gear != 0, "the motor of %s has the gear ratio 0, through which it moves nothing; write "
                    "the turns of the rotor per turn of the joint")
    RESULT(torque, PUSH, "[slides?force:torque]", EFFORT, ALWAYS,
           "What the motor of %s does at the joint, behind its gear")
    RESULT(current_rate, RATE, "current_derivative", AMPERE_PER_SECOND, IF(inductive),
           "Change of the current in the motor of %s")
    RESULT(amperes, OUTPUT, "current", AMPERE, IF(at_once), "Current in the motor of %s")
    RESULT(emf, OUTPUT, "back_emf_voltage", VOLT, ALWAYS, "Voltage that the motor of %s generates")
    RESULT(power, OUTPUT, "electrical_power", WATT, ALWAYS,
           "Electrical power that the motor of %s takes up")
    RESULT(losses, OUTPUT, "losses", WATT, ALWAYS,
           "Electrical power that reaches neither %s nor the field of its motor")
    RESULT(voltage, INVERSE, "voltage", VOLT, ALWAYS,
           "Voltage that the motor of %s needs, but for what changes its current")
#ifdef LAW
    const real emf = back_emf * gear * rate;
    const real away = asked - emf;
    const real most = resistance * current_limit;
    const real eased =
        limits_current ? where(real_abs(away) > most, emf + with_sign(most, away), asked) : asked;
    const real applied = limits_voltage ? clip(eased, voltage_limit) : eased;

    const real t = lossy ? real_tanh(rate / width) : num(0); // the gear
    const real i =
        inverse ? 1 / (passed_on(wanted, t, efficiency, efficiency_back) * gear * torque_constant) *
                      wanted
        : inductive ? current
                    : (applied - emf) / resistance;
    const real before = gear * torque_constant * i;
    const real volts = inverse ? resistance * i + emf : applied;

    out->torque = passed_on(before, t, efficiency, efficiency_back) * before;
    out->current_rate = inductive ? (applied - emf - resistance * current) / inductance : num(0);
    out->amperes = i;
    out->emf = emf;
    out->power = volts * i;
    // With inductance V i - L i di/dt equals emf i + R i^2: the voltage cancels.
    const real kept = at_once ? out->power : emf * i + resistance * i * i;
    out->losses = kept - (inverse ? wanted : out->torque) * rate;
    out->voltage = volts;
#endif
END(motor)
