// Finds the joint of the option --joint.
#include "one_joint.h"

#include <string.h>

#include "nearest.h"

fa_status fa_one_joint(const fa_robot *robot, const char *name, int *coordinate, fa_error *error)
{
    fa_nearest nearest = fa_nearest_to(name);
    *coordinate = 0;
    for (int i = 1; i < robot->n_links; i++) { // the base has neither joint nor name
        const fa_joint *joint = &robot->link[i].joint;
        const bool      moves = joint->type != FA_FIXED;
        if (moves && fa_joint_is_free(joint)) fa_nearest_try(&nearest, joint->name);
        if (strcmp(joint->name, name) != 0) {
            *coordinate += moves && fa_joint_is_free(joint) ? fa_joint_speeds(joint) : 0;
            continue;
        }
        if (!moves)
            return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                           "joint '%s' is fixed and has no torque; --outputs reactions gives what "
                           "it carries",
                           name);
        if (fa_joint_is_several(joint->type))
            return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                           "joint '%s' is %s and has more than one effort; leave --joint out", name,
                           fa_joint_kinds[joint->type].name);
        if (fa_joint_is_free(joint)) return FA_OK;
        return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                       "joint '%s' follows '%s', whose torque moves both; ask for that", name,
                       robot->link[joint->mimic.leader].joint.name);
    }
    return fa_fail(error, FA_UNFIT, robot->source, FA_NOWHERE,
                   "no joint of this robot is called '%s'; %s", name,
                   fa_nearest_hint(&nearest, "forearm inspect lists them").text);
}
