// Writes auxiliary files beside an FMU: a script for Simulink, parameters and a launch file for ROS
// 2, a system of SSP. They follow the public documentation and sources of these hosts.
#ifndef FA_HOSTS_H
#define FA_HOSTS_H

#include "robot_file.h"

// Writes a MATLAB function, as text (freed by the caller) and its length. It adds the FMU's block
// to a model, packs the joints' quantities into vectors, sets initial positions, and, if the FMU
// contains results, repeats the experiment and compares. The function and its file are named
// <identifier>_simulink.
fa_status fa_simulink_write(const fa_robot *robot, const fa_options *options, const char *fmu,
                            bool results, char **text, size_t *size, fa_error *error);

// For fmi_adapter of ROS 2: the parameter file, and the launch file for it and the FMU. The adapter
// supports real variables only; fa_ros2_check refuses other inputs and outputs.
fa_status fa_ros2_check(const fa_robot *robot, fa_error *error);
fa_status fa_ros2_parameters_write(const fa_robot *robot, const fa_options *options, char **text,
                                   size_t *size, fa_error *error);
fa_status fa_ros2_launch_write(const fa_robot *robot, const fa_options *options, char **text,
                               size_t *size, fa_error *error);

// Writes a system of SSP 1.0 with the FMU as its one component and its parameters as a parameter
// set; the caller frees the bytes. `connected`: the system has all inputs and outputs of the FMU as
// its own connectors, as FMPy and nested systems need; Ecos and libcosim refuse connections that do
// not lead from component to component.
fa_status fa_ssp_write(const fa_robot *robot, const fa_options *options, const char *fmu_path,
                       bool connected, char **data, size_t *size, fa_error *error);

#endif
