// A gait of a snake, period by period until it has settled: how fast it is and what it costs.
#ifndef FA_SETTLED_GAIT_H
#define FA_SETTLED_GAIT_H

#include "state.h"

#define FA_GAIT_PERIODS_MOST 50 // unless somebody says otherwise

// Results of the last period, in the order of columns: member, unit for people, words.
#define FA_GAIT_NUMBER_LIST(X)                                                                     \
    X(periods, "", "periods since the start")                                                      \
    X(duration, "s", "duration of a period")                                                       \
    X(distance, "m", "distance of the centre of mass")                                             \
    X(forward, "m", "distance along the mean heading")                                             \
    X(speed, "m/s", "speed along the mean heading")                                                \
    X(speed_bl, "", "lengths of the body in a period")                                             \
    X(heading, "rad", "mean heading")                                                              \
    X(turn, "rad", "turn of the heading in a period")                                              \
    X(work, "J", "work of the drives, without what they gain in braking")                          \
    X(net_work, "J", "work of the drives, less what they gain in braking")                         \
    X(cost_of_transport, "", "work over weight and distance")                                      \
    X(net_cost, "", "net work over weight and distance")                                           \
    X(peak_torque, "N m", "largest torque of a drive")                                             \
    X(rms_tracking, "rad", "root mean square of what joints are off their references")             \
    X(slip, "", "largest share of its grip that a wheel uses")

typedef struct fa_gait_numbers {
    bool settled; // the last two periods are alike
#define X(name, unit, about) double name;
    FA_GAIT_NUMBER_LIST(X) // `slip` is NAN where there are no wheels
#undef X
} fa_gait_numbers;

// Refuses what is no snake with a gait, and a gait that stands still.
fa_status fa_gait_fits(const fa_state *state, fa_error *error);

// Returns whether a row is a parameter of the snake's start: its shape or its velocities.
bool fa_gait_starts(const fa_state *state, int row);

// Parameters so that the snake starts at rest in the gait's shape, with its heading along x.
void fa_gait_shape(fa_state *state);

// From the start values on, until the distance along the heading and the work of two successive
// periods differ by less than a thousandth, for at most so many periods. The state has been
// configured, and stands at the end of the last period then.
fa_status fa_gait_settle(fa_state *state, double periods_most, fa_gait_numbers *numbers,
                         fa_error *error);

// Duration of a period [s].
double fa_gait_period(const fa_state *state);

// The row of a quantity (snake_plant.h) with this index; FA_NO_ROW: there is none.
int fa_gait_row(const fa_state *state, int quantity, int index);

#endif
