// Frames: what a name stands for, where that is, and which link it moves with.
//
// Poses refer to each other as a graph. Each is worked out once, when it is asked for first; a pose
// that is asked for while it is worked out refers to itself.
#include <stdio.h>
#include <string.h>

#include "sdf.h"

static const fa_sdf_frame GROUND = {FA_SDF_WORLD_SCOPE, FA_SDF_OWN};

// ------------------------------------------------------------------------------------------ names

static int find(const fa_sdf *s, int scope, const char *name, size_t length)
{
    char key[16 + FA_NAME_SIZE];
    if (length >= FA_NAME_SIZE) return FA_SDF_OWN;
    (void)snprintf(key, sizeof key, "%d %.*s", scope, (int)length, name);
    return fa_names_find(&s->names, key);
}

// "a::b::c": a nested model's nested model's c, unless something is called so as a whole.
static bool look_up(const fa_sdf *s, int scope, const char *name, fa_sdf_frame *frame)
{
    for (;;) {
        if (strcmp(name, "__model__") == 0) {
            *frame = (fa_sdf_frame){scope, FA_SDF_OWN};
            return true;
        }
        const int whole = find(s, scope, name, strlen(name));
        if (whole >= 0) {
            *frame = (fa_sdf_frame){s->node[whole].scope, whole};
            return true;
        }
        const char *colons = strstr(name, "::");
        if (!colons) return false;
        const int model = find(s, scope, name, (size_t)(colons - name));
        if (model < 0 || s->node[model].kind != FA_SDF_MODEL) return false;
        scope = s->node[model].own;
        name = colons + 2;
    }
}

fa_status fa_sdf_resolve(fa_sdf *s, int scope, const char *name, const fa_xml *xml,
                         const fa_xml_element *e, fa_sdf_frame *frame)
{
    int at = scope;
    if (strcmp(name, "world") == 0) {
        *frame = GROUND;
        return FA_OK;
    }
    while (!look_up(s, at, name, frame)) {
        if (s->scope[at].merged) {
            at = s->scope[at].parent;
            continue;
        }
        return FA_SDF_FAIL(xml, e->place,
                           "%s names '%.128s', and model '%.128s' has no link, joint or frame that "
                           "is called so",
                           fa_xml_about(e).text, name,
                           scope == FA_SDF_WORLD_SCOPE ? "world"
                                                       : s->node[s->scope[scope].node].name);
    }
    return FA_OK;
}

// ------------------------------------------------------------------------------------------ poses

static fa_status pose_of(fa_sdf *s, int node, fa_transform *X);

static int depth_of(const fa_sdf *s, int scope)
{
    int depth = 0;
    for (; scope != FA_SDF_WORLD_SCOPE; depth++) scope = s->scope[scope].parent;
    return depth;
}

fa_status fa_sdf_where(fa_sdf *s, int scope, fa_sdf_frame frame, fa_transform *X)
{
    fa_transform there = transform_identity(), here = transform_identity();
    fa_status    status = FA_OK;
    if (frame.node != FA_SDF_OWN) status = pose_of(s, frame.node, &there);
    int up = frame.scope, depth_up = depth_of(s, up), depth = depth_of(s, scope);
    while (up != scope && status == FA_OK) { // to the scope that both are in
        fa_transform  outwards;
        const bool    climb = depth_up >= depth;
        int          *from = climb ? &up : &scope;
        fa_transform *so_far = climb ? &there : &here;
        status = pose_of(s, s->scope[*from].node, &outwards);
        if (status != FA_OK) break;
        *so_far = transform_compose(outwards, *so_far);
        *from = s->scope[*from].parent;
        *(climb ? &depth_up : &depth) -= 1;
    }
    *X = transform_compose(transform_inverse(here), there);
    return status;
}

fa_status fa_sdf_place(fa_sdf *s, int scope, const fa_xml *xml, int minor,
                       const fa_xml_element *pose, fa_sdf_frame usual, fa_transform *X)
{
    const fa_xml_attribute *to = pose ? fa_xml_find(pose, "relative_to") : NULL;
    fa_transform            base, own;
    fa_status               status = FA_OK;
    if (!to && pose && minor < 7) to = fa_xml_find(pose, "frame"); // its name in 1.5 and 1.6
    if (to && to->value[0]) status = fa_sdf_resolve(s, scope, to->value, xml, pose, &usual);
    if (status == FA_OK) status = fa_sdf_pose(s, xml, pose, &own);
    if (status == FA_OK) status = fa_sdf_where(s, scope, usual, &base);
    if (status == FA_OK) *X = transform_compose(base, own);
    return status;
}

// Returns the default reference frame of a node's pose.
static fa_status usual_of(fa_sdf *s, const fa_sdf_node *n, fa_sdf_frame *usual)
{
    const fa_sdf_scope *scope = &s->scope[n->scope];
    *usual = (fa_sdf_frame){n->scope, FA_SDF_OWN};
    if (n->kind == FA_SDF_JOINT) {
        const fa_xml_element *child = fa_xml_child(n->e, "child");
        if (!child)
            return FA_SDF_FAIL(scope->xml, n->e->place, "joint '%s' has no <child>; add one",
                               n->name);
        return fa_sdf_resolve(s, n->scope, fa_sdf_text(child), scope->xml, child, usual);
    }
    const fa_xml_attribute *to = fa_xml_find(n->e, "attached_to");
    if (n->kind != FA_SDF_FRAME || !to || !to->value[0]) return FA_OK;
    return fa_sdf_resolve(s, n->scope, to->value, scope->xml, n->e, usual);
}

