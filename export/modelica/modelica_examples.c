// Writes Examples.mo: complete models with the robot, ready to be simulated.
#include "modelica_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Returns the stiffness of a joint's holding spring: it reaches the effort limit at half a radian
// or 5 cm.
static double stiffness(const fa_flange *f)
{
    const double effort = isfinite(f->effort) && f->effort > 0 ? f->effort : 100;
    return f->turns ? 2 * effort : 20 * effort;
}

static double start(const fa_modelica *m, const fa_flange *f)
{
    const int initial = m->table.row[f->position].initial;
    return initial == FA_NO_ROW ? 0 : m->table.row[initial].start;
}

static const char *domain(const fa_flange *f)
{
    return f->turns ? "Rotational" : "Translational";
}

static void begin(FILE *out, const char *name, const char *about)
{
    fprintf(out, "\n  model %s \"%s\"\n    extends Modelica.Icons.Example;\n", name, about);
}

static void end(FILE *out, const char *name, const char *stop)
{
    fprintf(out, "    annotation(experiment(StopTime=%s, Tolerance=1e-8));\n  end %s;\n", stop,
            name);
}

// Sets unconnected inputs to their start values; `row` and the next one are connected.
static void put_open(FILE *out, const fa_modelica *m, const char *robot, int row)
{
    for (int i = m->table.first[FA_INPUT]; i < m->table.first[FA_STATE]; i++) {
        const fa_variable *v = &m->table.row[i];
        if (fa_modelica_flange(m, i) || fa_modelica_is_tip_load(m, i)) continue;
        if (row != FA_NO_ROW && (i == row || i == row + 1)) continue;
        fprintf(out, "    %s.", robot);
        fa_modelica_put_name(out, v->name);
        fputs(" = ", out);
        if (v->type == FA_BOOLEAN)
            fputs(v->start != 0 ? "true" : "false", out);
        else
            fa_modelica_put_number(out, v->start);
        fputs(";\n", out);
    }
}

static void put_numbers(FILE *out, const fa_modelica *m, double (*of)(const fa_flange *),
                        double factor)
{
    for (int i = 0; i < m->n_flanges; i++) {
        fputs(i == 0 ? "{" : ", ", out);
        fa_modelica_put_number(out, factor * (of ? of(&m->flange[i]) : start(m, &m->flange[i])));
    }
    fputc('}', out);
}

// Writes a controller at each joint: a sensor, a proportional feedback, and a torque.
static void put_sensors(FILE *out, const fa_modelica *m)
{
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *f = &m->flange[i];
        fprintf(out,
                "    Modelica.Mechanics.%s.Sensors.%s position%d;\n"
                "    Modelica.Mechanics.%s.Sources.%s drive%d(useSupport=false);\n",
                domain(f), f->turns ? "AngleSensor" : "PositionSensor", i + 1, domain(f),
                f->turns ? "Torque" : "Force", i + 1);
    }
}

static void put_loops(FILE *out, const fa_modelica *m, bool speeds)
{
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *f = &m->flange[i];
        const int        k = i + 1;
        fprintf(out,
                "    connect(robot.flange_%.*s, position%d.flange);\n"
                "    connect(drive%d.flange, robot.flange_%.*s);\n"
                "    connect(position%d.%s, control%d.u_m);\n"
                "    connect(control%d.y, drive%d.%s);\n",
                f->length, f->joint, k, k, f->length, f->joint, k, f->turns ? "phi" : "s", k, k, k,
                f->turns ? "tau" : "f");
        if (speeds)
            fprintf(out,
                    "    connect(robot.flange_%.*s, speed%d.flange);\n    connect(speed%d.%s, "
                    "control%d.u_v);\n",
                    f->length, f->joint, k, k, f->turns ? "w" : "v", k);
        else
            fprintf(out, "    connect(reference[%d].y, control%d.u_s);\n", k, k);
    }
    put_open(out, m, "robot", FA_NO_ROW);
}

