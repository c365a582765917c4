// Interface of a kernel, for the table in lanes.c. Other code uses that table.
#ifndef FA_LANE_KERNELS_H
#define FA_LANE_KERNELS_H

#include "fast.h"
#include "lanes.h"

#if FA_FAST_LANES && defined(__x86_64__)
#define FA_LANES_X86 1
#else
#define FA_LANES_X86 0
#endif

// Header of every block of lanes.
struct fa_lanes {
    const struct fa_lane_kernel *kernel;
};

typedef struct fa_lane_kernel {
    const char *name;
    int         lanes;
    bool        single, fused;
    bool (*runs)(void);
    size_t (*size)(const fa_lane_plan *plan);
    void (*place)(fa_lanes *lanes, const fa_lane_plan *plan);
    void (*run)(fa_lanes *lanes, const fa_lane_driver *driver);
    void (*fill)(fa_lanes *lanes, int lane, const fa_arm *arm, const double value[]);
    void (*step)(fa_lanes *lanes, const fa_lane_steps *call, int n, const double held[], double q[],
                 double qd[], bool good[]);
    void (*inverse)(fa_lanes *lanes, int n, const double q[], const double qd[], const double qdd[],
                    double tau[], bool good[]);
    void (*frame)(fa_lanes *lanes, int n, const fa_lane_frame *frame, const double q[], double T[],
                  double J[], bool good[]);
} fa_lane_kernel;

#define FA_LANE_FUNCTIONS(kernel)                                                                   \
    size_t fa_lanes_##kernel##_size(const fa_lane_plan *plan);                                      \
    void   fa_lanes_##kernel##_place(fa_lanes *lanes, const fa_lane_plan *plan);                    \
    void   fa_lanes_##kernel##_run(fa_lanes *lanes, const fa_lane_driver *driver);                  \
    void   fa_lanes_##kernel##_fill(fa_lanes *lanes, int lane, const fa_arm *arm,                   \
                                    const double value[]);                                          \
    void   fa_lanes_##kernel##_step(fa_lanes *lanes, const fa_lane_steps *call, int n,              \
                                    const double held[], double q[], double qd[], bool good[]);     \
    void   fa_lanes_##kernel##_inverse(fa_lanes *lanes, int n, const double q[], const double qd[], \
                                       const double qdd[], double tau[], bool good[]);              \
    void   fa_lanes_##kernel##_frame(fa_lanes *lanes, int n, const fa_lane_frame *frame,            \
                                     const double q[], double T[], double J[], bool good[]);

FA_LANE_FUNCTIONS(plain)
FA_LANE_FUNCTIONS(plain_floats)
FA_LANE_FUNCTIONS(avx2)
FA_LANE_FUNCTIONS(fused)
FA_LANE_FUNCTIONS(fused_floats)
FA_LANE_FUNCTIONS(avx512)
FA_LANE_FUNCTIONS(avx512_floats)

#endif
