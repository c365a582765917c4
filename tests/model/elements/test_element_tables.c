// The lists of elements: units, texts, defaults, rules, flags.
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "elements.h"
#include "laws.h"

static const fa_element *friction(void)
{
    return &fa_elements[FA_ELEMENT_friction];
}

static const fa_item *item_named(const fa_element *e, const char *name)
{
    for (int i = 0; i < e->n_items; i++)
        if (strcmp(e->item[i].name, name) == 0) return &e->item[i];
    return NULL;
}

// Laws read their block by the order of the list: reals, flags, tables.
static void lists_keep_their_order(void **state)
{
    (void)state;
    for (int k = 0; k < fa_element_count; k++) {
        const fa_element *e = &fa_elements[k];
        int               last = 0, group = 0;
        for (int i = 0; i < e->n_items; i++) {
            const int kind = e->item[i].kind;
            const int now = kind <= FA_ITEM_MODE       ? 0
                            : kind <= FA_ITEM_SHORTCUT ? 1
                            : kind == FA_ITEM_TABLE    ? 2
                                                       : 3;
            if (now < group) fail_msg("%s: %s stands too late", e->name, e->item[i].name);
            if (kind == FA_ITEM_NUMBER && last > FA_ITEM_NUMBER)
                fail_msg("%s: the number %s stands too late", e->name, e->item[i].name);
            group = now;
            last = kind;
        }
        assert_true(e->n_reals <= 64 && e->n_flags <= 32);
        assert_true(e->in_size <= 128 * sizeof(double));
        assert_true(e->in_size >= (size_t)e->n_reals * sizeof(double));
    }
}

static bool has_real(const fa_element *e, const char *name)
{
    return fa_element_real_index(e, name, strlen(name)) >= 0;
}

// Everything that a list refers to is in it.
static void lists_name_what_is_there(void **state)
{
    (void)state;
    for (int k = 0; k < fa_element_count; k++) {
        const fa_element *e = &fa_elements[k];
        int               states = 0, rates = 0;
        for (int i = 0; i < e->n_items; i++) {
            const fa_item *item = &e->item[i];
            if (item->when)
                assert_true(fa_element_flag_index(e, item->when, strlen(item->when)) >= 0);
            if (item->as) assert_true(has_real(e, item->as->number));
            if (item->as && item->as->unsaid) assert_true(has_real(e, item->as->unsaid));
            if (item->as && item->as->over) assert_true(has_real(e, item->as->over));
            const bool ranges = item->kind == FA_ITEM_INPUT || item->kind == FA_ITEM_STATE;
            assert_int_equal(ranges, item->range != NULL);
            if (ranges && item->range->bound_by) assert_true(has_real(e, item->range->bound_by));
            if (item->kind == FA_ITEM_NUMBER_OF) {
                const fa_element *other = fa_element_named(item->xml);
                assert_non_null(other);
                assert_true(fa_element_real_index(other, item->name, strlen(item->name)) >= 0);
            }
            if (item->kind == FA_ITEM_TURNING)
                assert_true(fa_element_flag_index(e, item->name, strlen(item->name)) >= 0);
            states += item->kind == FA_ITEM_STATE;
            rates += item->kind == FA_ITEM_RESULT && item->type == FA_RESULT_RATE;
        }
        assert_int_equal(states, rates);
    }
}

static void units_follow_the_joint(void **state)
{
    const fa_element *e = friction();
    const fa_item    *viscous = item_named(e, "viscous"), *width = item_named(e, "width");
    fa_friction_in    in = {0};
    (void)state;
    assert_int_equal(fa_element_unit(e, viscous, &in, false),
                     FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN);
    assert_int_equal(fa_element_unit(e, viscous, &in, true), FA_UNIT_NEWTON_SECOND_PER_METRE);
    assert_int_equal(fa_element_unit(e, width, &in, true), FA_UNIT_METRE_PER_SECOND);
    in.on_motor = 1; // a motor turns, whatever its joint does
    assert_int_equal(fa_element_unit(e, viscous, &in, true),
                     FA_UNIT_NEWTON_METRE_SECOND_PER_RADIAN);
    const fa_element *motor = &fa_elements[FA_ELEMENT_motor];
    assert_int_equal(fa_element_unit(motor, item_named(motor, "resistance"), NULL, true),
                     FA_UNIT_OHM);
    assert_int_equal(fa_element_unit(motor, item_named(motor, "torque"), NULL, true),
                     FA_UNIT_NEWTON);
}

static void check_text(const fa_element *e, const char *text, const void *in, bool slides,
                       const char *wanted)
{
    char got[256];
    fa_item_text(e, text, in, slides, "joint elbow", got, sizeof got);
    assert_string_equal(got, wanted);
}

