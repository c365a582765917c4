// A spring with a damper along the line between a point of one link and a point of another. Its
// force is positive when it pushes them apart.
ELEMENT(line_spring, FRAMES, "line-spring", "spring between two points")
    NUMBER(stiffness, "stiffness", "stiffness", NEWTON_PER_METRE, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Stiffness of %s")
    NUMBER(damping, "damping", "damping", NEWTON_SECOND_PER_METRE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Damping of %s")
    NUMBER(rest, "rest", "rest", METRE, REQUIRED, NOT_NEGATIVE, ALWAYS,
           "Length at which %s is slack")
    GIVEN(dx, METRE, "from its first point to its second, world")
    GIVEN(dy, METRE, "from its first point to its second, world")
    GIVEN(dz, METRE, "from its first point to its second, world")
    GIVEN(vx, METRE_PER_SECOND, "of the second against the first, world")
    GIVEN(vy, METRE_PER_SECOND, "of the second against the first, world")
    GIVEN(vz, METRE_PER_SECOND, "of the second against the first, world")
    RESULT(force_x, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(force_y, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(force_z, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(length, OUTPUT, "length", METRE, ALWAYS, "Distance of the points of %s")
    RESULT(force, OUTPUT, "force", NEWTON, ALWAYS,
           "Force of %s, positive when it pushes its points apart")
    RESULT(work, DRIVE, "", WATT, ALWAYS, "")
    RESULT(loss, FRICTION_LOSS, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
#ifdef LAW
    const real square = dx * dx + dy * dy + dz * dz;
    const mask apart = square > 0; // or there is no line between them, and no force along it
    const real length = real_sqrt(where(apart, square, num(1)));
    const real ux = where(apart, dx / length, num(0));
    const real uy = where(apart, dy / length, num(0));
    const real uz = where(apart, dz / length, num(0));
    const real rate = ux * vx + uy * vy + uz * vz;
    const real stretch = where(apart, length, num(0)) - rest;
    const real push = -stiffness * stretch - damping * rate;
    out->force_x = push * ux;
    out->force_y = push * uy;
    out->force_z = push * uz;
    out->length = where(apart, length, num(0));
    out->force = push;
    out->work = push * rate;
    out->loss = damping * rate * rate;
    out->energy = 0.5 * stiffness * stretch * stretch;
#endif
END(line_spring)
