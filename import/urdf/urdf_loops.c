// What makes a mechanism of a URDF's tree: elements that close loops or couple joints. No standard
// has them, and each simulator has its own; all of them would change the motion, so none is passed
// over. They are told by what they are called, whatever the namespace and wherever they stand, and
// by joining two links where no joint of the tree stands.
#include <ctype.h>
#include <string.h>

#include "urdf.h"
#include "values.h"

// The name without the prefix of a namespace, which files choose as they like.
static const char *local_name(const fa_xml_element *e)
{
    const char *colon = strchr(e->name, ':');
    return colon ? colon + 1 : e->name;
}

// Whether one of the words that a name is made of (linear_bushing_rpy, jointLoop) begins like this.
static bool has_word(const char *name, const char *beginning)
{
    const size_t n = strlen(beginning);
    for (const char *at = name; *at; at++) {
        const unsigned char here = (unsigned char)*at;
        const unsigned char before = at == name ? '_' : (unsigned char)at[-1];
        const bool          begins = !isalnum(before) || (isupper(here) && !isupper(before));
        size_t              same = 0;
        while (begins && same < n && tolower((unsigned char)at[same]) == beginning[same]) same++;
        if (same == n) return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const beginnings[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_word(name, beginnings[i])) return true;
    return false;
}

// A plugin is a program and its elements are what it is told; sensors, transmissions and
// controllers name joints and links, and tie none together.
static bool is_of_a_program(const fa_xml_element *e)
{
    static const char *const program[] = {"plugin", "sensor", "transmission", "ros2_control"};
    for (; e; e = e->parent)
        for (size_t i = 0; i < sizeof program / sizeof *program; i++)
            if (strcmp(e->name, program[i]) == 0) return true;
    return false;
}

static bool has_end(const fa_xml_element *e, const char *name)
{
    return fa_xml_child(e, name) || fa_xml_find(e, name);
}

// A joint outside of the tree that names what it joins, or that a simulator's model has.
static bool is_extra_joint(const fa_xml_element *e)
{
    if (strcmp(local_name(e), "joint") != 0) return false;
    if (has_end(e, "parent") && has_end(e, "child")) return true;
    for (const fa_xml_element *p = e->parent; p; p = p->parent)
        if (strcmp(p->name, "gazebo") == 0) return true;
    return false;
}

fa_status fa_urdf_refuse_loop(const fa_urdf *u, const fa_xml_element *e)
{
    static const char *const closing[] = {"loop",    "constraint", "constrain", "weld",
                                          "bushing", "equality",   "connect"};
    static const char *const coupling[] = {"coupl", "tendon", "gearbox"};
    const char              *name = local_name(e);
    const bool in_tree = e->name == name && e->parent && strcmp(e->parent->name, "robot") == 0;
    if (!e->parent || is_of_a_program(e)) return FA_OK;
    if (has_one_of(name, coupling, sizeof coupling / sizeof *coupling))
        return FA_URDF_FAIL(u, e->place,
                            "%s couples joints, which this word does not do here; write <mimic> "
                            "into the joint that follows, with the ratio as its multiplier, or "
                            "remove it to simulate the robot without",
                            fa_xml_about(e).text);
    // Of lengths, only an extension's tie something.
    const bool ties = has_one_of(name, closing, sizeof closing / sizeof *closing) ||
                      (e->name != name && has_word(name, "distance"));
    if (!ties && (in_tree || !is_extra_joint(e))) return FA_OK;
    return FA_URDF_FAIL(u, e->place,
                        "%s ties two links together, and loops are not simulated: links hang on "
                        "each other as a tree; remove it to simulate the robot with this loop "
                        "open, or tie its joints together with <mimic>",
                        fa_xml_about(e).text);
}
