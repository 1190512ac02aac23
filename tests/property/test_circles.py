"""No upload creates a circle of redirects: such registrations are refused, with all steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.memory import MemoryContentStore
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from tests.builders import rest_event
from tests.steward import HOST, LINES, Report, Steward, line

CANONICAL, TRUSTED, BOUND = "canonical.example", "trusted.example", "id.example"
DOC, OLD = "uri-gin/azgs/doc/", "uri-gin/azgs/old/"
NAMES = [f"{DOC}a", f"{DOC}a/", f"{DOC}b", f"{DOC}c.pdf", f"{OLD}a", f"{OLD}b"]
PURLS = [f"http://{BOUND}/a", f"http://{BOUND}/b"]
"""A few names, so that they often lead to each other."""

_hosts = st.sampled_from(
    [CANONICAL, CANONICAL.upper(), f"{CANONICAL}:80", f"{TRUSTED}:443", TRUSTED, BOUND, "elsewhere.example"]
)
_protocols = st.sampled_from(["http", "https"])


@st.composite
def _locations(draw: st.DrawFn) -> str:
    """Draw a location, mostly of one of the names, in one of its spellings."""
    protocol, name = draw(_protocols), draw(st.sampled_from([*NAMES, *PURLS, "https://maps.example/1"]))
    if "://" in name:
        return name.replace("http:", f"{protocol}:", 1)
    writings = [name, name.replace("azgs", "%61zgs"), f"resolve?uri={name}", f"{name}?x=1"]
    written = draw(st.sampled_from(writings))
    return f"{protocol}://{draw(_hosts)}/{written}"


_forms = st.one_of(
    _locations().map(lambda location: {"location": location}),
    st.sampled_from([*NAMES, *PURLS]).map(lambda name: {"representations": [{"identifier": name}]}),
    st.sampled_from(NAMES).map(lambda name: {"record": "alias", "stands_for": name}),
    st.sampled_from(["retired", "valid"]).map(lambda status: {"status": status}),
)
_line = st.tuples(st.sampled_from([*NAMES, *PURLS]), _forms)
_lines = st.lists(_line, min_size=1, max_size=4, unique_by=lambda each: each[0])
_Lines = Sequence[tuple[str, Mapping[str, Any]]]


class _Served(Steward):
    """A steward of a stack with a canonical host, which cuts files into the smallest parts."""

    def __init__(self, rows: int) -> None:
        super().__init__(limits=Limits(task_rows=rows, chunk_rows=rows))
        self.upload("_host/all.jsonl", HOST + line(f"http://{BOUND}/", record="host"))
        self.upload("_host/azgs.jsonl", line("uri-gin/azgs/", record="authority", trusted_hosts=[TRUSTED]))

    @property
    def collaborators(self) -> IngestCollaborators:
        return replace(super().collaborators, canonical_host=CANONICAL)

    def register(self, lines: _Lines) -> list[Report]:
        """Upload lines, each from its own folder."""
        folders = {LINES: NAMES, f"{BOUND}/all.jsonl": PURLS}
        bodies = {
            key: "".join(line(name, **fields) for name, fields in lines if name in names)
            for key, names in folders.items()
        }
        return [self.upload(key, body) for key, body in bodies.items() if body]

    def leads(self, name: str) -> list[str]:
        """Follow the redirects from an identifier, by requests, within the hosts of the registry."""
        finder = RememberingFinder(self.registry, lambda: 0.0)
        answers = IdentifierResponses(MemoryContentStore(), CANONICAL)
        way = [name]
        while len(way) < 20:
            host, path = _uri(way[-1]).split("/", 3)[2:]
            response = answer(
                read_request(rest_event(f"/{path}", headers={"Host": host})), finder, answers
            ).response
            location = dict(response.headers).get("Location")
            target = None if location is None else _ours(location, host)
            if target is None:
                break
            way.append(target)
        return way


def _uri(name: str) -> str:
    return name if "://" in name else f"http://{CANONICAL}/{name}"


def _ours(location: str, asked: str) -> str | None:
    """Return the identifier of a redirect's target; None for a foreign host, or a page of the service."""
    if not location.startswith("http"):
        location = f"http:{location}" if location.startswith("//") else f"http://{asked}{location}"
    _, _, host, path = f"{location}/".split("/", 3)
    if host.lower().partition(":")[0] not in {CANONICAL, TRUSTED, BOUND} or path.startswith("about"):
        return None
    path = path.removesuffix("/").partition("?x=")[0]
    identifier = parse(path.removeprefix("resolve?uri=") if "resolve" in path else f"http://{host}/{path}")
    return f"http:{identifier}" if identifier.is_bound else str(identifier)


def _to(name: str) -> dict[str, str]:
    return {"location": f"http://{CANONICAL}/{name}"}


@given(st.lists(_lines, min_size=1, max_size=4), st.sampled_from([1, 3_000]))
@example([[(NAMES[0], _to(NAMES[2]))], [(NAMES[2], _to(NAMES[0]))]], 3_000)
@example([[(NAMES[1], _to(NAMES[0]))]], 3_000)
@example([[(PURLS[0], {"location": f"http://{BOUND}/{NAMES[0]}?x=1"})]], 3_000)
def test_no_redirect_loops_and_a_refused_loop_shows_its_steps(uploads: Sequence[_Lines], rows: int) -> None:
    steward = _Served(rows)

    reports = [report for lines in uploads for report in steward.register(lines)]

    for name in [*NAMES, *PURLS]:
        way = steward.leads(name)
        assert len(set(way)) == len(way), way
    for finding in [each for report in reports for verdict in report.verdicts for each in verdict.findings]:
        if finding["rule"] in {"itself", "circle"} and finding["level"] == "refused":
            assert " → " in finding["message"] or finding["field"] == "stands_for"


@given(st.lists(_lines, min_size=1, max_size=3), st.sampled_from([1, 3_000]))
@example(
    [[(NAMES[0], {"status": "retired"}), (NAMES[1], {"representations": [{"identifier": NAMES[0]}]})]], 1
)
@example([[(NAMES[0], {"status": "retired"}), (NAMES[1], {"record": "alias", "stands_for": NAMES[0]})]], 1)
def test_a_dry_run_finds_the_loops_that_the_upload_is_refused_for(
    uploads: Sequence[_Lines], rows: int
) -> None:
    steward = _Served(rows)
    for lines in uploads[:-1]:
        steward.register(lines)
    body = "".join(line(name, **fields) for name, fields in uploads[-1] if name in NAMES)

    tried = steward.try_out(LINES, body)
    report = steward.upload(LINES, body)

    assert tried.whole["verdicts"] == report.whole["verdicts"]