static void texts_follow_flags_and_joint(void **state)
{
    const fa_element *e = friction(), *torque = &fa_elements[FA_ELEMENT_torque];
    fa_friction_in    in = {0};
    (void)state;
    const char *about = item_named(e, "viscous")->about;
    check_text(e, about, &in, false, "Effort against the motion of joint elbow per unit of speed");
    in.on_motor = 1;
    check_text(e, about, &in, false,
               "Effort against the motion of the motor of joint elbow per unit of speed");
    check_text(e, item_named(e, "slip")->about, &in, false,
               "1 or -1: joint elbow slips that way; 0: it sticks");
    check_text(torque, item_named(torque, "asked")->row, NULL, false, "torque");
    check_text(torque, item_named(torque, "asked")->row, NULL, true, "force");
    char small[12];
    fa_item_text(e, about, &in, false, "joint elbow", small, sizeof small);
    assert_string_equal(small, "Effort agai");
}

static void what_the_file_leaves_out_follows(void **state)
{
    const fa_element *e = friction();
    fa_friction_in    in = {.coulomb = 2, .coulomb_negative = 3, .breakaway = 4};
    bool              said[64] = {false};
    (void)state;
    assert_true(fa_element_usual(e, item_named(e, "width"), &in, said) == 0.01);
    assert_true(fa_element_usual(e, item_named(e, "coulomb_negative"), &in, said) == 2);
    // As the other sense where that is said, else as the Coulomb level of this one.
    const fa_item *negative = item_named(e, "breakaway_negative");
    assert_true(fa_element_usual(e, negative, &in, said) == 3);
    said[fa_element_real_index(e, "breakaway", strlen("breakaway"))] = true;
    assert_true(fa_element_usual(e, negative, &in, said) == 4);
}

// Time over which an integral gives way: kd / kp; with no kp there is no such time.
static void a_quotient_follows_from_both_numbers(void **state)
{
    const fa_element *servo = &fa_elements[FA_ELEMENT_servo];
    fa_servo_in       in = {.kp = 8, .kd = 2};
    const bool        said[64] = {false};
    (void)state;
    assert_true(fa_element_usual(servo, item_named(servo, "antiwindup"), &in, said) == 0.25);
    in.kp = 0;
    assert_true(isnan(fa_element_usual(servo, item_named(servo, "antiwindup"), &in, said)));
}

static void refuse(const fa_element *e, const void *in, const char *sentence)
{
    fa_error error = fa_no_error();
    assert_int_equal(fa_element_check(e, in, "joint 'elbow'", "arm.xml", (fa_place){7, 3}, &error),
                     FA_BAD_INPUT);
    if (!strstr(error.message, sentence)) fail_msg("%s", error.message);
    assert_int_equal(error.place.line, 7);
}

static void rules_are_kept(void **state)
{
    fa_friction_in f = {.width = 0.01, .stribeck = 0.01};
    fa_error       error = fa_no_error();
    (void)state;
    assert_int_equal(fa_element_check(friction(), &f, "joint 'elbow'", NULL, FA_NOWHERE, &error),
                     FA_OK);
    f.viscous = -1;
    refuse(friction(), &f,
           "the viscous_friction of joint 'elbow' is -1; it must be a finite number "
           "and not negative");
    f.viscous = NAN;
    refuse(friction(), &f, "the viscous_friction of joint 'elbow' is");
    f = (fa_friction_in){.width = 0, .stribeck = 0.01};
    refuse(friction(), &f,
           "the friction_width of joint 'elbow' is 0; it must be a finite number "
           "above zero");
    f = (fa_friction_in){.width = 0.01, .stribeck = 0.01, .coulomb = 2, .sticks = 1};
    refuse(friction(), &f, "joint 'elbow' has a static friction below its Coulomb friction");

    fa_motor_in       m = {.resistance = 1,
                           .torque_constant = 1,
                           .efficiency = 1,
                           .efficiency_back = 1,
                           .voltage_limit = INFINITY,
                           .current_limit = INFINITY,
                           .gear = 1};
    const fa_element *motor = &fa_elements[FA_ELEMENT_motor];
    assert_int_equal(fa_element_check(motor, &m, "joint 'elbow'", NULL, FA_NOWHERE, &error), FA_OK);
    m.efficiency = 1.5;
    refuse(motor, &m,
           "the efficiency of joint 'elbow' is 1.5; it must be a share, above 0 and at "
           "most 1");
    m.efficiency = 1;
    m.torque_constant = 0;
    refuse(motor, &m, "it must be a finite number other than zero");
    m.torque_constant = 1;
    m.resistance = INFINITY;
    refuse(motor, &m, "the resistance of joint 'elbow' is inf");
    m.resistance = 1;
    m.gear = 0;
    refuse(motor, &m, "the motor of joint 'elbow' has the gear ratio 0");
}

