// Counts the operations of every method on a general arm of n revolute joints, or on a snake of n
// links, and fits a formula in n to them. The formulas are exact: each meets all counts from its
// smallest n to 12.
//
//     count_operations [--snake] [--markdown]
//     count_operations --steps      line by line of Mata and others' sections 4.1 and 4.2
#include "counts.h"
#include "general_arm.h"
#include "polynomial.h"

// -------------------------------------------------------------------------------------------- arms

static const char *const question_names[] = {"forward", "inverse", "bias", "matrix"};

static void print_row(const fa_method *method, fa_question question, bool markdown)
{
    fa_body       body[POLYNOMIAL_POINTS];
    fa_operations executed[POLYNOMIAL_POINTS + 1], online[POLYNOMIAL_POINTS + 1];
    long          products[POLYNOMIAL_POINTS + 1], sums[POLYNOMIAL_POINTS + 1];
    for (int n = 1; n <= POLYNOMIAL_POINTS; n++) {
        const fa_chain  chain = general_arm(n, body);
        const fa_status status = fa_count(method->name, question, &chain, &executed[n], &online[n]);
        if (status != FA_OK) return; // the method does not support this question
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

static void print_arms(bool markdown)
{
    const fa_question order[] = {FA_INVERSE, FA_BIAS, FA_MATRIX, FA_FORWARD};
    if (markdown)
        printf("| method | call | products | sums | n = 6 | n = 6, executed |\n"
               "|---|---|---|---|---|---|\n");
    for (int k = 0; k < 4; k++)
        for (int m = 0; m < fa_method_count; m++) print_row(fa_methods[m], order[k], markdown);
}

// Prints the operations of each line of the paper's lists, as formulas that fit the counts of 3 to
// 12 joints.
static void print_steps(fa_question question)
{
    fa_step_count at[POLYNOMIAL_POINTS + 1][FA_STEPS_MAX];
    long          products[POLYNOMIAL_POINTS + 1], sums[POLYNOMIAL_POINTS + 1];
    fa_body       body[POLYNOMIAL_POINTS];
    int           steps = 0;
    for (int n = 1; n <= POLYNOMIAL_POINTS; n++) {
        const fa_chain chain = general_arm(n, body);
        steps = fa_count_gibbs_steps(question, &chain, at[n]);
    }
    printf("| %s | products | sums | n = 6 |\n|---|---|---|---|---|\n",
           question == FA_MATRIX ? "section 4.2 | printed, each time: in all, n = 6"
                                 : "section 4.1 | printed, each time");
    for (int i = 0; i < steps; i++) {
        polynomial of_products, of_sums;
        char       first[128] = "no polynomial", second[128] = "no polynomial";
        for (int n = 1; n <= POLYNOMIAL_POINTS; n++) {
            products[n] = at[n][i].products;
            sums[n] = at[n][i].sums;
        }
        if (polynomial_from(products, 3, &of_products)) polynomial_print(&of_products, first);
        if (polynomial_from(sums, 3, &of_sums)) polynomial_print(&of_sums, second);
        printf("| %s | %s | %s | %s | %ld, %ld |\n", at[6][i].name, at[6][i].paper, first, second,
               products[6], sums[6]);
    }
}

// ------------------------------------------------------------------------------------------ snakes

enum { LINKS_MAX = 20 };

static fa_operations count_snake(const fa_snake_method *method, int n, bool wheel_forces)
{
    fa_snake_link  link[LINKS_MAX];
    fa_snake_joint joint[LINKS_MAX] = {{0}};
    fa_operations  executed, online;
    for (int k = 0; k < n; k++) link[k] = (fa_snake_link){.a = 0.1, .b = 0.1, .m = 1, .I = 0.005};
    const fa_snake snake = {n, 0, link, joint, 0};
    if (fa_count_snake(method->name, &snake, wheel_forces, &executed, &online) != FA_OK)
        return (fa_operations){-1, -1, -1, -1, -1};
    return executed;
}

// Prints the formula of counts of n = 2, 3, ... links.
static void print_formula(const long f[], char text[128])
{
    polynomial p;
    snprintf(text, 128, "no polynomial");
    for (int first = 2; first <= 4; first++)
        if (polynomial_from(f, first, &p)) {
            polynomial_print(&p, text);
            return;
        }
}

static void print_snake_row(const fa_snake_method *method, bool wheel_forces, bool markdown)
{
    long multiply[POLYNOMIAL_POINTS + 1], add[POLYNOMIAL_POINTS + 1], divide[POLYNOMIAL_POINTS + 1];
    char formula[3][128];
    for (int n = 2; n <= POLYNOMIAL_POINTS; n++) {
        const fa_operations of = count_snake(method, n, wheel_forces);
        multiply[n] = of.multiplications;
        add[n] = of.additions;
        divide[n] = of.divisions;
    }
    const fa_operations twenty = count_snake(method, 20, wheel_forces);
    print_formula(multiply, formula[0]);
    print_formula(add, formula[1]);
    print_formula(divide, formula[2]);
    printf(markdown ? "| `%s`%s | %s | %s | %s | %ld, %ld | %ld, %ld | %ld, %ld |\n"
                    : "%-12s %-13s  %-34s  %-34s  %-22s  %6ld %6ld  %6ld %6ld  %6ld %6ld\n",
           method->name, wheel_forces ? ", wheel forces" : "", formula[0], formula[1], formula[2],
           multiply[3], add[3], multiply[12], add[12], twenty.multiplications, twenty.additions);
}

static void print_snakes(bool markdown)
{
    if (markdown)
        printf("| method | multiplications | additions | divisions | n = 3 | n = 12 | n = 20 |\n"
               "|---|---|---|---|---|---|---|\n");
    for (int m = 0; m < fa_snake_method_count; m++)
        for (int forces = 0; forces <= 1; forces++)
            print_snake_row(&fa_snake_methods[m], forces, markdown);
}

int main(int argc, char *argv[])
{
    bool markdown = false, snake = false, steps = false;
    for (int i = 1; i < argc; i++) {
        markdown = markdown || strcmp(argv[i], "--markdown") == 0;
        snake = snake || strcmp(argv[i], "--snake") == 0;
        steps = steps || strcmp(argv[i], "--steps") == 0;
    }
    if (steps) {
        print_steps(FA_INVERSE);
        printf("\n");
        print_steps(FA_MATRIX);
    } else if (snake)
        print_snakes(markdown);
    else
        print_arms(markdown);
    return 0;
}
