// terminalsAndIcons.xml of FMI 3.0: variables that are connected together, by what they belong to.
// The groups are those of the variables' keys, so that whatever a plant lists under
// a joint, a cylinder or the tip is in a terminal without a word about it elsewhere.
//
//     joint.<j>      angle, speed, torque; position, speed, force where it slides; voltage instead
//     of
//                    the torque, and current, where a motor drives it
//     cylinder.<c>   length, velocity and force where force or motion go in; pressures and flows
//     where
//                    flows or pressures do; else all its inputs, states and outputs
//     tip            position, orientation, velocities; force and torque on it
//     link.<l>       force and torque on it
//
// A terminal is called as its prefix, with '_' for '.'. Where the joints' quantities are arrays,
// all joints are one terminal, joint.
#ifndef FA_TERMINALS_H
#define FA_TERMINALS_H

#include "robot_file.h"
#include "view.h"

typedef struct fa_terminal_member {
    int         row;         // of the view
    int         terminal;    // index of its terminal
    const char *name;        // memberName, such as "angle"
    const char *prefix;      // of the variable: its first prefix_size bytes
    int         prefix_size; // without the dot
    fa_owner    owner;       // what it is a terminal of
    const char *kind;        // of a cylinder that is cut somewhere
} fa_terminal_member;

typedef struct fa_terminals {
    int                 n;        // terminals
    int                 n_member; // members, those of one terminal side by side
    fa_terminal_member *member;
} fa_terminals;

// Release with free(terminals->member); names point into the view.
fa_status fa_terminals_find(const fa_view *view, fa_terminals *terminals, fa_error *error);

// How many members, from the first one on, the terminal has.
int fa_terminal_size(const fa_terminals *terminals, int first);

// The terminal's name, and its own kind or NULL, from its members.
void        fa_terminal_name(const fa_terminal_member *member, char name[], size_t size);
const char *fa_terminal_kind(const fa_terminal_member *member, int n);

// The file, released by the caller with free.
fa_status fa_terminals_write(const fa_robot *robot, const fa_options *options, char **text,
                             size_t *size, fa_error *error);

#endif
