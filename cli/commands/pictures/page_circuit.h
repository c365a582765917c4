// Writes the hydraulic circuit of a robot into the data of the viewer's page: its picture, the
// variables of the nodes' pressures, and of the powers that parts lose.
#ifndef FA_PAGE_CIRCUIT_H
#define FA_PAGE_CIRCUIT_H

#include "json.h"
#include "robot.h"
#include "variables.h"

// Writes nothing for robots without a circuit.
fa_status fa_page_put_circuit(fa_json *json, const fa_robot *robot, const fa_variables *table,
                              fa_error *error);

#endif
