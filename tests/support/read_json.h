// A reader for the reference files: JSON text to a tree, numbers exact. It trusts its input, for
// these files are ours, and ends the test program with a sentence when something is not there.
#ifndef TEST_JSON_H
#define TEST_JSON_H

#include <stdbool.h>

typedef struct json json;

// The whole file; release with json_free.
json *json_read(const char *path);
void  json_free(json *tree);

// Members of objects by name, elements of arrays by index.
const json *json_member(const json *object, const char *name);
bool        json_has(const json *object, const char *name);
const json *json_element(const json *array, int index);
int         json_count(const json *array);

bool        json_is_null(const json *value);
double      json_number(const json *value);
const char *json_string(const json *value);

// The numbers of an array, however deep, into `out`, which has room for `room`. Gives how many.
int json_numbers(const json *array, double out[], int room);

#endif
