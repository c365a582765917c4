// Writes Robot.mo: parameters in tabs, connectors, and the equations between them and the library.
//
// A state's derivative is written explicitly if it is another state, der(position) = velocity, so
// that tools see the second-order system. Outputs are functions of time and states, and of inputs
// only with direct feedthrough. Both have derivatives.
#include "modelica_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const fa_variable *row_of(const fa_modelica *m, int row)
{
    return &m->table.row[row];
}

// Returns true for a signal connector: the variables of hydraulics.
static bool is_signal(const fa_variable *v)
{
    static const char *const of_all[] = {"supply.pressure", "supply.pressure_rate", "tank.pressure",
                                         "pump.flow"};
    for (size_t i = 0; i < sizeof of_all / sizeof *of_all; i++)
        if (fa_variable_is(v, FA_OF_ROBOT, of_all[i])) return true;
    return v->key.owner == FA_OF_CYLINDER;
}

// -------------------------------------------------------------------------------------- parameters

// Writes tab="Joint elbow": kind and name of the parameter's owner.
static void put_tab(FILE *out, const fa_variable *v)
{
    static const char *const kinds[FA_OWNER_COUNT] = {
        [FA_OF_JOINT] = "Joint",     [FA_OF_LINK] = "Link",          [FA_OF_CYLINDER] = "Cylinder",
        [FA_OF_WHEEL] = "Wheel",     [FA_OF_PAYLOAD] = "Payload",    [FA_OF_LOOP] = "Loop",
        [FA_OF_CONTACT] = "Contact", [FA_OF_SPRING] = "Line spring", [FA_OF_GROUND] = "Ground"};
    static const char gait[] = "gait.";
    const fa_slice    part = fa_key_part(&v->key, v->name);
    const fa_slice    quantity = fa_key_quantity(&v->key, v->name);
    const char       *kind = kinds[v->key.owner];
    if (quantity.length > (int)sizeof gait && memcmp(quantity.text, gait, sizeof gait - 1) == 0)
        kind = "Gait";
    fprintf(out, "tab=\"%s%s%.*s\"", kind ? kind : "General", kind && part.length > 0 ? " " : "",
            kind ? part.length : 0, part.text);
}

static void put_parameter(FILE *out, const fa_variable *v)
{
    static const char *const type[] = {
        [FA_REAL] = "Real", [FA_INT32] = "Integer", [FA_BOOLEAN] = "Boolean"};
    fprintf(out, "  parameter %s ", type[v->type]);
    fa_modelica_put_name(out, v->name);
    if (v->type != FA_BOOLEAN) {
        const char *before = "(";
        if (v->unit != FA_UNIT_NONE) fa_modelica_put_unit(out, v->unit, before), before = ", ";
        if (isfinite(v->minimum)) {
            fprintf(out, "%smin=", before), before = ", ";
            fa_modelica_put_number(out, v->minimum);
        }
        if (isfinite(v->maximum)) {
            fprintf(out, "%smax=", before), before = ", ";
            fa_modelica_put_number(out, v->maximum);
        }
        if (*before == ',') fputc(')', out);
    }
    fputs(" = ", out);
    if (v->type == FA_BOOLEAN)
        fputs(v->start != 0 ? "true" : "false", out);
    else
        fa_modelica_put_number(out, v->start);
    fputs("\n    ", out);
    fa_modelica_put_text(out, v->description);
    fputs("\n    annotation(Dialog(", out);
    put_tab(out, v);
    fputs("));\n", out);
}

static void put_parameters(FILE *out, const fa_modelica *m)
{
    for (int row = FA_COMMON_ROWS; row < m->table.first[FA_INPUT]; row++)
        put_parameter(out, row_of(m, row));
    fputs("  parameter Boolean fixInitial = true\n"
          "    \"The robot starts from its initial positions and velocities; false: from what the "
          "rest of the model says\"\n"
          "    annotation(Dialog(tab=\"General\"), choices(checkBox=true));\n",
          out);
    if (m->tip != FA_NO_ROW)
        fputs("  parameter Boolean useTipFrame = false \"A multibody frame at the tip, for "
              "springs, dampers and sensors\"\n"
              "    annotation(Dialog(tab=\"General\", group=\"Tip\"), choices(checkBox=true));\n"
              "  parameter Boolean useTipWrench = false \"An input for force and torque at the "
              "tip, axes of the world\"\n"
              "    annotation(Dialog(tab=\"General\", group=\"Tip\"), choices(checkBox=true));\n",
              out);
}

