// <cylinder>: between two links of an arm, or as a root element a hydraulic axis alone. The schema
// is the reference of the format; numbers go by the list in model/elements/oil/hydraulics.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "named_parts.h"
#include "values.h"

// Default dead volume without a hose: the oil of this much of the stroke [m].
static const double DEAD_STROKE = 0.01;

typedef struct reader {
    const fa_xml *xml;
    const fa_log *log;
    fa_error     *error;
    const fa_xml *parts; // with names, built in
} reader;

#define FAIL(r, place, ...) fa_fail((r)->error, FA_BAD_INPUT, (r)->xml->path, place, __VA_ARGS__)

// Reads an optional number of an optional child, or of the element itself if `child` is empty.
static fa_status read_number(const reader *r, const fa_xml_element *e, const char *child,
                             const char *attribute, double *value)
{
    const fa_xml_element *of = child[0] ? fa_xml_child(e, child) : e;
    return of ? fa_read_number(r->xml, of, attribute, value, FA_OPTIONAL, r->error) : FA_OK;
}

// The numbers of a named part, where the element names one: of a cylinder with all that belongs to
// it, or of its valve. What the file itself says comes afterwards and counts.
static fa_status read_parts(const reader *r, const fa_xml_element *e, double x[])
{
    const reader          of_parts = {r->parts, NULL, r->error, r->parts};
    const fa_xml_element *valve = fa_xml_child(e, "valve"), *cylinder, *spools = NULL;
    fa_status status = fa_named_part(r->parts, "cylinder", r->xml, e, &cylinder, r->error);
    if (status == FA_OK && valve)
        status = fa_named_part(r->parts, "valve", r->xml, valve, &spools, r->error);
    for (int i = 0; i < FA_CYLINDER_NUMBERS && status == FA_OK; i++) {
        const fa_cylinder_row row = fa_cylinder_row_of(i);
        if (cylinder) status = read_number(&of_parts, cylinder, row.element, row.attribute, &x[i]);
        if (status == FA_OK && spools && strcmp(row.element, "valve") == 0)
            status = read_number(&of_parts, spools, "", row.attribute, &x[i]);
    }
    return status;
}

// A hose with a missing dimension counts as absent.
static void look_at_hose(const reader *r, const fa_xml_element *e, const double x[])
{
    static const struct {
        const char        *attribute;
        fa_cylinder_number number;
    } measure[] = {{"diameter", FA_CYLINDER_hose_diameter}, {"length", FA_CYLINDER_hose_length}};
    const fa_xml_element *hose = fa_xml_child(e, "hose");
    for (int i = 0; hose && i < 2; i++)
        if (!fa_xml_find(hose, measure[i].attribute) && !(x[measure[i].number] > 0))
            fa_warn(r->log, r->xml->path, hose->place,
                    "%s has no %s, and so there is no oil in it; add %s=\"…\", or remove the hose",
                    fa_xml_about(hose).text, measure[i].attribute, measure[i].attribute);
}

static fa_status read_numbers(const reader *r, const fa_xml_element *e, fa_cylinder *c)
{
    double   *x = c->number;
    fa_status status = read_parts(r, e, x);
    for (int i = 0; i < FA_CYLINDER_NUMBERS && status == FA_OK; i++) {
        const fa_cylinder_row row = fa_cylinder_row_of(i);
        status = read_number(r, e, row.element, row.attribute, &x[i]);
    }
    if (status != FA_OK) return status;
    look_at_hose(r, e, x);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) {
        const int as = fa_cylinder_row_of(i).as;
        if (isnan(x[i]) && as >= 0) x[i] = x[as];
    }
    const bool   hose = x[FA_CYLINDER_hose_diameter] > 0 && x[FA_CYLINDER_hose_length] > 0;
    const double dead = hose ? 0 : DEAD_STROKE;
    // Without a bore these stay unsaid.
    if (isnan(x[FA_CYLINDER_dead_a])) x[FA_CYLINDER_dead_a] = dead * fa_cylinder_area_a(x);
    if (isnan(x[FA_CYLINDER_dead_b])) x[FA_CYLINDER_dead_b] = dead * fa_cylinder_area_b(x);
    return FA_OK;
}

