// Writes tables as arrays of NumPy: a .npy file holds one array of records, a .npz file an array
// for each column. A file is written beside and renamed when complete.
#ifndef FA_ARRAYS_H
#define FA_ARRAYS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "status.h"

// A column: `count` numbers of each record, 1: one; otherwise it has a further axis.
typedef struct fa_array_field {
    char  *name;
    size_t count;
    bool   shown; // false: a column before it has its name
} fa_array_field;

// The sentence that a record gives on its failure.
typedef struct fa_array_message {
    uint64_t record;
    char    *text;
} fa_array_message;

typedef struct fa_arrays {
    const char       *path;
    bool              packed;   // .npz
    bool              messages; // columns `status` and `message`
    fa_array_field   *field;
    size_t            n_fields, field_room;
    fa_array_message *message;
    size_t            n_messages, message_room;
    FILE             *spool; // all records; the columns are collected from it at the end
    uint64_t          records;
    const double     *axis; // .npz: a further array, which all records share; NULL: none
    size_t            n_axis;
    const char       *axis_name;
    fa_status         status;
    fa_error         *error; // receives the first failure
} fa_arrays;

// Returns true if the path ends in .npy or .npz.
bool fa_arrays_wanted(const char *path);

// Begins arrays at `path`. After a failure all calls do nothing, and fa_arrays_keep returns the
// failure. `path` and `error` must outlive the arrays.
void fa_arrays_create(const char *path, fa_arrays *arrays, fa_error *error);

// Adds a column, before the first record. A column whose name is there already is left out.
void fa_arrays_add(fa_arrays *arrays, const char *name, const char *part, size_t count);

// Adds numbers to the record, in the order of the columns; and ends it. `message`: the record has
// failed, and why; NULL: it has not.
void fa_arrays_put(fa_arrays *arrays, const double number[], size_t n);
void fa_arrays_end_record(fa_arrays *arrays, const char *message);

// Completes and renames the file; after a failure there is none.
fa_status fa_arrays_keep(fa_arrays *arrays);
void      fa_arrays_drop(fa_arrays *arrays);

#endif
