// The form: the common data of all robot formats, with links, joints, couplings, loops, drives and
// shapes, each with its place in the file. Every reader fills a fa_form, and form_build.h makes a
// robot of one. SI units and radians. Readers need not know what the model supports.
//
// Lists grow: an index stays valid, a pointer only until the next element is added. Texts and lists
// belong to the form.
#ifndef FA_FORM_H
#define FA_FORM_H

#include "mesh.h"
#include "robot.h"

// A place in a file. The text belongs to the form, or is the form's source.
typedef struct fa_form_at {
    const char *file; // NULL: nowhere
    fa_place    place;
} fa_form_at;

#define FA_FORM_NOBODY (-1) // no link or joint, where there may be one

typedef struct fa_form_link {
    char         name[FA_NAME_SIZE];
    fa_form_at   at, inertial_at; // the latter: what rules on masses object to; nowhere: as `at`
    bool         weighed;         // the file says mass and inertia, if only that they are zero
    double       mass;            // [kg]
    fa_vec3      com;             // link's axes [m]
    fa_sym3      inertia; // about the centre of mass, link's axes, elements of the tensor [kg m^2]
    double       gravity; // factor on the acceleration of free fall; usually 1
    fa_transform pose;    // of a link that no joint holds: the world to the link's frame
    bool         wrench;  // the host may push on it
} fa_form_link;

// A universal joint is two revolute ones with a massless link between them.
typedef enum fa_form_joint_type {
    FA_FORM_FIXED,
    FA_FORM_REVOLUTE,
    FA_FORM_PRISMATIC,
    FA_FORM_SCREW,
    FA_FORM_PLANAR,
    FA_FORM_BALL,
    FA_FORM_FLOATING,
    FA_FORM_JOINT_TYPES
} fa_form_joint_type;

typedef struct fa_form_limits {
    fa_form_at at;
    double     lower, upper;     // [rad] or [m]; infinite: none
    double     effort, velocity; // infinite: none
} fa_form_limits;

typedef struct fa_form_friction {
    fa_form_at at;
    double     viscous; // [N m s/rad] or [N s/m]
    double     coulomb; // the same in both directions [N m] or [N]
} fa_form_friction;

typedef struct fa_form_spring {
    fa_form_at at;
    double     stiffness; // 0: none
    double     rest;      // position at which it is slack
} fa_form_spring;

typedef struct fa_form_stop {
    fa_form_at   at;
    fa_stop_data law; // at each limit
} fa_form_stop;

typedef struct fa_form_rotor {
    fa_form_at at;
    double     inertia; // on the rotor's side of the gear
    double     gear;    // turns of the rotor per turn of the joint
} fa_form_rotor;

typedef struct fa_form_joint {
    char               name[FA_NAME_SIZE];
    fa_form_at         at, type_at, axis_at;
    fa_form_joint_type type;
    int                parent, child; // links; no link is the child of two
    fa_transform       origin;        // parent's frame to the joint's frame at position 0
    fa_transform       to_child;      // the joint's frame, moved by the joint, to the child's frame
    fa_vec3            axis;          // unit vector in the joint's frame; planar: the normal
    double             pitch;         // of a screw, in a turn, right-handed if positive [m]
    fa_form_limits     limits;
    fa_form_friction   friction;
    fa_form_spring     spring;
    fa_form_stop       stop;
    fa_form_rotor      rotor;
    double             reduction; // of a transmission whose rotor is not known; 1: none is said
    fa_form_at         start_at;
    double             start[7]; // position; planar: x y angle; ball: quaternion w x y z;
                                 // floating: x y z and the quaternion
    double start_speed[6];       // planar: x y angle; floating: linear, then angular
    bool   independent;          // the file wants its coordinates as states
    bool   actuated;             // the file says that something drives it
} fa_form_joint;

#define FA_FORM_DEGREE 4

// A joint's position as a polynomial of another's: q = c0 + c1 q_leader + c2 q_leader^2 …
typedef struct fa_form_coupling {
    fa_form_at at;
    int        follower, leader; // joints; no leader: the follower stands at c0
    double     coefficient[FA_FORM_DEGREE + 1];
} fa_form_coupling;

typedef enum fa_form_loop_type {
    FA_FORM_LOOP_FIXED,
    FA_FORM_LOOP_REVOLUTE,
    FA_FORM_LOOP_PRISMATIC,
    FA_FORM_LOOP_CYLINDRICAL,
    FA_FORM_LOOP_SPHERICAL,
    FA_FORM_LOOP_UNIVERSAL,
    FA_FORM_LOOP_PLANAR,
    FA_FORM_LOOP_DISTANCE,
    FA_FORM_LOOP_COUPLING
} fa_form_loop_type;

// Two links that are tied beside the tree of joints.
typedef struct fa_form_loop {
    char              name[FA_NAME_SIZE];
    fa_form_at        at;
    fa_form_loop_type type;
    int               link[2];  // predecessor, successor
    fa_transform      frame[2]; // link's frame to the loop's frame on it
    fa_vec3           axis;     // the same components in both frames
    fa_vec3           axis2;    // of a universal one, in the successor's frame
    double            length;   // of a distance [m]
    double            ratio;    // of a coupling: the joints on the way to the successor, added up,
                                // move this many times those on the way to the predecessor
    bool open;                  // frame[0] is not said: where frame[1] is at the joints' start
} fa_form_loop;

