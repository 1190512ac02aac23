"""The server of one machine and the front doors of AWS read the same request."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from ginuri.server.asgi import Scope
from ginuri.server.requests import NamedProxies, read_request
from ginuri.web import events
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Match, Route

VISIBLE = [chr(code) for code in range(0x21, 0x7F)]
TARGETS = st.text(st.sampled_from(VISIBLE))
FIELDS = sorted(name for name in events.FIELDS if not name.startswith(("x-", "cloudfront-")))
# RFC 9110 §5.5  field-content; obs-text is read as ISO 8859-1, as h11 and the gateway do
VALUES = st.text(st.sampled_from([*VISIBLE, "é", " "]), max_size=9)
SECRET = "of-the-edge"  # noqa: S105  of no edge
MOMENT = datetime(2026, 11, 23, tzinfo=UTC)
ROUTE = Match(Route("/{proxy+}", frozenset({"ANY"}), "resolve", permitted=True))


@given(
    st.sampled_from(["GET", "HEAD", "OPTIONS", "PUT"]),
    TARGETS.map(lambda text: "/" + text.replace("?", "")),
    TARGETS,
    st.lists(st.tuples(st.sampled_from(FIELDS), VALUES), max_size=6),
)
def test_both_fronts_read_the_same_request(
    method: str, path: str, query: str, sent: list[tuple[str, str]]
) -> None:
    edge = [("x-ginuri-edge", SECRET), ("x-ginuri-query", query), ("cloudfront-forwarded-proto", "http")]
    received = HttpRequest(method, path, query, (*sent, *edge), b"", "192.0.2.1", 443)
    event = proxy_event(received, ROUTE, "live", "api")

    by_aws = events.read_request(event, SECRET, lambda: MOMENT)

    assert read_request(_scope(method, path, query, sent), NamedProxies(), lambda: MOMENT) == by_aws


def _scope(method: str, path: str, query: str, sent: list[tuple[str, str]]) -> Scope:
    return {
        "type": "http",
        "method": method,
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "headers": [(name.encode("ascii"), value.encode("latin-1")) for name, value in sent],
        "client": ("192.0.2.1", 50_000),
    }
