// Writes the code that `forearm export --specialise` makes for a robot, if there is such code:
//
//     specialise ROBOT[:JOINT=VALUE]... >special.c
#include "specialise.h"
#include "arm.h"

int main(int argc, char *argv[])
{
    bench_arm      arm;
    fa_specialised code;
    fa_error       error = fa_no_error();
    if (argc < 2 || !bench_arm_read(argv[1], &arm)) return 1;
    if (fa_specialise(&arm.chain, arm.name, &code, &error) != FA_OK) {
        fprintf(stderr, "no code for '%s' alone: %s\n", arm.name, error.message);
        return 1;
    }
    fwrite(code.text, 1, code.size, stdout);
    fprintf(stderr, "code for '%s' alone: %d operations, %d of derivatives\n", arm.name,
            code.n_operations, code.n_jacobian_operations);
    fa_specialised_free(&code);
    return 0;
}
