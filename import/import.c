// From a file of any format to a checked robot. What holds for every format is here: what the user
// asked for beyond the file, and the rules.
#include "import.h"

#include <libxml/globals.h>
#include <libxml/xmlerror.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form_build.h"
#include "form_clip.h"
#include "formats.h"
#include "link_weights.h"
#include "number.h"
#include "robot_circuit.h"
#include "robot_cylinders.h"
#include "robot_lists.h"
#include "robot_loops.h"
#include "source.h"
#include "text.h"

// --------------------------------------------------------------------------------- strict reading

// Passes warnings on and remembers the first, which is the error when reading is strict.
typedef struct listener {
    const fa_log       *next;
    bool                warned;
    fa_place            place;
    char                file[512];
    char                sentence[960];
    const char         *path;      // of the robot
    const fa_expansion *expansion; // NULL: what is read is the file itself
} listener;

static void listen(void *context, const char *file, fa_place place, const char *sentence)
{
    listener      *l = context;
    fa_macro_stack stack = {""};
    char           longer[960 + sizeof stack.text];
    if (l->expansion && strcmp(file, l->path) == 0) {
        const char *from = fa_expansion_origin(l->expansion, &place, &stack);
        if (from) file = from;
    }
    if (stack.text[0]) {
        (void)snprintf(longer, sizeof longer, "%s%s", sentence, stack.text);
        sentence = longer;
    }
    if (!l->warned) {
        l->warned = true;
        l->place = place;
        snprintf(l->file, sizeof l->file, "%s", file);
        snprintf(l->sentence, sizeof l->sentence, "%s", sentence);
    }
    if (l->next && l->next->warn) l->next->warn(l->next->context, file, place, sentence);
}

static void listen_to_remark(void *context, const char *file, fa_place place, const char *sentence)
{
    listener    *l = context;
    const fa_log silent = {.warn = NULL}, *next = l->next;
    l->next = &silent;
    listen(l, file, place, sentence);
    l->next = next;
    const char *from = l->expansion && strcmp(file, l->path) == 0
                           ? fa_expansion_origin(l->expansion, &place, &(fa_macro_stack){""})
                           : NULL;
    fa_remark(next, from ? from : file, place, "%s", sentence);
}

// ------------------------------------------------------------------------ what the user asked for

static fa_status choose_tip(fa_robot *robot, const char *tip, const fa_log *log, fa_error *error)
{
    if (tip) return fa_robot_set_tip(robot, tip, error);
    int equals;
    robot->tip_link = fa_robot_guess_tip(robot, &equals);
    if (robot->tip_link == FA_NOBODY)
        return fa_fail(error, FA_NO_MEMORY, robot->source, FA_NOWHERE,
                       "there is not enough memory for %d links", robot->n_links);
    if (equals > 0)
        fa_warn(log, robot->source, FA_NOWHERE,
                "link '%s' is taken as the tip, and %d other%s could be as well; choose one with "
                "--tip LINK",
                robot->link[robot->tip_link].name, equals, equals == 1 ? "" : "s");
    return FA_OK;
}

static fa_status give_wrench(fa_robot *robot, const char *name, fa_error *error)
{
    int link = fa_robot_find_link(robot, name);
    if (link == FA_NOBODY)
        return fa_fail(
            error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
            "there is no link '%s' to put a wrench on; see `forearm check` for the names", name);
    robot->link[link].wrench = true;
    return FA_OK;
}

