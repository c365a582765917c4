// Mass properties of boxes, cylinders, spheres and meshes; composition of solids.
#include "solid.h"

const char *const fa_shape_names[FA_SHAPE_COUNT] = {
#define X(code, name) [code] = (name),
    FA_SHAPE_LIST(X)
#undef X
};

static const double PI = 3.14159265358979323846;

// Moments across and along the axis of a body that turns, centre of mass on the axis.
static fa_solid turned(double mass, double z, double across, double along)
{
    return (fa_solid){mass, {0, 0, z}, {across, across, along, 0, 0, 0}};
}

static fa_solid frustum(double density, double r0, double r1, double h)
{
    double mass = density * PI * h * (r0 * r0 + r0 * r1 + r1 * r1) / 3;
    double z = h * (r0 * r0 + 2 * r0 * r1 + 3 * r1 * r1) / (4 * (r0 * r0 + r0 * r1 + r1 * r1));
    double r4 = r0 * r0 * r0 * r0 + r0 * r0 * r0 * r1 + r0 * r0 * r1 * r1 + r0 * r1 * r1 * r1 +
                r1 * r1 * r1 * r1;
    double along = density * PI * h * r4 / 10;
    // Discs of thickness dz: half of what is along the axis, and their distance from z = 0.
    double distance = density * PI * h * h * h * (r0 * r0 / 30 + r0 * r1 / 10 + r1 * r1 / 5);
    return turned(mass, z, along / 2 + distance - mass * z * z, along);
}

fa_solid fa_shape_solid(const fa_shape *shape, double density)
{
    const double r = shape->radius, h = shape->height;
    switch (shape->kind) {
    case FA_CYLINDER: {
        double m = density * PI * r * r * h;
        return turned(m, 0, m * (3 * r * r + h * h) / 12, m * r * r / 2);
    }
    case FA_TUBE: {
        double a = shape->radius2, m = density * PI * (r - a) * (r + a) * h;
        return turned(m, 0, m * (3 * (a * a + r * r) + h * h) / 12, m * (a * a + r * r) / 2);
    }
    case FA_SEMI_CYLINDER: {
        double m = density * PI * r * r * h / 2, c = 4 * r / (3 * PI);
        double about_z_axis = m * r * r / 2, about_x_axis = m * (r * r / 4 + h * h / 12);
        return (fa_solid){
            m,
            {0, c, 0},
            {about_x_axis - m * c * c, about_x_axis, about_z_axis - m * c * c, 0, 0, 0}};
    }
    case FA_CONE:
        return frustum(density, r, 0, h);
    case FA_FRUSTUM:
        return frustum(density, r, shape->radius2, h);
    case FA_SPHERE: {
        double m = density * 4 * PI * r * r * r / 3, moment = m * 2 * r * r / 5;
        return turned(m, 0, moment, moment);
    }
    case FA_HEMISPHERE: {
        double m = density * 2 * PI * r * r * r / 3, c = 3 * r / 8, moment = m * 2 * r * r / 5;
        return turned(m, c, moment - m * c * c, moment);
    }
    case FA_BOX: {
        const fa_vec3 s = shape->size;
        double        m = density * s.x * s.y * s.z;
        return (fa_solid){m,
                          {0, 0, 0},
                          {m * (s.y * s.y + s.z * s.z) / 12, m * (s.x * s.x + s.z * s.z) / 12,
                           m * (s.x * s.x + s.y * s.y) / 12, 0, 0, 0}};
    }
    case FA_MESH:
    case FA_SHAPE_COUNT:
        break;
    }
    return (fa_solid){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
}

fa_solid fa_capsule_solid(double radius, double length)
{
    const fa_shape middle = {.kind = FA_CYLINDER, .radius = radius, .height = length};
    const fa_shape half = {.kind = FA_HEMISPHERE, .radius = radius};
    fa_transform   up = {mat3_identity(), {0, 0, length / 2}};
    fa_transform   down = {{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, {0, 0, -length / 2}};
    const fa_solid cap = fa_shape_solid(&half, 1);
    fa_solid       both = fa_solid_add(fa_solid_place(cap, up), fa_solid_place(cap, down));
    return fa_solid_add(both, fa_shape_solid(&middle, 1));
}

fa_solid fa_ellipsoid_solid(fa_vec3 a)
{
    const double m = 4 * PI * a.x * a.y * a.z / 3;
    return (fa_solid){m,
                      {0, 0, 0},
                      {m * (a.y * a.y + a.z * a.z) / 5, m * (a.x * a.x + a.z * a.z) / 5,
                       m * (a.x * a.x + a.y * a.y) / 5, 0, 0, 0}};
}

fa_solid fa_solid_place(fa_solid solid, fa_transform X)
{
    solid.com = point_to_parent(X, solid.com);
    solid.inertia = sym3_rotate(mat3_transpose(X.E), solid.inertia); // E turns towards the body
    return solid;
}

fa_solid fa_solid_add(fa_solid a, fa_solid b)
{
    if (a.mass == 0) return b;
    if (b.mass == 0) return a;
    double  mass = a.mass + b.mass;
    fa_vec3 apart = vec3_sub(b.com, a.com);
    // Both about the common centre: the parallel axis theorem, with the distances of the two from
    // there put in.
    fa_sym3 moved = sym3_scale(a.mass * b.mass / mass, sym3_point(apart, apart));
    return (fa_solid){mass, vec3_add(a.com, vec3_scale(b.mass / mass, apart)),
                      sym3_add(sym3_add(a.inertia, b.inertia), moved)};
}
