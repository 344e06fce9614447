#!/usr/bin/env python3
"""Writes an object file with the part of Foundation's ICU data that faketrack needs, 3 MB of the 34.

Prints the definition with which a linker takes the data from this file in place of Foundation.

usage: script/support/icu_data.py <object file>
"""

import fnmatch
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

# English, the names and rules of time zones, the transforms between Chinese scripts, and the normalization of
# host names. ICU formats nothing without its list of currencies. Strings of several files are in those named pool.
NEEDED = """
    root.res en.res pool.res zone/root.res zone/en*.res zone/pool.res curr/root.res curr/en.res curr/pool.res
    keyTypeData.res likelySubtags.res metaZones.res numberingSystems.res supplementalData.res timezoneTypes.res
    zoneinfo64.res translit/root.res nfkc.nrm uts46.nrm
""".split()
ALIGNMENT = 16


def files_of(data):
    """The names and contents of the files in a package of ICU, and the header of the package.

    After the header come the number of files and, for each, the offsets of its name and its contents:
    https://github.com/unicode-org/icu/blob/main/icu4c/source/common/ucmndata.h
    """
    header = data[: struct.unpack_from("<H", data)[0]]
    data = data[len(header) :]
    (count,) = struct.unpack_from("<I", data)
    entries = [struct.unpack_from("<II", data, 4 + 8 * number) for number in range(count)]
    ends = [start for _, start in entries[1:]] + [len(data)]
    names = [data[name : data.index(b"\0", name)].decode() for name, _ in entries]
    return header, {
        name: data[start:end] for name, (_, start), end in zip(names, entries, ends)
    }


def package(header, files):
    """A package of files, each at a multiple of the alignment."""
    names = [name.encode() + b"\0" for name in files]
    table = struct.pack("<I", len(files))
    name_start = len(table) + 8 * len(files)
    end = name_start + sum(map(len, names))
    contents = bytes()
    for name, content in zip(names, files.values()):
        contents += bytes(-(end + len(contents)) % ALIGNMENT)
        table += struct.pack("<II", name_start, end + len(contents))
        name_start += len(name)
        contents += content
    return header + table + b"".join(names) + contents


def data_of_foundation(folder):
    """The package of ICU in the Foundation that executables are linked with."""
    target = subprocess.check_output(["swiftc", "-print-target-info", "-static-stdlib"])
    resources = Path(json.loads(target)["paths"]["runtimeResourcePath"])
    archive = resources / "linux" / "lib_FoundationICU.a"
    (folder / "whole.o").write_bytes(
        subprocess.check_output(["ar", "p", archive, "icu_packaged_data.cpp.o"])
    )
    subprocess.run(
        ["objcopy", "-O", "binary", "-j", ".rodata", folder / "whole.o", folder / "whole.bin"],
        check=True,
    )
    return (folder / "whole.bin").read_bytes()


def selection(files):
    """The files that are needed, of all."""
    needed = {}
    for pattern in NEEDED:
        names = fnmatch.filter(files, f"icudt[0-9][0-9]l/{pattern}")
        if not names:
            raise ValueError(f"there is no {pattern}")
        needed |= {name: files[name] for name in names}
    # ICU searches for a name in their order.
    return dict(sorted(needed.items()))


def write_object(data, folder):
    """Writes needed.o with the data; returns the name of its symbol."""
    # Named after its contents, so that a build with other contents links again.
    name = f"needed_icu_data_{zlib.crc32(data):x}"
    (folder / "needed.bin").write_bytes(data)
    (folder / "needed.s").write_text(
        f"""
        .section .rodata
        .balign {ALIGNMENT}
        .globl {name}
        {name}: .incbin "{folder / "needed.bin"}"
        .section .note.GNU-stack, "", %progbits
        """
    )
    subprocess.run(["as", folder / "needed.s", "-o", folder / "needed.o"], check=True)
    return name


def main():
    output = Path(sys.argv[1])
    # A build that runs at the same time may be reading the file.
    with tempfile.TemporaryDirectory(dir=output.parent) as name:
        folder = Path(name)
        try:
            header, files = files_of(data_of_foundation(folder))
            needed = selection(files)
            symbol = write_object(package(header, needed), folder)
            os.replace(folder / "needed.o", output)
        except Exception as error:
            sys.exit(f"note: the executable will have ICU's data for all languages: {error!r}")
    # The folder of the files has the version in its name, as the symbol has: icudt76l.
    version = next(iter(needed)).partition("/")[0].removesuffix("l")
    print(f"{version}_dat={symbol}")


main()
