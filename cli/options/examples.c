// The examples of each command that its help shows: they run as they are printed, one after the
// other, in the folder of the project.
#include "options.h"

const char *const fa_examples[FA_COMMAND_COUNT][FA_EXAMPLES] = {
    [FA_COMMAND_EXPORT] =
        {"forearm export resources/robots/puma560.xml -o puma560.fmu",
         "forearm export resources/robots/patu655.xml --fmi 2 --platforms native -o crane.fmu",
         "forearm export examples/scara/scara.urdf --name scara --platforms native"},
    [FA_COMMAND_CHECK] = {"forearm check examples/scara/scara.urdf",
                          "forearm check resources/robots/puma560.xml --json",
                          "forearm check examples/excavator/excavator.urdf --actuators "
                          "examples/excavator/hydraulics.xml"},
    [FA_COMMAND_EXPAND] = {"forearm expand examples/scara/scara.urdf",
                           "forearm expand examples/scara/scara.urdf -o plain.urdf",
                           "forearm expand examples/gripper/gripper.urdf -o gripper.urdf"},
    [FA_COMMAND_CONVERT] = {"forearm convert examples/scara/scara.urdf -o scara.mjcf",
                            "forearm convert resources/robots/puma560.xml -o puma560.urdf",
                            "forearm convert examples/scara/scara.urdf -o scara.xml"},
    [FA_COMMAND_INSPECT] = {"forearm inspect resources/robots/puma560.xml",
                            "forearm inspect examples/scara/scara.urdf --json",
                            "forearm inspect resources/robots/patu655.xml --outputs energy"},
    [FA_COMMAND_FORWARD] =
        {"forearm forward examples/scara/scara.urdf --in examples/scara/states.csv",
         "forearm forward examples/scara/scara.urdf --in examples/scara/states.csv --method "
         "composite-body",
         "printf 'payload.mass\\n0\\n4\\n' | forearm forward resources/robots/puma560.xml --in -"},
    [FA_COMMAND_INVERSE] =
        {"forearm inverse resources/robots/patu655.xml --in examples/inverse/lift.csv",
         "forearm inverse resources/robots/patu655.xml --in examples/inverse/lift.csv --cylinders",
         "printf 'payload.mass\\n0\\n4\\n' | forearm inverse resources/robots/puma560.xml --in -"},
    [FA_COMMAND_SIMULATE] = {"forearm simulate resources/robots/puma560.xml --stop 1 -o fall.csv",
                             "forearm simulate resources/robots/scara.xml --input "
                             "examples/scara/push.csv --stop 3 --plot push.svg",
                             "forearm simulate resources/robots/patu655.xml --set payload.mass=200 "
                             "--stop 1 --html crane.html"},
    [FA_COMMAND_VIEW] = {"forearm view resources/robots/puma560.xml -o puma560.html",
                         "forearm view examples/scara/scara.urdf -o scara.html",
                         "forearm view examples/excavator/excavator.urdf --actuators "
                         "examples/excavator/hydraulics.xml -o excavator.html"},
    [FA_COMMAND_RENDER] =
        {"forearm render resources/robots/puma560.xml -o puma560.png",
         "forearm render resources/robots/puma560.xml -o fall.svg --at 0.8 --view side --dark",
         "forearm render resources/robots/serpenoid.xml -o snake.png --at 4 --size 640x400"},
    [FA_COMMAND_RUNS] =
        {"printf 'payload.mass\\n0\\n2\\n4\\n' | forearm runs resources/robots/puma560.xml --in - "
         "--stop 1",
         "printf 'payload.mass\\n0\\n2\\n4\\n' | forearm runs resources/robots/puma560.xml --in - "
         "--stop 1 --keep max --variables 'tip.*'",
         "printf 'gravity.z\\n-9.81\\n-1.62\\n' | forearm runs resources/robots/puma560.xml --in - "
         "--stop 1 -o runs.csv"},
    [FA_COMMAND_GAIT] = {"forearm gait resources/robots/serpenoid.xml",
                         "forearm gait resources/robots/serpenoid.xml --periods 5 --json",
                         "printf 'gait.amplitude\\n0.3\\n0.5\\n' | forearm gait "
                         "resources/robots/serpenoid.xml --in -"},
    [FA_COMMAND_SIM] = {"echo help | forearm sim",
                        "echo show | forearm sim resources/robots/puma560.xml",
                        "echo inverse_arm | forearm sim resources/robots/scara.xml"},
    [FA_COMMAND_LINEARISE] =
        {"forearm linearise resources/robots/puma560.xml",
         "forearm linearise resources/robots/double_pendulum.xml --equilibrium torques",
         "forearm linearise resources/robots/patu655.xml --json -o crane.json"},
    [FA_COMMAND_IDENTIFY] =
        {"forearm excite examples/scara/scara.urdf --time 5 -o motion.csv",
         "forearm inverse examples/scara/scara.urdf --in motion.csv | cut -d, -f2- | paste -d, "
         "motion.csv - > log.csv",
         "forearm identify examples/scara/scara.urdf --log log.csv -o found.urdf"},
    [FA_COMMAND_EXCITE] =
        {"forearm excite examples/scara/scara.urdf -o motion.csv",
         "forearm excite examples/scara/scara.urdf --time 5 --seed 7 -o motion.csv",
         "forearm excite resources/robots/double_pendulum.xml --harmonics 3 --acceleration 2 -o "
         "motion.csv"},
    [FA_COMMAND_METHODS] = {"forearm methods", "forearm methods > methods.txt",
                            "forearm help methods"},
    [FA_COMMAND_PARTS] = {"forearm parts resources/parts/cmu_dd_arm.xml",
                          "forearm parts resources/parts/cmu_dd_arm.xml --json",
                          "forearm parts resources/parts/cmu_dd_arm.xml --arm "
                          "resources/robots/cmu_dd_arm.xml -o arm.xml"},
    [FA_COMMAND_COMPARE] =
        {"forearm compare resources/robots/puma560.xml --untimed",
         "forearm compare resources/robots/puma560.xml --untimed --samples 10 --method "
         "articulated-body",
         "forearm compare resources/robots/tavakoli_nia.xml --untimed --csv snake.csv"},
    [FA_COMMAND_COMPLETION] = {"source <(forearm completion bash)",
                               "forearm completion zsh > _forearm",
                               "forearm completion fish > forearm.fish"},
    [FA_COMMAND_HELP] = {"forearm help render", "forearm render --help",
                         "forearm help render --man > forearm-render.1"},
};
