// Motors and gearboxes that a file names instead of writing their numbers: resources/parts, built
// into the library.
#ifndef FA_NAMED_PARTS_H
#define FA_NAMED_PARTS_H

#include "xml.h"

// The tree of the parts that are built in. NULL where there is no memory; fa_xml_free releases it.
fa_status fa_named_parts(fa_xml **parts, fa_error *error);

// The <motor> or <gearbox>, as `kind` says, that the attribute `part` of `element` names. Where
// there is none, an error that says which one was probably meant. *part is NULL without the
// attribute.
fa_status fa_named_part(const fa_xml *parts, const char *kind, const fa_xml *xml,
                        const fa_xml_element *element, const fa_xml_element **part,
                        fa_error *error);

#endif
