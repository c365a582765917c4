// Selects the model that is the robot.
#include <string.h>

#include "sdf.h"

typedef struct choice {
    fa_sdf               *s;
    int                   n;     // models that may be the robot
    bool                  named; // the wanted one is there
    int                   fixed; // models that are static
    fa_list               names; // of those that may be the robot
    fa_sdf_scope          scope; // of the first, or of the wanted one
    const char           *name;
    const fa_xml_element *world;
    fa_error             *missing; // why the first that is included is not there
} choice;

static void consider(choice *c, fa_sdf_scope scope, const fa_xml_element *world)
{
    const char             *wanted = c->s->options->model;
    const fa_xml_attribute *own = fa_xml_find(scope.model, "name");
    const char             *name = own ? own->value : "";
    if (scope.include && fa_sdf_child_text(scope.include, "name")[0])
        name = fa_sdf_child_text(scope.include, "name");
    const bool is_static = fa_sdf_is_static(scope.model, scope.include);
    const bool is_wanted = wanted && strcmp(name, wanted) == 0;
    if (is_static) c->fixed++;
    if (!is_static) {
        fa_list_add(&c->names, name);
        c->n++;
    }
    if (c->named || (wanted ? !is_wanted : is_static || c->n > 1)) return;
    c->named = is_wanted;
    c->scope = scope;
    c->name = name;
    c->world = world;
}

// A model that is not there may be scenery; it is missed only where no other is the robot.
static fa_status consider_included(choice *c, const fa_xml_element *e, const fa_xml_element *world,
                                   int minor)
{
    fa_sdf      *s = c->s;
    fa_error    *error = s->error, why = fa_no_error();
    fa_sdf_scope scope = {.by = s->xml, .include = e, .by_minor = minor, .depth = 1};
    s->error = &why;
    const fa_status status = fa_sdf_open(s, s->xml, e, &scope.xml, &scope.model, &scope.minor);
    s->error = error;
    if (status == FA_OK) {
        consider(c, scope, world);
    } else if (status == FA_NO_MEMORY) {
        return fa_sdf_no_memory(s);
    } else if (c->missing->status == FA_OK) {
        *c->missing = why;
    }
    return FA_OK;
}

static fa_status consider_all(choice *c, const fa_xml_element *holder, const fa_xml_element *world,
                              int minor)
{
    fa_status status = FA_OK;
    for (const fa_xml_element *e = holder->first; e && status == FA_OK; e = e->next) {
        if (strcmp(e->name, "model") == 0)
            consider(c, (fa_sdf_scope){.xml = c->s->xml, .model = e, .minor = minor}, world);
        if (strcmp(e->name, "include") == 0) status = consider_included(c, e, world, minor);
        if (strcmp(e->name, "world") == 0 && !world) status = consider_all(c, e, e, minor);
    }
    return status;
}

fa_status fa_sdf_choose(fa_sdf *s, fa_sdf_scope *scope, const char **name,
                        const fa_xml_element **world)
{
    const char *wanted = s->options->model;
    fa_error    missing = fa_no_error();
    choice      c = {.s = s, .missing = &missing};
    int         minor;
    fa_status   status = fa_sdf_version(s, s->xml, &minor);
    if (status == FA_OK) status = consider_all(&c, s->xml->root, NULL, minor);
    if (status != FA_OK) return status;
    *scope = c.scope;
    *name = c.name;
    *world = c.world;
    const fa_place place = s->xml->root->place;
    if (c.name && (wanted || c.n == 1)) {
        if (!fa_sdf_is_static(c.scope.model, c.scope.include)) return FA_OK;
        return FA_SDF_FAIL(s->xml, c.scope.model->place,
                           "model '%.128s' is static: it stands still and is no robot; remove "
                           "<static>, or choose another model",
                           c.name);
    }
    if (missing.status != FA_OK && c.n == 0) {
        if (s->error) *s->error = missing;
        return missing.status;
    }
    if (wanted)
        return FA_SDF_FAIL(s->xml, place, "there is no model '%.128s' in the file%s%s", wanted,
                           c.n ? "; its models are " : "", c.n ? fa_list_text(&c.names) : "");
    if (c.n > 1)
        return FA_SDF_FAIL(s->xml, place,
                           "the file has %d models, %s; say which one is the robot: --model NAME",
                           c.n, fa_list_text(&c.names));
    return FA_SDF_FAIL(s->xml, place, "%s",
                       c.fixed ? "the file's models are static: they stand still and are no "
                                 "robots; remove <static> from one"
                               : "the file has no <model>; a robot needs one");
}
