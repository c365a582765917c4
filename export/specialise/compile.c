#define _XOPEN_SOURCE 700
#include "compile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "number.h"
#include "process.h"
#include "special.h"

#define LIMIT ((size_t)64 << 20) // [bytes] of a file that is read

enum { JOBS_MAX = 16, SOURCES_MAX = 256 };

// -------------------------------------------------------------------------------------- compilers

fa_status fa_compiler_find(fa_compiler *compiler, fa_error *error)
{
    static const char *const names[] = {"zig", "python-zig", "clang", "cc", "gcc"};
    const char              *wish = getenv("FOREARM_CC");
    bool                     found = false;
    if (wish && *wish) {
        found = fa_program_find(wish, compiler->path);
        if (!found)
            return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                           "there is no program '%s', which FOREARM_CC names as the C compiler",
                           wish);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = fa_program_find(names[i], compiler->path);
    if (!found)
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "there is no C compiler: none of zig, clang, cc and gcc is on the PATH, and "
                       "FOREARM_CC names none");
    const char *name = strrchr(compiler->path, '/');
    compiler->is_zig = strstr(name ? name : compiler->path, "zig") != NULL;
    return FA_OK;
}

bool fa_compiles_for(const fa_compiler *compiler, const char *platform)
{
    (void)compiler;
    return strcmp(platform, fa_platform(2)) == 0 || strcmp(platform, fa_platform(3)) == 0;
}

static fa_words begin(const fa_compiler *compiler)
{
    fa_words command = {.n = 0};
    fa_words_add(&command, compiler->path);
    if (compiler->is_zig) fa_words_add(&command, "cc");
    return command;
}

// What a compiler is told of every file. No contraction but where the file says so: the general
// methods give the same bits on all machines.
static void add_flags(fa_words *command, const char *sources, const char *headers)
{
    static const char *const flags[] = {"-std=c99",
                                        "-O2",
                                        "-DNDEBUG",
                                        "-fPIC",
                                        "-ffp-contract=off",
                                        "-fvisibility=hidden",
                                        "-w",
                                        "-ffunction-sections",
                                        "-fdata-sections",
                                        "-fstack-protector-strong"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) fa_words_add(command, flags[i]);
    fa_words_add(command, "-I");
    fa_words_add(command, sources);
    fa_words_add(command, "-isystem");
    fa_words_add(command, headers);
}

static bool join(char path[FA_PATH_SIZE], const char *folder, const char *name)
{
    const int n = snprintf(path, FA_PATH_SIZE, "%s/%s", folder, name);
    return n >= 0 && n < FA_PATH_SIZE;
}

// What the compiler said first.
static fa_status failed(const fa_compiler *compiler, const char *folder, fa_error *error)
{
    char   path[FA_PATH_SIZE], *text = NULL;
    size_t size = 0;
    if (!join(path, folder, "messages.txt") ||
        fa_file_read(path, LIMIT, &text, &size, NULL) != FA_OK)
        size = 0;
    const int length = size > 0 ? (int)strcspn(text, "\n") : 0;
    fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the compiler %s failed%s%.*s", compiler->path,
            length > 0 ? ": " : "", length < 200 ? length : 200, length > 0 ? text : "");
    free(text);
    return FA_UNFIT;
}

// ------------------------------------------------------------------------------------------ trying

// Reads n, the number of parameters and of states, the parameters, and of each state q, qd and tau.
// Writes for each version of the code, each instruction set that there is, and each state whether
// it answered (1 or 0), qdd, the same of derivatives (-1: there are none) at accelerations tau, and
// these.
static const char trial_program[] =
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
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
    "    double   *parameter = numbers(in, head[1]), *state = numbers(in, 3 * n * head[2]);\n"
    "    const size_t n_answer = 2 + (size_t)n + 3 * (size_t)n * (size_t)n;\n"
    "    double *answer = calloc(n_answer, sizeof *answer);\n"
    "    if (!answer) return 1;\n"
    "    for (int v = 0; v < fa_special_count; v++) {\n"
    "        const fa_special *code = &fa_special_code[v];\n"
    "        double *block = calloc((size_t)code->n_block + 1, sizeof *block);\n"
    "        if (!block || code->n != n) return 1;\n"
    "        code->prepare(parameter, block);\n"
    "        for (int k = 0; k < FA_SPECIAL_KERNELS; k++)\n"
    "            for (int i = 0; runs(k) && i < head[2]; i++) {\n"
    "                const double *q = state + 3 * n * i;\n"
    "                double *by_q = answer + n + 2, *by_qd = by_q + n * n;\n"
    "                answer[0] =\n"
    "                    code->forward[k](block, q, q + n, q + 2 * n, answer + 1) == FA_OK;\n"
    "                answer[n + 1] = -1;\n"
    "                if (code->jacobians[k])\n"
    "                    answer[n + 1] = code->jacobians[k](block, q, q + n, q + 2 * n, by_q, "
    "by_qd,\n"
    "                                                       by_qd + n * n) == FA_OK;\n"
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
        for (int k = 0; k < 3; k++, at += n * sizeof **state)
            memcpy(at, state[k], n * sizeof **state);
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
    v->answered++;
    v->worst = fmax(v->worst, isnan(apart) ? INFINITY : apart);
}

