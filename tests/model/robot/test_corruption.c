// The default robot's file and its saved state, with every byte changed and cut off at every
// length: refused with a sentence, always.
//
//     test_corruption [VALUES]     of each byte: 2 if not said, 8 (its single bits) or all 255
//     others
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fmi3Functions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fmu_help.h"
#include "import.h"
#include "robot_file.h"

#define DEFAULT_ROBOT "../resources/robots/puma560.xml"

static int values = 2; // of each byte

// Returns the mask that the byte is combined with by exclusive or.
static unsigned char change(int k)
{
    if (values == 2) return k == 0 ? 0x01 : 0x10;
    return (unsigned char)(values == 8 ? 1 << k : k + 1);
}

typedef struct bytes {
    char  *of;
    size_t n;
    char   folder[64];
    char   token[FA_TOKEN_SIZE];
} bytes;

static bytes robot_file(void)
{
    const fa_options options = {.fmi = 3, .identifier = "puma560"};
    bytes            file = {.folder = "/tmp/forearm_corruption_XXXXXX"};
    fa_robot        *robot;
    fa_error         error = fa_no_error();
    if (fa_import(DEFAULT_ROBOT, NULL, NULL, &robot, &error) != FA_OK)
        fail_msg("%s", error.message);
    assert_int_equal(fa_robot_file_write(robot, &options, &file.of, &file.n, NULL), FA_OK);
    fa_robot_file_token(file.of, file.n, file.token);
    free(robot);
    assert_non_null(mkdtemp(file.folder));
    return file;
}

// Puts so many of the bytes where an FMU finds them, and makes an instance.
static void *instance_of(const bytes *file, size_t n, fmu_host *host)
{
    char path[128];
    snprintf(path, sizeof path, "%s/robot.forearm", file->folder);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file->of, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    return fmu_new_at(3, FA_CO_SIMULATION, host, file->folder, file->token);
}

static void give_away(bytes *file)
{
    char path[128];
    snprintf(path, sizeof path, "%s/robot.forearm", file->folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(file->folder), 0);
    free(file->of);
}

// Its digest is another one, whatever the change, so no FMU takes it. Without the digest it is
// refused by what it says, or is another robot, written the one way in which that can be written.
static void check_changed(const bytes *file, long *other_robots)
{
    char       token[FA_TOKEN_SIZE], *text;
    size_t     size;
    fa_robot  *robot;
    fa_options options;
    fa_error   error = {.message = ""};
    fa_robot_file_token(file->of, file->n, token);
    assert_string_not_equal(token, file->token);
    if (fa_robot_file_read(file->of, file->n, &robot, &options, &error) != FA_OK) {
        assert_true(error.message[0] != '\0');
        return;
    }
    assert_int_equal(fa_robot_file_write(robot, &options, &text, &size, NULL), FA_OK);
    assert_int_equal(size, file->n);
    assert_memory_equal(text, file->of, size);
    free(text);
    free(robot);
    ++*other_robots;
}

static void no_changed_byte_of_the_robot_file_passes(void **state)
{
    (void)state;
    bytes file = robot_file();
    long  others = 0;
    for (size_t i = 0; i < file.n; i++)
        for (int k = 0; k < values; k++) {
            file.of[i] = (char)(file.of[i] ^ change(k));
            check_changed(&file, &others);
            file.of[i] = (char)(file.of[i] ^ change(k));
        }
    print_message("%zu bytes, %d values each: %ld are other robots, by their bytes alone\n", file.n,
                  values, others);
    assert_true(others > 0 && others < (long)file.n * values / 2);
    fmu_host host;
    fmu_free(3, instance_of(&file, file.n, &host)); // unchanged, it is taken
    give_away(&file);
}

