// Writer and reader are one walk over the robot, so that they cannot disagree: each `field_…`
// writes a line, or reads it and insists on its key. A line is a key and its values, separated by
// single blanks.
#include "robot_file.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_lists.h"
#include "number.h"
#include "plant.h"
#include "robot_circuit.h"
#include "robot_touches.h"
#include "sha256.h"
#include "snake_lists.h"
#include "usual.h"

enum { FORMAT_VERSION = 4 };

typedef struct stream {
    bool        writing;
    char       *out; // while writing; NULL while only measuring or comparing
    const char *in;  // while reading; while writing: what should come out, NULL: anything
    size_t      at, size;
    int         line;
    fa_status   status;
    fa_error   *error;
} stream;

static void fail(stream *s, const char *what)
{
    if (s->status != FA_OK) return;
    s->status = fa_fail(s->error, FA_BAD_INPUT, "robot.forearm", (fa_place){s->line, 0},
                        "this robot file is damaged or was not written by this version of forearm "
                        "(%s); export the robot again",
                        what);
}

// ------------------------------------------------------------------------------------ characters

static void put(stream *s, const char *text, size_t length)
{
    if (s->out) memcpy(s->out + s->at, text, length);
    if (s->in && (length > s->size - s->at || memcmp(s->in + s->at, text, length) != 0)) {
        fail(s, "it says something of what is not there");
        return;
    }
    s->at += length;
}

static bool take(stream *s, char c)
{
    if (s->at == s->size || s->in[s->at] != c) return false;
    s->at++;
    return true;
}

static void begin(stream *s, const char *key)
{
    s->line++;
    if (s->writing) {
        put(s, key, strlen(key));
        return;
    }
    for (; *key && s->status == FA_OK; key++)
        if (!take(s, *key)) fail(s, "a line is missing or out of place");
}

static void end(stream *s)
{
    if (s->writing)
        put(s, "\n", 1);
    else if (s->status == FA_OK && !take(s, '\n'))
        fail(s, "a line is too long");
}

static void separate(stream *s)
{
    if (s->writing)
        put(s, " ", 1);
    else if (s->status == FA_OK && !take(s, ' '))
        fail(s, "a line is too short");
}

// ---------------------------------------------------------------------------------------- values

// Infinite only where that means that there is no limit.
static void real(stream *s, double *value, bool endless)
{
    separate(s);
    if (s->writing) {
        char         text[FA_NUMBER_SIZE];
        const size_t length = fa_hex_write(*value, text);
        put(s, text, length);
    } else if (s->status == FA_OK) {
        size_t used = fa_hex_read(s->in + s->at, s->size - s->at, value);
        if (!used) fail(s, "a number is not in its place");
        if (used && !endless && !isfinite(*value)) fail(s, "a number is not finite");
        s->at += used;
    }
}

static void integer(stream *s, int *value)
{
    separate(s);
    if (s->writing) {
        char         text[FA_NUMBER_SIZE]; // integers of this size are written in full
        const size_t length = fa_number_write(*value, text);
        put(s, text, length);
    } else if (s->status == FA_OK) {
        bool negative = take(s, '-');
        long result = 0;
        int  digits = 0;
        bool leading_zero = s->at < s->size && s->in[s->at] == '0';
        for (; s->at < s->size && s->in[s->at] >= '0' && s->in[s->at] <= '9'; s->at++, digits++)
            if (result <= INT_MAX) result = 10 * result + (s->in[s->at] - '0');
        bool one_spelling = digits == 1 || !leading_zero;
        if (digits == 0 || result > INT_MAX || !one_spelling || (negative && result == 0))
            fail(s, "an integer is not in its place");
        else
            *value = (int)(negative ? -result : result);
    }
}

static void flag(stream *s, bool *value)
{
    int number = *value;
    integer(s, &number);
    if (number != 0 && number != 1) fail(s, "a flag is neither 0 nor 1");
    *value = number == 1;
}

