// The regressor: torques are linear in the parameters of the links, tau = Y(q, qd, qdd) phi, plus
// what rotors, friction and loads do.
#ifndef FA_REGRESSOR_H
#define FA_REGRESSOR_H

#include "dynamics.h"

// Parameters of a link, in this order, which is that of fa_inertia: mass; mass times centre of mass
// x, y, z; moments about the origin of the link's frame, elements xx, yy, zz, xy, xz, yz of the
// tensor. All in the axes of the link's frame.
enum { FA_REGRESSOR_COLUMNS = 10 };

// Their names: "mass", "mass_com.x" ... "origin_inertia.yz".
extern const char *const fa_regressor_names[FA_REGRESSOR_COLUMNS];

// Fills Y[n_coordinates][10 n_links], row by row, ten columns for each link. A link is part of body
// link_body[i] and stands in link_frame[i] of it, as fa_chain_build says; one that is bolted to the
// ground (FA_WORLD) has columns of zeros. `work`: fa_regressor_work_size bytes.
size_t fa_regressor_work_size(const fa_chain *chain);
void   fa_regressor(const fa_chain *chain, const double q[], const double qd[], const double qdd[],
                    int n_links, const int link_body[], const fa_transform link_frame[], double Y[],
                    void *work);

#endif
