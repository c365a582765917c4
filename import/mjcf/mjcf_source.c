// Files that an MJCF file includes, and the words that the format has.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_place.h"
#include "mjcf.h"
#include "nearest.h"
#include "values.h"

void *fa_mjcf_add(void **list, int *n, size_t size)
{
    if ((*n & (*n - 1)) == 0) { // full at each power of two
        void *larger = realloc(*list, (*n ? 2 * (size_t)*n : 1) * size);
        if (!larger) return NULL;
        *list = larger;
    }
    return memset((char *)*list + (size_t)(*n)++ * size, 0, size);
}

const fa_xml *fa_mjcf_xml(const fa_mjcf *m, const fa_xml_element *e)
{
    while (e->parent) e = e->parent;
    for (int i = 0; i < m->n_files; i++)
        if (m->file[i].xml->root == e) return m->file[i].xml;
    return m->xml;
}

// ---------------------------------------------------------------------------------- inclusion

static fa_status load(fa_mjcf *m, const fa_xml_element *e, fa_xml **xml)
{
    const char *name = fa_mjcf_text(e, "file"), *why;
    char        path[FA_MESH_PATH_SIZE];
    if (!name) return FA_MJCF_FAIL(m, e, "<include> has no file; add file=\"…\"");
    if (m->n_files == FA_MJCF_FILES)
        return FA_MJCF_FAIL(m, e, "more than %d files are included; no robot needs that",
                            FA_MJCF_FILES);
    // Seen from the main file, or from the one that includes it.
    const char *from[] = {m->xml->path, fa_mjcf_xml(m, e)->path};
    if (fa_mesh_place(from[0], name, &m->options->xacro, path, &why) != FA_MESH_FOUND &&
        fa_mesh_place(from[1], name, &m->options->xacro, path, &why) != FA_MESH_FOUND)
        return FA_MJCF_FAIL(m, e, "'%.200s' cannot be included: %s", name, why);
    for (int i = 0; i < m->n_files; i++)
        if (strcmp(m->file[i].xml->path, path) == 0)
            return FA_MJCF_FAIL(m, e, "'%.200s' is included a second time; include it once", name);
    const char *kept = fa_form_text(m->form, path);
    if (!kept) return fa_form_no_memory(m->form, m->error);
    fa_status status = fa_xml_load(kept, m->log, xml, m->error);
    if (status == FA_OK) m->file[m->n_files++].xml = *xml;
    return status;
}

// The element's place in its list is taken by the children of the root, which keep their parent:
// by that an element is known to be of that file. A file that includes itself is one too many.
static fa_status splice(fa_mjcf *m, fa_xml_element *parent, fa_xml_element **link)
{
    fa_xml_element *e = *link, *after = e->next;
    fa_xml         *xml;
    fa_status       status = load(m, e, &xml);
    if (status != FA_OK) return status;
    fa_xml_element *root = xml->root;
    *link = root->first ? root->first : after;
    if (root->last) root->last->next = after;
    if (parent->last == e) parent->last = root->last ? root->last : NULL;
    return FA_OK;
}

static fa_status include_in(fa_mjcf *m, fa_xml_element *parent, int depth)
{
    fa_status status = FA_OK;
    if (depth > 2 * FA_XML_DEPTH)
        return FA_MJCF_FAIL(m, parent, "elements are nested more than %d deep", 2 * FA_XML_DEPTH);
    for (fa_xml_element **link = &parent->first; *link && status == FA_OK;) {
        if (strcmp((*link)->name, "include") == 0) {
            status = splice(m, parent, link);
        } else {
            status = include_in(m, *link, depth + 1);
            link = &(*link)->next;
        }
    }
    return status;
}

fa_status fa_mjcf_include(fa_mjcf *m)
{
    return include_in(m, m->xml->root, 0);
}

// -------------------------------------------------------------------------------------- words

// An element in its context: a <joint> of a body differs from one of a tendon.
typedef struct word {
    const char *section, *name, *attributes;
} word;

#define ORIENTATION " pos quat axisangle euler xyaxes zaxis "
#define SOFT        " solimp solref "
#define SOFT_JOINT                                                                                 \
    " actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin "     \
    "range solimpfriction solimplimit solreffriction solreflimit springyield stiffness user "
#define DRIVE                                                                                      \
    " armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited "      \
    "forcerange gear group interp joint jointinparent lengthrange name nsample refsite site "      \
    "slidersite tendon user "
#define STATEFUL " actdim actearly actlimited actrange dynprm dyntype "

