"""`ginuri schemes` on a registry in memory and on one in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.folder_stack import open_folder
from ginuri.cli.main import main
from ginuri.cli.ports import Stack
from ginuri.cli.uploads.schemes import FILE
from ginuri.schemes.catalogue import known_schemes
from tests.stacks import MemoryStack, settle_folder
from tests.steward import settled

Run = Callable[..., Result]


@pytest.fixture(params=["memory", "folder"])
def stack(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stack]:
    if request.param == "memory":
        yield MemoryStack(settled())
        return
    folder = tmp_path / "registry"
    folder.mkdir()
    settle_folder(folder)
    with open_folder(folder) as opened:
        yield opened


@pytest.fixture
def run(stack: Stack) -> Run:
    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(main, ["schemes", *arguments], obj=lambda _: stack, prog_name="ginuri")

    return invoke


def _registered(stack: Stack) -> set[str]:
    return {name for name, _ in stack.archive.standing("")} & known_schemes().keys()


def test_schemes_lists_every_scheme_with_its_resolver() -> None:
    listed = CliRunner().invoke(main, ["schemes"])
    told = json.loads(CliRunner().invoke(main, ["schemes", "--json"]).output)

    assert len(listed.output.splitlines()) == len(told) == len(known_schemes())
    assert "doi       Digital Object Identifiers               doi.org" in listed.output
    assert told[0]["identifier"] == "doi:"
    assert told[0]["rules"][0]["location"] == "https://doi.org/{+all}"


def test_schemes_show_prints_the_registrations() -> None:
    shown = CliRunner().invoke(main, ["schemes", "show", "doi", "urn:nbn:"])

    assert shown.output == known_schemes()["doi:"].registrations + known_schemes()["urn:nbn:"].registrations


def test_schemes_add_registers_schemes_with_their_rules(run: Run, stack: Stack) -> None:
    added = run("add", "doi", "orcid", "--yes", "--reason", "Our readers have DOIs")
    again = run("add", "DOI:", "--json")

    assert (added.exit_code, again.exit_code) == (0, 0), added.output
    assert FILE in added.output
    assert _registered(stack) == {"doi:", "orcid:"}
    assert json.loads(again.output)["counts"]["unchanged"] == 2


def test_schemes_add_registers_every_scheme(run: Run, stack: Stack) -> None:
    added = run("add", *(scheme.name for scheme in known_schemes().values()), "--yes")

    assert added.exit_code == 0, added.output
    assert _registered(stack) == set(known_schemes())


def test_a_dry_run_of_schemes_add_changes_nothing(run: Run, stack: Stack) -> None:
    tried = run("add", "doi", "--dry-run")

    assert tried.exit_code == 0, tried.output
    assert "dry run: 1 identifier in 2 rows: 2 registered" in tried.output
    assert _registered(stack) == set()


def test_the_rules_of_a_scheme_are_relocated_in_the_host_folder(run: Run, stack: Stack) -> None:
    run("add", "doi", "--yes")
    arguments = ["relocate", "--from", "https://doi.org/", "--to", "https://dx.doi.org/", "--dry-run"]
    relocated = CliRunner().invoke(main, arguments, obj=lambda _: stack)

    assert relocated.exit_code == 0, relocated.output
    assert "_host/relocate.jsonl" in relocated.output


def test_an_unknown_scheme_is_refused_with_the_known_ones(run: Run) -> None:
    refused = run("add", "doi", "chebi")

    assert refused.exit_code == 2
    assert "'chebi' is none of the well-known schemes: doi, hdl, orcid" in refused.output
