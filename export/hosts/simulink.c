// Writes the script for Simulink, in the common subset of MATLAB and GNU Octave.
#include "hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "plant.h"
#include "references.h"
#include "streams.h"
#include "view.h"

typedef struct script {
    FILE           *out;
    fa_variables    table;
    const fa_robot *robot;
} script;

// 'joint.elbow.torque'
static void put_string(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

// Writes the rows of a role as MATLAB's cell array of names.
static void put_names(const script *s, const char *name, fa_role first, fa_role last)
{
    fprintf(s->out, "%s = {", name);
    for (int row = s->table.first[first]; row < s->table.first[last + 1]; row++) {
        if (fa_view_hides_row(s->robot, &s->table.row[row])) continue;
        fputs("...\n    ", s->out);
        put_string(s->out, s->table.row[row].name);
    }
    fputs("};\n", s->out);
}

static void put_starts(const script *s)
{
    const char *before = "starts = [";
    fputs(s->table.first[FA_INPUT] == s->table.first[FA_STATE] ? before : "", s->out);
    for (int row = s->table.first[FA_INPUT]; row < s->table.first[FA_STATE]; row++) {
        if (fa_view_hides_row(s->robot, &s->table.row[row])) continue;
        fprintf(s->out, "%s%s", before, fa_number_text(s->table.row[row].start).text);
        before = ", ...\n    ";
    }
    fputs(*before == 's' && s->table.first[FA_INPUT] < s->table.first[FA_STATE] ? before : "",
          s->out);
    fputs("];\n", s->out);
}

// Writes the one-based indices of those names that are this quantity of a joint (not along an
// axis).
static void put_places(const script *s, const char *name, fa_role first, fa_role last,
                       const char *const quantity[], int n)
{
    int place = 0;
    fprintf(s->out, "%s = [", name);
    for (int row = s->table.first[first]; row < s->table.first[last + 1]; row++) {
        const fa_variable *v = &s->table.row[row];
        bool               wanted = false;
        if (fa_view_hides_row(s->robot, v)) continue;
        place++;
        for (int i = 0; i < n; i++) wanted |= fa_variable_is(v, FA_OF_JOINT, quantity[i]);
        if (wanted && v->key.axis == FA_ALONG_NONE) fprintf(s->out, " %d", place);
    }
    fputs(" ];\n", s->out);
}

// Writes the parameters that set initial positions, with their values.
static void put_initial(const script *s)
{
    fputs("initial = struct('name', {}, 'value', {}); % change a value here, and the block starts "
          "from it\n",
          s->out);
    for (int row = s->table.first[FA_STATE]; row < s->table.first[FA_OUTPUT]; row++) {
        const int parameter = s->table.row[row].initial;
        if (parameter == FA_NO_ROW || s->table.row[parameter].role != FA_PARAMETER) continue;
        fputs("initial(end + 1) = struct('name', ", s->out);
        put_string(s->out, s->table.row[parameter].name);
        fprintf(s->out, ", 'value', %s);\n", fa_number_text(s->table.row[parameter].start).text);
    }
}

// After MathWorks' documentation of the block FMU and of add_block, add_line, set_param and sim.
static const char body[] =
    "\n"
    "% The model, and the block in it with one port for each variable.\n"
    "if bdIsLoaded(model)\n"
    "    close_system(model, 0);\n"
    "end\n"
    "new_system(model);\n"
    "load_system('simulink_extras');\n"
    "addpath(folder);\n"
    "height = 100 + 24 * max(numel(inputs), numel(outputs));\n"
    "add_block('simulink_extras/FMU Import/FMU', block, 'FMUName', fmu, 'Position', [400 40 700 "
    "height]);\n"
    "set_param(block, 'FMUInputMapping', 'Flat', 'FMUOutputMapping', 'Flat', 'FMUSampleTime', "
    "'0.1');\n"
    "for i = 1:numel(initial)\n"
    "    set_parameter(block, initial(i).name, initial(i).value);\n"
    "end\n"
    "ports = get_param(block, 'PortHandles');\n"
    "if numel(ports.Inport) ~= numel(inputs) || numel(ports.Outport) ~= numel(outputs)\n"
    "    error('the block has %d inputs and %d outputs, and the FMU has %d and %d', "
    "numel(ports.Inport), ...\n"
    "        numel(ports.Outport), numel(inputs), numel(outputs));\n"
    "end\n"
    "\n"
    "% The efforts of all joints come as one vector, tau; every other input stays at its start.\n"
    "if ~isempty(efforts)\n"
    "    add_block('simulink/Sources/In1', [model '/tau'], 'Position', [40 60 70 74], ...\n"
    "        'PortDimensions', sprintf('%d', numel(efforts)));\n"
    "    add_block('simulink/Signal Routing/Demux', [model '/each_tau'], 'Position', [180 40 185 "
    "40 + 24 * numel(efforts)], ...\n"
    "        'Outputs', sprintf('%d', numel(efforts)));\n"
    "    add_line(model, 'tau/1', 'each_tau/1');\n"
    "    for i = 1:numel(efforts)\n"
    "        add_line(model, sprintf('each_tau/%d', i), sprintf('%s/%d', name, efforts(i)));\n"
    "    end\n"
    "end\n"
    "for i = 1:numel(inputs)\n"
    "    if ~any(efforts == i)\n"
    "        add_block('simulink/Sources/Constant', sprintf('%s/input%d', model, i), 'Value', "
    "sprintf('%.17g', starts(i)), ...\n"
    "            'Position', [280 30 + 24 * i 340 46 + 24 * i]);\n"
    "        add_line(model, sprintf('input%d/1', i), sprintf('%s/%d', name, i));\n"
    "    end\n"
    "end\n"
    "\n"
    "% Positions and velocities go out as one vector each, q and qd; the rest of the outputs ends "
    "here.\n"
    "pack(model, name, 'q', positions, 1);\n"
    "pack(model, name, 'qd', velocities, 2);\n"
    "for i = 1:numel(outputs)\n"
    "    if ~any(positions == i) && ~any(velocities == i)\n"
    "        add_block('simulink/Sinks/Terminator', sprintf('%s/output%d', model, i), 'Position', "
    "[760 30 + 24 * i 776 46 + 24 * i]);\n"
    "        add_line(model, sprintf('%s/%d', name, i), sprintf('output%d/1', i));\n"
    "    end\n"
    "end\n";

static const char experiment[] =
    "\n"
    "% The experiment that the FMU carries: no efforts, results at every tenth of a second.\n"
    "set_param(model, 'StopTime', sprintf('%.17g', stop), 'Solver', 'FixedStepDiscrete', "
    "'FixedStep', '0.1', "
    "'SaveOutput', 'on', ...\n"
    "    'OutputSaveName', 'yout', 'SaveFormat', 'Dataset', 'LoadExternalInput', 'off', "
    "'ReturnWorkspaceOutputs', 'on');\n"
    "run = sim(model);\n"
    "inside = tempname();\n"
    "unzip(fmu, inside);\n"
    "expected = importdata(fullfile(inside, 'extra', 'org.fmi-standard.fmi-ls-ref', "
    "'results.csv'), ',', 1);\n"
    "head = strrep(expected.colheaders, '\"', '');\n"
    "for i = 1:numel(head)\n"
    "    head{i} = strtok(head{i}); % without the unit\n"
    "end\n"
    "[found, column] = ismember(outputs(positions), head);\n"
    "q = run.yout.getElement(1).Values.Data;\n"
    "worst = max(max(abs(q(1:size(expected.data, 1), :) - expected.data(:, column))));\n"
    "if worst < 1e-6\n"
    "    fprintf('ok: positions agree with the results in the FMU, %g at most apart\\n', worst);\n"
    "else\n"
    "    fprintf('wrong: positions are %g apart from the results in the FMU\\n', worst);\n"
    "end\n"
    "rmdir(inside, 's');\n"
    "result = worst;\n";

static const char helpers[] =
    "end\n"
    "\n"
    "function pack(model, name, vector, ports, number)\n"
    "% Joins output ports of the block into one vector, an output of the model.\n"
    "if isempty(ports)\n"
    "    return\n"
    "end\n"
    "mux = ['all_' vector];\n"
    "add_block('simulink/Signal Routing/Mux', [model '/' mux], 'Inputs', sprintf('%d', "
    "numel(ports)), ...\n"
    "    'Position', [820 100 * number 825 100 * number + 80]);\n"
    "add_block('simulink/Sinks/Out1', [model '/' vector], 'Position', [900 100 * number + 33 930 "
    "100 * number + 47]);\n"
    "for i = 1:numel(ports)\n"
    "    add_line(model, sprintf('%s/%d', name, ports(i)), sprintf('%s/%d', mux, i));\n"
    "end\n"
    "add_line(model, [mux '/1'], [vector '/1']);\n"
    "end\n"
    "\n"
    "function set_parameter(block, name, value)\n"
    "% Sets a parameter of the block under whichever of its names the release shows: with dots, "
    "with\n"
    "% underscores, or as a field of a structure that has the name's first part.\n"
    "known = fieldnames(get_param(block, 'DialogParameters'));\n"
    "flat = strrep(name, '.', '_');\n"
    "parts = strsplit(name, '.');\n"
    "if any(strcmp(known, flat))\n"
    "    set_param(block, flat, sprintf('%.17g', value));\n"
    "elseif any(strcmp(known, parts{1}))\n"
    "    fields = eval(get_param(block, parts{1}));\n"
    "    fields = set_field(fields, parts(2:end), value);\n"
    "    assignin('base', ['forearm_' parts{1}], fields);\n"
    "    set_param(block, parts{1}, ['forearm_' parts{1}]);\n"
    "else\n"
    "    set_param(block, name, sprintf('%.17g', value));\n"
    "end\n"
    "end\n"
    "\n"
    "function s = set_field(s, parts, value)\n"
    "if numel(parts) == 1\n"
    "    s.(parts{1}) = value;\n"
    "else\n"
    "    s.(parts{1}) = set_field(s.(parts{1}), parts(2:end), value);\n"
    "end\n"
    "end\n";

static void put_script(const script *s, const fa_options *options, const char *fmu, bool results)
{
    const char *id = options->identifier;
    fprintf(
        s->out,
        "function result = %s_simulink()\n"
        "%% Makes the Simulink model %s_model around %s: efforts of the joints in as one vector, "
        "tau,\n"
        "%% positions and velocities out as q and qd.%s\n"
        "%%\n"
        "%% Forearm wrote it after MathWorks' public documentation; it was not run in Simulink.\n"
        "folder = fileparts(mfilename('fullpath'));\n"
        "fmu = fullfile(folder, ",
        id, id, fmu,
        results ? " Then it repeats the experiment that the FMU carries,\n% and compares." : "");
    put_string(s->out, fmu);
    fprintf(s->out,
            ");\nname = '%s';\nmodel = '%s_model';\nblock = [model '/' name];\nresult = [];\n", id,
            id);
    put_names(s, "inputs", FA_INPUT, FA_INPUT);
    put_starts(s);
    put_names(s, "outputs", FA_STATE, FA_OUTPUT);
    static const char *const effort[] = {"torque", "force", "voltage"};
    static const char *const position[] = {"position"}, *const velocity[] = {"velocity"};
    put_places(s, "efforts", FA_INPUT, FA_INPUT, effort, 3);
    put_places(s, "positions", FA_STATE, FA_OUTPUT, position, 1);
    put_places(s, "velocities", FA_STATE, FA_OUTPUT, velocity, 1);
    put_initial(s);
    fputs(body, s->out);
    if (results) {
        fprintf(s->out, "\nstop = %s;\n", fa_number_text(FA_REFERENCE_STOP).text);
        fputs(experiment, s->out);
    }
    fputs(helpers, s->out);
}

fa_status fa_simulink_write(const fa_robot *robot, const fa_options *options, const char *fmu,
                            bool results, char **text, size_t *size, fa_error *error)
{
    void     *block = NULL;
    script    s = {.robot = robot};
    fa_status status =
        fa_plant_variables(fa_plant_find(robot->plant), robot, false, &s.table, &block, error);
    if (status != FA_OK) return status;
    *text = NULL;
    s.out = fa_text_open(text, size);
    if (s.out) put_script(&s, options, fmu, results);
    free(block);
    if (s.out && fa_text_close(s.out)) return FA_OK;
    free(*text);
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the script");
}
