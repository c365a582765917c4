// Converts a robot to a robot file: URDF, MJCF or <arm> XML. Read again, the robot moves as before,
// to rounding. Warns of everything that the format cannot express.
#ifndef FA_CONVERSION_H
#define FA_CONVERSION_H

#include "robot.h"

typedef enum fa_convert_format {
    FA_CONVERT_URDF,
    FA_CONVERT_MJCF,
    FA_CONVERT_ARM
} fa_convert_format;

// Finds the format by the file's suffix: .urdf, .mjcf, .xml (<arm>). False: unknown suffix.
bool fa_convert_format_of(const char *path, fa_convert_format *format);

// Release *text with free(). Fails where joints, or the order of links, cannot be expressed: a
// warning would not be enough, because the result would be another robot.
fa_status fa_convert(const fa_robot *robot, fa_convert_format format, const fa_log *log,
                     char **text, size_t *size, fa_error *error);

#endif
