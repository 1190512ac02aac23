"""Remarks on a file that is converted to JSON lines: each is a separate line, and never refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice

from ginuri.files.json_lines import read_json_line
from ginuri.identifiers.messages import Message, as_data, from_data
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import at, warn

_BEGUN = b'{"remark": '


def write_remark(field: str, rule: str, value: str, message: Message) -> bytes:
    """Write a remark on a file, or on a subject in it."""
    remark = [field, rule, value, as_data(message)]
    return _BEGUN + json.dumps(remark, ensure_ascii=False).encode() + b"}\n"


def read_remarked_lines(lines: Iterable[bytes], after: int = 0) -> Iterator[Row]:
    """Read JSON lines with remarks among them; those up to `after` were read before."""
    for number, line in islice(enumerate(lines, start=1), after, None):
        if line.startswith(_BEGUN):
            field, rule, value, message = json.loads(line)["remark"]
            yield Row(number, None, findings=(at(warn(field, rule, value, from_data(message)), number),))
        else:
            yield read_json_line(number, line)
