// terminalsAndIcons.xml of FMI 3.0: groups of variables to be connected together. The groups follow
// from the variables' keys, so a terminal contains whatever a plant declares under a joint, a
// cylinder or the tip.
//
//   joint.<j>      angle, speed, torque; position, speed, force of a prismatic joint;
//                  voltage instead of the torque, and current, with a motor
//   cylinder.<c>   length, velocity and force where force or motion are inputs;
//                  pressures and flows where flows or pressures are; otherwise all its inputs,
//                  states and outputs
//   tip            position, orientation, velocities; force and torque on it
//   link.<l>       force and torque on it
//
// A terminal is named after its prefix, with '_' for '.'. Where the joints' quantities are arrays,
// one terminal, joint, has all joints.
#ifndef FA_TERMINALS_H
#define FA_TERMINALS_H

#include "robot_file.h"
#include "view.h"

typedef struct fa_terminal_member {
    int         row;         // row of the view
    int         terminal;    // index of its terminal
    const char *name;        // memberName, such as "angle"
    const char *prefix;      // first prefix_size bytes of the variable's name
    int         prefix_size; // without the trailing dot
    fa_owner    owner;       // owner of the terminal's variables
    const char *kind;        // terminal kind of a cylinder with a cut
} fa_terminal_member;

typedef struct fa_terminals {
    int                 n;        // number of terminals
    int                 n_member; // members, sorted by terminal
    fa_terminal_member *member;
} fa_terminals;

// Release with free(terminals->member); names point into the view.
fa_status fa_terminals_find(const fa_view *view, fa_terminals *terminals, fa_error *error);

// Returns the number of members of the terminal that begins with this member.
int fa_terminal_size(const fa_terminals *terminals, int first);

// Return the terminal's name, and its kind or NULL, from its members.
void        fa_terminal_name(const fa_terminal_member *member, char name[], size_t size);
const char *fa_terminal_kind(const fa_terminal_member *member, int n);

// Writes the file, which the caller frees.
fa_status fa_terminals_write(const fa_robot *robot, const fa_options *options, char **text,
                             size_t *size, fa_error *error);

#endif
