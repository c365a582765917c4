// Logging: formats messages, with variable names in place of value references.
#include "instance.h"

#include "number.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_SIZE 2048

static const char *const category_name[FA_CATEGORY_COUNT] = {
#define X(code, name, description) [code] = name,
    FA_CATEGORY_LIST(X)
#undef X
};

// Returns true if the message is logged. Errors and the first discard of each call are logged even
// if the host disabled their category: an error ends the simulation, and solvers repeat discards.
static bool is_asked_for(fa_instance *self, fa_category category)
{
    if (self->log[category]) return true;
    if (category != FA_CATEGORY_DISCARD || !self->call) return false;
    bool      *told = &self->told[FA_TOLD_DISCARD + self->call->index];
    const bool first = !*told;
    *told = true;
    return first;
}

static void say(fa_instance *self, fa_outcome outcome, fa_category category, const char *format,
                va_list arguments)
{
    if (!self->host.log || !self->host.logger || !is_asked_for(self, category)) return;
    char message[MESSAGE_SIZE];
    int  used = 0;
    if (self->call)
        used = snprintf(message, sizeof message, "fmi%d%s: ", self->fmi, self->call->name);
    if (used >= 0 && (size_t)used < sizeof message)
        vsnprintf(message + used, sizeof message - (size_t)used, format, arguments);
    fa_arithmetic_give_back(self->of_host);
    self->host.log(self, outcome, category_name[category], message);
    self->of_host = fa_arithmetic_take();
}

fa_outcome fa_warn_host(fa_instance *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(self, FA_WARNED, FA_CATEGORY_WARNING, format, arguments);
    va_end(arguments);
    return FA_WARNED;
}

fa_outcome fa_discard(fa_instance *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(self, FA_DISCARDED, FA_CATEGORY_DISCARD, format, arguments);
    va_end(arguments);
    return FA_DISCARDED;
}

fa_outcome fa_refuse(fa_instance *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(self, FA_FAILED, FA_CATEGORY_ERROR, format, arguments);
    va_end(arguments);
    if (self->moment) self->moment->mode = FA_MODE_TERMINATED;
    return FA_FAILED;
}

static fa_outcome failed(fa_instance *self, fa_status status, const fa_error *error,
                         const char *when)
{
    const char *sentence = error->message[0] ? error->message : fa_status_text(status);
    const bool  unsolvable = status == FA_SINGULAR || status == FA_NOT_FINITE || status == FA_UNFIT;
    return unsolvable ? fa_discard(self, "%s%s", when, sentence)
                      : fa_refuse(self, "%s%s", when, sentence);
}

fa_outcome fa_model_failed(fa_instance *self, fa_status status, const fa_error *error)
{
    char          when[64];
    const fa_text time = fa_number_text(self->value[self->time_row]);
    (void)snprintf(when, sizeof when, "at t = %s s: ", time.text);
    return failed(self, status, error, when);
}

fa_outcome fa_step_failed(fa_instance *self, fa_status status, const fa_error *error)
{
    return failed(self, status, error, "");
}

void fa_note(fa_instance *self, fa_category category, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(self, FA_DONE, category, format, arguments);
    va_end(arguments);
}

void fa_tell_once(fa_instance *self, int what, const char *format, ...)
{
    if (self->told[what]) return;
    self->told[what] = true;
    va_list arguments;
    va_start(arguments, format);
    say(self, FA_DONE, FA_CATEGORY_WARNING, format, arguments);
    va_end(arguments);
}

fa_outcome fa_choose_messages(fa_instance *self, bool on, size_t n, const char *const category[])
{
    if (n > 0 && !category) return fa_refuse(self, "the array of categories is missing");
    bool        chosen[FA_CATEGORY_COUNT] = {false};
    const char *unknown = NULL;
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (int c = 0; c < FA_CATEGORY_COUNT; c++) {
            bool same = category[i] && strcmp(category[i], category_name[c]) == 0;
            // FMI 2.0 has a category for all messages
            if (same || (category[i] && strcmp(category[i], "logAll") == 0)) {
                chosen[c] = true;
                known = true;
            }
        }
        if (!known && !unknown) unknown = category[i] ? category[i] : "";
    }
    for (int c = 0; c < FA_CATEGORY_COUNT; c++)
        self->log[c] = c == FA_CATEGORY_ERROR || (on && (n == 0 || chosen[c]));
    if (unknown)
        return fa_warn_host(
            self, "there is no category '%s'; modelDescription.xml lists those there are", unknown);
    return FA_DONE;
}

void fa_double(const char *text, const char *special, char out[], size_t size)
{
    size_t n = 0;
    for (; *text && n + 2 < size; text++) {
        if (strchr(special, *text)) out[n++] = *text;
        out[n++] = *text;
    }
    out[n] = '\0';
}