// Letters and what else prints stand for themselves; the rest, and '%', as %XX.
static bool stands_for_itself(unsigned char c)
{
    return c > ' ' && c < 127 && c != '%';
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void text(stream *s, char value[], size_t size)
{
    static const char digit[] = "0123456789ABCDEF";
    separate(s);
    if (s->writing) {
        for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
            char escaped[3] = {'%', digit[*c >> 4], digit[*c & 15]};
            if (stands_for_itself(*c))
                put(s, (const char *)c, 1);
            else
                put(s, escaped, 3);
        }
        return;
    }
    size_t length = 0;
    while (s->status == FA_OK && s->at < s->size && s->in[s->at] != '\n') {
        unsigned char c = (unsigned char)s->in[s->at++];
        if (c == '%') {
            int high = s->at < s->size ? hex_value(s->in[s->at]) : -1;
            int low = s->at + 1 < s->size ? hex_value(s->in[s->at + 1]) : -1;
            s->at += 2;
            c = high < 0 || low < 0 ? 0 : (unsigned char)(high << 4 | low);
            if (c == 0 || stands_for_itself(c)) fail(s, "a name is not spelled as it should be");
        } else if (!stands_for_itself(c)) {
            fail(s, "a name has a character that should not be there");
        }
        if (length + 1 >= size)
            fail(s, "a name is too long");
        else
            value[length++] = (char)c;
    }
    value[length] = '\0';
}

// ---------------------------------------------------------------------------------------- fields

static void field_text(stream *s, const char *key, char value[], size_t size)
{
    begin(s, key);
    text(s, value, size);
    end(s);
}

static void field_integer(stream *s, const char *key, int *value)
{
    begin(s, key);
    integer(s, value);
    end(s);
}

static void field_flag(stream *s, const char *key, bool *value)
{
    begin(s, key);
    flag(s, value);
    end(s);
}

static void field_reals(stream *s, const char *key, double value[], int n)
{
    begin(s, key);
    for (int i = 0; i < n; i++) real(s, &value[i], false);
    end(s);
}

// Of which the last ones, `endless` of them, are limits: infinite where there is none.
static void field_limits(stream *s, const char *key, double value[], int n, int endless)
{
    begin(s, key);
    for (int i = 0; i < n; i++) real(s, &value[i], i >= n - endless);
    end(s);
}

static void field_place(stream *s, const char *key, fa_transform *X)
{
    begin(s, key);
    for (int i = 0; i < 9; i++) real(s, &X->E.m[i / 3][i % 3], false);
    real(s, &X->r.x, false);
    real(s, &X->r.y, false);
    real(s, &X->r.z, false);
    end(s);
}

static void field_joint_type(stream *s, fa_joint_type *type)
{
    char word[16] = "";
    if (s->writing) (void)snprintf(word, sizeof word, "%s", fa_joint_kinds[*type].name);
    field_text(s, "joint.type", word, sizeof word);
    if (s->writing || s->status != FA_OK) return;
    if (!fa_joint_type_named(word, type)) fail(s, "there is no such type of joint");
}

// ------------------------------------------------------------------------------------- elements

// Whether the line that comes has this key: while reading, because it says so; while writing,
// because it is to be `said`.
static bool has_line(const stream *s, const char *key, bool said)
{
    const size_t length = strlen(key);
    if (s->writing) return said;
    return s->status == FA_OK && s->size - s->at > length &&
           memcmp(s->in + s->at, key, length) == 0 &&
           (s->in[s->at + length] == ' ' || s->in[s->at + length] == '\n');
}

// A word of two: the second one where the line is there.
static void field_choice(stream *s, const char *key, const fa_item *item, bool *value)
{
    char word[32] = "";
    if (!has_line(s, key, *value)) return;
    if (s->writing) (void)snprintf(word, sizeof word, "%s", item->word);
    field_text(s, key, word, sizeof word);
    *value = strcmp(word, item->word) == 0;
    if (!*value) fail(s, "there is no such choice");
}