// -------------------------------------------------------------------------------------- connectors

static void put_place(FILE *out, int x, int number, int of)
{
    const int y = of == 1 ? 0 : 90 - 180 * number / (of - 1);
    fprintf(out, "\n    annotation(Placement(transformation(extent={{%d,%d},{%d,%d}})));\n", x - 10,
            y - 10, x + 10, y + 10);
}

static void put_connectors(FILE *out, const fa_modelica *m)
{
    const int *first = m->table.first;
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *f = &m->flange[i];
        fprintf(out, "  Modelica.Mechanics.%s.Interfaces.Flange_a flange_%.*s \"Joint %.*s\"",
                f->turns ? "Rotational" : "Translational", f->length, f->joint, f->length,
                f->joint);
        put_place(out, 100, i, m->n_flanges);
    }
    int n = 0, number = 0;
    for (int row = first[FA_INPUT]; row < first[FA_STATE]; row++)
        n += !fa_modelica_flange(m, row) && !fa_modelica_is_tip_load(m, row);
    for (int row = first[FA_INPUT]; row < first[FA_STATE]; row++) {
        const fa_variable *v = row_of(m, row);
        if (fa_modelica_flange(m, row) || fa_modelica_is_tip_load(m, row)) continue;
        fprintf(out, "  Modelica.Blocks.Interfaces.%sInput ",
                v->type == FA_BOOLEAN ? "Boolean" : "Real");
        fa_modelica_put_name(out, v->name);
        if (v->type == FA_REAL) {
            fputs("(start=", out);
            fa_modelica_put_number(out, v->start);
            fa_modelica_put_unit(out, v->unit, ", ");
            fputc(')', out);
        }
        fputc(' ', out);
        fa_modelica_put_text(out, v->description);
        put_place(out, -110, number++, n);
    }
    if (m->tip != FA_NO_ROW)
        fputs("  Modelica.Mechanics.MultiBody.Interfaces.Frame_b tip_frame if useTipFrame \"The "
              "tip\"\n"
              "    annotation(Placement(transformation(extent={{-16,-16},{16,16}}, "
              "origin={40,-100}, rotation=90)));\n"
              "  Modelica.Blocks.Interfaces.RealInput tip_wrench[6] if useTipWrench\n"
              "    \"Force and torque on the arm at the tip, axes of the world\"\n"
              "    annotation(Placement(transformation(extent={{-10,-10},{10,10}}, "
              "origin={-40,-110}, rotation=90)));\n",
              out);
}

// --------------------------------------------------------------------------------------- variables

static void put_variable(FILE *out, const fa_modelica *m, int row, const char *attribute,
                         int side[2])
{
    const fa_variable       *v = row_of(m, row);
    const bool               signal = v->type == FA_REAL && is_signal(v);
    static const char *const type[] = {
        [FA_REAL] = "Real", [FA_INT32] = "Integer", [FA_BOOLEAN] = "Boolean"};
    fprintf(out, "  %s ", signal ? "Modelica.Blocks.Interfaces.RealOutput" : type[v->type]);
    fa_modelica_put_name(out, v->name);
    if (v->type == FA_REAL && (*attribute || v->unit != FA_UNIT_NONE)) {
        fprintf(out, "(%s", attribute);
        fa_modelica_put_unit(out, v->unit, *attribute ? ", " : "");
        fputc(')', out);
    }
    fputc(' ', out);
    fa_modelica_put_text(out, v->description);
    if (signal)
        put_place(out, 110, side[0]++, side[1]);
    else
        fputs(";\n", out);
}

