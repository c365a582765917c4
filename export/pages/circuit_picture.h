// A picture of a hydraulic circuit, so that a reader can check what was typed: symbols after ISO
// 1219-1 in rows, actuators above, then what stands between them and the valves, valves, pumps
// below; nodes as lines between them. Oil from and to tanks and supplies has a symbol at each
// place.
#ifndef FA_CIRCUIT_PICTURE_H
#define FA_CIRCUIT_PICTURE_H

#include "markup.h"
#include "robot.h"

// Writes the picture as an element <svg>. What belongs to node k is in elements with the attribute
// data-node="k", drawn in their `color`.
fa_status fa_circuit_picture_into(fa_markup *out, const fa_robot *robot, fa_error *error);

// The same as text, which the caller frees.
fa_status fa_circuit_picture(const fa_robot *robot, char **text, size_t *size, fa_error *error);

#endif
