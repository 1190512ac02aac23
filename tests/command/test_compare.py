"""`ginuri compare`: its output and its exit codes; and the output of `ginuri parse` for every scheme."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ginuri.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "identifiers.md").read_text(encoding="utf-8")
_SAID = re.compile(r"^\$ ginuri (?P<command>.*)\n(?P<said>(?:(?![$`]).*\n)*)", re.MULTILINE)
MAGIC = "magic://a/b/c//d/e/f"


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="ginuri")


def test_compare_reports_equal_names_and_the_ignored_differences() -> None:
    result = _run("compare", "http://geon.org:88/uri-gin/azgs/x", "http://resources.usgin.org/uri-gin/azgs/x")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "the same: uri-gin/azgs/x",
        "  host: 'geon.org:88' and 'resources.usgin.org': the host is no part of the name",
    ]


def test_compare_reports_the_part_that_differs_and_the_reason() -> None:
    result = _run("compare", "uri-gin/azgs/x", "uri-gin/azgs/x/")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "different: uri-gin/azgs/x",
        "           uri-gin/azgs/x/",
        "  final slash: none and '/': x and x/ are two names",
    ]


@pytest.mark.parametrize(
    ("text", "told"), [("news:1%as", "two hexadecimal digits"), ("maps/17", "unknown URI scheme")]
)
def test_unreadable_names_exit_with_2(text: str, told: str) -> None:
    for pair in ((text, "uri-gin/azgs/x"), ("uri-gin/azgs/x", text)):
        people, machine = _run("compare", *pair), _run("compare", *pair, "--json")

        assert (people.exit_code, machine.exit_code) == (2, 2)
        assert (people.stdout, machine.stderr) == ("", "")
        assert told in people.stderr
        assert told in json.loads(machine.stdout)["error"]["message"]


@pytest.mark.parametrize(
    ("one", "other", "code", "why"),
    [
        ("DOI:10.1000/ABC", "doi:10.1000/abc", 0, "case means nothing in this scheme"),
        ("orcid:0000-0002-1694-233x", "orcid:0000-0002-1694-233X", 0, "case means nothing in this scheme"),
        ("hdl:2027/A", "hdl:2027/a", 1, "case matters here"),
        ("doi:10.1000/a%2Fb", "doi:10.1000/a/b", 1, "an escaped reserved character is not the character"),
    ],
)
def test_case_means_nothing_in_well_known_schemes_that_ignore_it(
    one: str, other: str, code: int, why: str
) -> None:
    result = _run("compare", one, other)

    assert (result.exit_code, why in result.stdout) == (code, True)


def test_compare_prints_the_same_as_json() -> None:
    result = _run("compare", "URN:foo:a", "urn:foo:a#b", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "same": True,
        "one": {"uri": "URN:foo:a", "name": "urn:foo:a"},
        "other": {"uri": "urn:foo:a#b", "name": "urn:foo:a"},
        "remarks": [
            {"piece": "scheme", "one": "URN", "other": "urn", "same": True, "why": "a scheme has no case"},
            {
                "piece": "fragment",
                "one": None,
                "other": "b",
                "same": True,
                "why": "in this scheme a fragment is no part of the name",
            },
        ],
    }


@pytest.mark.parametrize(
    ("base", "one", "other", "exit_code"),
    [
        (MAGIC, "g", "magic://a/b/c//d/e/g", 0),
        (MAGIC, "/g", "../../../../../g", 0),
        (MAGIC, "../g", "g", 1),
        ("http://geon.org:88/uri-gin/azgs/map/1/", "../2/", "/uri-gin/azgs/map/2/", 0),
        ("http://geon.org:88/uri-gin/azgs/map/1/", "../2/", "https://x.example/uri-gin/azgs/map/2/", 0),
        ("uri-gin/azgs/", "a", "b", 2),
        (MAGIC, "g%4", "g", 2),
    ],
)
def test_references_are_resolved_against_a_base(base: str, one: str, other: str, exit_code: int) -> None:
    assert _run("compare", one, other, "--base", base).exit_code == exit_code


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "http://resources.usgin.org/uri-gin/azgs/doc/x.pdf",
            {
                "scheme": "uri-gin",
                "root": "uri-gin/",
                "name_authority": "azgs",
                "ancestors": ["uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/"],
                "kind": "representation",
                "folder": "uri-gin/azgs/",
                "cited_by": "http://resources.usgin.org/uri-gin/azgs/doc/x.pdf",
            },
        ),
        (
            "uri-soil/nrcs/series/tama/",
            {"scheme": "uri-soil", "root": "uri-soil/", "folder": "uri-soil/nrcs/", "cited_by": None},
        ),
        (
            "INFO:DDC/22/eng//004.678",
            {
                "scheme": "info",
                "root": "info:",
                "namespace": "ddc",
                "ancestors": ["info:", "info:ddc/", "info:ddc/22/", "info:ddc/22/eng/", "info:ddc/22/eng//"],
                "kind": "thing",
                "folder": "info:ddc/",
                "cited_by": "info:ddc/22/eng//004.678",
            },
        ),
        (
            "URN:ISBN:0451450523",
            {
                "scheme": "urn",
                "root": "urn:",
                "namespace": "isbn",
                "ancestors": ["urn:", "urn:isbn:"],
                "folder": "urn:isbn/",
                "cited_by": "urn:isbn:0451450523",
            },
        ),
        (
            "https://purl.example.org/net/x",
            {
                "scheme": "http",
                "root": "//purl.example.org/",
                "name_authority": None,
                "ancestors": ["//purl.example.org/", "//purl.example.org/net/"],
                "kind": "document",
                "folder": "purl.example.org/net/",
                "cited_by": "http://purl.example.org/net/x",
            },
        ),
        (
            "http://purl.example.org/",
            {"scheme": "", "folder": "_host/", "cited_by": "http://purl.example.org/"},
        ),
        ("uri-gin/azgs/", {"folder": "_host/", "ancestors": ["uri-gin/"]}),
    ],
)
def test_parse_shows_the_namespace_of_every_scheme(text: str, parts: dict[str, object]) -> None:
    told = json.loads(_run("parse", text, "--json").stdout)

    assert told.items() >= parts.items()
    assert _run("parse", text).exit_code == 0


def test_the_documented_comparisons_match_the_commands() -> None:
    transcripts = list(_SAID.finditer(PAGE))

    assert len(transcripts) == 5
    for each in transcripts:
        assert _run(*shlex.split(each["command"])).stdout == each["said"]
