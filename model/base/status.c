// Status texts; formats errors with file, line and column.
#include "status.h"

#include <stdio.h>
#include <string.h>

#include "text.h"

const char *fa_status_text(fa_status status)
{
    static const char *const text[] = {
#define X(code, sentence) sentence,
        FA_STATUS_LIST(X)
#undef X
    };
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}

static void copy(char *to, size_t size, const char *from)
{
    size_t length = strlen(from);
    if (length >= size) length = size - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

fa_status fa_fail(fa_error *error, fa_status status, const char *file, fa_place place,
                  const char *format, ...)
{
    if (!error) return status;
    error->status = status;
    error->place = place;
    copy(error->file, sizeof error->file, file ? file : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    fa_text_make_plain(error->file);
    fa_text_make_plain(error->message);
    return status;
}

fa_status fa_explain(fa_error *error, fa_status status, const char *file)
{
    if (status == FA_OK || !error || (error->status == status && error->message[0])) return status;
    return fa_fail(error, status, file, FA_NOWHERE, "%s", fa_status_text(status));
}

static void tell(const fa_log *log, fa_warn_fn *listener, const char *file, fa_place place,
                 const char *format, va_list arguments)
{
    char sentence[1024];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    fa_text_make_plain(sentence);
    listener(log->context, file ? file : "", place, sentence);
}

void fa_warn(const fa_log *log, const char *file, fa_place place, const char *format, ...)
{
    if (!log || !log->warn) return;
    va_list arguments;
    va_start(arguments, format);
    tell(log, log->warn, file, place, format, arguments);
    va_end(arguments);
}

void fa_remark(const fa_log *log, const char *file, fa_place place, const char *format, ...)
{
    if (!log || !log->warn) return;
    va_list arguments;
    va_start(arguments, format);
    tell(log, log->remark ? log->remark : log->warn, file, place, format, arguments);
    va_end(arguments);
}
