"""Every resource of a stack that can have tags gets those of the stack."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

from infra.deployment.environment import Environment, UnusableValue, read_environment
from infra.deployment.tags import plan_tags
from tests.infrastructure.stack import Stack

PROJECT = {"stack_name": "ginuri", "region": "us-east-1", "parameter_overrides": []}
TAGS = ["application=ginuri", "environment=prod"]


def environment(**tags: str) -> Environment:
    return Environment("prod", "ginuri", "us-east-1", None, {}, tags)


def read(site: Mapping[str, object]) -> Environment:
    configuration = {"prod": {"deploy": {"parameters": {**PROJECT, "tags": TAGS}}}}
    return read_environment(configuration, "prod", {"prod": site})


def test_tags_of_a_site_are_added_to_those_of_the_project() -> None:
    site = {"tags": {"environment": "production", "cost-centre": 4711}}

    assert read(site).tags == {"application": "ginuri", "environment": "production", "cost-centre": "4711"}
    assert read(site).named == {}


def test_deployed_tags_stay_unless_they_are_named() -> None:
    deployed = {"cost-centre": "4711", "environment": "test", "aws:made-by": "AWS"}

    assert plan_tags(environment(environment="prod"), deployed) == {
        "cost-centre": "4711",
        "environment": "prod",
    }


def test_a_tag_without_a_value_is_removed() -> None:
    assert plan_tags(environment(old=""), {"old": "x", "environment": "prod"}) == {"environment": "prod"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cost centre", "1"),
        ("owner", "a b"),
        ("aws:x", "1"),
        ("x", "a=b"),
        ("n" * 129, "1"),
        ("x", "v" * 257),
    ],
)
def test_a_tag_that_cannot_be_deployed_is_refused(name: str, value: str) -> None:
    with pytest.raises(UnusableValue, match=r"below \[prod.tags\] in site.toml"):
        plan_tags(environment(**{name: value}), {})


def test_more_tags_than_a_resource_may_have_are_refused() -> None:
    with pytest.raises(UnusableValue, match="51 tags are too many"):
        plan_tags(environment(**{f"tag-{number}": "x" for number in range(51)}), {})


def test_the_documentation_lists_every_resource_type_without_tags(
    root: Path, stack: Stack, global_stack: Stack
) -> None:
    page = (root / "docs" / "how-to" / "deploy.md").read_text(encoding="utf-8")
    paragraph = page.partition("have no tags in AWS: ")[2].partition("\n\n")[0]
    resources = [*stack.resources.values(), *global_stack.resources.values()]
    types = {str(resource["Type"]) for resource in resources}

    assert set(re.findall(r"`([\w:]+)`", paragraph)) == {
        kind.removeprefix("AWS::") for kind in types if not _takes_tags(kind)
    }


def _takes_tags(kind: str) -> bool:
    """Return whether the schema that AWS publishes for a type of resource names tags for it."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema
    return bool(schema["tagging"]["taggable"] and schema["tagging"]["tagOnCreate"])