static void put_pd(FILE *out, const fa_modelica *m)
{
    fputs("\n  block PD \"Proportional to the distance from a place, and against the speed\"\n"
          "    parameter Real place;\n"
          "    parameter Real k \"Per unit of distance\";\n"
          "    parameter Real d \"Per unit of speed\";\n"
          "    Modelica.Blocks.Interfaces.RealInput u_m \"Position\";\n"
          "    Modelica.Blocks.Interfaces.RealInput u_v \"Velocity\";\n"
          "    Modelica.Blocks.Interfaces.RealOutput y;\n"
          "  equation\n"
          "    y = k * (place - u_m) - d * u_v;\n"
          "  end PD;\n",
          out);
    begin(out, "PDControl", "A PD controller at each joint holds the robot near a place");
    fputs("    Robot robot;\n", out);
    put_sensors(out, m);
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *f = &m->flange[i];
        fprintf(out,
                "    Modelica.Mechanics.%s.Sensors.SpeedSensor speed%d;\n    PD control%d(place=",
                domain(f), i + 1, i + 1);
        fa_modelica_put_number(out, start(m, f) + (f->turns ? 0.2 : 0.02));
        fputs(", k=", out);
        fa_modelica_put_number(out, stiffness(f));
        fputs(", d=", out);
        fa_modelica_put_number(out, stiffness(f) / 5);
        fputs(");\n", out);
    }
    fputs("  equation\n", out);
    put_loops(out, m, true);
    end(out, "PDControl", "2");
}

static void put_pid(FILE *out, const fa_modelica *m)
{
    begin(out, "PIDControl", "A PID controller with limits at each joint follows a step");
    fputs("    Robot robot;\n    Modelica.Blocks.Sources.Step reference[", out);
    fprintf(out, "%d](\n      height=", m->n_flanges);
    for (int i = 0; i < m->n_flanges; i++)
        fprintf(out, "%s%s", i == 0 ? "{" : ", ", m->flange[i].turns ? "0.2" : "0.02");
    fputs("}, offset=", out);
    put_numbers(out, m, NULL, 1);
    fputs(", each startTime=0.5);\n", out);
    put_sensors(out, m);
    for (int i = 0; i < m->n_flanges; i++) {
        fprintf(out, "    Modelica.Blocks.Continuous.LimPID control%d(k=", i + 1);
        fa_modelica_put_number(out, stiffness(&m->flange[i]));
        fputs(", Ti=0.5, Td=0.2, yMax=", out);
        fa_modelica_put_number(out, stiffness(&m->flange[i]));
        fputs(");\n", out);
    }
    fputs("  equation\n", out);
    put_loops(out, m, false);
    end(out, "PIDControl", "3");
}

// Returns the first revolute joint; NULL: none.
static const fa_flange *turning(const fa_modelica *m)
{
    for (int i = 0; i < m->n_flanges; i++)
        if (m->flange[i].turns) return &m->flange[i];
    return NULL;
}

static void put_motor(FILE *out, const fa_modelica *m)
{
    const fa_flange *f = turning(m);
    if (!f) return;
    begin(out, "MotorDrive",
          "A motor for direct current with a gear drives one joint; the others are held");
    fputs(
        "    Robot robot;\n"
        "    Modelica.Electrical.Analog.Sources.SignalVoltage source;\n"
        "    Modelica.Electrical.Analog.Basic.Resistor resistor(R=0.5);\n"
        "    Modelica.Electrical.Analog.Basic.Inductor inductor(L=1e-3, i(start=0, fixed=true));\n"
        "    Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=0.1);\n"
        "    Modelica.Electrical.Analog.Basic.Ground ground;\n"
        "    Modelica.Mechanics.Rotational.Components.Inertia rotor(J=1e-4);\n"
        "    Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=100);\n"
        "    Modelica.Blocks.Sources.Sine voltage(amplitude=12, f=1);\n",
        out);
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *g = &m->flange[i];
        if (g == f) continue;
        fprintf(out,
                "    Modelica.Mechanics.%s.Components.SpringDamper hold%d(c=%s, d=%s, %s=%s, "
                "stateSelect=StateSelect.never);\n",
                domain(g), i + 1, fa_number_text(stiffness(g)).text,
                fa_number_text(stiffness(g) / 5).text, g->turns ? "phi_rel0" : "s_rel0",
                fa_number_text(-start(m, g) + 0.0).text);
        fprintf(out, "    Modelica.Mechanics.%s.Components.Fixed ground%d;\n", domain(g), i + 1);
    }
    fprintf(out,
            "  equation\n"
            "    connect(voltage.y, source.v);\n"
            "    connect(source.p, resistor.p);\n"
            "    connect(resistor.n, inductor.p);\n"
            "    connect(inductor.n, emf.p);\n"
            "    connect(emf.n, source.n);\n"
            "    connect(source.n, ground.p);\n"
            "    connect(emf.flange, rotor.flange_a);\n"
            "    connect(rotor.flange_b, gear.flange_a);\n"
            "    connect(gear.flange_b, robot.flange_%.*s);\n",
            f->length, f->joint);
    for (int i = 0; i < m->n_flanges; i++) {
        const fa_flange *g = &m->flange[i];
        if (g == f) continue;
        fprintf(out,
                "    connect(robot.flange_%.*s, hold%d.flange_a);\n    connect(hold%d.flange_b, "
                "ground%d.flange);\n",
                g->length, g->joint, i + 1, i + 1, i + 1);
    }
    put_open(out, m, "robot", FA_NO_ROW);
    end(out, "MotorDrive", "2");
}

