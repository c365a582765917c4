// URDF 1.0 to 1.2 as a robot: what the format says, and what real files make of it
// (docs/robot-file.md has the contract, line by line). Geometry, transmissions, controllers,
// sensors and other namespaces do not concern the motion and are passed over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "names.h"
#include "number.h"
#include "tree.h"
#include "values.h"

typedef struct urdf {
    const fa_xml *xml;
    const fa_log *log;
    fa_error     *error;
    bool          lenient;
    int           minor; // 1.minor is the version of the format
    fa_tree       tree;
} urdf;

#define FAIL(u, place, ...) fa_fail((u)->error, FA_BAD_INPUT, (u)->xml->path, place, __VA_ARGS__)
#define WARN(u, place, ...) fa_warn((u)->log, (u)->xml->path, place, __VA_ARGS__)

// Files carry unit vectors and unit quaternions with six digits or more. What is further from unit
// length was not meant as one, so that the person hears of it.
static const double UNIT_TOLERANCE = 1e-6;

// -------------------------------------------------------------------------------------- frames

static fa_status read_rotation(const urdf *u, const fa_xml_element *origin, fa_mat3 *E)
{
    const fa_xml_attribute *quat = fa_xml_find(origin, "quat_xyzw");
    fa_vec3                 rpy = {0, 0, 0};
    fa_status status = fa_read_vec3(u->xml, origin, "rpy", &rpy, FA_OPTIONAL, u->error);
    if (status != FA_OK) return status;
    if (!quat) {
        if (rpy.x != 0 || rpy.y != 0 || rpy.z != 0) *E = fa_rotation_rpy(rpy);
        return FA_OK;
    }
    if (fa_xml_find(origin, "rpy"))
        return FAIL(u, quat->place, "%s has both rpy and quat_xyzw; keep one of them",
                    fa_xml_about(origin).text);
    if (u->minor < 1)
        WARN(u, quat->place, "quat_xyzw belongs to URDF 1.1; add version=\"1.1\" to <robot>");
    double q[4];
    status = fa_read_numbers(u->xml, origin, "quat_xyzw", 4, q, FA_REQUIRED, u->error);
    if (status != FA_OK) return status;
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 0) || isinf(norm))
        return FAIL(u, quat->value_place,
                    "quat_xyzw in %s has no direction; 0 0 0 1 is no rotation",
                    fa_xml_about(origin).text);
    if (fabs(norm - 1) > UNIT_TOLERANCE)
        WARN(u, quat->value_place, "quat_xyzw in %s has the length %s; it is scaled to 1",
             fa_xml_about(origin).text, fa_number_text(norm).text);
    double x = q[0] / norm, y = q[1] / norm, z = q[2] / norm, w = q[3] / norm;
    *E = (fa_mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                    {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                    {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
    return FA_OK;
}

// The <origin> of an element; identity where there is none.
static fa_status read_origin(const urdf *u, const fa_xml_element *owner, fa_transform *X)
{
    const fa_xml_element *origin;
    *X = transform_identity();
    fa_status status = fa_read_child(u->xml, owner, "origin", FA_OPTIONAL, &origin, u->error);
    if (status != FA_OK || !origin) return status;
    status = fa_read_vec3(u->xml, origin, "xyz", &X->r, FA_OPTIONAL, u->error);
    return status == FA_OK ? read_rotation(u, origin, &X->E) : status;
}

// --------------------------------------------------------------------------------------- links

static fa_status read_inertia(const urdf *u, const fa_xml_element *e, fa_sym3 *I)
{
    const struct {
        const char *name;
        double     *value;
    } row[] = {{"ixx", &I->xx}, {"iyy", &I->yy}, {"izz", &I->zz},
               {"ixy", &I->xy}, {"ixz", &I->xz}, {"iyz", &I->yz}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        fa_status status =
            fa_read_number(u->xml, e, row[i].name, row[i].value, FA_REQUIRED, u->error);
        if (status != FA_OK) return status;
    }
    return FA_OK;
}

static fa_status read_link(const urdf *u, const fa_xml_element *e, fa_link *link)
{
    link->place = e->place;
    fa_status status = fa_read_name(u->xml, e, "name", link->name, u->error);
    if (status != FA_OK) return status;
    const fa_xml_element *inertial, *mass, *inertia;
    status = fa_read_child(u->xml, e, "inertial", FA_OPTIONAL, &inertial, u->error);
    if (status != FA_OK || !inertial) return status;

    fa_transform X;
    status = read_origin(u, inertial, &X);
    if (status == FA_OK)
        status = fa_read_child(u->xml, inertial, "mass", FA_REQUIRED, &mass, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mass, "value", &link->mass, FA_REQUIRED, u->error);
    if (status == FA_OK)
        status = fa_read_child(u->xml, inertial, "inertia", FA_REQUIRED, &inertia, u->error);
    if (status == FA_OK) status = read_inertia(u, inertia, &link->inertia);
    if (status != FA_OK) return status;
    link->com = X.r;
    link->place = inertial->place; // what the rules on robots object to stands there
    fa_mat3 one = mat3_identity();
    if (memcmp(&X.E, &one, sizeof one) != 0) // the tensor is given in axes of its own
        link->inertia = sym3_rotate(mat3_transpose(X.E), link->inertia);
    return FA_OK;
}

// -------------------------------------------------------------------------------------- joints

static fa_status read_type(const urdf *u, const fa_xml_element *e, fa_joint *joint,
                           bool *continuous)
{
    const fa_xml_attribute *type = fa_xml_find(e, "type");
    if (!type)
        return FAIL(u, e->place,
                    "joint '%s' has no type; add type=\"revolute\", \"continuous\", \"prismatic\" "
                    "or \"fixed\"",
                    joint->name);
    *continuous = strcmp(type->value, "continuous") == 0;
    if (*continuous || strcmp(type->value, "revolute") == 0)
        joint->type = FA_REVOLUTE;
    else if (strcmp(type->value, "prismatic") == 0)
        joint->type = FA_PRISMATIC;
    else if (strcmp(type->value, "fixed") == 0)
        joint->type = FA_FIXED;
    else if (strcmp(type->value, "floating") == 0 || strcmp(type->value, "planar") == 0)
        return FAIL(u, type->value_place,
                    "joint '%s' is %s, which a robot with a fixed base cannot have; make it fixed, "
                    "or a chain of prismatic and revolute joints",
                    joint->name, type->value);
    else
        return FAIL(u, type->value_place,
                    "joint '%s' has the type '%.60s'; it can be revolute, continuous, prismatic or "
                    "fixed, in small letters",
                    joint->name, type->value);
    return FA_OK;
}

static fa_status read_axis(const urdf *u, const fa_xml_element *e, fa_joint *joint)
{
    const fa_xml_element *axis;
    joint->axis = vec3(1, 0, 0); // as the format says
    fa_status status = fa_read_child(u->xml, e, "axis", FA_OPTIONAL, &axis, u->error);
    if (status != FA_OK || !axis) return status;
    fa_vec3 v = {0, 0, 0};
    status = fa_read_vec3(u->xml, axis, "xyz", &v, FA_REQUIRED, u->error);
    if (status != FA_OK) return status;
    // Scaled before it is squared, so that any finite vector has a length.
    double largest = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
    if (!(largest > 0))
        return FAIL(u, fa_xml_find(axis, "xyz")->value_place,
                    "the axis of joint '%s' is 0 0 0 and has no direction; write the axis that it "
                    "turns about or slides along",
                    joint->name);
    fa_vec3 scaled = vec3_scale(1 / largest, v);
    double  length = vec3_norm(v);
    if (!(fabs(length - 1) <= UNIT_TOLERANCE))
        WARN(u, fa_xml_find(axis, "xyz")->value_place,
             "the axis of joint '%s' has the length %s; it is scaled to 1", joint->name,
             fa_number_text(length).text);
    joint->axis = length == 1 ? v : vec3_scale(1 / vec3_norm(scaled), scaled);
    return FA_OK;
}

// Effort and velocity: required before version 1.2; 0 is what exporters write for "not known".
static fa_status read_bound(const urdf *u, const fa_xml_element *limit, const char *name,
                            const fa_joint *joint, bool required, double *bound)
{
    if (required && !fa_xml_find(limit, name)) {
        if (!u->lenient)
            return FAIL(u, limit->place,
                        "%s has no %s, which URDF 1.%d requires; add it, declare version=\"1.2\", "
                        "or use --lenient to leave it unlimited",
                        fa_xml_about(limit).text, name, u->minor);
        WARN(u, limit->place, "%s has no %s; it is unlimited", fa_xml_about(limit).text, name);
    }
    fa_status status = fa_read_number(u->xml, limit, name, bound, FA_OPTIONAL, u->error);
    if (status == FA_OK && *bound == 0) {
        WARN(u, limit->place, "joint '%s' has %s=\"0\", which is taken as no limit", joint->name,
             name);
        *bound = INFINITY;
    }
    return status;
}

static fa_status read_limit(const urdf *u, const fa_xml_element *e, bool continuous,
                            fa_joint *joint)
{
    const fa_xml_element *limit;
    fa_status             status = fa_read_child(u->xml, e, "limit", FA_OPTIONAL, &limit, u->error);
    if (status != FA_OK) return status;
    if (!limit && continuous) return FA_OK;
    if (!limit && !u->lenient)
        return FAIL(u, e->place,
                    "joint '%s' has no <limit>; add one, make it continuous if it turns for ever, "
                    "or use --lenient to leave it unlimited",
                    joint->name);
    if (!limit) {
        WARN(u, e->place, "joint '%s' has no <limit>; it is unlimited", joint->name);
        return FA_OK;
    }

    fa_limit *value = &joint->limit;
    bool      required = !continuous && u->minor < 2;
    status = read_bound(u, limit, "effort", joint, required, &value->effort);
    if (status == FA_OK)
        status = read_bound(u, limit, "velocity", joint, required, &value->velocity);
    if (status != FA_OK) return status;

    bool some = fa_xml_find(limit, "lower") || fa_xml_find(limit, "upper");
    if (continuous) {
        if (some)
            WARN(u, limit->place,
                 "joint '%s' is continuous, so its lower and upper limits have no effect",
                 joint->name);
        return FA_OK;
    }
    if (!some) {
        WARN(u, limit->place, "%s has neither lower nor upper; the joint has no stop",
             fa_xml_about(limit).text);
        return FA_OK;
    }
    value->lower = value->upper = 0; // what the format gives to the one that is not there
    status = fa_read_number(u->xml, limit, "lower", &value->lower, FA_OPTIONAL, u->error);
    return status == FA_OK
               ? fa_read_number(u->xml, limit, "upper", &value->upper, FA_OPTIONAL, u->error)
               : status;
}

// Coulomb friction is the same in both directions; the speed over which it turns round is the
// default of fa_robot_new, because URDF has no word for it.
static fa_status read_dynamics(const urdf *u, const fa_xml_element *e, fa_joint *joint)
{
    const fa_xml_element *dynamics;
    fa_friction          *f = &joint->friction;
    fa_status status = fa_read_child(u->xml, e, "dynamics", FA_OPTIONAL, &dynamics, u->error);
    if (status != FA_OK || !dynamics) return status;
    status = fa_read_number(u->xml, dynamics, "damping", &f->viscous, FA_OPTIONAL, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, dynamics, "friction", &f->coulomb, FA_OPTIONAL, u->error);
    f->coulomb_negative = f->coulomb;
    return status;
}

static fa_status read_mimic(const urdf *u, const fa_xml_element *e, fa_joint *joint)
{
    const fa_xml_element *mimic;
    fa_mimic             *m = &joint->mimic;
    fa_status             status = fa_read_child(u->xml, e, "mimic", FA_OPTIONAL, &mimic, u->error);
    if (status != FA_OK || !mimic) return status;
    int leader;
    status = fa_tree_find(u->xml, &u->tree, "joint", mimic, "joint", &leader, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mimic, "multiplier", &m->ratio, FA_OPTIONAL, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mimic, "offset", &m->offset, FA_OPTIONAL, u->error);
    if (status == FA_OK) m->leader = u->tree.rank[u->tree.child[leader]];
    return status;
}

static fa_status read_joint(const urdf *u, const fa_xml_element *e, fa_joint *joint)
{
    joint->place = e->place;
    bool      continuous;
    fa_status status = fa_read_name(u->xml, e, "name", joint->name, u->error);
    if (status == FA_OK) status = read_type(u, e, joint, &continuous);
    if (status == FA_OK) status = read_origin(u, e, &joint->origin);
    // What a fixed joint says of its motion means nothing; exporters write axis 0 0 0 there.
    if (status != FA_OK || joint->type == FA_FIXED) return status;
    status = read_axis(u, e, joint);
    if (status == FA_OK) status = read_limit(u, e, continuous, joint);
    if (status == FA_OK) status = read_dynamics(u, e, joint);
    if (status == FA_OK) status = read_mimic(u, e, joint);
    return status;
}

// ----------------------------------------------------------------------------------- the whole
// file

static fa_status read_version(urdf *u)
{
    const fa_xml_attribute  *version = fa_xml_find(u->xml->root, "version");
    const char              *text = version ? version->value : "1.0";
    static const char *const known[] = {"1.0", "1.1", "1.2"};
    for (u->minor = 0; u->minor < 3; u->minor++)
        if (strcmp(text, known[u->minor]) == 0) return FA_OK;
    return FAIL(u, version->value_place,
                "URDF %.40s is not known here; versions 1.0, 1.1 and 1.2 are", text);
}

static const fa_xml_element *following(const fa_xml_element *e)
{
    if (e->first) return e->first;
    while (e && !e->next) e = e->parent;
    return e ? e->next : NULL;
}

// The format allows anything anywhere, so a misspelt word is passed over; that deserves a sentence
// where it would cost the robot its dynamics.
static void warn_if_misspelt(const urdf *u, const fa_xml_element *e)
{
    static const struct {
        const char *parent, *word;
    } meant[] = {{"robot", "link"},      {"robot", "joint"},   {"link", "inertial"},
                 {"inertial", "origin"}, {"inertial", "mass"}, {"inertial", "inertia"},
                 {"joint", "origin"},    {"joint", "parent"},  {"joint", "child"},
                 {"joint", "axis"},      {"joint", "limit"},   {"joint", "dynamics"},
                 {"joint", "mimic"}};
    size_t n = sizeof meant / sizeof *meant;
    if (!e->parent || strchr(e->name, ':')) return;
    for (size_t i = 0; i < n; i++)
        if (strcmp(meant[i].parent, e->parent->name) == 0 && strcmp(meant[i].word, e->name) == 0)
            return;
    for (size_t i = 0; i < n; i++)
        if (strcmp(meant[i].parent, e->parent->name) == 0 &&
            fa_words_close(e->name, fa_words_apart(e->name, meant[i].word))) {
            WARN(u, e->place,
                 "<%.60s> means nothing in <%s> and is passed over; did you mean <%s>?", e->name,
                 e->parent->name, meant[i].word);
            return;
        }
}

static fa_status look_around(const urdf *u)
{
    for (const fa_xml_element *e = u->xml->root; e; e = following(e)) {
        if (strncmp(e->name, "xacro:", 6) == 0)
            return FAIL(u, e->place,
                        "<%.60s> is not expanded; run xacro first: xacro %.200s > "
                        "robot.urdf",
                        e->name, u->xml->path);
        for (const fa_xml_attribute *a = e->attributes; a; a = a->next)
            if (strstr(a->value, "${"))
                return FAIL(u, a->value_place,
                            "%.60s in %s has an expression that is not expanded; run xacro first: "
                            "xacro %.200s > robot.urdf",
                            a->name, fa_xml_about(e).text, u->xml->path);
        warn_if_misspelt(u, e);
    }
    return FA_OK;
}

static fa_status read_parts(const urdf *u, fa_robot *robot)
{
    const fa_tree *tree = &u->tree;
    fa_status      status = fa_read_name(u->xml, u->xml->root, "name", robot->name, u->error);
    for (int i = 0; i < robot->n_links && status == FA_OK; i++) {
        fa_link *link = &robot->link[i];
        int      index = tree->order[i], holder = tree->holder[index];
        status = read_link(u, tree->link[index], link);
        if (status != FA_OK || holder == FA_NO_JOINT) continue;
        link->parent = tree->rank[tree->parent[holder]];
        status = read_joint(u, tree->joint[holder], &link->joint);
    }
    if (status == FA_OK && robot->link[0].mass > 0)
        WARN(u, robot->link[0].place,
             "link '%s' is the base and stands still, so its <inertial> has no effect",
             robot->link[0].name);
    return status;
}

fa_status fa_urdf_read(const fa_xml *xml, bool lenient, const fa_log *log, fa_robot **robot,
                       fa_error *error)
{
    urdf u = {.xml = xml, .log = log, .error = error, .lenient = lenient};
    *robot = NULL;
    fa_status status = read_version(&u);
    if (status == FA_OK) status = look_around(&u);
    if (status == FA_OK) status = fa_tree_read(xml, &u.tree, error);
    if (status != FA_OK) return status;
    *robot = fa_robot_new(u.tree.n_links);
    status = *robot ? read_parts(&u, *robot)
                    : fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                              "there is not enough memory for %d links", u.tree.n_links);
    fa_tree_free(&u.tree);
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
    }
    return status;
}
