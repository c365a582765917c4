// Time of one evaluation of the accelerations by each of the snake's methods, for links of Table
// II: Figure 3 of Tavakoli Nia, Pishkenari and Meghdari (2005), with the O(n) form beside it.
//
//     snake_timing > times.csv        links, then microseconds of each method
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "snake_methods.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The best of several batches, each of them about ten milliseconds.
static double time_of(const fa_snake_method *method, const fa_snake *snake, void *work)
{
    const int n = snake->n;
    double *theta = malloc((size_t)n * sizeof *theta), *torque = malloc((size_t)n * sizeof *torque);
    double  u[2] = {0.3, 0.5}, ud[2], best = INFINITY, sum = 0;
    int     calls = 1;
    for (int k = 0; k < n; k++) {
        theta[k] = (k % 2 ? 1 : -1) * 0.5 + 0.01 * k;
        torque[k] = 0.1 / (n - k);
    }
    const fa_snake_forces forces = {torque, NULL};
    for (int batch = 0; batch < 8; batch++) {
        const double start = now();
        for (int i = 0; i < calls; i++) {
            theta[0] += 1e-9;
            method->forward(snake, theta, u, &forces, ud, NULL, work);
            sum += ud[0];
        }
        const double took = now() - start;
        if (took < 0.01) { // not a batch yet
            calls *= 4;
            batch = -1;
        } else {
            best = fmin(best, took / calls);
        }
        if (calls > 1 << 28) break;
    }
    free(torque);
    free(theta);
    return isfinite(sum) ? best : NAN;
}

int main(void)
{
    static const int links[] = {2, 3, 5, 10, 20, 30, 40, 50, 100, 200, 500, 1000};
    fputs("links", stdout);
    for (int m = 0; m < fa_snake_method_count; m++) printf(",%s", fa_snake_methods[m].name);
    putchar('\n');
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const int       n = links[i];
        fa_snake_link  *link = calloc((size_t)n, sizeof *link);
        fa_snake_joint *joint = calloc((size_t)n, sizeof *joint);
        void           *work = malloc(fa_snake_methods_work_size(n));
        if (!link || !joint || !work) return 1;
        for (int k = 0; k < n; k++)
            link[k] = (fa_snake_link){.a = 0.1, .b = 0.1, .m = 1, .I = 0.005};
        const fa_snake snake = {n, 0, link, joint, 0.01};
        printf("%d", n);
        for (int m = 0; m < fa_snake_method_count; m++) {
            if (n > 100 && m > 0) // cubic: they would take minutes
                fputs(",", stdout);
            else
                printf(",%.6g", 1e6 * time_of(&fa_snake_methods[m], &snake, work));
        }
        putchar('\n');
        free(work);
        free(joint);
        free(link);
    }
    return 0;
}
