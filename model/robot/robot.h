// A robot as plain data: what importers produce and everything else consumes.
//
// A fa_robot is one block of memory without a pointer in it, so it can be copied with memcpy and
// released with free. Links stand in an order in which parents come first; each link but the
// root carries the joint that holds it.
#ifndef FA_ROBOT_H
#define FA_ROBOT_H

#include <stddef.h>

#include "element_data.h"
#include "hydraulics.h"
#include "joint_types.h"
#include "loop_types.h"
#include "robot_type.h"
#include "spatial.h"
#include "status.h"

#define FA_WORLD        (-1) // parent of a root link
#define FA_NOBODY       (-1) // "no link", where a link may be named
#define FA_NAME_SIZE    128  // bytes of a name, with its closing zero
#define FA_LINK_MAX     100000
#define FA_FOLLOWER_MAX 1000 // joints that move, where some follow others: that takes their cube
#define FA_CYLINDER_MAX 64
#define FA_LOOP_MAX     1000

// Speed over which smooth Coulomb friction turns round where the file does not say: slow enough
// that a joint looks as if it stuck, fast enough that an explicit integrator keeps its step.
#define FA_FRICTION_WIDTH 0.01 // [rad/s] or [m/s]

// A joint that follows another one: q = ratio q_leader + offset.
typedef struct fa_mimic {
    int    leader; // link whose joint is followed, FA_NOBODY: this joint is free
    double ratio;
    double offset; // [rad] or [m]
} fa_mimic;

// Start of a joint of several freedoms; unused by other joints.
typedef struct fa_joint_start {
    double position[3];   // [m]; of a planar joint x, y [m] and the angle [rad]
    double quaternion[4]; // w x y z, turns the child's axes into the joint's; any length but 0
    double velocity[3];   // of `position`
    double angular_velocity[3]; // of the child, in the joint's axes on the parent [rad/s]
} fa_joint_start;

typedef struct fa_joint {
    char          name[FA_NAME_SIZE];
    fa_place      place; // in the source; not stored in the robot file
    fa_joint_type type;
    fa_transform  origin; // parent link's frame to the joint's frame at q = 0
    fa_vec3       axis;  // unit vector, in the joint's frame; of a planar joint normal to its plane
    double        pitch; // of a screw: how far it advances in a turn [m]
    fa_mimic      mimic;
#define ELEMENT_LIST                  "at_joints.h"
#define ELEMENT(name, at, xml, about) fa_##name##_data name; // what acts at it (elements/)
#include "passes.h"
    double initial_position; // [rad] or [m]
    double initial_velocity; // [rad/s] or [m/s]
    double given_position;   // before assembly of loops moved it; not stored in the robot file
    bool   independent;      // where loops are: the file asks that its coordinates are states
    bool   dependent;        // loops determine it: fa_robot_check finds out
    bool   actuated;         // the file says that something drives it; not stored in the robot file
    bool   was_driven;       // of a copy without drives: there was one; not stored either
    bool   passive;          // no drive: FA_HIDE_PASSIVE hides the input of its effort
    fa_joint_start start;    // of a joint of several freedoms, in the place of these two
    fa_cone_data   cone;     // of a spherical joint: its stop, …
    fa_vec3 cone_axis; // … and the axis, a unit vector in the joint's frame and in the child's
} fa_joint;

// Numbers of the elements at a snake's wheels (elements/at_wheels.h).
typedef struct fa_snake_ground {
#define ELEMENT_LIST                  "at_wheels.h"
#define ELEMENT(name, at, xml, about) fa_##name##_data name;
#include "passes.h"
} fa_snake_ground;

// Numbers of the laws of sliding on the ground (elements/at_feet.h).
typedef struct fa_snake_feet {
#define ELEMENT_LIST                  "at_feet.h"
#define ELEMENT(name, at, xml, about) fa_##name##_data name;
#include "passes.h"
} fa_snake_feet;

