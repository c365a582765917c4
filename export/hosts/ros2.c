// Parameters and launch file for fmi_adapter, the node of ROS 2 that runs an FMU of FMI 2.0 in
// Co-Simulation. By its sources: inputs and outputs are topics of std_msgs/Float64, and every
// variable can be set from a parameter, a real number, while the FMU is in initialisation mode. The
// names of both have '_' for what ROS does not take.
#include "hosts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "plant.h"
#include "streams.h"
#include "view.h"

fa_status fa_ros2_check(const fa_robot *robot, fa_error *error)
{
    fa_variables table;
    void        *block;
    fa_status    status =
        fa_plant_variables(fa_plant_find(robot->plant), robot, false, &table, &block, error);
    if (status != FA_OK) return status;
    for (int row = table.first[FA_INPUT]; row < table.first[FA_LOCAL] && status == FA_OK; row++)
        if (table.row[row].type != FA_REAL && !fa_view_hides_row(robot, &table.row[row]))
            status = fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                             "'%s' is no real number, and the adapter of ROS 2 takes nothing else "
                             "for inputs and outputs; with --inputs lock-real,close-real locks and "
                             "valves are real numbers",
                             table.row[row].name);
    free(block);
    return status;
}

static void put_name(FILE *out, const char *name)
{
    for (; *name; name++) fputc(*name == '.' ? '_' : *name, out);
}

// Writes a number that YAML parses as real: with a point.
static void put_real(FILE *out, double value)
{
    const fa_text number = fa_number_text(value);
    const char   *e = strchr(number.text, 'e');
    const size_t  digits = e ? (size_t)(e - number.text) : strlen(number.text);
    const bool    point = memchr(number.text, '.', digits) != NULL;
    fprintf(out, "%.*s%s%s", (int)digits, number.text, point ? "" : ".0", e ? e : "");
}

static fa_status finish(FILE *out, char **text, fa_error *error)
{
    if (out && fa_text_close(out)) return FA_OK;
    free(*text);
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the files of ROS 2");
}

fa_status fa_ros2_parameters_write(const fa_robot *robot, const fa_options *options, char **text,
                                   size_t *size, fa_error *error)
{
    fa_variables table;
    void        *block;
    fa_status    status =
        fa_plant_variables(fa_plant_find(robot->plant), robot, true, &table, &block, error);
    if (status != FA_OK) return status;
    *text = NULL;
    FILE *out = fa_text_open(text, size);
    if (out) {
        fprintf(out,
                "# Parameters of fmi_adapter for %s.fmu: how it steps, and the robot's own, at "
                "their values.\n"
                "/**:\n"
                "  ros__parameters:\n"
                "    step_size: 0.001  # [s]\n"
                "    update_period: 0.01  # [s] between messages\n",
                options->identifier);
        // Skips Integer and Boolean parameters, which the adapter would set as real numbers.
        for (int row = 0; row < table.first[FA_INPUT]; row++) {
            const fa_variable *v = &table.row[row];
            if (v->type != FA_REAL || !isfinite(v->start)) continue;
            fputs("    ", out);
            put_name(out, v->name);
            fputs(": ", out);
            put_real(out, v->start);
            fprintf(out, "  # %s%s%s%s\n", v->unit != FA_UNIT_NONE ? "[" : "",
                    fa_units[v->unit].name, v->unit != FA_UNIT_NONE ? "] " : "", v->description);
        }
    }
    free(block);
    return finish(out, text, error);
}

fa_status fa_ros2_launch_write(const fa_robot *robot, const fa_options *options, char **text,
                               size_t *size, fa_error *error)
{
    (void)robot;
    *text = NULL;
    FILE *out = fa_text_open(text, size);
    if (out)
        fprintf(out,
                "\"\"\"Runs %s.fmu in fmi_adapter of ROS 2: `ros2 launch <this file>`.\n"
                "\n"
                "Inputs and outputs are topics of std_msgs/msg/Float64 under the FMU's names, '_' "
                "for '.'. Forearm wrote it\n"
                "after the sources of fmi_adapter; it was not run where it was written.\n"
                "\"\"\"\n"
                "\n"
                "import pathlib\n"
                "\n"
                "import launch\n"
                "import launch.actions\n"
                "import launch.events.matchers\n"
                "import launch_ros.actions\n"
                "import launch_ros.event_handlers\n"
                "import launch_ros.events.lifecycle\n"
                "import lifecycle_msgs.msg\n"
                "\n"
                "HERE = pathlib.Path(__file__).resolve().parent\n"
                "\n"
                "\n"
                "def generate_launch_description():\n"
                "    node = launch_ros.actions.LifecycleNode(\n"
                "        package='fmi_adapter', executable='fmi_adapter_node', "
                "name='fmi_adapter_node', namespace='%s',\n"
                "        parameters=[str(HERE / '%s.yaml'), {'fmu_path': str(HERE / '%s.fmu')}], "
                "output='screen')\n"
                "\n"
                "    def change(transition):\n"
                "        return "
                "launch.actions.EmitEvent(event=launch_ros.events.lifecycle.ChangeState(\n"
                "            lifecycle_node_matcher=launch.events.matchers.matches_action(node), "
                "transition_id=transition))\n"
                "\n"
                "    activate = "
                "launch.actions.RegisterEventHandler(launch_ros.event_handlers.OnStateTransition(\n"
                "        target_lifecycle_node=node, goal_state='inactive',\n"
                "        entities=[change(lifecycle_msgs.msg.Transition.TRANSITION_ACTIVATE)]))\n"
                "    return launch.LaunchDescription([\n"
                "        activate, node, "
                "change(lifecycle_msgs.msg.Transition.TRANSITION_CONFIGURE)])\n",
                options->identifier, options->identifier, options->identifier, options->identifier);
    return finish(out, text, error);
}
