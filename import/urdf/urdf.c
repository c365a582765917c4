// URDF 1.0 to 1.2 as a form: what the format says, and what real files make of it
// (docs/robot-file.md has the contract, line by line). Transmissions, controllers,
// sensors and other namespaces do not concern the motion and are passed over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "names.h"
#include "number.h"
#include "urdf.h"
#include "values.h"

// ----------------------------------------------------------------------------------------- frames

static fa_status read_rotation(const fa_urdf *u, const fa_xml_element *origin, fa_mat3 *E)
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
        return FA_URDF_FAIL(u, quat->place, "%s has both rpy and quat_xyzw; keep one of them",
                            fa_xml_about(origin).text);
    if (u->minor < 1)
        FA_URDF_WARN(u, quat->place,
                     "quat_xyzw belongs to URDF 1.1; add version=\"1.1\" to <robot>");
    double q[4];
    status = fa_read_numbers(u->xml, origin, "quat_xyzw", 4, q, FA_REQUIRED, u->error);
    if (status != FA_OK) return status;
    double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 0) || isinf(norm))
        return FA_URDF_FAIL(u, quat->value_place,
                            "quat_xyzw in %s has no direction; 0 0 0 1 is no rotation",
                            fa_xml_about(origin).text);
    if (fabs(norm - 1) > FA_URDF_UNIT_TOLERANCE)
        FA_URDF_WARN(u, quat->value_place, "quat_xyzw in %s has the length %s; it is scaled to 1",
                     fa_xml_about(origin).text, fa_number_text(norm).text);
    *E =
        fa_rotation_quaternion((fa_quaternion){q[3] / norm, q[0] / norm, q[1] / norm, q[2] / norm});
    return FA_OK;
}

fa_status fa_urdf_origin(const fa_urdf *u, const fa_xml_element *owner, fa_transform *X)
{
    const fa_xml_element *origin;
    *X = transform_identity();
    fa_status status = fa_read_child(u->xml, owner, "origin", FA_OPTIONAL, &origin, u->error);
    if (status != FA_OK || !origin) return status;
    status = fa_read_vec3(u->xml, origin, "xyz", &X->r, FA_OPTIONAL, u->error);
    return status == FA_OK ? read_rotation(u, origin, &X->E) : status;
}

// ------------------------------------------------------------------------------------------ links

static fa_status read_inertia(const fa_urdf *u, const fa_xml_element *e, fa_sym3 *I)
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

static fa_status read_link(const fa_urdf *u, const fa_xml_element *e, fa_form_link *link)
{
    link->at = FA_URDF_AT(u, e->place);
    fa_status status = fa_read_name(u->xml, e, "name", link->name, u->error);
    if (status != FA_OK) return status;
    const fa_xml_element *inertial, *mass, *inertia;
    status = fa_read_child(u->xml, e, "inertial", FA_OPTIONAL, &inertial, u->error);
    if (status != FA_OK || !inertial) return status;

    fa_transform X;
    status = fa_urdf_origin(u, inertial, &X);
    if (status == FA_OK)
        status = fa_read_child(u->xml, inertial, "mass", FA_REQUIRED, &mass, u->error);
    if (status == FA_OK)
        status = fa_read_number(u->xml, mass, "value", &link->mass, FA_REQUIRED, u->error);
    if (status == FA_OK)
        status = fa_read_child(u->xml, inertial, "inertia", FA_REQUIRED, &inertia, u->error);
    if (status == FA_OK) status = read_inertia(u, inertia, &link->inertia);
    if (status != FA_OK) return status;
    link->com = X.r;
    link->weighed = true;
    link->inertial_at = FA_URDF_AT(u, inertial->place);
    fa_mat3 one = mat3_identity();
    if (memcmp(&X.E, &one, sizeof one) != 0) // the tensor is given in axes of its own
        link->inertia = sym3_rotate(mat3_transpose(X.E), link->inertia);
    return FA_OK;
}

// --------------------------------------------------------------------------------- the whole file

static fa_status read_version(fa_urdf *u)
{
    const fa_xml_attribute  *version = fa_xml_find(u->xml->root, "version");
    const char              *text = version ? version->value : "1.0";
    static const char *const known[] = {"1.0", "1.1", "1.2"};
    for (u->minor = 0; u->minor < 3; u->minor++)
        if (strcmp(text, known[u->minor]) == 0) return FA_OK;
    return FA_URDF_FAIL(u, version->value_place,
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
static void warn_if_misspelt(const fa_urdf *u, const fa_xml_element *e)
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
            FA_URDF_WARN(u, e->place,
                         "<%.60s> means nothing in <%s> and is passed over; did you mean <%s>?",
                         e->name, e->parent->name, meant[i].word);
            return;
        }
}