// CYLINDER=CUT, or a CUT for all.
static fa_status choose_cut(fa_robot *robot, const char *text, fa_error *error)
{
    static const char *const word[] = {
#define X(code, name) name,
        FA_CUT_LIST(X)
#undef X
    };
    const char  *equals = strrchr(text, '='), *wanted = equals ? equals + 1 : text;
    const size_t length = equals ? (size_t)(equals - text) : 0;
    fa_cylinder *cylinder = fa_robot_cylinders(robot);
    int          cut = 0, found = 0;
    while (cut < FA_CUT_COUNT && strcmp(wanted, word[cut]) != 0) cut++;
    if (cut == FA_CUT_COUNT)
        return fa_fail(
            error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
            "there is no cut '%.60s'; a cylinder is cut at force, port, chamber, valve or "
            "circuit, such as lift=valve",
            wanted);
    for (int k = 0; k < robot->n_cylinders; k++) {
        const char *name = cylinder[k].name;
        if (equals && (strlen(name) != length || memcmp(name, text, length) != 0)) continue;
        cylinder[k].cut = (fa_cut)cut;
        found++;
    }
    if (found > 0) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                   "there is no cylinder '%.*s' to cut; %s%s%s", (int)length, text,
                   robot->n_cylinders ? "the first is '" : "the robot has none",
                   robot->n_cylinders ? cylinder[0].name : "", robot->n_cylinders ? "'" : "");
}

// A motion starts at zero where the joint can be there.
static void place_joints(fa_robot *robot, const fa_log *log)
{
    for (int i = 0; i < robot->n_links; i++) {
        fa_joint            *joint = &robot->link[i].joint;
        const fa_limit_data *limit = &joint->limit;
        bool                 outside = limit->lower > 0 || limit->upper < 0;
        if (joint->initial_position != 0) continue; // the file says where
        if (!fa_joint_is_free(joint) || !outside || !(limit->lower <= limit->upper)) continue;
        joint->initial_position = limit->lower > 0 ? limit->lower : limit->upper;
        fa_warn(log, robot->source, joint->place,
                "joint '%s' cannot be at 0; it starts at its nearest limit, %s", joint->name,
                fa_number_text(joint->initial_position).text);
    }
}

// Refuses options for arms only; a snake supports the poses of its links.
static fa_status refuse_options(const fa_robot *robot, const char *kind,
                                const fa_import_options *options, fa_error *error)
{
    const char *what =
        options->n_locks      ? "no joint can be locked"
        : options->tip        ? "there is no tip to choose"
        : options->n_wrenches ? "no link can be given a wrench"
        : options->n_cuts     ? "the file says how it is cut"
        : options->outputs    ? fa_robot_is_snake(robot) ? "its only further outputs are poses and "
                                                           "energy, and reactions of one that slides"
                                                         : "there are no further outputs"
        : options->inputs ? fa_robot_is_snake(robot) ? "its only further inputs are those of gait, "
                                                       "where a gait drives it"
                                                     : "there are no further inputs"
        : options->independent ? "it has no loops"
        : options->actuators   ? "the file says what drives it"
        : options->stops.asked ? "no joint has limits"
                               : NULL;
    if (!what) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, robot->source, FA_NOWHERE,
                   "'%s' is a %s, and %s; leave this option out", robot->name, kind, what);
}

static fa_status apply(fa_robot *robot, bool has_tip, const fa_import_options *options,
                       const fa_log *log, fa_error *error)
{
    if (fa_robot_is_snake(robot)) {
        fa_import_options others = *options;
        if (options->outputs) {
            const fa_status status = fa_robot_set_outputs(robot, options->outputs, error);
            if (status != FA_OK) return status;
            const int may = FA_EXTRA_POSES | FA_EXTRA_ENERGY | FA_EXTRA_WORK |
                            (fa_robot_has_ground(robot) ? FA_EXTRA_REACTIONS : 0);
            if (!(robot->outputs & ~may)) others.outputs = NULL;
        }
        if (options->inputs && strcmp(options->inputs, "gait") == 0 &&
            robot->snake.input == FA_SNAKE_GAIT) {
            robot->snake.gait_inputs = true;
            others.inputs = NULL;
        }
        return refuse_options(robot, "snake", &others, error);
    }
    if (fa_robot_is_circuit_alone(robot)) {
        fa_import_options others = *options;
        if (options->outputs) {
            const fa_status status = fa_robot_set_outputs(robot, options->outputs, error);
            if (status != FA_OK) return status;
            if (!(robot->outputs & ~FA_EXTRA_ENERGY)) others.outputs = NULL;
        }
        return refuse_options(robot, "circuit", &others, error);
    }
    if (fa_robot_is_axis(robot)) return refuse_options(robot, "hydraulic axis", options, error);
    fa_status status = FA_OK;
    for (int i = 0; i < options->n_locks && status == FA_OK; i++)
        status = fa_robot_lock(robot, options->lock[i].joint, options->lock[i].position, error);
    if (status == FA_OK && (options->tip || !has_tip))
        status = choose_tip(robot, options->tip, log, error);
    for (int i = 0; i < options->n_wrenches && status == FA_OK; i++)
        status = give_wrench(robot, options->wrench[i], error);
    for (int i = 0; i < options->n_cuts && status == FA_OK; i++)
        status = choose_cut(robot, options->cut[i], error);
    if (status == FA_OK && options->inputs)
        status = fa_robot_set_inputs(robot, options->inputs, error);
    if (status == FA_OK && options->outputs)
        status = fa_robot_set_outputs(robot, options->outputs, error);
    if (status == FA_OK && (robot->outputs & FA_EXTRA_WORK))
        status = fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                         "'%s' is no snake, and the work of each joint is an output of snakes; "
                         "take energy in the place of work",
                         robot->name);
    if (status == FA_OK && options->independent)
        status = fa_robot_set_independent(robot, options->independent, error);
    if (status == FA_OK) place_joints(robot, log);
    return status;
}

