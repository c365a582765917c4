// Files that others include: versions, and where they are. There is no network.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "sdf.h"
#include "xacro.h"

enum { PATH_SIZE = 4096, FILES_MAX = 1000, NEWEST = 12, OLDEST = 4 };

struct fa_sdf_file {
    struct fa_sdf_file *next;
    fa_xml             *xml;
    const char         *real; // its path, links followed
};

// 1.4 to 1.12, or with a third number; -1: no version.
static int minor_of(const char *text)
{
    int minor = 0, digits = 0;
    if (strncmp(text, "1.", 2) != 0) return -1;
    for (text += 2; *text >= '0' && *text <= '9' && digits < 4; text++, digits++)
        minor = 10 * minor + (*text - '0');
    return digits > 0 && (*text == '\0' || *text == '.') ? minor : -1;
}

fa_status fa_sdf_version(const fa_sdf *s, const fa_xml *xml, int *minor)
{
    const fa_xml_attribute *version = fa_xml_find(xml->root, "version");
    if (!version)
        return FA_SDF_FAIL(xml, xml->root->place,
                           "<sdf> has no version; add the one that it was written for, such as "
                           "version=\"1.7\"");
    *minor = minor_of(version->value);
    if (*minor >= OLDEST && *minor <= NEWEST) return FA_OK;
    if (*minor >= 0 && *minor < OLDEST)
        return FA_SDF_FAIL(xml, version->value_place,
                           "SDFormat %.40s is older than what is read here, 1.4 to 1.12; convert "
                           "it with `gz sdf -p FILE`",
                           version->value);
    return FA_SDF_FAIL(xml, version->value_place,
                       "SDFormat %.40s is not known here; versions 1.4 to 1.12 are",
                       version->value);
}

// ------------------------------------------------------------------------------------ which file

static bool is_within(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = '\0';
}

// The file of a model's folder that model.config names: of the newest version that is read here.
static fa_status file_of_folder(fa_sdf *s, const fa_xml *by, const fa_xml_element *uri,
                                char path[PATH_SIZE])
{
    char      config[PATH_SIZE + 16];
    fa_xml   *xml;
    fa_error  none = fa_no_error();
    char     *bytes;
    size_t    size;
    int       best = -1;
    char      name[PATH_SIZE] = "model.sdf";
    const int folder = (int)strlen(path);
    (void)snprintf(config, sizeof config, "%s/model.config", path);
    if (fa_source_load_regular(config, &bytes, &size, &none) == FA_OK) {
        const fa_status status = fa_xml_read(bytes, size, config, NULL, &xml, s->error);
        free(bytes);
        if (status != FA_OK) return status;
        for (const fa_xml_element *e = fa_xml_child(xml->root, "sdf"); e;
             e = fa_xml_next(e->next, "sdf")) {
            const fa_xml_attribute *version = fa_xml_find(e, "version");
            const int               minor = version ? minor_of(version->value) : 0;
            if (minor <= best || minor > NEWEST || !e->content) continue;
            best = minor;
            (void)snprintf(name, sizeof name, "%s", e->content);
        }
        fa_xml_free(xml);
    }
    if (snprintf(path + folder, (size_t)(PATH_SIZE - folder), "/%s", name) < PATH_SIZE - folder)
        return FA_OK;
    return FA_SDF_FAIL(by, uri->text, "the path of '%.200s' is too long", fa_sdf_text(uri));
}

static fa_status not_found(const fa_sdf *s, const fa_xml *by, const fa_xml_element *uri,
                           const char *name, int length, const char *what)
{
    return FA_SDF_FAIL(by, uri->text,
                       "no %s '%.*s' (looked in GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH, SDF_PATH "
                       "and the folders around the robot); say where it is: --package %.*s=DIR",
                       what, length, name, length, name);
}

// model://NAME/rest, or NAME alone, and package://NAME/rest.
static fa_status in_package(fa_sdf *s, const fa_xml *by, const fa_xml_element *uri,
                            const char *name, bool model, char path[PATH_SIZE])
{
    const int               length = (int)strcspn(name, "/");
    char                    first[256], found[4096] = "";
    const fa_xacro_options *x = &s->options->xacro;
    const char             *what = model ? "model" : "package";
    if (length >= (int)sizeof first) return not_found(s, by, uri, name, length, what);
    (void)snprintf(first, sizeof first, "%.*s", length, name);
    if (!(model ? fa_model_find : fa_package_find)(first, by->path, x->package, x->n_packages,
                                                   found) ||
        !fa_path_is_folder(found))
        return not_found(s, by, uri, name, length, what);
    (void)snprintf(path, PATH_SIZE, "%s%s", found, name + length);
    return FA_OK;
}

// Security: an untrusted file must not make the program read other files.
static bool may_be_read(const fa_sdf *s, const fa_xml *by, const char *real)
{
    char        home[PATH_SIZE];
    const char *file[] = {s->xml->path, by->path};
    for (int i = 0; i < 2; i++) {
        if (!fa_path_resolve(file[i], home, sizeof home)) continue;
        cut_name(home);
        if (is_within(real, home)) return true;
    }
    for (int i = 0; i < s->options->xacro.n_packages; i++)
        if (fa_path_resolve(s->options->xacro.package[i].value, home, sizeof home) &&
            is_within(real, home))
            return true;
    return fa_package_near(real, s->xml->path);
}