// A link of a snake: two joints at its ends, and a wheel between them that does not slip sideways.
// The link's own frame has its origin at the wheel and x along the link, to the front.
typedef struct fa_segment {
    double          length;        // from the rear joint to the front joint [m]
    double          wheel;         // from the rear joint to the wheel [m]
    double          initial_angle; // direction of the link at the start, in the plane [rad]
    fa_snake_ground ground;        // what acts at the wheel
    // For sliding snakes:
    fa_snake_feet feet;         // numbers of its law of the ground, NAN if not given
    double        radius;       // of the link's sides and ends, at obstacles [m]
    double        initial_rate; // [rad/s]
    bool          prescribed;   // the motion of the joint behind the link is prescribed
} fa_segment;

typedef struct fa_link {
    char         name[FA_NAME_SIZE];
    fa_place     place;
    int          parent; // smaller than this link's own index, or FA_WORLD
    fa_joint     joint;  // that holds this link; of type FA_FIXED with FA_WORLD as parent: the base
    fa_transform frame;  // the joint's frame, moved by the joint, to this link's own frame
    double       mass;   // [kg]
    fa_vec3      com;    // centre of mass, link's frame [m]
    fa_sym3      inertia; // about the centre of mass, link's axes, elements of the tensor [kg m^2]
    double       relief;  // share of its weight that something takes off it: 0 usually, 1: all
    bool         wrench;  // true: the host may push on this link; the FMU has inputs for it
    bool         as_published; // the file says so of the inertia: no remark on it; not kept
    fa_segment   segment;      // of a snake's link only
} fa_link;

// Kinds of a snake's inputs.
#define FA_SNAKE_INPUT_LIST(X)                                                                     \
    X(FA_SNAKE_TORQUE, "torque")                                                                   \
    X(FA_SNAKE_VOLTAGE, "voltage")                                                                 \
    X(FA_SNAKE_GAIT, "gait")                                                                       \
    X(FA_SNAKE_PRESCRIBED, "prescribed")                                                           \
    X(FA_SNAKE_SPEEDS, "speeds")

typedef enum fa_snake_input {
#define X(code, name) code,
    FA_SNAKE_INPUT_LIST(X)
#undef X
        FA_SNAKE_INPUT_COUNT
} fa_snake_input;

// The law of the ground under a snake. Ideal wheels leave it two degrees of freedom, the others
// all.
#define FA_GROUND_LAW_LIST(X)                                                                      \
    X(FA_GROUND_IDEAL, "ideal")                                                                    \
    X(FA_GROUND_VISCOUS, "viscous")                                                                \
    X(FA_GROUND_COULOMB, "coulomb")                                                                \
    X(FA_GROUND_WHEEL, "wheel")

typedef enum fa_ground_law {
#define X(code, name) code,
    FA_GROUND_LAW_LIST(X)
#undef X
        FA_GROUND_LAW_COUNT
} fa_ground_law;

// Contact points of a link with the ground: its centre of mass, its wheel, or so many points of its
// length.
enum { FA_SPREAD_CENTRE = 0, FA_SPREAD_WHEEL = 1, FA_SPREAD_MOST = 7 };

// Things on a snake's ground: a patch, or an obstacle.
#define FA_THING_LIST(X)                                                                           \
    X(FA_THING_PATCH, "patch")                                                                     \
    X(FA_THING_PEG, "peg")                                                                         \
    X(FA_THING_WALL, "wall")

typedef enum fa_thing_kind {
#define X(code, name) code,
    FA_THING_LIST(X)
#undef X
        FA_THING_COUNT
} fa_thing_kind;

typedef struct fa_thing {
    char          name[FA_NAME_SIZE];
    fa_place      place;
    fa_thing_kind kind;
    fa_patch_data patch;  // of a patch only
    double        x, y;   // centre of a peg, point of a wall [m]
    double        radius; // of a peg [m]
    double        hx, hy; // of a wall: its normal, of any length, out of it
} fa_thing;

#define FA_THING_MAX 1000

#define FA_PRESCRIBED_MAX 2 // a snake on wheels has two degrees of freedom, whatever its length

