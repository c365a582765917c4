// The parts of a hydraulic axis whose numbers describe it, in the order of their rows.
// clang-format off
#include "cylinder_law.h"
#include "valve.h"
#include "pump.h"
#include "port_law.h"
// clang-format on
