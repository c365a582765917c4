// Reads the elements of a URDF that close loops or couple joints. No standard defines them, and
// each simulator has its own. Supported are those of URDF+ (<loop>, <loop_constraint>, <coupling>),
// <loop_joint> of Isaac Sim, joints inside <gazebo> and links with two parents. Others would change
// the motion, too, so they are errors. They are recognised by their names, in any namespace and at
// any place, and by two links that no joint of the tree joins.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "number.h"
#include "urdf.h"
#include "values.h"

// The name without the prefix of a namespace, which files choose as they like.
static const char *local_name(const fa_xml_element *e)
{
    const char *colon = strchr(e->name, ':');
    return colon ? colon + 1 : e->name;
}

// Returns true if a word in a compound name (linear_bushing_rpy, jointLoop) begins with
// `beginning`.
static bool has_word(const char *name, const char *beginning)
{
    const size_t n = strlen(beginning);
    for (const char *at = name; *at; at++) {
        const unsigned char here = (unsigned char)*at;
        const unsigned char before = at == name ? '_' : (unsigned char)at[-1];
        const bool          begins = !isalnum(before) || (isupper(here) && !isupper(before));
        size_t              same = 0;
        while (begins && same < n && tolower((unsigned char)at[same]) == beginning[same]) same++;
        if (same == n) return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const beginnings[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_word(name, beginnings[i])) return true;
    return false;
}

// Returns true for elements that only configure programs: plugins, sensors, transmissions and
// controllers refer to joints and links without coupling them.
static bool is_of_a_program(const fa_xml_element *e)
{
    static const char *const program[] = {"plugin", "sensor", "transmission", "ros2_control"};
    for (; e; e = e->parent)
        for (size_t i = 0; i < sizeof program / sizeof *program; i++)
            if (strcmp(e->name, program[i]) == 0) return true;
    return false;
}

static bool has_end(const fa_xml_element *e, const char *name)
{
    return fa_xml_child(e, name) || fa_xml_find(e, name);
}

// A joint outside of the tree that names what it joins, or that a simulator's model has.
static bool is_extra_joint(const fa_xml_element *e)
{
    if (strcmp(local_name(e), "joint") != 0) return false;
    if (has_end(e, "parent") && has_end(e, "child")) return true;
    for (const fa_xml_element *p = e->parent; p; p = p->parent)
        if (strcmp(p->name, "gazebo") == 0) return true;
    return false;
}

static bool is_in_gazebo(const fa_xml_element *e)
{
    return strcmp(e->name, "joint") == 0 && strcmp(e->parent->name, "gazebo") == 0 &&
           e->parent->parent && !e->parent->parent->parent && fa_xml_child(e, "parent") &&
           fa_xml_child(e, "child");
}

// Returns true for elements that fa_urdf_loops reads.
static bool is_read(const fa_xml_element *e)
{
    static const char *const word[] = {"loop", "loop_constraint", "coupling", "loop_joint"};
    if (is_in_gazebo(e)) return true;
    if (e->parent->parent) return false;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(e->name, word[i]) == 0) return true;
    return false;
}

fa_status fa_urdf_refuse_loop(const fa_urdf *u, const fa_xml_element *e)
{
    static const char *const closing[] = {"loop",    "constraint", "constrain", "weld",
                                          "bushing", "equality",   "connect"};
    static const char *const coupling[] = {"coupl", "tendon", "gearbox"};
    const char              *name = local_name(e);
    const bool in_tree = e->name == name && e->parent && strcmp(e->parent->name, "robot") == 0;
    if (!e->parent || is_of_a_program(e) || is_read(e)) return FA_OK;
    if (has_one_of(name, coupling, sizeof coupling / sizeof *coupling))
        return FA_URDF_FAIL(u, e->place,
                            "%s couples joints by a word that is not known here; write <mimic> "
                            "into the joint that follows, with the ratio as its multiplier, or "
                            "<coupling> of URDF+, or remove it to simulate the robot without",
                            fa_xml_about(e).text);
    // A length couples links only in an extension.
    const bool ties = has_one_of(name, closing, sizeof closing / sizeof *closing) ||
                      (e->name != name && has_word(name, "distance"));
    if (!ties && (in_tree || !is_extra_joint(e))) return FA_OK;
    return FA_URDF_FAIL(u, e->place,
                        "%s ties two links together by a word that is not known here; write it as "
                        "<loop> of URDF+, or remove it to simulate the robot with this loop open",
                        fa_xml_about(e).text);
}

