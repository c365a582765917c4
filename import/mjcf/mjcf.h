// Common parts of the MJCF reader. The format is MuJoCo's; docs/formats.md lists what is supported.
#ifndef FA_MJCF_H
#define FA_MJCF_H

#include "formats.h"
#include "mesh_solids.h"

#define FA_MJCF_FILES    100     // included, one within another or side by side
#define FA_MJCF_ELEMENTS 1000000 // expanded, copies of <replicate> included

// Text of a file that has been included, and its tree.
typedef struct fa_mjcf_file {
    fa_xml *xml;
} fa_mjcf_file;

// A <default>; several with one name are parts of one class.
typedef struct fa_mjcf_class {
    const char           *name;
    int                   id, parent; // class numbers; main is 0 and has no parent
    const fa_xml_element *element;
} fa_mjcf_class;

#define FA_MJCF_MAIN 0
#define FA_MJCF_NONE (-1)

typedef enum fa_mjcf_truth { FA_MJCF_FALSE, FA_MJCF_TRUE, FA_MJCF_AUTO } fa_mjcf_truth;

typedef struct fa_mjcf_compiler {
    double        angle;       // the file's unit [rad]
    char          sequence[4]; // of euler angles
    bool          limits_by_range, balance, strip_path;
    fa_mjcf_truth from_geoms;
    int           group[2];
    double        least_mass, least_inertia, total_mass; // 0, 0, -1: no wish
    const char   *mesh_folder;                           // NULL: that of the file
} fa_mjcf_compiler;

typedef enum fa_mjcf_filling {
    FA_MJCF_LEGACY,
    FA_MJCF_EXACT,
    FA_MJCF_CONVEX,
    FA_MJCF_SHELL
} fa_mjcf_filling;

typedef struct fa_mjcf_mesh {
    char                  name[FA_NAME_SIZE];
    const fa_xml_element *element;
    const char           *file, *path; // as named, and where it is; NULL: there is none
    char                  why[256];    // it cannot be found
    fa_mjcf_filling       filling;
    fa_vec3               scale;
    fa_transform          reference; // the file's frame to the mesh's
    int                   corners;   // in the form, FA_FORM_NOBODY: not read yet
    fa_status             weighed;   // FA_OK: *solid is valid; FA_UNFIT: not computed yet
    fa_solid              solid;     // of density 1, or of area density 1
} fa_mjcf_mesh;

typedef struct fa_mjcf_site {
    char         name[FA_NAME_SIZE];
    int          link;
    fa_transform X; // link's frame to the site's
} fa_mjcf_site;

// Additional data of the form's joints, with the same index.
typedef struct fa_mjcf_joint {
    bool   springy;
    double springdamper[2]; // time constant, damping ratio
    double solref[2];       // of its limits: time constant, damping ratio; or stiffness, damping
                            // below zero
    double impedance;       // of its limits, deep within them
} fa_mjcf_joint;

typedef struct fa_mjcf {
    const fa_xml            *xml; // the main file
    const fa_import_options *options;
    const fa_log            *log;
    fa_error                *error;
    fa_form                 *form;
    fa_mjcf_compiler         compiler;
    int                      n_files, n_classes, n_class_ids, n_meshes, n_sites, n_elements;
    fa_mjcf_file             file[FA_MJCF_FILES];
    fa_mjcf_class *class;
    fa_mjcf_mesh  *mesh;
    fa_mjcf_site  *site;
    fa_transform  *world;              // of each link of the form: the world to it, at the start
    fa_mjcf_joint *joint;              // of each joint of the form
    int            n_bodies, n_joints; // as the format counts them
    bool           touches;            // a moving link has a shape that may touch others
} fa_mjcf;

// The file that an element stands in, and its place there.
const fa_xml *fa_mjcf_xml(const fa_mjcf *m, const fa_xml_element *e);
#define FA_MJCF_AT(m, e) ((fa_form_at){fa_mjcf_xml(m, e)->path, (e)->place})
#define FA_MJCF_FAIL(m, e, ...)                                                                    \
    fa_fail((m)->error, FA_BAD_INPUT, fa_mjcf_xml(m, e)->path, (e)->place, __VA_ARGS__)
#define FA_MJCF_WARN(m, e, ...) fa_warn((m)->log, fa_mjcf_xml(m, e)->path, (e)->place, __VA_ARGS__)

// A list with room for one more element, all zero; NULL: no memory.
void *fa_mjcf_add(void **list, int *n, size_t size);

// ------------------------------------------------------------------------------- mjcf_source.c
// Puts the children of included files in the place of each <include>. Every element must be one
// that the format has, with attributes that it has.
fa_status fa_mjcf_include(fa_mjcf *m);
fa_status fa_mjcf_check_words(fa_mjcf *m);

// ------------------------------------------------------------------------------- mjcf_values.c
// From `least` to `most` numbers of an attribute; *n is 0 where it is absent, and value stays.
fa_status fa_mjcf_numbers(const fa_mjcf *m, const fa_xml_element *e, const char *name, int least,
                          int most, double value[], int *n);
fa_status fa_mjcf_number(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                         double *value);
// Reads one of a list of words, which ends in NULL; *which is unchanged without the attribute.
fa_status fa_mjcf_word(const fa_mjcf *m, const fa_xml_element *e, const char *name,
                       const char *const words[], int *which);
