// No code for one arm is compiled in. In an FMU of `forearm export --specialise` stands another
// file in this one's place.
#include "special.h"

const fa_special fa_special_code[FA_SPECIAL_VERSIONS] = {{0}};
const int        fa_special_count = 0;