static fa_status look_around(const fa_urdf *u)
{
    for (const fa_xml_element *e = u->xml->root; e; e = following(e)) {
        fa_status status = fa_urdf_refuse_loop(u, e);
        if (status != FA_OK) return status;
        warn_if_misspelt(u, e);
    }
    return FA_OK;
}

// Moving joints right at what is bolted together with the base: the legs and arms of a robot that
// walks. Links of that with mass go to `heavy`.
static fa_status count_limbs(const fa_urdf *u, int *n, fa_list *heavy)
{
    const fa_form *f = u->form;
    bool          *moves = calloc((size_t)f->n_links, sizeof *moves);
    if (!moves) return fa_form_no_memory(f, u->error);
    *n = 0;
    for (int i = 0; i < f->n_links; i++) { // joint i - 1 holds link i, parents first
        const fa_form_joint *joint = i > 0 ? &f->joint[i - 1] : NULL;
        moves[i] = joint && (joint->type != FA_FORM_FIXED || moves[joint->parent]);
        if (!moves[i] && f->link[i].mass > 0) fa_list_add(heavy, f->link[i].name);
        *n += moves[i] && joint->type != FA_FORM_FIXED && !moves[joint->parent];
    }
    free(moves);
    return FA_OK;
}

// A base with mass that nothing holds to the world is bolted to it. That is what most arms mean,
// and what nothing that walks does.
static fa_status warn_of_base(const fa_urdf *u)
{
    const fa_form_link *base = &u->form->link[0];
    const fa_place      place = base->inertial_at.file ? base->inertial_at.place : base->at.place;
    fa_list             heavy = {.used = 0};
    int                 n = 0;
    fa_status           status = count_limbs(u, &n, &heavy);
    if (status != FA_OK || strcmp(base->name, "world") == 0 || heavy.used == 0) return status;
    if (n > 1)
        FA_URDF_WARN(u, place,
                     "the base '%s' stands still, but looks like a body that moves freely: %d "
                     "moving joints start from it, nothing holds it to the world, and the mass of "
                     "%s has no effect; give --base free if it moves, or add <link "
                     "name=\"world\"/> and a joint from it to '%s': fixed if it is bolted down, "
                     "floating or another one along which it moves",
                     base->name, n, fa_list_text(&heavy), base->name);
    else if (base->mass > 0)
        FA_URDF_WARN(u, place,
                     "link '%s' is the base and stands still, so its <inertial> has no effect; if "
                     "it should move, give --base free, or add <link name=\"world\"/> and a joint "
                     "from it to '%s'",
                     base->name, base->name);
    return FA_OK;
}

static fa_status read_parts(const fa_urdf *u)
{
    const fa_tree *tree = &u->tree;
    fa_form       *f = u->form;
    f->at = FA_URDF_AT(u, u->xml->root->place);
    fa_status status = fa_read_name(u->xml, u->xml->root, "name", f->name, u->error);
    for (int i = 0; i < tree->n_links && status == FA_OK; i++) {
        const int     index = tree->order[i], holder = tree->holder[index];
        fa_form_link *link = fa_form_add_link(f);
        if (!link) return fa_form_no_memory(f, u->error);
        status = read_link(u, tree->link[index], link);
        if (status == FA_OK) status = fa_urdf_shapes(u, tree->link[index], i);
        if (status != FA_OK || holder == FA_NO_JOINT) continue;
        fa_form_joint *joint = fa_form_add_joint(f);
        if (!joint) return fa_form_no_memory(f, u->error);
        joint->parent = tree->rank[tree->parent[holder]];
        joint->child = i;
        status = fa_urdf_joint(u, tree->joint[holder], joint);
        if (status == FA_OK) status = fa_urdf_mimic(u, tree->joint[holder], f->n_joints - 1);
    }
    if (status == FA_OK) status = fa_urdf_extensions(u);
    if (status == FA_OK) status = fa_urdf_loops(u);
    return status == FA_OK && !u->free_base ? warn_of_base(u) : status;
}

fa_status fa_urdf_read(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                       fa_form *form, fa_error *error)
{
    fa_urdf   u = {.xml = xml,
                   .log = log,
                   .error = error,
                   .lenient = options->lenient,
                   .free_base = options->base == FA_BASE_FREE,
                   .form = form};
    fa_status status = read_version(&u);
    if (status == FA_OK) status = look_around(&u);
    if (status == FA_OK) status = fa_tree_read(xml, &u.tree, error);
    if (status != FA_OK) return status;
    status = read_parts(&u);
    fa_tree_free(&u.tree);
    return status;
}