fa_status fa_mjcf_truth_of(const fa_mjcf *m, const fa_xml_element *e, const char *name, bool *is);
// pos and one of quat, axisangle, euler, xyaxes, zaxis; X keeps what is absent.
fa_status fa_mjcf_pose(const fa_mjcf *m, const fa_xml_element *e, fa_transform *X);
// A rotation by a quaternion of any length above zero.
fa_mat3 fa_mjcf_rotation(double w, double x, double y, double z);
// A rotation by three angles in the file's unit and sequence.
fa_mat3 fa_mjcf_euler(const fa_mjcf *m, const double angle[3]);
// The attribute's text; NULL: absent.
const char *fa_mjcf_text(const fa_xml_element *e, const char *name);
// Returns the name, or a generated one from kind and number, with the suffix of a copy.
fa_status fa_mjcf_name(const fa_mjcf *m, const fa_xml_element *e, const char *what, int number,
                       const char *suffix, char name[FA_NAME_SIZE]);

// ------------------------------------------------------------------------------ mjcf_defaults.c
fa_status fa_mjcf_read_classes(fa_mjcf *m);
// The class that an attribute names, or `otherwise`.
fa_status fa_mjcf_class_of(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int otherwise, int *class);

// Applies, from the main class to that of the element, every element of the classes that has one of
// the tags, and then the element itself.
typedef fa_status fa_mjcf_apply_fn(const fa_mjcf *m, const fa_xml_element *e, void *into);
fa_status         fa_mjcf_apply(const fa_mjcf *m, const fa_xml_element *e, int childclass,
                                const char *const tags[], fa_mjcf_apply_fn *apply, void *into);

// ------------------------------------------------------------------------------------ mjcf_body.c
// A place in the tree: in which link, where in it, and what elements there take from outside.
typedef struct fa_mjcf_place {
    int          link;
    fa_transform X;
    int          childclass;
    char         suffix[64]; // of names, by <replicate>
} fa_mjcf_place;

fa_status fa_mjcf_read_world(fa_mjcf *m);
// Calls `visit` for each child that is no frame or copy of one, at its place.
typedef fa_status fa_mjcf_visit_fn(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                                   void *context);
fa_status         fa_mjcf_walk(fa_mjcf *m, const fa_xml_element *parent, const fa_mjcf_place *place,
                               fa_mjcf_visit_fn *visit, void *context);

// ---------------------------------------------------------------------- mjcf_joint.c, mjcf_geom.c
// Adds the joint and the link that it carries. *link becomes that link, and *origin, the pose of
// the body in the link before, identity, for the next joint.
fa_status fa_mjcf_read_joint(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                             const char *link_name, const fa_xml_element *body,
                             fa_transform *origin, int *link);
// A link on a joint; its place at the start follows. FA_FORM_NOBODY: no memory.
int       fa_mjcf_add_link(fa_mjcf *m, const fa_xml_element *e, const char *name, int parent,
                           fa_transform pose);
fa_status fa_mjcf_read_geom(fa_mjcf *m, const fa_xml_element *e, const fa_mjcf_place *place,
                            bool weigh, fa_solid *solid);
// Returns true if a body with this <inertial>, or NULL, gets its mass from its geoms.
bool fa_mjcf_weighs_geoms(const fa_mjcf *m, const fa_xml_element *inertial);
// Mass and inertia of a body, by its <inertial> or its geoms.
fa_status fa_mjcf_weigh_body(fa_mjcf *m, const fa_xml_element *body, const fa_xml_element *inertial,
                             fa_solid geoms, int link);

// ------------------------------------------------------------------------------------ mjcf_mesh.c
fa_status     fa_mjcf_read_meshes(fa_mjcf *m);
fa_mjcf_mesh *fa_mjcf_find_mesh(const fa_mjcf *m, const char *name);
// Returns true if the mesh has a reference frame: the scale is applied after the rotation.
bool fa_mjcf_mesh_has_frame(const fa_mjcf_mesh *mesh);
// Its corners into the form, once.
fa_status fa_mjcf_load_mesh(fa_mjcf *m, fa_mjcf_mesh *mesh);
// Computes the mesh's mass properties for density 1, by its inertia mode; in the geom's frame.
fa_status fa_mjcf_weigh_mesh(fa_mjcf *m, const fa_xml_element *e, fa_mjcf_mesh *mesh,
                             fa_solid *solid);

// ---------------------------------------------------------------- mjcf_actuator.c and the others
fa_status fa_mjcf_read_tendons(fa_mjcf *m);
fa_status fa_mjcf_read_actuators(fa_mjcf *m);
fa_status fa_mjcf_read_equalities(fa_mjcf *m);
fa_status fa_mjcf_read_keyframe(fa_mjcf *m);
fa_status fa_mjcf_tune_springs(fa_mjcf *m); // springdamper
void      fa_mjcf_put_stops(fa_mjcf *m);    // where limits are, as firm at rest as they are there
// The joint's element of the mass matrix where the robot starts.
double fa_mjcf_inertia_at_start(const fa_mjcf *m, const fa_form_joint *joint);

// The joint that an attribute names.
fa_status fa_mjcf_joint_of(const fa_mjcf *m, const fa_xml_element *e, const char *attribute,
                           int *joint);

#endif