// ----------------------------------------------------------------------------------------- reading

static const struct {
    const char       *name;
    fa_form_loop_type type;
} loop_type[] = {
    {"fixed", FA_FORM_LOOP_FIXED},
    {"revolute", FA_FORM_LOOP_REVOLUTE},
    {"continuous", FA_FORM_LOOP_REVOLUTE},
    {"prismatic", FA_FORM_LOOP_PRISMATIC},
    {"cylindrical", FA_FORM_LOOP_CYLINDRICAL},
    {"spherical", FA_FORM_LOOP_SPHERICAL},
    {"ball", FA_FORM_LOOP_SPHERICAL},
    {"universal", FA_FORM_LOOP_UNIVERSAL},
    {"planar", FA_FORM_LOOP_PLANAR},
    {"distance", FA_FORM_LOOP_DISTANCE},
};

static fa_status read_type(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    const fa_xml_attribute *type = fa_xml_find(e, "type");
    if (!type)
        return FA_URDF_FAIL(u, e->place,
                            "%s has no type; it can be fixed, revolute, continuous, prismatic, "
                            "cylindrical, spherical, universal, planar or distance",
                            fa_xml_about(e).text);
    for (size_t i = 0; i < sizeof loop_type / sizeof *loop_type; i++)
        if (strcmp(loop_type[i].name, type->value) == 0) {
            loop->type = loop_type[i].type;
            return FA_OK;
        }
    return FA_URDF_FAIL(
        u, type->value_place,
        "%s has the type '%.60s'; it can be fixed, revolute, continuous, prismatic, "
        "cylindrical, spherical, universal, planar or distance",
        fa_xml_about(e).text, type->value);
}

// Reads one end's link, an attribute of `from`.
static fa_status read_link(const fa_urdf *u, const fa_xml_element *from, fa_form_loop *loop,
                           int end)
{
    int       index;
    fa_status status = fa_tree_find(u->xml, &u->tree, "link", from, "link", &index, u->error);
    if (status == FA_OK) loop->link[end] = u->tree.rank[index];
    return status;
}

static fa_status read_direction(const fa_urdf *u, const fa_xml_element *e, const char *word,
                                fa_vec3 *direction)
{
    const fa_xml_element *axis;
    char                  whose[2 * FA_NAME_SIZE];
    fa_status             status = fa_read_child(u->xml, e, word, FA_OPTIONAL, &axis, u->error);
    if (status != FA_OK || !axis) return status;
    (void)snprintf(whose, sizeof whose, "the %s of %.200s", word, fa_xml_about(e).text);
    return fa_urdf_direction(u, axis, whose, direction);
}

static fa_status read_length(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    if (loop->type != FA_FORM_LOOP_DISTANCE) return FA_OK;
    if (!fa_xml_find(e, "length"))
        return FA_URDF_FAIL(u, e->place,
                            "%s keeps a distance and has no length; add length=\"…\" [m]",
                            fa_xml_about(e).text);
    return fa_read_number(u->xml, e, "length", &loop->length, FA_REQUIRED, u->error);
}

// <loop> and <coupling>, whose ends are <predecessor> and <successor>.
static fa_status read_loop(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    static const char *const end[] = {"predecessor", "successor"};
    const bool               gear = strcmp(e->name, "coupling") == 0;
    fa_status                status = FA_OK;
    loop->type = FA_FORM_LOOP_COUPLING;
    if (!gear) status = read_type(u, e, loop);
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        const fa_xml_element *link;
        status = fa_read_child(u->xml, e, end[i], FA_REQUIRED, &link, u->error);
        if (status == FA_OK) status = read_link(u, link, loop, i);
        if (status == FA_OK) status = fa_urdf_origin(u, link, &loop->frame[i]);
    }
    if (status == FA_OK && gear) {
        const fa_xml_element *ratio;
        status = fa_read_child(u->xml, e, "ratio", FA_REQUIRED, &ratio, u->error);
        return status == FA_OK
                   ? fa_read_number(u->xml, ratio, "value", &loop->ratio, FA_REQUIRED, u->error)
                   : status;
    }
    if (status == FA_OK) status = read_direction(u, e, "axis", &loop->axis);
    if (status == FA_OK) status = read_direction(u, e, "axis2", &loop->axis2);
    return status == FA_OK ? read_length(u, e, loop) : status;
}

