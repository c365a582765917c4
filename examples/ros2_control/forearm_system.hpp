// An arm of Forearm's as hardware of ros2_control: states come from fa_stepper, commands are
// efforts, or positions and speeds that a drive at each joint follows. read and write allocate
// nothing.
#ifndef FOREARM_SYSTEM_HPP
#define FOREARM_SYSTEM_HPP

#include <forearm/forearm.h>

#include <hardware_interface/system_interface.hpp>
#include <memory>
#include <string>
#include <vector>

namespace forearm_system
{

class ForearmSystem : public hardware_interface::SystemInterface
{
  public:
    using CallbackReturn = hardware_interface::CallbackReturn;
    using Names = std::vector<std::string>;

    CallbackReturn on_init(const hardware_interface::HardwareInfo &info) override;
    CallbackReturn on_configure(const rclcpp_lifecycle::State &before) override;
    CallbackReturn on_activate(const rclcpp_lifecycle::State &before) override;
    CallbackReturn on_cleanup(const rclcpp_lifecycle::State &before) override;

    std::vector<hardware_interface::StateInterface>   export_state_interfaces() override;
    std::vector<hardware_interface::CommandInterface> export_command_interfaces() override;

    hardware_interface::return_type perform_command_mode_switch(const Names &start,
                                                                const Names &stop) override;
    hardware_interface::return_type read(const rclcpp::Time     &time,
                                         const rclcpp::Duration &period) override;
    hardware_interface::return_type write(const rclcpp::Time     &time,
                                          const rclcpp::Duration &period) override;

  private:
    enum class Mode { none, position, velocity, effort };

    // A joint of <ros2_control>, and its place among the robot's.
    struct Joint {
        std::string name;
        int         at = 0;
        double      kp = 0, kd = 0, limit = 0, begin = 0;
        double      position = 0, velocity = 0, effort = 0; // states
        double      wanted[4] = {0, 0, 0, 0};               // commands, by mode
        Mode        mode = Mode::none;
        Names       state_names, command_names;
    };

    struct Release {
        void operator()(fa_robot *robot) const
        {
            fa_robot_free(robot);
        }
        void operator()(fa_stepper *stepper) const
        {
            fa_stepper_free(stepper);
        }
    };

    static Mode    mode_of(const std::string &name);
    bool           take_joint(const hardware_interface::ComponentInfo &from);
    CallbackReturn load();
    static double  drive(const Joint &joint);

    std::unique_ptr<fa_robot, Release>   robot_;
    std::unique_ptr<fa_stepper, Release> stepper_;
    std::vector<Joint>                   joints_;
    std::vector<double>                  q_, qd_, torque_;
    std::string                          path_, text_;
    fa_step_method                       method_ = FA_STEP_RK4;
    double                               step_ = 1e-3, time_ = 0; // [s]
};

} // namespace forearm_system

#endif