static fa_status read_start(const reader *r, const fa_xml_element *e, fa_cylinder *c)
{
    const struct {
        const char *child, *attribute;
        double     *value;
    } list[] = {{"start", "pressure-a", &c->initial_pressure[0]},
                {"start", "pressure-b", &c->initial_pressure[1]},
                {"start", "length", &c->initial_length},
                {"supply", "pressure", &c->supply},
                {"supply", "tank", &c->tank},
                {"pump", "flow", &c->pump_flow}};
    fa_status status = FA_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && status == FA_OK; i++)
        status = read_number(r, e, list[i].child, list[i].attribute, list[i].value);
    c->pump = fa_xml_child(e, "pump");
    c->ends = fa_xml_child(e, "stop");
    return status;
}

static fa_status read_linkage(const reader *r, const fa_xml_element *e, fa_linkage *linkage)
{
    const fa_xml_element *bar = fa_xml_child(e, "four-bar");
    if (!bar) return FA_OK;
    const fa_xml_attribute *branch = fa_xml_find(bar, "branch");
    linkage->present = true;
    linkage->branch = branch && strcmp(branch->value, "right") == 0 ? -1 : 1;
    fa_status status =
        fa_read_vec3(r->xml, bar, "pivot-xyz", &linkage->pivot, FA_REQUIRED, r->error);
    if (status == FA_OK)
        status = fa_read_number(r->xml, bar, "rocker", &linkage->rocker, FA_REQUIRED, r->error);
    if (status == FA_OK)
        status = fa_read_number(r->xml, bar, "coupler", &linkage->coupler, FA_REQUIRED, r->error);
    return status;
}

// Reads the numbers common to all cylinders.
static fa_status read_cylinder(const reader *r, const fa_xml_element *e, fa_cylinder *c)
{
    static const char *const cut[] = {
#define X(code, name) name,
        FA_CUT_LIST(X)
#undef X
    };
    const fa_xml_attribute *chosen = fa_xml_find(e, "cut");
    for (int i = 0; chosen && i < FA_CUT_COUNT; i++)
        if (strcmp(chosen->value, cut[i]) == 0) c->cut = (fa_cut)i;
    c->place = e->place;
    fa_status status = fa_read_name(r->xml, e, "name", c->name, r->error);
    if (status == FA_OK) status = read_numbers(r, e, c);
    return status == FA_OK ? read_start(r, e, c) : status;
}

// Reads one end: a link by its name, and a point in its frame.
static fa_status read_end(const reader *r, const fa_xml_element *e, const char *attribute,
                          const char *point_attribute, const fa_robot *robot, int *link,
                          fa_vec3 *point)
{
    const fa_status status = fa_read_link(r->xml, e, attribute, robot, link, r->error);
    if (status != FA_OK) return status;
    return fa_read_vec3(r->xml, e, point_attribute, point, FA_REQUIRED, r->error);
}

// Both ends on the axis of a joint that slides: the length is its position and an offset.
static fa_status read_joint(const reader *r, const fa_xml_element *e, const fa_robot *robot,
                            fa_cylinder *c)
{
    static const char *const instead[] = {"from", "from-xyz", "to", "to-xyz"};
    char                     name[FA_NAME_SIZE];
    double                   offset = c->number[FA_CYLINDER_closed_length];
    fa_status                status = fa_read_name(r->xml, e, "joint", name, r->error);
    if (status != FA_OK) return status;
    const fa_place at = fa_xml_find(e, "joint")->value_place;
    for (size_t i = 0; i < sizeof instead / sizeof *instead; i++)
        if (fa_xml_find(e, instead[i]))
            return FAIL(r, fa_xml_find(e, instead[i])->place,
                        "%s has a joint, which its ends follow from; remove %s, or joint",
                        fa_xml_about(e).text, instead[i]);
    const int child = fa_robot_find_joint(robot, name);
    if (child == FA_NOBODY || robot->link[child].joint.type != FA_PRISMATIC)
        return FAIL(r, at, "joint of %s is '%s', and there is no prismatic joint of this name",
                    fa_xml_about(e).text, name);
    status = fa_read_number(r->xml, e, "offset", &offset, FA_OPTIONAL, r->error);
    if (status != FA_OK) return status;
    if (isnan(offset))
        return FAIL(r, e->place, "%s has neither offset nor closed-length; give one of them",
                    fa_xml_about(e).text);
    const fa_link *link = &robot->link[child];
    c->from = link->parent;
    c->to = child;
    c->from_point = point_to_parent(link->joint.origin, vec3_scale(-offset, link->joint.axis));
    c->to_point = point_to_parent(transform_inverse(link->frame), vec3(0, 0, 0));
    return FA_OK;
}

