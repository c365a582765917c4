// What the files of a Modelica package are written from: the robot, its table of variables, and
// what each row is to the model.
#ifndef FA_MODELICA_TEXT_H
#define FA_MODELICA_TEXT_H

#include <stdio.h>

#include "plant.h"
#include "probe.h"
#include "robot_file.h"

// What drives a joint that has a flange.
typedef struct fa_flange {
    const char *joint;    // its name as a part of names of variables
    int         length;   // of that
    int         input;    // row of the torque or force
    int         position; // rows of states
    int         velocity; // likewise
    bool        turns;    // false: it slides
    double      effort;   // its limit, or infinite [N m] or [N]
} fa_flange;

typedef struct fa_modelica {
    const fa_robot *robot;
    const fa_plant *plant;
    fa_variables    table;
    fa_probe        probe;
    bool            probed;
    const char     *package; // its name
    const char     *identifier, *token;
    fa_flange      *flange;
    int             n_flanges;
    int             tip; // row of the first of the six inputs at the tip; FA_NO_ROW: there are none
    bool            switches;
} fa_modelica;

// The variable's name in Modelica, '.' being '_'.
void fa_modelica_put_name(FILE *out, const char *name);

// A description between quotation marks.
void fa_modelica_put_text(FILE *out, const char *text);

// A number that Modelica reads, infinities included.
void fa_modelica_put_number(FILE *out, double value);

// unit="rad", displayUnit="deg", quantity="Angle", or nothing; `before` comes first if there is
// something.
void fa_modelica_put_unit(FILE *out, int unit, const char *before);

// {1, 2, 3}, also where there is nothing.
void fa_modelica_put_list(FILE *out, const int list[], int n);

// Whether a calculated row follows from some input at once.
bool fa_modelica_feeds_through(const fa_modelica *m, int row);

// The flange that an input belongs to, or NULL; and whether it is a force or a torque at the tip.
const fa_flange *fa_modelica_flange(const fa_modelica *m, int input);
bool             fa_modelica_is_tip_load(const fa_modelica *m, int row);

// The lines of the icon, of the robot as it stands at the start.
fa_status fa_modelica_put_icon(FILE *out, const fa_robot *robot, fa_error *error);

// The files.
fa_status fa_modelica_put_robot(FILE *out, const fa_modelica *m, fa_error *error);
void      fa_modelica_put_internal(FILE *out, const fa_modelica *m);
void      fa_modelica_put_examples(FILE *out, const fa_modelica *m);

#endif
