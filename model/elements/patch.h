// A patch of a snake's ground on which friction is another: a disc, or a rectangle along axes of
// its own, with a soft edge. Patches that lie on each other multiply.
ELEMENT(patch, LINK, "patch", "patch of ground")
    NUMBER(x, "x", "x", METRE, USUAL(0), FINITE, ALWAYS, "Middle of %s, world x")
    NUMBER(y, "y", "y", METRE, USUAL(0), FINITE, ALWAYS, "Middle of %s, world y")
    NUMBER(radius, "radius", "radius", METRE, USUAL(1), ABOVE_ZERO, IF(round),
           "Radius of %s; above zero")
    NUMBER(width, "width", "width", METRE, USUAL(1), ABOVE_ZERO, IF(rectangle),
           "Size of %s along its own x axis; above zero")
    NUMBER(height, "height", "height", METRE, USUAL(1), ABOVE_ZERO, IF(rectangle),
           "Size of %s along its own y axis; above zero")
    NUMBER(angle, "angle", "angle", RADIAN, USUAL(0), FINITE, IF(rectangle),
           "Direction of the own x axis of %s, from the world's")
    NUMBER(edge, "edge", "edge", METRE, REQUIRED, ABOVE_ZERO, ALWAYS,
           "Width over which friction changes at the edge of %s; above zero")
    NUMBER(scale_tangential, "scale-tangential", "scale_tangential", NONE, USUAL(1), NOT_NEGATIVE,
           ALWAYS, "Factor of friction along links on %s")
    NUMBER(scale_normal, "scale-normal", "scale_normal", NONE, USUAL(1), NOT_NEGATIVE, ALWAYS,
           "Factor of friction across links on %s")
    TUNABLE()
    GIVEN(px, METRE, "where a link stands, world")
    GIVEN(py, METRE, "where a link stands, world")
    CHOICE(rectangle, "shape", "disc", "rectangle")
    FLAG(round, !rectangle, "shape=\"disc\"")
    RESULT(along, OUTPUT, "", NONE, ALWAYS, "")
    RESULT(across, OUTPUT, "", NONE, ALWAYS, "")
#ifdef LAW
    const real dx = px - x;
    const real dy = py - y;
    const real square = dx * dx + dy * dy;
    const mask off = square > 0;
    const real away = where(off, real_sqrt(where(off, square, num(1))), num(0));
    const real disc = 0.5 * (1 + real_tanh((radius - away) / edge));
    const real C = real_cos(angle);
    const real S = real_sin(angle);
    const real u = C * dx + S * dy;
    const real v = C * dy - S * dx;
    const real by_u = real_tanh((u + 0.5 * width) / edge) - real_tanh((u - 0.5 * width) / edge);
    const real by_v = real_tanh((v + 0.5 * height) / edge) - real_tanh((v - 0.5 * height) / edge);
    const real on = rectangle ? 0.25 * by_u * by_v : disc;
    out->along = 1 + (scale_tangential - 1) * on;
    out->across = 1 + (scale_normal - 1) * on;
#endif
END(patch)
