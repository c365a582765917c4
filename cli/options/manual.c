// forearm help --man: pages of the manual, in the language of man(7), from the tables that --help
// is printed from.
#include <stdio.h>
#include <string.h>

#include "options.h"

// Prints text in which no letter means anything to the formatter. What is copied into a shell has
// hyphens that are minus signs.
static void put_text(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

static void put_line(const char *text)
{
    put_text(text);
    putchar('\n');
}

static void put_words(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    put_text(text);
    fputs(after, stdout);
}

static void put_title(const char *command)
{
    fputs(".TH FOREARM", stdout);
    if (command) putchar('-');
    for (; command && *command; command++)
        putchar(*command >= 'a' && *command <= 'z' ? *command - 'a' + 'A' : *command);
    puts(" 1 \"\" \"Forearm " FOREARM_VERSION "\" \"Forearm\"");
}

static void put_exits(void)
{
    puts(".SH EXIT STATUS");
#define X(code, number, text) puts(".TP\n.B " #number), put_line(text);
    FA_EXIT_LIST(X)
#undef X
}

static void put_options(const fa_command *command, bool of_readers, const char *title)
{
    for (int i = 0; i < fa_option_count; i++) {
        const fa_option *option = &fa_option_rows[i];
        if (!fa_option_belongs(option, command) || fa_option_is_of_readers(option) != of_readers)
            continue;
        fputs(title, stdout);
        title = "";
        puts(".TP");
        if (option->letter) printf("\\fB\\-%c\\fR, ", option->letter);
        put_words("\\fB\\-\\-", option->name, "\\fR");
        if (option->value)
            put_words(option->kind == FA_OPTION_MAYBE_TEXT ? "\\fI" : " \\fI", option->value,
                      "\\fR");
        putchar('\n');
        put_line(option->about);
    }
}

void fa_print_command_manual(const fa_command *command)
{
    put_title(command->name);
    put_words(".SH NAME\nforearm\\-", command->name, " \\- ");
    put_line(command->summary);
    put_words(".SH SYNOPSIS\n.B forearm ", command->name, "\n");
    if (command->operand[0]) put_words("\\fI", command->operand, "\\fR\n");
    puts("[\\fIoption\\fR]...\n.SH DESCRIPTION");
    put_line(command->about);
    put_options(command, false, ".SH OPTIONS\n");
    put_options(command, true, ".SH OPTIONS ON HOW THE ROBOT IS READ\n");
    puts(".SH EXAMPLES\nIn the folder of the project:\n.PP\n.nf");
    for (int i = 0; i < FA_EXAMPLES; i++) put_line(fa_examples[command - fa_commands][i]);
    puts(".fi");
    put_exits();
    puts(".SH SEE ALSO\n.BR forearm (1)");
}

void fa_print_manual(void)
{
    put_title(NULL);
    puts(".SH NAME\n"
         "forearm \\- turn a robot description into a Functional Mock\\-up Unit, and compute with "
         "it\n"
         ".SH SYNOPSIS\n"
         ".B forearm\n"
         "\\fICOMMAND\\fR [\\fIoption\\fR]...\n"
         ".SH DESCRIPTION\n"
         "Forearm reads URDF, xacro, MJCF, SDFormat, and its own XML of arms, snakes and axes. "
         "What each\n"
         "command does stands on a page of its own, for instance\n"
         ".BR forearm\\-export (1);\n"
         ".B forearm export \\-\\-help\n"
         "shows the same.\n"
         ".SH COMMANDS");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        put_words(".TP\n\\fB", fa_commands[i].name, "\\fR");
        if (fa_commands[i].operand[0]) put_words(" \\fI", fa_commands[i].operand, "\\fR");
        putchar('\n');
        put_line(fa_commands[i].summary);
    }
    puts(".TP\n\\fB\\-\\-version\\fR\nshow the version");
    put_exits();
    puts(".SH SEE ALSO");
    for (int i = 0; i < FA_COMMAND_COUNT; i++)
        printf(".BR forearm\\-%s (1)%s\n", fa_commands[i].name,
               i + 1 < FA_COMMAND_COUNT ? "," : "");
}
