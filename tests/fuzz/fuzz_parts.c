// Whatever the bytes: as a file of parts they are refused with a sentence or weigh something
// finite; as an <arm> that a link's weight is written into, refused or again an <arm>.
#include <math.h>
#include <string.h>

#include "fuzz.h"
#include "import.h"
#include "parts.h"

static void as_parts(const char *path)
{
    fa_parts parts;
    fa_error error = {0};
    if (fa_parts_read(path, NULL, &parts, &error) != FA_OK) {
        check(error.message[0] != '\0' && error.file[0] != '\0');
    } else {
        for (int i = 0; i < parts.n; i++) check(isfinite(parts.item[i].solid.mass));
    }
    fa_parts_free(&parts);
}

static void as_arm(const char *path)
{
    fa_part_item   link = {.kind = FA_PART_ITEM_LINK,
                           .name = "boom",
                           .solid = {.mass = 2, .inertia = {.xx = 1, .yy = 1, .zz = 1}}};
    const fa_parts parts = {.name = "fuzz", .n = 1, .item = &link};
    char          *text = NULL;
    size_t         size = 0;
    fa_robot      *robot = NULL;
    fa_error       error = {0};
    if (fa_parts_into_arm(&parts, path, NULL, &text, &size, &error) != FA_OK) {
        check(error.message[0] != '\0');
        return;
    }
    check(strlen(text) == size);
    fa_status status = fa_import_text(text, size, "fuzz", NULL, NULL, &robot, &error);
    check((status == FA_OK) == (robot != NULL));
    free(robot);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = fuzz_file(data, size);
    as_parts(path);
    as_arm(path);
    return 0;
}