// ------------------------------------------------------------------------------------ the formats

typedef fa_status read_form_fn(const fa_xml *xml, const fa_import_options *options,
                               const fa_log *log, fa_form *form, fa_error *error);

// The formats that others have made, by their root element.
static const struct {
    const char   *root;
    read_form_fn *read;
} format[] = {{"robot", fa_urdf_read}, {"mujoco", fa_mjcf_read}, {"sdf", fa_sdf_read}};

static read_form_fn *form_reader(const fa_xml *xml)
{
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        if (strcmp(xml->root->name, format[i].root) == 0) return format[i].read;
    return NULL;
}

// Computes missing masses from shapes, if requested.
static fa_status weigh(fa_form *form, const fa_import_options *options, const fa_log *log,
                       fa_error *error)
{
    fa_weights      weights = {.density = options->density, .total_mass = options->total_mass};
    fa_link_weight *link = NULL;
    fa_status       status = FA_OK;
    bool            asked = weights.density > 0 || weights.total_mass > 0;
    if (options->actuators) {
        link = calloc((size_t)form->n_links + 1, sizeof *link);
        if (!link) return fa_form_no_memory(form, error);
        status = fa_link_weights_read(options->actuators, form, link, error);
        weights.link = link;
        for (int i = 0; i < form->n_links; i++) asked |= link[i].at.file != NULL;
    }
    if (status == FA_OK && asked)
        status = fa_form_weigh(form, &weights, &options->xacro, log, error);
    free(link);
    return status;
}

static fa_status read_robot(const fa_xml *xml, read_form_fn *read, const fa_import_options *options,
                            const fa_log *log, fa_robot **robot, fa_error *error)
{
    fa_form form;
    fa_form_begin(&form, xml->path);
    fa_status status = read(xml, options, log, &form, error);
    if (status == FA_OK && options->base == FA_BASE_FREE && form.base == FA_FORM_BASE_UNSAID)
        form.base = FA_FORM_BASE_FREE;
    if (status == FA_OK) status = weigh(&form, options, log, error);
    if (status == FA_OK && options->lenient) fa_form_clip(&form, log);
    if (status == FA_OK) status = fa_form_build(&form, log, robot, error);
    fa_form_free(&form);
    return status;
}