// <loop_constraint>: two points that hold together.
static fa_status read_point_loop(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    static const char *const end[] = {"parent", "child"};
    static const char *const origin[] = {"parent_origin", "child_origin"};
    fa_status                status = FA_OK;
    loop->type = FA_FORM_LOOP_SPHERICAL;
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        const fa_xml_element *link, *point;
        status = fa_read_child(u->xml, e, end[i], FA_REQUIRED, &link, u->error);
        if (status == FA_OK) status = read_link(u, link, loop, i);
        if (status == FA_OK)
            status = fa_read_child(u->xml, e, origin[i], FA_OPTIONAL, &point, u->error);
        if (status == FA_OK && point)
            status = fa_read_vec3(u->xml, point, "xyz", &loop->frame[i].r, FA_OPTIONAL, u->error);
    }
    return status;
}

// <loop_joint>, whose axis is z of both frames. The second end may be called link1, too, as the
// manual of Isaac Sim prints it.
static fa_status read_loop_joint(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    const fa_xml_element *first = fa_xml_child(e, "link1"), *second = fa_xml_child(e, "link2");
    if (first && !second) second = fa_xml_next(first->next, "link1");
    if (!first || !second)
        return FA_URDF_FAIL(u, e->place, "%s has no <%s>; add one", fa_xml_about(e).text,
                            first ? "link2" : "link1");
    fa_status status = read_type(u, e, loop);
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        const fa_xml_element *link = i ? second : first;
        fa_vec3               rpy = {0, 0, 0};
        status = read_link(u, link, loop, i);
        if (status == FA_OK)
            status = fa_read_vec3(u->xml, link, "xyz", &loop->frame[i].r, FA_OPTIONAL, u->error);
        if (status == FA_OK)
            status = fa_read_vec3(u->xml, link, "rpy", &rpy, FA_OPTIONAL, u->error);
        loop->frame[i].E = fa_rotation_rpy(rpy);
    }
    return status == FA_OK ? read_length(u, e, loop) : status;
}

// The text in an element of SDF, without white space around it.
static size_t text_of(const fa_urdf *u, const fa_xml_element *e, char text[], size_t size)
{
    fa_cursor   cursor = FA_CURSOR_AT(u->xml->source.text);
    const char *end = u->xml->source.text + u->xml->source.size, *at = cursor.at;
    size_t      n = 0;
    text[0] = '\0';
    if (!e->text.line) return 0;
    for (int line = 1; line < e->text.line && at < end; at++) line += *at == '\n';
    for (int column = 1; column < e->text.column && at < end; at++)
        column += ((unsigned char)at[1] & 0xC0) != 0x80; // characters, not bytes
    while (at < end && *at != '<' && n + 1 < size) text[n++] = *at++;
    while (n > 0 && isspace((unsigned char)text[n - 1])) n--;
    text[n] = '\0';
    return n;
}

static fa_status read_numbers(const fa_urdf *u, const fa_xml_element *e, int n, double value[])
{
    char        text[256];
    const char *at = text, *end = text + text_of(u, e, text, sizeof text);
    for (int i = 0; i < n; i++) {
        while (at < end && isspace((unsigned char)*at)) at++;
        const size_t used = fa_number_read(at, (size_t)(end - at), &value[i]);
        at += used;
        if (used == 0 || !isfinite(value[i]))
            return FA_URDF_FAIL(u, e->place, "%s has '%.60s'; write %d numbers",
                                fa_xml_about(e).text, text, n);
    }
    return FA_OK;
}

// A joint of SDF inside <gazebo>. Its frame is said on the child alone; on the parent it is where
// that is when the joints stand at their start.
static fa_status read_gazebo_joint(const fa_urdf *u, const fa_xml_element *e, fa_form_loop *loop)
{
    static const char *const end[] = {"parent", "child"};
    fa_status                status = read_type(u, e, loop);
    for (int i = 0; i < 2 && status == FA_OK; i++) {
        char                  name[FA_NAME_SIZE];
        const fa_xml_element *link = fa_xml_child(e, end[i]);
        text_of(u, link, name, sizeof name);
        const int index = fa_names_find(&u->tree.link_names, name);
        if (index < 0)
            return FA_URDF_FAIL(
                u, link->place,
                "%s names the link '%s', which is not in the file; name another one",
                fa_xml_about(link).text, name);
        loop->link[i] = u->tree.rank[index];
    }
    loop->open = true;
    const fa_xml_element *pose = fa_xml_child(e, "pose"), *axis = fa_xml_child(e, "axis");
    if (status == FA_OK && pose) {
        double x[6] = {0};
        status = read_numbers(u, pose, 6, x);
        loop->frame[1] =
            (fa_transform){fa_rotation_rpy(vec3(x[3], x[4], x[5])), vec3(x[0], x[1], x[2])};
    }
    const fa_xml_element *xyz = axis ? fa_xml_child(axis, "xyz") : NULL;
    if (status != FA_OK || !xyz) return status;
    double a[3] = {0};
    status = read_numbers(u, xyz, 3, a);
    fa_vec3 direction = {a[0], a[1], a[2]};
    if (status == FA_OK && !(vec3_norm(direction) > 0))
        return FA_URDF_FAIL(u, xyz->place, "the axis of %s is 0 0 0 and has no direction",
                            fa_xml_about(e).text);
    loop->axis = vec3_scale(1 / vec3_norm(direction), direction);
    return status;
}

