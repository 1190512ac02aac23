"""Every front makes the same decision about the same request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import quote

from hypothesis import event, example, given
from hypothesis import strategies as st

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.memory import MemoryRegistry
from ginuri.resolution.decision import Question
from ginuri.resolution.explanations.explanation import Explanation
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import (
    Choices,
    Decision,
    Give,
    NoSuchHost,
    NoSuchTitle,
    NotNormal,
    NotRegistered,
    PassedThrough,
    Reserved,
    Retired,
    SeeDescription,
    StandsFor,
    Withheld,
    WrittenOtherwise,
)
from ginuri.resolution.versions.as_of import decide_then, end_of
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as dereference
from ginuri.service.services import decide_service
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.answers.services import NoContent
from ginuri.web.events import read_request
from ginuri.web.response import Answered, Response
from infra.attack.drawn.spellings import SPELLINGS, UNREGISTERED_HOSTS
from tests.builders import rest_event
from tests.property.drawn_registries import registered
from tests.property.strategies import HOSTS, SEGMENTS, registries

CANONICAL, SECRET = "ids.example.org", "secret"
DAY = "2026-06-01"
"""After all registrations, and between the drawn versions."""
_WRITTEN = [
    "uri-gin/",
    "uri-gin",
    "info:",
    "uri-gin/azgs/",
    "uri-gin/azgs/doc/a",
    "uri-gin/azgs/doc/a/",
    "uri-gin/azgs/doc/a.pdf",
    "uri-gin/azgs/doc/A",
    "uri-gin/azgs/doc/%61",
    "uri-gin/azgs/doc/a/current",
    "uri-gin/azgs/doc/a/1997-06-01",
    "uri-gin/azgs/doc/Thing",
    "uri-gin/azgs/doc/Thing/map.pdf",
    "uri-gin/azgs/doc/Thing/MAP.pdf",
    "uri-gin/azgs/doc/A.PDF",
    "uri-gin/azgs/old/x",
    "uri-gin/azgs//",
    "uri-gin/azgs/..",
    "uri_gin/azgs/",
    "uri-gin/authority/azgs/",
    "uri-gin/azgs/registry/resourceType/",
    "urn:foo:bar",
    "URN:FOO:bar",
    "info:doi/10.1000/a",
    "info:doi/10.1000/A",
    "ark:12345/x8/C3",
    "ark:12345/x8.tif",
    "ark:12345/x8/c3/p1",
    "ark:/12345/x8/c-4",
    "net/a",
    "net/a.pdf",
    "net/a/data.xml",
    "net/%61",
    "net",
    "old/x",
    "c",
    "authority/b/",
    "nope/x",
    "nope/%",
]
_HOSTS = [CANONICAL, *HOSTS, UNREGISTERED_HOSTS[0]]


@st.composite
def asked(draw: st.DrawFn) -> tuple[dict[str, Any], str, str]:
    """Draw registered values, a requested name, mostly one of these, and the host."""
    drawn = draw(registries())
    registered_hosts = [host for host in HOSTS if f"//{host}/" in drawn]
    names = st.sampled_from(_WRITTEN) | st.lists(SEGMENTS, min_size=1, max_size=3).map(
        lambda it: "/".join(["uri-gin", *it])
    )
    if drawn:
        known = st.sampled_from(sorted(drawn))
        written = st.builds(lambda write, name: write(name), st.sampled_from([str, *SPELLINGS]), known)
        names = known | written | names
    name = draw(names)
    if name.startswith("//"):
        host, _, below = name[2:].partition("/")
        if host in HOSTS and below:
            return drawn, below, host
    return drawn, name.lstrip("/"), draw(st.sampled_from(3 * registered_hosts + _HOSTS))


HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Accept": st.sampled_from(["text/html", "application/json", "application/pdf", "image/png"]),
        "Accept-Datetime": st.sampled_from(["Sun, 06 Nov 1994 08:49:37 GMT", "yesterday"]),
    },
)


class AnyTitle:
    """Titles by their number of matches: none, one or several."""

    def find(self, decision: SeeDescription, question: Question) -> Decision:
        match question.title:
            case "none":
                return NoSuchTitle(decision.found, decision.record, question.title)
            case "one":
                return StandsFor(decision.found, "uri-gin/azgs/doc/a", 301)
            case _:
                return Choices(decision.found, ("uri-gin/azgs/doc/a", "uri-gin/azgs/doc/b"))


@dataclass(frozen=True)
class Fronts:
    """Every front over one registry, with requests on one host with the same header."""

    registry: MemoryRegistry
    headers: Mapping[str, str]

    def get(self, path: str, query: str = "") -> Answered:
        """Dereference with a HEAD, which reads no content."""
        sent = rest_event(path, "HEAD", self._sent(query))
        finder, answers = (
            RememberingFinder(self.registry, lambda: 0.0),
            IdentifierResponses(NoContent(), CANONICAL),
        )
        return dereference(read_request(sent, SECRET, _now), finder, answers, make_titles=AnyTitle)

    def explain(self, path: str, query: str = "") -> Explanation:
        """Request its explanation."""
        request = read_request(rest_event(f"/explain{path}", headers=self._sent(query)), SECRET, _now)
        finder = RememberingFinder(self.registry, lambda: 0.0)
        explained = decide_service(request, finder, CANONICAL, AnyTitle)
        assert isinstance(explained, Explanation)
        return explained

    def ask(self, path: str, method: str = "GET", query: str = "", body: str | None = None) -> Response:
        """Send a request to the describe function."""
        using = Collaborators(
            RememberingFinder(self.registry, lambda: 0.0),
            self.registry,
            self.registry,
            DescriptionResponses(DescriptionWriter().write),
            CANONICAL,
        )
        event = rest_event(path, method, self._sent(query)) | {"body": body}
        return describe(read_request(event, SECRET), using).response

    def item(self, uri: str) -> Any:
        """Look it up in a list."""
        (item,) = json.loads(self.ask("/resolve", "POST", body=json.dumps([uri])).body)
        return item

    def without(self, *names: str) -> Fronts:
        """Send the request without some fields of the header."""
        return replace(self, headers={name: it for name, it in self.headers.items() if name not in names})

    def settled(self, path: str) -> Answered:
        """Dereference the target of a path in normal form."""
        answered = self.get(path)
        while isinstance(answered.outcome, NotNormal):
            answered = self.get(answered.outcome.identifier.path.removeprefix(f"//{self.headers['Host']}"))
        return answered

    def _sent(self, query: str) -> dict[str, str]:
        return {**self.headers, "X-Ginuri-Edge": SECRET, "X-Ginuri-Query": query}


def _now() -> datetime:
    return datetime.fromisoformat(end_of(DAY))


def _location(response: Response) -> str | None:
    return dict(response.headers).get("Location") or None


def _outcome(answered: Answered) -> tuple[str, int, str | None]:
    return type(answered.outcome).__name__, int(answered.response.status), _location(answered.response)


QUERIES = st.sampled_from(["", "", "a=b", "info", "title=none", "title=one", "title=several"])


@given(asked(), HEADERS, QUERIES)
@example(({"uri-gin/azgs/": {"record": "authority"}}, "uri-gin/azgs/", CANONICAL), {}, "title=several")
@example(({"uri-gin/azgs/": {"record": "authority"}}, "uri-gin/azgs", CANONICAL), {}, "title=one")
@example(({}, "nope/x", CANONICAL), {}, "")
@example(({}, "uri-gin/azgs//", CANONICAL), {}, "")
def test_an_explanation_has_the_answer_to_a_request(
    question: tuple[dict[str, Any], str, str], headers: dict[str, str], query: str
) -> None:
    drawn, name, host = question
    fronts = Fronts(registered(drawn), {"Host": host, **headers})

    got, explained = fronts.get(f"/{name}", query), fronts.explain(f"/{name}", query)

    event(type(got.outcome).__name__)
    # Errors have no equality, so their messages are compared.
    assert repr(explained.decision) == repr(got.outcome)


@given(asked(), HEADERS)
@example(({}, "nope/x", CANONICAL), {})
def test_an_item_of_a_list_has_the_answer_to_a_request(
    question: tuple[dict[str, Any], str, str], headers: dict[str, str]
) -> None:
    drawn, name, host = question
    fronts = Fronts(registered(drawn), {"Host": host, **headers}).without("Accept")

    item, got = fronts.item(f"http://{host}/{name}"), fronts.get(f"/{name}")
    if item["identifier"] is not None:
        normal = str(parse(item["identifier"])).removeprefix(f"//{host}")
        got = fronts.get(f"/{normal.removeprefix('/')}")

    assert (item["outcome"], item["status"], item["location"]) == _outcome(got)


@given(asked(), HEADERS)
@example(({}, "nope/x", CANONICAL), {})
def test_the_service_n2l_redirects_as_a_request_does(
    question: tuple[dict[str, Any], str, str], headers: dict[str, str]
) -> None:
    drawn, name, host = question
    fronts = Fronts(registered(drawn), {"Host": host, **headers})

    asked, got = fronts.ask("/uri-res/N2L", query=f"http://{host}/{name}"), fronts.settled(f"/{name}")

    if isinstance(got.outcome, Give):
        assert (asked.status, _location(asked)) == (303, got.outcome.address)
    elif _location(got.response):
        assert (asked.status, _location(asked)) == (303, _location(got.response))
    else:
        assert (asked.status, _location(asked)) == (got.response.status, None)


@given(asked())
def test_no_service_accepts_a_host_unknown_to_requests(question: tuple[dict[str, Any], str, str]) -> None:
    drawn, name, host = question
    fronts = Fronts(registered(drawn), {"Host": host})
    uri = f"http://{host}/{name}"

    is_unknown = isinstance(fronts.settled(f"/{name}").outcome, NoSuchHost)

    led = fronts.ask("/resolve", query=f"uri={quote(uri, safe='')}")
    assert (led.status == 404) == is_unknown
    if is_unknown:
        described = [fronts.ask(f"/{front}/{uri}").status for front in ("about", "members", "timemap")]
        assert {*described} <= {301, 404}


@given(asked())
def test_history_reports_the_answer_of_a_past_day(
    question: tuple[dict[str, Any], str, str],
) -> None:
    drawn, name, host = question
    fronts = Fronts(registered(drawn), {"Host": host})
    got = fronts.settled(f"/{name}")
    identifier = getattr(getattr(got.outcome, "found", None), "identifier", None)
    if identifier is None:
        return

    then = decide_then(identifier, fronts.registry, DAY)

    # Only other spellings of parts are drawn, not those of whole identifiers.
    is_other = isinstance(got.outcome, WrittenOtherwise | NotRegistered) or (
        isinstance(got.outcome, Choices) and not got.outcome.is_registered
    )
    expected = {NotRegistered if is_other else type(got.outcome)}
    if is_other and not isinstance(got.outcome, NotRegistered):
        expected |= {WrittenOtherwise, Choices}
    if is_other and identifier.scheme == "ark" and not isinstance(got.outcome, NotRegistered):
        # hidden by another spelling of a registered ARK
        expected |= {PassedThrough, Reserved, Retired, Withheld}
    if identifier.is_scheme and identifier.root not in drawn:
        expected.add(NotRegistered)  # the index has only today's names
    assert type(then) in expected
    for field in ("record", "target", "targets", "address", "name", "representation"):
        if not is_other and type(then) is type(got.outcome):
            assert getattr(then, field, None) == getattr(got.outcome, field, None)
