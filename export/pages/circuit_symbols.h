// Symbols of a hydraulic circuit after ISO 1219-1, as elements of an SVG picture. Lengths are whole
// pixels, y points down.
#ifndef FA_CIRCUIT_SYMBOLS_H
#define FA_CIRCUIT_SYMBOLS_H

#include "markup.h"
#include "robot.h"

// Half the height of a symbol with one port above and one below: where its ports are.
enum { FA_SYMBOL_REACH = 20 };

// Draws a part around the origin. Parts with two ports have the first one below, the second above;
// so do poppets with a pilot, whose valve side is below and whose pilot comes from the left. A
// valve section has A and B above, P and T below, ten pixels beside the middle.
void fa_symbol_part(fa_markup *out, const fa_robot *robot, int part);

// Draws a cylinder whose ports leave at its lower side, A at x = -30 and B at x = 30. The halves of
// its barrel are elements of their own (fa_symbol_chamber).
void fa_symbol_cylinder(fa_markup *out);
void fa_symbol_chamber(fa_markup *out, int side);

// Draws where the oil leaves for a tank, or comes from a supply, below the origin.
enum { FA_SYMBOL_TANK = 12, FA_SYMBOL_SUPPLY = 16 }; // heights
void fa_symbol_tank(fa_markup *out);
void fa_symbol_supply(fa_markup *out);

// Draws lines: the data of an element <path>.
void fa_symbol_path(fa_markup *out, const char *data);
void fa_symbol_dashes(fa_markup *out, const char *data);

#endif
