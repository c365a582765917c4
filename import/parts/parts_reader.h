// Common parts of the readers of parts: the file, its definitions, and the conversion of a section
// into a solid.
#ifndef FA_PARTS_READER_H
#define FA_PARTS_READER_H

#include "names.h"
#include "parts.h"
#include "values.h"

typedef struct fa_parts_reader {
    const fa_xml          *xml;
    const fa_log          *log;
    fa_error              *error;
    double                 angle; // one unit of angle in the file [rad]
    fa_names               materials;
    double                *density;  // of each material [kg/m^3]
    const fa_xml_element **material; // where each is defined
} fa_parts_reader;

fa_status fa_parts_no_memory(const fa_parts_reader *reader);

// xyz and rpy of an element.
fa_status fa_parts_placement(const fa_parts_reader *reader, const fa_xml_element *element,
                             fa_transform *X);

// "; did you mean '...'?", from the names of the elements of that kind, or nothing.
fa_about fa_parts_nearest(const fa_parts_reader *reader, const char *name, const char *kind);

// The material's place in `density`, by the element that defines it.
fa_status fa_parts_material(fa_parts_reader *reader, const fa_xml_element *element, int index);

// A shape with its material, in the axes of its part.
fa_status fa_parts_section(const fa_parts_reader *reader, const fa_xml_element *element,
                           fa_shape_kind kind, fa_solid *solid);

#endif