// Properties of a snake besides its links.
typedef struct fa_snake_options {
    fa_place          place, input_place; // in the source, of all and of the input; not stored
    fa_place          ground_place, touch_place; // and of <ground> and <contact>
    fa_snake_input    input;
    int               base;        // the link whose motion is the FMU's speed and rate
    double            x, y;        // wheel of the first link at the start [m]
    double            speed, rate; // of the base link at the start [m/s], [rad/s]
    fa_snake_ground   ground;      // numbers SHARED by all wheels
    fa_motor_data     motor;       // of every joint, for voltage; gear and rotor are the joint's
    fa_gait_data      gait;        // with shift > 0 the snake goes towards its last link
    fa_smoothing_data smoothing;   // of a gait that is a prescribed motion
    fa_follower_data  follower;    // with which prescribed joints follow
    fa_pace_data      pace;        // with which speeds do
    int               n_prescribed;
    int               prescribed[FA_PRESCRIBED_MAX]; // joints, by the link that each one holds
    fa_link       every; // what further links are like if there are to be more, and their joints
    bool          gait_inputs; // of FA_SNAKE_GAIT: amplitude to bias are inputs, the angle a state
    bool          gait_told;   // of FA_SNAKE_GAIT: the joints' motion is prescribed, not by servos
    bool          in_gait;     // the links start in the shape that the gait begins with
    fa_ground_law law;         // of the ground
    int           spread;      // FA_SPREAD_CENTRE, FA_SPREAD_WHEEL, or points of the length
    double        slope;       // of the ground, downhill along slope_direction [rad]
    double        slope_direction;        // [rad]
    double        velocity_x, velocity_y; // of the first link's wheel at the start [m/s]
    fa_snake_feet feet;                   // numbers of the law that are SHARED by all links
    fa_touch_data touch;                  // of links and obstacles
} fa_snake_options;

// Cuts at which a hydraulic axis is divided between the arm's FMU and other models: they decide the
// inputs of the arm's FMU. The FMU of an axis alone, the plant "cylinder", is the other side.
#define FA_CUT_LIST(X)                                                                             \
    X(FA_CUT_FORCE, "force")     /* the force; chambers and valve are outside */                   \
    X(FA_CUT_CHAMBER, "chamber") /* flows into the chambers; the valve is outside */               \
    X(FA_CUT_VALVE, "valve")     /* spool and supply; everything is inside */                      \
    X(FA_CUT_CIRCUIT, "circuit") /* nothing: its chambers are nodes of the robot's circuit */      \
    X(FA_CUT_PORT, "port")       /* the force, and an image of the jack that gives it */

typedef enum fa_cut {
#define X(code, name) code,
    FA_CUT_LIST(X)
#undef X
        FA_CUT_COUNT
} fa_cut;

// A rocker and a coupler between a cylinder and the link that it turns (drives/four_bar.h).
typedef struct fa_linkage {
    bool    present;
    fa_vec3 pivot;   // of the rocker, in the frame of the link that the cylinder starts from [m]
    double  rocker;  // pivot to the rod's end [m]
    double  coupler; // the rod's end to the point on the driven link [m]
    double  branch;  // 1 or -1
} fa_linkage;

// A hydraulic cylinder between a point of one link and a point of another.
typedef struct fa_cylinder {
    char     name[FA_NAME_SIZE];
    fa_place place; // in the source; not stored in the robot file
    fa_cut   cut;
    int      from, to;             // links
    fa_vec3  from_point, to_point; // in their frames [m]; with a linkage, `to_point` is where the
                                   // coupler holds the driven link
    fa_linkage linkage;
    double     number[FA_CYLINDER_NUMBERS]; // hydraulics.h; NAN where neither said nor needed
    double initial_pressure[2]; // of A and B [Pa]; NAN: computed so that the load is in equilibrium
    double supply, tank;        // pressures that the inputs start with [Pa]
    bool   pump;                // beside its valve: the supply is a state
    double pump_flow;           // that its input starts with [m^3/s]
    double initial_length;      // of the plant "cylinder": that its input starts with
    bool   ends;                // the file says what the ends of the stroke are like
    double initial_force;       // of a port [N]; NAN: computed so that the load is in equilibrium
    int    node[2];             // of a circuit: where its chambers A and B stand
} fa_cylinder;