// What acts at a joint, each by its name and its numbers by theirs. What is not there, and numbers
// that are as usual have no line: an element that comes to the list changes no robot without it.
static void walk_element(stream *s, fa_joint *joint, fa_joint_element which)
{
    const fa_element *e = fa_joint_list(which);
    char              key[64];
    bool              said[FA_JOINT_NUMBERS] = {false};
    if (!e->everywhere) {
        bool *present = fa_joint_present(joint, which);
        *present = has_line(s, e->name, *present);
        if (!*present) return;
        begin(s, e->name);
        end(s);
    }
    for (int i = 0; i < e->n_numbers; i++) {
        const double usual = fa_joint_usual(joint, which, i, said);
        double      *x = fa_joint_number(joint, which, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->name, e->item[i].xml);
        said[i] = has_line(s, key, *x != usual) || isnan(usual);
        if (said[i])
            field_limits(s, key, x, 1, isinf(usual));
        else
            *x = usual;
    }
    for (int i = 0; i < e->n_choices; i++) {
        const fa_item *item = fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->name, item->xml);
        field_choice(s, key, item, fa_joint_choice(joint, which, i));
    }
}

// Flags that most joints do not have, and a line for each that is set.
static void field_if_set(stream *s, const char *key, bool *value)
{
    if (!has_line(s, key, *value)) {
        *value = false;
        return;
    }
    begin(s, key);
    end(s);
    *value = true;
}

static void walk_joint(stream *s, fa_joint *joint)
{
    field_text(s, "joint", joint->name, sizeof joint->name);
    field_joint_type(s, &joint->type);
    field_place(s, "joint.origin", &joint->origin);
    field_reals(s, "joint.axis", &joint->axis.x, 3);
    if (joint->type == FA_SCREW) field_reals(s, "joint.pitch", &joint->pitch, 1);
    field_integer(s, "joint.follows", &joint->mimic.leader);
    field_reals(s, "joint.follows_by", &joint->mimic.ratio, 2);
    field_reals(s, "joint.initial_position", &joint->initial_position, 1);
    field_reals(s, "joint.initial_velocity", &joint->initial_velocity, 1);
    field_if_set(s, "joint.independent", &joint->independent);
    field_if_set(s, "joint.dependent", &joint->dependent);
    field_if_set(s, "joint.passive", &joint->passive);
    if (fa_joint_is_several(joint->type)) {
        field_reals(s, "joint.start.position", joint->start.position, 3);
        field_reals(s, "joint.start.quaternion", joint->start.quaternion, 4);
        field_reals(s, "joint.start.velocity", joint->start.velocity, 3);
        field_reals(s, "joint.start.angular_velocity", joint->start.angular_velocity, 3);
    }
    for (int k = 0; k < FA_JOINT_ELEMENTS; k++)
        if (fa_joint_list((fa_joint_element)k)->xml[0]) walk_element(s, joint, (fa_joint_element)k);
}

static void walk_link(stream *s, fa_link *link)
{
    field_text(s, "link", link->name, sizeof link->name);
    field_integer(s, "parent", &link->parent);
    walk_joint(s, &link->joint);
    field_place(s, "frame", &link->frame);
    field_reals(s, "mass", &link->mass, 1);
    field_reals(s, "com", &link->com.x, 3);
    field_reals(s, "inertia", &link->inertia.xx, 6);
    field_flag(s, "wrench", &link->wrench);
    if (has_line(s, "relief", link->relief != 0))
        field_reals(s, "relief", &link->relief, 1);
    else
        link->relief = 0;
}

// Numbers of elements at a snake, each by element and word: a line for each that is not as usual.
static void walk_snake_numbers(stream *s, fa_snake_scope scope, fa_link *link,
                               fa_snake_options *snake)
{
    char key[64];
    for (fa_snake_number n = {0}; fa_snake_next(scope, &n);) {
        if (scope == FA_SNAKE_OF_INPUT && n.input != snake->input) continue;
        double *x = link ? fa_snake_number_of_link(&n, link) : fa_snake_number_of_all(&n, snake);
        (void)snprintf(key, sizeof key, "%s.%s", n.list->name, n.item->xml);
        if (has_line(s, key, *x != n.item->usual) || isnan(n.item->usual))
            field_reals(s, key, x, 1);
        else
            *x = n.item->usual;
    }
}

// A link of a snake: what follows from its place in the chain, such as its name, is not stored.
static void walk_segment(stream *s, fa_link *link)
{
    fa_joint *joint = &link->joint;
    field_reals(s, "segment", &link->segment.length, 3);
    walk_snake_numbers(s, FA_SNAKE_EACH_WHEEL, link, NULL);
    field_reals(s, "mass", &link->mass, 1);
    field_reals(s, "com", &link->com.x, 2);
    field_reals(s, "inertia", &link->inertia.zz, 1);
    if (link->parent == FA_WORLD) return;
    walk_snake_numbers(s, FA_SNAKE_EACH_JOINT, link, NULL);
    joint->limit.lower = -joint->limit.upper;
    field_if_set(s, "joint.stop", &joint->stop.present);
}

