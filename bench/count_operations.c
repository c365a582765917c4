// Counts the operations of every method on a general arm of n revolute joints, and fits a formula
// in n to them. The formulas are exact: each meets all counts from its smallest n to 12.
//
//     count_operations [--markdown]
#include "counts.h"
#include "general_arm.h"
#include "polynomial.h"

static const char *const question_names[] = {"forward", "inverse", "bias", "matrix"};

static void print_row(const fa_method *method, fa_question question, bool markdown)
{
    fa_body       body[POLYNOMIAL_POINTS];
    fa_operations executed[POLYNOMIAL_POINTS + 1], online[POLYNOMIAL_POINTS + 1];
    long          products[POLYNOMIAL_POINTS + 1], sums[POLYNOMIAL_POINTS + 1];
    for (int n = 1; n <= POLYNOMIAL_POINTS; n++) {
        const fa_chain  chain = general_arm(n, body);
        const fa_status status = fa_count(method->name, question, &chain, &executed[n], &online[n]);
        if (status != FA_OK) return; // the method does not answer this question
        products[n] = fa_products(online[n]);
        sums[n] = online[n].additions;
    }
    polynomial of_products, of_sums;
    char       first[128] = "no polynomial", second[128] = "no polynomial";
    if (polynomial_fit(products, &of_products)) polynomial_print(&of_products, first);
    if (polynomial_fit(sums, &of_sums)) polynomial_print(&of_sums, second);
    printf(markdown ? "| `%s` | %s | %s | %s | %ld, %ld | %ld, %ld |\n"
                    : "%-20s  %-7s  %-46s  %-46s  %6ld %6ld  %7ld %7ld\n",
           method->name, question_names[question], first, second, products[6], sums[6],
           fa_products(executed[6]), executed[6].additions);
}

int main(int argc, char *argv[])
{
    const bool        markdown = argc > 1 && strcmp(argv[1], "--markdown") == 0;
    const fa_question order[] = {FA_INVERSE, FA_BIAS, FA_MATRIX, FA_FORWARD};
    if (markdown)
        printf("| method | call | products | sums | n = 6 | n = 6, executed |\n"
               "|---|---|---|---|---|---|\n");
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < fa_method_count; m++) print_row(&fa_methods[m], order[k], markdown);
    return 0;
}
