// Writes Internal.mo: the external object, the functions with their derivatives, and the frame at
// the tip.
#include "modelica_text.h"

#include <string.h>

// First arguments of every function.
static const char common[] =
    "    input Handle robot;\n"
    "    input Integer event \"Discrete updates so far, so that tools evaluate anew after one\";\n"
    "    input Real t;\n"
    "    input Real x[:] \"States\";\n";
static const char inputs[] = "    input Real u[:] \"Inputs\";\n";
static const char listed[] = "    input Integer list[:] \"Value references\";\n";

typedef struct function {
    const char *name, *about;
    bool        inputs, list;
    const char *result, *size; // the result's name and size
} function;

static const function functions[] = {
    {"derivatives", "Derivatives of the states", true, false, "dx", "size(x, 1)"},
    {"outputs", "Outputs that no input feeds through to", false, true, "y", "size(list, 1)"},
    {"through", "Outputs that follow from the inputs at once", true, true, "y", "size(list, 1)"},
};

static void put_include(FILE *out, const char *package)
{
    fprintf(out,
            "\n      annotation(Include=\"#include \\\"forearm_modelica.h\\\"\",\n"
            "        IncludeDirectory=\"modelica://%s/Resources/Include\", Library=\"dl\")",
            package);
}

static void put_call(FILE *out, const function *f, const char *package, bool derivative)
{
    fprintf(out, "    external \"C\" forearm_%s%s(robot, event, t, x, size(x, 1)%s%s%s, %s%s%s)",
            f->name, derivative ? "_der" : "", f->inputs ? ", u, size(u, 1)" : "",
            f->list ? ", list, size(list, 1)" : "",
            !derivative ? ""
            : f->inputs ? ", der_t, der_x, der_u"
                        : ", der_t, der_x",
            derivative ? "der_" : "", f->result, "");
    put_include(out, package);
    fputs(";\n", out);
}

static void put_function(FILE *out, const function *f, const char *package)
{
    fprintf(out,
            "\n  function %s \"%s\"\n    extends Modelica.Icons.Function;\n%s%s%s    output Real "
            "%s[%s];\n",
            f->name, f->about, common, f->inputs ? inputs : "", f->list ? listed : "", f->result,
            f->size);
    put_call(out, f, package, false);
    fprintf(out, "    annotation(derivative=%s_der);\n  end %s;\n", f->name, f->name);

    fprintf(out,
            "\n  function %s_der \"Directional derivative of %s\"\n    extends "
            "Modelica.Icons.Function;\n%s%s%s"
            "    input Real der_t;\n    input Real der_x[:];\n%s    output Real der_%s[%s];\n",
            f->name, f->name, common, f->inputs ? inputs : "", f->list ? listed : "",
            f->inputs ? "    input Real der_u[:];\n" : "", f->result, f->size);
    put_call(out, f, package, true);
    fprintf(out, "  end %s_der;\n", f->name);
}

static void put_handle(FILE *out, const char *package)
{
    fputs("  class Handle \"A robot in the library\"\n"
          "    extends ExternalObject;\n"
          "\n"
          "    function constructor\n"
          "      input String folder \"Resources of this package\";\n"
          "      input String identifier \"Of the library\";\n"
          "      input String token \"Of the robot\";\n"
          "      input String name \"Of the instance, for messages\";\n"
          "      input String kinds \"Of each parameter: r, i or b\";\n"
          "      input Real parameters[:];\n"
          "      input Integer references[:] \"Of the parameters\";\n"
          "      input Integer inputs[:] \"Value references, as are the next ones\";\n"
          "      input Integer toggles[:] \"Boolean inputs\";\n"
          "      input Integer states[:];\n"
          "      input Integer derivatives[:];\n"
          "      input Integer timeReference;\n"
          "      output Handle robot;\n"
          "      external \"C\" robot = forearm_open(folder, identifier, token, name, kinds, "
          "parameters, size(parameters, 1),\n"
          "        references, size(references, 1), inputs, size(inputs, 1), toggles, "
          "size(toggles, 1),\n"
          "        states, size(states, 1), derivatives, size(derivatives, 1), timeReference)",
          out);
    put_include(out, package);
    fputs(";\n"
          "    end constructor;\n"
          "\n"
          "    function destructor\n"
          "      input Handle robot;\n"
          "      external \"C\" forearm_close(robot)",
          out);
    put_include(out, package);
    fputs(";\n"
          "    end destructor;\n"
          "  end Handle;\n",
          out);
}

static void put_events(FILE *out, const char *package)
{
    fprintf(
        out,
        "\n  function indicators \"What changes its sign where something switches\"\n"
        "    extends Modelica.Icons.Function;\n%s%s    input Integer n;\n    output Real z[n];\n"
        "    external \"C\" forearm_indicators(robot, event, t, x, size(x, 1), u, size(u, 1), z, "
        "size(z, 1))",
        common, inputs);
    put_include(out, package);
    fputs(";\n  end indicators;\n"
          "\n  impure function update \"An event: what is discrete settles\"\n"
          "    extends Modelica.Icons.Function;\n"
          "    input Handle robot;\n"
          "    input Real t;\n"
          "    input Real x[:] \"States\";\n"
          "    input Integer toggles[:] \"Boolean inputs\";\n"
          "    input String kinds \"Of each discrete output: r, i or b\";\n"
          "    input Integer list[:] \"Their value references\";\n"
          "    output Integer event \"Discrete updates so far\";\n"
          "    output Real newStates[size(x, 1)];\n"
          "    output Real next \"When the next event is due\";\n"
          "    output Real flags[size(list, 1)] \"Discrete outputs\";\n"
          "    external \"C\" event = forearm_update(robot, t, x, size(x, 1), toggles, "
          "size(toggles, 1), kinds,\n"
          "      list, size(list, 1), newStates, next, flags)",
          out);
    put_include(out, package);
    fputs(";\n  end update;\n", out);
}

static const char tip[] =
    "\n  model TipFrame \"The tip as a multibody frame that the robot moves\"\n"
    "    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b;\n"
    "    Modelica.Blocks.Interfaces.RealInput place[3] \"Position\";\n"
    "    Modelica.Blocks.Interfaces.RealInput turn[4] \"Quaternion, the real part last\";\n"
    "    Modelica.Blocks.Interfaces.RealInput spin[3] \"Angular velocity, axes of the world\";\n"
    "    Modelica.Blocks.Interfaces.RealOutput wrench[6] \"Force and torque on the arm, axes of "
    "the world\";\n"
    "  equation\n"
    "    Connections.root(frame_b.R);\n"
    "    frame_b.r_0 = place;\n"
    "    frame_b.R = Modelica.Mechanics.MultiBody.Frames.from_Q(turn,\n"
    "      Modelica.Mechanics.MultiBody.Frames.Quaternions.resolve2(turn, spin));\n"
    "    wrench[1:3] = Modelica.Mechanics.MultiBody.Frames.resolve1(frame_b.R, frame_b.f);\n"
    "    wrench[4:6] = Modelica.Mechanics.MultiBody.Frames.resolve1(frame_b.R, frame_b.t);\n"
    "  end TipFrame;\n";

void fa_modelica_put_internal(FILE *out, const fa_modelica *m)
{
    fprintf(out,
            "within %s;\npackage Internal \"What the model Robot is made of\"\n"
            "  extends Modelica.Icons.InternalPackage;\n\n",
            m->package);
    put_handle(out, m->package);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        put_function(out, &functions[i], m->package);
    put_events(out, m->package);
    if (m->tip != FA_NO_ROW) fputs(tip, out);
    fputs("end Internal;\n", out);
}
