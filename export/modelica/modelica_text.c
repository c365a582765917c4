// Writes names, numbers, units and pictures in Modelica's syntax.
#include "modelica_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "picture.h"
#include "quantities.h"

void fa_modelica_put_name(FILE *out, const char *name)
{
    for (; *name; name++) fputc(*name == '.' ? '_' : *name, out);
}

void fa_modelica_put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; text && *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('"', out);
}

void fa_modelica_put_number(FILE *out, double value)
{
    if (isinf(value))
        fputs(value > 0 ? "Modelica.Constants.inf" : "-Modelica.Constants.inf", out);
    else
        fputs(fa_number_text(value + 0.0).text, out);
}

void fa_modelica_put_unit(FILE *out, int unit, const char *before)
{
    const fa_quantity_row *quantity = &fa_quantities[unit];
    if (unit == FA_UNIT_NONE) return;
    fprintf(out, "%sunit=\"%s\", quantity=\"%s\"", before, fa_units[unit].name, quantity->name);
    if (quantity->display) fprintf(out, ", displayUnit=\"%s\"", quantity->display);
}

void fa_modelica_put_list(FILE *out, const int list[], int n)
{
    if (n == 0) fputs("fill(0, 0)", out);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%d%s",
                i == 0        ? "{"
                : i % 24 == 0 ? ",\n      "
                              : ", ",
                list[i], i == n - 1 ? "}" : "");
}

bool fa_modelica_feeds_through(const fa_modelica *m, int row)
{
    const int *first = m->table.first;
    if (first[FA_STATE] <= row && row < first[FA_OUTPUT]) return false;
    for (int input = first[FA_INPUT]; input < first[FA_STATE]; input++) {
        const bool real = m->table.row[input].type == FA_REAL;
        if (m->probed && real && !fa_probe_effect(&m->probe, row, input)) continue;
        if (m->plant->depends(m->robot, &m->table, row, input) != FA_INDEPENDENT) return true;
    }
    return false;
}

fa_status fa_modelica_put_icon(FILE *out, const fa_robot *robot, fa_error *error)
{
    static const char *const colour[FA_INK_COUNT] = {[FA_INK_GROUND] = "{128,128,128}",
                                                     [FA_INK_LINK] = "{45,90,150}",
                                                     [FA_INK_JOINT] = "{30,30,30}",
                                                     [FA_INK_TIP] = "{200,60,40}"};
    fa_picture               picture;
    fa_status                status = fa_picture_draw(robot, &picture, error);
    if (status != FA_OK) return status;
    fputs("Icon(coordinateSystem(extent={{-100,-100},{100,100}}), graphics={\n"
          "      Rectangle(extent={{-100,100},{100,-100}}, lineColor={0,0,127}, "
          "fillColor={255,255,255},\n"
          "        fillPattern=FillPattern.Solid)",
          out);
    for (int i = 0; i < picture.n; i++) {
        const fa_stroke *s = &picture.stroke[i];
        const double     x1 = 160 * s->x1 - 80, y1 = 160 * s->y1 - 80;
        const double     x2 = 160 * s->x2 - 80, y2 = 160 * s->y2 - 80, r = 80 * s->width;
        // Rounds to a tenth, for the same text on every machine.
        if (x1 == x2 && y1 == y2)
            fprintf(out,
                    ",\n      Ellipse(extent={{%d,%d},{%d,%d}}, lineColor=%s, fillColor=%s,\n"
                    "        fillPattern=FillPattern.Solid)",
                    (int)lround(x1 - r), (int)lround(y1 - r), (int)lround(x1 + r),
                    (int)lround(y1 + r), colour[s->ink], colour[s->ink]);
        else
            fprintf(out, ",\n      Line(points={{%d,%d},{%d,%d}}, color=%s, thickness=%d)",
                    (int)lround(x1), (int)lround(y1), (int)lround(x2), (int)lround(y2),
                    colour[s->ink], r > 1 ? (int)lround(r) : 1);
    }
    fputs(
        ",\n      Text(extent={{-150,140},{150,102}}, textColor={0,0,255}, textString=\"%name\")})",
        out);
    free(picture.stroke);
    return FA_OK;
}