static void walk_snake(stream *s, fa_snake_options *snake)
{
    int input = (int)snake->input;
    field_integer(s, "input", &input);
    if (input < 0 || input >= FA_SNAKE_INPUT_COUNT) fail(s, "there is no such kind of input");
    if (s->status == FA_OK) snake->input = (fa_snake_input)input;
    field_integer(s, "base", &snake->base);
    walk_snake_numbers(s, FA_SNAKE_ALL_WHEELS, NULL, snake);
    field_reals(s, "start", &snake->x, 4);
    walk_snake_numbers(s, FA_SNAKE_OF_INPUT, NULL, snake);
    field_integer(s, "prescribed", &snake->n_prescribed);
    if (snake->n_prescribed < 0 || snake->n_prescribed > FA_PRESCRIBED_MAX)
        fail(s, "it prescribes too many joints");
    for (int i = 0; i < snake->n_prescribed && s->status == FA_OK; i++)
        field_integer(s, "prescribed.link", &snake->prescribed[i]);
    field_flag(s, "gait_inputs", &snake->gait_inputs);
    if (snake->gait_inputs && snake->input != FA_SNAKE_GAIT)
        fail(s, "it has inputs of a gait and no gait");
    field_flag(s, "in_gait", &snake->in_gait);
    walk_segment(s, &snake->every);
}

static void walk_outputs(stream *s, int *outputs)
{
    field_integer(s, "outputs", outputs);
    if (*outputs < 0 || *outputs > FA_EXTRA_ALL) fail(s, "it has outputs that do not exist");
}

// Numbers that nobody said, NaN, are written as -inf.
static void field_maybe(stream *s, const char *key, double value[], int n)
{
    begin(s, key);
    for (int i = 0; i < n; i++) {
        double x = isnan(value[i]) ? -INFINITY : value[i];
        real(s, &x, true);
        if (x == INFINITY) fail(s, "a number is not finite");
        value[i] = x > -INFINITY ? x : NAN;
    }
    end(s);
}

static void walk_cylinder(stream *s, fa_cylinder *cylinder)
{
    fa_linkage *linkage = &cylinder->linkage;
    int         cut = (int)cylinder->cut;
    field_text(s, "cylinder", cylinder->name, sizeof cylinder->name);
    field_integer(s, "cut", &cut);
    if (cut < 0 || cut >= FA_CUT_COUNT) fail(s, "there is no such cut");
    if (s->status == FA_OK) cylinder->cut = (fa_cut)cut;
    field_integer(s, "from", &cylinder->from);
    field_integer(s, "to", &cylinder->to);
    field_reals(s, "from_point", &cylinder->from_point.x, 3);
    field_reals(s, "to_point", &cylinder->to_point.x, 3);
    field_flag(s, "has_linkage", &linkage->present);
    field_reals(s, "linkage.pivot", &linkage->pivot.x, 3);
    field_reals(s, "linkage.rods", &linkage->rocker, 3);
    for (int i = 0; i < FA_CYLINDER_NUMBERS; i++) { // NAN, and no line: nobody said it
        const fa_cylinder_row row = fa_cylinder_row_of(i);
        double               *x = &cylinder->number[i];
        if (has_line(s, row.key, !isnan(*x) && *x != row.item->usual))
            field_reals(s, row.key, x, 1);
    }
    field_maybe(s, "initial_pressure", cylinder->initial_pressure, 2);
    field_reals(s, "supply", &cylinder->supply, 2);
    field_flag(s, "has_pump", &cylinder->pump);
    field_reals(s, "pump_flow", &cylinder->pump_flow, 1);
    field_maybe(s, "initial_length", &cylinder->initial_length, 1);
    if (has_line(s, "chambers", cylinder->node[0] != FA_NOBODY)) {
        field_integer(s, "chambers", &cylinder->node[0]);
        field_integer(s, "chambers.b", &cylinder->node[1]);
    }
}

