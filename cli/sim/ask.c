// Arguments of a session command: the words behind its name and, where these end, answers to
// questions, as in the paper's program.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number.h"
#include "session.h"

const char *fa_request_next(fa_request *call)
{
    return call->used < call->n ? call->word[call->used++].text : NULL;
}

fa_status fa_request_fail(const fa_request *call, fa_error *error, const char *format, ...)
{
    char    sentence[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    bool     typed = call->used > 0 && call->used <= call->n;
    fa_place place = {0, typed ? call->word[call->used - 1].column : 0};
    return fa_fail(error, FA_BAD_INPUT, NULL, place, "%s", sentence);
}

fa_status fa_request_end(const fa_request *call, fa_error *error)
{
    if (call->used >= call->n) return FA_OK;
    return fa_fail(error, FA_BAD_INPUT, NULL, (fa_place){0, call->word[call->used].column},
                   "'%s' is too much; leave it out", call->word[call->used].text);
}

// Copies the line without leading and trailing blanks.
static const char *trimmed(const char *line, char *text, size_t size)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t", line[length - 1])) length--;
    if (length >= size) length = size - 1;
    memcpy(text, line, length);
    text[length] = '\0';
    return text;
}

fa_status fa_ask(fa_request *call, const char *question, const char *otherwise, const char **answer,
                 fa_error *error)
{
    static const size_t most = 512;
    fa_reader          *reader = &call->session->reader;
    char                prompt[640];
    const char         *line;
    *answer = fa_request_next(call);
    if (*answer) return FA_OK;
    if (otherwise)
        snprintf(prompt, sizeof prompt, "  %.*s [%s] ", (int)most, question, otherwise);
    else
        snprintf(prompt, sizeof prompt, "  %.*s ", (int)most, question);
    call->used = call->n + 1; // errors refer to the answer from now on
    fa_status status = fa_reader_next(reader, prompt, true, &line, error);
    if (status != FA_OK) return status;
    if (reader->broken) return fa_request_fail(call, error, "nothing was done");
    if (!line)
        return fa_fail(error, FA_BAD_INPUT, NULL, FA_NOWHERE,
                       "there is no answer to the question '%s'; nothing was done", question);
    *answer = trimmed(line, call->session->answer, sizeof call->session->answer);
    if (**answer) return FA_OK;
    *answer = otherwise;
    if (otherwise) return FA_OK;
    return fa_request_fail(call, error, "the question '%s' needs an answer; nothing was done",
                           question);
}

static bool is_either(const char *word, const char *plain, const char *own)
{
    return strcmp(word, plain) == 0 || (word[0] == plain[0] && !word[1]) || strcmp(word, own) == 0;
}

fa_status fa_ask_either(fa_request *call, const char *question, bool otherwise, const char *yes,
                        const char *no, bool *answer, fa_error *error)
{
    const char *word;
    fa_status   status = fa_ask(call, question, otherwise ? "yes" : "no", &word, error);
    if (status != FA_OK) return status;
    *answer = is_either(word, "yes", yes);
    if (*answer || is_either(word, "no", no)) return FA_OK;
    return fa_request_fail(call, error,
                           "the question '%s' takes yes or no, or %s or %s, and not '%s'", question,
                           yes, no, word);
}

static fa_status ask_number(fa_request *call, const char *question, const char *otherwise,
                            double *answer, fa_error *error)
{
    const char *word;
    fa_status   status = fa_ask(call, question, otherwise, &word, error);
    if (status != FA_OK) return status;
    size_t length = strlen(word);
    if (fa_number_read(word, length, answer) == length && isfinite(*answer)) return FA_OK;
    return fa_request_fail(call, error, "the question '%s' takes a number, and not '%s'", question,
                           word);
}

fa_status fa_ask_number(fa_request *call, const char *question, double otherwise, double *answer,
                        fa_error *error)
{
    const fa_text usual = fa_number_text(otherwise);
    return ask_number(call, question, usual.text, answer, error);
}

fa_status fa_ask_count(fa_request *call, const char *question, double most, double *answer,
                       fa_error *error)
{
    fa_status status = ask_number(call, question, NULL, answer, error);
    if (status != FA_OK) return status;
    if (*answer >= 1 && *answer <= most && *answer == floor(*answer)) return FA_OK;
    return fa_request_fail(call, error,
                           "the question '%s' takes a whole number from 1 to %.0f, and not %s",
                           question, most, fa_number_text(*answer).text);
}
