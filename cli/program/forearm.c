// The program `forearm`. It never calls setlocale, so that everything it reads and prints is the
// same in every locale.
#include "options.h"
#include "streams.h"

int main(int argc, char *argv[])
{
    fa_streams_begin();
    return (int)fa_run_program(argc, argv);
}