static void put_variables(FILE *out, const fa_modelica *m)
{
    const int *first = m->table.first;
    int        side[2] = {0, 0};
    for (int row = first[FA_STATE]; row < first[FA_INDICATOR]; row++)
        side[1] += is_signal(row_of(m, row));
    for (int row = first[FA_STATE]; row < first[FA_OUTPUT]; row++)
        put_variable(out, m, row,
                     row_of(m, row)->jumps ? "stateSelect=StateSelect.always"
                                           : "stateSelect=StateSelect.prefer",
                     side);
    for (int row = first[FA_OUTPUT]; row < first[FA_INDICATOR]; row++)
        put_variable(out, m, row, "", side);
}

// ---- protected section

typedef struct lists {
    int *inputs, *toggles, *states, *derivatives, *plain, *through, *flags, *parameters;
    int  n_inputs, n_toggles, n_states, n_plain, n_through, n_flags, n_parameters;
} lists;

static bool is_derivative(const fa_modelica *m, int row)
{
    for (int s = m->table.first[FA_STATE]; s < m->table.first[FA_OUTPUT]; s++)
        if (row_of(m, s)->derivative == row) return true;
    return false;
}

// Collects value references by their use in the model.
static bool make_lists(const fa_modelica *m, lists *l)
{
    const int *first = m->table.first, n = m->table.n + 1;
    int       *block = calloc(8 * (size_t)n, sizeof *block);
    *l = (lists){block,
                 block + n,
                 block + 2 * n,
                 block + 3 * n,
                 block + 4 * n,
                 block + 5 * n,
                 block + 6 * n,
                 block + 7 * n,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0};
    if (!block) return false;
    for (int row = FA_COMMON_ROWS; row < first[FA_INPUT]; row++)
        l->parameters[l->n_parameters++] = row + 1;
    for (int row = first[FA_INPUT]; row < first[FA_STATE]; row++)
        if (row_of(m, row)->type == FA_BOOLEAN)
            l->toggles[l->n_toggles++] = row + 1;
        else
            l->inputs[l->n_inputs++] = row + 1;
    for (int row = first[FA_STATE]; row < first[FA_OUTPUT]; row++) {
        l->derivatives[l->n_states] = row_of(m, row)->derivative + 1;
        l->states[l->n_states++] = row + 1;
    }
    for (int row = first[FA_OUTPUT]; row < first[FA_INDICATOR]; row++) {
        const fa_variable *v = row_of(m, row);
        if (v->discrete || v->type != FA_REAL)
            l->flags[l->n_flags++] = row + 1;
        else if (is_derivative(m, row))
            continue;
        else if (fa_modelica_feeds_through(m, row))
            l->through[l->n_through++] = row + 1;
        else
            l->plain[l->n_plain++] = row + 1;
    }
    return true;
}

static void put_kinds(FILE *out, const fa_modelica *m, const int list[], int n)
{
    static const char sign[] = {[FA_REAL] = 'r', [FA_INT32] = 'i', [FA_BOOLEAN] = 'b'};
    fputc('"', out);
    for (int i = 0; i < n; i++) fputc(sign[row_of(m, list[i] - 1)->type], out);
    fputc('"', out);
}

// Writes {a, b, c} with the variables of these references, Boolean ones as 0 and 1.
static void put_values(FILE *out, const fa_modelica *m, const int list[], int n, const char *none)
{
    if (n == 0) fputs(none, out);
    for (int i = 0; i < n; i++) {
        const fa_variable *v = row_of(m, list[i] - 1);
        fputs(i == 0 ? "{" : ",\n      ", out);
        if (v->type == FA_BOOLEAN) fputs("if ", out);
        fa_modelica_put_name(out, v->name);
        if (v->type == FA_BOOLEAN) fputs(" then 1 else 0", out);
        if (i == n - 1) fputc('}', out);
    }
}

