// Option parser: one table for parsing, help and documentation.
#include "options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "number.h"

// Faults of the command line; main turns them into FA_EXIT_USAGE.
#define FAIL(error, ...) fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE, __VA_ARGS__)

const fa_command *fa_command_find(const char *name, fa_error *error)
{
    fa_nearest nearest = fa_nearest_to(name);
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        if (strcmp(fa_commands[i].name, name) == 0) return &fa_commands[i];
        fa_nearest_try(&nearest, fa_commands[i].name);
    }
    FAIL(error, "there is no command '%s'; %s", name,
         fa_nearest_hint(&nearest, "forearm help lists them").text);
    return NULL;
}

// --------------------------------------------------------------------------------------- values

static bool read_number(const char *text, double *value)
{
    size_t length = strlen(text);
    return length > 0 && fa_number_read(text, length, value) == length && isfinite(*value);
}

static fa_status read_positive(const fa_option *option, const char *text, double *value,
                               fa_error *error)
{
    if (read_number(text, value) && *value > 0) return FA_OK;
    return FAIL(error, "--%s takes a number above zero, such as 0.5, and not '%s'", option->name,
                text);
}

static fa_status read_whole(const fa_option *option, const char *text, double *value,
                            fa_error *error)
{
    const double most = 1e9;
    if (read_number(text, value) && *value >= option->first && *value <= most &&
        *value == floor(*value))
        return FA_OK;
    return FAIL(error, "--%s takes a whole number from %d to 1000000000, and not '%s'",
                option->name, option->first, text);
}

static fa_status read_assignment(const fa_option *option, char *text, fa_assignments *list,
                                 fa_error *error)
{
    char  *equals = strrchr(text, '=');
    double value;
    if (!equals || equals == text || !read_number(equals + 1, &value))
        return FAIL(error, "--%s takes %s with a number, such as %s=0.5, and not '%s'",
                    option->name, option->value,
                    strcmp(option->name, "lock") == 0 ? "elbow" : "payload.mass", text);
    *equals = '\0';
    list->of[list->n++] = (fa_assignment){text, value};
    return FA_OK;
}

// Splits a word at the sign; a name must precede it.
static bool cut_naming(char *text, const char *sign, fa_namings *list)
{
    char *at = strstr(text, sign);
    if (!at || at == text) return false;
    *at = '\0';
    list->of[list->n++] = (fa_naming){text, at + strlen(sign)};
    return true;
}

static fa_status read_naming(const fa_option *option, char *text, fa_namings *list, fa_error *error)
{
    const char *equals = strchr(text, '=');
    if (equals && equals[1] && cut_naming(text, "=", list)) return FA_OK;
    return FAIL(error, "--%s takes %s, such as %s=../robot, and not '%s'", option->name,
                option->value, option->name, text);
}

// Parses a choice; its words are separated by bars.
static fa_status read_choice(const fa_option *option, const char *text, int *value, fa_error *error)
{
    int         number = option->first;
    const char *word = option->value;
    for (;; number++) {
        size_t length = strcspn(word, "|");
        if (strlen(text) == length && memcmp(text, word, length) == 0) {
            *value = number;
            return FA_OK;
        }
        if (!word[length]) break;
        word += length + 1;
    }
    return FAIL(error, "--%s takes one of %s, and not '%s'", option->name, option->value, text);
}

static fa_status read_value(const fa_option *option, char *text, fa_arguments *arguments,
                            fa_error *error)
{
    void *field = (char *)arguments + option->field;
    switch (option->kind) {
    case FA_OPTION_SWITCH:
        *(bool *)field = true;
        return FA_OK;
    case FA_OPTION_MAYBE_TEXT:
        *(const char **)field = text ? text : "";
        return FA_OK;
    case FA_OPTION_TEXT:
        *(const char **)field = text;
        return FA_OK;
    case FA_OPTION_TEXTS: {
        fa_texts *list = field;
        list->of[list->n++] = text;
        return FA_OK;
    }
    case FA_OPTION_POSITIVE:
        return read_positive(option, text, field, error);
    case FA_OPTION_WHOLE:
        return read_whole(option, text, field, error);
    case FA_OPTION_ASSIGNMENTS:
        return read_assignment(option, text, field, error);
    case FA_OPTION_NAMINGS:
        return read_naming(option, text, field, error);
    case FA_OPTION_CHOICE:
        return read_choice(option, text, field, error);
    }
    return FA_OK;
}

// -------------------------------------------------------------------------------------- options

// Finds the option of a word such as --tip, --tip=hand, -o or -oFILE; *value is the value inside
// the word, or NULL.
static const fa_option *find_option(const fa_command *command, char *word, char **value,
                                    fa_error *error)
{
    bool       is_long = word[1] == '-';
    char      *name = word + (is_long ? 2 : 1);
    size_t     length = is_long ? strcspn(name, "=") : 1;
    fa_nearest nearest = fa_nearest_to(name);
    *value = is_long ? (name[length] ? name + length + 1 : NULL) : (name[1] ? name + 1 : NULL);
    if (is_long) name[length] = '\0';
    for (int i = 0; i < fa_option_count; i++) {
        const fa_option *option = &fa_option_rows[i];
        if (!fa_option_belongs(option, command)) continue;
        if (is_long ? strcmp(option->name, name) == 0 : option->letter == name[0]) return option;
        if (is_long && option->alias && strcmp(option->alias, name) == 0) return option;
        fa_nearest_try(&nearest, option->name);
    }
    char usual[96];
    snprintf(usual, sizeof usual, "forearm %s --help lists its options", command->name);
    const char *meant = is_long ? fa_nearest_found(&nearest) : NULL;
    if (meant)
        FAIL(error, "forearm %s has no option --%s; did you mean --%s?", command->name, name,
             meant);
    else
        FAIL(error, "forearm %s has no option %s%.*s; %s", command->name, is_long ? "--" : "-",
             is_long ? (int)length : 1, name, usual);
    return NULL;
}

