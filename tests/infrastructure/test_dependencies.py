"""The tested versions are the deployed ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement


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


@pytest.mark.parametrize("name", ["requirements-serve.lock", "requirements-one-machine.lock"])
def test_a_server_has_the_tested_versions(name: str, root: Path) -> None:
    assert _pins(root / name).items() <= _pins(root / "requirements.lock").items()


def test_the_lock_of_one_machine_has_all_distributions_of_its_extra(root: Path) -> None:
    described = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = _closure(described["optional-dependencies"]["serve"])

    assert _pins(root / "requirements-one-machine.lock").keys() == needed


def _closure(requirements: Iterable[str]) -> set[str]:
    """Return the names of distributions and of all that they require here."""
    needed, waiting = set[str](), list(map(Requirement, requirements))
    while waiting:
        required = waiting.pop()
        name = re.sub(r"[-_.]+", "-", required.name).lower()
        if name not in needed and (required.marker is None or required.marker.evaluate({"extra": ""})):
            needed.add(name)
            waiting += map(Requirement, distribution(name).requires or ())
    return needed
