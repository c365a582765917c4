// Declarations of ros2_control as far as examples/ros2_control uses them, written for this test:
// what is compiled and run here has not met the real ones.
#ifndef STUB_SYSTEM_INTERFACE_HPP
#define STUB_SYSTEM_INTERFACE_HPP

#include <string>
#include <unordered_map>
#include <vector>

namespace rclcpp
{
class Time
{
};
class Duration
{
  public:
    explicit Duration(double seconds) : seconds_(seconds)
    {
    }
    double seconds() const
    {
        return seconds_;
    }

  private:
    double seconds_;
};
} // namespace rclcpp

namespace rclcpp_lifecycle
{
class State
{
};
} // namespace rclcpp_lifecycle

namespace hardware_interface
{

enum class CallbackReturn { SUCCESS, FAILURE, ERROR };
enum class return_type { OK, ERROR };

struct InterfaceInfo {
    std::string name;
};

struct ComponentInfo {
    std::string                                  name;
    std::vector<InterfaceInfo>                   command_interfaces, state_interfaces;
    std::unordered_map<std::string, std::string> parameters;
};

struct HardwareInfo {
    std::string                                  name;
    std::unordered_map<std::string, std::string> hardware_parameters;
    std::vector<ComponentInfo>                   joints;
    std::string                                  original_xml;
};

class StateInterface
{
  public:
    StateInterface(const std::string &prefix, const std::string &name, double *value)
        : name_(prefix + "/" + name), value_(value)
    {
    }
    const std::string &get_name() const
    {
        return name_;
    }
    double get_value() const
    {
        return *value_;
    }
    void set_value(double value)
    {
        *value_ = value;
    }

  private:
    std::string name_;
    double     *value_;
};
using CommandInterface = StateInterface;

class SystemInterface
{
  public:
    virtual ~SystemInterface() = default;
    virtual CallbackReturn on_init(const HardwareInfo &info)
    {
        info_ = info;
        return CallbackReturn::SUCCESS;
    }
    virtual CallbackReturn                on_configure(const rclcpp_lifecycle::State &) = 0;
    virtual CallbackReturn                on_activate(const rclcpp_lifecycle::State &) = 0;
    virtual CallbackReturn                on_cleanup(const rclcpp_lifecycle::State &) = 0;
    virtual std::vector<StateInterface>   export_state_interfaces() = 0;
    virtual std::vector<CommandInterface> export_command_interfaces() = 0;
    virtual return_type perform_command_mode_switch(const std::vector<std::string> &start,
                                                    const std::vector<std::string> &stop) = 0;
    virtual return_type read(const rclcpp::Time &, const rclcpp::Duration &) = 0;
    virtual return_type write(const rclcpp::Time &, const rclcpp::Duration &) = 0;

  protected:
    HardwareInfo info_;
};

} // namespace hardware_interface

#endif
