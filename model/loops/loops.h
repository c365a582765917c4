// Closed loops of a chain: constraints beside its joints, in minimal coordinates.
//
// A tree of bodies carries the mechanism, and each loop holds two frames on two of its bodies
// together. Rows K qd = 0 say so. Bodies that loops or followers couple form clusters; the
// coordinates of a cluster are independent ones u and dependent ones, which the rows determine:
//
//     qd = G u,   qdd = G u' + g
//
// All quantities of a cluster stand in the axes of the body that carries it, about its origin, and
// are relative to it. So a loop does not feel how fast its carrier moves.
#ifndef FA_LOOPS_H
#define FA_LOOPS_H

#include "arena.h"
#include "chain.h"
#include "loop_types.h"

// A pivot of the scaled rows that is at most this fraction of the largest is no constraint of its
// own. It sees through axes that a file gives to 1e-6 rad; mechanisms proper keep 0.05.
#define FA_LOOP_TOLERANCE 1e-4

// Smallest over largest pivot of the dependent coordinates: below, they are not determined.
#define FA_LOOP_DEAD   1e-9
#define FA_LOOP_WARN   1e-3
#define FA_LOOP_LOST   1e-4 // of a choice that another one would do better than: a motion ends
#define FA_LOOP_REFUSE 1e-6 // at the start

// A loop, or a coupling, between two bodies.
typedef struct fa_constraint {
    fa_loop_type     type;
    int              predecessor, successor; // bodies, FA_WORLD: the ground
    fa_transform     from, to;               // body to loop frame, P and S
    fa_vec3          axis, e1, e2;           // unit vectors in P
    fa_vec3          second;                 // of universal: unit vector in S
    double           length;                 // of distance [m]
    double           ratio;                  // of coupling
    int              n_terms;                // of relation; predecessor, successor: the first two
    fa_relation_term term[FA_RELATION_TERMS];

    // Set by fa_loops_build.
    int cluster;
    int first_row, n_rows;
    int first_path, n_path;     // bodies between the two and their nearest common ancestor
    int first_column, n_column; // coordinates of these, without repetition
    int first_entry;            // of K: n_rows times n_column numbers; of a relation also
                                // its second and third derivatives by each column
    unsigned determined; // components of its reaction that the motion determines: bits 0 to 2 of
                         // the force, 3 to 5 of the moment, in S
} fa_constraint;

typedef struct fa_block {
    int first, n;    // of the cluster's ordered dependents and their rows
    int first_entry; // of the factors: n squared numbers
} fa_block;

typedef struct fa_cluster {
    int    carrier;              // common ancestor of the cluster, or FA_WORLD
    int    first_body, n_bodies; // bodies, parents first
    int    first_coordinate, n;  // coordinates
    int    first_independent, freedoms;
    int    first_dependent, n_dependents; // with their rows, in the order of blocks
    int    first_block, n_blocks;
    int    first_constraint, n_constraints;
    int    first_G;   // n times freedoms numbers
    double length;    // root mean square distance of its joints [m]
    double least;     // least pivot kept over the largest, at the pose that it was built for
    double dropped;   // largest pivot that was not kept, likewise
    double reference; // largest pivot of its blocks there
} fa_cluster;

typedef struct fa_loops {
    int n_bodies, n_coordinates;
    int n_constraints, n_rows, n_clusters, n_dependents, n_blocks;
    int n_entries, n_G, n_factors; // numbers of K, of G, of the factors of blocks
    int n_path, n_column, n_independent;

    fa_constraint *constraint;  // by cluster
    int           *given;       // index of each of them as fa_loops_build was given it
    fa_cluster    *cluster;     // by rising carrier: a carrier's cluster comes before
    int           *path;        // bodies
    int           *side;        // 1: on the way to the successor, -1: to the predecessor
    int           *path_column; // index among the constraint's columns
    int           *column;      // coordinates

    int      *body, *coordinate, *independent, *dependent, *row; // lists of clusters
    int      *row_constraint;                                    // of a row
    int      *local;                 // a coordinate's index within its cluster
    int      *cluster_of;            // a coordinate's
    bool     *is_dependent, *slides; // of a coordinate
    int      *place;      // of a coordinate: in its block, or among its cluster's independent ones
    int      *block_of;   // of a dependent coordinate
    bool     *kept;       // of a row
    double   *weight;     // 1 / sqrt(M_jj) of a coordinate
    double   *row_weight; // 1 / length of rows on position
    int      *ball;       // the first of three coordinates that are a ball joint's, or FA_NOBODY
    fa_block *block;
} fa_loops;

