// Reports freedoms, states and the assembly of robots with closed loops.
#include "check_loops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "robot_loops.h"
#include "table.h"

// Threshold of assembly: a joint that moved by less counts as unmoved [rad] or [m].
static const double MOVED = 1e-9;

// Counts freedoms and redundant constraints on a copy, since closing writes the counts into its
// robot.
static fa_status count(const fa_robot *robot, fa_closing *closing, fa_error *error)
{
    *closing = (fa_closing){
        .speeds = fa_robot_freedom(robot), .freedoms = fa_robot_freedom(robot), .least_pivot = 1};
    if (robot->n_loops == 0) return FA_OK;
    fa_robot *copy = malloc(fa_robot_size(robot));
    if (!copy)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the loops");
    memcpy(copy, robot, fa_robot_size(robot));
    const fa_status status = fa_robot_close(copy, NULL, closing, error);
    free(copy);
    return status;
}

static bool has_moved(const fa_joint *joint)
{
    return fa_joint_is_free(joint) && !fa_joint_is_several(joint->type) &&
           fabs(joint->initial_position - joint->given_position) > MOVED;
}

static bool is_state(const fa_joint *joint)
{
    return fa_joint_is_free(joint) && !joint->dependent;
}

fa_status fa_print_loops(const fa_robot *robot, fa_error *error)
{
    fa_closing found;
    if (robot->n_loops == 0) return FA_OK;
    const fa_status status = count(robot, &found, error);
    if (status != FA_OK) return status;
    printf("loops: %d, with %d rows, %d of them redundant, among %d speeds; %d freedom%s\n",
           robot->n_loops, found.rows, found.redundant, found.speeds, found.freedoms,
           found.freedoms == 1 ? "" : "s");
    printf("    states are the coordinates of");
    const char *between = " ";
    for (int i = 0; i < robot->n_links; i++) {
        if (!is_state(&robot->link[i].joint)) continue;
        printf("%s'%s'", between, robot->link[i].joint.name);
        between = ", ";
    }
    printf("; least pivot %s\n", fa_rounded_text(found.least_pivot).text);
    for (int k = 0; k < robot->n_loops; k++) {
        const fa_loop *loop = fa_robot_loop(robot, k);
        if (loop->was_open > MOVED)
            printf("    loop '%s' was open by %s mm\n", loop->name,
                   fa_rounded_text(1000 * loop->was_open).text);
    }
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (has_moved(joint))
            printf("    assembly moved '%s' from %s to %s\n", joint->name,
                   fa_rounded_text(joint->given_position).text,
                   fa_rounded_text(joint->initial_position).text);
    }
    return FA_OK;
}

fa_status fa_print_check_json(const fa_robot *robot, int warnings, fa_error *error)
{
    fa_closing found;
    fa_json    json;
    fa_status  status = count(robot, &found, error);
    if (status == FA_OK) status = fa_json_begin(&json, error);
    if (status != FA_OK) return status;
    fa_json_open(&json, NULL, '{');
    fa_json_text(&json, "robot", robot->name);
    fa_json_number(&json, "links", robot->n_links);
    fa_json_number(&json, "warnings", warnings);
    fa_json_number(&json, "freedoms", found.freedoms);
    fa_json_number(&json, "speeds", found.speeds);
    fa_json_number(&json, "rows", found.rows);
    fa_json_number(&json, "redundant", found.redundant);
    fa_json_open(&json, "independent", '[');
    for (int i = 0; i < robot->n_links; i++)
        if (is_state(&robot->link[i].joint)) fa_json_text(&json, NULL, robot->link[i].joint.name);
    fa_json_close(&json, ']');
    fa_json_number(&json, "least_pivot", found.least_pivot);
    fa_json_open(&json, "assembly", '[');
    for (int i = 0; i < robot->n_links; i++) {
        const fa_joint *joint = &robot->link[i].joint;
        if (robot->n_loops == 0 || !has_moved(joint)) continue;
        fa_json_open(&json, NULL, '{');
        fa_json_text(&json, "joint", joint->name);
        fa_json_number(&json, "from", joint->given_position);
        fa_json_number(&json, "to", joint->initial_position);
        fa_json_close(&json, '}');
    }
    fa_json_close(&json, ']');
    fa_json_close(&json, '}');
    return fa_json_write(&json, NULL);
}