// The number of a list that robots seldom have: no line where there is none.
static void field_count(stream *s, const char *key, int *n)
{
    if (has_line(s, key, *n != 0)) field_integer(s, key, n);
    if (*n < 0 || *n > FA_TOUCH_MAX) fail(s, "it has too many contacts, obstacles or springs");
}

// Numbers of an element that is no joint's: a line for each that is not as usual.
static void walk_numbers(stream *s, const fa_element *e, bool *present)
{
    char key[64];
    *present = true;
    for (int i = 0; i < e->n_numbers; i++) {
        const double usual = e->item[i].usual;
        double      *x = fa_touch_number(present, i);
        (void)snprintf(key, sizeof key, "%s.%s", e->xml, e->item[i].xml);
        if (has_line(s, key, *x != usual) || isnan(usual))
            field_reals(s, key, x, 1);
        else
            *x = usual;
    }
}

static void walk_contact(stream *s, fa_contact *c)
{
    const fa_element *e = &fa_elements[FA_ELEMENT_contact];
    int               shape = (int)c->shape;
    field_text(s, "contact", c->name, sizeof c->name);
    field_integer(s, "contact.shape", &shape);
    if (shape < 0 || shape >= FA_CONTACT_SHAPE_COUNT) fail(s, "there is no such shape");
    if (s->status == FA_OK) c->shape = (fa_contact_shape)shape;
    field_integer(s, "contact.link", &c->link);
    field_integer(s, "contact.on", &c->on);
    field_reals(s, "contact.point", &c->point.x, 3);
    field_reals(s, "contact.axis", &c->axis.x, 3);
    walk_numbers(s, e, &c->law.present);
    field_choice(s, "contact.law", fa_element_item(e, FA_ITEM_CHOICE, FA_ITEM_CHOICE, 0),
                 &c->law.bristle);
}

static void walk_obstacle(stream *s, fa_obstacle *o)
{
    int shape = (int)o->shape;
    field_text(s, "obstacle", o->name, sizeof o->name);
    field_integer(s, "obstacle.shape", &shape);
    if (shape < 0 || shape >= FA_OBSTACLE_SHAPE_COUNT) fail(s, "there is no such shape");
    if (s->status == FA_OK) o->shape = (fa_obstacle_shape)shape;
    field_place(s, "obstacle.place", &o->pose);
    field_reals(s, "obstacle.radius", &o->radius, 1);
    field_reals(s, "obstacle.size", &o->size.x, 3);
}

static void walk_spring(stream *s, fa_line_spring *spring)
{
    field_text(s, "line-spring", spring->name, sizeof spring->name);
    field_integer(s, "line-spring.from", &spring->from);
    field_integer(s, "line-spring.to", &spring->to);
    field_reals(s, "line-spring.from_point", &spring->from_point.x, 3);
    field_reals(s, "line-spring.to_point", &spring->to_point.x, 3);
    walk_numbers(s, &fa_elements[FA_ELEMENT_line_spring], &spring->law.present);
}

static void walk_node(stream *s, fa_circuit_node *node)
{
    field_text(s, "node", node->name, sizeof node->name);
}

static void walk_circuit_part(stream *s, fa_circuit_part *part)
{
    int kind = (int)part->kind;
    field_text(s, "part", part->name, sizeof part->name);
    field_integer(s, "part.kind", &kind);
    if (kind < 0 || kind >= FA_CIRCUIT_KIND_COUNT) fail(s, "an integer is not in its place");
    if (s->status != FA_OK) return;
    part->kind = (fa_circuit_kind)kind;
    field_integer(s, "part.choice", &part->choice);
    for (int i = 0; i < fa_circuit_ports(part->kind); i++)
        field_integer(s, fa_circuit_port(part->kind, i), &part->port[i]);
    field_integer(s, "part.sensing", &part->sensing);
    field_integer(s, "part.joint", &part->joint);
    field_maybe(s, "part.numbers", part->number, fa_circuit_element(part->kind)->n_numbers);
    field_maybe(s, "part.start", &part->start, 1);
    field_maybe(s, "part.speed", &part->speed, 1);
}

