// Compiles and runs specialised code on its own, before a library contains it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "files.h"
#include "number.h"
#include "special.h"

#define LIMIT ((size_t)64 << 20) // limit of the output [bytes]

// Test program. Reads n, the number of parameters and of states, the parameters, and for each state
// q, qd and tau. For each version of the code, each instruction set, and each state it writes:
// success (1 or 0), qdd, the same of derivatives (-1: none) at accelerations tau, the derivatives,
// and the first two again for a batch of states.
static const char trial_program[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include \"special.h\"\n"
    "#if defined(__x86_64__)\n"
    "#include <cpuid.h>\n"
    "static int has(unsigned features, unsigned registers)\n" // as fast.c asks
    "{\n"
    "    const unsigned needed = 1u << 12 | 1u << 27 | 1u << 28;\n" // FMA, xgetbv, AVX
    "    unsigned       a, b, c, d, low, high;\n"
    "    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & needed) != needed) return 0;\n"
    "    __asm__ volatile(\"xgetbv\" : \"=a\"(low), \"=d\"(high) : \"c\"(0));\n"
    "    return (low & registers) == registers && __get_cpuid_count(7, 0, &a, &b, &c, &d) &&\n"
    "           (b & features) == features;\n"
    "}\n"
    "#endif\n"
    "static int runs(int kernel)\n"
    "{\n"
    "#if defined(__x86_64__)\n"
    "    if (kernel == FA_SPECIAL_WITH_FMA) return has(1u << 5, 0x06);\n"
    "    if (kernel == FA_SPECIAL_WITH_AVX512)\n"
    "        return has(1u << 5 | 1u << 16 | 1u << 17 | 1u << 31, 0xE6);\n"
    "#endif\n"
    "    return kernel == FA_SPECIAL_PLAIN;\n"
    "}\n"
    "static double *numbers(FILE *in, int n)\n"
    "{\n"
    "    double *v = calloc((size_t)n + 1, sizeof *v);\n"
    "    if (!v || fread(v, sizeof *v, (size_t)n, in) != (size_t)n) exit(1);\n"
    "    return v;\n"
    "}\n"
    "int main(int argc, char *argv[])\n"
    "{\n"
    "    int   head[3];\n"
    "    FILE *in = argc > 2 ? fopen(argv[1], \"rb\") : NULL;\n"
    "    FILE *out = argc > 2 ? fopen(argv[2], \"wb\") : NULL;\n"
    "    if (!in || !out || fread(head, sizeof *head, 3, in) != 3) return 1;\n"
    "    const int n = head[0];\n"
    "    const int size = n * head[2];\n"
    "    double   *parameter = numbers(in, head[1]), *state = numbers(in, 3 * size);\n"
    "    double   *q = state, *qd = q + size, *tau = qd + size;\n"
    "    const size_t n_answer = 3 + 2 * (size_t)n + 3 * (size_t)n * (size_t)n;\n"
    "    double *answer = calloc(n_answer, sizeof *answer);\n"
    "    double *many = calloc((size_t)size + 1, sizeof *many);\n"
    "    if (!answer || !many) return 1;\n"
    "    for (int v = 0; v < fa_special_count; v++) {\n"
    "        const fa_special *code = &fa_special_code[v];\n"
    "        double *block = calloc((size_t)code->n_block + 1, sizeof *block);\n"
    "        if (!block || code->n != n) return 1;\n"
    "        code->prepare(parameter, block);\n"
    "        for (int k = 0; k < FA_SPECIAL_KERNELS; k++)\n"
    "            for (int i = 0; runs(k) && i < head[2]; i++) {\n"
    "                double *by_q = answer + n + 2, *by_qd = by_q + n * n, *by_tau = by_qd + n * "
    "n;\n"
    "                const fa_special_states *states = &code->states[k];\n"
    "                const int at = n * i, lane = i % states->lanes;\n"
    "                static unsigned answered;\n"
    "                if (lane == 0)\n"
    "                    answered = states->forward(block, q + at, qd + at, tau + at, many + at);\n"
    "                answer[0] =\n"
    "                    code->forward[k](block, q + at, qd + at, tau + at, answer + 1) == FA_OK;\n"
    "                answer[n + 1] = -1;\n"
    "                if (code->jacobians[k])\n"
    "                    answer[n + 1] = code->jacobians[k](block, q + at, qd + at, tau + at, "
    "by_q,\n"
    "                                                       by_qd, by_tau) == FA_OK;\n"
    "                by_tau[n * n] = answered >> lane & 1;\n"
    "                memcpy(by_tau + n * n + 1, many + at, (size_t)n * sizeof *many);\n"
    "                fwrite(answer, sizeof *answer, n_answer, out);\n"
    "            }\n"
    "    }\n"
    "    return fclose(out) == 0 ? 0 : 1;\n"
    "}\n";

static fa_status write_states(const char *path, const fa_chain *chain, fa_error *error)
{
    const size_t n = (size_t)chain->n, n_parameters = FA_SPECIAL_PER_BODY * n + 3;
    const int    head[3] = {chain->n, (int)n_parameters, FA_SPECIAL_TRIALS};
    const size_t size = sizeof head + (n_parameters + 3 * n * FA_SPECIAL_TRIALS) * sizeof(double);
    double       parameter[FA_SPECIAL_PER_BODY * FA_SPECIAL_MAX + 3], state[3][FA_SPECIAL_MAX];
    char        *bytes = malloc(size), *at = bytes;
    if (!bytes)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to try the code for this arm");
    memcpy(at, head, sizeof head);
    at += sizeof head;
    fa_special_parameters(chain, parameter);
    memcpy(at, parameter, n_parameters * sizeof *parameter);
    at += n_parameters * sizeof *parameter;
    for (int trial = 0; trial < FA_SPECIAL_TRIALS; trial++) {
        fa_special_trial(chain, trial, state[0], state[1], state[2]);
        for (int k = 0; k < 3; k++)
            memcpy(at + ((size_t)k * FA_SPECIAL_TRIALS + (size_t)trial) * n * sizeof **state,
                   state[k], n * sizeof **state);
    }
    fa_status status = fa_file_write(path, bytes, size, error);
    free(bytes);
    return status;
}

typedef struct verdict {
    int    asked, answered;
    double worst;
} verdict;

static void weigh(verdict *v, double apart)
{
    v->worst = fmax(v->worst, isnan(apart) ? INFINITY : apart);
}

// Checks one result of the program.
static void judge_one(verdict *v, const fa_chain *chain, const double answer[])
{
    const int n = chain->n;
    double    q[FA_SPECIAL_MAX], qd[FA_SPECIAL_MAX], tau[FA_SPECIAL_MAX];
    fa_special_trial(chain, v->asked++ % FA_SPECIAL_TRIALS, q, qd, tau);
    const double *jacobian = answer + n + 2, *many = jacobian + 3 * n * n;
    v->answered += answer[0] == 1 && answer[n + 1] != 0 && many[0] == 1;
    if (answer[0] == 1) weigh(v, fa_special_apart(chain, q, qd, tau, answer + 1));
    if (answer[n + 1] == 1) weigh(v, fa_special_jacobian_apart(chain, q, qd, tau, jacobian));
    if (many[0] == 1) weigh(v, fa_special_apart(chain, q, qd, tau, many + 1));
}

static fa_status judge(const char *path, const fa_chain *chain, fa_error *error)
{
    const size_t n = (size_t)chain->n, n_answer = 3 + 2 * n + 3 * n * n;
    char        *bytes;
    size_t       size;
    verdict      v = {0, 0, 0};
    fa_status    status = fa_file_read(path, LIMIT, &bytes, &size, error);
    if (status != FA_OK) return status;
    double *answer = malloc(n_answer * sizeof *answer);
    for (size_t at = 0; answer && at + n_answer * sizeof *answer <= size;
         at += n_answer * sizeof *answer) {
        memcpy(answer, bytes + at, n_answer * sizeof *answer);
        judge_one(&v, chain, answer);
    }
    free(bytes);
    free(answer);
    // The code may leave some states to the general method, but less than half.
    if (v.asked == 0 || v.asked % FA_SPECIAL_TRIALS != 0 || 2 * v.answered < v.asked)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "what the compiler made of the code for this arm answers %d of %d questions",
                       v.answered, v.asked);
    if (v.worst <= FA_SPECIAL_APART) return FA_OK;
    return fa_fail(
        error, FA_UNFIT, NULL, FA_NOWHERE,
        "what the compiler made of the code for this arm and the readable methods differ "
        "by %s of the largest torque, more than rounding explains",
        fa_number_text(v.worst).text);
}

