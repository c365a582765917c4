// Shortens names of joints, links and cylinders until all variables' names fit MATLAB.
#include "short_names.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "plant.h"
#include "sha256.h"

enum { JOINT, LINK, CYLINDER, KINDS };

static const struct {
    const char *name, *suffix;
} kinds[KINDS] = {{"joint", "_joint"}, {"link", "_link"}, {"cylinder", ""}};

// Limit of rounds: each round shortens every name that is too long.
enum { ROUNDS = 8, LEAST = 12 /* characters, six of them the hash and its separators */ };

typedef struct item {
    char  *name; // the robot's string
    char   from[FA_NAME_SIZE];
    char   segment[FA_NAME_SIZE + 1];
    bool   used; // the name of a variable contains it
    bool   twin; // another item has the same short name
    size_t most; // limit of its length in characters
} item;

typedef struct shortening {
    fa_robot *robot;
    int       first[KINDS + 1]; // items of a kind: first[kind] … first[kind + 1] - 1
    item     *item;
    fa_names  segments[KINDS];
    fa_error *error;
} shortening;

int fa_long_names(const fa_variables *variables, int *longest)
{
    int    n = 0;
    size_t most = 0;
    for (int row = 0; row < variables->n; row++) {
        const size_t length = strlen(variables->row[row].name);
        n += length > FA_MATLAB_NAME;
        if (length > most) {
            most = length;
            *longest = row;
        }
    }
    return n;
}

static fa_status no_memory(const shortening *s)
{
    return fa_fail(s->error, FA_NO_MEMORY, s->robot->source, FA_NOWHERE,
                   "there is not enough memory to shorten names");
}

// ---------------------------------------------------------------------------------------- items

static void rename_item(item *it, const char *name, size_t length)
{
    memmove(it->name, name, length);
    memset(it->name + length, 0, FA_NAME_SIZE - length);
    fa_variable_segment(it->name, it->segment, sizeof it->segment);
}

static fa_status gather(shortening *s)
{
    fa_robot    *robot = s->robot;
    const size_t n = 2 * (size_t)robot->n_links + (size_t)robot->n_cylinders;
    int          next = 0;
    s->item = calloc(n, sizeof *s->item);
    if (!s->item) return no_memory(s);
    for (int i = 0; i < robot->n_links; i++)
        if (robot->link[i].joint.name[0]) s->item[next++].name = robot->link[i].joint.name;
    s->first[LINK] = next;
    for (int i = 0; i < robot->n_links; i++) s->item[next++].name = robot->link[i].name;
    s->first[CYLINDER] = next;
    for (int i = 0; i < robot->n_cylinders; i++)
        s->item[next++].name = fa_robot_cylinders(robot)[i].name;
    s->first[KINDS] = next;
    for (int i = 0; i < next; i++) {
        memcpy(s->item[i].from, s->item[i].name, FA_NAME_SIZE);
        fa_variable_segment(s->item[i].name, s->item[i].segment, sizeof s->item[i].segment);
    }
    return FA_OK;
}

// Restores the original names of items of a kind whose short names are equal, until all differ.
// Links on the ground have no variables, and may have had equal names from the start.
static fa_status keep_apart(shortening *s, int kind)
{
    const int first = s->first[kind], last = s->first[kind + 1];
    for (bool again = true; again;) {
        again = false;
        fa_names_free(&s->segments[kind]);
        if (!fa_names_new(&s->segments[kind], last - first + 1)) return no_memory(s);
        for (int i = first; i < last; i++) s->item[i].twin = false;
        for (int i = first; i < last; i++) {
            const int twin = fa_names_add(&s->segments[kind], s->item[i].segment, i);
            if (twin >= 0) s->item[i].twin = s->item[twin].twin = true;
        }
        for (int i = first; i < last; i++) {
            item *it = &s->item[i];
            if (!it->twin || strcmp(it->name, it->from) == 0) continue;
            rename_item(it, it->from, strlen(it->from));
            again = true;
        }
    }
    return FA_OK;
}

// ---------------------------------------------------------------------------- suffix and prefix