static fa_status read_ends(const reader *r, const fa_xml_element *e, const fa_robot *robot,
                           fa_cylinder *c)
{
    if (fa_xml_find(e, "joint")) return read_joint(r, e, robot, c);
    if (fa_xml_find(e, "offset"))
        return FAIL(r, fa_xml_find(e, "offset")->place,
                    "%s has an offset, which is from the position of a joint; add joint=\"…\"",
                    fa_xml_about(e).text);
    fa_status status = read_end(r, e, "from", "from-xyz", robot, &c->from, &c->from_point);
    if (status == FA_OK) status = read_end(r, e, "to", "to-xyz", robot, &c->to, &c->to_point);
    return status;
}

// All valves have one supply and one tank: cylinders without pressures get those of the first one
// that has them. The cylinders are in the order of the elements.
static void share_supply(const fa_xml_element *first, fa_cylinder *cylinder)
{
    static const char *const name[] = {"pressure", "tank"};
    for (int i = 0; i < 2; i++) {
        const double *said = NULL;
        for (int pass = 0; pass < 2; pass++) {
            fa_cylinder *c = cylinder;
            for (const fa_xml_element *e = first; e; e = fa_xml_next(e->next, "cylinder"), c++) {
                const fa_xml_element *supply = fa_xml_child(e, "supply");
                const bool            says = supply && fa_xml_find(supply, name[i]);
                double               *own = i == 0 ? &c->supply : &c->tank;
                if (says && !said) said = own;
                if (!says && said) *own = *said;
            }
        }
    }
}

fa_status fa_cylinders_read(const fa_xml *xml, const fa_xml_element *parent, const fa_log *log,
                            fa_robot **robot, fa_error *error)
{
    reader r = {xml, log, error, NULL};
    int    before = (*robot)->n_cylinders, n = before;
    for (const fa_xml_element *e = parent->first; e; e = e->next)
        n += strcmp(e->name, "cylinder") == 0;
    if (n == before) return FA_OK;
    if (n > FA_CYLINDER_MAX)
        return FAIL(&r, parent->place, "the robot has %d cylinders; %d are the most", n,
                    FA_CYLINDER_MAX);
    fa_robot *with = fa_robot_with_cylinders(*robot, n);
    if (!with)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for %d cylinders", n);
    *robot = with;
    fa_xml   *parts;
    fa_status status = fa_named_parts(&parts, error);
    if (status != FA_OK) return status;
    r.parts = parts;
    const fa_xml_element *e = fa_xml_child(parent, "cylinder");
    for (fa_cylinder *c = fa_robot_cylinders(with) + before; e && status == FA_OK;
         e = fa_xml_next(e->next, "cylinder"), c++) {
        status = read_cylinder(&r, e, c);
        if (status == FA_OK) status = read_ends(&r, e, with, c);
        if (status == FA_OK) status = read_linkage(&r, e, &c->linkage);
    }
    if (status == FA_OK)
        share_supply(fa_xml_child(parent, "cylinder"), fa_robot_cylinders(with) + before);
    fa_xml_free(parts);
    return status;
}

fa_status fa_axis_read(const fa_xml *xml, const fa_log *log, fa_robot **robot, fa_error *error)
{
    fa_xml *parts;
    *robot = fa_robot_new_axis();
    if (!*robot)
        return fa_fail(error, FA_NO_MEMORY, xml->path, FA_NOWHERE,
                       "there is not enough memory for a hydraulic axis");
    fa_cylinder *c = fa_robot_cylinders(*robot);
    fa_status    status = fa_named_parts(&parts, error);
    if (status == FA_OK) {
        const reader r = {xml, log, error, parts};
        status = read_cylinder(&r, xml->root, c);
        fa_xml_free(parts);
    }
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
        return status;
    }
    strcpy((*robot)->name, c->name);
    return FA_OK;
}
