// forearm completion: scripts with which shells complete commands, options and their values.
#include <stdio.h>
#include <string.h>

#include "options.h"

#define SHELLS "bash zsh fish powershell"

// A choice's words stand between bars, and a shell wants them between spaces.
static void put_choices(const fa_option *option)
{
    for (const char *at = option->value; *at; at++) putchar(*at == '|' ? ' ' : *at);
}

static void put_command_names(void)
{
    for (int i = 0; i < FA_COMMAND_COUNT; i++) printf(" %s", fa_commands[i].name);
}

// Returns the option of a command that comes at or after *k in the table, and moves *k past it;
// NULL: there is none.
static const fa_option *next_option(const fa_command *command, int *k)
{
    while (*k < fa_option_count) {
        const fa_option *option = &fa_option_rows[(*k)++];
        if (fa_option_belongs(option, command)) return option;
    }
    return NULL;
}

// Prints a line for each option of each command that takes one of some words: the command with the
// option, and the words, with texts before, between and behind them.
static void put_values(const char *before, const char *between, const char *behind)
{
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        int k = 0;
        for (const fa_option *o; (o = next_option(&fa_commands[i], &k));) {
            if (o->kind != FA_OPTION_CHOICE) continue;
            printf("%s%s --%s%s", before, fa_commands[i].name, o->name, between);
            put_choices(o);
            puts(behind);
        }
    }
}

static bool takes_value(const fa_option *option)
{
    return option->kind != FA_OPTION_SWITCH && option->kind != FA_OPTION_MAYBE_TEXT;
}

// The first sentence or part of one, without letters that mean something to a shell inside quotes.
static void put_about(const char *about, const char *forbidden)
{
    for (const char *at = about; *at && *at != ';' && *at != '('; at++) {
        if (*at == '.' && (at[1] == ' ' || !at[1])) return;
        if (*at == ' ' && (at[1] == '(' || at[1] == ';')) return;
        if (!strchr(forbidden, *at)) putchar(*at);
    }
}

// ------------------------------------------------------------------------------------------- bash

static void put_bash(void)
{
    puts("# Completion of forearm for bash: source <(forearm completion bash)\n"
         "_forearm() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then");
    fputs("    COMPREPLY=($(compgen -W \"--help --version", stdout);
    put_command_names();
    puts("\" -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in");
    put_values("    \"", "\") COMPREPLY=($(compgen -W \"", "\" -- \"$word\")); return ;;");
    puts("  esac\n  case \"${COMP_WORDS[1]} $word\" in");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("    \"%s -\"*) COMPREPLY=($(compgen -W \"", fa_commands[i].name);
        int k = 0;
        for (const fa_option *o; (o = next_option(&fa_commands[i], &k));) printf("--%s ", o->name);
        puts("\" -- \"$word\")) ;;");
    }
    fputs("    \"help \"*) COMPREPLY=($(compgen -W \"", stdout);
    put_command_names();
    puts("\" -- \"$word\")) ;;\n"
         "    \"completion \"*) COMPREPLY=($(compgen -W \"" SHELLS "\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -o bashdefault -F _forearm forearm");
}

// -------------------------------------------------------------------------------------------- zsh

static void put_zsh(void)
{
    puts(
        "#compdef forearm\n"
        "# Completion of forearm for zsh: forearm completion zsh > _forearm, in a folder of fpath\n"
        "_forearm() {\n"
        "  local -a commands\n"
        "  commands=(");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("    '%s:", fa_commands[i].name);
        put_about(fa_commands[i].summary, "':");
        puts("'");
    }
    puts("  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  local command=$words[2]\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $command in");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("    %s)\n      _arguments", fa_commands[i].name);
        int k = 0;
        for (const fa_option *option; (option = next_option(&fa_commands[i], &k));) {
            printf(" \\\n        '*--%s[", option->name);
            put_about(option->about, "'[]:");
            putchar(']');
            if (option->kind == FA_OPTION_CHOICE) {
                fputs(":value:(", stdout);
                put_choices(option);
                putchar(')');
            } else if (takes_value(option)) {
                fputs(":value:_files", stdout);
            }
            putchar('\'');
        }
        puts(i == FA_COMMAND_HELP         ? " \\\n        '1:command:_describe command commands' ;;"
             : i == FA_COMMAND_COMPLETION ? " \\\n        '1:shell:(" SHELLS ")' ;;"
                                          : " \\\n        '*:file:_files' ;;");
    }
    puts("  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _forearm ]; then _forearm \"$@\"; else compdef _forearm "
         "forearm; fi");
}

