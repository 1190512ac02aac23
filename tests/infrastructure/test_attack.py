"""The attack: its findings in fakes that break one rule each, and a minute of it with a fixed seed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from ginuri.registry.record.record import Record
from infra.attack import invariants
from infra.attack.__main__ import main, write
from infra.attack.answer import Answer, Fields, failed
from infra.attack.campaign import Extent, Tally, run
from infra.attack.deployed import is_reading
from infra.attack.drawn.files import HostileFile
from infra.attack.drawn.requests import Drawing
from infra.attack.kinds import commands, deployments, edge, faults, kills, memory, uploads
from infra.attack.kinds.promises import PROMISES, Promises
from infra.attack.kinds.requests import compare_explained, compare_head
from infra.attack.kinds.table import KINDS
from infra.attack.kinds.vary import Vary
from infra.attack.targets.hostile_registry import PROFILES, UNDER
from infra.attack.targets.stores import Stores
from infra.attack.trials import Fault, make_chance, trial
from infra.attack.world import World
from infra.deployment.environment import Environment
from infra.emulator.requests import Sent

SEED = "make test"
CASES = {
    "requests": 12,
    "vary": 8,
    "edge": 8,
    "promises": 4,
    "uploads": 2,
    "kills": 3,
    "faults": 1,
    "commands": 1,
    "deployments": 2,
    "memory": 1,
}
"""The number of cases of each kind in `make test`."""
HOSTS = frozenset({"ids.example.org"})
GET = Sent("/uri-gin/azgs/")
PLAIN: Fields = (("cache-control", "max-age=60"),)


def _page(text: str, media_type: str = "text/html", status: int = 200, *fields: tuple[str, str]) -> Answer:
    return Answer(status, (*PLAIN, ("content-type", media_type), *fields), text.encode())


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("attack"), SEED)


@pytest.mark.parametrize("name", KINDS)
def test_the_attack_with_a_fixed_seed_finds_nothing(name: str, world: World) -> None:
    tally = run(name, KINDS[name](world), SEED, Extent(0, CASES[name]))

    assert tally.failures == []
    assert tally.cases == CASES[name]


def test_a_deployment_that_resets_a_value_is_found() -> None:
    values = dict(deployments.DEFAULTS)
    environment = Environment("prod", "ginuri", "us-east-1", None, {})

    found = deployments.compare(values, {"HostNames": "deployed.example"}, environment)

    assert {fault.invariant for fault in found} == {"deployed-values-stay", "production-is-decided"}


def test_a_case_is_reproducible() -> None:
    drawing = Drawing(["uri-gin/azgs/"], ["ids.example.org"])

    one, other = (drawing.request(make_chance("seed", "requests", 7)) for _ in range(2))

    assert one == other
    assert one != drawing.request(make_chance("seed", "requests", 8))


@pytest.mark.parametrize(
    ("invariant", "answer"),
    [
        ("answers-are-ours", failed(KeyError("x"))),
        ("answers-are-ours", Answer(503, PLAIN)),
        ("answers-fit", Answer(200, PLAIN, event_bytes=6_291_557)),
        ("headers-are-legal", Answer(200, (*PLAIN, ("x", "a\nb")))),
        ("headers-are-legal", Answer(200, (*PLAIN, ("x", "a" * 10_240)))),
        ("redirects-lead-to-registered-hosts", Answer(303, (*PLAIN, ("location", "//evil.example/")))),
        ("redirects-lead-to-registered-hosts", Answer(303, PLAIN)),
        ("redirects-lead-to-registered-hosts", Answer(303, (*PLAIN, ("location", "/\\evil.example/")))),
        ("nothing-is-reflected", _page('<a title=""><x7k onload=x7k()>')),
        ("nothing-is-reflected", _page('<a href="javascript:x7k()">')),
        ("problems-are-errors", _page('{"status": 300}', "application/problem+json", 300)),
        ("problems-are-errors", _page('{"status": 400}', "application/problem+json", 404)),
        ("no-trace-is-shown", _page('Traceback (most recent call last): File "/var/task/x.py"', status=500)),
        ("texts-are-plain", _page("\x1b[2J", "text/plain")),
        ("texts-are-plain", _page('{"title": "\\u001b[2J"}', "application/json")),
        ("texts-are-plain", _page('<a> <b> "\\u001B" .', "application/n-triples")),
        ("formats-can-be-read", _page("{", "application/json")),
        ("formats-can-be-read", _page("<a><b></a>", "application/rdf+xml")),
        ("bodies-are-labelled", Answer(303, (*PLAIN, ("location", "/about/")))),
        ("bodies-are-labelled", Answer(200, PLAIN, b"text")),
        ("caches-are-instructed", Answer(200, ())),
        ("links-name-a-target-once", Answer(200, (*PLAIN, ("link", '</a>; rel="up", </a>; rel="type"')))),
        ("links-name-a-target-once", Answer(200, (*PLAIN, ("link", "<a")))),
        ("scripts-are-our-own", Answer(200, (*PLAIN, ("content-security-policy", "script-src 'self'")))),
    ],
)
def test_an_invariant_finds_the_answer_that_breaks_it(invariant: str, answer: Answer) -> None:
    assert invariant in {fault.invariant for fault in invariants.find_faults(GET, answer, HOSTS)}


def test_no_invariant_is_broken_by_a_usual_answer() -> None:
    answer = _page("<p>A map &amp; more", "text/html", 200, ("link", '</a>; rel="up", </b>; rel="type"'))

    assert list(invariants.find_faults(GET, answer, HOSTS)) == []


def test_a_head_that_differs_from_its_get_is_found() -> None:
    got = _page("text")

    found = list(compare_head(lambda _: Answer(200, PLAIN, b"text"), GET, got))

    assert _invariants(found) == {"heads-are-without-body", "heads-equal-gets"}
    assert list(compare_head(lambda _: Answer(200, got.fields), GET, got)) == []


def test_an_explanation_that_differs_from_the_answer_is_found() -> None:
    explained = _page(
        '{"outcome": "SeeDescription", "status": 303, "location": "/about/"}', "application/json"
    )

    found = list(compare_explained(lambda _: explained, GET, Answer(404, PLAIN)))

    assert _invariants(found) == {"explanations-agree"}
    assert list(compare_explained(lambda _: explained, GET, Answer(303, (("location", "/about/"),)))) == []


@pytest.mark.parametrize(("vary", "is_found"), [("", True), ("Accept-Language", False)])
def test_an_answer_that_varies_by_an_unnamed_header_is_found(vary: str, *, is_found: bool) -> None:
    def ask(sent: Sent) -> Answer:
        language = dict(sent.headers).get("accept-language", "")
        return Answer(200, (*PLAIN, ("vary", vary)), language.encode())

    tally = run("vary", Vary(ask, Drawing(["uri-gin/azgs/"], [])), SEED, Extent(0, 3))

    assert bool(tally.broken["vary-names-what-matters"]) == is_found


def test_an_answer_that_another_request_changed_is_found() -> None:
    cold, warm = _page("of the victim"), _page("of the attacker")

    assert _invariants(edge.compare("x", cold, warm)) == {"x"}
    assert list(edge.compare("x", cold, _page("of the victim", "text/html", 200, ("age", "3")))) == []


def test_a_service_that_breaks_a_promise_is_found() -> None:
    profiles = ", ".join(f'<{profile}>; rel="profile"' for profile in PROFILES)
    fields = (("content-location", "/"), ("location", "#fragment/x"), ("link", profiles))
    described = json.dumps({"detail": "Reason: R", "representations": [{"profile": "urn:other"}]})

    texts = {
        "/opensearch.xml": 'template="http://a/b{c?}"',
        f"/about.ttl/{UNDER}place/": 'dcat:bbox "MULTIPOLYGON (((',
    }

    def ask(sent: Sent) -> Answer:
        return Answer(599, fields, texts.get(sent.target, described).encode(), event_bytes=10_000_000)

    broken = run("promises", Promises(ask, ask), SEED, Extent(0, 1)).broken

    assert broken.keys() == PROMISES.keys()


@pytest.mark.parametrize(
    ("invariant", "file"),
    [
        ("every-row-has-a-verdict", HostileFile("a.csv", b"identifier\n", {"uri-gin/azgs/doc/1/": "Sheet"})),
        (
            "registrations-are-not-stored-silently",
            HostileFile("a.pdf", b"%PDF", looks_like_registrations=True),
        ),
        ("legal-rows-are-registered", HostileFile("a.csv", b"identifier\nx y\n", is_legal=True)),
    ],
)
def test_an_upload_that_loses_rows_is_found(invariant: str, file: HostileFile) -> None:
    assert invariant in _invariants(uploads.find_faults(Stores(), file))


def test_an_upload_that_ends_with_an_exception_is_found() -> None:
    class Broken(Stores):
        def report(self, upload: object) -> dict[str, Any]:
            raise KeyError(upload)

    found = uploads.find_faults(Broken(), HostileFile("a.csv", b"identifier\n"))

    assert _invariants(found) == {"uploads-are-reported"}


@pytest.mark.parametrize(
    ("invariant", "stated"),
    [
        ("registered-texts-are-plain", {"title": {"en": "\x1b"}}),
        (
            "places-have-width",
            {"spatial": {"type": "MultiPolygon", "coordinates": [[[[180, 0], [180, 1], [180, 0]]]]}},
        ),
        ("places-have-width", {"spatial": {"type": "LineString", "coordinates": [[179, 0], [-179, 0]]}}),
        ("successors-end", {"successor": "a"}),
        ("locations-are-possible", {"representations": {"1": {"location": "http://a..b/"}}}),
        ("locations-are-possible", {"representations": {"1": {"location": "http://a.example:99999/"}}}),
        ("concepts-are-things", {"triples": "<a> a <http://www.w3.org/2004/02/skos/core#Concept> ."}),
    ],
)
def test_a_record_that_should_not_be_registered_is_found(invariant: str, stated: dict[str, Any]) -> None:
    found = {name for name, check in uploads.RECORD_CHECKS.items() if [*check("a", stated, {"a": stated})]}

    assert found == {invariant}


def test_a_lost_or_changed_record_is_found() -> None:
    expected = {"a": Record("a", {}), "b": Record("b", {})}

    assert _invariants(kills.compare("x", (expected, 1), ({"a": expected["a"]}, 1))) == {"x"}
    assert _invariants(kills.compare("x", (expected, 1), (expected, 2))) == {"x"}
    assert list(kills.compare("x", (expected, 1), (expected, 1))) == []


def test_an_answer_that_is_broken_or_late_is_found() -> None:
    ours = Answer(503, (("retry-after", "1"),))

    assert _invariants(faults.judge(Answer(502, ()), 1, 10)) == {"faults-are-answered"}
    assert _invariants(faults.judge(ours, 11, 10)) == {"faults-cost-little-time"}
    assert list(faults.judge(ours, 9, 10)) == []


def test_a_command_that_fails_or_needs_much_memory_is_found() -> None:
    large = commands.MOST_MEMORY + 1

    assert _invariants(commands.judge(commands.Run(1, "Traceback", 0), "cli")) == {"commands-run"}
    assert _invariants(commands.judge(commands.Run(2, "pip install x", 0), "cli")) == {"commands-run"}
    assert _invariants(commands.judge(commands.Run(0, "", large), "cli")) == {"memory-is-bounded"}
    assert list(commands.judge(commands.Run(2, "pip install x", 0), "none")) == []


def test_much_memory_and_slow_rules_are_found() -> None:
    assert _invariants(memory.judge_memory(memory.MOST_REMEMBERED + 1)) == {"memory-is-bounded"}
    assert _invariants(memory.judge_rules(0.001, 0.003)) == {"rules-cost-nothing-unless-needed"}


def test_a_deployed_service_is_only_read() -> None:
    override = (("x-http-method-override", "POST"),)

    assert is_reading(Sent("/resolve", "POST", body=b"[]"))
    assert not is_reading(Sent("/uri-gin/", "PUT"))
    assert not is_reading(Sent("/uri-gin/", "POST"))
    assert not is_reading(Sent("/uri-gin/", headers=override))


def test_the_report_names_the_command_that_repeats_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    tally = Tally()
    tally.add("edge", 7, trial("GET /", [Fault("answers-are-ours", "502")]))

    code = write({"edge": tally}, "abc", as_json=False)

    assert "python -m infra.attack --kind edge --seed abc --case 7" in capsys.readouterr().out
    assert code == 1


def test_the_command_attacks_one_kind_and_reports_counts(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--kind", "kills", "--cases", "1", "--seed", "a", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert document["seed"] == "a"
    assert document["kinds"]["kills"]["trials"] == 3
    assert code == (1 if document["kinds"]["kills"]["broken"] else 0)


def test_an_address_without_an_answer_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["http://127.0.0.1:1", "--seed", "a"]) == 2
    assert "error: " in capsys.readouterr().err


def _invariants(faults: Iterable[Fault]) -> set[str]:
    return {fault.invariant for fault in faults}
