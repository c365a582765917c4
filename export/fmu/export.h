// Exports a robot as a Functional Mock-up Unit: description, archive and prebuilt libraries.
#ifndef FA_EXPORT_H
#define FA_EXPORT_H

#include <stddef.h>

#include "references.h"
#include "robot_file.h"
#include "short_names.h"
#include "sources.h"

#define FA_PATH_SIZE 4096 // longest path in bytes, with its zero byte

#define FA_PLATFORM_COUNT 5 // number of platforms with libraries

// The FMU library for one platform.
typedef struct fa_library {
    const char *platform; // name in the FMU's version of FMI: "linux64", "x86_64-linux"
    const char *ending;   // ".so"
    char        path[FA_PATH_SIZE];
} fa_library;

// A file in resources/ beside the robot.
typedef struct fa_resource {
    char   name[2 * FA_NAME_SIZE]; // with forward slashes
    char  *data;
    size_t size;
} fa_resource;

// Optional contents of an FMU: libraries found by fa_libraries_find, sources to compile, or both;
// reference results; and a scene (fa_has_scene tells whether the FMU shows it).
typedef struct fa_contents {
    const fa_library    *library;
    int                  n_libraries;
    const char          *sources;    // folder found by fa_sources_find; NULL: no sources
    const fa_references *references; // NULL: none
    const fa_resource   *resource;
    int                  n_resources;
    const char          *special; // replaces special.c in the sources; NULL: none
    size_t               special_size;
    fa_short_names       short_names; // shortened names, for the documentation
} fa_contents;

// Returns true if the FMU has a scene, <identifier>_visual.xml in resources/: it declares the poses
// of links as scalar variables.
bool fa_has_scene(const fa_robot *robot, const fa_options *options);

// Writes the FMU of a robot to `out_path`. Writes the archive to a temporary file beside it and
// renames that when complete, so that `out_path` is never a partial FMU. Equal robots, options and
// contents give equal bytes.
fa_status fa_export(const fa_robot *robot, const fa_options *options, const fa_contents *contents,
                    const char *out_path, const fa_log *log, fa_error *error);

// Writes modelDescription.xml for the options' FMI version, as text (freed by the caller) and its
// length without the zero byte. FMI 2.0 lists the sources in it; NULL: none.
fa_status fa_description_write(const fa_robot *robot, const fa_options *options,
                               const fa_sources *sources, char **text, size_t *size,
                               fa_error *error);

// Writes documentation/index.html, likewise, with the original names of shortened ones.
fa_status fa_documentation_write(const fa_robot *robot, const fa_options *options,
                                 const fa_short_names *names, char **text, size_t *size,
                                 fa_error *error);

// Converts a robot's name to a C identifier: other characters become '_', and '_' precedes a
// leading digit or a reserved word of C or Modelica.
void fa_identifier(const char *name, char identifier[FA_NAME_SIZE]);

// Returns true if the name is a valid modelIdentifier.
bool fa_identifier_fits(const char *name);

// Returns this program's platform, as named by FMI 2.0 ("linux64") and FMI 3.0 ("x86_64-linux").
const char *fa_platform(int fmi);
const char *fa_library_ending(void); // ".so"

// Finds the FMU libraries for a version of FMI. `list` names platforms as either version does,
// separated by commas, and all of them are required; "native" is this program's, "none" alone means
// no library. NULL: all libraries found, this program's required. Search path: `folder` alone if it
// is not NULL; else the environment variable FOREARM_LIBRARY_DIR; else the folder of the build or
// the installation, relative to the running program. The path of a library in it is <platform of
// FMI 3.0>/forearm.so, for FMI 2.0 on a Mac universal-darwin/forearm.dylib; this program's may be
// forearm.so.
fa_status fa_libraries_find(const char *folder, int fmi, const char *list,
                            fa_library found[FA_PLATFORM_COUNT], int *n, fa_error *error);

// Finds the folder of the library's sources: sources/ beside the folder of the libraries.
fa_status fa_sources_find(const char *folder, char sources[FA_PATH_SIZE], fa_error *error);

#endif