// One answer, as the program writes it.
static void judge_one(verdict *v, const fa_chain *chain, const double answer[])
{
    const int n = chain->n;
    double    q[FA_SPECIAL_MAX], qd[FA_SPECIAL_MAX], tau[FA_SPECIAL_MAX];
    fa_special_trial(chain, v->asked++ % FA_SPECIAL_TRIALS, q, qd, tau);
    if (answer[0] == 1) weigh(v, fa_special_apart(chain, q, qd, tau, answer + 1));
    if (answer[n + 1] < 0) return;
    v->answered -= answer[0] == 1; // both count as one
    if (answer[n + 1] == 1) weigh(v, fa_special_jacobian_apart(chain, q, qd, tau, answer + n + 2));
}

static fa_status judge(const char *path, const fa_chain *chain, fa_error *error)
{
    const size_t n = (size_t)chain->n, n_answer = 2 + n + 3 * n * n;
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
    // What it leaves to the general method it may leave, but not most.
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
    if (!join(headers, sources, "fmi") || !join(special, folder, "special.c") ||
        !join(trial, folder, "trial.c") || !join(program, folder, "trial") ||
        !join(states, folder, "states") || !join(answers, folder, "answers"))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", folder);
    fa_status status = fa_file_write(special, code->text, code->size, error);
    if (status == FA_OK)
        status = fa_file_write(trial, trial_program, sizeof trial_program - 1, error);
    if (status == FA_OK) status = write_states(states, chain, error);
    if (status != FA_OK) return status;

    fa_words compile = begin(compiler), run = {.n = 0};
    add_flags(&compile, sources, headers);
    const char *const rest[] = {special, trial, "-lm", "-o", program};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) fa_words_add(&compile, rest[i]);
    if (!fa_process_finish(fa_process_start(&compile, folder)))
        return failed(compiler, folder, error);
    fa_words_add(&run, program);
    fa_words_add(&run, states);
    fa_words_add(&run, answers);
    if (!fa_process_finish(fa_process_start(&run, folder)))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                       "what the compiler %s made of the code for this arm does not run",
                       compiler->path);
    return judge(answers, chain, error);
}

// ------------------------------------------------------------------------------------- the library

// The C files that files.txt lists, and in special.c's place the one in `folder`.
typedef struct sources_list {
    char *text; // of files.txt
    int   n;
    char  path[SOURCES_MAX][FA_PATH_SIZE];
} sources_list;

static fa_status list_sources(const char *sources, const char *folder, sources_list *list,
                              fa_error *error)
{
    char   path[FA_PATH_SIZE];
    size_t size;
    if (!join(path, sources, "files.txt"))
        return fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", sources);
    fa_status status = fa_file_read(path, LIMIT, &list->text, &size, error);
    for (char *name = list->text, *next; status == FA_OK && name && *name; name = next) {
        next = strchr(name, '\n');
        if (next) *next++ = '\0';
        const size_t length = strlen(name);
        if (length < 3 || strcmp(name + length - 2, ".c") != 0) continue;
        const bool special = strcmp(name, "special.c") == 0;
        if (list->n == SOURCES_MAX ||
            !join(list->path[list->n++], special ? folder : sources, name))
            status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE,
                             "there are too many sources, or their folder's path is too long");
    }
    return status;
}