// ------------------------------------------------------------------------------------------- fish

static void put_fish(void)
{
    puts("# Completion of forearm for fish: forearm completion fish | source");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("complete -c forearm -n __fish_use_subcommand -f -a %s -d '", fa_commands[i].name);
        put_about(fa_commands[i].summary, "'");
        puts("'");
    }
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        int k = 0;
        for (const fa_option *option; (option = next_option(&fa_commands[i], &k));) {
            printf("complete -c forearm -n '__fish_seen_subcommand_from %s' -l %s",
                   fa_commands[i].name, option->name);
            if (option->letter) printf(" -s %c", option->letter);
            if (option->kind == FA_OPTION_CHOICE) {
                fputs(" -x -a '", stdout);
                put_choices(option);
                putchar('\'');
            } else if (takes_value(option)) {
                fputs(" -r", stdout);
            }
            fputs(" -d '", stdout);
            put_about(option->about, "'");
            puts("'");
        }
    }
    fputs("complete -c forearm -n '__fish_seen_subcommand_from help' -f -a '", stdout);
    put_command_names();
    puts("'\ncomplete -c forearm -n '__fish_seen_subcommand_from completion' -f -a '" SHELLS "'");
}

// ------------------------------------------------------------------------------------- PowerShell

// Prints text between single quotes, in which PowerShell doubles a quote.
static void put_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) fputs(*text == '\'' ? "''" : (char[]){*text, 0}, stdout);
    putchar('\'');
}

// The script holds tables of the commands, of each one's options, and of options' values.
static void put_powershell(void)
{
    puts("# Completion of forearm for PowerShell:\n"
         "# forearm completion powershell | Out-String | Invoke-Expression\n"
         "Register-ArgumentCompleter -Native -CommandName forearm -ScriptBlock {\n"
         "  param($word, $line, $at)\n"
         "  $commands = [ordered]@{");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("    '%s' = ", fa_commands[i].name);
        put_quoted(fa_commands[i].summary);
        putchar('\n');
    }
    puts("  }\n  $options = @{");
    for (int i = 0; i < FA_COMMAND_COUNT; i++) {
        printf("    '%s' = [ordered]@{\n", fa_commands[i].name);
        int k = 0;
        for (const fa_option *o; (o = next_option(&fa_commands[i], &k));) {
            printf("      '--%s' = ", o->name);
            put_quoted(o->about);
            putchar('\n');
        }
        puts("    }");
    }
    puts("  }\n  $values = @{");
    put_values("    '", "' = -split '", "'");
    puts("    'completion' = -split '" SHELLS "'\n"
         "    'help' = @($commands.Keys)\n"
         "  }\n"
         "  $words = @($line.CommandElements | Where-Object { $_.Extent.EndOffset -lt $at } |\n"
         "    ForEach-Object { $_.ToString() })\n"
         "  $command = if ($words.Count -gt 1) { $words[1] } else { '' }\n"
         "  $before = \"$command $($words[-1])\"\n"
         "  $offered = [ordered]@{}\n"
         "  if ($words.Count -eq 1) {\n"
         "    $offered = $commands\n"
         "    $offered['--help'] = 'explain the commands'\n"
         "    $offered['--version'] = 'show the version'\n"
         "  } elseif ($values.ContainsKey($before)) {\n"
         "    $values[$before] | ForEach-Object { $offered[$_] = $_ }\n"
         "  } elseif ($word -like '-*' -and $options.ContainsKey($command)) {\n"
         "    $offered = $options[$command]\n"
         "  } elseif ($values.ContainsKey($command)) {\n"
         "    $values[$command] | ForEach-Object { $offered[$_] = $_ }\n"
         "  }\n"
         "  $offered.Keys | Where-Object { $_.StartsWith($word) } | ForEach-Object {\n"
         "    [System.Management.Automation.CompletionResult]::new(\n"
         "      $_, $_, 'ParameterValue', $offered[$_])\n"
         "  }\n"
         "}");
}

fa_exit fa_run_completion(const fa_arguments *arguments)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } shells[] = {
        {"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}, {"powershell", put_powershell}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(arguments->operand, shells[i].name) != 0) continue;
        shells[i].put();
        return FA_EXIT_DONE;
    }
    fa_error error = fa_no_error();
    return fa_report(
        fa_fail(&error, FA_UNFIT, NULL, FA_NOWHERE,
                "forearm completion knows the shells bash, zsh, fish and powershell, and not '%s'",
                arguments->operand),
        &error);
}
