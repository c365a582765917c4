// Mass, centre of mass and inertia of bodies of uniform density, by their shape, and of several of
// them together. Sources: the table of shapes in docs/parts.md, where each formula is derived.
#ifndef FA_SOLID_H
#define FA_SOLID_H

#include "spatial.h"

typedef struct fa_solid {
    double  mass;    // [kg]
    fa_vec3 com;     // centre of mass [m]
    fa_sym3 inertia; // about the centre of mass, elements of the tensor [kg m^2]
} fa_solid;

// Every shape's axes are its own: z is the axis of what turns. Cylinders, tubes, spheres and boxes
// have the origin in their middle; cones, frusta and hemispheres stand on z = 0 and rise from
// there; the semi-cylinder is the half y >= 0 of a cylinder.
#define FA_SHAPE_LIST(X)                                                                           \
    X(FA_CYLINDER, "cylinder")                                                                     \
    X(FA_TUBE, "tube")                                                                             \
    X(FA_SEMI_CYLINDER, "semi-cylinder")                                                           \
    X(FA_CONE, "cone")                                                                             \
    X(FA_FRUSTUM, "frustum")                                                                       \
    X(FA_SPHERE, "sphere")                                                                         \
    X(FA_HEMISPHERE, "hemisphere")                                                                 \
    X(FA_BOX, "box")                                                                               \
    X(FA_MESH, "mesh")

typedef enum fa_shape_kind {
#define X(code, name) code,
    FA_SHAPE_LIST(X)
#undef X
        FA_SHAPE_COUNT
} fa_shape_kind;

extern const char *const fa_shape_names[FA_SHAPE_COUNT];

// The dimensions that the shape has, the others zero.
typedef struct fa_shape {
    fa_shape_kind kind;    // any but FA_MESH, which has no dimensions of its own (mesh.h)
    double        radius;  // of a tube the outer one, of a frustum that at z = 0 [m]
    double        radius2; // of a tube the inner one, of a frustum that at z = height [m]
    double        height;  // [m]
    fa_vec3       size;    // of a box, its edges [m]
} fa_shape;

// A body of that shape and density [kg/m^3], in the shape's axes.
fa_solid fa_shape_solid(const fa_shape *shape, double density);

// Mass properties for density 1: a cylinder along z between two half spheres, `length` without
// them; an ellipsoid by its half axes.
fa_solid fa_capsule_solid(double radius, double length);
fa_solid fa_ellipsoid_solid(fa_vec3 half);

// The same body in the axes of the frame that X leads from to the body's own.
fa_solid fa_solid_place(fa_solid solid, fa_transform X);

// Two bodies as one, both given in the same axes; either may be without mass.
fa_solid fa_solid_add(fa_solid a, fa_solid b);

#endif
