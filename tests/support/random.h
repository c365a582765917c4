// Seeded random numbers and robots: every run sees the same cases.
#ifndef FA_TEST_RANDOM_H
#define FA_TEST_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "robot.h"

// SplitMix64 (Steele, Lea and Flood 2014).
static inline uint64_t random_bits(uint64_t *seed)
{
    uint64_t z = *seed += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static inline double random_in(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(seed) >> 11) * 0x1p-53);
}

static inline fa_vec3 random_vec3(uint64_t *seed, double size)
{
    double x = random_in(seed, -size, size), y = random_in(seed, -size, size);
    return vec3(x, y, random_in(seed, -size, size));
}

static inline fa_transform random_place(uint64_t *seed, double size)
{
    fa_vec3 rpy = random_vec3(seed, 3);
    return (fa_transform){fa_rotation_rpy(rpy), random_vec3(seed, size)};
}

static inline fa_vec3 random_axis(uint64_t *seed)
{
    fa_vec3 axis = random_vec3(seed, 1);
    return vec3_scale(1 / vec3_norm(axis), axis);
}

// Two uniform balls on a random rod: an inertia that a body can have.
static inline fa_sym3 random_inertia(uint64_t *seed, double mass)
{
    fa_vec3 rod = random_vec3(seed, 0.3);
    fa_sym3 ball = {0.01, 0.01, 0.01, 0, 0, 0};
    return sym3_scale(mass, sym3_add(ball, sym3_point(rod, rod)));
}

enum { RANDOM_BRANCHED = 1, RANDOM_COUPLED = 2, RANDOM_REVOLUTE_ONLY = 4, RANDOM_SPRINGS = 8 };

// A robot with n moving joints: fixed links here and there, friction, rotors, limits; on request
// branches, followers and springs. Release with free().
static inline fa_robot *random_robot(uint64_t *seed, int n, unsigned kind)
{
    fa_robot *robot = fa_robot_new(2 * n + 1);
    snprintf(robot->name, sizeof robot->name, "random");
    snprintf(robot->link[0].name, sizeof robot->link[0].name, "base");
    robot->gravity = random_vec3(seed, 10);
    int free_joint = FA_NOBODY; // some free joint before this one
    for (int i = 1; i <= 2 * n; i++) {
        fa_link  *link = &robot->link[i];
        fa_joint *joint = &link->joint;
        bool      fixed = i % 2 == 0; // every second link is bolted on
        snprintf(link->name, sizeof link->name, "link%d", i);
        snprintf(joint->name, sizeof joint->name, "joint%d", i);
        link->parent = i - 1;
        if ((kind & RANDOM_BRANCHED) && random_in(seed, 0, 1) < 0.3)
            link->parent = (int)random_in(seed, 0, i);
        joint->type = fixed ? FA_FIXED : FA_REVOLUTE;
        if (!fixed && !(kind & RANDOM_REVOLUTE_ONLY) && random_in(seed, 0, 1) < 0.3)
            joint->type = FA_PRISMATIC;
        joint->origin = random_place(seed, 0.5);
        joint->axis = random_axis(seed);
        link->frame = random_place(seed, 0.1);
        link->mass = random_in(seed, 0.1, 5);
        link->com = random_vec3(seed, 0.2);
        link->inertia = random_inertia(seed, link->mass);
        link->wrench = i % 3 == 1;
        if (fixed) continue;
        joint->friction.viscous = random_in(seed, 0, 1);
        joint->friction.coulomb = random_in(seed, 0, 1);
        joint->friction.coulomb_negative = random_in(seed, 0, 1);
        joint->friction.width = random_in(seed, 0.1, 2);
        joint->rotor.inertia = random_in(seed, 0, 1e-3);
        joint->rotor.gear = random_in(seed, -50, 50);
        joint->initial_position = random_in(seed, -3, 3);
        joint->initial_velocity = random_in(seed, -3, 3);
        if (kind & RANDOM_SPRINGS)
            joint->spring = (fa_spring_data){true, random_in(seed, 0, 50), random_in(seed, 0, 1),
                                             random_in(seed, -1, 1)};
        if ((kind & RANDOM_COUPLED) && free_joint != FA_NOBODY && random_in(seed, 0, 1) < 0.4)
            joint->mimic =
                (fa_mimic){free_joint, random_in(seed, -2, 2), random_in(seed, -0.5, 0.5)};
        else
            free_joint = i;
    }
    robot->tip_link = 2 * n;
    robot->tip = random_place(seed, 0.2);
    return robot;
}

#endif
