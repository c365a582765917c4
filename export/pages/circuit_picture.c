// Lays out the picture of a circuit: symbols in rows and groups, nodes as lines in the channels
// between rows. Everything has an integer place, and no two vertical lines share one.
#include "circuit_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "circuit_symbols.h"
#include "robot_circuit.h"

// Channel k is below row k. The middle row is empty where nothing stands between actuators and
// valves: then actuators stand there.
enum { ROW_ACTUATOR, ROW_MIDDLE, ROW_VALVE, ROW_SOURCE, ROWS };

enum { PINS = 5, MARGIN = 20, TRACK = 14, LANE = 10, STEP = 10, NOBODY = FA_NOBODY };

// Room of a row above and below the middles of its symbols.
static const int above[ROWS] = {32, 34, 34, 34}, below[ROWS] = {38, 46, 60, 52};

// A port: where its line leaves the symbol and the row, from the symbol's middle.
typedef struct pin {
    int  net;
    int  sx, sy; // the symbol's end
    int  dx;     // the line's
    bool up, dashed;
    int  lane; // x of a vertical line through rows; NOBODY: its channel is the net's
    int  jog;  // segment that leads there
} pin;

typedef struct item {
    int part, cylinder; // one of them; NOBODY
    int row, group, turn;
    int left, right; // room beside its middle
    int x, n;
    pin pin[PINS];
} item;

// A horizontal line in a channel.
typedef struct segment {
    int channel, net, from, to, track;
} segment;

// A node, or behind all nodes the load-sensing line of a part.
typedef struct wire {
    fa_circuit_kind given; // tank or supply; FA_CIRCUIT_KIND_COUNT: neither
    bool            rail;  // at pumps, or at what valves take
    int             comp;  // a parent in the forest of what belongs together
    int             home;  // channel
    int             bus;   // segment; NOBODY: no line
    bool            is_line;
} wire;

typedef struct sheet {
    fa_markup      *out;
    const fa_robot *robot;
    int             n_items, n_nets, n_segments, n_groups, width;
    item           *item;
    wire           *net;
    segment        *segment;
    int            *group_of;                // of a net that stands for its component; 0: not yet
    int             middle[ROWS], top[ROWS]; // of symbols; of the channel below
} sheet;

static bool is_given(const sheet *s, int net)
{
    return s->net[net].given != FA_CIRCUIT_KIND_COUNT;
}

// ------------------------------------------------------------------------------------------ groups

static int root(const sheet *s, int net)
{
    while (s->net[net].comp != net) net = s->net[net].comp;
    return net;
}

static const fa_circuit_part *part_of(const sheet *s, const item *it)
{
    return it->part == NOBODY ? NULL : fa_robot_circuit_part(s->robot, it->part);
}

// The nodes of an item, by its ports.
static int nodes_of(const sheet *s, const item *it, int node[])
{
    const fa_circuit_part *part = part_of(s, it);
    if (!part) {
        const fa_cylinder *c = fa_robot_cylinder(s->robot, it->cylinder);
        memcpy(node, c->node, 2 * sizeof *node);
        return 2;
    }
    const int n = fa_circuit_ports(part->kind);
    memcpy(node, part->port, (size_t)n * sizeof *node);
    return n;
}

static bool is_actuator(const sheet *s, const item *it)
{
    return it->part == NOBODY || part_of(s, it)->kind == FA_CIRCUIT_MOTOR;
}

static bool is_kind(const sheet *s, const item *it, fa_circuit_kind kind)
{
    return it->part != NOBODY && part_of(s, it)->kind == kind;
}

static bool belongs(const sheet *s, int net)
{
    return !is_given(s, net) && !s->net[net].rail;
}