static void put_handle(FILE *out, const fa_modelica *m, const lists *l)
{
    fprintf(out,
            "  Internal.Handle robot_handle = Internal.Handle(\n"
            "      Modelica.Utilities.Files.loadResource(\"modelica://%s/Resources\"), \"%s\",\n   "
            "   \"%s\", getInstanceName(), ",
            m->package, m->identifier, m->token);
    put_kinds(out, m, l->parameters, l->n_parameters);
    fputs(",\n      ", out);
    put_values(out, m, l->parameters, l->n_parameters, "fill(0.0, 0)");
    const int *const list[] = {l->parameters, l->inputs, l->toggles, l->states, l->derivatives};
    const int        n[] = {l->n_parameters, l->n_inputs, l->n_toggles, l->n_states, l->n_states};
    for (int i = 0; i < 5; i++) {
        fputs(",\n      ", out);
        fa_modelica_put_list(out, list[i], n[i]);
    }
    fprintf(out, ", %d)\n    \"The robot in the library\";\n", m->table.first[FA_TIME] + 1);
}

static void put_protected(FILE *out, const fa_modelica *m, const lists *l)
{
    fputs("protected\n", out);
    put_handle(out, m, l);
    fprintf(out,
            "  Real robot_x[%d] \"States\";\n"
            "  Real robot_dx[%d] \"Their derivatives\";\n"
            "  Real robot_u[%d] \"Inputs\";\n",
            l->n_states, l->n_states, l->n_inputs);
    if (l->n_plain > 0)
        fprintf(out, "  Real robot_y[%d] \"Outputs without feed-through\";\n", l->n_plain);
    if (l->n_through > 0)
        fprintf(out, "  Real robot_through[%d] \"Outputs with feed-through\";\n", l->n_through);
    if (m->switches) {
        const int indicators = fa_variables_count(&m->table, FA_INDICATOR);
        fprintf(out,
                "  Integer robot_event \"Discrete updates so far\";\n"
                "  discrete Real robot_new[%d] \"States after the last of them\";\n"
                "  discrete Real robot_next(unit=\"s\") \"When the next one is due\";\n"
                "  discrete Real robot_flags[%d] \"Discrete outputs\";\n",
                l->n_states, l->n_flags);
        if (indicators > 0)
            fprintf(out,
                    "  Real robot_indicator[%d] \"Event indicators\";\n"
                    "  Boolean robot_above[%d] \"They are above zero\";\n",
                    indicators, indicators);
    } else {
        fputs("  constant Integer robot_event = 0 \"Discrete updates: nothing switches\";\n", out);
    }
    if (m->tip == FA_NO_ROW) return;
    fputs("  Internal.TipFrame tip_adaptor if useTipFrame;\n"
          "  Modelica.Blocks.Sources.Constant tip_no_frame[6](each k=0) if not useTipFrame;\n"
          "  Modelica.Blocks.Sources.Constant tip_no_wrench[6](each k=0) if not useTipWrench;\n"
          "  Modelica.Blocks.Interfaces.RealInput tip_from_frame[6] \"Force and torque of the "
          "frame\";\n"
          "  Modelica.Blocks.Interfaces.RealInput tip_from_wrench[6] \"Force and torque of the "
          "input\";\n"
          "  Modelica.Blocks.Sources.RealExpression tip_place[3](y={tip_x, tip_y, tip_z}) if "
          "useTipFrame;\n"
          "  Modelica.Blocks.Sources.RealExpression tip_turn[4](y={tip_quaternion_x, "
          "tip_quaternion_y,\n"
          "      tip_quaternion_z, tip_quaternion_w}) if useTipFrame;\n"
          "  Modelica.Blocks.Sources.RealExpression tip_spin[3](y={tip_angular_velocity_x,\n"
          "      tip_angular_velocity_y, tip_angular_velocity_z}) if useTipFrame;\n",
          out);
}

// --------------------------------------------------------------------------------------- equations

// Normalises a quaternion's four start parameters.
static void put_length(FILE *out, const fa_modelica *m, int state)
{
    const fa_variable *v = row_of(m, state);
    if (fa_along_family((fa_along)v->key.axis) != 4) return;
    const int first = state - (v->key.axis - (int)FA_ALONG_QW);
    for (int i = 0; i < 4; i++) {
        fputs(i == 0 ? " / Modelica.Math.Vectors.length({" : ", ", out);
        fa_modelica_put_name(out, row_of(m, row_of(m, first + i)->initial)->name);
    }
    fputs("})", out);
}

