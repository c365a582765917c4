// xacro, the language that most public robots are written in, expanded to plain URDF.
//
// Made for the ROS world, xacro is XML with properties, macros, conditions and expressions that are
// a piece of Python. docs/formats.md says what of it is read here. No Python and no installed xacro
// is used. Files are opened only in the robot's folder and in packages.
#ifndef FA_XACRO_H
#define FA_XACRO_H

#include <stdbool.h>
#include <stddef.h>

#include "status.h"

#define FA_XACRO_DEPTH    64      // macros, files and elements within each other
#define FA_XACRO_CALLS    100000  // expansions of macros
#define FA_XACRO_NODES    1000000 // elements and texts, those of copies included
#define FA_XACRO_FILES    1000    // files read
#define FA_XACRO_LENGTH   1000000 // bytes of a text and elements of a list in an expression
#define FA_XACRO_MEMORY   ((size_t)1 << 30)
#define FA_XACRO_STEPS    200000000 // terms evaluated, elements walked along, copied bytes by 16
#define FA_PACKAGE_UP     5         // folders above the robot's in which packages are looked for
#define FA_PACKAGE_DOWN   3         // and how deep within each
#define FA_PACKAGE_LOOKED 20000     // folders that are looked into for one package

// A name and what the command line says it stands for: name:=value, or NAME=DIR.
typedef struct fa_naming {
    const char *name, *value;
} fa_naming;

typedef struct fa_xacro_options {
    const fa_naming *argument; // n_arguments of them; always text
    int              n_arguments;
    const fa_naming *package; // n_packages of them
    int              n_packages;
} fa_xacro_options;

// The plain XML. Each element stands on a line of its own, so that the line says where it is from.
typedef struct fa_expansion {
    const char                  *text; // UTF-8, closed by a zero
    size_t                       size;
    bool                         has_macros; // defines some, itself or in what it includes
    struct fa_expansion_origins *origins;    // of lines, with the files' names
} fa_expansion;

// True for a text that has something to expand.
bool fa_xacro_wanted(const char *text, size_t size);

// Expands the file's text. `path` is where it is from: what it includes is looked for from there.
// Release with fa_expansion_free; *expansion is empty when this fails.
fa_status fa_xacro_expand(const char *text, size_t size, const char *path,
                          const fa_xacro_options *options, const fa_log *log,
                          fa_expansion *expansion, fa_error *error);
void      fa_expansion_free(fa_expansion *expansion);

// The file that something in the expanded text is from, and its place there in *place. *stack is
// the macros and inclusions that it went through, as the end of a sentence, such as
// " (in macro 'leg' of a.xacro:7, included by robot.xacro:2)".
typedef struct fa_macro_stack {
    char text[320];
} fa_macro_stack;
const char *fa_expansion_origin(const fa_expansion *expansion, fa_place *place,
                                fa_macro_stack *stack);

// Faults where the expanded file has macros and no links, and names the robots that lie beside it.
fa_status fa_xacro_check_links(const fa_expansion *expansion, const char *path, fa_error *error);

// Reads a table in YAML as xacro.load_yaml does, and forgets it.
fa_status fa_xacro_check_table(const char *text, size_t size, const char *path, fa_error *error);

// Folder of a package, with the ways that the format knows: --package, AMENT_PREFIX_PATH,
// ROS_PACKAGE_PATH, and the folders around `path`. False if there is none.
bool fa_package_find(const char *name, const char *path, const fa_naming package[], int n_packages,
                     char folder[4096]);

// Folder of a Gazebo model, which is called so and has a model.config: --package, the folders of
// GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH and SDF_PATH, and those around `path`; else the folder of
// a package of that name.
bool fa_model_find(const char *name, const char *path, const fa_naming package[], int n_packages,
                   char folder[4096]);

// True for a file in some package or model near the robot file: it needs no name to be opened.
// Links followed.
bool fa_package_near(const char *file, const char *robot);

#endif
