// Prints --help and `forearm help` from the table of options.
#include <string.h>

#include "options.h"

#define WIDTH  80 // width of the page in columns
#define INDENT 26 // column of explanations

void fa_print_wrapped(FILE *out, const char *text, int at, int indent)
{
    bool first = true;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (!first && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
            first = true;
        }
        if (!first) fputc(' ', out);
        fprintf(out, "%.*s", length, text);
        at += length + !first;
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void fa_print_explained(FILE *out, int length, const char *text)
{
    if (length + 2 > INDENT)
        fprintf(out, "\n%*s", INDENT, "");
    else
        fprintf(out, "%*s", INDENT - length, "");
    fa_print_wrapped(out, text, INDENT, INDENT);
}

// Prints a command of the shell; one that is too long goes on in the next line.
static void print_example(FILE *out, const char *text)
{
    enum { ROOM = WIDTH - 2 }; // the rest is for " \\"
    int at = fprintf(out, " ");
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (at + 1 + length > ROOM) at = fprintf(out, " \\\n     ") - 3;
        at += fprintf(out, " %.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

// Prints those options of the command that all commands which read robots take, or the others,
// under a title if there are some.
static void print_options(FILE *out, const fa_command *command, bool of_readers, const char *title)
{
    for (int i = 0; i < fa_option_count; i++) {
        const fa_option *option = &fa_option_rows[i];
        if (!fa_option_belongs(option, command) || fa_option_is_of_readers(option) != of_readers)
            continue;
        fputs(title, out);
        title = "";
        char letter[8] = "";
        if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
        const bool after_equals = option->kind == FA_OPTION_MAYBE_TEXT; // [=VALUE]
        int        length =
            fprintf(out, "  %s--%s%s%s", letter, option->name,
                    option->value && !after_equals ? " " : "", option->value ? option->value : "");
        fa_print_explained(out, length, option->about);
    }
}

void fa_print_command_help(FILE *out, const fa_command *command)
{
    fprintf(out, "forearm %s %s%s[option]...\n\n", command->name, command->operand,
            command->operand[0] ? " " : "");
    fa_print_wrapped(out, command->about, 0, 0);
    fputs("\nExamples, in the folder of the project:\n", out);
    for (int i = 0; i < FA_EXAMPLES; i++) print_example(out, fa_examples[command - fa_commands][i]);
    print_options(out, command, false, "\nOptions:\n");
    print_options(out, command, true, "\nOptions on how the robot is read:\n");
}

void fa_print_help(FILE *out)
{
    fputs("Forearm turns a robot description (URDF, MJCF, SDFormat, or its own <arm> XML)\n"
          "into a Functional Mock-up Unit, and computes with it.\n\n"
          "Commands; forearm COMMAND --help explains each:\n",
          out);
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        const fa_command *command = &fa_commands[i];
        int               length = fprintf(out, "  %s %s", command->name, command->operand);
        fa_print_explained(out, length, command->summary);
    }
    fa_print_explained(out, fprintf(out, "  --version"), "show the version");
    fputs("\nExit codes:\n", out);
#define X(code, number, text) fprintf(out, "  %d  %s\n", number, text);
    FA_EXIT_LIST(X)
#undef X
}

fa_exit fa_run_help(const fa_arguments *arguments)
{
    if (!arguments->operand) {
        if (arguments->man)
            fa_print_manual();
        else
            fa_print_help(stdout);
        return FA_EXIT_DONE;
    }
    fa_error          error = fa_no_error();
    const fa_command *command = fa_command_find(arguments->operand, &error);
    if (!command) {
        fa_report(error.status, &error);
        return FA_EXIT_USAGE;
    }
    if (arguments->man)
        fa_print_command_manual(command);
    else
        fa_print_command_help(stdout, command);
    return FA_EXIT_DONE;
}
