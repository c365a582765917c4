// forearm view: a page on which sliders move the joints of a robot.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child.h"
#include "load.h"
#include "number.h"
#include "page.h"
#include "paths.h"
#include "report.h"
#include "simulation.h"
#include "state_options.h"
#include "terminal.h"

// Warnings are printed, and kept for the page.
typedef struct hearer {
    fa_log           printed;
    int              n, room;
    fa_page_warning *warning;
    bool             lost;
} hearer;

static void hear(void *context, const char *file, fa_place place, const char *sentence)
{
    hearer *h = context;
    h->printed.warn(h->printed.context, file, place, sentence);
    if (h->n == h->room) {
        const int        room = h->room ? 2 * h->room : 16;
        fa_page_warning *larger = realloc(h->warning, (size_t)room * sizeof *larger);
        h->lost |= larger == NULL;
        if (!larger) return;
        h->warning = larger;
        h->room = room;
    }
    fa_page_warning *warning = &h->warning[h->n++];
    *warning = (fa_page_warning){.place = ""};
    (void)snprintf(warning->text, sizeof warning->text, "%s", sentence);
    if (file[0] && place.line > 0)
        (void)snprintf(warning->place, sizeof warning->place, "%.500s:%d:%d", file, place.line,
                       place.column);
}

// Records one line of all that a page may show: states and outputs at the start.
static fa_status record(fa_state *state, fa_recording *recording, fa_error *error)
{
    const fa_variables *table = &state->table;
    int                 n = 0, *wanted = malloc((size_t)table->n * sizeof *wanted);
    if (!wanted)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the page");
    for (int row = 0; row < table->n; row++)
        if (table->row[row].role == FA_STATE || table->row[row].role == FA_OUTPUT)
            wanted[n++] = row;
    fa_status status = fa_recording_begin(state, wanted, n, recording, error);
    if (status == FA_OK) status = fa_simulation_settle(state, error);
    if (status == FA_OK) status = fa_state_evaluate(state, FA_GROUP_ALL, error);
    if (status == FA_OK) status = fa_recording_add(recording, state, error);
    free(wanted);
    return status;
}

static fa_status write_page(const fa_arguments *a, const char *out, const fa_robot *robot,
                            const fa_state *state, const fa_recording *recording, const hearer *h,
                            fa_error *error)
{
    const fa_xacro_options xacro = fa_load_xacro(a);
    const fa_page_pose     pose = {.n_warnings = h->n, .warning = h->warning};
    double                 mass = 0;
    fa_fact                fact[3];
    for (int i = 0; i < robot->n_links; i++) mass += robot->link[i].mass;
    fact[0].what = "file";
    (void)snprintf(fact[0].text, sizeof fact[0].text, "%s", a->operand);
    fact[1].what = "mass of all links";
    (void)snprintf(fact[1].text, sizeof fact[1].text, "%s kg", fa_number_text(mass).text);
    fact[2].what = "made by";
    (void)snprintf(fact[2].text, sizeof fact[2].text, "Forearm " FOREARM_VERSION);
    return fa_page_write(out, fa_load_drawing(a), &xacro, robot, state, recording, fact, 3, &pose,
                         error);
}

// Opens the page in the browser of the desktop; false: there is none.
static bool open_page(const char *out)
{
    static const char *const openers[] = {"xdg-open", "open"};
    char                     path[FA_FILE_PATH_SIZE], folder[FA_FILE_PATH_SIZE];
    fa_error                 error = fa_no_error();
    char                    *whole = fa_path_real(out);
    bool                     done = false;
    if (!whole || fa_workshop_open(folder, &error) != FA_OK) {
        free(whole);
        return false;
    }
    for (int i = 0; i < 2 && !done; i++) {
        fa_child_words command = {.n = 0};
        if (!fa_program_find(openers[i], path)) continue;
        fa_child_add(&command, path);
        fa_child_add(&command, whole);
        done = fa_process_finish(fa_process_start(&command, folder));
    }
    fa_workshop_close(folder);
    free(whole);
    return done;
}

// Tells where the page is, and opens it where somebody sits in front of it.
static void show(const char *out)
{
    const bool opened = fa_is_terminal(stdout) && open_page(out);
    printf("%s%s\n", out, opened ? "" : ": open it in a browser");
}

fa_exit fa_run_view(const fa_arguments *arguments)
{
    char         name[FA_NAME_SIZE + 8];
    fa_error     error = fa_no_error();
    fa_robot    *robot = NULL;
    fa_state     state = {.source = NULL};
    fa_recording recording = {.columns = 0};
    hearer       h = {.printed = fa_report_warnings(NULL)};
    const fa_log log = {.warn = hear, .context = &h};
    fa_status    status = fa_page_available(&error);
    if (status == FA_OK) status = fa_load_robot_heard(arguments, log, &robot, &error);
    if (status == FA_OK && (fa_robot_is_axis(robot) || fa_robot_is_circuit_alone(robot)))
        status =
            fa_fail(&error, FA_UNFIT, robot->source, FA_NOWHERE,
                    "'%s' has no joints that sliders could move; forearm inspect lists what it "
                    "has",
                    robot->name);
    if (status == FA_OK && h.lost)
        status = fa_fail(&error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                         "there is not enough memory for the page");
    if (status == FA_OK) status = fa_state_new(robot, &state, &error);
    if (status == FA_OK) status = fa_state_set_all(&state, arguments, &error);
    if (status == FA_OK) status = record(&state, &recording, &error);
    if (status == FA_OK) {
        fa_variable_segment(robot->name, name, FA_NAME_SIZE);
        (void)snprintf(name + strlen(name), 8, ".html");
        status = write_page(arguments, arguments->out ? arguments->out : name, robot, &state,
                            &recording, &h, &error);
    }
    if (status == FA_OK && !arguments->out) show(name);
    fa_recording_free(&recording);
    fa_state_free(&state);
    free(h.warning);
    free(robot);
    return fa_report(status, &error);
}
