// Writes a robot as a robot file: URDF, MJCF or our own XML of serial arms. Read again, it moves as
// before, to rounding; what the format has no word for is told, each as a warning.
#ifndef FA_CONVERSION_H
#define FA_CONVERSION_H

#include "robot.h"

typedef enum fa_convert_format {
    FA_CONVERT_URDF,
    FA_CONVERT_MJCF,
    FA_CONVERT_ARM
} fa_convert_format;

// By the suffix of a file's name: .urdf, .mjcf, .xml (ours). False: it is another one.
bool fa_convert_format_of(const char *path, fa_convert_format *format);

// *text is released with free(). Fails where joints, or the order of links, cannot be expressed at
// all; that is no warning, because the rest would be another robot.
fa_status fa_convert(const fa_robot *robot, fa_convert_format format, const fa_log *log,
                     char **text, size_t *size, fa_error *error);

#endif
