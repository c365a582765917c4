// An arm of Forearm's as hardware of ros2_control; README.md says how to build and use it.
#include "forearm_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <pluginlib/class_list_macros.hpp>
#include <stdexcept>

namespace forearm_system
{

using hardware_interface::return_type;

namespace
{

using Words = std::unordered_map<std::string, std::string>;

// Returns a number of a table of words; `otherwise` where there is none. What is no number throws.
double number_of(const Words &words, const char *name, double otherwise)
{
    const auto found = words.find(name);
    if (found == words.end()) return otherwise;
    std::size_t  read = 0;
    const double value = std::stod(found->second, &read);
    if (read != found->second.size() || !std::isfinite(value))
        throw std::invalid_argument(std::string(name) + "='" + found->second + "'");
    return value;
}

bool complain(const std::string &sentence)
{
    std::fprintf(stderr, "forearm_system: %s\n", sentence.c_str());
    return false;
}

} // namespace

ForearmSystem::Mode ForearmSystem::mode_of(const std::string &name)
{
    return name == "position"   ? Mode::position
           : name == "velocity" ? Mode::velocity
           : name == "effort"   ? Mode::effort
                                : Mode::none;
}

bool ForearmSystem::take_joint(const hardware_interface::ComponentInfo &from)
{
    Joint joint;
    joint.name = from.name;
    joint.kp = number_of(from.parameters, "kp", 0);
    joint.kd = number_of(from.parameters, "kd", 0);
    joint.limit = number_of(from.parameters, "limit", INFINITY);
    joint.begin = number_of(from.parameters, "initial_position", 0);
    for (const auto &one : from.command_interfaces) {
        const Mode mode = mode_of(one.name);
        if (mode == Mode::none)
            return complain("joint '" + from.name + "' has no command interface '" + one.name +
                            "'; there are position, velocity and effort");
        if ((mode == Mode::position && !(joint.kp > 0)) ||
            (mode == Mode::velocity && !(joint.kd > 0)))
            return complain("joint '" + from.name + "' takes commands of " + one.name +
                            ", for which its drive needs gains; add <param name=\"kp\"> "
                            "[N m/rad] and <param name=\"kd\"> [N m s/rad] to it");
        joint.command_names.push_back(one.name);
    }
    for (const auto &one : from.state_interfaces) {
        if (mode_of(one.name) == Mode::none)
            return complain("joint '" + from.name + "' has no state interface '" + one.name +
                            "'; there are position, velocity and effort");
        joint.state_names.push_back(one.name);
    }
    joints_.push_back(joint);
    return true;
}

ForearmSystem::CallbackReturn ForearmSystem::on_init(const hardware_interface::HardwareInfo &info)
{
    if (SystemInterface::on_init(info) != CallbackReturn::SUCCESS) return CallbackReturn::ERROR;
    const Words &words = info.hardware_parameters;
    const auto   path = words.find("robot"), method = words.find("method");
    path_ = path == words.end() ? "" : path->second;
    text_ = info.original_xml;
    if (method != words.end() && method->second != "rk4" && method->second != "semi-implicit") {
        complain("there is no method '" + method->second + "'; take rk4 or semi-implicit");
        return CallbackReturn::ERROR;
    }
    method_ = method != words.end() && method->second == "semi-implicit" ? FA_STEP_SEMI_IMPLICIT
                                                                         : FA_STEP_RK4;
    joints_.clear();
    try {
        step_ = number_of(words, "step", 1e-3);
        for (const auto &joint : info.joints)
            if (!take_joint(joint)) return CallbackReturn::ERROR;
    } catch (const std::exception &fault) {
        complain(std::string("a parameter is no number: ") + fault.what());
        return CallbackReturn::ERROR;
    }
    return CallbackReturn::SUCCESS;
}

// Loads the robot, from the file that the parameter `robot` names or else from the URDF itself, and
// finds the joints in it.
ForearmSystem::CallbackReturn ForearmSystem::load()
{
    fa_error                 error = fa_no_error();
    const fa_stepper_options options = {sizeof options, method_, step_, nullptr};
    stepper_.reset();
    robot_.reset(path_.empty() ? fa_robot_read(text_.data(), text_.size(), "robot_description",
                                               nullptr, &error)
                               : fa_robot_load(path_.c_str(), nullptr, &error));
    if (robot_) stepper_.reset(fa_stepper_new(robot_.get(), &options, &error));
    if (!stepper_) {
        complain(std::string(error.file) + ": " + error.message);
        return CallbackReturn::ERROR;
    }
    const int n = fa_robot_joints(robot_.get());
    for (Joint &joint : joints_) {
        joint.at = 0;
        while (joint.at < n && joint.name != fa_robot_joint_name(robot_.get(), joint.at))
            joint.at++;
        const double most = joint.at < n ? fa_robot_joint_limits(robot_.get(), joint.at).effort : 0;
        if (!std::isfinite(joint.limit) && most > 0) joint.limit = most; // as the robot's file says
        if (joint.at < n) continue;
        complain("no joint of the robot that moves is called '" + joint.name + "'");
        return CallbackReturn::ERROR;
    }
    q_.assign(static_cast<std::size_t>(n), 0);
    qd_ = torque_ = q_;
    return CallbackReturn::SUCCESS;
}

ForearmSystem::CallbackReturn ForearmSystem::on_configure(const rclcpp_lifecycle::State &)
{
    return load();
}

ForearmSystem::CallbackReturn ForearmSystem::on_activate(const rclcpp_lifecycle::State &)
{
    std::fill(q_.begin(), q_.end(), 0);
    std::fill(qd_.begin(), qd_.end(), 0);
    std::fill(torque_.begin(), torque_.end(), 0);
    for (Joint &joint : joints_) {
        q_[static_cast<std::size_t>(joint.at)] = joint.position = joint.begin;
        joint.velocity = joint.effort = 0;
        std::fill(std::begin(joint.wanted), std::end(joint.wanted), 0);
        joint.wanted[static_cast<int>(Mode::position)] = joint.begin;
    }
    time_ = 0;
    fa_stepper_begin(stepper_.get(), 0, q_.data(), qd_.data());
    fa_stepper_hold(stepper_.get(), torque_.data());
    return CallbackReturn::SUCCESS;
}

ForearmSystem::CallbackReturn ForearmSystem::on_cleanup(const rclcpp_lifecycle::State &)
{
    stepper_.reset();
    robot_.reset();
    return CallbackReturn::SUCCESS;
}

std::vector<hardware_interface::StateInterface> ForearmSystem::export_state_interfaces()
{
    std::vector<hardware_interface::StateInterface> all;
    for (Joint &joint : joints_)
        for (const std::string &name : joint.state_names) {
            const Mode which = mode_of(name);
            all.emplace_back(joint.name, name,
                             which == Mode::position   ? &joint.position
                             : which == Mode::velocity ? &joint.velocity
                                                       : &joint.effort);
        }
    return all;
}

std::vector<hardware_interface::CommandInterface> ForearmSystem::export_command_interfaces()
{
    std::vector<hardware_interface::CommandInterface> all;
    for (Joint &joint : joints_)
        for (const std::string &name : joint.command_names)
            all.emplace_back(joint.name, name, &joint.wanted[static_cast<int>(mode_of(name))]);
    return all;
}

// Interfaces are named JOINT/position and so on. A joint that nobody commands any more is limp.
return_type ForearmSystem::perform_command_mode_switch(const Names &start, const Names &stop)
{
    for (Joint &joint : joints_) {
        for (const std::string &name : stop)
            if (name.compare(0, joint.name.size() + 1, joint.name + "/") == 0)
                joint.mode = Mode::none;
        for (const std::string &name : start) {
            if (name.compare(0, joint.name.size() + 1, joint.name + "/") != 0) continue;
            joint.mode = mode_of(name.substr(joint.name.size() + 1));
            // It stays where it is, or moves freely, until a command comes.
            joint.wanted[static_cast<int>(joint.mode)] =
                joint.mode == Mode::position ? joint.position
                                             : std::numeric_limits<double>::quiet_NaN();
        }
    }
    return return_type::OK;
}

// Returns the effort of a joint's drive.
double ForearmSystem::drive(const Joint &joint)
{
    const double wanted = joint.wanted[static_cast<int>(joint.mode)];
    double       effort = 0;
    if (!std::isfinite(wanted)) return 0; // no command yet
    if (joint.mode == Mode::effort) effort = wanted;
    if (joint.mode == Mode::position)
        effort = joint.kp * (wanted - joint.position) - joint.kd * joint.velocity;
    if (joint.mode == Mode::velocity) effort = joint.kd * (wanted - joint.velocity);
    return std::min(joint.limit, std::max(-joint.limit, effort));
}

return_type ForearmSystem::read(const rclcpp::Time &, const rclcpp::Duration &period)
{
    time_ += period.seconds();
    if (fa_stepper_step(stepper_.get(), time_, q_.data(), qd_.data()) != FA_OK)
        return return_type::ERROR;
    for (Joint &joint : joints_) {
        const auto at = static_cast<std::size_t>(joint.at);
        joint.position = q_[at];
        joint.velocity = qd_[at];
        joint.effort = torque_[at];
    }
    return return_type::OK;
}

return_type ForearmSystem::write(const rclcpp::Time &, const rclcpp::Duration &)
{
    for (const Joint &joint : joints_) torque_[static_cast<std::size_t>(joint.at)] = drive(joint);
    fa_stepper_hold(stepper_.get(), torque_.data());
    return return_type::OK;
}

} // namespace forearm_system

PLUGINLIB_EXPORT_CLASS(forearm_system::ForearmSystem, hardware_interface::SystemInterface)
