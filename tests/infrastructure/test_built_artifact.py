"""The built resolve function answers events under AWS's runtime interface emulator."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from infra.emulator.process import BuiltFunction, Emulated, emulated, find_emulator
from infra.local.aws.clients import Account
from tests.builders import MAP, register, rest_event
from tests.infrastructure.stack import Stack

TABLE = "registry-of-the-built-function"
ELSEWHERE = ("cli", "examples", "migration", "server", "sqlite")
"""The parts of the library that no function needs."""


@pytest.fixture(scope="module")
def built(root: Path) -> Path:
    """Return the folder of the build; skip without one, or if the source has changed since."""
    folder = root / ".aws-sam" / "build"
    if not folder.is_dir():
        pytest.skip(".aws-sam/build is not here: make build")
    sources = {
        root / "functions" / "resolve": folder / "ResolveFunction" / "resolve",
        root / "layers" / "library" / "ginuri": folder / "LibraryLayer" / "python" / "ginuri",
    }
    if any(_differ(source, artifact) for source, artifact in sources.items()):
        pytest.skip(".aws-sam/build is older than the source: make build")
    return folder


@pytest.fixture(scope="module")
def endpoint(stack: Stack) -> Iterator[str]:
    """Return the address of a DynamoDB with the template's table and one map in it."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    account = Account(address)
    client = account.client("dynamodb")
    described = stack.properties("RegistryTable")
    names = ("AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema")
    client.create_table(TableName=TABLE, **{name: described[name] for name in names})
    registry = DynamoRegistry(client, TABLE)
    register(registry, MAP, representations=[{"part": "map.pdf", "location": "https://data.example/1.pdf"}])
    yield address
    account.close()
    server.stop()


@pytest.fixture(scope="module")
def resolve(root: Path, stack: Stack, built: Path, endpoint: str) -> Iterator[Emulated]:
    emulator = find_emulator(root)
    if emulator is None:
        pytest.skip("aws-lambda-rie is not in .venv-sam: make build")
    values = dict.fromkeys(stack.variables("ResolveFunction"), "any") | {"REGISTRY_TABLE": TABLE}
    runtime = {"AWS_ENDPOINT_URL": endpoint, "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1"}
    keys = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}
    handler = stack.properties("ResolveFunction")["Handler"]
    layers = [built / "LibraryLayer", built / "PagesLayer"]
    function = BuiltFunction(handler, built / "ResolveFunction", layers, {**runtime, **keys, **values})
    with emulated(emulator, function) as running:
        yield running


def test_the_built_function_redirects_from_a_thing_to_its_representation(resolve: Emulated) -> None:
    answer = resolve.invoke(rest_event(f"/{MAP}"))

    assert answer["statusCode"] == 303
    assert answer["multiValueHeaders"]["Location"] == [f"/{MAP}map.pdf"]


def test_the_built_function_answers_404_for_unregistered_identifiers(resolve: Emulated) -> None:
    answer = resolve.invoke(rest_event("/uri-gin/azgs/doc/map/unheard-of/"))

    assert answer["statusCode"] == 404


def test_the_built_function_writes_pages(resolve: Emulated) -> None:
    answer = resolve.invoke(rest_event("/uri-gin/azgs/doc/map/unheard-of/", headers={"Accept": "text/html"}))

    assert answer["statusCode"] == 404
    assert answer["multiValueHeaders"]["Content-Type"] == ["text/html; charset=utf-8"]


def test_the_artifact_contains_only_its_own_package(built: Path) -> None:
    assert [each.name for each in (built / "ResolveFunction").iterdir()] == ["resolve"]


def test_the_layer_of_libcurl_is_for_the_functions_architecture(built: Path) -> None:
    [extension] = (built / "CurlLayer" / "python" / "pycurl").glob("*.so")

    assert extension.name == "_pycurl.cpython-313-aarch64-linux-gnu.so"


@pytest.mark.parametrize("part", ELSEWHERE)
def test_the_library_layer_excludes_the_parts_for_other_machines(built: Path, part: str) -> None:
    assert not (built / "LibraryLayer" / "python" / "ginuri" / part).exists()


def test_builds_in_different_folders_are_equal_in_every_byte(root: Path, built: Path, tmp_path: Path) -> None:
    for name in ("functions", "infra", "layers"):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("template.yaml", "copies.yaml", "samconfig.toml", ".cfnlintrc.yaml"):
        shutil.copy(root / name, tmp_path)
    (tmp_path / ".venv-sam").symlink_to(root / ".venv-sam")

    subprocess.run([tmp_path / "infra" / "build"], check=True, capture_output=True)  # noqa: S603  our own source

    here, there = (_bytes(folder) for folder in (built, tmp_path / ".aws-sam" / "build"))
    assert [name for name in here.keys() | there.keys() if here.get(name) != there.get(name)] == []


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _differ(source: Path, artifact: Path) -> bool:
    return _texts(source) != _texts(artifact)


def _texts(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        name: path.read_bytes()
        for path in files
        if not (name := str(path.relative_to(folder))).startswith(tuple(f"{part}/" for part in ELSEWHERE))
        and "__pycache__" not in name
    }