static void walk_edge(stream *s, fa_circuit_edge *edge)
{
    int kind = (int)edge->kind;
    field_integer(s, "edge", &edge->part);
    field_integer(s, "edge.kind", &kind);
    field_flag(s, "edge.by_area", &edge->by_area);
    field_maybe(s, "edge.numbers", edge->number, 2);
    field_integer(s, "edge.points", &edge->table.n);
    if (kind < 0 || kind >= FA_EDGE_COUNT) fail(s, "an integer is not in its place");
    if (edge->table.n < 2 || edge->table.n > FA_EDGE_POINTS_MAX)
        fail(s, "an integer is not in its place");
    if (s->status != FA_OK) return;
    edge->kind = (fa_edge_kind)kind;
    field_reals(s, "edge.spool", edge->table.x, edge->table.n);
    field_reals(s, "edge.height", edge->table.y, edge->table.n);
}

static void walk_loop(stream *s, fa_loop *loop)
{
    char word[16] = "";
    field_text(s, "loop", loop->name, sizeof loop->name);
    if (s->writing) (void)snprintf(word, sizeof word, "%s", fa_loop_kinds[loop->type].name);
    field_text(s, "loop.type", word, sizeof word);
    if (!s->writing && s->status == FA_OK &&
        (!fa_loop_type_named(word, &loop->type) || strcmp(word, "continuous") == 0))
        fail(s, "there is no such type of loop");
    field_integer(s, "from", &loop->from);
    field_integer(s, "to", &loop->to);
    field_place(s, "from_frame", &loop->from_frame);
    field_place(s, "to_frame", &loop->to_frame);
    field_reals(s, "axis", &loop->axis.x, 3);
    field_if_set(s, "loop.open", &loop->open);
    field_reals(s, "second", &loop->second.x, 3);
    field_reals(s, "length", &loop->length, 1);
    field_reals(s, "ratio", &loop->ratio, 1);
    if (loop->type != FA_LOOP_RELATION) return;
    field_integer(s, "terms", &loop->n_terms);
    if (s->status == FA_OK && (loop->n_terms < 2 || loop->n_terms > FA_RELATION_TERMS))
        fail(s, "a relation is of too many joints or too few");
    for (int i = 0; s->status == FA_OK && i < loop->n_terms; i++) {
        field_integer(s, "of", &loop->term[i].of);
        field_reals(s, "coefficients", loop->term[i].coefficient, FA_RELATION_DEGREE + 1);
    }
}

// What comes before the links, and their number.
static void walk_head(stream *s, fa_options *options, fa_robot *head)
{
    int version = FORMAT_VERSION;
    field_integer(s, "forearm.robot", &version);
    if (version != FORMAT_VERSION) fail(s, "its format has another version");
    field_integer(s, "fmi", &options->fmi);
    field_text(s, "identifier", options->identifier, sizeof options->identifier);
    field_flag(s, "arrays", &options->arrays);
    field_text(s, "name", head->name, sizeof head->name);
    field_text(s, "plant", head->plant, sizeof head->plant);
    field_reals(s, "gravity", &head->gravity.x, 3);
    field_integer(s, "tip_link", &head->tip_link);
    field_place(s, "tip", &head->tip);
    walk_outputs(s, &head->outputs);
    if (has_line(s, "hidden", head->hidden != 0)) {
        field_integer(s, "hidden", &head->hidden);
        if (head->hidden <= 0 || head->hidden > FA_HIDDEN_ALL || options->arrays)
            fail(s, "it hides what it cannot");
    }
    if (fa_robot_is_snake(head))
        walk_snake(s, &head->snake);
    else
        field_flag(s, "base_motion", &head->base_motion);
    field_integer(s, "links", &head->n_links);
    if (fa_robot_is_snake(head)) return;
    field_integer(s, "cylinders", &head->n_cylinders);
    if (head->n_cylinders < 0 || head->n_cylinders > FA_CYLINDER_MAX)
        fail(s, "it has too many cylinders");
    field_count(s, "contacts", &head->n_contacts);
    field_count(s, "obstacles", &head->n_obstacles);
    field_count(s, "line-springs", &head->n_springs);
    field_count(s, "nodes", &head->n_nodes);
    field_count(s, "parts", &head->n_parts);
    field_count(s, "edges", &head->n_edges);
    if (has_line(s, "oil", head->n_parts > 0))
        field_maybe(s, "oil", &head->oil.bulk_modulus, fa_elements[FA_ELEMENT_oil].n_numbers);
    if (has_line(s, "ground", head->ground.said)) {
        head->ground.said = true;
        field_reals(s, "ground", &head->ground.point.x, 6);
    }
    if (!has_line(s, "loops", head->n_loops > 0)) return;
    field_integer(s, "loops", &head->n_loops);
    if (head->n_loops < 1 || head->n_loops > FA_LOOP_MAX) fail(s, "it has too many loops");
    field_reals(s, "loop_tolerance", &head->loop_tolerance, 1);
}

