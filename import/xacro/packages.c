// Where packages and Gazebo's models are, and which files may be read.
//
// A package is a folder with a package.xml that has its name. The same robot is used from a source
// tree, where folders may have other names, and from an installed one. A model is a folder of its
// name with a model.config.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expansion.h"
#include "paths.h"
#include "source.h"

enum { PATH_SIZE = 4096, NAMES_MAX = 4096 };

typedef struct search {
    const char *name;
    char       *folder; // PATH_SIZE; the answer
    int         looked;
    bool        model; // not a package
} search;

static bool is_model(const char *folder, const char *name)
{
    char        path[PATH_SIZE + 16];
    const char *last = strrchr(folder, '/');
    (void)snprintf(path, sizeof path, "%s/model.config", folder);
    return (!name || (last && strcmp(last + 1, name) == 0)) && fa_path_is_file(path);
}

// True if the folder has a package.xml, and if that has the name, unless it is NULL.
static bool is_package(const char *folder, const char *name)
{
    char   path[PATH_SIZE + 16];
    char  *text;
    size_t size;
    (void)snprintf(path, sizeof path, "%s/package.xml", folder);
    if (!(fa_path_size(path) <= 1 << 20)) return false;
    if (!name) return true;
    if (fa_source_load_regular(path, &text, &size, NULL) != FA_OK) return false;
    bool  same = false;
    char *closed = realloc(text, size + 1);
    if (closed) {
        text = closed;
        text[size] = '\0';
        const char *at = strstr(text, "<name");
        at = at ? strchr(at, '>') : NULL;
        if (at) {
            at += 1 + strspn(at + 1, " \t\r\n");
            const size_t n = strlen(name);
            same = strncmp(at, name, n) == 0 && at[n] && strchr(" \t\r\n<", at[n]);
        }
    }
    free(text);
    return same;
}

// Looks in the folders exactly `down` below this one.
static bool look(search *s, const char *folder, int down)
{
    if (++s->looked > FA_PACKAGE_LOOKED) return false;
    if (down == 0) {
        if (!(s->model ? is_model : is_package)(folder, s->name)) return false;
        (void)snprintf(s->folder, PATH_SIZE, "%s", folder);
        return true;
    }
    int    n;
    char **names = fa_folder_names(folder, false, &n);
    bool   found = false;
    for (int i = 0; i < n; i++) {
        char      path[PATH_SIZE];
        const int size = snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (!found && size > 0 && size < PATH_SIZE && fa_path_is_folder(path))
            found = look(s, path, down - 1);
    }
    fa_folder_free(names, n);
    return found;
}

static bool look_around(search *s, const char *folder)
{
    for (int down = 0; down <= FA_PACKAGE_DOWN; down++)
        if (look(s, folder, down)) return true;
    return false;
}

// Each folder of a list such as PATH has.
static bool look_along(search *s, const char *variable, bool prefix)
{
    const char *at = getenv(variable);
    while (at && *at) {
        const size_t n = strcspn(at, fa_path_list_mark());
        char         path[PATH_SIZE];
        const int    size = snprintf(path, sizeof path, "%.*s%s%s", (int)n, at,
                                  prefix ? "/share/" : "", prefix ? s->name : "");
        if (n > 0 && size > 0 && size < PATH_SIZE && fa_path_is_folder(path)) {
            if (prefix) {
                (void)snprintf(s->folder, PATH_SIZE, "%s", path);
                return true;
            }
            if (look_around(s, path)) return true;
        }
        at += n;
        at += *at != '\0';
    }
    return false;
}

// The folder that holds `path`, with all links followed.
static bool folder_of(const char *path, char folder[PATH_SIZE])
{
    const char *slash = fa_path_last(path);
    char        above[PATH_SIZE];
    (void)snprintf(above, sizeof above, "%.*s", slash ? (int)(slash - path + 1) : 1,
                   slash ? path : ".");
    char      *real = fa_path_real(path);
    const bool itself = real != NULL;
    if (!real) real = fa_path_real(above); // a text that is no file
    const bool known = real && strlen(real) < PATH_SIZE;
    if (known) {
        (void)snprintf(folder, PATH_SIZE, "%s", real);
        char *last = itself ? strrchr(folder, '/') : NULL;
        if (last) last[last == folder] = '\0';
    }
    free(real);
    return known;
}

static bool go_up(char folder[PATH_SIZE])
{
    char *slash = strrchr(folder, '/');
    if (!slash || !slash[1]) return false;
    slash[slash == folder] = '\0';
    return true;
}

bool fa_package_find(const char *name, const char *path, const fa_naming package[], int n_packages,
                     char folder[4096])
{
    char   from[PATH_SIZE];
    search s = {.name = name, .folder = folder};
    if (!*name || fa_path_last(name) || name[0] == '.') return false;
    for (int i = 0; i < n_packages; i++)
        if (strcmp(package[i].name, name) == 0) {
            (void)snprintf(folder, PATH_SIZE, "%s", package[i].value);
            return true;
        }
    if (look_along(&s, "AMENT_PREFIX_PATH", true) || look_along(&s, "ROS_PACKAGE_PATH", false))
        return true;
    if (!folder_of(path, from)) return false;
    for (int up = 0; up <= FA_PACKAGE_UP; up++)
        if (look_around(&s, from) || !go_up(from)) break;
    return s.folder[0] != '\0';
}

