// A robot of this comparison as a chain, in C and C++: rotors are left out.
#ifndef BENCH_ARM_H
#define BENCH_ARM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "import.h"

typedef struct bench_arm {
    char     name[64];
    fa_chain chain;
} bench_arm;

enum { BENCH_LOCKS = 8 };

// Reads ROBOT[:JOINT=VALUE]..., whose named joints are locked. On failure prints a message and
// returns false.
static inline bool bench_arm_read(char *argument, bench_arm *to)
{
    fa_import_lock    lock[BENCH_LOCKS];
    fa_import_options options;
    fa_log            log;
    fa_error          error = fa_no_error();
    fa_robot         *robot;
    int               n_locks = 0;
    memset(&options, 0, sizeof options);
    memset(&log, 0, sizeof log);
    for (char *at = strchr(argument, ':'); at && n_locks < BENCH_LOCKS; n_locks++) {
        *at++ = '\0';
        char *value = strchr(at, '=');
        lock[n_locks].joint = at;
        at = strchr(at, ':');
        if (!value) {
            fprintf(stderr, "what is locked is given as JOINT=VALUE\n");
            return false;
        }
        *value++ = '\0';
        lock[n_locks].position = strtod(value, NULL);
    }
    options.lock = lock;
    options.n_locks = n_locks;
    if (fa_import(argument, &options, &log, &robot, &error) != FA_OK) {
        fprintf(stderr, "%s: %s\n", argument, error.message);
        return false;
    }
    const size_t  n_links = (size_t)robot->n_links;
    fa_body      *body = (fa_body *)calloc((size_t)fa_chain_bodies(robot) + 1, sizeof *body);
    int          *link_body = (int *)calloc(n_links, sizeof *link_body);
    fa_transform *link_frame = (fa_transform *)calloc(n_links, sizeof *link_frame);
    if (!body || !link_body || !link_frame) return false;
    to->chain = fa_chain_build(robot, body, link_body, link_frame);
    for (int i = 0; i < to->chain.n; i++) body[i].rotor = 0;
    snprintf(to->name, sizeof to->name, "%s", robot->name);
    free(link_body);
    free(link_frame);
    free(robot);
    return true;
}

#endif
