// The list of elements.
// clang-format off
#include "at_joints.h"
#include "at_snakes.h"
#include "at_feet.h"
#include "patch.h"
#include "touch.h"
#include "wave.h"
#include "smoothing.h"
#include "valve.h"
#include "cylinder_law.h"
#include "pump.h"
#include "port_law.h"
#include "wrench.h"
#include "contact.h"
#include "line_spring.h"
#include "cone.h"
#include "at_circuit.h"
// clang-format on