// A node of a hydraulic circuit: one pressure. Who makes it follows from the parts.
typedef struct fa_circuit_node {
    char name[FA_NAME_SIZE];
} fa_circuit_node;

// The parts of a circuit: code, element, owner of its variables, and element of the file.
#define FA_CIRCUIT_PART_LIST(X)                                                                    \
    X(FA_CIRCUIT_TANK, reservoir, FA_OF_NODE, "tank")                                              \
    X(FA_CIRCUIT_SUPPLY, reservoir, FA_OF_NODE, "supply")                                          \
    X(FA_CIRCUIT_VOLUME, volume, FA_OF_VOLUME, "volume")                                           \
    X(FA_CIRCUIT_ORIFICE, orifice, FA_OF_ORIFICE, "orifice")                                       \
    X(FA_CIRCUIT_LINE, line, FA_OF_LINE, "line")                                                   \
    X(FA_CIRCUIT_FILTER, filter, FA_OF_FILTER, "filter")                                           \
    X(FA_CIRCUIT_CHECK, check, FA_OF_CHECK, "check")                                               \
    X(FA_CIRCUIT_RELIEF, relief, FA_OF_RELIEF, "relief")                                           \
    X(FA_CIRCUIT_PILOT_CHECK, pilot_check, FA_OF_PILOT_CHECK, "pilot-check")                       \
    X(FA_CIRCUIT_COUNTERBALANCE, counterbalance, FA_OF_COUNTERBALANCE, "counterbalance")           \
    X(FA_CIRCUIT_VALVE, section, FA_OF_VALVE, "valve")                                             \
    X(FA_CIRCUIT_SENSING, load_sensing, FA_OF_LOAD_SENSING, "load-sensing")                        \
    X(FA_CIRCUIT_PUMP, displacement_pump, FA_OF_PUMP, "pump")                                      \
    X(FA_CIRCUIT_ACCUMULATOR, accumulator, FA_OF_ACCUMULATOR, "accumulator")                       \
    X(FA_CIRCUIT_MOTOR, hydraulic_motor, FA_OF_HYDRAULIC_MOTOR, "hydraulic-motor")

typedef enum fa_circuit_kind {
#define X(code, element, owner, xml) code,
    FA_CIRCUIT_PART_LIST(X)
#undef X
        FA_CIRCUIT_KIND_COUNT
} fa_circuit_kind;

enum { FA_CIRCUIT_PORTS = 4, FA_CIRCUIT_NUMBERS = 14 };

// Values of a word attribute: inertance of a line, compensator of a valve, control of a pump.
enum { FA_COMPENSATOR_NONE, FA_COMPENSATOR_PRE, FA_COMPENSATOR_POST };
enum { FA_CONTROL_FIXED, FA_CONTROL_PRESSURE, FA_CONTROL_SENSING };

typedef struct fa_circuit_part {
    char            name[FA_NAME_SIZE];
    fa_place        place; // in the source; not stored in the robot file
    fa_circuit_kind kind;
    int             choice;
    int             port[FA_CIRCUIT_PORTS];     // nodes, in the order of the element's list
    int             sensing;                    // part that is its load-sensing line, or FA_NOBODY
    int             joint;                      // of a motor: the link that the joint holds
    double          number[FA_CIRCUIT_NUMBERS]; // in the order of the element's list; NAN: not said
    double          start; // of its pressure, stroke or volume of oil; of a tank, the pressure
    double          speed; // of a pump: that its input starts with [rad/s]
} fa_circuit_part;

// The edges of a valve section.
#define FA_EDGE_LIST(X)                                                                            \
    X(FA_EDGE_PA, "pa", 1) /* open with a positive spool */                                        \
    X(FA_EDGE_BT, "bt", 1)                                                                         \
    X(FA_EDGE_PB, "pb", -1) /* with a negative one */                                              \
    X(FA_EDGE_AT, "at", -1)                                                                        \
    X(FA_EDGE_PT, "pt", 0) /* either way */

typedef enum fa_edge_kind {
#define X(code, word, side) code,
    FA_EDGE_LIST(X)
#undef X
        FA_EDGE_COUNT
} fa_edge_kind;

