// Rows of loops by their types. With d from P to S and, as seen in P, the velocity u and the
// acceleration w of S, its angular velocity and angular acceleration:
//
//     a row e on position      residual e.d       velocity e.u       acceleration e.w
//     a row e on orientation   residual e.theta   velocity e.omega   acceleration e.alpha
//     distance                 (d.d - L^2) / 2    d.u                d.w + u.u
//     relation                 sum of p(x)        p' x'              p' x'' + p'' x'^2
//     universal, e = b x a     a.b                e.omega            e.alpha + a.(omega x (omega x
//     b))
#include "loop_rows.h"

#include "sincos.h"

#include <math.h>
#include <string.h>

// Rows of Y, which rotates coordinates, turned about `axis` by the angle: half of it says so.
static fa_mat3 turn_rows(fa_mat3 Y, fa_vec3 axis, fa_vec3 axis_outside, double angle)
{
    double h, half_cosine;
    fa_sincos(0.5 * angle, &h, &half_cosine);
    const double s = 2 * h * half_cosine, less = 2 * h * h; // 1 - cosine, with all its digits
    const double a[3] = {axis.x, axis.y, axis.z};
    const double outside[3] = {axis_outside.x, axis_outside.y, axis_outside.z};
    fa_mat3      E;
    // cos Y + (1 - cos) a (a^T Y) - sin a~ Y
    for (int j = 0; j < 3; j++) {
        const double y0 = Y.m[0][j], y1 = Y.m[1][j], y2 = Y.m[2][j], along = less * outside[j];
        E.m[0][j] = y0 - less * y0 + a[0] * along + s * (a[2] * y1 - a[1] * y2);
        E.m[1][j] = y1 - less * y1 + a[1] * along + s * (a[0] * y2 - a[2] * y0);
        E.m[2][j] = y2 - less * y2 + a[2] * along + s * (a[1] * y0 - a[0] * y1);
    }
    return E;
}

static bool is_identity(const fa_mat3 *E) // of a rotation
{
    return E->m[0][0] == 1 && E->m[1][1] == 1 && E->m[2][2] == 1;
}

void fa_loop_poses(const fa_loops *loops, const fa_cluster *cluster, const fa_chain *chain,
                   const double q[], fa_loop_body body[])
{
    const fa_vec3      zero = {0, 0, 0};
    const fa_transform carrier = transform_identity();
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int           k = loops->body[cluster->first_body + i];
        const fa_body      *b = &chain->body[k];
        fa_loop_body       *to = &body[k];
        const bool          root = b->parent == cluster->carrier;
        const fa_transform *from = root ? &carrier : &body[b->parent].X;
        const double        position = fa_joint_position(b, q);
        const bool          turns = b->joint != FA_PRISMATIC;
        to->position = position;
        fa_mat3       Y = root                      ? b->home.E
                          : is_identity(&b->home.E) ? from->E
                                                    : mat3_mat3(b->home.E, from->E);
        fa_vec3       r = root ? b->home.r : vec3_add(from->r, mat3_tmul(from->E, b->home.r));
        const fa_vec3 axis = mat3_tmul(Y, b->axis);
        if (!turns)
            r = vec3_add(r, vec3_scale(position, axis));
        else if (b->joint == FA_SCREW)
            r = vec3_add(r, vec3_scale(b->advance * position, axis));
        if (turns && position != 0) Y = turn_rows(Y, b->axis, axis, position);
        to->X = (fa_transform){Y, r};
        // X^-1 S: the joint's axis about the carrier's origin, in its axes.
        const fa_vec3 scaled = vec3_scale(b->ratio, axis);
        if (!turns) {
            to->s = (fa_twist){zero, scaled};
        } else {
            to->s = (fa_twist){scaled, cross(r, scaled)};
            if (b->joint == FA_SCREW)
                to->s.linear = vec3_add(to->s.linear, vec3_scale(b->advance, scaled));
        }
        if (cluster->n_constraints == 0) to->v = (fa_twist){zero, zero};
    }
}

static fa_vec3 out_of(fa_transform X, fa_vec3 a)
{
    return mat3_tmul(X.E, a);
}

static fa_transform pose_of(const fa_loop_body body[], int k, int carrier, fa_transform frame)
{
    if (k == carrier) return frame;
    const fa_transform *X = &body[k].X;
    if (!is_identity(&frame.E)) return transform_compose(*X, frame);
    return (fa_transform){X->E, point_to_parent(*X, frame.r)};
}

static int directions(const fa_constraint *c, fa_loop_rows rows, fa_transform P, fa_vec3 e[])
{
    switch (rows) {
    case FA_ROWS_ALL:
        for (int i = 0; i < 3; i++) e[i] = vec3(P.E.m[i][0], P.E.m[i][1], P.E.m[i][2]);
        return 3;
    case FA_ROWS_ACROSS:
        e[0] = out_of(P, c->e1);
        e[1] = out_of(P, c->e2);
        return 2;
    case FA_ROWS_ALONG:
        e[0] = out_of(P, c->axis);
        return 1;
    case FA_ROWS_NONE:
        break;
    }
    return 0;
}

