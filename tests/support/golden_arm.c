// Builds chains from golden JSON records.
#include "golden_arm.h"

#include "dh_chain.h"

static double number_or_zero(const json *object, const char *name)
{
    return json_has(object, name) ? json_number(json_member(object, name)) : 0;
}

static fa_vec3 vector(const json *object, const char *name)
{
    double x[3];
    json_numbers(json_member(object, name), x, 3);
    return vec3(x[0], x[1], x[2]);
}

static dh_link read_link(const json *text, bool modified)
{
    const double gear = number_or_zero(text, "G");
    double       I[9];
    json_numbers(json_member(text, "I"), I, 9);
    return (dh_link){.modified = modified,
                     .slides = json_string(json_member(text, "type"))[0] == 'P',
                     .alpha = json_number(json_member(text, "alpha")),
                     .a = json_number(json_member(text, "a")),
                     .d = json_number(json_member(text, "d")),
                     .theta = json_number(json_member(text, "theta")),
                     .offset = json_number(json_member(text, "offset")),
                     .mass = json_number(json_member(text, "m")),
                     .com = vector(text, "com"),
                     .inertia = {I[0], I[4], I[8], I[1], I[2], I[5]},
                     .rotor = number_or_zero(text, "Jm") * gear * gear};
}

void golden_arm_read(const json *text, golden_arm *arm)
{
    const bool  modified = json_string(json_member(text, "convention"))[0] == 'm';
    const json *links = json_member(text, "links");
    const int   n = json_count(links);
    arm->hand = transform_identity();
    arm->tip = vector(json_member(text, "tip"), "r");
    for (int i = 0; i < n; i++) {
        const dh_link link = read_link(json_element(links, i), modified);
        arm->body[i] = dh_body(&link, i - 1, &arm->hand);
    }
    arm->chain = (fa_chain){
        .n = n, .n_coordinates = n, .body = arm->body, .gravity = vector(text, "gravity")};
}
