// The same interface from C++, with what C++ has for memory.
#include <forearm/forearm.h>

#include <cstdio>
#include <memory>
#include <vector>

int main(int argc, char *argv[])
{
    fa_error                                                  error = fa_no_error();
    const std::unique_ptr<fa_robot, decltype(&fa_robot_free)> robot(
        fa_robot_load(argc > 1 ? argv[1] : "robot.urdf", nullptr, &error), fa_robot_free);
    const std::unique_ptr<fa_workspace, decltype(&fa_workspace_free)> workspace(
        robot ? fa_workspace_new(robot.get(), 0, &error) : nullptr, fa_workspace_free);
    if (!workspace) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const std::size_t   n = static_cast<std::size_t>(fa_robot_joints(robot.get()));
    std::vector<double> q(n, 0.1), T(16);
    const fa_status     status =
        fa_pose(robot.get(), workspace.get(), 1, FA_TIP_FRAME, q.data(), T.data());
    std::printf("tip at %.6f %.6f %.6f\n", T[3], T[7], T[11]);
    return status != FA_OK;
}
