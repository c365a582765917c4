// The keywords of C, Modelica and MATLAB.
#include "keywords.h"

#include <stdlib.h>
#include <string.h>

typedef struct keyword {
    const char *word;
    unsigned    languages;
} keyword;

// Sorted.
static const keyword keywords[] = {
    {"algorithm", FA_OF_MODELICA},
    {"and", FA_OF_MODELICA},
    {"annotation", FA_OF_MODELICA},
    {"assert", FA_OF_C},
    {"auto", FA_OF_C},
    {"block", FA_OF_MODELICA},
    {"break", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"case", FA_OF_C | FA_OF_MATLAB},
    {"catch", FA_OF_MATLAB},
    {"char", FA_OF_C},
    {"class", FA_OF_MODELICA},
    {"classdef", FA_OF_MATLAB},
    {"connect", FA_OF_MODELICA},
    {"connector", FA_OF_MODELICA},
    {"const", FA_OF_C},
    {"constant", FA_OF_MODELICA},
    {"constrainedby", FA_OF_MODELICA},
    {"continue", FA_OF_C | FA_OF_MATLAB},
    {"default", FA_OF_C},
    {"der", FA_OF_MODELICA},
    {"discrete", FA_OF_MODELICA},
    {"do", FA_OF_C},
    {"double", FA_OF_C},
    {"each", FA_OF_MODELICA},
    {"else", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"elseif", FA_OF_MODELICA | FA_OF_MATLAB},
    {"elsewhen", FA_OF_MODELICA},
    {"encapsulated", FA_OF_MODELICA},
    {"end", FA_OF_MODELICA | FA_OF_MATLAB},
    {"enum", FA_OF_C},
    {"enumeration", FA_OF_MODELICA},
    {"equation", FA_OF_MODELICA},
    {"expandable", FA_OF_MODELICA},
    {"extends", FA_OF_MODELICA},
    {"extern", FA_OF_C},
    {"external", FA_OF_MODELICA},
    {"false", FA_OF_MODELICA},
    {"final", FA_OF_MODELICA},
    {"float", FA_OF_C},
    {"flow", FA_OF_MODELICA},
    {"for", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"function", FA_OF_MODELICA | FA_OF_MATLAB},
    {"global", FA_OF_MATLAB},
    {"goto", FA_OF_C},
    {"if", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"import", FA_OF_MODELICA},
    {"impure", FA_OF_MODELICA},
    {"in", FA_OF_MODELICA},
    {"initial", FA_OF_MODELICA},
    {"inline", FA_OF_C},
    {"inner", FA_OF_MODELICA},
    {"input", FA_OF_MODELICA},
    {"int", FA_OF_C},
    {"long", FA_OF_C},
    {"loop", FA_OF_MODELICA},
    {"model", FA_OF_MODELICA},
    {"not", FA_OF_MODELICA},
    {"operator", FA_OF_MODELICA},
    {"or", FA_OF_MODELICA},
    {"otherwise", FA_OF_MATLAB},
    {"outer", FA_OF_MODELICA},
    {"output", FA_OF_MODELICA},
    {"package", FA_OF_MODELICA},
    {"parameter", FA_OF_MODELICA},
    {"parfor", FA_OF_MATLAB},
    {"partial", FA_OF_MODELICA},
    {"persistent", FA_OF_MATLAB},
    {"protected", FA_OF_MODELICA},
    {"public", FA_OF_MODELICA},
    {"pure", FA_OF_MODELICA},
    {"record", FA_OF_MODELICA},
    {"redeclare", FA_OF_MODELICA},
    {"register", FA_OF_C},
    {"replaceable", FA_OF_MODELICA},
    {"restrict", FA_OF_C},
    {"return", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"short", FA_OF_C},
    {"signed", FA_OF_C},
    {"sizeof", FA_OF_C},
    {"spmd", FA_OF_MATLAB},
    {"static", FA_OF_C},
    {"stream", FA_OF_MODELICA},
    {"struct", FA_OF_C},
    {"switch", FA_OF_C | FA_OF_MATLAB},
    {"then", FA_OF_MODELICA},
    {"true", FA_OF_MODELICA},
    {"try", FA_OF_MATLAB},
    {"type", FA_OF_MODELICA},
    {"typedef", FA_OF_C},
    {"union", FA_OF_C},
    {"unsigned", FA_OF_C},
    {"void", FA_OF_C},
    {"volatile", FA_OF_C},
    {"when", FA_OF_MODELICA},
    {"while", FA_OF_C | FA_OF_MODELICA | FA_OF_MATLAB},
    {"within", FA_OF_MODELICA},
};

static int compare(const void *word, const void *entry)
{
    return strcmp(word, ((const keyword *)entry)->word);
}

bool fa_is_keyword(const char *word, unsigned languages)
{
    const size_t   n = sizeof keywords / sizeof *keywords;
    const keyword *found = bsearch(word, keywords, n, sizeof *keywords, compare);
    return found && (found->languages & languages);
}
