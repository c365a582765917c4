// Time and instructions of one evaluation of the accelerations by each of the snake's methods, for
// links of Table II: Figure 3 of Tavakoli Nia, Pishkenari and Meghdari (2005), with the O(n) form
// beside it.
//
//     snake_timing > times.csv     links, microseconds of each method, instructions of each method
//
// On standard error: how many times as long Lagrange's form takes as the O(n) form for 50 links,
// and how much a link costs more in a snake of 1000 than in one of 10.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "snake.h"

enum { METHODS = 4 };

typedef struct timed {
    const fa_snake_method *method;
    fa_snake               snake;
    double                *theta, *torque;
    void                  *work;
} timed;

// Evaluates at a slightly different shape each time.
static void evaluate(void *context, long turn)
{
    timed                *c = context;
    const double          u[2] = {0.3, 0.5};
    const fa_snake_forces forces = {.torque = c->torque};
    double                ud[2];
    c->theta[0] = 1e-9 * (double)(turn % 1024);
    c->method->forward(&c->snake, c->theta, u, &forces, ud, NULL, c->work);
}

typedef struct cost {
    double microseconds, instructions; // NAN: too slow to measure
} cost;

static cost cost_of(const fa_snake_method *method, int n, fa_counter counter)
{
    // Cubic methods of long snakes are too slow: seconds per call, and half a minute of single
    // steps.
    const double cubic = (double)n * n * n;
    const bool   slow = method != &fa_snake_methods[0] && n > 100;
    if (slow) return (cost){NAN, NAN};
    fa_snake_link  *link = calloc((size_t)n, sizeof *link);
    fa_snake_joint *joint = calloc((size_t)n, sizeof *joint);
    double         *theta = calloc(2 * (size_t)n, sizeof *theta);
    void           *work = malloc(method->work_size(n));
    if (!link || !joint || !theta || !work) exit(1);
    timed c = {method, {n, 0, link, joint, 0.01}, theta, theta + n, work};
    for (int k = 0; k < n; k++) {
        link[k] = (fa_snake_link){.a = 0.1, .b = 0.1, .m = 1, .I = 0.005};
        theta[k] = (k % 2 ? 1 : -1) * 0.5 + 0.01 * k;
        c.torque[k] = 0.1 / (n - k);
    }
    const fa_measured call = {evaluate, &c};
    cost              found = {1e6 * fa_measure_seconds(&call, 0.4), NAN};
    if (method->order[1] == '\0' || cubic < 3e4)
        found.instructions = fa_measure_instructions(counter, &call, 1e6);
    free(work);
    free(theta);
    free(joint);
    free(link);
    return found;
}

static void put(double value)
{
    if (isnan(value))
        putchar(',');
    else
        printf(",%.6g", value);
}

int main(void)
{
    static const int links[] = {2, 3, 5, 10, 20, 30, 40, 50, 100, 200, 500, 1000};
    const fa_counter counter = fa_counter_find();
    double           fifty[METHODS] = {0}, ten = 0, thousand = 0;
    fputs("links", stdout);
    for (int m = 0; m < METHODS; m++) printf(",%s", fa_snake_methods[m].name);
    for (int m = 0; m < METHODS; m++) printf(",%s instructions", fa_snake_methods[m].name);
    putchar('\n');
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        cost row[METHODS];
        printf("%d", links[i]);
        for (int m = 0; m < METHODS; m++) {
            row[m] = cost_of(&fa_snake_methods[m], links[i], counter);
            put(row[m].microseconds);
            if (links[i] == 50) fifty[m] = row[m].microseconds;
        }
        for (int m = 0; m < METHODS; m++) put(row[m].instructions);
        if (links[i] == 10) ten = row[0].instructions / 10;
        if (links[i] == 1000) thousand = row[0].instructions / 1000;
        putchar('\n');
        fflush(stdout);
    }
    fprintf(stderr, "50 links: lagrange takes %.0f times as long as kane\n", fifty[2] / fifty[0]);
    fprintf(stderr, "instructions of kane for a link: %.1f of 10, %.1f of 1000\n", ten, thousand);
    return 0;
}
