// Parses numbers, vectors and names from XML attributes.
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "names.h"
#include "number.h"

static const char *const SPACE = " \t\r\n";

fa_about fa_xml_about(const fa_xml_element *element)
{
    fa_about              about;
    const fa_xml_element *owner = element;
    while (owner && (owner->parent == NULL || !fa_xml_find(owner, "name"))) owner = owner->parent;
    if (!owner) {
        snprintf(about.text, sizeof about.text, "<%.100s>", element->name);
        return about;
    }
    const char *name = fa_xml_find(owner, "name")->value;
    if (owner == element)
        snprintf(about.text, sizeof about.text, "%.100s '%.128s'", owner->name, name);
    else
        snprintf(about.text, sizeof about.text, "<%.80s> of %.80s '%.128s'", element->name,
                 owner->name, name);
    return about;
}

// ---------------------------------------------------------------------------------------- numbers

static bool starts_like(const char *text, size_t size, const char *word)
{
    if (size > 0 && (*text == '-' || *text == '+')) text++, size--;
    for (; *word; word++, text++, size--)
        if (size == 0 || (*text | 0x20) != *word) return false;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Why text[0..size) is no number, and what to write instead.
static void diagnose(const char *text, size_t size, char *why, size_t why_size)
{
    double value = 0;
    size_t used = fa_number_read(text, size, &value);
    int    shown = (int)(size < 40 ? size : 40);
    if (used == size)
        snprintf(why, why_size, "%.*s is larger than any number that can be calculated with", shown,
                 text);
    else if (starts_like(text, size, "$("))
        snprintf(why, why_size, "'%.*s' is an expression that is not expanded; run xacro first",
                 shown, text);
    else if (starts_like(text, size, "nan") || starts_like(text, size, "inf"))
        snprintf(why, why_size, "'%.*s' is not allowed; write a finite number", shown, text);
    else if (starts_like(text, size, "0x"))
        snprintf(why, why_size, "'%.*s' is hexadecimal; write a decimal number", shown, text);
    else if (used > 0 && text[used] == ',' && used + 1 < size && is_digit(text[used + 1]))
        snprintf(
            why, why_size,
            "'%.*s' has a decimal comma; numbers here have a decimal point, and spaces between "
            "them",
            shown, text);
    else if (used > 0 && text[used] == ',')
        snprintf(why, why_size, "'%.*s' ends in a comma; numbers are separated by spaces", shown,
                 text);
    else if (used > 0 && (text[used] | 0x20) == 'd' && used + 1 < size &&
             (is_digit(text[used + 1]) || strchr("+-", text[used + 1])))
        snprintf(why, why_size, "'%.*s' has Fortran's exponent; write %.*se%.*s", shown, text,
                 (int)used, text, (int)(size - used - 1), text + used + 1);
    else if (used > 0)
        snprintf(why, why_size, "'%.*s' is more than a number; write %.*s alone, without a unit",
                 shown, text, (int)used, text);
    else
        snprintf(why, why_size, "'%.*s' is not a number", shown, text);
}

fa_status fa_read_numbers(const fa_xml *xml, const fa_xml_element *element, const char *name, int n,
                          double value[], fa_need need, fa_error *error)
{
    const fa_xml_attribute *attribute = fa_xml_find(element, name);
    const char             *several = n == 1 ? "" : "s";
    if (!attribute) {
        if (need == FA_OPTIONAL) return FA_OK;
        return fa_fail(error, FA_BAD_INPUT, xml->path, element->place,
                       "%s has no %s; add %s=\"…\" with %d number%s", fa_xml_about(element).text,
                       name, name, n, several);
    }
    int         count = 0;
    const char *text = attribute->value + strspn(attribute->value, SPACE);
    for (size_t size; *text; text += size, text += strspn(text, SPACE), count++) {
        size = strcspn(text, SPACE);
        double number;
        if (fa_number_read(text, size, &number) != size || !isfinite(number)) {
            char why[320];
            diagnose(text, size, why, sizeof why);
            return fa_fail(error, FA_BAD_INPUT, xml->path,
                           fa_xml_value_place(attribute, (size_t)(text - attribute->value)),
                           "%s in %s: %s", name, fa_xml_about(element).text, why);
        }
        if (count < n) value[count] = number;
    }
    if (count == n) return FA_OK;
    if (count == 0)
        return fa_fail(error, FA_BAD_INPUT, xml->path, attribute->value_place,
                       "%s in %s is empty; write %d number%s", name, fa_xml_about(element).text, n,
                       several);
    return fa_fail(error, FA_BAD_INPUT, xml->path, attribute->value_place,
                   "%s in %s takes %d number%s, and here %s %d", name, fa_xml_about(element).text,
                   n, several, count == 1 ? "is" : "are", count);
}

static bool is_endless(const char *text, size_t size, double *value)
{
    const bool sign = size > 0 && (*text == '-' || *text == '+');
    if (size - sign != 3 || !starts_like(text, size, "inf")) return false;
    *value = *text == '-' ? -INFINITY : INFINITY;
    return true;
}

fa_status fa_read_content(const fa_xml *xml, const fa_xml_element *element, int n, double value[],
                          bool endless, fa_error *error)
{
    int         count = 0;
    const char *text = element->content ? element->content : "";
    for (size_t size; *text; text += size, text += strspn(text, SPACE), count++) {
        size = strcspn(text, SPACE);
        double number;
        if ((!endless || !is_endless(text, size, &number)) &&
            (fa_number_read(text, size, &number) != size || !isfinite(number))) {
            char why[320];
            diagnose(text, size, why, sizeof why);
            return fa_fail(error, FA_BAD_INPUT, xml->path, element->text, "%s: %s",
                           fa_xml_about(element).text, why);
        }
        if (count < n) value[count] = number;
    }
    if (count == n) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, xml->path, count ? element->text : element->place,
                   "%s takes %d number%s, and here %s %d", fa_xml_about(element).text, n,
                   n == 1 ? "" : "s", count == 1 ? "is" : "are", count);
}