static void put_two(FILE *out, const fa_modelica *m)
{
    const fa_flange *f = &m->flange[0];
    begin(out, "TwoRobots", "Two robots, the first joints of which a spring and a damper connect");
    fputs("    Robot one;\n    Robot two(", out);
    fa_modelica_put_name(out, m->table.row[m->table.row[f->position].initial].name);
    fputs("=", out);
    fa_modelica_put_number(out, start(m, f) + (f->turns ? 0.3 : 0.03));
    fprintf(out, ");\n    Modelica.Mechanics.%s.Components.SpringDamper spring(c=", domain(f));
    fa_modelica_put_number(out, stiffness(f));
    fputs(", d=", out);
    fa_modelica_put_number(out, stiffness(f) / 10);
    fprintf(out,
            ", stateSelect=StateSelect.never);\n"
            "  equation\n"
            "    connect(one.flange_%.*s, spring.flange_a);\n"
            "    connect(spring.flange_b, two.flange_%.*s);\n",
            f->length, f->joint, f->length, f->joint);
    put_open(out, m, "one", FA_NO_ROW);
    put_open(out, m, "two", FA_NO_ROW);
    end(out, "TwoRobots", "1");
}

static void put_tip(FILE *out, const fa_modelica *m)
{
    if (m->tip == FA_NO_ROW) return;
    begin(out, "SpringAtTip", "A spring with a damper between the tip and the world");
    fputs("    Robot robot(useTipFrame=true);\n"
          "    inner Modelica.Mechanics.MultiBody.World world;\n"
          "    Modelica.Mechanics.MultiBody.Forces.SpringDamperParallel spring(c=50, d=5, "
          "s_unstretched=0.5);\n"
          "  equation\n"
          "    connect(world.frame_b, spring.frame_a);\n"
          "    connect(spring.frame_b, robot.tip_frame);\n",
          out);
    put_open(out, m, "robot", FA_NO_ROW);
    end(out, "SpringAtTip", "1");
}

// Writes a cylinder with flow inputs, and a four-edge valve in Modelica's equations.
static void put_valve(FILE *out, const fa_modelica *m)
{
    for (int row = m->table.first[FA_INPUT]; row < m->table.first[FA_STATE]; row++) {
        const fa_variable *v = &m->table.row[row];
        if (!fa_variable_is(v, FA_OF_CYLINDER, "flow_a")) continue;
        const fa_slice cylinder = fa_key_part(&v->key, v->name);
        const int      n = cylinder.length;
        const char    *c = cylinder.text;
        fputs("\n  block FourWayValve \"Turbulent flow over four edges\"\n"
              "    parameter Real opening(unit=\"m2\") = 2e-5 \"Area of an edge that is wide "
              "open\";\n"
              "    parameter Real density(unit=\"kg/m3\") = 870;\n"
              "    parameter Real cd = 0.65 \"Coefficient of discharge\";\n"
              "    parameter Real small(unit=\"Pa\") = 1e4 \"Below this difference the flow is "
              "laminar\";\n"
              "    Modelica.Blocks.Interfaces.RealInput spool \"From -1 to 1\";\n"
              "    Modelica.Blocks.Interfaces.RealInput supply(unit=\"Pa\", displayUnit=\"bar\");\n"
              "    Modelica.Blocks.Interfaces.RealInput tank(unit=\"Pa\", displayUnit=\"bar\");\n"
              "    Modelica.Blocks.Interfaces.RealInput a(unit=\"Pa\", displayUnit=\"bar\");\n"
              "    Modelica.Blocks.Interfaces.RealInput b(unit=\"Pa\", displayUnit=\"bar\");\n"
              "    Modelica.Blocks.Interfaces.RealOutput flow_a(unit=\"m3/s\", "
              "displayUnit=\"l/min\");\n"
              "    Modelica.Blocks.Interfaces.RealOutput flow_b(unit=\"m3/s\", "
              "displayUnit=\"l/min\");\n"
              "    function edge\n"
              "      input Real area;\n"
              "      input Real difference;\n"
              "      input Real small;\n"
              "      output Real through;\n"
              "    algorithm\n"
              "      through := area * difference / (difference ^ 2 + small ^ 2) ^ 0.25;\n"
              "      annotation(Inline=true);\n"
              "    end edge;\n"
              "  protected\n"
              "    Real k = cd * opening * sqrt(2 / density);\n"
              "    Real up = k * max(spool, 0);\n"
              "    Real down = k * max(-spool, 0);\n"
              "  equation\n"
              "    flow_a = edge(up, supply - a, small) - edge(down, a - tank, small);\n"
              "    flow_b = edge(down, supply - b, small) - edge(up, b - tank, small);\n"
              "  end FourWayValve;\n",
              out);
        begin(out, "ValveInModelica", "A cylinder of the robot, and a valve in Modelica");
        fprintf(out,
                "    Robot robot;\n"
                "    FourWayValve valve;\n"
                "    Modelica.Blocks.Sources.Sine spool(amplitude=0.3, f=1);\n"
                "    Modelica.Blocks.Sources.Constant supply(k=150e5);\n"
                "    Modelica.Blocks.Sources.Constant tank(k=1e5);\n"
                "  equation\n"
                "    connect(spool.y, valve.spool);\n"
                "    connect(supply.y, valve.supply);\n"
                "    connect(tank.y, valve.tank);\n"
                "    connect(robot.cylinder_%.*s_pressure_a, valve.a);\n"
                "    connect(robot.cylinder_%.*s_pressure_b, valve.b);\n"
                "    connect(valve.flow_a, robot.cylinder_%.*s_flow_a);\n"
                "    connect(valve.flow_b, robot.cylinder_%.*s_flow_b);\n",
                n, c, n, c, n, c, n, c);
        put_open(out, m, "robot", row);
        end(out, "ValveInModelica", "1");
        return;
    }
}

