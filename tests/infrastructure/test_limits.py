"""The stack stays within the limits of AWS, and docs/reference/limits.md has the right shares."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from cfnlint.helpers import REGIONS

from tests.infrastructure.limits import LIMITS, LONGEST_STACK, Limit
from tests.infrastructure.stack import Stack

WITHOUT_THE_EDGE = ("cn-", "eu-iso", "eusc-", "us-gov-", "us-iso")
"""Regions of partitions that lack CloudFront or its functions, or that are unknown."""
INLINE_TEMPLATE = 51_200
"""The bytes of a template in a request, without S3 (CloudFormation User Guide, quotas)."""


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_the_stack_stays_within_the_limits_of_aws(stack: Stack, limit: Limit) -> None:
    assert 0 < limit.used(stack) <= limit.most


def test_the_documentation_shows_how_near_the_stack_is_to_limits(root: Path, stack: Stack) -> None:
    page = (root / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")
    rows = [
        f"| {limit.name} | {limit.most:,} | {limit.percent(stack)} % | {limit.source} |" for limit in LIMITS
    ]

    assert "\n".join(rows) in page


def test_the_name_of_a_stack_has_the_documented_length(root: Path) -> None:
    page = (root / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8")
    found = re.search(r"name of a stack has at most (\d+) characters", page)
    environments = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))
    names = [
        part["deploy"]["parameters"]["stack_name"] for part in environments.values() if isinstance(part, dict)
    ]

    assert found
    assert int(found[1]) == LONGEST_STACK
    assert max(map(len, names)) <= LONGEST_STACK


def test_a_template_too_large_for_a_call_is_uploaded_to_s3(root: Path) -> None:
    environments = tomllib.loads((root / "samconfig.toml").read_text(encoding="utf-8"))

    assert (root / "template.yaml").stat().st_size > INLINE_TEMPLATE
    assert all(
        part["deploy"]["parameters"]["resolve_s3"] for part in environments.values() if isinstance(part, dict)
    )


def test_the_template_is_checked_for_every_commercial_region(root: Path) -> None:
    checked = yaml.safe_load((root / ".cfnlintrc.yaml").read_text(encoding="utf-8"))["regions"]
    page = (root / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8")

    assert set(checked) == {region for region in REGIONS if not region.startswith(WITHOUT_THE_EDGE)}
    assert f"all {len(checked)} commercial regions" in page
