// Whatever the bytes: as a serialised state they are refused with a sentence, or the instance goes
// on from there and can be saved again.
//
// The first byte says which instance; the others are what a good state is changed by. After an odd
// one they change its values alone and the checksum is made to fit, so that more than that is put
// to the test.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>
#include <stdio.h>
#include <string.h>

#include "fmu_help.h"
#include "fuzz.h"
#include "import.h"

static const struct {
    const char *robot;
    bool        arrays;
    fa_kind     kind;
} ROWS[] = {
    {"double_pendulum", false, FA_CO_SIMULATION},    {"cmu_dd_arm", false, FA_MODEL_EXCHANGE},
    {"patu655_lift_valve", false, FA_CO_SIMULATION}, {"patu655_lift_axis", false, FA_CO_SIMULATION},
    {"serpenoid", true, FA_CO_SIMULATION},
};
enum { N = sizeof ROWS / sizeof *ROWS };

static fa_instance   *instance[N];
static fmu_host       host[N];
static unsigned char *whole[N]; // a state as it should be
static size_t         sizes[N];

static void make(int i)
{
    char      path[512];
    fa_robot *robot = NULL;
    fa_error  error = {0};
    (void)snprintf(path, sizeof path, "%s/%s.xml", ROBOTS, ROWS[i].robot);
    check(fa_import(path, NULL, NULL, &robot, &error) == FA_OK);
    instance[i] = fmu_robot_new(robot, 3, ROWS[i].arrays, ROWS[i].kind, &host[i]);
    free(robot);
    fmu_go_to(3, ROWS[i].kind, instance[i],
              ROWS[i].kind == FA_CO_SIMULATION ? FA_MODE_STEP : FA_MODE_CONTINUOUS_TIME);
    fmi3FMUState state = NULL;
    check(fmi3GetFMUState(instance[i], &state) == fmi3OK);
    check(fmi3SerializedFMUStateSize(instance[i], state, &sizes[i]) == fmi3OK);
    whole[i] = malloc(sizes[i]);
    check(whole[i] && fmi3SerializeFMUState(instance[i], state, whole[i], sizes[i]) == fmi3OK);
    check(fmi3FreeFMUState(instance[i], &state) == fmi3OK);
}

// As saved_state.c does it; the sum stands right before the changing part.
static void seal(unsigned char bytes[], size_t size, size_t moment)
{
    uint64_t sum = 14695981039346656037u;
    memset(bytes + moment - sizeof sum, 0, sizeof sum);
    for (size_t i = 0; i < size; i++) sum = (sum ^ bytes[i]) * 1099511628211u;
    memcpy(bytes + moment - sizeof sum, &sum, sizeof sum);
}

// Everything is calculated once. Steps are taken from values as they were: with others the
// equations may be as stiff as anybody likes, and one step may take forever.
static void go_on(fa_instance *self, bool step)
{
    fmi3FMUState again = NULL;
    bool         early, event, terminate;
    double       time;
    size_t       n;
    fa_error     error = fa_no_error();
    check(fmi3GetFMUState(self, &again) == fmi3OK);
    check(fmi3SerializedFMUStateSize(self, again, &n) == fmi3OK);
    check(fmi3FreeFMUState(self, &again) == fmi3OK);
    (void)fa_refresh(self, FA_GROUP_ALL, &error);
    const bool patient = self->moment->tolerance == 0 || self->moment->tolerance >= 1e-10;
    if (!step || !patient || self->moment->mode != FA_MODE_STEP) return;
    const double now = self->value[self->time_row];
    (void)fmi3DoStep(self, now, 1e-4, true, &event, &terminate, &early, &time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!instance[0])
        for (int i = 0; i < N; i++) make(i);
    if (size == 0) return 0;
    const int    i = data[0] / 2 % N;
    fa_instance *self = instance[i];
    const size_t moment = sizes[i] - self->moment_size;
    check(fmi3Reset(self) == fmi3OK);
    fmi3FMUState state = NULL;
    fmi3Status   status;
    data++;
    size--;
    const bool     sealed = data[-1] % 2 == 1;
    const size_t   length = sealed ? sizes[i] : size, from = sealed ? moment : 0;
    unsigned char *bytes = calloc(length + 1, 1);
    check(bytes != NULL);
    memcpy(bytes, whole[i], length < sizes[i] ? length : sizes[i]);
    for (size_t k = 0; k < size && from + k < length; k++) bytes[from + k] ^= data[k];
    if (sealed) seal(bytes, sizes[i], moment);
    status = fmi3DeserializeFMUState(self, bytes, length, &state);
    free(bytes);
    if (status == fmi3OK) {
        if (fmi3SetFMUState(self, state) == fmi3OK)
            go_on(self, !sealed || size <= sizeof(fa_moment));
        else
            check(host[i].message[0] != '\0');
        check(fmi3FreeFMUState(self, &state) == fmi3OK);
    } else {
        check(!state && host[i].message[0] != '\0');
    }
    // A length that the state has changed is no longer that of `whole`.
    if (self->block) {
        fmu_free(3, self);
        free(whole[i]);
        make(i);
    }
    return 0;
}