static fa_status read_format(const fa_xml *xml, const fa_import_options *options, const fa_log *log,
                             fa_robot **robot, bool *has_tip, fa_error *error)
{
    const char   *root = xml->root->name;
    read_form_fn *read = form_reader(xml);
    *has_tip = false;
    if (read) return read_robot(xml, read, options, log, robot, error);
    if (options->density > 0 || options->total_mass > 0)
        return fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                       "a file with <%.60s> has no shapes to weigh links by; leave out --density "
                       "and --total-mass",
                       root);
    if (strcmp(root, "arm") == 0) {
        fa_status status = fa_schema_check(xml, error);
        *has_tip = true; // the last link's frame, where the file says nothing
        return status == FA_OK ? fa_arm_read(xml, log, robot, error) : status;
    }
    if (strcmp(root, "snake") == 0) {
        fa_status status = fa_schema_check(xml, error);
        *has_tip = true; // the last link, which is of no further use
        return status == FA_OK ? fa_snake_read(xml, robot, error) : status;
    }
    if (strcmp(root, "cylinder") == 0) {
        fa_status status = fa_schema_check(xml, error);
        *has_tip = true; // the base, which is of no use
        return status == FA_OK ? fa_axis_read(xml, log, robot, error) : status;
    }
    if (strcmp(root, "circuit") == 0) {
        fa_status status = fa_schema_check(xml, error);
        *has_tip = true; // the base, which is of no use
        return status == FA_OK ? fa_circuit_alone_read(xml, robot, error) : status;
    }
    bool parts = strcmp(root, "parts") == 0;
    return fa_fail(error, FA_BAD_INPUT, xml->path, xml->root->place,
                   "the root element is <%.60s>, and a robot file has <robot> (URDF), <mujoco>, "
                   "<sdf>, <arm>, <snake>, <cylinder> or <circuit>; %s",
                   root,
                   strcmp(root, "actuators") == 0 || strcmp(root, "mechanism") == 0
                       ? "give this one to --actuators, together with the robot"
                   : parts ? "`forearm parts` reads this one"
                           : "is it the right file?");
}

// libxml2 prints errors, such as a lack of memory, on standard error unless this thread has a
// handler. Errors that matter are returned otherwise.
#if LIBXML_VERSION >= 21200
static void hush(void *context, const xmlError *error)
#else
static void hush(void *context, xmlError *error)
#endif
{
    (void)context, (void)error;
}

static void name_if_here(const char *name, fa_place place, const char *side, fa_error *error)
{
    if (place.line == error->place.line && place.column == error->place.column &&
        strstr(error->message, name))
        (void)snprintf(error->file, sizeof error->file, "%s", side);
}

// Names the side file in an error about an entry that it appended behind the robot's own.
static void name_side_file(const fa_robot *robot, const fa_robot_lists *own, const char *side,
                           fa_error *error)
{
    if (!side || !error) return;
    for (int k = own->n[FA_LIST_CYLINDERS]; k < robot->n_cylinders; k++)
        name_if_here(fa_robot_cylinder(robot, k)->name, fa_robot_cylinder(robot, k)->place, side,
                     error);
    for (int k = own->n[FA_LIST_LOOPS]; k < robot->n_loops; k++)
        name_if_here(fa_robot_loop(robot, k)->name, fa_robot_loop(robot, k)->place, side, error);
    for (int k = own->n[FA_LIST_CONTACTS]; k < robot->n_contacts; k++)
        name_if_here(fa_robot_contact(robot, k)->name, fa_robot_contact(robot, k)->place, side,
                     error);
    for (int k = own->n[FA_LIST_OBSTACLES]; k < robot->n_obstacles; k++)
        name_if_here(fa_robot_obstacle(robot, k)->name, fa_robot_obstacle(robot, k)->place, side,
                     error);
    for (int k = own->n[FA_LIST_SPRINGS]; k < robot->n_springs; k++)
        name_if_here(fa_robot_spring(robot, k)->name, fa_robot_spring(robot, k)->place, side,
                     error);
}

// Adds stops to a valid robot, and checks it again.
static fa_status give_stops(fa_robot *robot, const fa_stops *stops, const fa_log *log,
                            fa_error *error)
{
    int n;
    if (!stops->asked) return FA_OK;
    fa_status status = fa_robot_give_stops(robot, stops, &n, error);
    for (int i = 0; i < robot->n_links; i++) n += robot->link[i].joint.stop.present;
    if (status == FA_OK && n == 0)
        fa_warn(log, robot->source, FA_NOWHERE,
                "no joint has limits without a stop of its own, so there is nothing for stops to "
                "stand at");
    return status == FA_OK ? fa_robot_check(robot, NULL, error) : status;
}