static void find_nets(sheet *s)
{
    const fa_robot *robot = s->robot;
    for (int k = 0; k < s->n_nets; k++)
        s->net[k] = (wire){.given = FA_CIRCUIT_KIND_COUNT,
                           .comp = k,
                           .home = NOBODY,
                           .bus = NOBODY,
                           .is_line = k >= robot->n_nodes};
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_part *part = fa_robot_circuit_part(robot, k);
        if (part->kind == FA_CIRCUIT_TANK || part->kind == FA_CIRCUIT_SUPPLY)
            s->net[part->port[0]].given = part->kind;
        if (part->kind == FA_CIRCUIT_VALVE || part->kind == FA_CIRCUIT_PUMP)
            s->net[part->port[0]].rail = true; // P, out
    }
}

// Joins the nodes of a function: what is between a valve and its actuators.
static void join(sheet *s)
{
    for (int i = 0; i < s->n_items; i++) {
        const item *it = &s->item[i];
        int         node[FA_CIRCUIT_PORTS], first = NOBODY;
        if (is_kind(s, it, FA_CIRCUIT_PUMP)) continue;
        const bool valve = is_kind(s, it, FA_CIRCUIT_VALVE);
        const int  n = nodes_of(s, it, node);
        for (int k = valve ? 2 : 0; k < n; k++) {
            if (!belongs(s, node[k])) continue;
            if (first != NOBODY) s->net[root(s, node[k])].comp = root(s, first);
            first = node[k];
        }
    }
}

// Numbers the groups from left to right: what is at pumps first, then functions in the order of
// valves, then the rest.
static void group(sheet *s)
{
    s->n_groups = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->n_items; i++) {
            item *it = &s->item[i];
            int   node[FA_CIRCUIT_PORTS];
            if (pass == 0 && !is_kind(s, it, FA_CIRCUIT_VALVE)) continue;
            const int n = nodes_of(s, it, node);
            const int first = is_kind(s, it, FA_CIRCUIT_VALVE) ? 2 : 0;
            it->group = 0;
            for (int k = first; k < n && it->group == 0; k++) {
                if (!belongs(s, node[k]) || is_kind(s, it, FA_CIRCUIT_PUMP)) continue;
                int *of = &s->group_of[root(s, node[k])];
                if (*of == 0) *of = s->n_groups++;
                it->group = *of;
            }
            if (it->group == 0 && first == 2) it->group = s->n_groups++; // a valve alone
        }
}

static void choose_rows(sheet *s)
{
    bool middle = false;
    for (int i = 0; i < s->n_items; i++) {
        item *it = &s->item[i];
        it->row = is_actuator(s, it)                 ? ROW_ACTUATOR
                  : is_kind(s, it, FA_CIRCUIT_VALVE) ? ROW_VALVE
                  : is_kind(s, it, FA_CIRCUIT_PUMP)  ? ROW_SOURCE
                  : it->group == 0                   ? ROW_SOURCE
                                                     : ROW_MIDDLE;
        middle |= it->row == ROW_MIDDLE;
    }
    for (int i = 0; i < s->n_items && !middle; i++)
        if (s->item[i].row == ROW_ACTUATOR) s->item[i].row = ROW_MIDDLE;
}

// The channel of a net: the highest of where actuators, valves' outlets, and anything else ask for
// it.
static void choose_homes(sheet *s)
{
    for (int i = 0; i < s->n_items; i++) {
        const item *it = &s->item[i];
        int         node[FA_CIRCUIT_PORTS];
        const int   n = nodes_of(s, it, node);
        for (int k = 0; k < n; k++) {
            wire *at = &s->net[node[k]];
            int   wanted = it->row == ROW_SOURCE ? ROW_VALVE : it->row;
            if (it->row == ROW_VALVE && k >= 2) wanted = ROW_MIDDLE;
            if (at->rail) wanted = ROW_VALVE;
            if (at->home == NOBODY || wanted < at->home) at->home = wanted;
        }
    }
    for (int k = s->robot->n_nodes; k < s->n_nets; k++) s->net[k].home = ROW_VALVE;
}

// ------------------------------------------------------------------------------------------- pins

static pin *add_pin(item *it, int net, int sx, int sy, int dx, bool up)
{
    it->pin[it->n] = (pin){net, sx, sy, dx, up, false, NOBODY, NOBODY};
    return &it->pin[it->n++];
}

