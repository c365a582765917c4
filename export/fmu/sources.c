// Collects C sources and headers into a source-code FMU with buildDescription.xml.
#include "sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "markup.h"
#include "source_names.h"

#define LIST "files.txt"
// Limit of a file's size [bytes]; the project's have some thousand.
#define FILE_LIMIT ((size_t)16 << 20)

static fa_status no_memory(fa_error *error)
{
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the FMU's sources");
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), last = strlen(ending);
    return length > last && strcmp(name + length - last, ending) == 0;
}

// ---------------------------------------------------------------------------------- built_in.c

static const char robot_head[] = "// The robot of this FMU: resources/robot.forearm, so that "
                                 "nothing has to be found at run time.\n"
                                 "#include \"built_in.h\"\n"
                                 "\n"
                                 "const unsigned char fa_built_in_robot[] = {";
static const char robot_tail[] = "\n"
                                 "};\n"
                                 "const size_t fa_built_in_size = sizeof fa_built_in_robot;\n";

// Writes the robot file as an array of numbers: C99 does not guarantee string literals of that
// length. The numbers are ASCII and UTF-8 in any execution character set.
static fa_status write_robot(const char *robot_file, size_t robot_size, fa_source_file *source,
                             fa_error *error)
{
    enum { IN_LINE = 24, WIDEST = 6 }; // "\n255, "
    char *text = malloc(sizeof robot_head + sizeof robot_tail + robot_size * WIDEST);
    if (!text) return no_memory(error);
    char *at = text + sprintf(text, "%s", robot_head);
    for (size_t i = 0; i < robot_size; i++)
        at += sprintf(at, "%s%d,", i % IN_LINE == 0 ? "\n" : "", (unsigned char)robot_file[i]);
    at += sprintf(at, "%s", robot_tail);
    source->text = text;
    source->size = (size_t)(at - text);
    return FA_OK;
}

// ------------------------------------------------------------------------------------- the files

static bool is_interface(const char *name)
{
    return strcmp(name, "fmi2.c") == 0 || strcmp(name, "fmi3.c") == 0;
}

// Adds the includes of source_begin.h, source_names.h and source_end.h around a file.
static fa_status enclose(fa_source_file *source, fa_error *error)
{
    static const char shows[] = "#define FA_SOURCE_SHOWS\n";
    static const char begin[] = "#include \"source_begin.h\"\n#include \"" FA_SOURCE_NAMES "\"\n\n";
    static const char end[] = "\n#include \"source_end.h\"\n";
    const size_t      room = sizeof shows + sizeof begin + sizeof end + source->size;
    char             *text = malloc(room);
    if (!text) return no_memory(error);
    const int before = sprintf(text, "%s%s", is_interface(source->name) ? shows : "", begin);
    memcpy(text + before, source->text, source->size);
    memcpy(text + before + source->size, end, sizeof end);
    free(source->text);
    source->text = text;
    source->size += (size_t)before + sizeof end - 1;
    return FA_OK;
}

// Adds the header that renames the library's names.
static fa_status add_names(fa_sources *sources, const fa_options *options, fa_error *error)
{
    fa_source_file names = {.name = malloc(sizeof FA_SOURCE_NAMES)};
    if (!names.name) return no_memory(error);
    strcpy(names.name, FA_SOURCE_NAMES);
    const fa_status status =
        fa_source_names_write(sources, options, &names.text, &names.size, error);
    if (status != FA_OK) {
        free(names.name);
        return status;
    }
    sources->of[sources->n++] = names;
    return FA_OK;
}

static fa_status copy_text(const char *text, size_t size, fa_source_file *source, fa_error *error)
{
    source->text = malloc(size + 1);
    if (!source->text) return no_memory(error);
    memcpy(source->text, text, size);
    source->size = size;
    return FA_OK;
}

static fa_status read_source(const char *folder, const fa_own_sources *own, fa_source_file *source,
                             fa_error *error)
{
    char path[FA_FILE_PATH_SIZE];
    int  length = snprintf(path, sizeof path, "%s/%s", folder, source->name);
    if (length < 0 || (size_t)length >= sizeof path)
        return fa_fail(error, FA_IO, folder, FA_NOWHERE,
                       "the path of the FMU's sources is too long");
    fa_status status;
    if (strcmp(source->name, "built_in.c") == 0)
        status = write_robot(own->robot_file, own->robot_size, source, error);
    else if (own->special && strcmp(source->name, "special.c") == 0)
        status = copy_text(own->special, own->special_size, source, error);
    else
        status = fa_file_read(path, FILE_LIMIT, &source->text, &source->size, error);
    return status;
}