static const word tree_words[] = {
    {"worldbody", "worldbody", ""},
    {"worldbody", "body", "name childclass gravcomp mocap simple sleep fuse user" ORIENTATION},
    {"worldbody", "frame", "name childclass" ORIENTATION},
    {"worldbody", "replicate", "count euler offset sep childclass"},
    {"worldbody", "inertial", "diaginertia fullinertia mass" ORIENTATION},
    {"worldbody", "joint",
     "actuatorgravcomp axis class name pos ref springdamper springref type" SOFT_JOINT},
    {"worldbody", "freejoint", "align group name"},
    {"worldbody", "geom",
     "adhesion castshadow class conaffinity condim contype density fitscale fluidcoef fluidshape "
     "friction fromto gap group hfield margin mass material mesh name priority rgba shellinertia "
     "size solmix surfacevel type user" ORIENTATION SOFT},
    {"compiler", "compiler",
     "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict "
     "coordinate discardvisual eulerseq fitaabb fusestatic inertiafromgeom inertiagrouprange "
     "meshdir passthrough savecanonical savecompiled saveinertial settotalmass strippath "
     "texturedir usethread"},
    {"asset", "mesh",
     "builtin class content_type face file inertia material maxhullvert name normal params refpos "
     "refquat scale smoothnormal texcoord vertex"},
    {"equality", "connect", "active anchor body1 body2 class name site1 site2" SOFT},
    {"equality", "weld",
     "active anchor body1 body2 class name relpose site1 site2 torquescale" SOFT},
    {"equality", "joint", "active class joint1 joint2 name polycoef" SOFT},
    {"tendon", "fixed", "class name springlength" SOFT_JOINT},
    {"tendon", "joint", "coef joint"},
    {"actuator", "general",
     "biasprm biastype body ffrange gainprm gaintype inheritrange input velrange" DRIVE STATEFUL},
    {"actuator", "motor", DRIVE},
    {"actuator", "position", "dampratio inheritrange kp kv timeconst" DRIVE},
    {"actuator", "velocity", "kv" DRIVE},
    {"keyframe", "key", "act ctrl mpos mquat name plastic qpos qvel time"},
};

static bool has_word(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list + strspn(list, " "); *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        if (n == length && memcmp(at, name, n) == 0) return true;
        at += n;
    }
    return false;
}

static fa_status unknown(const fa_mjcf *m, const fa_xml_element *e, const char *list,
                         const fa_xml_attribute *a)
{
    fa_nearest nearest = fa_nearest_to(a->name);
    char       names[40][32];
    int        n = 0;
    for (const char *at = list + strspn(list, " "); *at && n < 40; at += strspn(at, " "), n++) {
        const size_t length = strcspn(at, " ");
        (void)snprintf(names[n], sizeof names[n], "%.*s", (int)length, at);
        fa_nearest_try(&nearest, names[n]);
        at += length;
    }
    return fa_fail(m->error, FA_BAD_INPUT, fa_mjcf_xml(m, e)->path, a->place,
                   "%s has no attribute %.60s; %s", fa_xml_about(e).text, a->name,
                   fa_nearest_hint(&nearest, "remove it").text);
}

static fa_status check_element(const fa_mjcf *m, const char *section, const fa_xml_element *e)
{
    for (size_t i = 0; i < sizeof tree_words / sizeof *tree_words; i++) {
        const word *w = &tree_words[i];
        if (strcmp(w->section, section) != 0 || strcmp(w->name, e->name) != 0) continue;
        for (const fa_xml_attribute *a = e->attributes; a; a = a->next)
            if (!has_word(w->attributes, a->name)) return unknown(m, e, w->attributes, a);
    }
    return FA_OK;
}

static fa_status check_section(const fa_mjcf *m, const char *section, const fa_xml_element *e)
{
    fa_status status = check_element(m, section, e);
    for (const fa_xml_element *c = e->first; c && status == FA_OK; c = c->next)
        status = check_section(m, section, c);
    return status;
}

// A class holds elements of several sections.
static fa_status check_defaults(const fa_mjcf *m, const fa_xml_element *e)
{
    static const char *const section[] = {"worldbody", "asset", "actuator"};
    fa_status                status = FA_OK;
    for (const fa_xml_element *c = e->first; c && status == FA_OK; c = c->next) {
        if (strcmp(c->name, "default") == 0) status = check_defaults(m, c);
        for (int k = 0; k < 3 && status == FA_OK; k++) status = check_element(m, section[k], c);
    }
    return status;
}

fa_status fa_mjcf_check_words(fa_mjcf *m)
{
    static const char *const sections[] = {
        "compiler", "option",    "size",      "statistic", "visual",    "default",
        "asset",    "worldbody", "contact",   "equality",  "tendon",    "actuator",
        "sensor",   "keyframe",  "extension", "custom",    "deformable"};
    fa_status status = FA_OK;
    for (const fa_xml_element *e = m->xml->root->first; e && status == FA_OK; e = e->next) {
        fa_nearest nearest = fa_nearest_to(e->name);
        bool       known = false;
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
            known |= strcmp(sections[i], e->name) == 0;
            fa_nearest_try(&nearest, sections[i]);
        }
        if (!known)
            return FA_MJCF_FAIL(m, e, "<mujoco> has no <%.60s>; %s", e->name,
                                fa_nearest_hint(&nearest, "remove it").text);
        status =
            strcmp(e->name, "default") == 0 ? check_defaults(m, e) : check_section(m, e->name, e);
    }
    return status;
}