// Tanks and supplies are drawn below.
static bool goes_up(const sheet *s, const item *it, int net)
{
    return !is_given(s, net) && s->net[net].home < it->row;
}

// Turns a symbol with two ends so that they point to their nets.
static void turn_ends(const sheet *s, item *it, int first, int second)
{
    const bool first_up = goes_up(s, it, first), second_up = goes_up(s, it, second);
    const int  reach = FA_SYMBOL_REACH;
    it->turn = first_up == second_up ? 90 : first_up ? 180 : 0;
    if (it->turn == 90) {
        add_pin(it, first, -reach, 0, -30, first_up);
        add_pin(it, second, reach, 0, 30, second_up);
    } else {
        add_pin(it, first, 0, first_up ? -reach : reach, 0, first_up);
        add_pin(it, second, 0, second_up ? -reach : reach, 0, second_up);
    }
}

// Adds the pilot of a poppet, which comes from the symbol's left, wherever that is turned.
static void add_pilot(const sheet *s, item *it, int net, int reach)
{
    const bool up = goes_up(s, it, net);
    const int  x = it->turn == 180 ? reach : -reach, far = it->turn == 180 ? 40 : -40;
    pin       *p =
        it->turn == 90 ? add_pin(it, net, 0, -reach, 0, true) : add_pin(it, net, x, 0, far, up);
    p->dashed = true;
}

static void add_sensing(const sheet *s, item *it, int sx, int sy, int dx, bool up)
{
    const fa_circuit_part *part = part_of(s, it);
    if (part->sensing == NOBODY) return;
    add_pin(it, s->robot->n_nodes + part->sensing, sx, sy, dx, up)->dashed = true;
}

static void set_room(item *it, int left, int right)
{
    it->left = left;
    it->right = right;
}

static void add_pins(const sheet *s, item *it)
{
    const fa_circuit_part *part = part_of(s, it);
    const int              reach = FA_SYMBOL_REACH;
    int                    node[FA_CIRCUIT_PORTS];
    nodes_of(s, it, node);
    set_room(it, 40, 60);
    if (!part) {
        add_pin(it, node[0], -30, reach, -30, false);
        add_pin(it, node[1], 30, reach, 30, false);
        set_room(it, 50, 70);
        return;
    }
    switch (part->kind) {
    case FA_CIRCUIT_MOTOR:
        add_pin(it, node[0], -reach, reach, -reach, false);
        add_pin(it, node[1], reach, reach, reach, false);
        add_pin(it, node[2], 0, 16, 0, false)->dashed = true;
        return;
    case FA_CIRCUIT_VALVE:
        add_pin(it, node[0], -10, 40, -10, false);
        add_pin(it, node[1], 10, 40, 10, false);
        add_pin(it, node[2], -10, -reach, is_given(s, node[2]) ? -80 : -10, true);
        add_pin(it, node[3], 10, -reach, is_given(s, node[3]) ? 80 : 10, true);
        add_sensing(s, it, 30, reach, 30, false);
        set_room(it, 90, 90);
        return;
    case FA_CIRCUIT_PUMP:
        add_pin(it, node[0], 0, -reach, 0, true);
        add_pin(it, node[1], 0, reach, 0, false);
        add_sensing(s, it, -18, 0, -30, true);
        return;
    case FA_CIRCUIT_ACCUMULATOR:
        // It stands upright, with its gas above.
        if (goes_up(s, it, node[0]))
            add_pin(it, node[0], 0, reach, -30, true);
        else
            add_pin(it, node[0], 0, reach, 0, false);
        return;
    case FA_CIRCUIT_PILOT_CHECK:
    case FA_CIRCUIT_COUNTERBALANCE:
        turn_ends(s, it, node[0], node[1]);
        add_pilot(s, it, node[2], part->kind == FA_CIRCUIT_PILOT_CHECK ? 14 : 28);
        set_room(it, 50, 60);
        return;
    default:
        turn_ends(s, it, node[0], node[1]);
    }
}

static int channel_of(const item *it, const pin *p)
{
    return p->up ? it->row - 1 : it->row;
}