// ------------------------------------------------------------------------------ files of macros

// Maps an error in the expanded text to the user's file.
static void name_source(const fa_expansion *expansion, const char *path, fa_error *error)
{
    fa_macro_stack stack;
    if (!error || strcmp(error->file, path) != 0) return;
    const char *from = fa_expansion_origin(expansion, &error->place, &stack);
    if (!from) return;
    (void)snprintf(error->file, sizeof error->file, "%s", from);
    const size_t used = strlen(error->message);
    (void)snprintf(error->message + used, sizeof error->message - used, "%s", stack.text);
    fa_text_make_plain(error->message);
}

// Places in a robot are lines of its own file, or none.
static void keep_places(const fa_expansion *expansion, const char *path, fa_robot *robot)
{
    fa_macro_stack stack;
    for (int i = 0; i < robot->n_links; i++) {
        fa_place *place[] = {&robot->link[i].place, &robot->link[i].joint.place};
        for (int k = 0; k < 2; k++) {
            const char *from = fa_expansion_origin(expansion, place[k], &stack);
            if (!from || strcmp(from, path) != 0) *place[k] = FA_NOWHERE;
        }
    }
}

// Errors in an expanded text name the user's file.
static fa_status import_form(const char *text, size_t size, const char *path,
                             const fa_import_options *options, fa_form *form, fa_error *error)
{
    fa_xml   *xml;
    fa_status status = fa_xml_read(text, size, path, NULL, &xml, error);
    if (status != FA_OK) return status;
    read_form_fn *read = form_reader(xml);
    if (read) status = read(xml, options, NULL, form, error);
    fa_xml_free(xml);
    return status;
}

fa_status fa_import_form(const char *path, const fa_import_options *options, fa_form *form,
                         fa_error *error)
{
    char        *text;
    size_t       size;
    fa_expansion expansion = {.text = NULL};
    fa_form_begin(form, path);
    fa_status status = fa_source_load(path, &text, &size, error);
    if (status != FA_OK) return status;
    const bool wanted = fa_xacro_wanted(text, size);
    if (wanted)
        status = fa_xacro_expand(text, size, path, &options->xacro, NULL, &expansion, error);
    if (status == FA_OK)
        status = import_form(wanted ? expansion.text : text, wanted ? expansion.size : size, path,
                             options, form, error);
    if (status != FA_OK && wanted) name_source(&expansion, path, error);
    fa_expansion_free(&expansion);
    free(text);
    return status;
}

static fa_status free_base(fa_robot **robot, bool arm, fa_error *error)
{
    if (!arm)
        return fa_fail(error, FA_BAD_INPUT, (*robot)->source, FA_NOWHERE,
                       "'%s' is no arm, and --base free is for arms; leave this option out",
                       (*robot)->name);
    fa_robot *freed = fa_robot_with_free_base(*robot);
    if (!freed)
        return fa_fail(error, FA_NO_MEMORY, (*robot)->source, FA_NOWHERE,
                       "there is not enough memory for a free base");
    free(*robot);
    *robot = freed;
    return FA_OK;
}