// Preferences for the choice of independent coordinates. Coordinates of a joint of several freedoms
// have its first coordinate as `group`, other ones themselves.
typedef struct fa_loop_wishes {
    const int  *group;       // NULL: each by itself
    const bool *independent; // by the file; NULL: none
    const bool *ball;        // the first of three of a ball joint; NULL: none
    double      tolerance;   // FA_LOOP_TOLERANCE
} fa_loop_wishes;

// Why loops could not be built or closed.
typedef enum fa_loop_fault {
    FA_LOOP_FINE,
    FA_LOOP_ONE_BODY,   // a loop joins two links that are one body
    FA_LOOP_OPEN,       // cannot be closed
    FA_LOOP_NO_FREEDOM, // no freedom remains
    FA_LOOP_TOO_MANY,   // named independent joints exceed the freedoms
    FA_LOOP_SPLIT,      // a joint of several freedoms is determined in part
    FA_LOOP_DEAD_POINT, // closed, but the constraints are singular there
    FA_LOOP_SINGULAR,   // closed where rows let a joint move that no motion moves
    FA_LOOP_CROSSING,   // closed where branches cross: the rank holds in this position alone
    FA_LOOP_MEMORY,
} fa_loop_fault;

typedef struct fa_loop_report {
    fa_loop_fault fault;
    int           constraint; // as given, FA_NOBODY: none in particular
    int           coordinate, other;
    int           rank, freedoms;
    double        gap;    // between the ends of an open loop [m]
    double        turned; // residual of its rows on orientation
    bool          meets;  // its ends do, but for their axes
} fa_loop_report;

// Clusters, paths and rows of a chain, then rank, choice of independent coordinates and blocks at
// the pose q, which must be closed. `constraint` has n of them; those numbers that the build fills
// in need not be set. Allocates; release with fa_loops_free. NULL with a report otherwise.
fa_loops *fa_loops_build(const fa_chain *chain, const fa_constraint constraint[], int n,
                         const fa_loop_wishes *wishes, const double q[], fa_loop_report *report);
void      fa_loops_free(fa_loops *loops);

// Copies loops into a block of memory: the size, and a copy at `place` (16-byte aligned) without
// pointers to the outside.
size_t    fa_loops_size(const fa_loops *loops);
fa_loops *fa_loops_copy(const fa_loops *loops, void *place);

// Numbers of one evaluation. The same for all clusters, one behind the other.
typedef struct fa_loop_body {
    fa_transform X;        // carrier to body
    fa_twist     s;        // the joint's axis, times the ratio of a follower
    fa_twist     v, c;     // velocity, and acceleration with qdd zero
    double       position; // of the joint
} fa_loop_body;

