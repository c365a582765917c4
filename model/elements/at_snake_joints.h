// Elements that stand at the joints of a snake, in the order in which their torques are summed up.
// clang-format off
#include "limit.h"
#include "rotor.h"
#include "friction.h"
#include "spring.h"
#include "torque.h"
#include "motor.h"
#include "gait.h"
#include "stop.h"
#include "follower.h"
// clang-format on
