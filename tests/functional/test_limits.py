"""Files that claim much, unpack to much or never end: refused with a solution, in little memory."""

from __future__ import annotations

import gzip
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.spreadsheets import MAIN, made

pytestmark = pytest.mark.untraced

MIB = 1024 * 1024
GB = 1_000_000_000
MOST_MEMORY = 320
"""The MiB that any file may use, above an idle function."""
ROOT = Path(__file__).parents[2]
WELL = "uri-gin/azgs/doc/well"
ROW = "<row><c t='inlineStr'><is><t>identifier</t></is></c></row>"


@dataclass(frozen=True)
class Case:
    """A file, and its expected report."""

    ending: str
    content: Callable[[], bytes]
    rule: str
    says: tuple[str, ...]
    """Words of the message: the limit and the solution."""
    memory: int = 64
    """The MiB that it may use."""
    claims: int | None = None
    """The length that S3 reports, if it is wrong."""


def _laughs() -> str:
    entities = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
    return f'<!DOCTYPE sst [<!ENTITY l0 "lol">{entities}]>'


def _packed_zeros(length: int, member: int = 64 * MIB) -> bytes:
    return gzip.compress(bytes(member)) * -(-length // member)


def _claiming(part: bytes, size: int) -> bytes:
    """Change the size of a part in the directory of a zip (APPNOTE §4.3.12, §4.5.3)."""
    content = bytearray(made(ROW))
    at = content.rindex(part) - 46
    name, extra, _ = struct.unpack_from("<3H", content, at + 28)
    zip64 = struct.pack("<2HQ", 1, 8, size)
    content[at + 24 : at + 28] = b"\xff" * 4
    struct.pack_into("<H", content, at + 30, extra + len(zip64))
    content[at + 46 + name : at + 46 + name] = zip64
    end = content.rindex(b"PK\x05\x06")
    struct.pack_into("<L", content, end + 12, struct.unpack_from("<L", content, end + 12)[0] + len(zip64))
    return bytes(content)


def _isize(content: bytes, size: int) -> bytes:
    return content[:-4] + (size % 2**32).to_bytes(4, "little")  # RFC 1952 §2.3.1


def _sheet(rows: str) -> bytes:
    claimed = '<dimension ref="A1:XFD1048576"/>'
    return made(sheet=f'<worksheet xmlns="{MAIN}">{claimed}<sheetData>{rows}</sheetData></worksheet>')


def _deep(depth: int) -> bytes:
    return f'{{"identifier": "{WELL}", "title": {"[" * depth}{"]" * depth}}}\n'.encode()


def _strings(count: int) -> bytes:
    written = "".join(f"<si><t>a text {number}</t></si>" for number in range(count))
    return made(ROW, strings=f'<sst xmlns="{MAIN}">{written}</sst>')


CASES: Mapping[str, Case] = {
    "10 GB by its length": Case(".csv", lambda: b"x", "size", ("1,073,741,824", "Split it"), 8, 10 * GB),
    "a spreadsheet of 10 GB by its length": Case(
        ".xlsx", lambda: b"x", "size", ("67,108,864", "Split it"), 8, 10 * GB
    ),
    "gzip of 1.3 GB": Case(
        ".csv.gz", lambda: _packed_zeros(1_300 * MIB), "UTF-8", ("not a text file", "Save")
    ),
    "gzip of one line of 1 GB": Case(
        ".jsonl.gz",
        lambda: gzip.compress(b"x" * 64 * MIB) * 16,
        "length",
        ("16,777,216", "line breaks"),
        100,
    ),
    "gzip that claims 10 GB": Case(
        ".csv.gz",
        lambda: _isize(gzip.compress(b"identifier\n"), 10 * GB),
        "gzip",
        ("damaged", "Pack it again"),
    ),
    "a sheet that claims 10 GB": Case(
        ".xlsx",
        lambda: _claiming(b"xl/sheet.xml", 10 * GB),
        "size",
        ("10,000,000,000", "67,108,864", "Split"),
    ),
    "strings that claim 10 GB": Case(
        ".xlsx",
        lambda: _claiming(b"xl/strings.xml", 10 * GB),
        "size",
        ("10,000,000,000", "67,108,864", "Split"),
    ),
    "a sheet of 100 MiB of zeros": Case(
        ".xlsx", lambda: made(sheet="\0" * 100 * MIB), "size", ("67,108,864", "Split")
    ),
    "a billion laughs in a sheet": Case(
        ".xlsx",
        lambda: made(sheet=f"{_laughs()}<worksheet>&l9;</worksheet>"),
        "XML",
        ("document type", "Save"),
    ),
    "a billion laughs in the strings": Case(
        ".xlsx", lambda: made(ROW, strings=f"{_laughs()}<sst>&l9;</sst>"), "XML", ("document type", "Save")
    ),
    "a billion laughs in the styles": Case(
        ".xlsx", lambda: made(ROW, styles=f"{_laughs()}<a>&l9;</a>"), "XML", ("document type", "Save")
    ),
    "a row of 16,384 columns": Case(
        ".xlsx", lambda: _sheet(f"<row>{'<c><v>1</v></c>' * 2**14}</row>"), "columns", ("1,000", "Leave out")
    ),
    "a million strings": Case(
        ".xlsx", lambda: _strings(1_000_001), "size", ("1,000,000 different texts", "Split"), 140
    ),
    "a million columns": Case(
        ".csv", lambda: b"identifier" + b",a" * 1_000_000 + b"\n", "columns", ("1,000", "Leave out")
    ),
    "a hundred thousand columns": Case(
        ".csv", lambda: b"identifier" + b",a" * 100_000 + b"\n", "columns", ("1,000", "Leave out")
    ),
    "a million cells below": Case(
        ".csv",
        lambda: b"identifier,title\n" + WELL.encode() + b"," * 1_000_000 + b"\n",
        "columns",
        ("1,000",),
    ),
    "100,000 levels in a line": Case(
        ".jsonl", lambda: _deep(100_000), "JSON", ("nested too deep", "brackets that are not closed")
    ),
    "100,000 levels in a cell": Case(
        ".csv", f"identifier,links\n{WELL},{'[' * 100_000}\n".encode, "list_type", ("must be a list",)
    ),
    "a quote that is never closed": Case(
        ".csv", lambda: b'identifier,title\nx,"' + b"y\n" * 2_000, "CSV", ("quotation mark", "100 lines")
    ),
    "quotes in 5,000 lines of which none is closed": Case(
        ".csv", lambda: b"identifier,title\n" + b'x","\n' * 5_000, "CSV", ("quotation mark",), 100
    ),
    "a line of 60 MB": Case(
        ".csv", lambda: b"identifier\n" + b"x" * 60 * MIB, "length", ("16,777,216", "line breaks"), 100
    ),
    "a cell of 60 MB": Case(
        ".csv",
        lambda: b'identifier,title\nx,"' + b"y" * 60 * MIB + b'"\n',
        "length",
        ("16,777,216", "line breaks"),
        100,
    ),
    "a quote in every line that is never closed": Case(
        ".csv", lambda: b"identifier,title\n" + b'x,"y\n' * 2_000, "CSV", ("quotation mark",)
    ),
}


@pytest.fixture(scope="module")
def ingesting() -> Iterator[subprocess.Popen[str]]:
    """Run the process that ingests each file in a fork of itself."""
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "functions", ROOT / "layers" / "library")))
    with subprocess.Popen(  # noqa: S603  our own module
        [sys.executable, ROOT / "tests" / "held_files.py"],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def _take_in(ingesting: subprocess.Popen[str], case: Case, folder: Path) -> dict[str, Any]:
    path = folder / f"file{case.ending}"
    path.write_bytes(case.content())
    claims = path.stat().st_size if case.claims is None else case.claims
    assert ingesting.stdin
    assert ingesting.stdout
    asked = [f"uri-gin/azgs/file{case.ending}", str(path), claims, MOST_MEMORY]
    ingesting.stdin.write(f"{json.dumps(asked)}\n")
    ingesting.stdin.flush()
    told: dict[str, Any] = json.loads(ingesting.stdout.readline())
    return told


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="limits: nothing tells of memory here")
@pytest.mark.parametrize("name", CASES)
def test_a_size_over_its_limit_is_refused_with_limit_and_remedy(
    name: str, ingesting: subprocess.Popen[str], tmp_path: Path
) -> None:
    case = CASES[name]

    told = _take_in(ingesting, case, tmp_path)

    first = next(finding for finding in told["findings"] if finding["level"] == "refused")
    assert first["rule"] == case.rule
    assert all(word in first["message"] for word in case.says), first["message"]
    assert told["peak"] < case.memory * MIB
    assert set(told["counts"]) == {"refused"}
    assert case.claims is None or told["read"] == 0
