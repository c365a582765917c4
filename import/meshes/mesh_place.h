// Finds the mesh files of a robot file, and restricts them to its folders and packages: an
// untrusted file must not make the program read other files.
#ifndef FA_MESH_PLACE_H
#define FA_MESH_PLACE_H

#include "xacro.h"

enum { FA_MESH_PATH_SIZE = 512 };

typedef enum fa_mesh_found { FA_MESH_FOUND, FA_MESH_MISSING, FA_MESH_REFUSED } fa_mesh_found;

// The path of the mesh `name` of the robot file `source`: a path from that file's folder on, or
// absolute, or file://…, or package://NAME/… in a folder NAME somewhere above the robot file or in
// a folder that ROS_PACKAGE_PATH lists, or where the packages of macros are found (`xacro`, NULL:
// as usual), or model://NAME/… of a Gazebo model (fa_model_find).
//
// It must be a regular file, and lie, links followed, in the robot file's folder, in its package
// (the nearest folder above it with a package.xml), in the package that package:// names (a folder
// that has a package.xml or holds the robot file), in the model that model:// names, in a folder of
// ROS_PACKAGE_PATH, or in a package or model near the robot. If it is not found, *why says so.
fa_mesh_found fa_mesh_place(const char *source, const char *name, const fa_xacro_options *xacro,
                            char path[FA_MESH_PATH_SIZE], const char **why);

#endif