// Returns the first of the three rows of a link's position; FA_NO_ROW: the link has none.
static int place_of(const fa_modelica *m, int link)
{
    return fa_variables_row(&m->table, FA_OF_LINK, link, "position", 0);
}

// {robot.link_a_position_x, …}, or the origin.
static void put_place(FILE *out, const fa_modelica *m, int row)
{
    for (int i = 0; i < 3 && row != FA_NO_ROW; i++) {
        fputs(i == 0 ? "{robot." : ", robot.", out);
        fa_modelica_put_name(out, m->table.row[row + i].name);
    }
    fputs(row == FA_NO_ROW ? "{0, 0, 0}" : "}", out);
}

// Writes an animation: lines between the origins of links, in three dimensions.
static void put_animation(FILE *out, const fa_modelica *m)
{
    const fa_robot *robot = m->robot;
    int             drawn = 0;
    for (int i = 0; i < robot->n_links; i++) {
        const int to = place_of(m, i);
        if (robot->link[i].parent == FA_WORLD || to == FA_NO_ROW) continue;
        const int from = place_of(m, robot->link[i].parent);
        if (drawn++ == 0) {
            begin(out, "Animation", "The robot falls, drawn in three dimensions");
            fputs("    Robot robot;\n    inner Modelica.Mechanics.MultiBody.World world;\n", out);
        }
        fprintf(out,
                "    Modelica.Mechanics.MultiBody.Visualizers.Advanced.Shape "
                "shape%d(shapeType=\"cylinder\", width=0.04, height=0.04,\n"
                "      color={45,90,150}, "
                "R=Modelica.Mechanics.MultiBody.Frames.nullRotation(),\n      r=",
                drawn);
        put_place(out, m, from);
        fputs(",\n      lengthDirection=", out);
        put_place(out, m, to);
        fputs(" - ", out);
        put_place(out, m, from);
        fputs(",\n      length=Modelica.Math.Vectors.length(", out);
        put_place(out, m, to);
        fputs(" - ", out);
        put_place(out, m, from);
        fputs("));\n", out);
    }
    if (drawn == 0) return;
    fputs("  equation\n", out);
    put_open(out, m, "robot", FA_NO_ROW);
    end(out, "Animation", "2");
}

void fa_modelica_put_examples(FILE *out, const fa_modelica *m)
{
    fprintf(out,
            "within %s;\npackage Examples \"The robot in use\"\n  extends "
            "Modelica.Icons.ExamplesPackage;\n",
            m->package);
    if (m->n_flanges > 0) {
        put_pd(out, m);
        put_pid(out, m);
        put_motor(out, m);
        put_two(out, m);
    }
    put_tip(out, m);
    put_valve(out, m);
    put_animation(out, m);
    fputs("end Examples;\n", out);
}
