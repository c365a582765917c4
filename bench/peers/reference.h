// Reference forward dynamics in 128 bits: the mass matrix by n + 1 inverse dynamics with vectors in
// world axes, then Gauss elimination. It shares no code with the methods under test.
#ifndef PEER_REFERENCE_H
#define PEER_REFERENCE_H

#include <quadmath.h>

#include "peer.h"

typedef __float128 wide;

enum { REFERENCE_MAX = 128 };

static inline void wide_cross(wide to[3], const wide a[3], const wide b[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

// Quantities independent of velocities: axes, origins and inertias of the bodies in world axes.
typedef struct wide_body {
    wide axis[3], origin[3], com[3], inertia[3][3];
    wide rotation[3][3]; // columns: the body's axes in world axes
} wide_body;

static inline void wide_frames(const peer_robot *r, const double q[], wide_body body[])
{
    for (int i = 0; i < r->n; i++) {
        const peer_body *b = &r->body[i];
        wide             home[3][3], turn[3][3], axis[3], length = 0, offset[3];
        for (int k = 0; k < 3; k++) length += (wide)b->axis[k] * b->axis[k];
        for (int k = 0; k < 3; k++) axis[k] = b->axis[k] / sqrtq(length);
        const wide c = b->prismatic ? 1 : cosq(q[i]), s = b->prismatic ? 0 : sinq(q[i]);
        const wide tilde[3][3] = {
            {0, -axis[2], axis[1]}, {axis[2], 0, -axis[0]}, {-axis[1], axis[0], 0}};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                home[j][k] = 0;
                for (int l = 0; l < 3; l++)
                    home[j][k] += i > 0 ? body[i - 1].rotation[j][l] * b->rotation[3 * l + k]
                                        : (j == l) * (wide)b->rotation[3 * l + k];
                turn[j][k] = (j == k) * c + s * tilde[j][k] + (1 - c) * axis[j] * axis[k];
            }
        for (int j = 0; j < 3; j++) {
            offset[j] = i > 0 ? body[i - 1].origin[j] : 0;
            for (int l = 0; l < 3; l++)
                offset[j] +=
                    i > 0 ? body[i - 1].rotation[j][l] * b->place[l] : (j == l) * (wide)b->place[l];
        }
        wide_body *w = &body[i];
        for (int j = 0; j < 3; j++) {
            w->axis[j] = 0;
            for (int k = 0; k < 3; k++) {
                w->axis[j] += home[j][k] * axis[k];
                w->rotation[j][k] = 0;
                for (int l = 0; l < 3; l++) w->rotation[j][k] += home[j][l] * turn[l][k];
            }
        }
        for (int j = 0; j < 3; j++) {
            w->origin[j] = offset[j] + (b->prismatic ? w->axis[j] * q[i] : 0);
            w->com[j] = w->origin[j];
            for (int k = 0; k < 3; k++) w->com[j] += w->rotation[j][k] * b->com[k];
        }
        const double *I = b->inertia;
        const wide    tensor[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++) {
                w->inertia[j][k] = 0;
                for (int l = 0; l < 3; l++)
                    for (int m = 0; m < 3; m++)
                        w->inertia[j][k] += w->rotation[j][l] * tensor[l][m] * w->rotation[k][m];
            }
    }
}

// Inverse dynamics; gravity g is an acceleration of the ground.
static inline void wide_inverse(const peer_robot *r, const wide_body body[], const wide qd[],
                                const wide qdd[], const wide g[3], wide tau[])
{
    // For each body, about its centre of mass.
    static wide force[REFERENCE_MAX][3], moment[REFERENCE_MAX][3];
    wide        w[3] = {0, 0, 0}, dw[3] = {0, 0, 0}, a[3] = {-g[0], -g[1], -g[2]};
    wide        at[3] = {0, 0, 0}, arm[3], t[3], u[3];
    for (int i = 0; i < r->n; i++) {
        const wide_body *b = &body[i];
        // The point of the parent that coincides with this body's origin.
        for (int k = 0; k < 3; k++) arm[k] = b->origin[k] - at[k];
        wide_cross(t, dw, arm);
        wide_cross(u, w, arm);
        wide wu[3];
        wide_cross(wu, w, u);
        for (int k = 0; k < 3; k++) a[k] += t[k] + wu[k];
        wide along[3];
        for (int k = 0; k < 3; k++) along[k] = b->axis[k] * qd[i];
        wide_cross(t, w, along);
        for (int k = 0; k < 3; k++) {
            if (r->body[i].prismatic) {
                a[k] += 2 * t[k] + b->axis[k] * qdd[i];
            } else {
                dw[k] += t[k] + b->axis[k] * qdd[i];
                w[k] += along[k];
            }
            at[k] = b->origin[k];
            arm[k] = b->com[k] - at[k];
        }
        wide_cross(t, dw, arm);
        wide_cross(u, w, arm);
        wide_cross(wu, w, u);
        wide L[3] = {0, 0, 0}, wL[3];
        for (int k = 0; k < 3; k++) {
            force[i][k] = r->body[i].mass * (a[k] + t[k] + wu[k]);
            moment[i][k] = 0;
            for (int l = 0; l < 3; l++) {
                moment[i][k] += b->inertia[k][l] * dw[l];
                L[k] += b->inertia[k][l] * w[l];
            }
        }
        wide_cross(wL, w, L);
        for (int k = 0; k < 3; k++) moment[i][k] += wL[k];
    }
    // Resultant of all bodies beyond, about the world's origin.
    wide f[3] = {0, 0, 0}, m[3] = {0, 0, 0};
    for (int i = r->n - 1; i >= 0; i--) {
        wide_cross(t, body[i].com, force[i]);
        for (int k = 0; k < 3; k++) {
            f[k] += force[i][k];
            m[k] += moment[i][k] + t[k];
        }
        wide_cross(t, body[i].origin, f);
        tau[i] = 0;
        for (int k = 0; k < 3; k++)
            tau[i] += body[i].axis[k] * (r->body[i].prismatic ? f[k] : m[k] - t[k]);
    }
}

static inline void wide_forward(const peer_robot *r, const double q[], const double qd[],
                                const double tau[], double qdd[])
{
    static wide_body body[REFERENCE_MAX];
    static wide      M[REFERENCE_MAX][REFERENCE_MAX + 1], column[REFERENCE_MAX];
    static wide      rate[REFERENCE_MAX], none[REFERENCE_MAX], unit[REFERENCE_MAX];
    const wide       g[3] = {r->gravity[0], r->gravity[1], r->gravity[2]}, zero[3] = {0, 0, 0};
    const int        n = r->n;
    wide_frames(r, q, body);
    for (int i = 0; i < n; i++) rate[i] = qd[i];
    memset(none, 0, sizeof none);
    memset(unit, 0, sizeof unit);
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        wide_inverse(r, body, none, unit, zero, column);
        unit[j] = 0;
        for (int i = 0; i < n; i++) M[i][j] = column[i];
    }
    wide_inverse(r, body, rate, none, g, column);
    for (int i = 0; i < n; i++) M[i][n] = tau[i] - column[i];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const wide l = M[i][k] / M[k][k];
            for (int j = k; j <= n; j++) M[i][j] -= l * M[k][j];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) M[i][n] -= M[i][j] * M[j][n];
        M[i][n] /= M[i][i];
        qdd[i] = (double)M[i][n];
    }
}

#endif
