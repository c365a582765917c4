// As fa_sincos of sincos.h, on vectors, for angles below FA_SINCOS_MAX.
//
// Included once for each kind of vector: SINCOS is the function's name, NUMBERS the vector's type
// and BITS that of as many 64-bit integers.
ALWAYS void SINCOS(NUMBERS x, NUMBERS *sine, NUMBERS *cosine)
{
    const double  shift = 0x1.8p52;
    const NUMBERS shifted = x * 0x1.45f306dc9c883p-1 + shift;
    const NUMBERS turns = shifted - shift;
    BITS          quadrant;
    memcpy(&quadrant, &shifted, sizeof quadrant);

    const NUMBERS near = x - turns * 0x1.921fb544p+0;
    const NUMBERS second_part = turns * 0x1.0b4611a6p-34;
    const NUMBERS r = near - second_part;
    const NUMBERS tail = ((near - r) - second_part) - turns * 0x1.3198a2e037073p-69;

    // The polynomials in pairs of terms, which do not wait for each other.
    const NUMBERS z = r * r, z2 = z * z, half = 0.5 * z, most = 1 - half;
    const NUMBERS S = (-0x1.5555555555549p-3 + z * 0x1.111111110f8a6p-7) +
                      z2 * ((-0x1.a01a019c161d5p-13 + z * 0x1.71de357b1fe7dp-19) +
                            z2 * (-0x1.ae5e68a2b9cebp-26 + z * 0x1.5d93a5acfd57cp-33));
    const NUMBERS C = (0x1.555555555554cp-5 + z * -0x1.6c16c16c15177p-10) +
                      z2 * ((0x1.a01a019cb1590p-16 + z * -0x1.27e4f809c52adp-22) +
                            z2 * (0x1.1ee9ebdb4b1c4p-29 + z * -0x1.8fae9be8838d4p-37));
    const NUMBERS s = r + (r * z * S + tail * most);
    const NUMBERS c = most + (((1 - most) - half) + (z2 * C - r * tail));

    BITS s_bits, c_bits;
    memcpy(&s_bits, &s, sizeof s_bits);
    memcpy(&c_bits, &c, sizeof c_bits);
    const BITS odd = -(quadrant & 1);
    const BITS first = (c_bits & odd) | (s_bits & ~odd);
    const BITS second = (s_bits & odd) | (c_bits & ~odd);
    const BITS s_out = first ^ ((quadrant & 2) << 62);
    const BITS c_out = second ^ (((quadrant + 1) & 2) << 62);
    memcpy(sine, &s_out, sizeof *sine);
    memcpy(cosine, &c_out, sizeof *cosine);
}

#undef SINCOS
#undef NUMBERS
#undef BITS