// The same through the door that a host uses, with one change for each byte.
static void no_instance_is_made_of_one(void **state)
{
    (void)state;
    bytes file = robot_file();
    for (size_t i = 0; i < file.n; i++) {
        fmu_host host;
        file.of[i] = (char)(file.of[i] ^ 1);
        assert_null(instance_of(&file, file.n, &host));
        assert_non_null(strstr(host.message, "belongs to another robot"));
        file.of[i] = (char)(file.of[i] ^ 1);
    }
    give_away(&file);
}

static void no_instance_is_made_of_a_part(void **state)
{
    (void)state;
    bytes file = robot_file();
    for (size_t n = 0; n < file.n; n++) {
        fmu_host   host;
        fa_robot  *robot;
        fa_options options;
        fa_error   error = {.message = ""};
        assert_null(instance_of(&file, n, &host));
        assert_non_null(strstr(host.message, "belongs to another robot"));
        assert_int_equal(fa_robot_file_read(file.of, n, &robot, &options, &error), FA_BAD_INPUT);
        assert_true(error.message[0] != '\0');
    }
    give_away(&file);
}

// ------------------------------------------------------------------------------------------ states

static void run(fa_instance *self, double value[])
{
    for (int i = 1; i < 4; i++)
        assert_int_equal(fa_instance_step(self, i * 0.01, 0.01, &(fa_step_end){0}), FA_DONE);
    memcpy(value, self->value, (size_t)self->states.rows * sizeof *value);
}

static void no_changed_byte_or_part_of_a_state_passes(void **state)
{
    (void)state;
    bytes        file = robot_file();
    fmu_host     host;
    fa_instance *self = instance_of(&file, file.n, &host);
    assert_non_null(self);
    fmu_go_to(3, FA_CO_SIMULATION, self, FA_MODE_STEP);
    assert_int_equal(fa_instance_step(self, 0, 0.01, &(fa_step_end){0}), FA_DONE);
    fmi3FMUState saved = NULL, made = NULL;
    size_t       n;
    assert_int_equal(fmi3GetFMUState(self, &saved), fmi3OK);
    assert_int_equal(fmi3SerializedFMUStateSize(self, saved, &n), fmi3OK);
    unsigned char *text = malloc(n + 1);
    double        *want = malloc((size_t)self->states.rows * sizeof *want);
    double        *got = malloc((size_t)self->states.rows * sizeof *got);
    assert_true(text && want && got);
    assert_int_equal(fmi3SerializeFMUState(self, saved, text, n), fmi3OK);
    run(self, want);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < values; k++) {
            host.message[0] = '\0';
            text[i] ^= change(k);
            assert_int_equal(fmi3DeserializeFMUState(self, text, n, &made), fmi3Error);
            assert_true(!made && host.message[0] != '\0');
            text[i] ^= change(k);
        }
    for (size_t cut = 0; cut <= n + 1; cut++) {
        if (cut == n) continue;
        host.message[0] = '\0';
        text[n] = 0;
        assert_int_equal(fmi3DeserializeFMUState(self, text, cut, &made), fmi3Error);
        assert_true(!made && host.message[0] != '\0');
    }
    print_message("%zu bytes of a state, %d values each\n", n, values);
    // None of it has done anything.
    assert_int_equal(fmi3DeserializeFMUState(self, text, n, &made), fmi3OK);
    assert_int_equal(fmi3SetFMUState(self, made), fmi3OK);
    run(self, got);
    assert_memory_equal(got, want, (size_t)self->states.rows * sizeof *got);
    assert_int_equal(fmi3FreeFMUState(self, &saved), fmi3OK);
    assert_int_equal(fmi3FreeFMUState(self, &made), fmi3OK);
    free(text);
    free(want);
    free(got);
    fmu_free(3, self);
    give_away(&file);
}

int main(int argc, char **argv)
{
    if (argc > 1) values = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_changed_byte_of_the_robot_file_passes),
        cmocka_unit_test(no_instance_is_made_of_one),
        cmocka_unit_test(no_instance_is_made_of_a_part),
        cmocka_unit_test(no_changed_byte_or_part_of_a_state_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