#define FA_EDGE_POINTS_MAX 32

typedef struct fa_edge_table {
    int    n;
    double x[FA_EDGE_POINTS_MAX], y[FA_EDGE_POINTS_MAX];
} fa_edge_table;

typedef struct fa_circuit_edge {
    fa_place      place;
    int           part; // the valve
    fa_edge_kind  kind;
    bool          by_area;
    double        number[2]; // drop or coefficient, as in the element's list
    fa_edge_table table;     // of the spool's place: flow or area
} fa_circuit_edge;

#define FA_CIRCUIT_MAX 1000 // nodes, parts and edges, of each

// The ground: a plane, in world axes.
typedef struct fa_ground {
    bool    said; // in the file; otherwise it is the plane z = 0
    fa_vec3 point, normal;
} fa_ground;

// Fixed obstacles in the world, for contacts.
#define FA_OBSTACLE_SHAPE_LIST(X)                                                                  \
    X(FA_OBSTACLE_SPHERE, "sphere")                                                                \
    X(FA_OBSTACLE_BOX, "box")

typedef enum fa_obstacle_shape {
#define X(code, name) code,
    FA_OBSTACLE_SHAPE_LIST(X)
#undef X
        FA_OBSTACLE_SHAPE_COUNT
} fa_obstacle_shape;

typedef struct fa_obstacle {
    char              name[FA_NAME_SIZE];
    fa_place          place; // in the source; not stored in the robot file
    fa_obstacle_shape shape;
    fa_transform      pose;   // world to its own axes, from its centre
    double            radius; // of a sphere [m]
    fa_vec3           size;   // of a box, from face to face [m]
} fa_obstacle;

// Shapes of contacts: a point, a ball, or a wheel about an axis.
#define FA_CONTACT_SHAPE_LIST(X)                                                                   \
    X(FA_CONTACT_SPHERE, "sphere")                                                                 \
    X(FA_CONTACT_POINT, "point")                                                                   \
    X(FA_CONTACT_WHEEL, "wheel")

typedef enum fa_contact_shape {
#define X(code, name) code,
    FA_CONTACT_SHAPE_LIST(X)
#undef X
        FA_CONTACT_SHAPE_COUNT
} fa_contact_shape;

typedef struct fa_contact {
    char             name[FA_NAME_SIZE];
    fa_place         place;
    fa_contact_shape shape;
    int              link;
    int              on;    // an obstacle, FA_WORLD: the ground
    fa_vec3          point; // the centre, in the link's frame [m]
    fa_vec3          axis;  // of a wheel, in the link's axes, of length 1
    fa_contact_data  law;
} fa_contact;

typedef struct fa_line_spring {
    char                name[FA_NAME_SIZE];
    fa_place            place;
    int                 from, to;             // links
    fa_vec3             from_point, to_point; // in their frames [m]
    fa_line_spring_data law;
} fa_line_spring;

#define FA_TOUCH_MAX 1000 // contacts, obstacles and line springs, of each
// A loop constraint: two frames on two links, joined according to their type (loop_types.h); or a
// coupling, by which the sum of the joints on the path to `to` is `ratio` times the sum on the path
// to `from`.
typedef struct fa_loop {
    char             name[FA_NAME_SIZE];
    fa_place         place; // in the source; not stored in the robot file
    fa_loop_type     type;
    int              from, to;             // links: predecessor and successor
    fa_transform     from_frame, to_frame; // their frames to the loop's
    bool             open;     // the file does not say the former: where the latter is at the start
    fa_vec3          axis;     // unit vector, the same in both frames of the loop
    fa_vec3          second;   // of universal: unit vector, in the successor's frame
    double           length;   // of distance [m]
    double           ratio;    // of a coupling
    double           was_open; // before assembly [m]; not stored in the robot file
    int              n_terms;  // of a relation, two at least; `from` and `to` are the first two
    fa_relation_term term[FA_RELATION_TERMS];
} fa_loop;

