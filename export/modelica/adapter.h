// The text of forearm_modelica.h, compiled in.
#ifndef FA_ADAPTER_H
#define FA_ADAPTER_H

#include <stddef.h>

extern const unsigned char fa_modelica_adapter[];
extern const size_t        fa_modelica_adapter_size;

#endif
