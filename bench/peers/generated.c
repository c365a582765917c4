// Times C that CasADi generated for one robot: -DGENERATED="casadi_ur5.c".
#include "peer.h"

#include GENERATED

static void call(void *self, const double *q, const double *qd, const double *tau, double *qdd)
{
    const double *given[3] = {q, qd, tau};
    double       *wanted[1] = {qdd};
    (void)self;
    forward(given, wanted, NULL, NULL, 0);
}

int main(int argc, char *argv[])
{
    for (int a = 1; a < argc; a++) {
        const peer_robot r = peer_read(argv[a]);
        peer_report("casadi generated", call, NULL, &r);
    }
    return 0;
}
