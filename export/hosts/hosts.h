// Files beside an FMU for hosts that want more than one: a script for Simulink, parameters and a
// launch file for ROS 2, a system of SSP around it. They follow these hosts' public documentation
// and sources.
#ifndef FA_HOSTS_H
#define FA_HOSTS_H

#include "robot_file.h"

// A MATLAB function, as text (released by the caller with free) and its length: it adds the FMU's
// block to a model, packs the joints' quantities into vectors, sets initial positions, and, where
// the FMU carries results, repeats the experiment and compares. The function is called
// <identifier>_simulink, and so is its file.
fa_status fa_simulink_write(const fa_robot *robot, const fa_options *options, const char *fmu,
                            bool results, char **text, size_t *size, fa_error *error);

// For fmi_adapter of ROS 2: the parameter file, and the launch file that names it and the FMU. The
// adapter knows nothing but real variables; others among inputs and outputs are refused.
fa_status fa_ros2_check(const fa_robot *robot, fa_error *error);
fa_status fa_ros2_parameters_write(const fa_robot *robot, const fa_options *options, char **text,
                                   size_t *size, fa_error *error);
fa_status fa_ros2_launch_write(const fa_robot *robot, const fa_options *options, char **text,
                               size_t *size, fa_error *error);

// A system of SSP 1.0 with the FMU as its one component and its parameters as a parameter set: the
// archive's bytes, released by the caller with free. `connected`: all of the FMU's inputs and
// outputs are the system's, too, as FMPy wants it, and whoever nests systems; the readers of Ecos
// and libcosim refuse connections that do not lead from component to component.
fa_status fa_ssp_write(const fa_robot *robot, const fa_options *options, const char *fmu_path,
                       bool connected, char **data, size_t *size, fa_error *error);

#endif
