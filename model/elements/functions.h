// Common functions of several laws, in the language of laws; the compiler and lawc read them.

// x within +-most, most >= 0.
FA_INLINED real clip(real x, real most)
{
    return where(real_abs(x) > most, with_sign(most, x), x); // with most itself still inside
}

// 0 below 0, z^2 (3 - 2 z), 1 above 1: something that opens and closes without a kink.
FA_INLINED real from_0_to_1(real z)
{
    const real inside = real_min(real_max(z, num(0)), num(1));
    return inside * inside * (3 - 2 * inside);
}

FA_INLINED real circle_area(real diameter)
{
    return num(0.78539816339744830962) * (diameter * diameter);
}

// The share of a torque that passes a gear; t: tanh of the speed over its width.
FA_INLINED real passed_on(real torque, real t, real efficiency, real efficiency_back)
{
    const real sign = where(torque < 0, num(-1), num(1));
    const real k = where(sign * t > 0, 1 - efficiency, 1 / efficiency_back - 1);
    return 1 - k * sign * t;
}

// Flow through an opening: like the square root of the drop where that is large, and like the drop
// itself, without a kink, where it is small: K u d / (d^2 + transition^2)^(1/4).
FA_INLINED real orifice(real coefficient, real opening, real drop, real transition)
{
    const real square = drop * drop + transition * transition;
    return coefficient * opening * drop / real_sqrt(real_sqrt(square));
}

// Relative change of volume per pressure of oil [1/Pa]. The liquid with air follows the law that
// fluid power textbooks give,
//
//     beta_oil(p) = beta (1 + a (p0/p)^(1/n)) / (1 + a beta (p0/p)^(1/n) / (n p)),
//
// a being the share of free air at p0. It says nothing about vapour, so vapour is added: cavities
// of the relative volume (200 Pa / (p - p_v))^3, which is 1 % at p_v + 930 Pa, everything at p_v,
// and nothing to speak of at any pressure that a machine works with. A chamber that is pulled open
// therefore stays above p_v and closes again over the very volume that it opened by.
FA_INLINED real oil_compressibility(real bulk_modulus, real air, real exponent, real atmosphere,
                                    real vapour, real pressure)
{
    const real x = air * real_exp(real_log(atmosphere / pressure) / exponent); // volume of the air
    const real liquid = (1 / bulk_modulus + x / (exponent * pressure)) / (x + 1);
    const real gap = pressure - vapour;
    return liquid + 2.4e7 / ((gap * gap) * (gap * gap)); // 3 (200 Pa)^3
}

// Oil in a volume that a piston may press together beyond its stroke, into an end that gives way:
// the volume down to `least`, below that least^2 / (2 least - volume), which goes on with the same
// slope and stays above zero.
FA_INLINED real room_left(real volume, real least)
{
    return where(volume < least, least / (2 * least - volume) * least, volume);
}

// Rate of a pressure where `net` flows into the capacity [m^3/Pa]. Within 1 Pa of the vapour, where
// only a step too long leads, there is no such oil: back in a millisecond to where there is.
FA_INLINED real pressure_rate(real net, real capacity, real pressure, real vapour)
{
    const real away = (vapour + 200) - pressure;
    return where(pressure - vapour < 1, 1000 * away, net / capacity);
}

// Push of one end of a stroke on the piston, `depth` behind it, going deeper with `rate`: stiffness
// depth + damping rate ramp, where that pushes. The ramp lets the damping grow from nothing at the
// first touch to all of it at the depth of the cushion, so that the force has no jump.
FA_INLINED real end_of_stroke(real stiffness, real damping, real cushion, real depth, real rate)
{
    const real inside = real_max(depth, num(0));
    const real ramp = from_0_to_1(inside / cushion);
    return real_max(stiffness * inside + damping * ramp * rate, num(0));
}

// Friction of seals, against a piston that comes out with this rate: what it is while sliding, and
// more where the motion begins.
FA_INLINED real seal_friction(real coulomb, real breakaway, real stribeck, real width, real viscous,
                              real rate)
{
    const real fall = real_exp(-((rate / stribeck) * (rate / stribeck)));
    const real size = coulomb + (breakaway - coulomb) * fall;
    return size * real_tanh(rate / width) + viscous * rate;
}

// Exactly 0 below 0, then a parabola, and from x = w on a straight line of slope 1: what opens one
// way. w = 0: without the parabola.
FA_INLINED real ramp(real x, real w)
{
    const real wide = where(w > 0, w, num(1));
    return where(x < 0, num(0), where(x < w, x * x / (2 * wide), x - w / 2));
}

// The smaller of two, rounded over w: (a + b - sqrt((a - b)^2 + w^2)) / 2, without cancellation.
FA_INLINED real smaller(real a, real b, real w)
{
    const real apart = real_abs(a - b);
    const real square = apart * apart + w * w;
    const mask differs = square > 0;
    const real twice = 2 * (real_sqrt(where(differs, square, num(1))) + apart);
    return real_min(a, b) - where(differs, w * w / twice, num(0));
}

// The larger of two, rounded likewise.
FA_INLINED real larger(real a, real b, real w)
{
    return -smaller(-a, -b, w);
}
