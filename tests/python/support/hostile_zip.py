"""Zip archives with any lie in any field, written byte by byte (APPNOTE.TXT 6.3.10, 4.3)."""

import dataclasses
import struct
import zlib


@dataclasses.dataclass
class Entry:
    """A file of an archive. `claims` is the size that the headers give; None, the true one."""

    name: bytes
    data: bytes = b"x"
    mode: int = 0o100644
    method: int = 0  # 0 stored, 8 deflated
    flags: int = 0  # 1 encrypted
    claims: int | None = None
    extra: bytes = b""
    crc: int | None = None

    def packed(self):
        if self.method != 8:
            return self.data
        squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
        return squeeze.compress(self.data) + squeeze.flush()


def archive(*entries, count=None):
    """The bytes of an archive; `count`, the number of entries that its end claims."""
    body, directory = bytearray(), bytearray()
    for entry in entries:
        packed = entry.packed()
        crc = zlib.crc32(entry.data) if entry.crc is None else entry.crc
        size = len(entry.data) if entry.claims is None else entry.claims
        common = struct.pack("<HHHHHIIIHH", 45, entry.flags, entry.method, 0, 0x21, crc, len(packed), size,
                             len(entry.name), len(entry.extra))
        directory += struct.pack("<4sH", b"PK\1\2", 3 << 8 | 45) + common
        directory += struct.pack("<HHHII", 0, 0, 0, entry.mode << 16, len(body)) + entry.name + entry.extra
        body += b"PK\3\4" + common + entry.name + entry.extra + packed
    n = len(entries) if count is None else count
    return body + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, n, n, len(directory), len(body), 0)


def zip64(size):
    """The extra field of an entry whose size is in 64 bits; the entry claims 0xFFFFFFFF."""
    return struct.pack("<HHQ", 1, 8, size)
