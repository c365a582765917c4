// For which arms code that was written for one arm is taken: those of its geometry alone.
#include "test.h"

#include "chain.h"
#include "random.h"
#include "special.h"

enum { N = 3 };

// In the place of special.c, as in the sources of an FMU with code of its own: for any parameters,
// and for those whose second body has no mass.
static double      written[FA_SPECIAL_GEOMETRY * N];
static const short no_mass[] = {FA_SPECIAL_PER_BODY};

const fa_special fa_special_code[FA_SPECIAL_VERSIONS] = {
    {.n = N, .geometry = written, .n_zeros = 1, .zero = no_mass},
    {.n = N, .geometry = written},
};
const int fa_special_count = 2;

static void draw(fa_body body[N])
{
    uint64_t seed = 4;
    for (int i = 0; i < N; i++)
        body[i] = (fa_body){.parent = i - 1,
                            .joint = FA_REVOLUTE,
                            .axis = random_axis(&seed),
                            .home = random_place(&seed, 1),
                            .inertia = {.mass = 1 + i},
                            .coordinate = i,
                            .ratio = 1};
}

static void code_is_for_arms_of_its_geometry(void **state)
{
    fa_body  body[N];
    fa_chain chain = {.n = N, .n_coordinates = N, .body = body};
    (void)state;
    draw(body);
    fa_special_geometry(&chain, written);
    assert_ptr_equal(fa_special_for(&chain), &fa_special_code[1]);
    body[1].inertia.mass = 0; // masses are parameters, and the first that fits is the fastest
    assert_ptr_equal(fa_special_for(&chain), &fa_special_code[0]);
    for (int i = 0; i < N; i++) {
        double *const number[] = {
            &body[i].axis.x,   &body[i].axis.y,   &body[i].axis.z,         &body[i].home.r.x,
            &body[i].home.r.y, &body[i].home.r.z, &body[i].home.E.m[0][1], &body[i].home.E.m[2][2]};
        const fa_body was = body[i];
        for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
            *number[k] += 1e-9;
            assert_null(fa_special_for(&chain));
            body[i] = was;
        }
        body[i].joint = FA_PRISMATIC;
        assert_null(fa_special_for(&chain));
        body[i] = was;
        body[i].parent = i == 2 ? 0 : 1;
        assert_null(fa_special_for(&chain));
        body[i] = was;
    }
    assert_ptr_equal(fa_special_for(&chain), &fa_special_code[0]);
    chain.coupled = true;
    assert_null(fa_special_for(&chain));
    chain.coupled = false;
    chain.n = N - 1;
    assert_null(fa_special_for(&chain));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_for_arms_of_its_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