// Returns true if a number obeys a rule, implemented independently.
static bool is_allowed(fa_item_rule rule, double x)
{
    switch (rule) {
    case FA_RULE_FINITE:
        return fabs(x) < INFINITY;
    case FA_RULE_NOT_ZERO:
        return fabs(x) < INFINITY && fabs(x) > 0;
    case FA_RULE_NOT_NEGATIVE:
        return !(x < 0) && x < INFINITY;
    case FA_RULE_ABOVE_ZERO:
        return !(x <= 0) && x < INFINITY;
    case FA_RULE_SHARE:
        return !(x <= 0) && !(x > 1);
    case FA_RULE_ANY:
        return x == x;
    }
    return false;
}

// All numbers of all elements: each in turn has each of these values while the others are as usual.
static void every_number_of_every_element_is_checked(void **state)
{
    static const double tried[] = {-INFINITY, -1, 0, 0.5, 1, 2, INFINITY, NAN};
    int                 refused = 0, passed = 0;
    (void)state;
    for (int k = 0; k < fa_element_count; k++) {
        const fa_element *e = &fa_elements[k];
        for (int i = 0; i < e->n_items && e->item[i].kind == FA_ITEM_NUMBER; i++)
            for (int t = 0; t < 8; t++) {
                double   in[128] = {0};
                fa_error error = fa_no_error();
                char     sentence[256];
                for (int j = 0; j < e->n_items && e->item[j].kind == FA_ITEM_NUMBER; j++)
                    in[j] = is_allowed((fa_item_rule)e->item[j].rule, 1) ? 1 : 0;
                in[i] = tried[t];
                const bool allowed =
                    tried[t] == e->item[i].usual ||
                    (!isnan(tried[t]) && is_allowed((fa_item_rule)e->item[i].rule, tried[t]));
                (void)fa_element_check(e, in, "joint 'elbow'", NULL, FA_NOWHERE, &error);
                (void)snprintf(sentence, sizeof sentence, "the %s of joint 'elbow' is ",
                               e->item[i].row);
                // The element's own rules, on numbers together, have other sentences, but for
                // the one on a contact's exponent, which is either of two numbers.
                if ((k == FA_ELEMENT_contact || k == FA_ELEMENT_touch) &&
                    strcmp(e->item[i].name, "exponent") == 0)
                    continue;
                const bool named = strstr(error.message, sentence) != NULL &&
                                   strstr(error.message, "; it must be ") != NULL;
                if (named == allowed)
                    fail_msg("%s: %s = %g: %s", e->name, e->item[i].name, tried[t], error.message);
                refused += !allowed;
                passed += allowed;
            }
    }
    assert_true(refused > 100 && passed > 100);
}

static void a_parameter_that_would_turn_a_flag_is_refused(void **state)
{
    fa_motor_in       m = {.resistance = 1,
                           .torque_constant = 1,
                           .efficiency = 1,
                           .efficiency_back = 1,
                           .inductance = 1e-3,
                           .voltage_limit = INFINITY,
                           .current_limit = INFINITY,
                           .gear = 1};
    const fa_element *motor = &fa_elements[FA_ELEMENT_motor];
    fa_error          error = fa_no_error();
    (void)state;
    motor->configure(&m);
    assert_true(m.inductive && !m.at_once && !m.limits_voltage && !m.lossy);
    m.efficiency = 0.5; // a shortcut may turn
    assert_int_equal(fa_element_configure(motor, &m, "joint 'elbow'", &error), FA_OK);
    assert_true(m.lossy);
    m.inductance = 0;
    assert_int_equal(fa_element_configure(motor, &m, "joint 'elbow'", &error), FA_BAD_INPUT);
    assert_string_equal(
        error.message, "with these parameters the motor with amplifier and gear of joint 'elbow' "
                       "would lose an inductance, by which the current is a state, which decides "
                       "what there is and stays as it was exported; change it in the robot's file");
    m.inductance = 1e-3;
    m.voltage_limit = 24;
    assert_int_equal(fa_element_configure(motor, &m, "joint 'elbow'", &error), FA_BAD_INPUT);
    assert_non_null(strstr(error.message, "would get a voltage-limit"));
}