static void walk_part(stream *s, const fa_robot *robot, fa_link *link)
{
    if (fa_robot_is_snake(robot))
        walk_segment(s, link);
    else
        walk_link(s, link);
}

// The walk changes nothing while writing; it takes pointers that could because reading does.
static void write_all(stream *to, const fa_robot *robot, const fa_options *options)
{
    stream     s = *to;
    fa_robot   head;
    fa_options copy = *options;
    memcpy(&head, robot, sizeof head);
    walk_head(&s, &copy, &head);
    for (int i = 0; i < robot->n_links; i++) {
        fa_link link = robot->link[i];
        walk_part(&s, robot, &link);
    }
    for (int i = 0; i < robot->n_cylinders; i++) {
        fa_cylinder cylinder = *fa_robot_cylinder(robot, i);
        walk_cylinder(&s, &cylinder);
    }
    for (int i = 0; i < robot->n_contacts; i++) {
        fa_contact contact = *fa_robot_contact(robot, i);
        walk_contact(&s, &contact);
    }
    for (int i = 0; i < robot->n_obstacles; i++) {
        fa_obstacle obstacle = *fa_robot_obstacle(robot, i);
        walk_obstacle(&s, &obstacle);
    }
    for (int i = 0; i < robot->n_springs; i++) {
        fa_line_spring spring = *fa_robot_spring(robot, i);
        walk_spring(&s, &spring);
    }
    for (int i = 0; i < robot->n_nodes; i++) {
        fa_circuit_node node = *fa_robot_node(robot, i);
        walk_node(&s, &node);
    }
    for (int i = 0; i < robot->n_parts; i++) {
        fa_circuit_part part = *fa_robot_circuit_part(robot, i);
        walk_circuit_part(&s, &part);
    }
    for (int i = 0; i < robot->n_edges; i++) {
        fa_circuit_edge edge = *fa_robot_edge(robot, i);
        walk_edge(&s, &edge);
    }
    for (int i = 0; i < robot->n_loops; i++) {
        fa_loop loop = *fa_robot_loop(robot, i);
        walk_loop(&s, &loop);
    }
    *to = s;
}

fa_status fa_robot_file_write(const fa_robot *robot, const fa_options *options, char **out,
                              size_t *size, fa_error *error)
{
    fa_status status = fa_robot_require_checked(robot, error);
    if (status != FA_OK) return status;
    stream measured = {.writing = true};
    write_all(&measured, robot, options);
    *size = measured.at;
    *out = malloc(*size + 1);
    if (!*out)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the robot file of '%s'", robot->name);
    write_all(&(stream){.writing = true, .out = *out}, robot, options);
    (*out)[*size] = '\0';
    return FA_OK;
}

static bool is_identifier(const char *name)
{
    const char *c = name;
    if (*c >= '0' && *c <= '9') return false;
    while ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
           *c == '_')
        c++;
    return c > name && *c == '\0';
}