// A joint whose child hangs on an earlier one: its frame on the child is the child's own.
static fa_status read_closing_joint(const fa_urdf *u, int j, fa_form_loop *loop)
{
    const fa_xml_element *e = u->tree.joint[j];
    const int             child = u->tree.child[j];
    const char           *link = fa_xml_find(u->tree.link[child], "name")->value;
    fa_status             status = read_type(u, e, loop);
    loop->link[0] = u->tree.rank[u->tree.parent[j]];
    loop->link[1] = u->tree.rank[child];
    loop->axis = vec3(1, 0, 0); // as joints have it
    if (status == FA_OK) status = fa_urdf_origin(u, e, &loop->frame[0]);
    if (status == FA_OK && loop->type != FA_FORM_LOOP_FIXED)
        status = read_direction(u, e, "axis", &loop->axis);
    if (status == FA_OK)
        FA_URDF_WARN(u, e->place,
                     "link '%.100s' is the child of two joints: joint '%.100s' of line %d carries "
                     "it, and joint '%.100s' closes a loop; limits, friction and drives of the "
                     "latter have no effect",
                     link, fa_xml_find(u->tree.joint[u->tree.holder[child]], "name")->value,
                     u->tree.joint[u->tree.holder[child]]->place.line, loop->name);
    return status;
}

static fa_status add_loop(const fa_urdf *u, const fa_xml_element *e, fa_form_loop **loop)
{
    *loop = fa_form_add_loop(u->form);
    if (!*loop) return fa_form_no_memory(u->form, u->error);
    (*loop)->at = FA_URDF_AT(u, e->place);
    return fa_read_name(u->xml, e, "name", (*loop)->name, u->error);
}

static fa_status look_at_ends(const fa_urdf *u, const fa_xml_element *e, const fa_form_loop *loop)
{
    if (loop->link[0] != loop->link[1]) return FA_OK;
    return FA_URDF_FAIL(u, e->place,
                        "%s joins link '%s' with itself, and so joins two links that are one body; "
                        "name two different links",
                        fa_xml_about(e).text, u->form->link[loop->link[0]].name);
}

static fa_status read_one(const fa_urdf *u, const fa_xml_element *e)
{
    fa_form_loop *loop;
    fa_status     status = add_loop(u, e, &loop);
    if (status != FA_OK) return status;
    if (strcmp(e->name, "loop_constraint") == 0)
        status = read_point_loop(u, e, loop);
    else if (strcmp(e->name, "loop_joint") == 0)
        status = read_loop_joint(u, e, loop);
    else if (strcmp(e->name, "joint") == 0)
        status = read_gazebo_joint(u, e, loop);
    else
        status = read_loop(u, e, loop);
    return status == FA_OK ? look_at_ends(u, e, loop) : status;
}

fa_status fa_urdf_loops(const fa_urdf *u)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *e = u->xml->root->first; e && status == FA_OK; e = e->next) {
        if (strcmp(e->name, "gazebo") == 0) {
            for (const fa_xml_element *j = e->first; j && status == FA_OK; j = j->next)
                if (is_in_gazebo(j)) status = read_one(u, j);
        } else if (is_read(e)) {
            status = read_one(u, e);
        }
    }
    for (int j = 0; j < u->tree.n_joints && status == FA_OK; j++) {
        fa_form_loop *loop;
        if (!u->tree.closes[j]) continue;
        status = add_loop(u, u->tree.joint[j], &loop);
        if (status == FA_OK) status = read_closing_joint(u, j, loop);
    }
    return status;
}