// Outputs that an FMU has on request, by the words that --outputs takes.
#define FA_EXTRA_LIST(X)                                                                           \
    X(FA_EXTRA_REACTIONS, "reactions", 1)                                                          \
    X(FA_EXTRA_JACOBIAN, "jacobian", 2)                                                            \
    X(FA_EXTRA_MASS_MATRIX, "mass-matrix", 4)                                                      \
    X(FA_EXTRA_POSES, "poses", 8)                                                                  \
    X(FA_EXTRA_ENERGY, "energy", 16)                                                               \
    X(FA_EXTRA_WORK, "work", 32) /* of snakes alone: of each joint */

typedef enum fa_extra {
#define X(code, name, bit) code = (bit),
    FA_EXTRA_LIST(X)
#undef X
} fa_extra;

#define FA_EXTRA_WORDS "reactions, jacobian, mass-matrix, poses, energy and work"
#define FA_EXTRA_ALL                                                                               \
    (FA_EXTRA_REACTIONS | FA_EXTRA_JACOBIAN | FA_EXTRA_MASS_MATRIX | FA_EXTRA_POSES |              \
     FA_EXTRA_ENERGY | FA_EXTRA_WORK)

// Variables that an FMU hides, for hosts that cannot leave an input open, by the words of
// --without. Hidden inputs keep their start values.
#define FA_HIDDEN_LIST(X)                                                                          \
    X(FA_HIDE_TIP_INPUTS, "tip-inputs", 1)                                                         \
    X(FA_HIDE_TIP_OUTPUTS, "tip-outputs", 2)                                                       \
    X(FA_HIDE_TERMINALS, "terminals", 4)                                                           \
    X(FA_HIDE_ENERGY, "energy", 8)

typedef enum fa_hidden {
#define X(code, name, bit) code = (bit),
    FA_HIDDEN_LIST(X)
#undef X
        FA_FIXED_PAYLOAD = 16, // of --payload fixed: what the payload is does not change in a run
    FA_HIDE_PASSIVE = 32       // with --inputs actuated: efforts at joints without a drive
} fa_hidden;

#define FA_HIDDEN_WORDS "tip-inputs, tip-outputs, terminals and energy"
#define FA_HIDDEN_ALL                                                                              \
    (FA_HIDE_TIP_INPUTS | FA_HIDE_TIP_OUTPUTS | FA_HIDE_TERMINALS | FA_HIDE_ENERGY |               \
     FA_FIXED_PAYLOAD | FA_HIDE_PASSIVE)

struct fa_robot {
    char name[FA_NAME_SIZE];
    char plant[32];               // "arm", "inverse", "mechanism", "inverse-mechanism", "snake",
                                  // "sliding-snake", "rolling-snake", "circuit" or "cylinder"
    char             source[512]; // the file it came from; not stored in the robot file
    fa_vec3          gravity;     // acceleration of free fall, world axes [m/s^2]
    int              tip_link;
    fa_transform     tip;         // the tip link's frame to the tip's frame
    int              outputs;     // beyond the usual ones: a union of fa_extra
    int              hidden;      // what its FMU does not show: a union of fa_hidden
    bool             base_motion; // the FMU has inputs for the motion of the ground
    fa_snake_options snake;       // of a snake only
    bool             checked;     // fa_robot_check has passed it; what changes it says so no more
    int              n_links;
    int              n_cylinders;
    int              n_loops;
    int              n_contacts, n_obstacles, n_springs;
    int              n_nodes, n_parts, n_edges; // of a hydraulic circuit
    int              n_things;                  // on a snake's ground
    fa_oil_data      oil;                       // in it
    fa_ground        ground;
    double           loop_tolerance; // of the rank of loops: least pivot over the largest
    bool    closed; // fa_robot_check has closed the loops, and no position has changed since
    fa_link link[]; // n_links of them; the lists of robot_lists.h follow
};

// A robot of n links with every field at its default: gravity 0 0 -9.81, frames together, masses
// zero, limits infinite, no friction. NULL when there is no memory. Release with free().
fa_robot *fa_robot_new(int n_links);
size_t    fa_robot_size(const fa_robot *robot);

