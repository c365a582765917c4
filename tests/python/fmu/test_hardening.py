"""What the linker made of the program and of the FMU's libraries, so that a fault in them stays a fault.

No page can be both written and run; the tables of addresses are read-only once loaded; code can lie
anywhere; a function notices when its stack was overrun. The libraries for other systems were linked by
zig, the rest by this system's compiler; what a file says of itself holds for either.
"""

import os
import pathlib
import platform
import subprocess

import pytest
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

from binary_formats import Mac, Windows, universal
from conftest import BUILD, FOREARM

LIBRARIES = BUILD / "lib" / "forearm" / "binaries"
ELF = [pathlib.Path(FOREARM), *sorted(LIBRARIES.glob("*-linux/forearm.so"))]
RUN, WRITE = 1, 2  # flags of an ELF segment


def elf_faults(path):
    """What is wrong with a program or library of Linux, as sentences."""
    with path.open("rb") as file:
        elf = ELFFile(file)
        segments = list(elf.iter_segments())
        dynamic = next(part for part in segments if part.header.p_type == "PT_DYNAMIC")
        tags = {}
        for tag in dynamic.iter_tags():
            tags[tag.entry.d_tag] = tag.entry.d_val
        kinds = {part.header.p_type: part.header.p_flags for part in segments}
        now = tags.get("DT_FLAGS", 0) & 8 or tags.get("DT_FLAGS_1", 0) & 1 or "DT_BIND_NOW" in tags
        if elf.header.e_type != "ET_DYN":
            yield "it lies at a fixed address"
        if "DT_TEXTREL" in tags or tags.get("DT_FLAGS", 0) & 4:
            yield "its code is changed when it is loaded"
        if "PT_GNU_RELRO" not in kinds:
            yield "its tables of addresses stay writable"
        if not now:
            yield "its addresses are found while it runs, so their table stays writable"
        if kinds.get("PT_GNU_STACK", RUN) & RUN:
            yield "its stack can be run"
        if any(part.header.p_type == "PT_LOAD" and part.header.p_flags & RUN and part.header.p_flags & WRITE
               for part in segments):
            yield "pages can be both written and run"
        names = {symbol.name for part in elf.iter_sections() if hasattr(part, "iter_symbols")
                 for symbol in part.iter_symbols()}
        if "__stack_chk_fail" not in names:
            yield "nothing notices when its stack is overrun"
        assert any(isinstance(part, DynamicSection) for part in elf.iter_sections())


@pytest.mark.parametrize("path", ELF, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_programs_and_libraries_of_linux(path):
    assert list(elf_faults(path)) == []


def test_fmus_do_without_the_papers_methods():
    """Libraries are stripped, so their rows in the table of methods are looked for: each has its name in it."""
    library = (LIBRARIES / f"{platform.machine()}-linux" / "forearm.so").read_bytes()
    program = pathlib.Path(FOREARM).read_bytes()
    papers = [b"uicker-kahn\0", b"hollerbach-4x4\0", b"gibbs-appell\0"]
    assert b"articulated-body\0" in library
    assert all(name in program for name in papers)
    assert not [name for name in papers if name in library]


def test_a_library_without_any_of_it_is_found_out(tmp_path):
    """The rules above can fail: here is a program that breaks all that a linker lets one break."""
    source = tmp_path / "weak.c"
    source.write_text("int main(void) { return 0; }\n")
    weak = tmp_path / "weak"
    subprocess.run([os.environ.get("CC", "cc"), "-no-pie", "-fno-pie", "-fno-stack-protector", "-Wl,-z,norelro",
                    "-Wl,-z,lazy", "-Wl,-z,execstack", source, "-o", weak], check=True)
    assert len(list(elf_faults(weak))) == 5


def test_libraries_of_windows():
    paths = sorted(LIBRARIES.glob("*-windows/forearm.dll"))
    if not paths:
        pytest.skip("skipped: no zig when this was built, so there is no library for Windows")
    anywhere, far, no_data_runs = 0x40, 0x20, 0x100
    for path in paths:
        library = Windows(path.read_bytes())
        assert library.traits & (anywhere | far | no_data_runs) == anywhere | far | no_data_runs
        assert not [name for name, rights in library.rights.items() if rights & 0x20000000 and rights & 0x80000000]


def test_libraries_of_macs():
    paths = sorted(LIBRARIES.glob("universal-darwin/forearm.dylib"))
    if not paths:
        pytest.skip("skipped: no zig when this was built, so there is no library for Macs")
    for path in paths:
        for part in universal(path.read_bytes()):
            rights = Mac(part).rights
            assert rights["__TEXT"] & WRITE == 0
            assert not [name for name, allowed in rights.items() if allowed & 2 and allowed & 4]
