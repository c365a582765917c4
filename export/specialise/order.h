// The order in which operations are written. A compiler keeps to it by and large, within the few
// registers that a processor has.
#ifndef FA_ORDER_H
#define FA_ORDER_H

#include "graph.h"

// The operations among the needed nodes that move, each after what it needs: order[n] of them, room
// for graph->n. What the result waits for longest goes first, as on a processor that starts a few
// operations at a time and finishes them later. FA_NO_MEMORY without a message.
fa_status fa_order(const fa_graph *graph, const bool needed[], fa_node order[], int *n);

#endif
