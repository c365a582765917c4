// Instruction scheduling of the generated code. Compilers mostly keep this order, within the
// registers of a processor.
#ifndef FA_ORDER_H
#define FA_ORDER_H

#include "graph.h"

// Sorts the needed nodes that are not constant, each after its operands: order[n], with room for
// graph->n. Operations on the critical path come first, for processors with several units and
// latencies. FA_NO_MEMORY without a message.
fa_status fa_order(const fa_graph *graph, const bool needed[], fa_node order[], int *n);

#endif
