// Drives examples/ros2_control as a controller manager would, over the stubs beside this file: what
// is read is what fa_stepper gives, drives hold and follow, and read and write allocate nothing.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <forearm/forearm.h>
#include <fstream>
#include <hardware_interface/system_interface.hpp>
#include <memory>
#include <new>
#include <sstream>

using namespace hardware_interface;

SystemInterface *make_the_plugin();

static long allocations;

void *operator new(std::size_t size)
{
    allocations++;
    void *memory = std::malloc(size);
    if (!memory) throw std::bad_alloc();
    return memory;
}
void operator delete(void *memory) noexcept
{
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}

static void need(bool fine, const char *what)
{
    if (fine) return;
    std::fprintf(stderr, "drive.cpp: %s\n", what);
    std::exit(1);
}

static HardwareInfo description(const char *path)
{
    ComponentInfo shoulder{"shoulder",
                           {{"position"}, {"velocity"}, {"effort"}},
                           {{"position"}, {"velocity"}, {"effort"}},
                           {{"kp", "200"}, {"kd", "20"}, {"initial_position", "0.3"}}};
    ComponentInfo elbow{"elbow", {{"effort"}}, {{"position"}, {"velocity"}}, {}};
    return {"arm", {{"robot", path}, {"step", "0.001"}}, {shoulder, elbow}, ""};
}

static StateInterface *find(std::vector<StateInterface> &all, const char *name)
{
    for (StateInterface &one : all)
        if (one.get_name() == name) return &one;
    need(false, name);
    return nullptr;
}

static double value_of(std::vector<StateInterface> &all, const char *name)
{
    return find(all, name)->get_value();
}

static void begin(SystemInterface &arm, const HardwareInfo &info)
{
    need(arm.on_init(info) == CallbackReturn::SUCCESS, "on_init");
    need(arm.on_configure({}) == CallbackReturn::SUCCESS, "on_configure");
    need(arm.on_activate({}) == CallbackReturn::SUCCESS, "on_activate");
}

static void go(SystemInterface &arm, int periods)
{
    const rclcpp::Time     now;
    const rclcpp::Duration period(1e-3);
    for (int k = 0; k < periods; k++) {
        need(arm.read(now, period) == return_type::OK, "read");
        need(arm.write(now, period) == return_type::OK, "write");
    }
}

// Without commands the arm falls as a stepper lets it fall, to the bit.
static void compare_with_stepper(SystemInterface &arm, const char *path)
{
    fa_error                 error = fa_no_error();
    const fa_stepper_options options = {sizeof options, FA_STEP_RK4, 1e-3, nullptr};
    fa_robot                *robot = fa_robot_load(path, nullptr, &error);
    fa_stepper              *stepper = robot ? fa_stepper_new(robot, &options, &error) : nullptr;
    need(stepper != nullptr && fa_robot_joints(robot) == 2, error.message);
    double q[2] = {0.3, 0}, qd[2] = {0, 0};
    auto   states = arm.export_state_interfaces();
    begin(arm, description(path));
    states = arm.export_state_interfaces();
    go(arm, 500);
    fa_stepper_begin(stepper, 0, q, qd);
    need(fa_stepper_step(stepper, 0.5, q, qd) == FA_OK, "fa_stepper_step");
    need(value_of(states, "shoulder/position") == q[0] &&
             value_of(states, "elbow/velocity") == qd[1],
         "what is read is not what the stepper gives");
    fa_stepper_free(stepper);
    fa_robot_free(robot);
}

static void hold_and_follow(SystemInterface &arm, const char *path)
{
    begin(arm, description(path));
    auto states = arm.export_state_interfaces();
    auto commands = arm.export_command_interfaces();
    arm.perform_command_mode_switch({"shoulder/position", "elbow/effort"}, {});
    find(commands, "shoulder/position")->set_value(0.5);
    // A controller takes the swing out of the elbow.
    StateInterface   *rate = find(states, "elbow/velocity");
    CommandInterface *push = find(commands, "elbow/effort");
    const long        before = allocations;
    for (int k = 0; k < 20000; k++) {
        go(arm, 1);
        push->set_value(-2 * rate->get_value());
    }
    need(allocations == before, "read or write allocates");
    const double off =
        value_of(states, "shoulder/effort") / 200; // what the spring of the drive gives
    need(std::fabs(value_of(states, "shoulder/velocity")) < 0.02,
         "the shoulder does not come to rest");
    need(std::fabs(value_of(states, "shoulder/position") + off - 0.5) < 0.01, "the drive's law");
    need(value_of(states, "shoulder/position") > 0.2, "the shoulder is not held");
    arm.perform_command_mode_switch({"shoulder/velocity"}, {"shoulder/position"});
    go(arm, 2);
    need(value_of(states, "shoulder/effort") == 0, "a drive without a command pushes");
    find(commands, "shoulder/velocity")->set_value(5);
    go(arm, 2);
    need(value_of(states, "shoulder/effort") != 0, "a drive with a command does not push");
    arm.perform_command_mode_switch({"shoulder/velocity"}, {"shoulder/velocity"});
    go(arm, 2);
    need(value_of(states, "shoulder/effort") == 0,
         "a drive follows a command from before its start");
    arm.perform_command_mode_switch({}, {"shoulder/velocity", "elbow/effort"});
    go(arm, 2);
    need(value_of(states, "shoulder/effort") == 0, "a joint that nobody commands is pushed");
    need(arm.on_cleanup({}) == CallbackReturn::SUCCESS, "on_cleanup");
}

static void refuse(SystemInterface &arm, const char *path)
{
    HardwareInfo wrong = description(path);
    wrong.joints[1].command_interfaces.push_back({"position"});
    need(arm.on_init(wrong) == CallbackReturn::ERROR, "a servo without gains is taken");
    wrong = description(path);
    wrong.joints[0].parameters["kp"] = "much";
    need(arm.on_init(wrong) == CallbackReturn::ERROR, "a word is taken for a number");
    wrong = description(path);
    wrong.joints[0].name = "wrist";
    need(arm.on_init(wrong) == CallbackReturn::SUCCESS, "on_init");
    need(arm.on_configure({}) == CallbackReturn::ERROR, "a joint that is not there is taken");
    wrong.hardware_parameters["robot"] = "nowhere.urdf";
    need(arm.on_init(wrong) == CallbackReturn::SUCCESS, "on_init");
    need(arm.on_configure({}) == CallbackReturn::ERROR, "a robot that is not there is taken");
}

int main(int argc, char *argv[])
{
    need(argc == 2, "drive ROBOT");
    const std::unique_ptr<SystemInterface> arm(make_the_plugin());
    compare_with_stepper(*arm, argv[1]);
    hold_and_follow(*arm, argv[1]);
    refuse(*arm, argv[1]);
    HardwareInfo      whole = description(argv[1]);
    std::stringstream text;
    text << std::ifstream(argv[1]).rdbuf();
    whole.hardware_parameters.erase("robot"); // the robot is the description itself
    whole.original_xml = text.str();
    begin(*arm, whole);
    go(*arm, 10);
    std::puts("held, followed, refused");
    return 0;
}
