// Finds the files of meshes, and refuses those outside of the robot's folder and packages.
#include "mesh_place.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"

enum { PATH_SIZE = 4096 };

// A folder, links followed; empty: there is none.
typedef struct folder {
    char path[PATH_SIZE];
} folder;

typedef struct finder {
    folder                  home;    // the robot file's
    folder                  package; // its package's
    char                   *path;    // of the mesh
    const char             *source;  // the robot file
    const fa_xacro_options *xacro;   // NULL: as usual
    const char             *why;     // NULL: no file is there
} finder;

static folder folder_at(const char *path)
{
    folder f = {""};
    if (!fa_path_resolve(path, f.path, sizeof f.path) || !fa_path_is_folder(f.path))
        f.path[0] = '\0';
    return f;
}

static bool is_in(const folder *f, const char *real)
{
    const size_t length = strlen(f->path);
    return length > 1 && strncmp(real, f->path, length) == 0 && real[length] == '/';
}

static bool has(const char *folder_path, const char *name)
{
    char      path[PATH_SIZE];
    const int n = snprintf(path, sizeof path, "%s/%s", folder_path, name);
    return n > 0 && n < PATH_SIZE && fa_path_is_there(path);
}

// Cuts the last name off; false: only the root is left.
static bool go_up(char path[])
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

static folder package_of(const folder *home)
{
    folder above = *home;
    do
        if (above.path[0] && has(above.path, "package.xml")) return above;
    while (go_up(above.path));
    return (folder){""};
}

static bool is_listed(const char *real)
{
    for (const char *list = getenv("ROS_PACKAGE_PATH"); list && *list;) {
        const size_t length = strcspn(list, fa_path_list_mark());
        char         entry[PATH_SIZE];
        if (length > 0 && length < sizeof entry) {
            memcpy(entry, list, length);
            entry[length] = '\0';
            const folder f = folder_at(entry);
            if (is_in(&f, real)) return true;
        }
        list += length + (list[length] != '\0');
    }
    return false;
}

// Returns true if the path is the mesh: an existing file, in `also` or in a folder of meshes.
static bool try(finder *f, const char *path, const folder *also)
{
    char real[PATH_SIZE];
    if (strlen(path) >= FA_MESH_PATH_SIZE || !fa_path_resolve(path, real, sizeof real))
        return false;
    if (!is_in(&f->home, real) && !is_in(&f->package, real) && !(also && is_in(also, real)) &&
        !is_listed(real) && !fa_package_near(real, f->source)) {
        f->why = "it is outside the robot's folder and its packages; move it there, or name its "
                 "folder in ROS_PACKAGE_PATH";
        return false;
    }
    if (!fa_path_is_file(real)) {
        f->why = "it is no regular file";
        return false;
    }
    if (!fa_path_is_readable(real) || strlen(real) >= FA_MESH_PATH_SIZE) return false;
    strcpy(f->path, real);
    return true;
}

static bool try_in(finder *f, const char *base, const char *rest, const folder *also)
{
    char      path[PATH_SIZE];
    const int n = snprintf(path, sizeof path, "%s/%s", base, rest);
    return n > 0 && n < PATH_SIZE && try(f, path, also);
}

// NAME/… in the folders above the robot file, but for the root; and in those of ROS_PACKAGE_PATH.
static bool try_package(finder *f, const char *name)
{
    const size_t length = strcspn(name, "/");
    char         first[FA_MESH_PATH_SIZE];
    if (length == 0 || length >= sizeof first || name[length] != '/') return false;
    memcpy(first, name, length);
    first[length] = '\0';
    if (strcmp(first, ".") == 0 || strcmp(first, "..") == 0) return false;
    folder above = f->home;
    do {
        char path[PATH_SIZE];
        if (snprintf(path, sizeof path, "%s/%s", above.path, first) >= PATH_SIZE) continue;
        const folder package = folder_at(path);
        const bool   is_one =
            package.path[0] && (has(package.path, "package.xml") || is_in(&package, f->home.path) ||
                                strcmp(package.path, f->home.path) == 0);
        if (try_in(f, above.path, name, is_one ? &package : NULL)) return true;
    } while (go_up(above.path));
    for (const char *list = getenv("ROS_PACKAGE_PATH"); list && *list;) {
        const size_t n = strcspn(list, fa_path_list_mark());
        char         entry[PATH_SIZE];
        if (n > 0 && n < sizeof entry) {
            memcpy(entry, list, n);
            entry[n] = '\0';
            if (try_in(f, entry, name, NULL)) return true;
        }
        list += n + (list[n] != '\0');
    }
    char found[4096] = "";
    if (!fa_package_find(first, f->source, f->xacro ? f->xacro->package : NULL,
                         f->xacro ? f->xacro->n_packages : 0, found))
        return false;
    const folder package = folder_at(found);
    return try_in(f, found, name + length + 1, &package);
}

// NAME/… of a Gazebo model.
static bool try_model(finder *f, const char *name)
{
    const size_t length = strcspn(name, "/");
    char         first[FA_MESH_PATH_SIZE], found[4096] = "";
    if (length == 0 || length >= sizeof first || name[length] != '/') return false;
    memcpy(first, name, length);
    first[length] = '\0';
    if (!fa_model_find(first, f->source, f->xacro ? f->xacro->package : NULL,
                       f->xacro ? f->xacro->n_packages : 0, found))
        return false;
    const folder model = folder_at(found);
    return try_in(f, found, name + length + 1, &model);
}

fa_mesh_found fa_mesh_place(const char *source, const char *name, const fa_xacro_options *xacro,
                            char path[FA_MESH_PATH_SIZE], const char **why)
{
    finder f = {.path = path, .source = source, .xacro = xacro};
    char   real[PATH_SIZE];
    bool   found = false;
    if (fa_path_resolve(source, real, sizeof real) && go_up(real)) f.home = folder_at(real);
    f.package = package_of(&f.home);
    if (strncmp(name, "package://", 10) == 0)
        found = f.home.path[0] && try_package(&f, name + 10);
    else if (strncmp(name, "model://", 8) == 0)
        found = try_model(&f, name + 8);
    else if (strncmp(name, "file://", 7) == 0)
        found = try(&f, name + 7, NULL);
    else if (fa_path_is_absolute(name))
        found = try(&f, name, NULL);
    else
        found = f.home.path[0] && try_in(&f, f.home.path, name, NULL);
    *why = f.why ? f.why : "the file is not there";
    return found ? FA_MESH_FOUND : f.why ? FA_MESH_REFUSED : FA_MESH_MISSING;
}
