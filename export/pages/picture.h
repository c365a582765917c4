// A picture of a robot in its start pose, drawn from its kinematics: for the FMU's icon, in the two
// formats of hosts, and for its documentation.
//
// It consists of lines with round ends; a joint is a line of zero length. The page is the unit
// square, with y upwards.
#ifndef FA_PICTURE_H
#define FA_PICTURE_H

#include <stddef.h>

#include "markup.h"
#include "robot_file.h"

typedef enum fa_ink { FA_INK_GROUND, FA_INK_LINK, FA_INK_JOINT, FA_INK_TIP, FA_INK_COUNT } fa_ink;

typedef struct fa_stroke {
    double x1, y1, x2, y2;
    double width;
    fa_ink ink;
} fa_stroke;

typedef struct fa_picture {
    int        n;
    fa_stroke *stroke; // in drawing order
} fa_picture;

// Release with free(picture->stroke).
fa_status fa_picture_draw(const fa_robot *robot, fa_picture *picture, fa_error *error);

// Writes the picture as an element <svg> of a page.
fa_status fa_picture_into(fa_markup *out, const fa_robot *robot, int size, fa_error *error);

// Write whole files, which the caller frees.
fa_status fa_picture_svg(const fa_robot *robot, const fa_options *options, char **text,
                         size_t *size, fa_error *error);
fa_status fa_picture_png(const fa_robot *robot, const fa_options *options, char **data,
                         size_t *size, fa_error *error);

#endif
