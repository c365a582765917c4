"""An FMU that is not Forearm's: FMI 2.0, Co-Simulation alone, made here of a few lines of C."""

import pathlib
import subprocess
import zipfile

import fmpy

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="tank" guid="{tank}" generationTool="by hand" numberOfEventIndicators="0">
<CoSimulation modelIdentifier="tank" canHandleVariableCommunicationStepSize="true"/>
<LogCategories><Category name="logStatusError"/></LogCategories>
<ModelVariables>
<ScalarVariable name="level" valueReference="0" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
<ScalarVariable name="start level" valueReference="1" causality="parameter" variability="fixed"><Real start="1"/></ScalarVariable>
<ScalarVariable name="valves" valueReference="0" causality="parameter" variability="fixed"><Integer start="1"/></ScalarVariable>
<ScalarVariable name="open" valueReference="0" causality="parameter" variability="fixed"><Boolean start="true"/></ScalarVariable>
<ScalarVariable name="label" valueReference="0" causality="parameter" variability="fixed"><String start="x"/></ScalarVariable>
<ScalarVariable name="status" valueReference="2" causality="output" variability="continuous" initial="calculated"><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index="1"/><Unknown index="6"/></Outputs>
<InitialUnknowns><Unknown index="1"/><Unknown index="6"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
"""

# A tank runs empty through its valves: d level/dt = -valves level. A negative level is refused with a sentence, a
# level of 13 m ends the process.
PROGRAM = r"""
#include <math.h>
#include <stdlib.h>
#include "fmi2Functions.h"

typedef struct { fmi2Real real[3]; fmi2Integer valves; fmi2Boolean open, logging; const fmi2CallbackFunctions *host; } Tank;

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }
fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String names[])
{
    ((Tank *)c)->logging = on;
    return fmi2OK;
}
fmi2Status fmi2Reset(fmi2Component c)
{
    Tank *t = c;
    t->real[0] = t->real[2] = 0;
    t->real[1] = t->valves = t->open = 1;
    return fmi2OK;
}
fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String place,
                              const fmi2CallbackFunctions *host, fmi2Boolean visible, fmi2Boolean logging)
{
    Tank *t = calloc(1, sizeof *t);
    t->host = host;
    t->logging = logging;
    fmi2Reset(t);
    return t;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean a, fmi2Real b, fmi2Real d, fmi2Boolean e, fmi2Real f) { return fmi2OK; }
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    Tank *t = c;
    if (t->real[1] == 13) abort();
    if (t->real[1] < 0 && t->logging)
        t->host->logger(t->host->componentEnvironment, "tank", fmi2Error, "logStatusError", "a tank cannot hold %g m", t->real[1]);
    t->real[0] = t->real[1];
    return t->real[1] < 0 ? fmi2Error : fmi2OK;
}
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[])
{
    for (size_t i = 0; i < n; i++) value[i] = ((Tank *)c)->real[vr[i]];
    return fmi2OK;
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[])
{
    for (size_t i = 0; i < n; i++) ((Tank *)c)->real[vr[i]] = value[i];
    return fmi2OK;
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Integer value[]) { return fmi2Error; }
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Boolean value[]) { return fmi2Error; }
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2String value[]) { return fmi2Error; }
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer value[])
{
    if (n) ((Tank *)c)->valves = value[0];
    return fmi2OK;
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Boolean value[])
{
    if (n) ((Tank *)c)->open = value[0];
    return fmi2OK;
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2String value[]) { return fmi2Error; }
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t0, fmi2Real h, fmi2Boolean keep)
{
    Tank *t = c;
    if (t->open) t->real[0] *= exp(-t->valves * h);
    return fmi2OK;
}
// What FMI 2.0 wants to be there, and nobody calls.
#define ABSENT(name, ...) fmi2Status name(fmi2Component c, ##__VA_ARGS__) { return fmi2Error; }
ABSENT(fmi2CancelStep)
ABSENT(fmi2GetFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SetFMUstate, fmi2FMUstate s)
ABSENT(fmi2FreeFMUstate, fmi2FMUstate *s)
ABSENT(fmi2SerializedFMUstateSize, fmi2FMUstate s, size_t *n)
ABSENT(fmi2SerializeFMUstate, fmi2FMUstate s, fmi2Byte b[], size_t n)
ABSENT(fmi2DeSerializeFMUstate, const fmi2Byte b[], size_t n, fmi2FMUstate *s)
ABSENT(fmi2GetDirectionalDerivative, const fmi2ValueReference u[], size_t n, const fmi2ValueReference k[], size_t m,
       const fmi2Real dk[], fmi2Real du[])
ABSENT(fmi2SetRealInputDerivatives, const fmi2ValueReference v[], size_t n, const fmi2Integer o[], const fmi2Real x[])
ABSENT(fmi2GetRealOutputDerivatives, const fmi2ValueReference v[], size_t n, const fmi2Integer o[], fmi2Real x[])
ABSENT(fmi2GetStatus, const fmi2StatusKind k, fmi2Status *s)
ABSENT(fmi2GetRealStatus, const fmi2StatusKind k, fmi2Real *s)
ABSENT(fmi2GetIntegerStatus, const fmi2StatusKind k, fmi2Integer *s)
ABSENT(fmi2GetBooleanStatus, const fmi2StatusKind k, fmi2Boolean *s)
ABSENT(fmi2GetStringStatus, const fmi2StatusKind k, fmi2String *s)
"""


def make(folder: pathlib.Path) -> pathlib.Path:
    """tank.fmu in the folder."""
    source, library = folder / "tank.c", folder / "tank.so"
    source.write_text(PROGRAM)
    headers = pathlib.Path(fmpy.__file__).parent / "c-code"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", f"-I{headers}", "-o", library, source, "-lm"], check=True)
    with zipfile.ZipFile(folder / "tank.fmu", "w") as archive:
        archive.writestr("modelDescription.xml", DESCRIPTION)
        archive.write(library, "binaries/linux64/tank.so")
    return folder / "tank.fmu"
