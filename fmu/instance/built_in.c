// No robot is compiled in. In a source-code FMU stands another file in this one's place, which
// `forearm export --sources` writes.
#include "built_in.h"

const size_t        fa_built_in_size = 0;
const unsigned char fa_built_in_robot[] = {0};
