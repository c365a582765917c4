// Prints fmu/standard/modes.h as the tables of docs/conformity.md, which a test holds against this.
#include <stdio.h>

#include "modes.h"

static const char *const mode_words[FA_MODE_COUNT] = {
#define X(code, words) [code] = words,
    FA_MODE_LIST(X)
#undef X
};

typedef struct line {
    const char *name, *verdict[2];
} line;

static const line fmi2[] = {
#define X(name, me, cs) {"fmi2" #name, {me, cs}},
    FA_FMI2_CALL_LIST(X)
#undef X
};
static const line fmi3[] = {
#define X(name, me, cs) {"fmi3" #name, {me, cs}},
    FA_FMI3_CALL_LIST(X)
#undef X
};
static const line settings2[] = {
#define X(code, words, me2, cs2, me3, cs3) {words, {me2, cs2}},
    FA_SETTING_LIST(X)
#undef X
};
static const line settings3[] = {
#define X(code, words, me2, cs2, me3, cs3) {words, {me3, cs3}},
    FA_SETTING_LIST(X)
#undef X
};

static const char *word(char sign)
{
    switch (sign) {
    case FA_LEGAL:
        return "yes";
    case FA_TOLERATED:
        return "tolerated";
    case FA_WITH_EVENTS:
        return "with event mode";
    case FA_WITHOUT_EVENTS:
        return "without event mode";
    case FA_TOLERATED_WITH_EVENTS:
        return "yes; with event mode tolerated";
    default:
        return "no";
    }
}

// The modes that an instance of this kind is ever in, a column for each.
static void print_table(const char *title, const char *what, const line row[], int n, int kind)
{
    printf("## %s\n\n| %s |", title, what);
    for (int mode = 0; mode < FA_MODE_COUNT; mode++)
        if (row[0].verdict[kind][mode] != FA_NO_MODE) printf(" %s |", mode_words[mode]);
    printf("\n|---|");
    for (int mode = 0; mode < FA_MODE_COUNT; mode++)
        if (row[0].verdict[kind][mode] != FA_NO_MODE) printf("---|");
    printf("\n");
    for (int i = 0; i < n; i++) {
        printf("| %s |", row[i].name);
        for (int mode = 0; mode < FA_MODE_COUNT; mode++)
            if (row[0].verdict[kind][mode] != FA_NO_MODE)
                printf(" %s |", word(row[i].verdict[kind][mode]));
        printf("\n");
    }
    printf("\n");
}

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

int main(void)
{
    print_table("FMI 3.0, Model Exchange", "function", fmi3, COUNT(fmi3), 0);
    print_table("FMI 3.0, Co-Simulation", "function", fmi3, COUNT(fmi3), 1);
    print_table("FMI 2.0, Model Exchange", "function", fmi2, COUNT(fmi2), 0);
    print_table("FMI 2.0, Co-Simulation", "function", fmi2, COUNT(fmi2), 1);
    print_table("What may be set, FMI 3.0, Model Exchange", "set", settings3, COUNT(settings3), 0);
    print_table("What may be set, FMI 3.0, Co-Simulation", "set", settings3, COUNT(settings3), 1);
    print_table("What may be set, FMI 2.0, Model Exchange", "set", settings2, COUNT(settings2), 0);
    print_table("What may be set, FMI 2.0, Co-Simulation", "set", settings2, COUNT(settings2), 1);
    return 0;
}