static void put_starts(FILE *out, const fa_modelica *m, const lists *l)
{
    fputs("initial equation\n  if fixInitial then\n", out);
    for (int i = 0; i < l->n_states; i++) {
        const fa_variable *v = row_of(m, l->states[i] - 1);
        fputs("    ", out);
        fa_modelica_put_name(out, v->name);
        fputs(" = ", out);
        if (v->initial == FA_NO_ROW)
            fa_modelica_put_number(out, 0);
        else
            fa_modelica_put_name(out, row_of(m, v->initial)->name);
        if (v->initial != FA_NO_ROW) put_length(out, m, l->states[i] - 1);
        if (v->initial_rate != FA_NO_ROW) {
            fputs(" + time * ", out);
            fa_modelica_put_name(out, row_of(m, v->initial_rate)->name);
        }
        fputs(";\n", out);
    }
    fputs("  end if;\n", out);
}

static void put_update(FILE *out, const fa_modelica *m, const lists *l, const char *before)
{
    fprintf(out,
            "%s(robot_event, robot_new, robot_next, robot_flags) = Internal.update(robot_handle, "
            "time, robot_x,\n      ",
            before);
    put_values(out, m, l->toggles, l->n_toggles, "fill(0, 0)");
    fputs(", ", out);
    put_kinds(out, m, l->flags, l->n_flags);
    fputs(", ", out);
    fa_modelica_put_list(out, l->flags, l->n_flags);
    fputs(");\n", out);
}

static void put_events(FILE *out, const fa_modelica *m, const lists *l)
{
    const int n = fa_variables_count(&m->table, FA_INDICATOR);
    if (n > 0)
        fprintf(out,
                "  robot_indicator = Internal.indicators(robot_handle, pre(robot_event), time, "
                "robot_x, robot_u, %d);\n"
                "  for i in 1:%d loop\n    robot_above[i] = robot_indicator[i] > 0;\n  end for;\n",
                n, n);
    fputs("  when {time >= pre(robot_next)", out);
    for (int i = 1; i <= n; i++) fprintf(out, ", change(robot_above[%d])", i);
    for (int i = 0; i < l->n_toggles; i++) {
        fputs(", change(", out);
        fa_modelica_put_name(out, row_of(m, l->toggles[i] - 1)->name);
        fputc(')', out);
    }
    fputs("} then\n", out);
    put_update(out, m, l, "    ");
    for (int i = 0; i < l->n_states; i++) {
        if (!row_of(m, l->states[i] - 1)->jumps) continue;
        fputs("    reinit(", out);
        fa_modelica_put_name(out, row_of(m, l->states[i] - 1)->name);
        fprintf(out, ", robot_new[%d]);\n", i + 1);
    }
    fputs("  end when;\n", out);
    for (int i = 0; i < l->n_flags; i++) {
        const fa_variable *v = row_of(m, l->flags[i] - 1);
        fputs("  ", out);
        fa_modelica_put_name(out, v->name);
        fprintf(out,
                v->type == FA_BOOLEAN ? " = robot_flags[%d] > 0.5;\n"
                : v->type == FA_INT32 ? " = integer(robot_flags[%d] + 0.5);\n"
                                      : " = robot_flags[%d];\n",
                i + 1);
    }
}

static void put_inputs(FILE *out, const fa_modelica *m, const lists *l)
{
    for (int i = 0; i < l->n_inputs; i++) {
        const int        row = l->inputs[i] - 1;
        const fa_flange *flange = fa_modelica_flange(m, row);
        fprintf(out, "  robot_u[%d] = ", i + 1);
        if (flange)
            fprintf(out, "flange_%.*s.%s", flange->length, flange->joint,
                    flange->turns ? "tau" : "f");
        else if (fa_modelica_is_tip_load(m, row))
            fprintf(out, "tip_from_frame[%d] + tip_from_wrench[%d]", row - m->tip + 1,
                    row - m->tip + 1);
        else
            fa_modelica_put_name(out, row_of(m, row)->name);
        fputs(";\n", out);
    }
}