// The same robot in a new block that has n cylinders, those that it has had and new ones with every
// number at its default or NAN; the old block is released. NULL, and nothing has changed, when
// there is no memory.
fa_robot *fa_robot_with_cylinders(fa_robot *robot, int n);

fa_cylinder       *fa_robot_cylinders(fa_robot *robot); // n_cylinders of them
const fa_cylinder *fa_robot_cylinder(const fa_robot *robot, int index);

// The same robot in a new block, with so many contacts, obstacles and line springs; new ones have
// every number at its default, or NAN. The old block is released; NULL, and nothing has changed,
// when there is no memory.
fa_robot *fa_robot_with_touches(fa_robot *robot, int contacts, int obstacles, int springs);

fa_contact           *fa_robot_contacts(fa_robot *robot);
fa_obstacle          *fa_robot_obstacles(fa_robot *robot);
fa_line_spring       *fa_robot_springs(fa_robot *robot);
const fa_contact     *fa_robot_contact(const fa_robot *robot, int index);
const fa_obstacle    *fa_robot_obstacle(const fa_robot *robot, int index);
const fa_line_spring *fa_robot_spring(const fa_robot *robot, int index);

// The same for the lists of a circuit; numbers of new parts are as usual, or NAN.
fa_robot              *fa_robot_with_circuit(fa_robot *robot, int nodes, int parts, int edges);
fa_circuit_node       *fa_robot_nodes(fa_robot *robot);
fa_circuit_part       *fa_robot_circuit_parts(fa_robot *robot);
fa_circuit_edge       *fa_robot_edges(fa_robot *robot);
const fa_circuit_node *fa_robot_node(const fa_robot *robot, int index);
const fa_circuit_part *fa_robot_circuit_part(const fa_robot *robot, int index);
const fa_circuit_edge *fa_robot_edge(const fa_robot *robot, int index);

// Returns true if there is a hydraulic circuit: the plant is "circuit". Alone: nothing but a
// circuit.
bool fa_robot_has_circuit(const fa_robot *robot);
bool fa_robot_is_circuit_alone(const fa_robot *robot);

// A circuit alone, on a base that is the robot's one link. NULL when there is no memory.
fa_robot *fa_robot_new_circuit(void);

// Some contact is with the ground.
bool fa_robot_uses_ground(const fa_robot *robot);

// The same for loops.
fa_robot      *fa_robot_with_loops(fa_robot *robot, int n);
fa_loop       *fa_robot_loops(fa_robot *robot); // n_loops of them
const fa_loop *fa_robot_loop(const fa_robot *robot, int index);

// A hydraulic axis alone, on a base that is the robot's one link. NULL when there is no memory.
fa_robot *fa_robot_new_axis(void);
bool      fa_robot_is_axis(const fa_robot *robot);

// Returns the parts inside (FA_PART_… of hydraulics.h): of a cylinder of an arm, or of the other
// side of its cut, the plant "cylinder".
unsigned fa_cylinder_parts(const fa_cylinder *cylinder);
unsigned fa_axis_parts(const fa_cylinder *cylinder);

// The same for the plant "snake": links "link1", … one behind the other, joined by "joint1", …,
// link i hanging on link i - 1. The links have no length and no mass yet.
fa_robot *fa_robot_new_snake(int n_links);
bool      fa_robot_is_snake(const fa_robot *robot);

// A snake that slides on its ground, the plant "sliding-snake".
bool fa_robot_is_sliding(const fa_robot *robot);

// A snake whose ground has slopes, patches and obstacles: one that slides, or one on ideal wheels,
// the plant "rolling-snake".
bool fa_robot_has_ground(const fa_robot *robot);

// The same robot in a new block with so many things on its ground, as fa_robot_with_touches.
fa_robot       *fa_robot_with_things(fa_robot *robot, int n);
fa_thing       *fa_robot_things(fa_robot *robot);
const fa_thing *fa_robot_thing(const fa_robot *robot, int index);

// A snake with another number of links: its own, as many as there are in both, then links and
// joints as in snake.every. Beyond its own, the links' angles at the start repeat the last two, so
// that a straight snake stays straight and a zigzag a zigzag; a snake that starts in its gait
// starts in the gait of the new length. Release with free().
fa_status fa_robot_resize_snake(const fa_robot *robot, int n, fa_robot **resized, fa_error *error);