typedef struct fa_loop_work {
    fa_loop_body          *body;
    double                *K;        // rows of constraints, dense in their columns
    double                *factor;   // of blocks
    int                   *pivot;    // of blocks, rows then columns
    double                *G;        // of clusters
    double                *g;        // of coordinates
    double                *q;        // of coordinates, that fa_loops_factor was asked at
    double                *residual; // of rows
    struct fa_loop_frames *frame;    // of constraints, from fa_loops_factor
    double                *change;   // of coordinates
    double                *column;   // of the equations of one block
    double                *largest;  // pivot of the blocks of a cluster
    // Results of fa_loops_hold (loop_holds.h).
    const double *G_left;       // G, or G_held
    double       *G_held;       // of clusters, as G
    bool         *gone;         // of independent coordinates
    int          *n_pins;       // of clusters: freedoms that are gone
    int          *pin_row;      // of them: the cluster's coordinate that is held
    int          *pin_column;   // and its freedom that follows
    double       *pin_inverse;  // of the block of these
    double       *hold_scratch; // as G
    double       *share;        // two squares of freedoms
    double        regularity;   // least over largest pivot, over all clusters
    int           weakest;      // cluster that it is of
} fa_loop_work;

size_t       fa_loop_work_size(const fa_loops *loops);
fa_loop_work fa_loop_work_at(const fa_loops *loops, void *memory);

// Closes the loops: moves the dependent coordinates of q until the rows hold. `body` is the
// chain's, whose frames of ball joints change. With the limit FA_LOOP_NEAR the guess is good, and a
// longer step of Newton's iteration ends it; with a smaller one steps are cut to it [rad], [lengths
// of the cluster]. FA_SINGULAR at a dead point and where the iteration fails; q is then undefined.
#define FA_LOOP_NEAR 1.0
#define FA_LOOP_FAR  0.3
fa_status fa_loops_close(const fa_loops *loops, const fa_chain *chain, fa_body body[], double q[],
                         double limit, fa_loop_work *work);

// K and its factors at a closed q; then G. Fills body[].X, .s and .position; no residuals.
fa_status fa_loops_factor(const fa_loops *loops, const fa_chain *chain, const double q[],
                          fa_loop_work *work);

// A row of G times the independent coordinates of u.
double fa_loops_combine(const fa_loops *loops, int coordinate, const double u[],
                        const fa_loop_work *work);

// Adds a change to a dependent coordinate, or turns the frame of the ball joint that it begins.
void fa_loops_move(const fa_loops *loops, fa_body body[], double q[], int coordinate,
                   const double change[]);

// Dependent speeds from the independent ones of qd, after fa_loops_factor.
void fa_loops_speeds(const fa_loops *loops, double qd[], const fa_loop_work *work);

// u = G^T x and x = G u for a G as in fa_loop_work: u has the independent coordinates in the order
// of `independent`, x all of them.
void fa_loops_reduce(const fa_loops *loops, const double G[], const double x[], double u[]);
void fa_loops_spread(const fa_loops *loops, const double G[], const double u[], double x[]);

// g at consistent qd, after fa_loops_factor. Fills body[].v and .c.
void fa_loops_bias(const fa_loops *loops, const fa_chain *chain, const double qd[],
                   fa_loop_work *work);

// Solves K x = right for the dependent coordinates of x, at given independent ones; `right` by
// rows, NULL: zero. After fa_loops_factor.
void fa_loops_solve(const fa_loops *loops, int cluster, const double right[], double x[],
                    const fa_loop_work *work);

// The transpose: y of the kept rows, zero elsewhere, so that (K^T y) equals `wanted` at dependent
// coordinates.
void fa_loops_solve_transposed(const fa_loops *loops, int cluster, const double wanted[],
                               double y[], fa_loop_work *work);

// Residual of each row at q; length of a closure's gap [m].
void   fa_loops_residual(const fa_loops *loops, const fa_chain *chain, const double q[],
                         fa_loop_work *work);
double fa_loops_gap(const fa_loops *loops, int constraint, const fa_loop_work *work);

// Moves all coordinates but the independent ones of `wishes` until the loops are closed, by damped
// Gauss-Newton steps, which begin anew beside the start where they come to rest with a loop open.
// Rows that contradict each other by less than a thousandth are left so. Allocates. A report where
// that fails.
bool fa_loops_assemble(const fa_chain *chain, fa_body body[], const fa_constraint constraint[],
                       int n, const fa_loop_wishes *wishes, double q[], fa_loop_report *report);

#endif
