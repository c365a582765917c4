// Whatever the bytes: a mesh is refused with a sentence, or has corners at finite numbers; it can
// be made coarser, and weighs something finite if it is closed.
#include <math.h>

#include "fuzz.h"
#include "mesh.h"
#include "visual.h"

enum { FEW = 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char  *path = fuzz_file(data, size);
    fa_triangle *triangle = NULL;
    size_t       n = 0;
    fa_error     error = {0};
    if (fa_mesh_read(path, &triangle, &n, &error) != FA_OK) {
        check(error.message[0] != '\0' && !triangle && n == 0);
        return 0;
    }
    check(n > 0);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) check(isfinite(vec3_norm(triangle[i].corner[k])));
    check(fa_triangles_thin(triangle, n, FEW) <= FEW);
    free(triangle);

    fa_solid solid;
    if (fa_mesh_solid(path, 0.001, 7850, "fuzz", FA_NOWHERE, NULL, &solid, &error) == FA_OK)
        check(isfinite(solid.mass) && solid.mass > 0);
    else
        check(error.message[0] != '\0');
    return 0;
}