fa_status fa_robot_file_read(const char *in, size_t size, fa_robot **robot, fa_options *options,
                             fa_error *error)
{
    *robot = NULL;
    stream   s = {.in = in, .size = size, .status = FA_OK, .error = error};
    fa_robot head;
    memset(&head, 0, sizeof head);
    head.ground.normal = vec3(0, 0, 1);
    head.oil = fa_oil_usual();
    memset(options, 0, sizeof *options);
    walk_head(&s, options, &head);
    // A link takes several hundred bytes: a file that claims more links than it has bytes is lying.
    if (s.status == FA_OK && (head.n_links < 1 || (size_t)head.n_links > size))
        fail(&s, "it does not have the links that it claims");
    if (s.status == FA_OK && options->fmi != 2 && options->fmi != 3)
        fail(&s, "it is for an FMI version that does not exist");
    if (s.status == FA_OK && !is_identifier(options->identifier))
        fail(&s, "its identifier is not a name in C");
    if (s.status == FA_OK && options->arrays && options->fmi != 3)
        fail(&s, "it has arrays, which only FMI 3.0 knows");
    if (s.status != FA_OK) return s.status;

    bool      snake = fa_robot_is_snake(&head);
    fa_robot *result = snake ? fa_robot_new_snake(head.n_links) : fa_robot_new(head.n_links);
    if (result && head.n_cylinders > 0) {
        fa_robot *with = fa_robot_with_cylinders(result, head.n_cylinders);
        if (!with) free(result);
        result = with;
    }
    if (result && head.n_contacts + head.n_obstacles + head.n_springs > 0) {
        fa_robot *with =
            fa_robot_with_touches(result, head.n_contacts, head.n_obstacles, head.n_springs);
        if (!with) free(result);
        result = with;
    }
    if (result && head.n_parts + head.n_nodes + head.n_edges > 0) {
        fa_robot *with = fa_robot_with_circuit(result, head.n_nodes, head.n_parts, head.n_edges);
        if (!with) free(result);
        result = with;
    }
    if (result && head.n_loops > 0) {
        fa_robot *with = fa_robot_with_loops(result, head.n_loops);
        if (!with) free(result);
        result = with;
    }
    if (!result)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for a robot of %d links", head.n_links);
    memcpy(result, &head, sizeof head);
    strcpy(result->source, "robot.forearm");
    for (int i = 0; i < result->n_links && s.status == FA_OK; i++)
        walk_part(&s, result, &result->link[i]);
    for (int i = 0; i < result->n_cylinders && s.status == FA_OK; i++)
        walk_cylinder(&s, &fa_robot_cylinders(result)[i]);
    for (int i = 0; i < result->n_contacts && s.status == FA_OK; i++)
        walk_contact(&s, &fa_robot_contacts(result)[i]);
    for (int i = 0; i < result->n_obstacles && s.status == FA_OK; i++)
        walk_obstacle(&s, &fa_robot_obstacles(result)[i]);
    for (int i = 0; i < result->n_springs && s.status == FA_OK; i++)
        walk_spring(&s, &fa_robot_springs(result)[i]);
    for (int i = 0; i < result->n_nodes && s.status == FA_OK; i++)
        walk_node(&s, &fa_robot_nodes(result)[i]);
    for (int i = 0; i < result->n_parts && s.status == FA_OK; i++)
        walk_circuit_part(&s, &fa_robot_circuit_parts(result)[i]);
    for (int i = 0; i < result->n_edges && s.status == FA_OK; i++)
        walk_edge(&s, &fa_robot_edges(result)[i]);
    for (int i = 0; i < result->n_loops && s.status == FA_OK; i++)
        walk_loop(&s, &fa_robot_loops(result)[i]);
    result->closed = true; // the one who wrote it has closed its loops
    if (s.status == FA_OK && s.at != s.size) fail(&s, "something follows its end");
    if (s.status == FA_OK && !fa_plant_find(result->plant))
        fail(&s, "its kind of plant is unknown");
    if (s.status == FA_OK) s.status = fa_robot_check(result, NULL, error);
    // What the rules have put right was not written by us.
    stream again = {.writing = true, .in = in, .size = size, .status = s.status, .error = error};
    if (s.status == FA_OK) write_all(&again, result, options);
    s.status = again.status;
    if (s.status == FA_OK)
        *robot = result;
    else
        free(result);
    return s.status;
}

void fa_robot_file_token(const char *in, size_t size, char token[FA_TOKEN_SIZE])
{
    static const char digit[] = "0123456789abcdef";
    uint8_t           digest[32];
    fa_sha256(in, size, digest);
    size_t n = 0;
    token[n++] = '{';
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) token[n++] = '-';
        token[n++] = digit[digest[i] >> 4];
        token[n++] = digit[digest[i] & 15];
    }
    token[n++] = '}';
    token[n] = '\0';
}