fa_status fa_special_try(const fa_compiler *compiler, const char *sources, const char *folder,
                         const fa_specialised *code, const fa_chain *chain, fa_error *error)
{
    char headers[FA_PATH_SIZE], special[FA_PATH_SIZE], trial[FA_PATH_SIZE], program[FA_PATH_SIZE];
    char states[FA_PATH_SIZE], answers[FA_PATH_SIZE];
    if (!fa_path_join(headers, sources, "fmi") || !fa_path_join(special, folder, "special.c") ||
        !fa_path_join(trial, folder, "trial.c") || !fa_path_join(program, folder, "trial") ||
        !fa_path_join(states, folder, "states") || !fa_path_join(answers, folder, "answers"))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", folder);
    fa_status status = fa_file_write(special, code->text, code->size, error);
    if (status == FA_OK)
        status = fa_file_write(trial, trial_program, sizeof trial_program - 1, error);
    if (status == FA_OK) status = write_states(states, chain, error);
    if (status != FA_OK) return status;

    fa_child_words compile = fa_compile_begin(compiler, NULL), run = {.n = 0};
    fa_compile_flags(&compile, sources, headers);
    const char *const rest[] = {special, trial, "-lm", "-o", program};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) fa_child_add(&compile, rest[i]);
    if (!fa_process_finish(fa_process_start(&compile, folder)))
        return fa_compile_failed(compiler, folder, error);
    fa_child_add(&run, program);
    fa_child_add(&run, states);
    fa_child_add(&run, answers);
    if (!fa_process_finish(fa_process_start(&run, folder)))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "what the compiler %s made of the code for this arm does not run",
                       compiler->path);
    return judge(answers, chain, error);
}
