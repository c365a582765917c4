// Whatever the bytes: a table is refused with a sentence that has a place, or gives finite numbers.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool claim)
{
    if (!claim) abort();
}

static fa_status read_all(fa_csv *csv, double value[], fa_error *error)
{
    for (;;) {
        bool      more;
        fa_status status = fa_csv_next(csv, value, &more, error);
        if (status != FA_OK || !more) return status;
        for (int i = 0; i < csv->n; i++) check(isfinite(value[i]) && csv->place[i].column > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0; // fmemopen refuses it
    FILE *file = fmemopen((void *)data, size, "rb");
    check(file != NULL);
    fa_csv    csv;
    fa_error  error = {.message = ""};
    fa_status status = fa_csv_begin(file, "fuzz", &csv, &error);
    if (status == FA_OK) {
        double *value = calloc((size_t)csv.n, sizeof *value);
        check(value && csv.n > 0);
        status = read_all(&csv, value, &error);
        free(value);
    }
    check(status == FA_OK || (status == FA_BAD_INPUT && error.message[0] && error.file[0]));
    fa_csv_close(&csv);
    return 0;
}
