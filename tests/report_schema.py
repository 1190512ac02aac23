"""The schema of reports in the documentation, which all reports of the tests must satisfy."""

from __future__ import annotations

import json
from typing import Any

from jsonschema_rs import Draft202012Validator

from infra.docs import FOLDER

SCHEMA: dict[str, Any] = json.loads((FOLDER / "reference" / "report.schema.json").read_text("utf-8"))
_VALIDATOR = Draft202012Validator(SCHEMA)


def read_report(body: bytes | str) -> Any:
    """Read a report, and validate it. Raises jsonschema_rs.ValidationError."""
    report = json.loads(body)
    _VALIDATOR.validate(report)
    return report