// A model lies where its <pose> says, or where one of its frames does that it names.
static fa_status pose_of_model(fa_sdf *s, const fa_sdf_node *n, fa_transform *X)
{
    const fa_sdf_scope    scope = s->scope[n->own];
    const fa_xml         *xml = scope.include ? scope.by : scope.xml;
    const fa_xml_element *pose = fa_xml_child(n->e, "pose");
    int                   minor = scope.include ? scope.by_minor : scope.minor;
    if (scope.include && !pose) { // the included model's own
        pose = fa_xml_child(scope.model, "pose");
        xml = scope.xml;
        minor = scope.minor;
    }
    fa_status status =
        fa_sdf_place(s, n->scope, xml, minor, pose, (fa_sdf_frame){n->scope, FA_SDF_OWN}, X);
    const fa_xml_attribute *own = fa_xml_find(scope.model, "placement_frame");
    const char             *name = own ? own->value : "";
    if (scope.include && fa_xml_child(scope.include, "placement_frame"))
        name = fa_sdf_child_text(scope.include, "placement_frame");
    if (status != FA_OK || !name[0]) return status;
    fa_sdf_frame frame;
    fa_transform inside;
    status = fa_sdf_resolve(s, n->own, name, xml, n->e, &frame);
    if (status == FA_OK) status = fa_sdf_where(s, n->own, frame, &inside);
    if (status == FA_OK) *X = transform_compose(*X, transform_inverse(inside));
    return status;
}

static fa_status too_long(const fa_sdf *s, const fa_sdf_node *n)
{
    return FA_SDF_FAIL(s->scope[n->scope].xml, n->e->place,
                       "frames refer to each other over more than %d others here; no robot needs "
                       "that",
                       FA_SDF_STEPS);
}

// From its scope's model frame. Nodes do not move in memory while frames are looked for.
static fa_status pose_of(fa_sdf *s, int node, fa_transform *X)
{
    fa_sdf_node        *n = &s->node[node];
    const fa_sdf_scope *scope = &s->scope[n->scope];
    fa_status           status = FA_OK;
    *X = transform_identity();
    if (n->state == FA_SDF_DONE) {
        *X = n->pose;
        return FA_OK;
    }
    if (n->state == FA_SDF_BEGUN)
        return FA_SDF_FAIL(scope->xml, n->e->place,
                           "the pose of '%s' refers to itself, by way of other frames; let one of "
                           "them refer to the model",
                           n->name);
    if (++s->steps > FA_SDF_STEPS) return too_long(s, n);
    n->state = FA_SDF_BEGUN;
    if (n->kind == FA_SDF_MODEL) {
        status = pose_of_model(s, n, &n->pose);
    } else {
        fa_sdf_frame usual;
        status = usual_of(s, n, &usual);
        if (status == FA_OK)
            status = fa_sdf_place(s, n->scope, scope->xml, scope->minor, fa_xml_child(n->e, "pose"),
                                  usual, &n->pose);
    }
    s->steps--;
    n->state = FA_SDF_DONE;
    *X = n->pose;
    return status;
}

// ------------------------------------------------------------------------------------------ links

// The frame that a model moves with: its canonical link, or its first one, or a nested model's.
static fa_status canonical(fa_sdf *s, int scope, const fa_xml *xml, const fa_xml_element *e,
                           fa_sdf_frame *frame)
{
    const fa_sdf_scope     *of = &s->scope[scope];
    const fa_xml_attribute *named = fa_xml_find(of->model, "canonical_link");
    if (named && named->value[0])
        return fa_sdf_resolve(s, scope, named->value, of->xml, of->model, frame);
    int model = FA_SDF_OWN;
    for (int i = of->node + 1; i < s->n_nodes; i++) { // its nodes stand behind it
        const fa_sdf_node *n = &s->node[i];
        if (n->scope == scope && n->kind == FA_SDF_LINK) {
            *frame = (fa_sdf_frame){scope, i};
            return FA_OK;
        }
        if (n->scope == scope && n->kind == FA_SDF_MODEL && model == FA_SDF_OWN) model = i;
    }
    if (model != FA_SDF_OWN) {
        *frame = (fa_sdf_frame){scope, model};
        return FA_OK;
    }
    return FA_SDF_FAIL(xml, e->place, "%s is to be attached to model '%.128s', which has no link",
                       fa_xml_about(e).text, s->node[of->node].name);
}

fa_status fa_sdf_link_of(fa_sdf *s, fa_sdf_frame frame, const fa_xml *xml, const fa_xml_element *e,
                         int *node)
{
    for (int steps = 0; steps < FA_SDF_STEPS; steps++) {
        fa_status status = FA_OK;
        if (frame.node == FA_SDF_OWN && frame.scope == FA_SDF_WORLD_SCOPE) {
            *node = FA_SDF_OWN;
            return FA_OK;
        }
        if (frame.node == FA_SDF_OWN) {
            status = canonical(s, frame.scope, xml, e, &frame);
        } else {
            const fa_sdf_node *n = &s->node[frame.node];
            if (n->kind == FA_SDF_LINK) {
                *node = frame.node;
                return FA_OK;
            }
            if (n->kind == FA_SDF_MODEL)
                frame = (fa_sdf_frame){n->own, FA_SDF_OWN};
            else
                status = usual_of(s, n, &frame); // a joint's child, or what a frame is attached to
        }
        if (status != FA_OK) return status;
    }
    return FA_SDF_FAIL(xml, e->place,
                       "%s is attached to a frame that is attached to itself, by way of others; "
                       "attach one of them to a link",
                       fa_xml_about(e).text);
}