static bool is_separator(char c)
{
    return c != '\0' && strchr("_/:-. ", c);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void drop_suffix(item *it, const char *suffix)
{
    const size_t n = strlen(it->name), m = strlen(suffix);
    if (it->used && m > 0 && n > m && strcmp(it->name + n - m, suffix) == 0)
        rename_item(it, it->name, n - m);
}

// Returns the length of the common prefix of all used names, up to a separator and followed by a
// letter in each.
static size_t common_prefix(const shortening *s, int kind)
{
    const item *first = NULL;
    size_t      length = 0;
    int         n = 0;
    for (int i = s->first[kind]; i < s->first[kind + 1]; i++) {
        const item *it = &s->item[i];
        if (!it->used) continue;
        if (n++ == 0) {
            first = it;
            length = strlen(it->name);
        }
        size_t same = 0;
        while (same < length && it->name[same] == first->name[same]) same++;
        length = same;
    }
    for (; n > 1 && length > 0; length--) {
        if (!is_separator(first->name[length - 1])) continue;
        bool good = true;
        for (int i = s->first[kind]; i < s->first[kind + 1] && good; i++)
            good = !s->item[i].used || is_letter(s->item[i].name[length]);
        if (good) return length;
    }
    return 0;
}

static fa_status drop_ends(shortening *s)
{
    fa_status status = FA_OK;
    for (int kind = 0; kind < CYLINDER && status == FA_OK; kind++) {
        for (int i = s->first[kind]; i < s->first[kind + 1]; i++)
            drop_suffix(&s->item[i], kinds[kind].suffix);
        const size_t prefix = common_prefix(s, kind);
        for (int i = s->first[kind]; i < s->first[kind + 1] && prefix > 0; i++) {
            item *it = &s->item[i];
            if (it->used) rename_item(it, it->name + prefix, strlen(it->name) - prefix);
        }
        status = keep_apart(s, kind);
    }
    return status;
}

// -------------------------------------------------------------------------------- middle letters

// Finds the items in a variable's name: at most one of each kind for each level but the first.
static int named_after(const shortening *s, const char *variable, int of[], int room)
{
    int n = 0;
    for (const char *dot = strchr(variable, '.'); dot; dot = strchr(dot + 1, '.')) {
        char         level[FA_NAME_SIZE + 1];
        const size_t length = strcspn(dot + 1, ".");
        if (length >= sizeof level) continue;
        memcpy(level, dot + 1, length);
        level[length] = '\0';
        for (int kind = 0; kind < KINDS && n < room; kind++) {
            const int found = fa_names_find(&s->segments[kind], level);
            if (found >= 0) of[n++] = found;
        }
    }
    return n;
}

// Replaces middle letters by a hash, such as "shoulder_1f3a_joint", to fit the limit.
static void cut_middle(item *it)
{
    const size_t n = strlen(it->segment), most = it->most < LEAST ? LEAST : it->most;
    uint8_t      digest[32];
    char         shorter[FA_NAME_SIZE + 1];
    if (n <= most) return;
    fa_sha256(it->from, strlen(it->from), digest);
    const size_t letters = most - 6, head = (letters + 1) / 2, tail = letters - head;
    (void)snprintf(shorter, sizeof shorter, "%.*s_%02x%02x_%s", (int)head, it->segment, digest[0],
                   digest[1], it->segment + n - tail);
    rename_item(it, shorter, most);
}

typedef enum purpose { MARK_USED, CUT } purpose;

// Iterates over the variables' names: marks the items in them, or shortens those of names that are
// too long. *cut: a name was shortened.
static fa_status walk(shortening *s, purpose wanted, bool *cut)
{
    enum { ROOM = 12 };
    fa_variables    table;
    void           *block;
    const fa_plant *plant = fa_plant_find(s->robot->plant);
    fa_status       status = fa_plant_variables(plant, s->robot, false, &table, &block, s->error);
    *cut = false;
    if (status != FA_OK) return status;
    for (int i = 0; i < s->first[KINDS]; i++) s->item[i].most = FA_NAME_SIZE;
    for (int row = 0; row < table.n; row++) {
        int          of[ROOM];
        const char  *name = table.row[row].name;
        const size_t length = strlen(name);
        const int    n = named_after(s, name, of, ROOM);
        for (int k = 0; k < n && wanted == MARK_USED; k++) s->item[of[k]].used = true;
        if (length <= FA_MATLAB_NAME) continue;
        int many = 0; // number of items that are long enough to shorten
        for (int k = 0; k < n; k++) many += strlen(s->item[of[k]].segment) > LEAST;
        for (int k = 0; k < n; k++) {
            item        *it = &s->item[of[k]];
            const size_t own = strlen(it->segment);
            if (own <= LEAST) continue;
            const size_t over = (length - FA_MATLAB_NAME + (size_t)many - 1) / (size_t)many;
            const size_t most = own > over + LEAST ? own - over : LEAST;
            if (most < it->most) it->most = most;
        }
    }
    free(block);
    for (int i = 0; i < s->first[KINDS] && wanted == CUT; i++) {
        if (s->item[i].most == FA_NAME_SIZE) continue;
        cut_middle(&s->item[i]);
        *cut = true;
    }
    return FA_OK;
}

static fa_status check_again(shortening *s)
{
    s->robot->checked = false;
    return fa_robot_check(s->robot, NULL, s->error);
}

static fa_status shorten(shortening *s)
{
    bool      cut;
    fa_status status = gather(s);
    for (int kind = 0; kind < KINDS && status == FA_OK; kind++) status = keep_apart(s, kind);
    if (status == FA_OK) status = walk(s, MARK_USED, &cut);
    if (status == FA_OK) status = drop_ends(s);
    if (status == FA_OK) status = check_again(s);
    cut = true;
    for (int round = 0; round < ROUNDS && cut && status == FA_OK; round++) {
        status = walk(s, CUT, &cut);
        for (int kind = 0; kind < KINDS && status == FA_OK && cut; kind++)
            status = keep_apart(s, kind);
        if (status == FA_OK && cut) status = check_again(s);
    }
    return status;
}

static fa_status list_changes(const shortening *s, fa_short_names *names)
{
    names->of = calloc((size_t)s->first[KINDS] + 1, sizeof *names->of);
    if (!names->of) return no_memory(s);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = s->first[kind]; i < s->first[kind + 1]; i++) {
            const item *it = &s->item[i];
            if (strcmp(it->name, it->from) == 0) continue;
            fa_short_name *to = &names->of[names->n++];
            to->kind = kinds[kind].name;
            memcpy(to->from, it->from, FA_NAME_SIZE);
            memcpy(to->to, it->name, FA_NAME_SIZE);
        }
    return FA_OK;
}

fa_status fa_robot_shorten_names(fa_robot *robot, fa_short_names *names, fa_error *error)
{
    shortening s = {.robot = robot, .error = error};
    *names = (fa_short_names){.n = 0};
    if (fa_robot_is_snake(robot) || fa_robot_is_axis(robot)) return FA_OK;
    fa_status status = shorten(&s);
    if (status == FA_OK) status = list_changes(&s, names);
    for (int kind = 0; kind < KINDS; kind++) fa_names_free(&s.segments[kind]);
    free(s.item);
    return status;
}
