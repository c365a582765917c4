"""What a PE or Mach-O library shows and needs, read from the file: nothing here can load one."""

import hashlib
import struct


def text(data, at):
    return data[at:data.index(b"\0", at)].decode()


class Windows:
    """A library for 64-bit Windows: `shows`, the functions' names; `needs`, other libraries'."""

    def __init__(self, data):
        header = struct.unpack_from("<I", data, 0x3C)[0]
        assert data[:2] == b"MZ" and data[header:header + 4] == b"PE\0\0"
        self.machine, sections = struct.unpack_from("<HH", data, header + 4)
        optional = header + 24
        size = struct.unpack_from("<H", data, header + 20)[0]
        self.traits = struct.unpack_from("<H", data, optional + 70)[0]  # DllCharacteristics
        assert struct.unpack_from("<H", data, optional)[0] == 0x20B  # PE32+
        self.data = data
        self.rights = {  # of each section: 0x20000000 to run, 0x80000000 to write
            data[at:at + 8].rstrip(b"\0").decode(): struct.unpack_from("<I", data, at + 36)[0]
            for at in range(optional + size, optional + size + 40 * sections, 40)}
        self.sections = [struct.unpack_from("<IIII", data, optional + size + 40 * i + 8)
                         for i in range(sections)]
        exports, = struct.unpack_from("<I", data, optional + 112)
        imports, = struct.unpack_from("<I", data, optional + 120)
        table = self.place(exports)
        n, _, names = struct.unpack_from("<III", data, table + 24)
        self.shows = {text(data, self.place(struct.unpack_from("<I", data, self.place(names) + 4 * i)[0]))
                      for i in range(n)}
        self.needs = set()
        table = self.place(imports)
        while name := struct.unpack_from("<I", data, table + 12)[0]:
            self.needs.add(text(data, self.place(name)).lower())
            table += 20

    def place(self, address):
        """Where in the file that lies which the loader puts at an address."""
        for _, start, size, offset in self.sections:
            if start <= address < start + size:
                return address - start + offset
        raise ValueError(f"no section has address {address:x}")


class Mac:
    """A library for one kind of Mac, and whether its ad-hoc signature fits what it signs."""

    X86_64, AARCH64 = 0x01000007, 0x0100000C
    DYLIB = 6
    NEEDED, OLDEST, SIGNATURE, INFORMATION, EXPORTS = 0xC, 0x32, 0x1D, 0x80000022, 0x80000033
    SEGMENT = 0x19

    def __init__(self, data):
        magic, self.machine, _, kind, commands = struct.unpack_from("<IIIII", data)
        assert (magic, kind) == (0xFEEDFACF, self.DYLIB)
        self.shows, self.needs, self.signed, self.oldest = set(), set(), None, None
        self.rights = {}  # of each segment, at most: 1 to read, 2 to write, 4 to run
        at = 32
        for _ in range(commands):
            command, size = struct.unpack_from("<II", data, at)
            words = struct.unpack_from(f"<{(size - 8) // 4}I", data, at + 8)
            if command == self.INFORMATION:
                self.shows = exported(data[words[8]:words[8] + words[9]])
            elif command == self.EXPORTS:
                self.shows = exported(data[words[0]:words[0] + words[1]])
            elif command == self.SEGMENT:
                name = data[at + 8:at + 24].rstrip(b"\0").decode()
                self.rights[name], = struct.unpack_from("<I", data, at + 56)
            elif command == self.NEEDED:
                self.needs.add(text(data, at + words[0]))
            elif command == self.OLDEST:
                self.oldest = (words[1] >> 16, words[1] >> 8 & 0xFF)
            elif command == self.SIGNATURE:
                self.signed = signature_fits(data, words[0])
            at += size


def exported(trie):
    """Names in the tree by which the loader finds functions, without the underscore of C."""
    names, todo = set(), [(0, "")]
    while todo:
        at, name = todo.pop()
        size, at = number(trie, at)
        if size:
            names.add(name.removeprefix("_"))
        at += size
        for _ in range(trie[at]):
            part = text(trie, at + 1)
            child, next_at = number(trie, at + 1 + len(part) + 1)
            todo.append((child, name + part))
            at = next_at - 1
    return names


def number(data, at):
    """A number in groups of seven bits, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return value, at


def signature_fits(data, at):
    """True if every page has the hash that the signature's code directory says."""
    magic, _, n = struct.unpack_from(">III", data, at)
    assert magic == 0xFADE0CC0
    for i in range(n):
        kind, offset = struct.unpack_from(">II", data, at + 12 + 8 * i)
        if kind != 0:  # not the code directory
            continue
        directory = at + offset
        magic, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", data, directory)
        length, algorithm, _, page = struct.unpack_from("BBBB", data, directory + 36)
        assert (magic, length, algorithm) == (0xFADE0C02, 32, 2)  # SHA-256
        assert flags & 0x2, "not ad hoc"
        for number in range(pages):
            part = data[number << page:min((number + 1) << page, limit)]
            want = data[directory + hashes + 32 * number:][:32]
            if hashlib.sha256(part).digest() != want:
                return False
        return limit == at
    return False


def universal(data):
    """The libraries in a universal one."""
    magic, n = struct.unpack_from(">II", data)
    assert magic == 0xCAFEBABE
    parts = []
    for i in range(n):
        machine, _, offset, size, power = struct.unpack_from(">IIIII", data, 8 + 20 * i)
        assert offset % (1 << power) == 0 and power == 14
        parts.append(data[offset:offset + size])
        assert struct.unpack_from("<I", parts[-1], 4)[0] == machine
    return parts