static fa_status import_plain(const char *text, size_t size, const char *path,
                              const fa_import_options *options, const fa_log *log, fa_robot **robot,
                              fa_error *error)
{
    fa_xml   *xml;
    bool      has_tip;
    fa_status status = fa_xml_read(text, size, path, log, &xml, error);
    if (status != FA_OK) return status;
    const bool as_form = form_reader(xml) != NULL; // whose builder has freed the base
    status = read_format(xml, options, log, robot, &has_tip, error);
    fa_xml_free(xml);
    if (status != FA_OK) return status;
    snprintf((*robot)->source, sizeof(*robot)->source, "%s", path);
    bool arm = !fa_robot_is_snake(*robot) && !fa_robot_is_axis(*robot) &&
               !fa_robot_is_circuit_alone(*robot);
    const fa_robot_lists own = fa_robot_lists_of(*robot);
    fa_stops             stops = {.asked = false};
    if (options->base == FA_BASE_FREE && !as_form) status = free_base(robot, arm, error);
    if (status == FA_OK && options->actuators && arm)
        status = fa_actuators_read(options->actuators, log, robot, &stops, error);
    if (options->stops.asked) stops = options->stops;
    if (status == FA_OK) status = apply(*robot, has_tip, options, log, error);
    if (status == FA_OK) {
        // An inverse asks which joints of loops are driven.
        if ((*robot)->n_loops > 0) (void)fa_robot_mark_passive(*robot);
        status = fa_robot_check(*robot, log, error);
        if (status == FA_OK) status = give_stops(*robot, &stops, log, error);
        if (status == FA_OK) status = fa_robot_balance_cylinders(*robot, error);
        if (status == FA_OK) fa_robot_remark_circuit(*robot, log);
        if (status == FA_OK)
            fa_touches_remark(*robot, own.n[FA_LIST_CONTACTS], options->actuators, log);
        if (status != FA_OK) name_side_file(*robot, &own, options->actuators, error);
    }
    return status;
}

static fa_status import(const char *text, size_t size, const char *path,
                        const fa_import_options *options, listener *heard, const fa_log *log,
                        fa_robot **robot, fa_error *error)
{
    fa_expansion expansion;
    if (size > FA_SOURCE_MAX || !fa_xacro_wanted(text, size)) { // the former is refused below
        if (options->xacro.n_arguments)
            return fa_fail(error, FA_BAD_INPUT, path, FA_NOWHERE,
                           "the file has nothing to expand, so that %s:= has no effect; leave it "
                           "out",
                           options->xacro.argument[0].name);
        return import_plain(text, size, path, options, log, robot, error);
    }
    fa_status status = fa_xacro_expand(text, size, path, &options->xacro, log, &expansion, error);
    if (status == FA_OK) status = fa_xacro_check_links(&expansion, path, error);
    if (status != FA_OK) {
        fa_expansion_free(&expansion);
        return status;
    }
    heard->expansion = &expansion;
    status = import_plain(expansion.text, expansion.size, path, options, log, robot, error);
    heard->expansion = NULL;
    if (status != FA_OK)
        name_source(&expansion, path, error);
    else
        keep_places(&expansion, path, *robot);
    fa_expansion_free(&expansion);
    return status;
}

fa_status fa_import_text(const char *text, size_t size, const char *path,
                         const fa_import_options *options, const fa_log *log, fa_robot **robot,
                         fa_error *error)
{
    static const fa_import_options usual = {0};
    if (!options) options = &usual;
    listener     heard = {.next = log, .path = path};
    const fa_log ears = {listen, &heard, listen_to_remark};
    *robot = NULL;
    xmlStructuredErrorFunc before = xmlStructuredError;
    void                  *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(NULL, hush);
    fa_status status = import(text, size, path, options, &heard, &ears, robot, error);
    xmlSetStructuredErrorFunc(context, before);
    if (status == FA_OK && options->strict && heard.warned)
        status = fa_fail(error, FA_BAD_INPUT, heard.file, heard.place,
                         "%s (a warning, which --strict makes an error)", heard.sentence);
    if (status != FA_OK) {
        free(*robot);
        *robot = NULL;
    }
    return status;
}

fa_status fa_import(const char *path, const fa_import_options *options, const fa_log *log,
                    fa_robot **robot, fa_error *error)
{
    char  *text;
    size_t size;
    *robot = NULL;
    fa_status status = fa_source_load(path, &text, &size, error);
    if (status != FA_OK) return status;
    status = fa_import_text(text, size, path, options, log, robot, error);
    free(text);
    return status;
}

fa_status fa_check_schema(const char *path, fa_error *error)
{
    fa_xml   *xml;
    fa_status status = fa_xml_load(path, NULL, &xml, error);
    if (status != FA_OK) return status;
    status = fa_schema_check(xml, error);
    fa_xml_free(xml);
    return status;
}
