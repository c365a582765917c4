// Pixels as a PNG file.
#ifndef FA_PNG_H
#define FA_PNG_H

#include "raster.h"
#include "status.h"

// The file, released by the caller with free. `scale` pixels are one of the page's 1/96 inch.
fa_status fa_png_pack(const fa_raster *raster, double scale, char **data, size_t *size,
                      fa_error *error);

#endif