// Excludes the interface of the other FMI version, because importers bring the headers of one, and
// the code that searches for files, because the robot is in built_in.c.
static bool belongs(const char *name, int fmi)
{
    return *name && strcmp(name, fmi == 2 ? "fmi3.c" : "fmi2.c") != 0 &&
           strcmp(name, "library_place.c") != 0;
}

fa_status fa_sources_read(const char *folder, const fa_options *options, const fa_own_sources *own,
                          fa_sources *sources, fa_error *error)
{
    char   path[FA_FILE_PATH_SIZE];
    char  *list = NULL;
    size_t size = 0;
    int    room = 2; // one more for the names
    *sources = (fa_sources){0};
    int length = snprintf(path, sizeof path, "%s/" LIST, folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return fa_fail(error, FA_IO, folder, FA_NOWHERE,
                       "the path of the FMU's sources is too long");
    fa_status status = fa_file_read(path, FILE_LIMIT, &list, &size, error);
    if (status != FA_OK) return status;

    for (size_t i = 0; i < size; i++) room += list[i] == '\n';
    sources->of = calloc((size_t)room, sizeof *sources->of);
    if (!sources->of) status = no_memory(error);
    char *next;
    for (char *name = list; status == FA_OK && name; name = next) {
        next = strchr(name, '\n');
        if (next) *next++ = '\0';
        if (!belongs(name, options->fmi)) continue;
        fa_source_file *source = &sources->of[sources->n];
        *source =
            (fa_source_file){.name = malloc(strlen(name) + 1), .compiled = ends_in(name, ".c")};
        if (!source->name) {
            status = no_memory(error);
            break;
        }
        sources->n++;
        strcpy(source->name, name);
        status = read_source(folder, own, source, error);
    }
    free(list);
    if (status == FA_OK) status = add_names(sources, options, error);
    for (int i = 0; i < sources->n && status == FA_OK; i++)
        if (sources->of[i].compiled) status = enclose(&sources->of[i], error);
    if (status != FA_OK) fa_sources_free(sources);
    return status;
}

void fa_sources_free(fa_sources *sources)
{
    for (int i = 0; i < sources->n; i++) {
        free(sources->of[i].name);
        free(sources->of[i].text);
    }
    free(sources->of);
    *sources = (fa_sources){0};
}

// --------------------------------------------------------------------------- buildDescription.xml

// Writes the definition for shared libraries, without a function prefix; programs that link several
// FMUs statically omit it.
static void write_definition(fa_markup *out, const fa_options *options)
{
    char about[FA_NAME_SIZE + 160];
    (void)snprintf(about, sizeof about,
                   "for a shared library: the functions have no prefix. To link this FMU into a "
                   "program leave it out, and they are called %s_fmi3DoStep and so on",
                   options->identifier);
    fa_markup_open(out, "PreprocessorDefinition");
    fa_markup_attribute(out, "name", "FMI3_OVERRIDE_FUNCTION_PREFIX");
    fa_markup_attribute(out, "optional", "true");
    fa_markup_attribute(out, "value", "1");
    fa_markup_attribute(out, "description", about);
    fa_markup_close(out);
}

fa_status fa_build_description_write(const fa_sources *sources, const fa_options *options,
                                     char **text, size_t *size, fa_error *error)
{
    fa_markup out = fa_markup_new();
    fa_markup_declaration(&out);
    fa_markup_open(&out, "fmiBuildDescription");
    fa_markup_attribute(&out, "fmiVersion", "3.0");
    fa_markup_open(&out, "BuildConfiguration");
    fa_markup_attribute(&out, "modelIdentifier", options->identifier);
    fa_markup_attribute(&out, "description",
                        "all of the FMU in C99: nothing but the C library is needed, and no files");
    fa_markup_open(&out, "SourceFileSet");
    fa_markup_attribute(&out, "language", "C99");
    // A recommendation: source_begin.h enforces the bits and visibility without these options.
    fa_markup_attribute(&out, "compilerOptions", "-O2 -ffp-contract=off -fvisibility=hidden");
    for (int i = 0; i < sources->n; i++) {
        if (!sources->of[i].compiled) continue;
        fa_markup_open(&out, "SourceFile");
        fa_markup_attribute(&out, "name", sources->of[i].name);
        fa_markup_close(&out);
    }
    write_definition(&out, options);
    fa_markup_open(&out, "IncludeDirectory");
    fa_markup_attribute(&out, "name", ".");
    fa_markup_close(&out);
    fa_markup_close(&out);
    fa_markup_open(&out, "Library");
    fa_markup_attribute(&out, "name", "m");
    fa_markup_attribute(&out, "external", "true");
    fa_markup_attribute(&out, "description",
                        "the mathematics library of C, where it is a file of its own");
    fa_markup_close(&out);
    fa_markup_close(&out);
    fa_markup_close(&out);
    return fa_markup_finish(&out, text, size, error);
}
