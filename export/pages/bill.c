// SPDX 2.3, tag-value format: https://spdx.github.io/spdx-spec/v2.3/. FMI 3.0 gives the file its
// name, documentation/licenses/license.spdx.

#include "bill.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"
#include "streams.h"

enum { SUM = 32, SUM_TEXT = 2 * SUM + 1 };

static void sum_text(const void *data, size_t size, char text[SUM_TEXT])
{
    uint8_t digest[SUM];
    fa_sha256(data, size, digest);
    for (int i = 0; i < SUM; i++) sprintf(text + 2 * i, "%02x", digest[i]);
}

static bool begins(const fa_member *member, const char *folder)
{
    return strncmp(member->name, folder, strlen(folder)) == 0;
}

// Returns true for libraries and C files, which are Forearm's; other files describe the user's
// robot.
static bool is_program(const fa_member *member)
{
    return begins(member, "binaries/") || begins(member, "sources/");
}

// Writes a unique URI for this document, as SPDX requires: a UUID of version 8 (RFC 9562) from the
// checksums of all files.
static void write_namespace(FILE *out, const fa_archive *archive, char *sums)
{
    char *at = sums;
    for (int i = 0; i < archive->n; i++, at += SUM_TEXT - 1)
        sum_text(archive->member[i].data, archive->member[i].size, at);
    char all[SUM_TEXT];
    sum_text(sums, (size_t)(at - sums), all);
    fprintf(out, "DocumentNamespace: urn:uuid:%.8s-%.4s-8%.3s-a%.3s-%.12s\n", all, all + 8,
            all + 12, all + 15, all + 18);
}

static void write_document(FILE *out, const fa_archive *archive, const fa_options *options,
                           char *sums)
{
    fprintf(out,
            "SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n"
            "DocumentName: %s\n",
            options->identifier);
    write_namespace(out, archive, sums);
    fputs("LicenseListVersion: 3.20\n"
          "Creator: Tool: forearm-" FOREARM_VERSION "\n"
          "Created: 1980-01-01T12:00:00Z\n"
          "CreatorComment: <text>The date of every file in this archive: the same robot gives the "
          "same bytes at any time.</text>\n",
          out);
}

static void write_package(FILE *out, const char *id, const char *name, const char *licence,
                          const char *comment)
{
    fprintf(out,
            "\nPackageName: %s\nSPDXID: SPDXRef-%s\nPackageDownloadLocation: NOASSERTION\n"
            "FilesAnalyzed: false\nPackageLicenseConcluded: %s\nPackageLicenseDeclared: %s\n"
            "PackageCopyrightText: NOASSERTION\nPackageComment: <text>%s</text>\n",
            name, id, licence, licence, comment);
}

// `sums`: output of write_namespace.
static void write_programs(FILE *out, const fa_archive *archive, const char *sums)
{
    for (int i = 0; i < archive->n; i++) {
        const fa_member *member = &archive->member[i];
        if (!is_program(member)) continue;
        fprintf(out,
                "\nPackageName: forearm\nSPDXID: SPDXRef-%d\nPackageVersion: " FOREARM_VERSION
                "\nPackageFileName: %s\nPackageDownloadLocation: NOASSERTION\n"
                "FilesAnalyzed: false\nPackageChecksum: SHA256: %.*s\n"
                "PackageLicenseConcluded: MIT\nPackageLicenseDeclared: MIT\n"
                "PackageCopyrightText: <text>Copyright (c) 2026 The Forearm authors</text>\n"
                "Relationship: SPDXRef-FMU CONTAINS SPDXRef-%d\n",
                i, member->name, SUM_TEXT - 1, sums + i * (SUM_TEXT - 1), i);
        if (begins(member, "binaries/"))
            fprintf(out, "Relationship: SPDXRef-%d DEPENDS_ON SPDXRef-C\n", i);
    }
}

fa_status fa_bill_write(const fa_archive *archive, const fa_options *options, char **text,
                        size_t *size, fa_error *error)
{
    char *sums = malloc((size_t)archive->n * SUM_TEXT + 1);
    FILE *out = sums ? fa_text_open(text, size) : NULL;
    bool  written = out != NULL;
    if (written) {
        write_document(out, archive, options, sums);
        write_package(out, "FMU", options->identifier, "NOASSERTION",
                      "The robot is its author's; the programs in the FMU are listed below.");
        fputs("Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-FMU\n", out);
        write_package(
            out, "C", "libc and libm", "NOASSERTION",
            "Of the system on which the FMU runs, and not in it. Nothing else is needed.");
        write_programs(out, archive, sums);
        written = fa_text_close(out);
        if (!written) free(*text);
    }
    free(sums);
    if (written) return FA_OK;
    return fa_fail(error, FA_NO_MEMORY, NULL, FA_NOWHERE,
                   "there is not enough memory for the bill of materials");
}
