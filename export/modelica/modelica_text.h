// Input of the writers of a Modelica package: the robot, its table of variables, and the role of
// each row in the model.
#ifndef FA_MODELICA_TEXT_H
#define FA_MODELICA_TEXT_H

#include <stdio.h>

#include "plant.h"
#include "probe.h"
#include "robot_file.h"

// A joint with a flange.
typedef struct fa_flange {
    const char *joint;    // its name inside names of variables
    int         length;   // length of that name
    int         input;    // row of the torque or force
    int         position; // row of the position or angle state
    int         velocity; // row of the velocity state
    bool        turns;    // revolute; false: prismatic
    double      effort;   // its effort limit, or infinite [N m] or [N]
} fa_flange;

typedef struct fa_modelica {
    const fa_robot *robot;
    const fa_plant *plant;
    fa_variables    table;
    fa_probe        probe;
    bool            probed;
    const char     *package; // name of the package
    const char     *identifier, *token;
    fa_flange      *flange;
    int             n_flanges;
    int             tip; // first of the six input rows at the tip; FA_NO_ROW: none
    bool            switches;
} fa_modelica;

// Writes the variable's name with '_' for '.'.
void fa_modelica_put_name(FILE *out, const char *name);

// Writes a quoted description.
void fa_modelica_put_text(FILE *out, const char *text);

// Writes a number in Modelica's syntax, infinities included.
void fa_modelica_put_number(FILE *out, double value);

// Writes unit="rad", displayUnit="deg", quantity="Angle", or nothing; `before` precedes it unless
// it is empty.
void fa_modelica_put_unit(FILE *out, int unit, const char *before);

// Writes {1, 2, 3}, also for an empty list.
void fa_modelica_put_list(FILE *out, const int list[], int n);

// Returns true if the row depends on an input directly (feedthrough).
bool fa_modelica_feeds_through(const fa_modelica *m, int row);

// Return the flange of an input, or NULL; and whether it is a force or a torque at the tip.
const fa_flange *fa_modelica_flange(const fa_modelica *m, int input);
bool             fa_modelica_is_tip_load(const fa_modelica *m, int row);

// Writes the icon's lines: the robot in its start pose.
fa_status fa_modelica_put_icon(FILE *out, const fa_robot *robot, fa_error *error);

// Writers of the files.
fa_status fa_modelica_put_robot(FILE *out, const fa_modelica *m, fa_error *error);
void      fa_modelica_put_internal(FILE *out, const fa_modelica *m);
void      fa_modelica_put_examples(FILE *out, const fa_modelica *m);

#endif