static void put_motion(FILE *out, const fa_modelica *m, const lists *l)
{
    const int *first = m->table.first;
    for (int i = 0; i < l->n_states; i++) {
        const fa_variable *v = row_of(m, l->states[i] - 1);
        fprintf(out, "  robot_x[%d] = ", i + 1);
        fa_modelica_put_name(out, v->name);
        fputs(";\n  der(", out);
        fa_modelica_put_name(out, v->name);
        if (first[FA_STATE] <= v->derivative && v->derivative < first[FA_OUTPUT]) {
            fputs(") = ", out);
            fa_modelica_put_name(out, row_of(m, v->derivative)->name);
            fputs(";\n", out);
            continue;
        }
        fprintf(out, ") = robot_dx[%d];\n", i + 1);
        if (v->derivative < first[FA_OUTPUT] || v->derivative >= first[FA_INDICATOR]) continue;
        fputs("  ", out);
        fa_modelica_put_name(out, row_of(m, v->derivative)->name);
        fprintf(out, " = robot_dx[%d];\n", i + 1);
    }
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *f = &m->flange[i];
        fprintf(out, "  flange_%.*s.%s = ", f->length, f->joint, f->turns ? "phi" : "s");
        fa_modelica_put_name(out, row_of(m, f->position)->name);
        fputs(";\n", out);
    }
    fputs("  robot_dx = Internal.derivatives(robot_handle, robot_event, time, robot_x, robot_u);\n",
          out);
}

static void put_outputs(FILE *out, const fa_modelica *m, const int list[], int n, const char *name,
                        const char *function, const char *inputs)
{
    if (n == 0) return;
    fprintf(out, "  %s = Internal.%s(robot_handle, robot_event, time, robot_x%s, ", name, function,
            inputs);
    fa_modelica_put_list(out, list, n);
    fputs(");\n", out);
    for (int i = 0; i < n; i++) {
        fputs("  ", out);
        fa_modelica_put_name(out, row_of(m, list[i] - 1)->name);
        fprintf(out, " = %s[%d];\n", name, i + 1);
    }
}

static void put_tip(FILE *out, const fa_modelica *m)
{
    if (m->tip == FA_NO_ROW) return;
    fputs("  connect(tip_place.y, tip_adaptor.place);\n"
          "  connect(tip_turn.y, tip_adaptor.turn);\n"
          "  connect(tip_spin.y, tip_adaptor.spin);\n"
          "  connect(tip_adaptor.frame_b, tip_frame);\n"
          "  connect(tip_adaptor.wrench, tip_from_frame);\n"
          "  connect(tip_no_frame.y, tip_from_frame);\n"
          "  connect(tip_wrench, tip_from_wrench);\n"
          "  connect(tip_no_wrench.y, tip_from_wrench);\n",
          out);
}

fa_status fa_modelica_put_robot(FILE *out, const fa_modelica *m, fa_error *error)
{
    lists l;
    if (!make_lists(m, &l))
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the Modelica model");
    fprintf(out, "within %s;\nmodel Robot ", m->package);
    fa_modelica_put_text(out, m->robot->name);
    fputc('\n', out);
    put_parameters(out, m);
    put_connectors(out, m);
    put_variables(out, m);
    put_protected(out, m, &l);
    put_starts(out, m, &l);
    if (m->switches) put_update(out, m, &l, "  ");
    fputs("equation\n", out);
    put_motion(out, m, &l);
    put_inputs(out, m, &l);
    put_outputs(out, m, l.plain, l.n_plain, "robot_y", "outputs", "");
    put_outputs(out, m, l.through, l.n_through, "robot_through", "through", ", robot_u");
    if (m->switches) put_events(out, m, &l);
    put_tip(out, m);
    free(l.inputs);
    fputs("  annotation(", out);
    fa_status status = fa_modelica_put_icon(out, m->robot, error);
    fputs(",\n    Documentation(info=\"<html><p>A robot as <code>forearm export --modelica</code> "
          "made it. "
          "A flange takes the torque or force that the rest of the model exerts on its joint, "
          "positive "
          "towards larger positions.</p></html>\"));\nend Robot;\n",
          out);
    return status;
}