// One joint's coefficient in a drive or a tendon.
typedef struct fa_form_term {
    int    joint;
    double coefficient;
} fa_form_term;

// A drive: with u its input, L = sum of coefficient q over its terms and v = dL/dt, its force is
// F = gain clamp(u) + bias[0] + bias[1] L + bias[2] v, clamped; each joint feels coefficient F,
// clamped again.
typedef struct fa_form_drive {
    char       name[FA_NAME_SIZE];
    fa_form_at at;
    int        first_term, n_terms; // in the form's terms
    double     gain, bias[3];
    double     input[2], force[2]; // lower and upper bound; infinite: none
} fa_form_drive;

// A tendon with a law of its own: L as for drives, force stiffness (rest - L) - damping v beyond
// the band between the two positions of rest, friction of the size `loss`, and armature dv/dt.
typedef struct fa_form_tendon {
    char       name[FA_NAME_SIZE];
    fa_form_at at;
    int        first_term, n_terms;
    double     stiffness, damping, rest[2], loss, armature;
    double     lower, upper; // limits of L; infinite: none
} fa_form_tendon;

typedef enum fa_form_shape_kind {
    FA_FORM_BOX,
    FA_FORM_SPHERE,
    FA_FORM_CYLINDER, // along z
    FA_FORM_CAPSULE,  // along z, capped by half spheres
    FA_FORM_ELLIPSOID,
    FA_FORM_MESH
} fa_form_shape_kind;

typedef struct fa_form_shape {
    fa_form_at         at;
    int                link;
    bool               visual, collision; // what it is there for
    bool               unreadable;        // its numbers are missing or wrong: no picture needs them
    fa_form_shape_kind kind;
    fa_transform       frame; // link's frame to the shape's, whose origin is its middle
    fa_vec3 size;     // box: edges; sphere: radius three times; cylinder, capsule: radius, radius,
                      // length without caps; ellipsoid: half axes; mesh: factors on its corners [m]
    const char *mesh; // of a mesh: the file as it is named, or its name
    const char *path; // where that has been found; NULL: to be found by mesh_place.h
    fa_form_at  mesh_at;
    int         corners;  // inline mesh of the form, FA_FORM_NOBODY: the file has them
    bool        coloured; // the file says a colour
    double      colour[3];
} fa_form_shape;

typedef enum fa_form_base {
    FA_FORM_BASE_UNSAID, // the format has no word for it
    FA_FORM_BASE_FIXED,
    FA_FORM_BASE_FREE
} fa_form_base;

typedef struct fa_form {
    char         name[FA_NAME_SIZE];
    const char  *source; // the robot file's path; the caller's
    fa_form_at   at;
    fa_vec3      gravity; // acceleration of free fall, world axes [m/s^2]
    fa_form_base base;    // of links that no joint holds
    int n_links, n_joints, n_couplings, n_loops, n_drives, n_tendons, n_terms, n_shapes, n_meshes;
    fa_form_link        *link;
    fa_form_joint       *joint;
    fa_form_coupling    *coupling;
    fa_form_loop        *loop;
    fa_form_drive       *drive;
    fa_form_tendon      *tendon;
    fa_form_term        *term;
    fa_form_shape       *shape;
    fa_mesh             *mesh; // corners that stand in the robot file itself
    struct fa_form_text *text;
} fa_form;

// An empty form of the file at `source`, with gravity 0 0 -9.81.
void fa_form_begin(fa_form *form, const char *source);
void fa_form_free(fa_form *form);

// Appends an entry with default fields: identity, no limits, no losses, axis x. NULL: out of
// memory.
fa_form_link     *fa_form_add_link(fa_form *form);
fa_form_joint    *fa_form_add_joint(fa_form *form);
fa_form_coupling *fa_form_add_coupling(fa_form *form);
fa_form_loop     *fa_form_add_loop(fa_form *form);
fa_form_drive    *fa_form_add_drive(fa_form *form);
fa_form_tendon   *fa_form_add_tendon(fa_form *form);
fa_form_term     *fa_form_add_term(fa_form *form);
fa_form_shape    *fa_form_add_shape(fa_form *form);
fa_mesh          *fa_form_add_mesh(fa_form *form);

// A copy that the form keeps; NULL: there is not enough memory.
const char *fa_form_text(fa_form *form, const char *text);

// Fails with the message on memory, after one of the functions above has returned NULL.
fa_status fa_form_no_memory(const fa_form *form, fa_error *error);

int fa_form_find_link(const fa_form *form, const char *name);
int fa_form_find_joint(const fa_form *form, const char *name);

// The joint whose child the link is; FA_FORM_NOBODY: it has none. One pass over all joints.
int fa_form_holder(const fa_form *form, int link);

#endif
