#!/usr/bin/env python3
"""Joins Mach-O libraries for different processors into one universal library, as Apple's lipo does.

    universal.py OUTPUT LIBRARY..."""

import pathlib
import struct
import sys

THIN = 0xFEEDFACF  # the first word of a 64-bit library, in the processor's byte order
FAT = 0xCAFEBABE  # of a universal one; its header is big-endian throughout
ALIGNMENT = 14  # as a power of two: the 16 KiB pages of ARM Macs


def padded(size):
    return -size % (1 << ALIGNMENT)


def main(output, *paths):
    libraries = [pathlib.Path(path).read_bytes() for path in paths]
    header = struct.pack(">II", FAT, len(libraries))
    offset = len(header) + 20 * len(libraries)
    body = b""
    for path, library in zip(paths, libraries):
        magic, processor, variant = struct.unpack_from("<III", library)
        if magic != THIN:
            sys.exit(f"{path} is no 64-bit library for a Mac")
        body += bytes(padded(offset + len(body)))
        header += struct.pack(">IIIII", processor, variant, offset + len(body), len(library), ALIGNMENT)
        body += library
    pathlib.Path(output).write_bytes(header + body)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
