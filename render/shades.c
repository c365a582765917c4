// Colours of what the program draws: those of joints, of pressures, and of names in hexadecimal.
#include <math.h>
#include <stdlib.h>

#include "scene.h"

static double linear(double share)
{
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

fa_paint fa_paint_of(const char *colour, double roughness, double metalness)
{
    const unsigned long bits = strtoul(colour + 1, NULL, 16);
    fa_paint            paint = {.roughness = roughness, .metalness = metalness};
    for (int i = 0; i < 3; i++)
        paint.colour[i] = linear((double)(bits >> (8 * (2 - i)) & 255) / 255);
    return paint;
}

fa_paint fa_paint_joint(const fa_scene *scene, int link)
{
    static const char *const series[2][8] = {
        {"#0b6bcb", "#d1480a", "#0f8a5f", "#8b4fd0", "#a86b00", "#c0307a", "#007f94", "#6b7280"},
        {"#5aa9ff", "#ff8a4c", "#3ecf9a", "#bd93ff", "#e0b03f", "#ff7ab8", "#3cc8de", "#a3adb8"}};
    int number = 0;
    for (int i = 0; i < link; i++) number += fa_joint_is_free(&scene->robot->link[i].joint);
    return fa_paint_of(series[scene->dark][number % 8], 0.4, 0);
}

void fa_paint_pressure(double share, double colour[3])
{
    static const char *const scale[] = {"#3b6fd4", "#7fa6e0", "#d9dde2", "#f0a36b", "#d8401f"};
    const double             x = 4 * fmin(fmax(share, 0), 0.9999), t = x - floor(x);
    const fa_paint           below = fa_paint_of(scale[(int)x], 0, 0);
    const fa_paint           above = fa_paint_of(scale[(int)x + 1], 0, 0);
    for (int i = 0; i < 3; i++)
        colour[i] = below.colour[i] + t * (above.colour[i] - below.colour[i]);
}
