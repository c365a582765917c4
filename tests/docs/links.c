// The program of docs/arrays.md: makes an instance of a snake's FMU, and gives it a hundred links.
// test_docs.py links it with the FMU's library and runs it with the FMU's token and resources.
#include "fmi3Functions.h"

#include <stdio.h>

static void log_message(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                        fmi3String message)
{
    (void)environment, (void)status, (void)category;
    fprintf(stderr, "%s\n", message);
}

int main(int n, char *argument[])
{
    if (n != 3) return 1;
    const char *token = argument[1], *resources = argument[2];

    fmi3Instance snake =
        fmi3InstantiateCoSimulation("snake", token, resources, fmi3False, fmi3True, fmi3False,
                                    fmi3False, NULL, 0, NULL, log_message, NULL);
    fmi3ValueReference vr = 1; // links is the first variable
    fmi3UInt64         links = 100;
    fmi3EnterConfigurationMode(snake);
    fmi3SetUInt64(snake, &vr, 1, &links, 1);
    fmi3ExitConfigurationMode(snake);
    // From here on every array has 100 elements. Set masses, angles, torques …
    fmi3EnterInitializationMode(snake, fmi3False, 0, 0, fmi3False, 0);

    fmi3UInt64 now = 0;
    fmi3Status status = fmi3GetUInt64(snake, &vr, 1, &now, 1);
    fmi3FreeInstance(snake);
    printf("%d links\n", (int)now);
    return status != fmi3OK || now != links;
}
