// From a robot to a Functional Mock-up Unit: the description, the archive around it, and the
// prebuilt library that goes into every one of them.
#ifndef FA_EXPORT_H
#define FA_EXPORT_H

#include <stddef.h>

#include "references.h"
#include "robot_file.h"
#include "short_names.h"
#include "sources.h"

#define FA_PATH_SIZE 4096 // bytes of a path, with its closing zero

#define FA_PLATFORM_COUNT 5 // that a library can be built for

// The FMU library for one platform.
typedef struct fa_library {
    const char *platform; // as the FMU's version of FMI names it: "linux64", "x86_64-linux"
    const char *ending;   // ".so"
    char        path[FA_PATH_SIZE];
} fa_library;

// A file in resources/ beside the robot.
typedef struct fa_resource {
    char   name[2 * FA_NAME_SIZE]; // with forward slashes
    char  *data;
    size_t size;
} fa_resource;

// What an FMU carries to run: libraries that fa_libraries_find gave, sources to compile, or both;
// for comparison; and for those who look at it (fa_has_scene says whether the scene belongs to it).
typedef struct fa_contents {
    const fa_library    *library;
    int                  n_libraries;
    const char          *sources;    // the folder that fa_sources_find gave; NULL: no sources
    const fa_references *references; // NULL: none
    const fa_resource   *resource;
    int                  n_resources;
    const char          *special; // what stands in special.c's place in the sources; NULL: nothing
    size_t               special_size;
    fa_short_names       short_names; // that the robot has got; the documentation lists them
} fa_contents;

// Whether there is a scene, <identifier>_visual.xml in resources/: where the FMU shows the poses of
// links, one by one.
bool fa_has_scene(const fa_robot *robot, const fa_options *options);

// Writes the FMU of a robot to `out_path`. The archive grows beside its final name and is renamed
// over it when it is complete, so that the final name never holds half an FMU. Equal robots,
// options and contents are equal bytes.
fa_status fa_export(const fa_robot *robot, const fa_options *options, const fa_contents *contents,
                    const char *out_path, const fa_log *log, fa_error *error);

// modelDescription.xml for the FMI version that the options name, as text (released by the caller
// with free) and its length without the closing zero. That of FMI 2.0 lists the sources; NULL:
// none.
fa_status fa_description_write(const fa_robot *robot, const fa_options *options,
                               const fa_sources *sources, char **text, size_t *size,
                               fa_error *error);

// documentation/index.html, likewise, with what the robot file called things.
fa_status fa_documentation_write(const fa_robot *robot, const fa_options *options,
                                 const fa_short_names *names, char **text, size_t *size,
                                 fa_error *error);

// A C identifier made from a robot's name: other characters become '_', a leading digit gets one in
// front of it, and so does a word that C or Modelica keeps for itself.
void fa_identifier(const char *name, char identifier[FA_NAME_SIZE]);

// True if the name can be an FMU's modelIdentifier as it is.
bool fa_identifier_fits(const char *name);

// The platform of this program, as FMI 2.0 ("linux64") and FMI 3.0 ("x86_64-linux") name it.
const char *fa_platform(int fmi);
const char *fa_library_ending(void); // ".so"

// The FMU libraries for a version of FMI. `list` names platforms as either version does, separated
// by commas, each of which must be there; "native" is this program's, "none" stands alone for no
// library at all. NULL: all that are there, this program's among them. `folder` is searched if it
// is not NULL, else the folder in the environment variable FOREARM_LIBRARY_DIR, else the place
// where the build and the installation put them, relative to the running program. In each of them a
// library is <platform of FMI 3.0>/forearm.so, for FMI 2.0 on a Mac universal-darwin/forearm.dylib;
// this program's may be forearm.so.
fa_status fa_libraries_find(const char *folder, int fmi, const char *list,
                            fa_library found[FA_PLATFORM_COUNT], int *n, fa_error *error);

// The folder of the library's sources, sources/ beside the folder of the libraries.
fa_status fa_sources_find(const char *folder, char sources[FA_PATH_SIZE], fa_error *error);

#endif
