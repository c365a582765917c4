// The plant "cylinder": a hydraulic axis alone, the other side of an arm's cut. With the cut
// `force` it has chambers and valve, motion in and force out; with `chamber` the valve, pressures
// in and flows out.
#ifndef FA_CYLINDER_PLANT_H
#define FA_CYLINDER_PLANT_H

#include "plant.h"

extern const fa_plant fa_cylinder_plant;

#endif
