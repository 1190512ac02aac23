"""Registrations as rewrite rules: Debian's Apache httpd gives the answers of the registry."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ginuri.memory import MemoryContentStore
from ginuri.migration.apache_rules.changes import collect_changes, is_answering
from ginuri.migration.apache_rules.export import ApacheExport
from ginuri.migration.apache_rules.subjects import RegistryView, host_of
from ginuri.migration.verification.accepts import NAMED
from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.comparison import BothAnswers, SideAnswer, compare_answers
from ginuri.migration.verification.probe import Resolver
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request
from tests.example_registry import upload_examples
from tests.steward import Steward, line, settled
from tests.web_servers import serve_apache

PURL = "purl.example.org"
CANONICAL = "resources.example.org"
NOW = datetime(2026, 11, 23, tzinfo=UTC)
BEFORE, MOMENT, AFTER = "2026-11-01", "2026-11-10", "2026-11-20"
OLD = "https://old.example/"


@dataclass
class Move:
    """A registry whose registrations changed after a moment, and its rewrite rules."""

    steward: Steward = field(default_factory=settled)

    def state(self, day: str, *lines: str) -> None:
        """Upload lines on a day."""
        self.steward.day = day
        folder = f"{PURL}/" if f"//{PURL}/" in lines[0] else "uri-gin/azgs/"
        report = self.steward.upload(f"{folder}{day}.jsonl", "".join(lines))
        assert report.refused == {}

    @property
    def view(self) -> RegistryView:
        """The registry of today."""
        return RegistryView(RememberingFinder(self.steward.memory, time.monotonic), NOW, CANONICAL)

    def export(self, since: str = "") -> tuple[list[str], ApacheExport]:
        """Return the lines of the export, and what it counted."""
        export = ApacheExport(self.view, self.steward.memory)
        return list(export.lines(collect_changes(self.steward.memory.histories(""), since))), export

    def answer(self, host: str, target: str, accept: str | None) -> ResolverAnswer:
        """Return the answer of the registry."""
        path, _, query = target.partition("?")
        request = Request(
            "GET",
            path,
            host,
            preferences=Preferences(accept),
            query=query,
            is_query_as_sent=True,
            moment=NOW,
            protocol="http",
        )
        responses = IdentifierResponses(MemoryContentStore(), CANONICAL)
        response = answer(request, self.view.finder, responses).response
        return ResolverAnswer(response.status, dict(response.headers).get("Location"))

    @contextmanager
    def served(self, folder: Path, since: str = "", rules: str = "") -> Iterator[Resolver]:
        """Run Apache with the exported rules before its own."""
        lines, _ = self.export(since)
        with serve_apache(folder / "apache", "\n".join([*lines, rules])) as address:
            resolver = Resolver(address, 10)
            yield resolver
            resolver.close()


@pytest.fixture
def move() -> Move:
    """Return a registry with a host and its names from before the moment."""
    made = Move()
    made.steward.day = BEFORE
    assert made.steward.upload("_host/purl.jsonl", line(f"http://{PURL}/", record="host")).refused == {}
    return made


def _differences(
    move: Move, apache: Resolver, host: str, targets: Sequence[str], accepts: Sequence[str | None]
) -> dict[str, str]:
    different = {}
    for target in targets:
        uri = f"http://{host}{target}"
        both = [
            BothAnswers(
                accept,
                SideAnswer(uri, move.answer(host, target, accept)),
                SideAnswer(uri, apache.ask(host, target, [("Accept", accept)] if accept else [])),
            )
            for accept in accepts
        ]
        for each, comparison in zip(both, compare_answers(both, strict=True), strict=True):
            if not comparison.agrees:
                answers = [side.answer for side in (each.here, each.there)]
                different[f"{target} {each.accept}"] = (
                    f"{comparison}: {' / '.join(f'{answer.status} {answer.location}' for answer in answers)}"
                )
    return different


def _named(path: str, **fields: Any) -> str:
    return line(f"http://{PURL}{path}", **fields)


FORMS = [
    {"media_type": "text/html", "location": "https://a.example/page"},
    {"media_type": "text/turtle", "location": "https://a.example/data.ttl"},
    {"media_type": "application/rdf+xml", "location": "https://a.example/data.rdf", "status_code": 301},
]
NAMES = [
    _named("/net/a", location="https://a.example/a?x=1#y"),
    _named("/net/thing/", location="https://a.example/thing"),
    _named("/net/seen", location="https://a.example/seen", status_code=303),
    _named("/net/moved", location="https://a.example/moved", status_code=301),
    _named("/net/%C3%A4b%2Fc(1)", location="https://a.example/%C3%A4$1%20b"),
    _named("/net//double", location="https://a.example/double"),
    _named("/net/forms", representations=FORMS),
    _named("/net/forms/", representations=FORMS),
    _named("/net/both", representations=[FORMS[1], {"location": "https://a.example/any"}]),
    _named("/net/data", representations=[FORMS[1], FORMS[2]]),
    _named(
        "/net/parts",
        representations=[
            {"part": ".pdf", "media_type": "application/pdf", "location": "https://a.example/x.pdf"},
            {"part": ".tif", "media_type": "image/tiff", "location": "https://a.example/x.tif"},
        ],
    ),
    _named("/net/alias", record="alias", stands_for=f"http://{PURL}/net/a"),
    _named("/net/current", record="alias", stands_for=f"http://{PURL}/net/thing/", status_code=302),
    _named("/net/gone", location="https://a.example/gone", status="retired"),
    _named("/net/hidden", status="withheld", reason="A reason", requested_by="A court"),
    _named("/net/later", location="https://a.example/later", status="embargoed", until="2027-01-01"),
    _named("/net/reserved", status="reserved"),
    _named("/rule/", record="rule", location="https://a.example/all/{+rest}?a=b", pass_query=True),
    _named("/rule/", record="rule", pattern="HP_{id:digits(7)}", location="https://a.example/{id}.html"),
    _named("/rule/", record="rule", pattern="{county}/{id}/", location="https://a.example/{?county,id}"),
    _named(
        "/rule/", record="rule", pattern="v{version:[0-9.]}[/{+rest}]", location="https://a.example/v{+rest}"
    ),
    _named(
        "/rule/",
        record="rule",
        pattern="{type:def|set}/{id}",
        representations=[
            {"media_type": "text/turtle", "location": "https://a.example/{type}/{id}.ttl"},
            {"location": "https://a.example/{type}/{id}#{id}"},
        ],
        pass_query=True,
    ),
    _named("/rule/", record="rule", pattern="x-{+rest}", status_code=410),
    _named("/rule/no/", record="rule", status_code=404),
    _named(
        "/case/", record="rule", pattern="go_{id:digits}", location="https://a.example/{id}", ignore_case=True
    ),
    _named("/id/{id}/".replace("{id}/", ""), record="rule", location="https://a.example/{rest}"),
]
REQUESTS = [
    *(
        "/net/a",
        "/net/a?q=1",
        "/net/thing/",
        "/net/seen",
        "/net/moved",
        "/net/%C3%A4b%2Fc(1)",
        "/net//double",
    ),
    *("/net/forms", "/net/forms?x", "/net/forms/", "/net/both", "/net/data", "/net/parts", "/net/parts.pdf"),
    *("/net/alias", "/net/current", "/net/gone", "/net/hidden", "/net/later", "/net/reserved", "/net/none"),
    *("/rule/a", "/rule/a/b%2Fc/", "/rule/a?x=%20&y", "/rule/HP_0000001", "/rule/HP_1", "/rule/m/7/"),
    *("/rule/v1.2", "/rule/v1.2/a/b", "/rule/v1/", "/rule/def/x", "/rule/set/x?q=1", "/rule/other/x"),
    *("/rule/x-1/2", "/rule/no/thing", "/case/GO_17", "/case/go_17", "/case/go_x", "/id/a:b@c%20d"),
    *("/id/a", "/id/a.b-c~d", "/netx", "/net/ax"),
]


def test_apache_gives_the_same_answers(move: Move, tmp_path: Path) -> None:
    move.state(AFTER, *NAMES)

    with move.served(tmp_path) as apache:
        different = _differences(move, apache, PURL, REQUESTS, [*NAMED.values(), "text/csv"])

    # The description is only in the registry: Apache gives the default instead.
    assert different.pop("/net/forms/ application/ld+json").endswith(" / 303 https://a.example/page")
    # Reserved characters in a path are not escaped.
    assert {each.partition(": ")[2] for each in map(different.pop, list(different))} == {
        "302 https://a.example/a%3Ab%40c%20d / 302 https://a.example/a:b@c%20d"
    }


OLD_RULES = """
RewriteRule ^/net/(.*)$ https://old.example/$1 [R=302,L]
RewriteRule ^/rule/(.*)$ https://old.example/rule/$1 [R=301,L]
"""


def _asked(apache: Resolver, *targets: str) -> dict[str, tuple[int, str | None]]:
    answers = {target: apache.ask(PURL, target) for target in targets}
    return {target: (answer.status, answer.location) for target, answer in answers.items()}


def test_only_what_changed_since_a_moment_is_exported(move: Move, tmp_path: Path) -> None:
    move.state(
        BEFORE,
        _named("/net/old", location="https://old.example/old"),
        _named("/net/moved", location="https://old.example/moved"),
        _named("/net/titled", location="https://old.example/titled"),
        _named("/net/gone", location="https://old.example/gone"),
    )
    move.state(
        AFTER,
        _named("/net/moved", location="https://new.example/moved"),
        _named("/net/titled", title="A new title"),
        _named("/net/gone", status="retired"),
        _named("/net/new", location="https://new.example/new"),
    )

    with move.served(tmp_path, MOMENT, OLD_RULES) as apache:
        answers = _asked(apache, "/net/old", "/net/moved", "/net/titled", "/net/gone", "/net/new")

    lines, export = move.export(MOMENT)
    assert (export.names, export.rules, export.inexpressible) == (3, 0, [])
    assert answers == {
        "/net/old": (302, "https://old.example/old"),
        "/net/moved": (302, "https://new.example/moved"),
        "/net/titled": (302, "https://old.example/titled"),
        "/net/gone": (410, None),
        "/net/new": (302, "https://new.example/new"),
    }
    assert not any("titled" in each for each in lines)


def test_names_and_rules_that_win_over_a_changed_rule_are_repeated(move: Move, tmp_path: Path) -> None:
    move.state(
        BEFORE,
        _named("/rule/exact", location="https://new.example/exact"),
        _named("/rule/HP_x", location="https://new.example/HP_x"),
        _named("/rule/deep/a", location="https://new.example/deep/a"),
        _named("/rule/", record="rule", location="https://old.example/{+rest}"),
        _named("/rule/", record="rule", pattern="HP_{id:digits}", location="https://new.example/hp/{id}"),
        _named("/rule/deep/", record="rule", location="https://new.example/deep/all"),
        _named("/net/", record="rule", location="https://new.example/net"),
    )
    move.state(AFTER, _named("/rule/", record="rule", location="https://new.example/all/{+rest}"))
    targets = (
        "/rule/exact",
        "/rule/HP_x",
        "/rule/HP_17",
        "/rule/deep/a",
        "/rule/deep/b",
        "/rule/z",
        "/net/a",
    )

    with move.served(tmp_path, MOMENT, OLD_RULES) as apache:
        different = _differences(move, apache, PURL, targets, [None])

    assert list(different) == ["/net/a None"]


def test_a_removed_rule_is_replaced_by_the_next_one_or_by_404(move: Move, tmp_path: Path) -> None:
    removed = {"record": "rule", "status": "retired"}
    move.state(
        BEFORE,
        _named("/rule/", record="rule", location="https://new.example/{+rest}"),
        _named("/rule/", record="rule", pattern="HP_{id:digits}", location="https://old.example/{id}"),
        _named("/net/", record="rule", pattern="x-{id}", location="https://old.example/{id}"),
        _named("/net/x-kept", location="https://old.example/kept"),
    )
    move.state(
        AFTER,
        _named("/rule/", pattern="HP_{id:digits}", **removed),
        _named("/net/", pattern="x-{id}", **removed),
    )
    targets = ("/rule/HP_17", "/net/x-1", "/net/x-kept")

    with move.served(tmp_path, MOMENT, OLD_RULES) as apache:
        different = _differences(move, apache, PURL, targets, [None])
        others = _asked(apache, "/rule/other")

    assert different == {}
    assert others == {"/rule/other": (301, "https://old.example/rule/other")}


def test_a_removed_rule_is_left_to_the_server_of_a_fallback(move: Move) -> None:
    move.state(BEFORE, _named("/rule/", record="rule", location="https://old.example/{+rest}"))
    move.state(AFTER, _named("/rule/", record="rule", status="retired"))
    absent, _ = move.export(MOMENT)
    host = line(f"http://{PURL}/", record="host", fallback="legacy.example")
    assert move.steward.upload("_host/fallback.jsonl", host).refused == {}

    led_on, _ = move.export(MOMENT)

    assert [each for each in absent if each.startswith("RewriteRule")] == ["RewriteRule ^ - [R=404,L]"]
    assert [each for each in led_on if each.startswith("RewriteRule")] == []


def test_a_prefix_that_was_handed_to_a_host_leads_there(move: Move, tmp_path: Path) -> None:
    move.state(BEFORE, _named("/net/deep/a", location="https://old.example/a"))
    move.state(AFTER, _named("/net/deep/", record="delegation", answered_by="other.example"))

    with move.served(tmp_path, MOMENT, OLD_RULES) as apache:
        different = _differences(move, apache, PURL, ["/net/deep/a", "/net/deep/b/c?x=%2F"], [None])

    assert different == {}


def test_names_below_an_ark_lead_to_its_location(move: Move, tmp_path: Path) -> None:
    move.steward.day = AFTER
    hosts = line("ark:", record="scheme") + line("ark:12345/", record="namespace")
    assert move.steward.upload("_host/ark.jsonl", hosts).refused == {}
    arks = line("ark:12345/x6", location="https://a.example/x6")
    arks += line("ark:12345/x6/deep", location="https://b.example/deep")
    assert move.steward.upload("ark:12345/all.jsonl", arks).refused == {}
    targets = [f"/ark:12345/x6{end}" for end in ("", "/a", ".pdf", "/deep", "/deep/b", "/deeper", "y")]

    with move.served(tmp_path) as apache:
        different = _differences(move, apache, CANONICAL, targets, [None])
        slashed = apache.ask(CANONICAL, "/ark:/12345/x6/a").location

    assert different == {}
    assert slashed == "https://a.example/x6/a"


def test_inexpressible_answers_are_listed_with_their_reason(move: Move) -> None:
    several = [f"http://{PURL}/net/a", f"http://{PURL}/net/b"]
    move.state(
        AFTER,
        _named("/net/a", title="A name without a location"),
        _named("/net/b", location="https://a.example/b"),
        _named("/net/c", record="alias", stands_for=several),
        _named("/rule/", record="rule", pattern="{id}", location="https://a.example/{?id}"),
    )

    lines, export = move.export()

    assert [(name.rpartition("/")[2], str(reason)) for name, reason in export.inexpressible] == [
        ("a", "It leads to its description, which only this registry has."),
        ("c", "It stands for several identifiers."),
        (
            "{id}",
            "Names whose {id} contains one of :/@!$&'()*+,;= are left out: it is escaped in the query.",
        ),
    ]
    assert f"# //{PURL}/net/c: It stands for several identifiers." in lines
    assert (export.names, export.rules) == (1, 1)


def test_the_examples_get_the_same_answers(tmp_path: Path) -> None:
    move = Move(upload_examples())
    lines, export = move.export()
    missing = {name for name, _ in export.inexpressible}
    names = [name for name, values in move.steward.memory.standing("") if is_answering(values)]
    expressed = sorted(set(names) - missing)

    with serve_apache(tmp_path / "apache", "\n".join(lines)) as address:
        apache = Resolver(address, 10)
        different: dict[str, str] = {}
        for name in expressed:
            host, path = host_of(name), name[name.index("/", 2) :] if name.startswith("//") else f"/{name}"
            different |= _differences(move, apache, host or CANONICAL, [path], list(NAMED.values()))
        apache.close()

    assert len(expressed) > 100
    # Descriptions are only in the registry: Apache gives the default instead.
    assert [each for each in different.values() if ": 303 /about/" not in each] == []
