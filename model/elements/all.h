// The list of elements. What acts at a joint acts in this order: torques are summed up in it.
// clang-format off
#include "limit.h"
#include "rotor.h"
#include "torque.h"
#include "motor_law.h"
#include "closure.h"
#include "gait.h"
#include "follower.h"
#include "friction_law.h"
#include "spring.h"
#include "stop.h"
#include "lock.h"
#include "wheel.h"
#include "valve_law.h"
#include "cylinder_law.h"
#include "pump.h"
#include "wrench.h"
// clang-format on
