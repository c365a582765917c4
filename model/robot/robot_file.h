// The robot file, resources/robot.forearm inside an FMU: a robot and how it was exported, as
// canonical text. Equal robots with equal options are equal bytes; the hash of these bytes is the
// FMU's instantiation token.
#ifndef FA_ROBOT_FILE_H
#define FA_ROBOT_FILE_H

#include "robot.h"

#define FA_TOKEN_SIZE 40 // "{8-4-4-4-12}" with its closing zero

// Options of an export, stored with the robot.
typedef struct fa_options {
    int  fmi;                      // 2 or 3
    char identifier[FA_NAME_SIZE]; // a C identifier: modelName and modelIdentifier
    bool arrays;                   // variables of one quantity are one array; FMI 3 only
    bool stepped;                  // Co-Simulation alone; the robot file does not say so
} fa_options;

// Writes the text into *text (released by the caller with free) and its length into *size. The
// robot has passed fa_robot_check.
fa_status fa_robot_file_write(const fa_robot *robot, const fa_options *options, char **text,
                              size_t *size, fa_error *error);

// Reads it back. *robot is released by the caller with free; it has passed fa_robot_check. Text
// that fa_robot_file_write would not have written is refused.
fa_status fa_robot_file_read(const char *text, size_t size, fa_robot **robot, fa_options *options,
                             fa_error *error);

// The token that belongs to a robot file: its SHA-256, cut to 128 bits.
void fa_robot_file_token(const char *text, size_t size, char token[FA_TOKEN_SIZE]);

#endif