static void events_change_modes(void **state)
{
    fa_stop_in  in = {.stiffness = 100, .damping = 1, .lower = -1, .upper = 1, .position = 1.1};
    fa_stop_in  next = in;
    fa_stop_out out;
    double      later = INFINITY;
    (void)state;
    fa_stop_law(&in, &out);
    fa_stop_event(&in, &out, &next, 0, &later);
    assert_true(next.side == 1);
    in.side = 1;
    in.position = 0.9;
    fa_stop_law(&in, &out);
    next = in;
    fa_stop_event(&in, &out, &next, 0, &later);
    assert_true(next.side == 0);
    in.side = 0;
    in.position = 1 + 0.5e-9; // within the hysteresis
    fa_stop_law(&in, &out);
    next = in;
    fa_stop_event(&in, &out, &next, 0, &later);
    assert_true(next.side == 0);
    in.position = -1.1;
    fa_stop_law(&in, &out);
    fa_stop_event(&in, &out, &next, 0, &later);
    assert_true(next.side == -1);

    fa_closure_in valve = {.stiffness = 50, .time = 2, .asked = 10, .position = 0.5},
                  closed = valve;
    fa_closure_out torque;
    fa_closure_event(&valve, &torque, &closed, 1, &later);
    assert_true(closed.closed == 0 && later == 2);
    fa_closure_event(&valve, &torque, &closed, 2, &later);
    assert_true(closed.closed == 1);
    fa_closure_law(&closed, &torque);
    assert_true(fabs(torque.torque - 10) < 1e-14); // nothing jumps

    fa_valve_in spool = {.overlap = 0.03, .bandwidth = 50, .spool = -1.1, .spool_rate = -3},
                put = spool;
    fa_valve_out flows;
    fa_elements[FA_ELEMENT_valve].configure(&spool);
    fa_valve_law(&spool, &flows);
    fa_valve_event(&spool, &flows, &put, 0, &later);
    assert_true(flows.room < 0 && put.spool == -1 && put.spool_rate == 0);
    spool.spool_rate = 3; // on its way back
    put = spool;
    fa_valve_event(&spool, &flows, &put, 0, &later);
    assert_true(put.spool == -1 && put.spool_rate == 3);
    spool.spool = 1;
    fa_valve_law(&spool, &flows);
    put = spool;
    fa_valve_event(&spool, &flows, &put, 0, &later);
    assert_true(put.spool == 1 && put.spool_rate == 3);

    fa_lock_in lock = {.lock = 1}, locked = lock;
    fa_lock_event(&lock, NULL, &locked, 0, &later);
    assert_true(locked.locked == 1);
}

// Tables are monotone between their points and straight beyond; their slopes are their derivatives.
static void tables_are_smooth_and_overshoot_nowhere(void **state)
{
    fa_points p = {.n = 6, .x = {0, 0.1, 0.3, 0.5, 0.8, 1}, .y = {0, 0, 0, 1, 3, 3.5}};
    (void)state;
    fa_points_prepare(&p);
    double last = -1;
    for (double x = -0.5; x < 1.5; x += 1e-3) {
        const double y = table(&p, x), h = 1e-6;
        assert_true(y >= last && y >= 0);
        last = y;
        if (x < 0.3) assert_true(y == 0); // a dead band is closed
        const double slope = (table(&p, x + h) - table(&p, x - h)) / (2 * h);
        const double bend = (table_adjoint(&p, x + h) - table_adjoint(&p, x - h)) / (2 * h);
        assert_true(fabs(slope - table_adjoint(&p, x)) < 1e-4); // h times the jump of the bend
        if (fabs(fmod(x + 1e-9, 0.1)) > 1e-4)
            assert_true(fabs(bend - table_bend(&p, x)) < 1e-3 + 1e-3 * fabs(bend));
    }
    for (int i = 0; i < p.n; i++) assert_true(fabs(table(&p, p.x[i]) - p.y[i]) < 1e-15);
    assert_true(fabs(table(&p, 2) - (3.5 + p.slope[5])) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_keep_their_order),
        cmocka_unit_test(lists_name_what_is_there),
        cmocka_unit_test(units_follow_the_joint),
        cmocka_unit_test(texts_follow_flags_and_joint),
        cmocka_unit_test(what_the_file_leaves_out_follows),
        cmocka_unit_test(a_quotient_follows_from_both_numbers),
        cmocka_unit_test(rules_are_kept),
        cmocka_unit_test(every_number_of_every_element_is_checked),
        cmocka_unit_test(a_parameter_that_would_turn_a_flag_is_refused),
        cmocka_unit_test(events_change_modes),
        cmocka_unit_test(tables_are_smooth_and_overshoot_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
