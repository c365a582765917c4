// A point, a ball or a wheel of a link against a surface that stands still: a plane, a ball or a
// box.
//
//     depth d     of the lowest point below the surface; P: the foot of that point on it
//     v, t        of the link's material point at P: along the normal n, and across it
//     normal      F = max(0, k d^e (1 - dissipation v)) where d > 0              (Hunt and
//     Crossley) friction    -friction F t / sqrt(t^2 + slip_speed^2), or with bristles s across n
//                 -F (s0 s + s1 s'),  s' = t - s0 |t| s / friction               (Dahl, LuGre)
//
// Energy stored in the spring k d^e counts as potential energy; the rest is lost. Vectors are in
// world axes. Bristles lie along e1, e2: with k the largest component of n in size, e1 is the next
// axis in x, y, z, x laid into the plane, e2 = n x e1.
ELEMENT(contact, CONTACT, "contact", "contact")
    NUMBER(stiffness, "stiffness", "stiffness", NONE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Stiffness of %s, in N per m to the power of its exponent; above zero")
    NUMBER(exponent, "exponent", "exponent", NONE, USUAL(1.5), ABOVE_ZERO, ALWAYS,
           "Power of the depth that the force of %s grows with: 1 or 1.5")
    NUMBER(dissipation, "dissipation", "dissipation", SECOND_PER_METRE, USUAL(0), NOT_NEGATIVE,
           ALWAYS, "Share of its force that %s gains per speed into the surface")
    NUMBER(friction, "friction", "friction", NONE, USUAL(0), NOT_NEGATIVE, ALWAYS,
           "Friction coefficient of %s")
    NUMBER(slip_speed, "slip-speed", "slip_speed", METRE_PER_SECOND, USUAL(0.01), ABOVE_ZERO,
           IF(smooth), "Speed over which the friction of %s turns round; above zero")
    NUMBER(radius, "radius", "radius", METRE, USUAL(0), ABOVE_ZERO, IF(round),
           "Radius of %s; above zero")
    NUMBER(bristle_stiffness, "bristle-stiffness", "bristle_stiffness", PER_METRE, USUAL(0),
           NOT_NEGATIVE, IF(bristle),
           "Friction of %s per length of its bristles, of the normal force")
    NUMBER(bristle_damping, "bristle-damping", "bristle_damping", SECOND_PER_METRE, USUAL(0),
           NOT_NEGATIVE, IF(bristle),
           "Friction of %s per speed of its bristles, of the normal force")
    STATE(bristle_x, "bristle.x", METRE, 1e-4, FREE, IF(bristle),
          "How far the bristles of %s are bent, first axis in the surface")
    STATE(bristle_y, "bristle.y", METRE, 1e-4, FREE, IF(bristle),
          "How far the bristles of %s are bent, second axis in the surface")
    GIVEN(cx, METRE, "of the centre, world")
    GIVEN(cy, METRE, "of the centre, world")
    GIVEN(cz, METRE, "of the centre, world")
    GIVEN(vx, METRE_PER_SECOND, "of the link at the centre, world")
    GIVEN(vy, METRE_PER_SECOND, "of the link at the centre, world")
    GIVEN(vz, METRE_PER_SECOND, "of the link at the centre, world")
    GIVEN(wx, RADIAN_PER_SECOND, "of the link, world")
    GIVEN(wy, RADIAN_PER_SECOND, "of the link, world")
    GIVEN(wz, RADIAN_PER_SECOND, "of the link, world")
    GIVEN(ax, NONE, "axis of the wheel, world")
    GIVEN(ay, NONE, "axis of the wheel, world")
    GIVEN(az, NONE, "axis of the wheel, world")
    GIVEN(ox, METRE, "of the surface, world")
    GIVEN(oy, METRE, "of the surface, world")
    GIVEN(oz, METRE, "of the surface, world")
    GIVEN(px, NONE, "normal of the plane, of any length, or the box's x axis")
    GIVEN(py, NONE, "normal of the plane, of any length, or the box's x axis")
    GIVEN(pz, NONE, "normal of the plane, of any length, or the box's x axis")
    GIVEN(qx, NONE, "the box's y axis")
    GIVEN(qy, NONE, "the box's y axis")
    GIVEN(qz, NONE, "the box's y axis")
    GIVEN(rx, NONE, "the box's z axis")
    GIVEN(ry, NONE, "the box's z axis")
    GIVEN(rz, NONE, "the box's z axis")
    GIVEN(half_x, METRE, "half the box's size, or the ball's radius")
    GIVEN(half_y, METRE, "half the box's size")
    GIVEN(half_z, METRE, "half the box's size")
    MODE(touching, "touching", BOOLEAN, NONE, ALWAYS, "Whether %s touches its surface")
    SITE(round, "it has a radius")
    SITE(rolls, "it is a wheel")
    SITE(on_ball, "the surface is a ball")
    SITE(on_box, "the surface is a box")
    CHOICE(bristle, "law", "smooth", "bristle")
    FLAG(smooth, !bristle, "a smooth law of friction")
    FLAG(again, rolls && on_ball, "a wheel on a ball")
    FLAG(on_edge, rolls && on_box, "a wheel on a box")
    FLAG(linear, exponent == 1, "the exponent 1")
    TUNABLE()
    RULE(exponent == 1 || exponent == 1.5,
         "the exponent of %s is {exponent}; it must be 1, or 1.5 as between round bodies")
    RULE(!bristle || (bristle_stiffness > 0 && friction > 0),
         "the bristles of %s need a bristle-stiffness and a friction above zero; write them, or "
         "leave law=\"bristle\" out")
    RESULT(force_x, PUSH, "force.x", NEWTON, ALWAYS, "Force of the surface on %s, world x")
    RESULT(force_y, PUSH, "force.y", NEWTON, ALWAYS, "Force of the surface on %s, world y")
    RESULT(force_z, PUSH, "force.z", NEWTON, ALWAYS, "Force of the surface on %s, world z")
    RESULT(foot_x, OUTPUT, "", METRE, ALWAYS, "")
    RESULT(foot_y, OUTPUT, "", METRE, ALWAYS, "")
    RESULT(foot_z, OUTPUT, "", METRE, ALWAYS, "")
    RESULT(depth, OUTPUT, "depth", METRE, ALWAYS,
           "How deep %s is in the surface; below zero: how far away")
    RESULT(slip_x, OUTPUT, "slip.x", METRE_PER_SECOND, ALWAYS,
           "Speed of %s across the surface, world x")
    RESULT(slip_y, OUTPUT, "slip.y", METRE_PER_SECOND, ALWAYS,
           "Speed of %s across the surface, world y")
    RESULT(slip_z, OUTPUT, "slip.z", METRE_PER_SECOND, ALWAYS,
           "Speed of %s across the surface, world z")
    RESULT(bristle_x_rate, RATE, "bristle_rate.x", METRE_PER_SECOND, IF(bristle),
           "Change of how far the bristles of %s are bent, first axis in the surface")
    RESULT(bristle_y_rate, RATE, "bristle_rate.y", METRE_PER_SECOND, IF(bristle),
           "Change of how far the bristles of %s are bent, second axis in the surface")
    RESULT(work, DRIVE, "", WATT, ALWAYS, "")
    RESULT(loss, CONTACT_LOSS, "", WATT, ALWAYS, "")
    RESULT(energy, STORED, "", JOULE, ALWAYS, "")
    RESULT(indicator, INDICATOR, "touch_indicator", METRE, ALWAYS, "Above zero while %s touches")
#ifdef LAW
    // From the surface's origin to the centre, in world axes and along the box's.
    const real dx = cx - ox;
    const real dy = cy - oy;
    const real dz = cz - oz;
    const real bx = px * dx + py * dy + pz * dz;
    const real by = qx * dx + qy * dy + qz * dz;
    const real bz = rx * dx + ry * dy + rz * dz;

    // A box: the nearest point of it, or from inside the nearest face.
    const real ex = bx - real_min(real_max(bx, -half_x), half_x);
    const real ey = by - real_min(real_max(by, -half_y), half_y);
    const real ez = bz - real_min(real_max(bz, -half_z), half_z);
    const real outside2 = ex * ex + ey * ey + ez * ez;
    const mask outside = outside2 > 0;
    const real off = real_sqrt(where(outside, outside2, num(1)));
    const real to_x = half_x - real_abs(bx);
    const real to_y = half_y - real_abs(by);
    const real to_z = half_z - real_abs(bz);
    const real by_x = where((to_y < to_x) | (to_z < to_x), num(0), num(1));
    const real by_y = where(to_z < to_y, num(0), 1 - by_x);
    const real by_z = 1 - by_x - by_y;
    const real ux = where(outside, ex / off, by_x * with_sign(num(1), bx));
    const real uy = where(outside, ey / off, by_y * with_sign(num(1), by));
    const real uz = where(outside, ez / off, by_z * with_sign(num(1), bz));
    const real box_gap = where(outside, off, -(by_x * to_x + by_y * to_y + by_z * to_z));

    // The normal as seen from the centre, and how far the surface is from there.
    const real length =
        real_sqrt(on_ball ? dx * dx + dy * dy + dz * dz : px * px + py * py + pz * pz);
    const real hx = on_box ? px * ux + qx * uy + rx * uz : on_ball ? dx / length : px / length;
    const real hy = on_box ? py * ux + qy * uy + ry * uz : on_ball ? dy / length : py / length;
    const real hz = on_box ? pz * ux + qz * uy + rz * uz : on_ball ? dz / length : pz / length;
    const real from_centre = on_box    ? box_gap
                             : on_ball ? length - half_x
                                       : dx * hx + dy * hy + dz * hz;

    // The lowest point of the shape, from its centre; of a wheel that lies flat the centre.
    const real along = hx * ax + hy * ay + hz * az;
    const real tx = hx - along * ax;
    const real ty = hy - along * ay;
    const real tz = hz - along * az;
    const real tilt2 = tx * tx + ty * ty + tz * tz;
    const mask stands = tilt2 > num(1e-12);
    const real tilt = real_sqrt(where(stands, tilt2, num(1)));
    const real low_x = rolls ? where(stands, -radius * tx / tilt, num(0)) : -radius * hx;
    const real low_y = rolls ? where(stands, -radius * ty / tilt, num(0)) : -radius * hy;
    const real low_z = rolls ? where(stands, -radius * tz / tilt, num(0)) : -radius * hz;

    // A wheel on a ball: normal and distance as seen from there.
    const real sx = dx + low_x;
    const real sy = dy + low_y;
    const real sz = dz + low_z;
    const real apart = real_sqrt(sx * sx + sy * sy + sz * sz);
    const real nx = again ? sx / apart : hx;
    const real ny = again ? sy / apart : hy;
    const real nz = again ? sz / apart : hz;
    const real gap = again ? apart - half_x : from_centre + (low_x * hx + low_y * hy + low_z * hz);
    const real depth = -gap;

    // Approach speed of a wheel at a box's edge, caused by the rotation of the normal.
    const real speed_x = px * vx + py * vy + pz * vz;
    const real speed_y = qx * vx + qy * vy + qz * vz;
    const real speed_z = rx * vx + ry * vy + rz * vz;
    const real lean_x = px * ax + py * ay + pz * az;
    const real lean_y = qx * ax + qy * ay + qz * az;
    const real lean_z = rx * ax + ry * ay + rz * az;
    const real beside = where(real_abs(bx) > half_x, speed_x * lean_x, num(0)) +
                        where(real_abs(by) > half_y, speed_y * lean_y, num(0)) +
                        where(real_abs(bz) > half_z, speed_z * lean_z, num(0));
    const real lean = ux * lean_x + uy * lean_y + uz * lean_z;
    const real away = ux * speed_x + uy * speed_y + uz * speed_z;
    const real turning = where(outside & stands, (beside - away * lean) / off, num(0));
    const real over_edge = on_edge ? radius * along * turning / tilt : num(0);

    // The foot, from the centre, and the motion there.
    const real lx = low_x - gap * nx;
    const real ly = low_y - gap * ny;
    const real lz = low_z - gap * nz;
    const real mx = vx + wy * lz - wz * ly;
    const real my = vy + wz * lx - wx * lz;
    const real mz = vz + wx * ly - wy * lx;
    const real v = mx * nx + my * ny + mz * nz;
    const real slip_x = mx - v * nx;
    const real slip_y = my - v * ny;
    const real slip_z = mz - v * nz;
    const real slip2 = slip_x * slip_x + slip_y * slip_y + slip_z * slip_z;

    const mask deep = depth > 0;
    const real inside = where(deep, depth, num(1));
    const real root = linear ? num(1) : real_sqrt(inside);
    const real spring = where(deep, stiffness * inside * root, num(0));
    const real normal = real_max(spring * (1 - dissipation * v), num(0));

    // Bristles across the normal.
    const real size_x = real_abs(nx);
    const real size_y = real_abs(ny);
    const real size_z = real_abs(nz);
    const real in_x = where((size_y > size_x) | (size_z > size_x), num(0), num(1));
    const real in_y = where(size_z > size_y, num(0), 1 - in_x);
    const real in_z = 1 - in_x - in_y;
    const real rise = in_z * nx + in_x * ny + in_y * nz;
    const real fx = in_z - rise * nx;
    const real fy = in_x - rise * ny;
    const real fz = in_y - rise * nz;
    const real flat = real_sqrt(fx * fx + fy * fy + fz * fz);
    const real e1x = fx / flat;
    const real e1y = fy / flat;
    const real e1z = fz / flat;
    const real e2x = ny * e1z - nz * e1y;
    const real e2y = nz * e1x - nx * e1z;
    const real e2z = nx * e1y - ny * e1x;
    const mask slips = slip2 > 0;
    const real speed = where(slips, real_sqrt(where(slips, slip2, num(1))), num(0));
    const real fade = bristle ? bristle_stiffness * speed / friction : num(0);
    const real rate_x = slip_x * e1x + slip_y * e1y + slip_z * e1z - fade * bristle_x;
    const real rate_y = slip_x * e2x + slip_y * e2y + slip_z * e2z - fade * bristle_y;
    const real grip_x = bristle_stiffness * bristle_x + bristle_damping * rate_x;
    const real grip_y = bristle_stiffness * bristle_y + bristle_damping * rate_y;
    const real share = smooth ? friction / real_sqrt(slip2 + slip_speed * slip_speed) : num(0);
    const real across_x = bristle ? grip_x * e1x + grip_y * e2x : share * slip_x;
    const real across_y = bristle ? grip_x * e1y + grip_y * e2y : share * slip_y;
    const real across_z = bristle ? grip_x * e1z + grip_y * e2z : share * slip_z;

    out->force_x = normal * (nx - across_x);
    out->force_y = normal * (ny - across_y);
    out->force_z = normal * (nz - across_z);
    out->foot_x = cx + lx;
    out->foot_y = cy + ly;
    out->foot_z = cz + lz;
    out->depth = depth;
    out->slip_x = slip_x;
    out->slip_y = slip_y;
    out->slip_z = slip_z;
    out->bristle_x_rate = bristle ? rate_x : num(0);
    out->bristle_y_rate = bristle ? rate_y : num(0);
    out->work = out->force_x * mx + out->force_y * my + out->force_z * mz;
    out->loss = spring * (v + over_edge) - out->work;
    out->energy = spring * inside / (linear ? num(2) : num(2.5));
    out->indicator = where(touching == 0, depth - num(1e-9), depth + num(1e-9));
#endif
#ifdef EVENT
    next->touching = out->indicator > 0;
#endif
END(contact)