// The fewest links that leave its base, its prescribed joints and its kind of input possible.
int fa_robot_least_links(const fa_robot *robot);

// Puts the links into the shape that the gait wants at time 0, its mean direction along x.
void fa_robot_start_in_gait(fa_robot *robot);

// Every rule on robots, applied in linear time: names unique and not empty, parents first, every
// index, kind and count within what there is, masses and inertias possible, numbers finite, limits
// in order, mimics resolved, every moving part with an inertia along its axis. What means nothing
// in this robot gets its default before (robot_tidy.h). What is odd but usable goes to `log`.
//
// This is the one way to a robot that can be used: fa_plant_variables takes no other.
fa_status fa_robot_check(fa_robot *robot, const fa_log *log, fa_error *error);

// A sentence where it has not passed that, or has been changed since by a function below.
fa_status fa_robot_require_checked(const fa_robot *robot, fa_error *error);

// Sets all numbers and flags to their defaults, except name, place, type and origin: a joint
// without elements.
void fa_joint_clear(fa_joint *joint);

// The same for what is not there: a motor, a spring, a stop, a valve.
void fa_joint_clear_absent(fa_joint *joint);

// No cone as the stop of a ball joint.
void fa_joint_clear_cone(fa_joint *joint);

// Fixes the named joint at a coordinate [rad] or [m].
fa_status fa_robot_lock(fa_robot *robot, const char *joint, double position, fa_error *error);

// Makes the named link the tip, its own frame the tip's.
fa_status fa_robot_set_tip(fa_robot *robot, const char *link, fa_error *error);

// The same robot in a new block, whose root link is held to a new link "world" by a floating joint
// "root_joint" and starts where it stood. NULL when there is no memory.
fa_robot *fa_robot_with_free_base(const fa_robot *robot);

// Marks the joints without drives, from the file (`actuated`). False: the file marks none.
bool fa_robot_mark_passive(fa_robot *robot);

// Asks for the inputs that a list of words names: "base" (its motion), "lock" (of every joint),
// "lock-real" (the same as real numbers, on above 0.5), "close-real" (those of valves likewise).
fa_status fa_robot_set_inputs(fa_robot *robot, const char *list, fa_error *error);

// Asks for the outputs that a list of words names: "reactions,jacobian".
fa_status fa_robot_set_outputs(fa_robot *robot, const char *list, fa_error *error);

// Leaves out of its FMU what a list of words names: "tip-inputs,energy". The robot stays checked.
fa_status fa_robot_set_hidden(fa_robot *robot, const char *list, fa_error *error);

// The link that most people would call the hand: a leaf with the most moving joints on its path;
// among equals the one with the most links, then the first. *equals counts the leaves that differ
// from it in nothing but their place in the file and the branch that they are on. FA_NOBODY when
// there is no memory.
int fa_robot_guess_tip(const fa_robot *robot, int *equals);

// Index of a link by its own name or by the name of its joint; FA_NOBODY if there is none.
int fa_robot_find_link(const fa_robot *robot, const char *name);
int fa_robot_find_joint(const fa_robot *robot, const char *name);

// Links whose joint moves and follows no other: the degrees of freedom, in link order, of a joint
// of several as many. A snake's wheels leave it two.
bool fa_joint_is_free(const fa_joint *joint);
int  fa_robot_freedom(const fa_robot *robot);

// The same without those that loops determine.
int fa_robot_independent(const fa_robot *robot);

// The number of freedoms that a joint has, whether it is free or follows another one.
int fa_joint_speeds(const fa_joint *joint);

// Some joint has several freedoms, or there are loops: the plants "mechanism" and
// "inverse-mechanism" run the robot.
bool fa_robot_is_mechanism(const fa_robot *robot);

// Motion in, torque out: the plants "inverse" and "inverse-mechanism".
bool fa_robot_is_inverse(const fa_robot *robot);

// False of a link that is bolted to the ground.
bool fa_robot_link_moves(const fa_robot *robot, int link);

#endif