fa_loop_frames fa_loop_frames_at(const fa_constraint *c, const fa_chain *chain,
                                 const fa_loop_body body[], int carrier)
{
    const fa_loop_kind *kind = &fa_loop_kinds[c->type];
    fa_loop_frames      f = {.n_rows = c->n_rows};
    (void)chain;
    if (fa_loop_is_of_positions(c->type)) return f;
    f.P = pose_of(body, c->predecessor, carrier, c->from);
    f.S = pose_of(body, c->successor, carrier, c->to);
    f.d = vec3_sub(f.S.r, f.P.r);
    f.n_position = directions(c, kind->position, f.P, f.direction);
    int n = f.n_position;
    n += directions(c, kind->orientation, f.P, f.direction + n);
    if (c->type == FA_LOOP_DISTANCE) {
        f.direction[n] = f.d;
        f.n_position = 1;
    }
    if (c->type == FA_LOOP_UNIVERSAL)
        f.direction[n] = cross(out_of(f.S, c->second), out_of(f.P, c->axis));
    return f;
}

// The angles that S is turned by, as far as rows ask for them; exact to second order at closure.
// Beyond a right angle the vector grows on, so that the opposite orientation is no solution.
static fa_vec3 turned(fa_vec3 sine, double cosine)
{
    const double s = vec3_norm(sine);
    if (cosine >= 0.5 || s == 0) return sine;
    return vec3_scale(sqrt(2 - 2 * cosine) / s, sine); // twice the sine of half the angle
}

static fa_vec3 misalignment(const fa_constraint *c, const fa_loop_frames *f)
{
    if (fa_loop_kinds[c->type].orientation == FA_ROWS_ACROSS) {
        fa_vec3 a = out_of(f->P, c->axis), b = out_of(f->S, c->axis);
        if (dot(a, b) < -1 + 1e-12) return vec3_scale(3, out_of(f->P, c->e1)); // turn somewhere
        return turned(cross(a, b), dot(a, b));
    }
    // Half the axial vector of R_P^T R_S is half the sum of x_P x x_S, y_P x y_S, z_P x z_S.
    fa_vec3 sum = {0, 0, 0};
    double  trace = 0;
    for (int i = 0; i < 3; i++) {
        fa_vec3 a = {f->P.E.m[i][0], f->P.E.m[i][1], f->P.E.m[i][2]};
        fa_vec3 b = {f->S.E.m[i][0], f->S.E.m[i][1], f->S.E.m[i][2]};
        sum = vec3_add(sum, cross(a, b));
        trace += dot(a, b);
    }
    if (trace < -1 + 1e-12) return vec3_scale(3, f->direction[0]);
    return turned(vec3_scale(0.5, sum), 0.5 * (trace - 1));
}

// The derivative of that order of a polynomial, by Horner's rule.
static double polynomial(const double coefficient[], int order, double x)
{
    double sum = 0;
    for (int k = FA_RELATION_DEGREE; k >= order; k--) {
        double factor = coefficient[k];
        for (int i = 0; i < order; i++) factor *= k - i;
        sum = sum * x + factor;
    }
    return sum;
}

void fa_loop_row_residual(const fa_constraint *c, const fa_loops *loops, const fa_chain *chain,
                          const fa_loop_frames *f, const double q[], double residual[])
{
    switch (c->type) {
    case FA_LOOP_DISTANCE:
        residual[0] = 0.5 * (dot(f->d, f->d) - c->length * c->length);
        return;
    case FA_LOOP_RELATION:
        residual[0] = 0;
        for (int i = 0; i < c->n_terms; i++) {
            const double x = fa_joint_position(&chain->body[c->term[i].of], q);
            residual[0] += polynomial(c->term[i].coefficient, 0, x);
        }
        return;
    case FA_LOOP_COUPLING:
        residual[0] = 0;
        for (int i = 0; i < c->n_path; i++) {
            const fa_body *b = &chain->body[loops->path[c->first_path + i]];
            const double   factor = loops->side[c->first_path + i] > 0 ? 1 : -c->ratio;
            residual[0] += factor * fa_joint_position(b, q);
        }
        return;
    default:
        break;
    }
    for (int i = 0; i < f->n_position; i++) residual[i] = dot(f->direction[i], f->d);
    if (c->type == FA_LOOP_UNIVERSAL) {
        residual[3] = dot(out_of(f->P, c->axis), out_of(f->S, c->second));
        return;
    }
    if (f->n_position == f->n_rows) return;
    const fa_vec3 theta = misalignment(c, f);
    for (int i = f->n_position; i < f->n_rows; i++) residual[i] = dot(f->direction[i], theta);
}

