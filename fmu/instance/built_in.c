// Placeholder: no robot is compiled in. `forearm export --sources` writes a file that replaces this
// one in a source-code FMU.
#include "built_in.h"

const size_t        fa_built_in_size = 0;
const unsigned char fa_built_in_robot[] = {0};
