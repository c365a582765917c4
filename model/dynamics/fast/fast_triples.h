// Vectors of three numbers and symmetric matrices, whose numbers are SIMD vectors: a triple in each
// lane.
//
// Included once for each kind of SIMD vector: NUMBERS is its type, TRIPLE and SYMMETRIC are the
// names of the structs, ALWAYS makes a function inline. TRIPLE and SYMMETRIC are undefined again.
#define TRIPLE_JOINED_(a, b) a##b
#define TRIPLE_JOINED(a, b)  TRIPLE_JOINED_(a, b)
#define TRIPLE_(what)        TRIPLE_JOINED(TRIPLE, _##what)

typedef struct TRIPLE {
    NUMBERS x, y, z;
} TRIPLE;

typedef struct SYMMETRIC {
    NUMBERS xx, yy, zz, xy, xz, yz;
} SYMMETRIC;

ALWAYS TRIPLE TRIPLE_(add)(TRIPLE a, TRIPLE b)
{
    return (TRIPLE){a.x + b.x, a.y + b.y, a.z + b.z};
}

ALWAYS TRIPLE TRIPLE_(scale)(NUMBERS s, TRIPLE a)
{
    return (TRIPLE){s * a.x, s * a.y, s * a.z};
}

ALWAYS NUMBERS TRIPLE_(dot)(TRIPLE a, TRIPLE b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ALWAYS TRIPLE TRIPLE_(cross)(TRIPLE b, TRIPLE c)
{
    return (TRIPLE){b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x};
}

// a + b x c
ALWAYS TRIPLE TRIPLE_(add_cross)(TRIPLE a, TRIPLE b, TRIPLE c)
{
    return (TRIPLE){(a.x + b.y * c.z) - b.z * c.y, (a.y + b.z * c.x) - b.x * c.z,
                    (a.z + b.x * c.y) - b.y * c.x};
}

ALWAYS TRIPLE TRIPLE_(symmetric)(SYMMETRIC A, TRIPLE v)
{
    return (TRIPLE){A.xx * v.x + A.xy * v.y + A.xz * v.z, A.xy * v.x + A.yy * v.y + A.yz * v.z,
                    A.xz * v.x + A.yz * v.y + A.zz * v.z};
}

// The matrix of these columns, times r.
ALWAYS TRIPLE TRIPLE_(turned_by)(const TRIPLE U[3], TRIPLE r)
{
    return (TRIPLE){U[0].x * r.x + U[1].x * r.y + U[2].x * r.z,
                    U[0].y * r.x + U[1].y * r.y + U[2].y * r.z,
                    U[0].z * r.x + U[1].z * r.y + U[2].z * r.z};
}

#undef TRIPLE_JOINED_
#undef TRIPLE_JOINED
#undef TRIPLE_
#undef TRIPLE
#undef SYMMETRIC