// A row of first derivatives, one of second, one of third; a follower's by what it follows.
static void relation_jacobian(const fa_constraint *c, const fa_loops *loops, const fa_chain *chain,
                              const double q[], double K[])
{
    memset(K, 0, 3 * (size_t)c->n_column * sizeof *K);
    for (int p = 0; p < c->n_path; p++) {
        const fa_body *b = &chain->body[loops->path[c->first_path + p]];
        const double   x = fa_joint_position(b, q);
        const int      column = loops->path_column[c->first_path + p];
        double         ratio = 1;
        for (int order = 1; order <= 3; order++) {
            ratio *= b->ratio;
            K[(order - 1) * c->n_column + column] +=
                ratio * polynomial(c->term[p].coefficient, order, x);
        }
    }
}

// Computes the Jacobian of a row: the motion of S by each joint of the path, in P's axes.
void fa_loop_row_jacobian(const fa_constraint *c, const fa_loops *loops, const fa_chain *chain,
                          const fa_loop_frames *f, const fa_loop_body body[], const double q[],
                          const bool kept[], double K[])
{
    if (c->type == FA_LOOP_RELATION) {
        relation_jacobian(c, loops, chain, q, K);
        return;
    }
    memset(K, 0, (size_t)c->n_rows * (size_t)c->n_column * sizeof *K);
    for (int p = 0; p < c->n_path; p++) {
        const int k = loops->path[c->first_path + p];
        const int side = loops->side[c->first_path + p];
        const int column = loops->path_column[c->first_path + p];
        if (c->type == FA_LOOP_COUPLING) {
            K[column] += (side > 0 ? 1 : -c->ratio) * chain->body[k].ratio;
            continue;
        }
        const fa_vec3 turn = body[k].s.angular;
        const fa_vec3 move = vec3_add(body[k].s.linear, cross(turn, f->S.r));
        for (int i = 0; i < c->n_rows; i++)
            if (!kept || kept[i])
                K[i * c->n_column + column] +=
                    side * dot(f->direction[i], i < f->n_position ? move : turn);
    }
}

// Velocity and acceleration of the point r that moves with a body.
static fa_vec3 point_velocity(fa_twist v, fa_vec3 r)
{
    return vec3_add(v.linear, cross(v.angular, r));
}

static fa_vec3 point_acceleration(fa_twist v, fa_twist a, fa_vec3 r)
{
    return vec3_add(vec3_add(a.linear, cross(a.angular, r)),
                    cross(v.angular, point_velocity(v, r)));
}

void fa_loop_velocities(const fa_loops *l, const fa_cluster *cluster, const fa_chain *chain,
                        const double qd[], fa_loop_body body[])
{
    const fa_twist none = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < cluster->n_bodies; i++) {
        const int      b = l->body[cluster->first_body + i];
        const int      parent = chain->body[b].parent;
        const bool     outside = parent == cluster->carrier;
        const fa_twist vJ = twist_scale(qd[chain->body[b].coordinate], body[b].s);
        body[b].v = twist_add(outside ? none : body[parent].v, vJ);
        body[b].c = twist_add(outside ? none : body[parent].c, twist_cross(body[b].v, vJ));
    }
}

void fa_loop_row_bias(const fa_constraint *c, const fa_loops *loops, const fa_loop_frames *f,
                      const fa_loop_body body[], int carrier, const double qd[], const double K[],
                      double bias[])
{
    const fa_twist none = {{0, 0, 0}, {0, 0, 0}};
    if (fa_loop_is_of_positions(c->type)) {
        bias[0] = 0;
        for (int j = 0; j < c->n_column && c->type == FA_LOOP_RELATION; j++) {
            const double speed = qd[loops->column[c->first_column + j]];
            bias[0] += K[c->n_column + j] * speed * speed;
        }
        return;
    }
    const fa_twist vP = c->predecessor == carrier ? none : body[c->predecessor].v;
    const fa_twist aP = c->predecessor == carrier ? none : body[c->predecessor].c;
    const fa_twist vS = c->successor == carrier ? none : body[c->successor].v;
    const fa_twist aS = c->successor == carrier ? none : body[c->successor].c;
    const fa_vec3  at = f->S.r;
    const fa_vec3  u = vec3_sub(point_velocity(vS, at), point_velocity(vP, at));
    const fa_vec3  omega = vec3_sub(vS.angular, vP.angular);
    const fa_vec3  w =
        vec3_sub(vec3_sub(point_acceleration(vS, aS, at), point_acceleration(vP, aP, at)),
                 vec3_scale(2, cross(vP.angular, u)));
    const fa_vec3 alpha = vec3_sub(vec3_sub(aS.angular, aP.angular), cross(vP.angular, omega));
    for (int i = 0; i < c->n_rows; i++)
        bias[i] = dot(f->direction[i], i < f->n_position ? w : alpha);
    if (c->type == FA_LOOP_DISTANCE) bias[0] += dot(u, u);
    if (c->type == FA_LOOP_UNIVERSAL) {
        const fa_vec3 a = out_of(f->P, c->axis), b = out_of(f->S, c->second);
        bias[3] += dot(a, cross(omega, cross(omega, b)));
    }
}
