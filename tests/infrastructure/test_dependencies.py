"""The tested versions are the deployed ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


def _pins(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.fixture(params=["curl", "dependencies", "pages"])
def deployed(request: pytest.FixtureRequest, root: Path) -> dict[str, str]:
    """The versions in a layer."""
    return _pins(root / "layers" / request.param / "requirements.txt")


def test_a_layer_has_the_tested_versions(deployed: dict[str, str], root: Path) -> None:
    assert deployed
    assert deployed.items() <= _pins(root / "requirements.lock").items()


def test_a_layer_leaves_boto3_to_the_runtime(deployed: dict[str, str]) -> None:
    assert not {"boto3", "botocore"} & deployed.keys()


def test_no_package_is_in_two_layers(root: Path) -> None:
    packages = [package for layer in root.glob("layers/*/requirements.txt") for package in _pins(layer)]

    assert len(packages) == len(set(packages))


def test_the_stack_is_served_with_the_tested_versions(root: Path) -> None:
    assert _pins(root / "requirements-serve.lock").items() <= _pins(root / "requirements.lock").items()
