// The rules on a robot's hydraulic circuit, and what of its nodes follows from its parts.
#ifndef FA_ROBOT_CIRCUIT_H
#define FA_ROBOT_CIRCUIT_H

#include "robot.h"

typedef struct fa_circuit_kind_row {
    int         element; // FA_ELEMENT_…
    int         owner;   // fa_owner of its variables
    const char *xml;
} fa_circuit_kind_row;

extern const fa_circuit_kind_row fa_circuit_kinds[FA_CIRCUIT_KIND_COUNT];

// The element of a part, and its ports: how many, and the attribute of each.
struct fa_element;
const struct fa_element *fa_circuit_element(fa_circuit_kind kind);
int                      fa_circuit_ports(fa_circuit_kind kind);
const char              *fa_circuit_port(fa_circuit_kind kind, int index);

// "counterbalance 'hold'"
typedef struct fa_part_name {
    char text[FA_NAME_SIZE + 24];
} fa_part_name;
fa_part_name fa_circuit_about(const fa_circuit_part *part);

// Return how a node's pressure is determined: given, by a tank or supply; or a state, by the
// capacity of volumes, chambers and halves of lines. The second is for a part, by its port. Nodes
// that are not connected have neither.
bool fa_circuit_gives(const fa_robot *robot, int node);
bool fa_circuit_stands(const fa_circuit_part *part, int port); // it has a capacity at that port
bool fa_circuit_holds(const fa_robot *robot, int node);        // a capacity, and no given pressure

// The cylinder of which the node is a chamber, FA_NOBODY: none; and which chamber, 0 or 1.
int fa_circuit_chamber(const fa_robot *robot, int node, int *side);

// The pressure that a node starts with [Pa].
double fa_circuit_start(const fa_robot *robot, int node);

// The block that the law of a part reads: its numbers, the oil's, and its flags.
void fa_circuit_fill(const fa_robot *robot, const fa_circuit_part *part, void *in);
void fa_circuit_fill_edge(const fa_robot *robot, const fa_circuit_edge *edge, void *in);

fa_status fa_robot_check_circuit(const fa_robot *robot, fa_error *error);

// Warns of valid but questionable circuits: closed chambers, settings that are too low, nodes that
// are too stiff.
void fa_robot_remark_circuit(const fa_robot *robot, const fa_log *log);

#endif
