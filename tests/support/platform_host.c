// A small host for any of our platforms: loads an FMU's library and does what the lines of its
// standard input say. Numbers go in and out as the 16 hexadecimal digits of their bits, so that
// what two platforms print can be compared to the last one.
//
//     platform_host LIBRARY 2|3 TOKEN RESOURCES        RESOURCES as the standard wants it, - for
//     NULL
//
//     instance                    for Co-Simulation; releases the one before
//     set REFERENCE VALUE
//     true REFERENCE              a Boolean
//     initialize
//     step TIME SIZE
//     get REFERENCE...            prints a line
#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#include <fmi2Functions.h>
#include <fmi3Functions.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 65536

// Functions of the library; each pointer is NULL if it has no function of that name.
#define FMI2_LIST(X)                                                                               \
    X(Instantiate)                                                                                 \
    X(FreeInstance)                                                                                \
    X(SetupExperiment)                                                                             \
    X(EnterInitializationMode)                                                                     \
    X(ExitInitializationMode)                                                                      \
    X(SetReal) X(SetBoolean) X(GetReal) X(DoStep)
#define FMI3_LIST(X)                                                                               \
    X(InstantiateCoSimulation)                                                                     \
    X(FreeInstance)                                                                                \
    X(EnterInitializationMode)                                                                     \
    X(ExitInitializationMode)                                                                      \
    X(SetFloat64) X(SetBoolean) X(GetFloat64) X(DoStep)

typedef struct host {
    int         fmi;
    const char *token, *resources;
    void       *instance;
#define X(name) fmi2##name##TYPE *fmi2##name;
    FMI2_LIST(X)
#undef X
#define X(name) fmi3##name##TYPE *fmi3##name;
    FMI3_LIST(X)
#undef X
} host;

// ------------------------------------------------------------------------------------ the library

#if defined(_WIN32)

static void *load(const char *path)
{
    return (void *)LoadLibraryA(path);
}

static void find(void *library, const char *name, void *function)
{
    FARPROC address = GetProcAddress((HMODULE)library, name);
    memcpy(function, &address, sizeof address);
}

#else

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fprintf(stderr, "%s\n", dlerror());
    return library;
}

static void find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
}

#endif

static void tell2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)name;
    va_list rest;
    va_start(rest, message);
    fprintf(stderr, "%d %s: ", (int)status, category);
    vfprintf(stderr, message, rest);
    fputc('\n', stderr);
    va_end(rest);
}

static void tell3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message)
{
    (void)environment;
    fprintf(stderr, "%d %s: %s\n", (int)status, category, message);
}

// --------------------------------------------------------------------------------------- the lines

static void release(host *h)
{
    if (!h->instance) return;
    if (h->fmi == 2)
        h->fmi2FreeInstance(h->instance);
    else
        h->fmi3FreeInstance(h->instance);
    h->instance = NULL;
}

static bool instantiate(host *h)
{
    static const fmi2CallbackFunctions callbacks = {tell2, calloc, free, NULL, NULL};
    release(h);
    if (h->fmi == 2)
        h->instance = h->fmi2Instantiate("host", fmi2CoSimulation, h->token, h->resources,
                                         &callbacks, fmi2False, fmi2False);
    else
        h->instance = h->fmi3InstantiateCoSimulation("host", h->token, h->resources, false, false,
                                                     false, false, NULL, 0, NULL, tell3, NULL);
    return h->instance;
}

static bool initialize(host *h)
{
    if (h->fmi == 3)
        return h->fmi3EnterInitializationMode(h->instance, false, 0, 0, false, 0) == fmi3OK &&
               h->fmi3ExitInitializationMode(h->instance) == fmi3OK;
    return h->fmi2SetupExperiment(h->instance, fmi2False, 0, 0, fmi2False, 0) == fmi2OK &&
           h->fmi2EnterInitializationMode(h->instance) == fmi2OK &&
           h->fmi2ExitInitializationMode(h->instance) == fmi2OK;
}

static double number(const char *word)
{
    uint64_t bits = word ? strtoull(word, NULL, 16) : 0;
    double   value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned reference(const char *word)
{
    return word ? (unsigned)strtoul(word, NULL, 10) : 0;
}

static bool set(host *h, unsigned row, double value)
{
    if (h->fmi == 2) return h->fmi2SetReal(h->instance, &row, 1, &value) == fmi2OK;
    return h->fmi3SetFloat64(h->instance, &row, 1, &value, 1) == fmi3OK;
}

static bool set_true(host *h, unsigned row)
{
    const fmi2Boolean yes = fmi2True;
    const bool        value = true;
    if (h->fmi == 2) return h->fmi2SetBoolean(h->instance, &row, 1, &yes) == fmi2OK;
    return h->fmi3SetBoolean(h->instance, &row, 1, &value, 1) == fmi3OK;
}

static bool step(host *h, double time, double size)
{
    if (h->fmi == 2) return h->fmi2DoStep(h->instance, time, size, fmi2True) == fmi2OK;
    bool   event, terminate, early;
    double last;
    return h->fmi3DoStep(h->instance, time, size, true, &event, &terminate, &early, &last) ==
           fmi3OK;
}

static bool get(host *h)
{
    for (const char *word = strtok(NULL, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        unsigned row = reference(word);
        double   value;
        uint64_t bits;
        bool     told = h->fmi == 2 ? h->fmi2GetReal(h->instance, &row, 1, &value) == fmi2OK
                                    : h->fmi3GetFloat64(h->instance, &row, 1, &value, 1) == fmi3OK;
        if (!told) return false;
        memcpy(&bits, &value, sizeof bits);
        printf("%016" PRIx64 " ", bits);
    }
    printf("\n");
    return true;
}

static bool obey(host *h, const char *word)
{
    if (strcmp(word, "instance") == 0) return instantiate(h);
    if (!h->instance) return false;
    if (strcmp(word, "initialize") == 0) return initialize(h);
    if (strcmp(word, "get") == 0) return get(h);
    const char *first = strtok(NULL, " \r\n"), *second = strtok(NULL, " \r\n");
    if (strcmp(word, "set") == 0) return set(h, reference(first), number(second));
    if (strcmp(word, "true") == 0) return set_true(h, reference(first));
    if (strcmp(word, "step") == 0) return step(h, number(first), number(second));
    return false;
}

int main(int argc, char *argv[])
{
    static char line[LINE_SIZE];
    if (argc != 5) {
        fprintf(stderr, "platform_host LIBRARY 2|3 TOKEN RESOURCES\n");
        return 2;
    }
    host  h = {.fmi = argv[2][0] - '0',
               .token = argv[3],
               .resources = strcmp(argv[4], "-") == 0 ? NULL : argv[4]};
    void *library = load(argv[1]);
    if (!library) {
        fprintf(stderr, "%s cannot be loaded\n", argv[1]);
        return 1;
    }
#define X(name) find(library, "fmi2" #name, &h.fmi2##name);
    FMI2_LIST(X)
#undef X
#define X(name) find(library, "fmi3" #name, &h.fmi3##name);
    FMI3_LIST(X)
#undef X
    while (fgets(line, sizeof line, stdin)) {
        const char *word = strtok(line, " \r\n");
        if (word && !obey(&h, word)) {
            fprintf(stderr, "%s failed\n", word);
            return 1;
        }
    }
    release(&h);
    return 0;
}
