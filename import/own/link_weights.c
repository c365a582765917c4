// <link name="arm" density="2700"/> or mass="3.2" in a side file: links that their shapes weigh.
#include "link_weights.h"

#include "formats.h"
#include "nearest.h"
#include "values.h"

static fa_status read_link(const fa_xml *xml, const fa_xml_element *e, const fa_form *form,
                           fa_link_weight weight[], fa_error *error)
{
    char       name[FA_NAME_SIZE];
    fa_status  status = fa_read_name(xml, e, "name", name, error);
    fa_nearest nearest = fa_nearest_to(name);
    if (status != FA_OK) return status;
    const int link = fa_form_find_link(form, name);
    for (int i = 0; i < form->n_links && link == FA_FORM_NOBODY; i++)
        fa_nearest_try(&nearest, form->link[i].name);
    if (link == FA_FORM_NOBODY)
        return fa_fail(error, FA_BAD_INPUT, xml->path, e->place, "the robot has no link '%s'; %s",
                       name, fa_nearest_hint(&nearest, "`forearm check` lists the links").text);
    fa_link_weight *w = &weight[link];
    if (w->at.file)
        return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                       "link '%s' is here a second time, after line %d; keep one of them", name,
                       w->at.place.line);
    *w = (fa_link_weight){.at = {xml->path, e->place}};
    if (!fa_xml_find(e, "density") == !fa_xml_find(e, "mass"))
        return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                       "%s needs a density or a mass, and not both", fa_xml_about(e).text);
    status = fa_read_number(xml, e, "density", &w->density, FA_OPTIONAL, error);
    if (status == FA_OK) status = fa_read_number(xml, e, "mass", &w->mass, FA_OPTIONAL, error);
    if (status != FA_OK || w->density > 0 || w->mass > 0) return status;
    return fa_fail(error, FA_BAD_INPUT, xml->path, e->place,
                   "the density or mass of link '%s' must be above zero", name);
}

fa_status fa_link_weights_read(const char *path, const fa_form *form, fa_link_weight weight[],
                               fa_error *error)
{
    fa_xml   *xml;
    fa_status status = fa_xml_load(path, NULL, &xml, error);
    if (status != FA_OK) return status;
    for (const fa_xml_element *e = fa_xml_child(xml->root, "link"); e && status == FA_OK;
         e = fa_xml_next(e->next, "link"))
        status = read_link(xml, e, form, weight, error);
    fa_xml_free(xml);
    return status;
}
