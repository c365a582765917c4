// Stands in for libFuzzer: runs a fuzz program on the files of the folders named, and on mutations
// of them that are the same every time.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUTATIONS 100     // of each seed; a second or two in all under sanitizers
#define MAX_SIZE  1000000 // bytes of a seed

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// xorshift64*: the same numbers on every machine.
static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

// Bytes that mean something in the formats tested.
static const char TELLING[] = "<>/\"'=& .,-+eE0x9[]#\n\t\xff";

// A few edits: a byte changed, bytes removed, doubled or cut off. Gives the new size, at most twice
// the old one.
static size_t mutate(uint8_t *data, size_t size, uint64_t *seed)
{
    for (int edits = 1 + (int)(next(seed) % 4); edits > 0 && size > 0; edits--) {
        size_t at = next(seed) % size;
        size_t some = 1 + next(seed) % 16;
        if (some > size - at) some = size - at;
        switch (next(seed) % 5) {
        case 0:
            data[at] ^= (uint8_t)(1u << next(seed) % 8);
            break;
        case 1:
            data[at] = (uint8_t)TELLING[next(seed) % (sizeof TELLING - 1)];
            break;
        case 2:
            memmove(data + at, data + at + some, size - at - some);
            size -= some;
            break;
        case 3:
            memmove(data + at + some, data + at, size - at);
            size += some;
            break;
        default:
            if (next(seed) % 8 == 0) size = at;
            break;
        }
    }
    return size;
}

static long replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    uint8_t *seed = malloc(MAX_SIZE), *mutant = malloc(2 * MAX_SIZE);
    long     runs = 0;
    if (seed && mutant) {
        size_t   size = fread(seed, 1, MAX_SIZE, file);
        uint64_t state = 1 + size;
        LLVMFuzzerTestOneInput(seed, size);
        for (runs = 1; runs <= MUTATIONS; runs++) {
            memcpy(mutant, seed, size);
            LLVMFuzzerTestOneInput(mutant, mutate(mutant, size, &state));
        }
    }
    free(mutant);
    free(seed);
    fclose(file);
    return runs;
}

int main(int argc, char **argv)
{
    long runs = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            fprintf(stderr, "replay: there is no folder %s\n", argv[i]);
            return 1;
        }
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (entry->d_name[0] != '.') runs += replay(path);
        }
        closedir(folder);
    }
    printf("%ld inputs\n", runs);
    return runs == 0;
}
