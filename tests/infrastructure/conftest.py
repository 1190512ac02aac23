"""The expanded template, read once: what CloudFormation would create."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from samtranslator.yaml_helper import yaml_parse

from infra.local.template import expand
from tests.infrastructure.stack import Stack

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def stack() -> Stack:
    return Stack(expand(ROOT / "template.yaml"))


@pytest.fixture(scope="session")
def global_stack() -> Stack:
    """The stack in us-east-1, of global.yaml."""
    return Stack(yaml_parse((ROOT / "global.yaml").read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def alarms(stack: Stack, global_stack: Stack) -> Mapping[str, Mapping[str, Any]]:
    """Every alarm of both stacks, by its logical id."""
    kind = "AWS::CloudWatch::Alarm"
    return {**stack.of_type(kind), **global_stack.of_type(kind)}
