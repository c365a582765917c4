// Looks up motors and gearboxes by name in the built-in database.
#include "named_parts.h"

#include <limits.h>
#include <string.h>

#include "names.h"
#include "schemas.h"

fa_status fa_named_parts(fa_xml **parts, fa_error *error)
{
    return fa_xml_read(fa_drives.text, fa_drives.size, "the parts that are built in", NULL, parts,
                       error);
}

fa_status fa_named_part(const fa_xml *parts, const char *kind, const fa_xml *xml,
                        const fa_xml_element *element, const fa_xml_element **part, fa_error *error)
{
    const fa_xml_attribute *wanted = fa_xml_find(element, "part");
    const char             *nearest = NULL;
    int                     best = INT_MAX;
    *part = NULL;
    if (!wanted) return FA_OK;
    for (const fa_xml_element *e = parts->root->first; e; e = e->next) {
        if (strcmp(e->name, kind) != 0) continue;
        const char *name = fa_xml_find(e, "name")->value;
        if (strcmp(name, wanted->value) == 0) {
            *part = e;
            return FA_OK;
        }
        int apart = fa_words_apart(wanted->value, name);
        if (apart < best) {
            best = apart;
            nearest = name;
        }
    }
    return fa_fail(error, FA_BAD_INPUT, xml->path, wanted->value_place,
                   "there is no %s '%.60s' among the parts that are built in; the nearest name is "
                   "'%s', and numbers can be written instead of a part",
                   kind, wanted->value, nearest);
}
