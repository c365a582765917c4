// Whatever the bytes: xacro is refused with a sentence, or gives text that is read again or refused
// with one. The first byte says what the rest is: f a whole file, e an expression, y a table in
// YAML.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "xacro.h"
#include "xml.h"

static void file(const char *text, size_t size)
{
    fa_expansion expansion;
    fa_error     error = fa_no_error();
    if (fa_xacro_expand(text, size, "/nowhere/fuzz", NULL, NULL, &expansion, &error) != FA_OK) {
        check(error.message[0] != '\0' && !expansion.text);
        return;
    }
    check(strlen(expansion.text) == expansion.size);
    fa_xml         *xml = NULL;
    const fa_status status =
        fa_xml_read(expansion.text, expansion.size, "again", NULL, &xml, &error);
    check(status == FA_OK || error.message[0] != '\0');
    for (int line = 1; line < 5; line++) {
        fa_place       place = {line, 1};
        fa_macro_stack stack;
        const char    *from = fa_expansion_origin(&expansion, &place, &stack);
        check(!from || place.line >= 0);
    }
    fa_xml_free(xml);
    fa_expansion_free(&expansion);
}

static void expression(const char *text, size_t size)
{
    char *all = malloc(6 * size + 80), *at = all;
    check(all != NULL);
    at += sprintf(at, "<robot a=\"${");
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (c < ' ' || c > '~') continue;
        at += strchr("<>&\"", c) ? sprintf(at, "&#%d;", c) : sprintf(at, "%c", c);
    }
    at += sprintf(at, "}\"/>");
    file(all, (size_t)(at - all));
    free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data + 1;
    fa_error    error = fa_no_error();
    if (size == 0) return 0;
    if (data[0] == 'f')
        file(text, size - 1);
    else if (data[0] == 'e')
        expression(text, size - 1);
    else if (fa_xacro_check_table(text, size - 1, "fuzz", &error) != FA_OK)
        check(error.message[0] != '\0');
    return 0;
}