static bool is_direct(const sheet *s, const item *it, const pin *p)
{
    return channel_of(it, p) == s->net[p->net].home;
}

// ------------------------------------------------------------------------------------------ places

// Places a group's rows beside each other's middles, from `left`; returns where the next may begin.
static int place_group(sheet *s, int group, int left)
{
    int width[ROWS] = {0}, widest = 0, lanes = 0;
    for (int i = 0; i < s->n_items; i++) {
        const item *it = &s->item[i];
        if (it->group != group) continue;
        width[it->row] += it->left + it->right;
        if (width[it->row] > widest) widest = width[it->row];
        for (int k = 0; k < it->n; k++)
            lanes += !is_given(s, it->pin[k].net) && !is_direct(s, it, &it->pin[k]);
    }
    if (widest == 0) return left;
    for (int row = 0; row < ROWS; row++) {
        // Rows that share a channel have their lines at other places: 5 pixels beside each other.
        int x = left + (widest - width[row]) / (2 * STEP) * STEP + (row % 2 ? 5 : 0);
        for (int i = 0; i < s->n_items; i++) {
            item *it = &s->item[i];
            if (it->group != group || it->row != row) continue;
            it->x = x + it->left;
            x += it->left + it->right;
        }
    }
    int lane = left + widest + STEP;
    for (int i = 0; i < s->n_items; i++)
        for (int k = 0; k < s->item[i].n && s->item[i].group == group; k++) {
            pin *p = &s->item[i].pin[k];
            if (is_given(s, p->net) || is_direct(s, &s->item[i], p)) continue;
            p->lane = lane;
            lane += LANE;
        }
    return left + widest + (lanes > 0 ? (lanes + 1) * LANE : 0) + STEP;
}

static int add_segment(sheet *s, int channel, int net, int from, int to)
{
    segment *g = &s->segment[s->n_segments];
    *g = (segment){channel, net, from < to ? from : to, from < to ? to : from, 0};
    return s->n_segments++;
}

// The lines of all nets: one in its channel for each, and one to each lane.
static void find_segments(sheet *s)
{
    for (int i = 0; i < s->n_items; i++)
        for (int k = 0; k < s->item[i].n; k++) {
            item *it = &s->item[i];
            pin  *p = &it->pin[k];
            wire *at = &s->net[p->net];
            if (is_given(s, p->net)) continue;
            int x = it->x + p->dx;
            if (p->lane != NOBODY) {
                p->jog = add_segment(s, channel_of(it, p), p->net, x, p->lane);
                x = p->lane;
            }
            if (at->bus == NOBODY) at->bus = add_segment(s, at->home, p->net, x, x);
            segment *bus = &s->segment[at->bus];
            if (x < bus->from) bus->from = x;
            if (x > bus->to) bus->to = x;
        }
}