static fa_status read_option(const fa_command *command, int n, char *word[], int *at,
                             fa_arguments *arguments, fa_error *error)
{
    char            *value;
    const fa_option *option = find_option(command, word[*at], &value, error);
    if (!option) return FA_BAD_INPUT;
    if (option->kind == FA_OPTION_SWITCH && value)
        return FAIL(error, "--%s takes no value; leave '%s' out", option->name, value);
    if (option->kind == FA_OPTION_MAYBE_TEXT && value && !value[0])
        return FAIL(error,
                    "--%s= has nothing behind the =; leave that out too, or say what is meant",
                    option->name);
    if (option->kind != FA_OPTION_SWITCH && option->kind != FA_OPTION_MAYBE_TEXT && !value) {
        if (*at + 1 == n)
            return FAIL(error, "--%s needs a value: --%s %s", option->name, option->name,
                        option->value);
        value = word[++*at];
    }
    return read_value(option, value, arguments, error);
}

// Returns true for commands that read robots: they take name:=value after the file. No file name
// begins like that.
static bool takes_arguments(const fa_command *command)
{
    for (int i = 0; i < fa_option_count; i++)
        if (strcmp(fa_option_rows[i].name, "package") == 0)
            return fa_option_belongs(&fa_option_rows[i], command);
    return false;
}

static fa_status read_operand(const fa_command *command, char *word, fa_arguments *arguments,
                              fa_error *error)
{
    if (arguments->operand && takes_arguments(command) && cut_naming(word, ":=", &arguments->xacro))
        return FA_OK;
    if (!command->operand[0])
        return FAIL(error, "forearm %s takes no '%s'; leave it out", command->name, word);
    if (arguments->operand)
        return FAIL(error, "forearm %s takes one %s, and was given '%s' and '%s'", command->name,
                    command->operand, arguments->operand, word);
    arguments->operand = word;
    return FA_OK;
}

fa_status fa_arguments_read(const fa_command *command, int n, char *word[], fa_arguments *arguments,
                            fa_error *error)
{
    size_t room = (size_t)n + 1; // upper bound of every list's length
    *arguments = (fa_arguments){.command = (int)(command - fa_commands),
                                .fmi = 3,
                                .solver = FA_NOT_SAID,
                                .equilibrium = FA_NOT_SAID,
                                .stop = NAN,
                                .step = NAN,
                                .tolerance = NAN,
                                .samples = NAN,
                                .seed = NAN,
                                .periods = NAN,
                                .cutoff = NAN,
                                .prior = NAN,
                                .time = NAN,
                                .harmonics = NAN,
                                .acceleration = NAN,
                                .lock.of = calloc(room, sizeof(fa_assignment)),
                                .set.of = calloc(room, sizeof(fa_assignment)),
                                .drive_gain.of = calloc(room, sizeof(fa_assignment)),
                                .wrench.of = calloc(room, sizeof(const char *)),
                                .cut.of = calloc(room, sizeof(const char *)),
                                .xacro.of = calloc(room, sizeof(fa_naming)),
                                .package.of = calloc(room, sizeof(fa_naming)),
                                .methods.of = calloc(room, sizeof(const char *))};
    if (!arguments->drive_gain.of || !arguments->lock.of || !arguments->set.of ||
        !arguments->wrench.of || !arguments->cut.of || !arguments->methods.of ||
        !arguments->xacro.of || !arguments->package.of)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory for the command line");

    bool      only_operands = false; // set after --
    fa_status status = FA_OK;
    for (int at = 0; at < n && status == FA_OK; at++) {
        bool dashed = word[at][0] == '-' && word[at][1];
        if (dashed && !only_operands && strcmp(word[at], "--") == 0)
            only_operands = true;
        else if (dashed && !only_operands)
            status = read_option(command, n, word, &at, arguments, error);
        else
            status = read_operand(command, word[at], arguments, error);
    }
    bool needed = command->operand[0] && command->operand[0] != '[';
    if (status == FA_OK && needed && !arguments->operand && !arguments->help)
        status = FAIL(error, "forearm %s needs %s; forearm %s --help explains", command->name,
                      command->operand, command->name);
    return status;
}

void fa_arguments_free(fa_arguments *arguments)
{
    free(arguments->lock.of);
    free(arguments->set.of);
    free(arguments->drive_gain.of);
    free((void *)arguments->wrench.of);
    free((void *)arguments->cut.of);
    free((void *)arguments->methods.of);
    free(arguments->xacro.of);
    free(arguments->package.of);
}