// Each job compiles every n_jobs-th file in a folder of its own.
static fa_status compile_all(const fa_compiler *compiler, const char *sources, const char *headers,
                             const char *folder, const sources_list *list, int n_jobs,
                             fa_error *error)
{
    char part[JOBS_MAX][FA_PATH_SIZE], name[16];
    int  process[JOBS_MAX], wrong = -1;
    for (int job = 0; job < n_jobs; job++) {
        fa_words command = begin(compiler);
        (void)snprintf(name, sizeof name, "%d", job);
        process[job] = -1;
        if (!join(part[job], folder, name) || mkdir(part[job], 0700) != 0) continue;
        add_flags(&command, sources, headers);
        fa_words_add(&command, "-c");
        for (int i = job; i < list->n; i += n_jobs) fa_words_add(&command, list->path[i]);
        process[job] = fa_process_start(&command, part[job]);
    }
    for (int job = 0; job < n_jobs; job++)
        if (!fa_process_finish(process[job])) wrong = job;
    return wrong < 0 ? FA_OK : failed(compiler, part[wrong], error);
}

static void add_link_flags(fa_words *command)
{
    fa_words_add(command, "-shared");
#if defined(__linux__) // as the general libraries are linked (cmake/FaPlatforms.cmake)
    static const char *const hard[] = {"-Wl,-Bsymbolic", "-Wl,--gc-sections", "-Wl,-z,relro",
                                       "-Wl,-z,now", "-Wl,-z,noexecstack"};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) fa_words_add(command, hard[i]);
#endif
}

static fa_status link_all(const fa_compiler *compiler, const char *folder, const sources_list *list,
                          int n_jobs, const char *target, fa_error *error)
{
    char(*object)[FA_PATH_SIZE] = malloc(SOURCES_MAX * sizeof *object);
    if (!object)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to link the FMU's library");
    fa_words command = begin(compiler);
    add_link_flags(&command);
    for (int i = 0; i < list->n; i++) {
        const char *base = strrchr(list->path[i], '/') + 1;
        const int   length = (int)strlen(base) - 1; // without the c
        const int   n =
            snprintf(object[i], FA_PATH_SIZE, "%s/%d/%.*so", folder, i % n_jobs, length, base);
        if (n > 0 && n < FA_PATH_SIZE) fa_words_add(&command, object[i]);
    }
    const char *const rest[] = {"-lm", "-s", "-o", target};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) fa_words_add(&command, rest[i]);
    const bool linked = fa_process_finish(fa_process_start(&command, folder));
    free(object);
    return linked ? FA_OK : failed(compiler, folder, error);
}

// zig compiles several files at a time only where it links them, and then on all processors.
static fa_status compile_and_link(const fa_compiler *compiler, const char *sources,
                                  const char *headers, const char *folder, const sources_list *list,
                                  const char *target, fa_error *error)
{
    fa_words command = begin(compiler);
    add_flags(&command, sources, headers);
    add_link_flags(&command);
    for (int i = 0; i < list->n; i++) fa_words_add(&command, list->path[i]);
    const char *const rest[] = {"-lm", "-s", "-o", target};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) fa_words_add(&command, rest[i]);
    return fa_process_finish(fa_process_start(&command, folder)) ? FA_OK
                                                                 : failed(compiler, folder, error);
}

fa_status fa_special_library(const fa_compiler *compiler, const char *sources, const char *folder,
                             fa_library *library, fa_error *error)
{
    char          headers[FA_PATH_SIZE], target[FA_PATH_SIZE];
    sources_list *list = calloc(1, sizeof *list);
    if (!list)
        return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                       "there is not enough memory to compile the FMU's library");
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int  n_jobs = processors < 1 ? 1 : processors > JOBS_MAX ? JOBS_MAX : (int)processors;
    fa_status  status = FA_OK;
    if (!join(headers, sources, "fmi") || !join(target, folder, library->platform))
        status = fa_fail(error, FA_UNFIT, NULL, FA_NOWHERE, "the path %s is too long", folder);
    if (status == FA_OK) status = list_sources(sources, folder, list, error);
    if (status == FA_OK && compiler->is_zig) {
        status = compile_and_link(compiler, sources, headers, folder, list, target, error);
    } else if (status == FA_OK) {
        status = compile_all(compiler, sources, headers, folder, list, n_jobs, error);
        if (status == FA_OK) status = link_all(compiler, folder, list, n_jobs, target, error);
    }
    if (status == FA_OK) memcpy(library->path, target, sizeof target);
    free(list->text);
    free(list);
    return status;
}
