// A snake's link, round at its ends and sides, against a peg or a wall that stands still, in the
// plane: the law of contact.h there. Of a peg the nearest point of the link's axis touches, of a
// wall an end.
//     depth d, foot P on the surface, v and t: velocity of the link's material point at P along the
//     normal and across it
//     F = max(0, stiffness d^e (1 - dissipation v)),  friction -friction F t / sqrt(t^2 +
//     slip_speed^2)
ELEMENT(touch, LINK, "contact", "contact with obstacles")
    NUMBER(stiffness, "stiffness", "stiffness", NONE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Stiffness of links at obstacles, in N per m to the power of the exponent; above zero")
    NUMBER(exponent, "exponent", "exponent", NONE, USUAL(1.5), ABOVE_ZERO, ALWAYS,
           "Power of the depth that the force grows with: 1 or 1.5")
    NUMBER(dissipation, "dissipation", "dissipation", SECOND_PER_METRE, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Share of its force that a contact gains per speed into the obstacle")
    NUMBER(friction, "friction", "friction", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction coefficient of links and obstacles")
    NUMBER(slip_speed, "slip-speed", "slip_speed", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO,
           ALWAYS, "Speed over which friction at obstacles turns round; above zero")
    GIVEN(cx, METRE, "of the peg's centre, or a point of the wall, world")
    GIVEN(cy, METRE, "of the peg's centre, or a point of the wall, world")
    GIVEN(size, METRE, "radius of the peg")
    GIVEN(hx, NONE, "normal of the wall, of any length, out of it")
    GIVEN(hy, NONE, "normal of the wall, of any length, out of it")
    GIVEN(radius, METRE, "of the link")
    GIVEN(rear, METRE, "from the rear joint to the wheel")
    GIVEN(front, METRE, "from the wheel to the front joint")
    GIVEN(px, METRE, "of the wheel, world")
    GIVEN(py, METRE, "of the wheel, world")
    GIVEN(ex, NONE, "axis of the link, world")
    GIVEN(ey, NONE, "axis of the link, world")
    GIVEN(vx, METRE_PER_SECOND, "velocity of the wheel, world")
    GIVEN(vy, METRE_PER_SECOND, "velocity of the wheel, world")
    GIVEN(turn, RADIAN_PER_SECOND, "rate of the link")
    SITE(flat, "the obstacle is a wall")
    SITE(ahead, "of a wall: at the front end")
    FLAG(linear, exponent == 1, "the exponent 1")
    TUNABLE()
    RULE(exponent == 1 || exponent == 1.5,
         "the exponent of %s is {exponent}; it must be 1, or 1.5 as between round bodies")
    RESULT(force_x, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(force_y, PUSH, "", NEWTON, ALWAYS, "")
    RESULT(moment, PUSH, "", NEWTON_METRE, ALWAYS, "") // about the wheel
    RESULT(depth, OUTPUT, "", METRE, ALWAYS, "")
    RESULT(power, OUTPUT, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
#ifdef LAW
    // The point of the axis, from the wheel.
    const real sx = cx - px;
    const real sy = cy - py;
    const real nearest = real_min(real_max(sx * ex + sy * ey, -rear), front);
    const real at = flat ? (ahead ? front : -rear) : nearest;
    const real qx = at * ex - sx; // from the obstacle
    const real qy = at * ey - sy;
    const real apart2 = flat ? hx * hx + hy * hy : qx * qx + qy * qy;
    const mask off = apart2 > 0;
    const real apart = real_sqrt(where(off, apart2, num(1)));
    const real nx = flat ? hx / apart : qx / apart;
    const real ny = flat ? hy / apart : qy / apart;
    const real height = qx * nx + qy * ny;
    const real depth = flat ? radius - height : size + radius - height;
    // The foot, from the wheel, and the motion there.
    const real back = flat ? height : height - size;
    const real fx = at * ex - back * nx;
    const real fy = at * ey - back * ny;
    const real mx = vx - turn * fy;
    const real my = vy + turn * fx;
    const real v = mx * nx + my * ny;
    const real tx = mx - v * nx;
    const real ty = my - v * ny;
    const mask deep = depth > 0;
    const real inside = where(deep, depth, num(1));
    const real root = linear ? num(1) : real_sqrt(inside);
    const real spring = where(deep, stiffness * inside * root, num(0));
    const real normal = real_max(spring * (1 - dissipation * v), num(0));
    const real share = friction / real_sqrt(tx * tx + ty * ty + slip_speed * slip_speed);
    const real forces_x = normal * (nx - share * tx);
    const real forces_y = normal * (ny - share * ty);
    out->force_x = forces_x;
    out->force_y = forces_y;
    out->moment = fx * forces_y - fy * forces_x;
    out->depth = depth;
    out->power = forces_x * mx + forces_y * my;
    out->energy = spring * inside / (linear ? num(2) : num(2.5));
#endif
END(touch)