static int leftmost_first(const void *a, const void *b)
{
    const segment *const *x = a, *const *y = b;
    if ((*x)->from != (*y)->from) return (*x)->from < (*y)->from ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

// Gives each line of a channel the first track that is free there; returns how many tracks there
// are. The name of a net stands at the left end of its line.
static int assign_tracks(sheet *s, int channel, segment *sorted[], int end[])
{
    enum { NAME = 60, GAP = 8 };
    int n = 0, tracks = 0;
    for (int k = 0; k < s->n_segments; k++)
        if (s->segment[k].channel == channel) sorted[n++] = &s->segment[k];
    qsort(sorted, (size_t)n, sizeof *sorted, leftmost_first);
    for (int k = 0; k < n; k++) {
        const int least = sorted[k]->from + NAME;
        int       track = 0;
        while (track < tracks && end[track] + GAP > sorted[k]->from) track++;
        if (track == tracks) tracks++;
        sorted[k]->track = track;
        end[track] = sorted[k]->to > least ? sorted[k]->to : least;
    }
    return tracks;
}

static int place_rows(sheet *s, segment *sorted[], int end[])
{
    int y = MARGIN;
    for (int row = 0; row < ROWS; row++) {
        bool used = false;
        for (int i = 0; i < s->n_items; i++) used |= s->item[i].row == row;
        s->middle[row] = y + above[row];
        if (used) y += above[row] + below[row];
        s->top[row] = y;
        const int tracks = assign_tracks(s, row, sorted, end);
        if (tracks > 0) y += TRACK * (tracks + 1);
    }
    return y + MARGIN;
}

// ----------------------------------------------------------------------------------------- drawing

static int height_of(const sheet *s, int index)
{
    const segment *g = &s->segment[index];
    return s->top[g->channel] + TRACK * (g->track + 1);
}

static void begin_net(const sheet *s, int net)
{
    fa_markup_open(s->out, "g");
    if (s->net[net].is_line) {
        fa_markup_attribute(s->out, "stroke-dasharray", "4 3");
        return;
    }
    char text[16];
    (void)snprintf(text, sizeof text, "%d", net);
    fa_markup_attribute(s->out, "data-node", text);
}

static void write_text(const sheet *s, int x, int y, const char *anchor, const char *text)
{
    fa_markup_open(s->out, "text");
    fa_markup_integer(s->out, "x", x);
    fa_markup_integer(s->out, "y", y);
    if (anchor) fa_markup_attribute(s->out, "text-anchor", anchor);
    // Names stand out from lines that they cross.
    fa_markup_attribute(s->out, "fill", "currentColor");
    fa_markup_attribute(s->out, "stroke", "#fff");
    fa_markup_attribute(s->out, "stroke-width", "3");
    fa_markup_attribute(s->out, "paint-order", "stroke");
    fa_markup_text(s->out, text);
    fa_markup_close(s->out);
}

static void write_dot(const sheet *s, int x, int y)
{
    char data[64];
    (void)snprintf(data, sizeof data, "M%d %da3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", x - 3, y);
    fa_markup_open(s->out, "path");
    fa_markup_attribute(s->out, "d", data);
    fa_markup_attribute(s->out, "fill", "currentColor");
    fa_markup_attribute(s->out, "stroke", "none");
    fa_markup_close(s->out);
}

// Draws the line from a port to its net, with a dot where it meets others.
static void draw_pin(const sheet *s, const item *it, const pin *p)
{
    const wire    *at = &s->net[p->net];
    const segment *bus = &s->segment[at->bus];
    const int      x = it->x + p->dx, y = s->middle[it->row], to = height_of(s, at->bus);
    char           data[160];
    const int      meets = p->lane == NOBODY ? x : p->lane;
    if (p->lane == NOBODY)
        (void)snprintf(data, sizeof data, "M%d %dH%dV%d", it->x + p->sx, y + p->sy, x, to);
    else
        (void)snprintf(data, sizeof data, "M%d %dH%dV%dH%dV%d", it->x + p->sx, y + p->sy, x,
                       height_of(s, p->jog), p->lane, to);
    if (p->dashed && !at->is_line)
        fa_symbol_dashes(s->out, data);
    else
        fa_symbol_path(s->out, data);
    if (bus->from == bus->to || (meets > bus->from && meets < bus->to)) write_dot(s, meets, to);
}

static void draw_net(const sheet *s, int index)
{
    const wire *at = &s->net[index];
    char        data[64];
    if (at->bus == NOBODY) return;
    const segment *bus = &s->segment[at->bus];
    const int      y = height_of(s, at->bus);
    begin_net(s, index);
    (void)snprintf(data, sizeof data, "M%d %dH%d", bus->from, y, bus->to);
    fa_symbol_path(s->out, data);
    for (int i = 0; i < s->n_items; i++)
        for (int k = 0; k < s->item[i].n; k++)
            if (s->item[i].pin[k].net == index) draw_pin(s, &s->item[i], &s->item[i].pin[k]);
    fa_markup_close(s->out);
    const int nodes = s->robot->n_nodes;
    write_text(s, bus->from + 6, y - 3, NULL,
               at->is_line ? fa_robot_circuit_part(s->robot, index - nodes)->name
                           : fa_robot_node(s->robot, index)->name);
}

// Draws a tank or supply at a port, with its name where there are several of them.
static void draw_given(const sheet *s, const item *it, const pin *p)
{
    const wire *at = &s->net[p->net];
    const int   x = it->x + p->dx, y = s->middle[it->row];
    const int   out = p->up ? p->sy - 8 : p->sy, down = p->up ? out : out < 20 ? 20 : out;
    char        data[96];
    begin_net(s, p->net);
    (void)snprintf(data, sizeof data, "M%d %dV%dH%dV%d", it->x + p->sx, y + p->sy, y + out, x,
                   y + down);
    if (p->dashed)
        fa_symbol_dashes(s->out, data);
    else
        fa_symbol_path(s->out, data);
    fa_markup_open(s->out, "g");
    (void)snprintf(data, sizeof data, "translate(%d %d)", x, y + down);
    fa_markup_attribute(s->out, "transform", data);
    if (at->given == FA_CIRCUIT_TANK)
        fa_symbol_tank(s->out);
    else
        fa_symbol_supply(s->out);
    fa_markup_close(s->out);
    fa_markup_close(s->out);
    if (at->given == FA_CIRCUIT_SUPPLY)
        write_text(s, x - 9, y + down + 14, "end", fa_robot_node(s->robot, p->net)->name);
}

static void draw_chambers(const sheet *s, const item *it)
{
    const fa_cylinder *c = fa_robot_cylinder(s->robot, it->cylinder);
    for (int side = 0; side < 2; side++) {
        begin_net(s, c->node[side]);
        fa_markup_attribute(s->out, "fill-opacity", "0.4");
        fa_markup_attribute(s->out, "stroke", "none");
        fa_symbol_chamber(s->out, side);
        fa_markup_close(s->out);
    }
    fa_symbol_cylinder(s->out);
}

static void draw_name(const sheet *s, const item *it)
{
    const fa_circuit_part *part = part_of(s, it);
    const int              x = it->x, y = s->middle[it->row];
    if (!part)
        write_text(s, x - 40, y - 17, NULL, fa_robot_cylinder(s->robot, it->cylinder)->name);
    else if (part->kind == FA_CIRCUIT_MOTOR)
        write_text(s, x + 8, y - 19, NULL, part->name);
    else if (part->kind == FA_CIRCUIT_VALVE)
        write_text(s, x - 24, y + 34, "end", part->name);
    else if (part->kind == FA_CIRCUIT_PILOT_CHECK || part->kind == FA_CIRCUIT_COUNTERBALANCE)
        write_text(s, x + 6, y + 30, NULL, part->name);
    else if (part->kind == FA_CIRCUIT_PUMP)
        write_text(s, x + 20, y + 18, NULL, part->name);
    else if (it->turn == 90)
        write_text(s, x, y - 22, "middle", part->name);
    else
        write_text(s, x + 14, y + 18, NULL, part->name);
}

// Returns what viewers show where one points at the symbol.
static fa_part_name about_item(const sheet *s, const item *it)
{
    fa_part_name name;
    if (it->part != NOBODY) return fa_circuit_about(part_of(s, it));
    (void)snprintf(name.text, sizeof name.text, "cylinder '%s'",
                   fa_robot_cylinder(s->robot, it->cylinder)->name);
    return name;
}

static void draw_item(const sheet *s, const item *it)
{
    char data[64];
    for (int k = 0; k < it->n; k++)
        if (is_given(s, it->pin[k].net)) draw_given(s, it, &it->pin[k]);
    fa_markup_open(s->out, "g");
    (void)snprintf(data, sizeof data, "translate(%d %d) rotate(%d)", it->x, s->middle[it->row],
                   it->turn);
    fa_markup_attribute(s->out, "transform", data);
    fa_markup_element(s->out, "title", about_item(s, it).text);
    if (it->part == NOBODY)
        draw_chambers(s, it);
    else
        fa_symbol_part(s->out, s->robot, it->part);
    fa_markup_close(s->out);
    draw_name(s, it);
}

static void draw(const sheet *s, int height)
{
    char box[64];
    fa_markup_open(s->out, "svg");
    fa_markup_attribute(s->out, "xmlns", "http://www.w3.org/2000/svg");
    (void)snprintf(box, sizeof box, "0 0 %d %d", s->width, height);
    fa_markup_attribute(s->out, "viewBox", box);
    fa_markup_integer(s->out, "width", s->width);
    fa_markup_integer(s->out, "height", height);
    fa_markup_attribute(s->out, "role", "img");
    fa_markup_element(s->out, "title", "The hydraulic circuit");
    fa_markup_open(s->out, "g");
    fa_markup_attribute(s->out, "fill", "none");
    fa_markup_attribute(s->out, "stroke", "currentColor");
    fa_markup_attribute(s->out, "stroke-width", "1.3");
    fa_markup_attribute(s->out, "font-size", "10");
    fa_markup_attribute(s->out, "font-family", "sans-serif");
    for (int k = 0; k < s->n_nets; k++) draw_net(s, k);
    for (int i = 0; i < s->n_items; i++) draw_item(s, &s->item[i]);
    fa_markup_close(s->out);
    fa_markup_close(s->out);
}

// ------------------------------------------------------------------------------------------ whole

static void list_items(sheet *s)
{
    const fa_robot *robot = s->robot;
    for (int k = 0; k < robot->n_parts; k++) {
        const fa_circuit_kind kind = fa_robot_circuit_part(robot, k)->kind;
        if (kind <= FA_CIRCUIT_VOLUME || kind == FA_CIRCUIT_SENSING) continue;
        s->item[s->n_items++] = (item){.part = k, .cylinder = NOBODY};
    }
    for (int k = 0; k < robot->n_cylinders; k++)
        if (fa_robot_cylinder(robot, k)->cut == FA_CUT_CIRCUIT)
            s->item[s->n_items++] = (item){.part = NOBODY, .cylinder = k};
}

static void lay_out_and_draw(sheet *s, segment *sorted[], int end[])
{
    list_items(s);
    find_nets(s);
    join(s);
    group(s);
    choose_rows(s);
    choose_homes(s);
    for (int i = 0; i < s->n_items; i++) add_pins(s, &s->item[i]);
    int x = MARGIN;
    for (int k = 0; k < s->n_groups; k++) x = place_group(s, k, x);
    s->width = x + MARGIN;
    find_segments(s);
    draw(s, place_rows(s, sorted, end));
}

fa_status fa_circuit_picture_into(fa_markup *out, const fa_robot *robot, fa_error *error)
{
    const size_t items = (size_t)robot->n_parts + (size_t)robot->n_cylinders;
    const size_t nets = (size_t)robot->n_nodes + (size_t)robot->n_parts;
    const size_t segments = nets + PINS * items;
    sheet        s = {.out = out, .robot = robot, .n_nets = (int)nets};
    s.item = calloc(items + 1, sizeof *s.item);
    s.net = calloc(nets + 1, sizeof *s.net);
    s.segment = calloc(segments + 1, sizeof *s.segment);
    s.group_of = calloc(nets + 1, sizeof *s.group_of);
    segment  **sorted = calloc(segments + 1, sizeof(segment *));
    int       *end = calloc(segments + 1, sizeof *end);
    const bool room = s.item && s.net && s.segment && s.group_of && sorted && end;
    if (room) lay_out_and_draw(&s, sorted, end);
    free(end);
    free(sorted);
    free(s.group_of);
    free(s.segment);
    free(s.net);
    free(s.item);
    if (room) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the picture of the circuit");
}

fa_status fa_circuit_picture(const fa_robot *robot, char **text, size_t *size, fa_error *error)
{
    fa_markup       out = fa_markup_new();
    const fa_status status = fa_circuit_picture_into(&out, robot, error);
    const fa_status finished = fa_markup_finish(&out, text, size, status == FA_OK ? error : NULL);
    if (status != FA_OK && finished == FA_OK) free(*text);
    return status != FA_OK ? status : finished;
}
