// Whatever the bytes: a mesh is refused with a sentence, or has corners at finite numbers; it can
// be made coarser, and weighs something finite if it is closed.
#include <math.h>

#include "decimate.h"
#include "fuzz.h"
#include "mesh.h"
#include "visual.h"

enum { FEW = 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    fa_mesh     mesh;
    fa_error    error = {0};
    if (fa_mesh_read(path, &mesh, &error) != FA_OK) {
        check(error.message[0] != '\0' && !mesh.triangle && mesh.n == 0);
        return 0;
    }
    check(mesh.n > 0 && mesh.n_parts > 0);
    size_t at = 0;
    for (int i = 0; i < mesh.n_parts; at += mesh.part[i++].n) check(mesh.part[i].first == at);
    check(at == mesh.n);
    for (size_t i = 0; i < mesh.n; i++)
        for (int k = 0; k < 3; k++) check(isfinite(vec3_norm(mesh.triangle[i].corner[k])));
    size_t left;
    if (fa_decimate(mesh.triangle, mesh.n, FEW, &left) == FA_OK) check(left <= mesh.n);
    fa_mesh_free(&mesh);

    fa_solid solid;
    if (fa_mesh_solid(path, 0.001, 7850, "fuzz", FA_NOWHERE, NULL, &solid, &error) == FA_OK)
        check(isfinite(solid.mass) && solid.mass > 0);
    else
        check(error.message[0] != '\0');
    return 0;
}
