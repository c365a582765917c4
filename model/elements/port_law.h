// The port of an arm for a jack that somebody else computes: in place of that jack stands an image
// of it, a spring and a damper about the place where the jack has been moved to, whose numbers are
// found while the two run together (solve/port.h). Within a step of Co-Simulation
//
//     force = F + s t - k (L - x) - d (v - v_0)
//
// where `push` is F + s t. Between two steps it goes on as at the end of the last one, whatever
// the input is by then. Before the first step, and in Model Exchange, the force is the input.
// Friction of the seals and the ends of the stroke are the arm's, as far as the file has them.
ELEMENT(port, FRAMES, "port", "port of a jack")
    NUMBER(first_stiffness, "stiffness", "port_stiffness_start", NEWTON_PER_METRE, ELSEWHERE,
           ABOVE_ZERO, ALWAYS, "Stiffness of the jack, as the port takes it to be at first")
    NUMBER(first_damping, "damping", "port_damping_start", NEWTON_SECOND_PER_METRE, USUAL(0),
           NOT_NEGATIVE, ALWAYS, "Damping of the jack, as the port takes it to be at first")
    NUMBER_OF(closed_length, cylinder)
    NUMBER_OF(stroke, cylinder)
    NUMBER_OF(coulomb, cylinder)
    NUMBER_OF(breakaway, cylinder)
    NUMBER_OF(stribeck, cylinder)
    NUMBER_OF(width, cylinder)
    NUMBER_OF(viscous, cylinder)
    NUMBER_OF(stop_stiffness, cylinder)
    NUMBER_OF(stop_damping, cylinder)
    NUMBER_OF(cushion, cylinder)
    INPUT(push, "force", NEWTON, FREE, ALWAYS, "Force, positive when it pushes the piston out")
    GIVEN(length, METRE, "between the end points")
    GIVEN(rate, METRE_PER_SECOND, "of the length")
    MODE(hold, "port_hold", INTEGER, NONE, ALWAYS,
         "Who says the force: 0 the input, 1 the port within a step, 2 the port between two steps")
    MODE(spring, "port_stiffness", REAL, NEWTON_PER_METRE, ALWAYS, "Stiffness k of the jack")
    MODE(damper, "port_damping", REAL, NEWTON_SECOND_PER_METRE, ALWAYS, "Damping d of the jack")
    MODE(held_force, "port_held_force", REAL, NEWTON, ALWAYS, "F + s t at the end of the last step")
    MODE(held_length, "port_held_length", REAL, METRE, ALWAYS, "x, about which the spring acts")
    MODE(held_velocity, "port_held_velocity", REAL, METRE_PER_SECOND, ALWAYS,
         "v_0, about which the damper acts")
    MODE(told_length, "port_told_length", REAL, METRE, ALWAYS, "Length that the jack has")
    MODE(told_velocity, "port_told_velocity", REAL, METRE_PER_SECOND, ALWAYS,
         "Speed that the jack is to have at the start of the next step")
    MODE(told_acceleration, "port_told_acceleration", REAL, METRE_PER_SECOND2, ALWAYS,
         "How that speed is to change in the step")
    SITE(ends, "the file says what the ends of the stroke are like")
    RESULT(force, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(jack_force, DRIVE, "", NEWTON, ALWAYS, "")
    RESULT(friction, OUTPUT, "friction_force", NEWTON, ALWAYS,
           "Friction of the seals, positive when the piston comes out")
    RESULT(end, OUTPUT, "stop_force", NEWTON, ALWAYS,
           "Push of the ends of the stroke, positive when the piston is all in")
    RESULT(velocity, OUTPUT, "port_velocity", METRE_PER_SECOND, ALWAYS,
           "Speed that the jack is to have at the start of the next step")
    RESULT(acceleration, OUTPUT, "port_acceleration", METRE_PER_SECOND2, ALWAYS,
           "How that speed is to change in the step")
    RESULT(place, OUTPUT, "port_length", METRE, ALWAYS, "Length that the jack has")
    RESULT(gap, OUTPUT, "port_gap", METRE, ALWAYS, "Length less that of the jack")
    RESULT(friction_loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(end_loss, STOP_LOSS, "", WATT, ALWAYS, "")
#ifdef LAW
    const mask plain = hold == 0;
    const real from = where(hold == 2, held_force, push);
    const real image = spring * (length - held_length) + damper * (rate - held_velocity);
    const real x = length - closed_length;
    const real ends_push = end_of_stroke(stop_stiffness, stop_damping, cushion, -x, -rate) -
                           end_of_stroke(stop_stiffness, stop_damping, cushion, x - stroke, rate);

    out->jack_force = from - where(plain, num(0), image);
    out->friction = seal_friction(coulomb, breakaway, stribeck, width, viscous, rate);
    out->end = ends ? ends_push : num(0);
    out->force = out->jack_force - out->friction + out->end;
    out->velocity = where(plain, rate, told_velocity);
    out->acceleration = where(plain, num(0), told_acceleration);
    out->place = where(plain, length, told_length);
    out->gap = where(plain, num(0), length - told_length);
    out->friction_loss = out->friction * rate;
    out->end_loss = -out->end * rate;
#endif
END(port)
