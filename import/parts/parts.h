// A robot's links by the parts that they are made of: an XML file of materials, parts and links
// (resources/schema/parts.xsd), from which mass, centre of mass and inertia of every link follow.
// After the Parts Database of N. M. Swartz, Arm Dynamics Simulation, 1982, p. 2.
#ifndef FA_PARTS_H
#define FA_PARTS_H

#include <stddef.h>

#include "robot.h"
#include "solid.h"

typedef enum fa_part_item_kind {
    FA_PART_ITEM_LINK,
    FA_PART_ITEM_PART,
    FA_PART_ITEM_SECTION
} fa_part_item_kind;

// Something that weighs, in the axes of what it is placed in: a link in its own frame, a part in
// the axes of its link or of the part around it, a section in those of its part.
typedef struct fa_part_item {
    fa_part_item_kind kind;
    int               depth; // 0 for links; what a thing consists of follows it, one deeper
    fa_place          place; // in the file, of a link or of the part that is placed
    char          name[FA_NAME_SIZE]; // of a link or a part; of a section, its material or empty
    fa_shape_kind shape;              // of a section
    fa_solid      solid;
} fa_part_item;

typedef struct fa_parts {
    char          name[FA_NAME_SIZE];
    char          source[512];
    int           n;
    fa_part_item *item;
} fa_parts;

#define FA_PART_ITEM_MAX 1000000 // things in all links together, each counted where it is placed

// Reads a file of parts. Release with fa_parts_free, also after a failure. Mesh files that it names
// are read too.
fa_status fa_parts_read(const char *path, const fa_log *log, fa_parts *parts, fa_error *error);
void      fa_parts_free(fa_parts *parts);

// Writes mass, com and inertia of the links into the text of an <arm> file and leaves the rest of
// the text as it is, comments and all. Each link of the parts must be in the arm; links of the arm
// without parts keep what they have, with a warning. *text is released with free().
fa_status fa_parts_into_arm(const fa_parts *parts, const char *arm_path, const fa_log *log,
                            char **text, size_t *size, fa_error *error);

#endif
