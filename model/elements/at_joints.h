// Elements that stand at the joints of an arm, in the order in which their efforts are summed up.
// clang-format off
#include "limit.h"
#include "rotor.h"
#include "torque.h"
#include "motor.h"
#include "closure.h"
#include "servo.h"
#include "friction.h"
#include "spring.h"
#include "damper.h"
#include "drag.h"
#include "stop.h"
#include "lock.h"
// clang-format on
