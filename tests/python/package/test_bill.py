"""The bills of materials: of FMUs (SPDX in tag-value form) and of the wheel (in JSON).

spdx-tools, the SPDX project's own library, reads and judges them; what they say of files is compared with
the files.
"""

import functools
import hashlib
import pathlib
import zipfile

import pytest
import spdx_tools.spdx.parser.tagvalue.parser as tag_values
from spdx_tools.spdx.model import ChecksumAlgorithm, RelationshipType
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

from conftest import SOURCE

WHEELS = sorted((SOURCE / "build" / "wheel" / "dist").glob("forearm-*.whl"))
PUMA = SOURCE / "resources" / "robots" / "puma560.xml"

# The parser reads the list of all licences once for each licence in a bill. It is the same list.
tag_values.get_spdx_licensing = functools.cache(tag_values.get_spdx_licensing)


def document(data, name, folder):
    path = pathlib.Path(folder) / name
    path.write_bytes(data)
    read = parse_file(str(path))
    assert [message.validation_message for message in validate_full_spdx_document(read)] == []
    return read


def sums(read):
    return {package.file_name: package.checksums[0].value for package in read.packages
            if package.file_name and package.checksums[0].algorithm == ChecksumAlgorithm.SHA256}


def sum_of(archive, name):
    return hashlib.sha256(archive.read(name)).hexdigest()


@pytest.mark.parametrize("fmi, more", [(3, ()), (2, ("--sources", "--platforms", "none"))])
def test_an_fmu_lists_every_program_in_it(fmi, more, export, tmp_path):
    archive = zipfile.ZipFile(export(PUMA, "--fmi", fmi, *more, everywhere=True))
    read = document(archive.read("documentation/licenses/license.spdx"), "fmu.spdx", tmp_path)
    programs = {name for name in archive.namelist() if name.startswith(("binaries/", "sources/"))}
    assert len(programs) > 0
    assert sums(read) == {name: sum_of(archive, name) for name in programs}
    needs = [relation for relation in read.relationships if relation.relationship_type == RelationshipType.DEPENDS_ON]
    assert len(needs) == len([name for name in programs if name.startswith("binaries/")])


def test_no_two_fmus_have_one_name(export, tmp_path):
    names = set()
    for i, robot in enumerate(["puma560.xml", "stanford.xml", "puma560.xml"]):
        data = zipfile.ZipFile(export(SOURCE / "resources" / "robots" / robot)).read("documentation/licenses/license.spdx")
        names.add(document(data, f"{i}.spdx", tmp_path).creation_info.document_namespace)
    assert len(names) == 2  # the same FMU made twice is the same FMU


@pytest.mark.skipif(not WHEELS, reason="no wheel; scripts/wheel makes one")
def test_the_wheel_lists_what_it_brings(tmp_path):
    archive = zipfile.ZipFile(WHEELS[-1])
    names = archive.namelist()
    (bill,) = [name for name in names if name.endswith(".dist-info/sboms/forearm.spdx.json")]
    read = document(archive.read(bill), "wheel.spdx.json", tmp_path)
    brought = {name: sum_of(archive, name) for name in names
               if (".libs/" in name or "/lib/forearm/binaries/" in name) and not name.endswith("/")}
    assert len(brought) > 6  # six libraries for FMUs, and what the program needs
    assert brought.items() <= sums(read).items()
    by_name = {package.name: package for package in read.packages}
    assert {"three", "uplot"} <= set(by_name)
    third = {pathlib.PurePath(name).stem for name in names if "/licenses/third-party/" in name}
    others = {name for name in by_name if not name.startswith("forearm")}
    assert third == others, "a package without its licence's text, or the other way round"
    assert all(by_name[name].version for name in others)
