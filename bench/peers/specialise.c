// Writes the code that `forearm export --specialise` makes for a robot of the comparison:
//
//     peer_specialise robot.txt >special.c
#include "peer.h"

#include "our_chain.h"
#include "specialise.h"

int main(int argc, char *argv[])
{
    if (argc < 2) return 1;
    const peer_robot r = peer_read(argv[1]);
    const fa_chain   chain = chain_of(&r);
    fa_specialised   code;
    fa_error         error = fa_no_error();
    if (fa_specialise(&chain, r.name, &code, &error) != FA_OK) {
        fprintf(stderr, "%s: %s\n", r.name, error.message);
        return 1;
    }
    fwrite(code.text, 1, code.size, stdout);
    fprintf(stderr, "%s: %d operations, %d of derivatives\n", r.name, code.n_operations,
            code.n_jacobian_operations);
    return 0;
}