bool fa_model_find(const char *name, const char *path, const fa_naming package[], int n_packages,
                   char folder[4096])
{
    static const char *const variables[] = {"GZ_SIM_RESOURCE_PATH", "GAZEBO_MODEL_PATH",
                                            "SDF_PATH"};
    char                     from[PATH_SIZE];
    search                   s = {.name = name, .folder = folder, .model = true};
    if (!*name || fa_path_last(name) || name[0] == '.') return false;
    for (int i = 0; i < n_packages; i++)
        if (strcmp(package[i].name, name) == 0) {
            (void)snprintf(folder, PATH_SIZE, "%s", package[i].value);
            return true;
        }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (look_along(&s, variables[i], false)) return true;
    if (!folder_of(path, from)) return false;
    for (int up = 0; up <= FA_PACKAGE_UP; up++)
        if (look_around(&s, from) || !go_up(from)) break;
    return s.folder[0] != '\0' || fa_package_find(name, path, package, n_packages, folder);
}

const char *fa_xacro_package(fa_xacro *x, const char *name)
{
    const fa_xacro_value  key = fa_xacro_of_text(name);
    const fa_xacro_value *known = fa_xacro_dict_find(x, x->found.is.dict, &key);
    if (known) return known->is.text;
    char folder[PATH_SIZE] = "";
    if (!fa_package_find(name, x->path, x->options->package, x->options->n_packages, folder))
        fa_xacro_halt(x,
                      "no package '%.100s' (looked in AMENT_PREFIX_PATH, ROS_PACKAGE_PATH and the "
                      "folders around the robot); say where it is: --package %.100s=DIR",
                      name, name);
    char       *real = fa_path_real(folder);
    const char *kept = NULL;
    if (real && strlen(real) < PATH_SIZE) kept = strcpy(folder, real);
    free(real);
    if (!kept || !fa_path_is_folder(folder))
        fa_xacro_halt(x,
                      "the folder '%.300s' of package '%.100s' is not there; say where it is: "
                      "--package %.100s=DIR",
                      folder, name, name);
    kept = fa_xacro_kept(x, folder, strlen(folder));
    fa_xacro_dict_put(x, x->found.is.dict, fa_xacro_of_text(fa_xacro_kept(x, name, strlen(name))),
                      fa_xacro_of_text(kept));
    return kept;
}

// ------------------------------------------------------------------------------------------ files

const char *fa_xacro_from_here(fa_xacro *x, const char *path)
{
    const char *file = x->file[x->n_files - 1], *slash = fa_path_last(file);
    if (fa_path_is_absolute(path)) return path;
    return fa_xacro_print(x, "%.*s/%s", slash ? (int)(slash - file) : 1, slash ? file : ".", path);
}

static bool is_within(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    if (n == 1 && folder[0] == '/') return true;
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

// A package or model near the robot, of which it needs no name to be opened.
bool fa_package_near(const char *file, const char *robot)
{
    char package[PATH_SIZE], around[PATH_SIZE];
    if (!folder_of(file, package) || !folder_of(robot, around)) return false;
    for (int up = 0; up < FA_PACKAGE_UP; up++) (void)go_up(around);
    while (!is_package(package, NULL) && !is_model(package, NULL))
        if (!go_up(package) || strlen(package) < 2) return false;
    return is_within(package, around);
}

void fa_xacro_must_be_near(fa_xacro *x, const char *path)
{
    char file[PATH_SIZE] = "", robot[PATH_SIZE] = "", *real = fa_path_real(path);
    if (real && strlen(real) < PATH_SIZE) (void)strcpy(file, real);
    free(real);
    if (!*file)
        fa_xacro_halt(
            x,
            "there is no file '%.300s' to include; a source tree and an installed one may "
            "differ in their folders",
            path);
    if (folder_of(x->path, robot) && is_within(file, robot)) return;
    if (fa_package_near(file, x->path)) return;
    for (int i = 0; i < x->found.is.dict->n; i++)
        if (is_within(file, x->found.is.dict->value[i].is.text)) return;
    for (int i = 0; i < x->options->n_packages; i++) {
        char      *folder = fa_path_real(x->options->package[i].value);
        const bool within = folder && is_within(file, folder);
        free(folder);
        if (within) return;
    }
    fa_xacro_halt(x,
                  "the file '%.300s' lies outside the robot's folder and its packages, and is not "
                  "opened; if you trust it, name its folder: --package NAME=DIR",
                  path);
}

void fa_xacro_open_read(fa_xacro *x, const char *path, size_t *size)
{
    const fa_status status = fa_source_load_regular(path, &x->open_bytes, size, x->error);
    if (status != FA_OK) fa_xacro_leave(x, status);
}

void fa_xacro_open_release(fa_xacro *x)
{
    free(x->open_bytes);
    x->open_bytes = NULL;
}
