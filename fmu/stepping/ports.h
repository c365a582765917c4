// Ports of cylinders in Co-Simulation: copies between the memory of solve/port.h and the plant's
// rows, before and after each step.
#ifndef FA_PORTS_H
#define FA_PORTS_H

#include "communication.h"

// Initialises the ports at the end of initialisation.
fa_status fa_ports_start(fa_instance *self, fa_error *error);

// Before a step: replaces the ports' forces in step->input and their rates by those of the laws.
void fa_ports_begin(fa_communication *step, double size);

// After a step that reached t, x; `size` was requested. Restores the host's inputs. After a failed
// step the laws continue unchanged, and the rows are not updated.
fa_status fa_ports_end(fa_communication *step, double t, const double x[], double size, bool done,
                       fa_error *error);

#endif
