// One library for both kinds of Mac: what stands where, by the numbers of <mach-o/fat.h>.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "test.h"
#include "universal.h"

static char folder[] = "/tmp/forearm-universal-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][128];
    static int  next;
    next = (next + 1) % 4;
    (void)snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

// A library's head, and bytes behind it that tell where they are from.
static void write_thin(const char *name, const unsigned char head[12], size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        (void)fputc(i < 12 ? head[i] : (int)((i * 7 + head[4]) & 0xFF), file);
    assert_int_equal(fclose(file), 0);
}

static unsigned long word_at(const char *text, size_t at)
{
    unsigned long word = 0;
    for (int i = 0; i < 4; i++) word = word << 8 | (unsigned char)text[at + (size_t)i];
    return word;
}

static void both_libraries_stand_at_pages_of_their_own(void **state)
{
    (void)state;
    // Magic number, processor, variant; little-endian.
    static const unsigned char intel[] = {0xCF, 0xFA, 0xED, 0xFE, 7, 0, 0, 1, 3, 0, 0, 0};
    static const unsigned char arm[] = {0xCF, 0xFA, 0xED, 0xFE, 12, 0, 0, 1, 2, 0, 0, 0x80};
    static const size_t        sizes[][2] = {{100, 50000}, {16384, 16385}, {40000, 12}};
    fa_error                   error = fa_no_error();
    assert_non_null(mkdtemp(folder));
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const char *paths[2];
        char       *joined, *part[2];
        size_t      size, of[2];
        write_thin("intel", intel, sizes[s][0]);
        write_thin("arm", arm, sizes[s][1]);
        paths[0] = in_folder("intel");
        paths[1] = in_folder("arm");
        assert_int_equal(fa_universal_join(paths, in_folder("both"), &error), FA_OK);
        assert_int_equal(fa_file_read(in_folder("both"), SIZE_MAX / 2, &joined, &size, &error),
                         FA_OK);
        assert_int_equal(word_at(joined, 0), 0xCAFEBABE);
        assert_int_equal(word_at(joined, 4), 2);
        const unsigned long processor[] = {0x01000007, 0x0100000C}, variant[] = {3, 0x80000002};
        size_t              end = 48;
        for (size_t i = 0; i < 2; i++) {
            const size_t head = 8 + 20 * i, at = word_at(joined, head + 8);
            assert_int_equal(word_at(joined, head), processor[i]);
            assert_int_equal(word_at(joined, head + 4), variant[i]);
            assert_int_equal(word_at(joined, head + 12), sizes[s][i]);
            assert_int_equal(word_at(joined, head + 16), 14); // a page is two to the power of this
            assert_true(at % 16384 == 0 && at >= end);
            assert_int_equal(fa_file_read(paths[i], SIZE_MAX / 2, &part[i], &of[i], &error), FA_OK);
            assert_true(at + of[i] <= size);
            assert_memory_equal(joined + at, part[i], of[i]);
            for (; end < at; end++) assert_int_equal(joined[end], 0);
            end = at + of[i];
            free(part[i]);
        }
        assert_int_equal(end, size);
        free(joined);
    }
    // What is no library for a Mac is refused, whichever of the two it is.
    for (int which = 0; which < 2; which++) {
        unsigned char other[12];
        memcpy(other, intel, sizeof other);
        other[which ? 3 : 0] ^= 1;
        write_thin("intel", which ? intel : other, 100);
        write_thin("arm", which ? other : arm, 100);
        const char *const paths[] = {in_folder("intel"), in_folder("arm")};
        assert_int_equal(fa_universal_join(paths, in_folder("both"), &error), FA_UNFIT);
        assert_non_null(strstr(error.message, "no 64-bit library for a Mac"));
        assert_string_equal(error.file, paths[which]);
    }
    static const char *const names[] = {"intel", "arm", "both"};
    for (int i = 0; i < 3; i++) assert_int_equal(unlink(in_folder(names[i])), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_libraries_stand_at_pages_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
