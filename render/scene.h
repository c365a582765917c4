// A robot as parts with surfaces, and where they are at a moment of its motion.
//
// The world of a scene has z against gravity, whatever the robot's file says, and its ground is
// level.
#ifndef FA_SCENE_H
#define FA_SCENE_H

#include "surface.h"
#include "visual.h"

// The look of a surface. Colours are linear, 0 to 1.
typedef struct fa_paint {
    double colour[3];
    double roughness, metalness;
} fa_paint;

// The thing that a part is fixed to. Parts of kinds behind FA_PART_OF_LINK stretch between two
// points or stay at their ends.
typedef enum fa_part_kind {
    FA_PART_OF_WORLD,
    FA_PART_OF_LINK,
    FA_PART_SLIDE,     // of a prismatic joint, from its parent to its link; `of` is the link
    FA_PART_SPRING,    // `of` is the line spring
    FA_PART_BAR,       // between the points of a loop that keeps their distance; `of` is the loop
    FA_PART_CHAMBER_A, // from here on of a cylinder
    FA_PART_CHAMBER_B,
    FA_PART_ROD,
    FA_PART_GLAND,
    FA_PART_CAP,
    FA_PART_PISTON,
    FA_PART_EYE_FROM,
    FA_PART_EYE_TO,
    FA_PART_ROCKER,
    FA_PART_COUPLER,
    FA_PART_PIVOT,
    FA_PART_HELD
} fa_part_kind;

enum { FA_EXTREMES = 26 };

typedef struct fa_part {
    fa_part_kind kind;
    int          of;    // a link, a cylinder, a spring
    fa_transform frame; // of a link's part: the link's frame to the part's; of the world's likewise
    fa_paint     paint;
    bool         made;    // not in the robot's file
    bool         scenery; // an obstacle or a peg, which the camera does not frame
    fa_surface   surface;
    fa_vec3      extreme[FA_EXTREMES]; // its corners that are farthest in as many directions
} fa_part;

// Where a part is: its lengths along its own z are `stretch` times as long.
typedef struct fa_placed {
    fa_transform frame; // the world's to the part's
    double       stretch;
    fa_paint     paint;
} fa_placed;

// A moment of the motion.
typedef struct fa_instant {
    fa_transform *pose;    // of each link; upright
    double (*pressure)[2]; // of each cylinder [Pa]; NAN: it has none
    double  length;        // of a hydraulic axis alone [m]
    fa_vec3 tip;           // upright
} fa_instant;

typedef struct fa_scene {
    const fa_robot *robot;
    bool            dark;
    fa_transform    upright;  // turns the robot's world
    double          size;     // sum of the lengths of links to the farthest tip [m]
    double         *radius;   // of the joint that holds each link, for links without shapes
    bool           *drawn;    // the file has shapes of the link
    double         *closed;   // length of each cylinder when it is closed [m]
    double          pressure; // the greatest of the motion [Pa]; 0: none
    int             n, room;
    fa_part        *part;
    bool            lost; // something is missing for lack of memory
} fa_scene;

// Shapes of the robot file `path` (NULL: none), and of links, cylinders and snakes without shapes
// those that we made up. Release with fa_scene_free, also after a failure.
fa_status fa_scene_new(const fa_robot *robot, const char *path, const fa_xacro_options *xacro,
                       bool dark, const fa_log *log, fa_scene *scene, fa_error *error);
void      fa_scene_free(fa_scene *scene);

// Learns from the whole motion how long cylinders are and how high pressures become; then puts the
// base under the joints of the first moment: on the ground, which is level at `ground`, or where
// links come to pass there, behind the joint.
void fa_scene_learn(fa_scene *scene, const fa_instant moment[], int n);
void fa_scene_stand(fa_scene *scene, const fa_instant moment[], int n, double ground);

// Where each part is at a moment.
void fa_scene_place(const fa_scene *scene, const fa_instant *moment, fa_placed placed[]);

static inline fa_vec3 fa_placed_point(const fa_placed *placed, fa_vec3 p)
{
    p.z *= placed->stretch;
    return point_to_parent(placed->frame, p);
}

// Adds a part, of which the caller fills in the surface; NULL without memory. The pointer is valid
// until the next call.
fa_part *fa_scene_add(fa_scene *scene, fa_part_kind kind, int of, fa_transform frame,
                      fa_paint paint);

// Finds the extremes of a part whose surface is complete.
void fa_part_measure(fa_part *part);

// Colour of a text such as "#e4e7eb".
fa_paint fa_paint_of(const char *colour, double roughness, double metalness);

// Colour of the joint that holds a link: the same in plots, by the order of joints.
fa_paint fa_paint_joint(const fa_scene *scene, int link);

// Colour of a pressure, by its share of the greatest one.
void fa_paint_pressure(double share, double colour[3]);

// Shapes made up: of links without any, of snakes, and of cylinders.
void fa_design_links(fa_scene *scene);
void fa_design_snake(fa_scene *scene);
void fa_design_cylinders(fa_scene *scene);

// A lug from a made-up body to a point of its link at which something of this radius is pinned,
// where that is outside the body.
void fa_design_lug(fa_scene *scene, int link, fa_vec3 point, double radius);

#endif
