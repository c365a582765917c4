// Ports of jacks in Co-Simulation: what solve/port.h keeps goes into a plant's rows before a step
// and out of them behind it.
#ifndef FA_PORTS_H
#define FA_PORTS_H

#include "communication.h"

// Where initialisation ends.
fa_status fa_ports_start(fa_instance *self, fa_error *error);

// Before the inputs of a step move, which begins with step->input: the ports' forces become those
// of their laws, in inputs and rates.
void fa_ports_begin(fa_communication *step, double size);

// Behind a step that has come to t, x; `size` was asked for. The inputs are the host's again. After
// a step that failed, forces go on as they were, and nothing is told anew.
fa_status fa_ports_end(fa_communication *step, double t, const double x[], double size, bool done,
                       fa_error *error);

#endif