fa_status fa_read_number(const fa_xml *xml, const fa_xml_element *element, const char *name,
                         double *value, fa_need need, fa_error *error)
{
    return fa_read_numbers(xml, element, name, 1, value, need, error);
}

fa_status fa_read_fields(const fa_xml *xml, const fa_xml_element *element, const fa_field list[],
                         size_t n, fa_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (!fa_xml_find(element, list[i].name)) continue;
        const fa_status status =
            fa_read_number(xml, element, list[i].name, list[i].value, FA_OPTIONAL, error);
        if (status != FA_OK) return status;
        if (list[i].unit != 1) *list[i].value *= list[i].unit;
    }
    return FA_OK;
}

fa_status fa_read_vec3(const fa_xml *xml, const fa_xml_element *element, const char *name,
                       fa_vec3 *value, fa_need need, fa_error *error)
{
    double    v[3] = {value->x, value->y, value->z};
    fa_status status = fa_read_numbers(xml, element, name, 3, v, need, error);
    if (status == FA_OK) *value = vec3(v[0], v[1], v[2]);
    return status;
}

// ----------------------------------------------------------------------------- names and children

fa_status fa_read_name(const fa_xml *xml, const fa_xml_element *element, const char *attribute,
                       char name[FA_NAME_SIZE], fa_error *error)
{
    const fa_xml_attribute *found = fa_xml_find(element, attribute);
    if (!found)
        return fa_fail(error, FA_BAD_INPUT, xml->path, element->place, "%s has no %s; add %s=\"…\"",
                       fa_xml_about(element).text, attribute, attribute);
    size_t size = strlen(found->value);
    if (size == 0)
        return fa_fail(error, FA_BAD_INPUT, xml->path, found->value_place,
                       "the %s of <%s> is empty; give it one", attribute, element->name);
    if (size >= FA_NAME_SIZE)
        return fa_fail(error, FA_BAD_INPUT, xml->path, found->value_place,
                       "the %s of <%s> has %zu bytes; %d are the most", attribute, element->name,
                       size, FA_NAME_SIZE - 1);
    memset(name, 0, FA_NAME_SIZE);
    memcpy(name, found->value, size);
    return FA_OK;
}

fa_status fa_read_link(const fa_xml *xml, const fa_xml_element *element, const char *attribute,
                       const fa_robot *robot, int *link, fa_error *error)
{
    char      name[FA_NAME_SIZE];
    fa_status status = fa_read_name(xml, element, attribute, name, error);
    if (status != FA_OK) return status;
    *link = fa_robot_find_link(robot, name);
    if (*link != FA_NOBODY) return FA_OK;
    int best = 0;
    for (int i = 1; i < robot->n_links; i++)
        if (fa_words_apart(name, robot->link[i].name) <
            fa_words_apart(name, robot->link[best].name))
            best = i;
    return fa_fail(error, FA_BAD_INPUT, xml->path, fa_xml_find(element, attribute)->value_place,
                   "%s of %s is '%s', and there is no such link; the nearest name is '%s'",
                   attribute, fa_xml_about(element).text, name, robot->link[best].name);
}

void fa_list_add(fa_list *list, const char *name)
{
    const size_t room = sizeof list->text - 32; // for " and 99999 more"
    if (list->left_out > 0 || list->used + strlen(name) + 4 > room)
        list->left_out++;
    else
        list->used += (size_t)snprintf(list->text + list->used, sizeof list->text - list->used,
                                       "%s'%s'", list->used ? ", " : "", name);
}

const char *fa_list_text(fa_list *list)
{
    if (list->left_out > 0)
        snprintf(list->text + list->used, sizeof list->text - list->used, " and %d more",
                 list->left_out);
    return list->text;
}

fa_status fa_read_child(const fa_xml *xml, const fa_xml_element *parent, const char *name,
                        fa_need need, const fa_xml_element **child, fa_error *error)
{
    *child = fa_xml_child(parent, name);
    if (!*child) {
        if (need == FA_OPTIONAL) return FA_OK;
        return fa_fail(error, FA_BAD_INPUT, xml->path, parent->place, "%s has no <%s>; add one",
                       fa_xml_about(parent).text, name);
    }
    const fa_xml_element *second = fa_xml_next((*child)->next, name);
    if (!second) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, xml->path, second->place,
                   "%s has a second <%s> here, after the one in line %d; keep one",
                   fa_xml_about(parent).text, name, (*child)->place.line);
}