static fa_status find_file(fa_sdf *s, const fa_xml *by, const fa_xml_element *uri,
                           char path[PATH_SIZE], char real[PATH_SIZE])
{
    const char *name = fa_sdf_text(uri);
    bool        found = false; // in a folder that the user or the environment names
    if (strncmp(name, "http://", 7) == 0 || strncmp(name, "https://", 8) == 0)
        return FA_SDF_FAIL(by, uri->text,
                           "'%.200s' is in the network, which is not asked here; download the "
                           "model and name its folder, as with model://",
                           name);
    if (strncmp(name, "model://", 8) == 0 || strncmp(name, "package://", 10) == 0) {
        const bool      model = name[0] == 'm';
        const fa_status status = in_package(s, by, uri, name + (model ? 8 : 10), model, path);
        if (status != FA_OK) return status;
        found = true;
    } else {
        const char *rest = strncmp(name, "file://", 7) == 0 ? name + 7 : name;
        const char *slash = fa_path_last(by->path);
        const int   folder = fa_path_is_absolute(rest) || !slash ? 0 : (int)(slash - by->path + 1);
        if (!rest[0] || snprintf(path, PATH_SIZE, "%.*s%s", folder, by->path, rest) >= PATH_SIZE)
            return FA_SDF_FAIL(by, uri->place, "the <uri> names no file; write the path of one");
    }
    if (!strstr(name, "://") && !fa_path_is_absolute(name) && !fa_path_is_there(path)) {
        const fa_status status = in_package(s, by, uri, name, true, path);
        if (status != FA_OK) return status;
        found = true;
    }
    if (fa_path_is_folder(path)) {
        const fa_status status = file_of_folder(s, by, uri, path);
        if (status != FA_OK) return status;
    }
    if (!fa_path_resolve(path, real, PATH_SIZE))
        return FA_SDF_FAIL(by, uri->text, "there is no file '%.300s', which '%.200s' stands for",
                           path, name);
    // model:// may have resolved to a link out of its folder.
    if (found && strstr(path, "/..") == NULL) {
        char folder[PATH_SIZE], home[PATH_SIZE];
        (void)snprintf(folder, sizeof folder, "%s", path);
        cut_name(folder);
        if (fa_path_resolve(folder, home, sizeof home) && is_within(real, home)) return FA_OK;
    }
    if (may_be_read(s, by, real)) return FA_OK;
    return FA_SDF_FAIL(by, uri->text,
                       "the file '%.300s' lies outside the robot's folder and its packages, and is "
                       "not opened; if you trust it, name its folder: --package NAME=DIR",
                       real);
}

// ------------------------------------------------------------------------------------- the file

// A file is read once, however often it is included.
static fa_status load(fa_sdf *s, const fa_xml *by, const fa_xml_element *uri, const char *path,
                      const char *real, const fa_xml **xml)
{
    for (const fa_sdf_file *f = s->files; f; f = f->next)
        if (strcmp(f->real, real) == 0) {
            *xml = f->xml;
            return FA_OK;
        }
    if (++s->n_files > FILES_MAX)
        return FA_SDF_FAIL(by, uri->place, "more than %d files are included; no robot needs that",
                           FILES_MAX);
    char        *bytes;
    size_t       size;
    fa_sdf_file *file = calloc(1, sizeof *file);
    const char  *kept = fa_form_text(s->form, path), *kept_real = fa_form_text(s->form, real);
    if (!file || !kept || !kept_real) {
        free(file);
        return fa_sdf_no_memory(s);
    }
    fa_status status = fa_source_load_regular(kept_real, &bytes, &size, s->error);
    if (status == FA_OK) {
        status = fa_xml_read(bytes, size, kept, s->log, &file->xml, s->error);
        free(bytes);
    }
    if (status != FA_OK) {
        free(file);
        return status;
    }
    file->real = kept_real;
    file->next = s->files;
    s->files = file;
    *xml = file->xml;
    return FA_OK;
}

fa_status fa_sdf_open(fa_sdf *s, const fa_xml *by, const fa_xml_element *include,
                      const fa_xml **xml, const fa_xml_element **model, int *minor)
{
    const fa_xml_element *uri = fa_xml_child(include, "uri");
    char                  path[PATH_SIZE], real[PATH_SIZE];
    if (!uri)
        return FA_SDF_FAIL(by, include->place,
                           "an <include> has no <uri>; write which model it is to be");
    for (const fa_xml_element *e = include->first; e; e = e->next)
        if (strcmp(e->name, "experimental:params") == 0)
            return FA_SDF_FAIL(by, e->place,
                               "<experimental:params> changes the included model, and is not read; "
                               "include a model that is as it is to be");
    fa_status status = find_file(s, by, uri, path, real);
    if (status == FA_OK) status = load(s, by, uri, path, real, xml);
    if (status == FA_OK && strcmp((*xml)->root->name, "sdf") != 0)
        status = FA_SDF_FAIL(by, uri->text,
                             "the file '%.300s' has the root element <%.60s>, and an included "
                             "model has <sdf>; convert it with `gz sdf -p FILE`",
                             (*xml)->path, (*xml)->root->name);
    if (status == FA_OK) status = fa_sdf_version(s, *xml, minor);
    if (status != FA_OK) return status;
    *model = fa_xml_child((*xml)->root, "model");
    if (*model) return FA_OK;
    return FA_SDF_FAIL(by, uri->text, "the file '%.300s' has no <model> to include", (*xml)->path);
}

void fa_sdf_close(fa_sdf *s)
{
    while (s->files) {
        fa_sdf_file *file = s->files;
        s->files = file->next;
        fa_xml_free(file->xml);
        free(file);
    }
}
