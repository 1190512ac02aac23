"""The table of paths and the gateway agree on every path."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.service.paths import ROUTES, Flow, flow_of
from infra.local.gateway.routes import Route, choose

_GATEWAY = [Route(path, frozenset({"ANY"}), flow.name, permitted=True) for path, flow in ROUTES.items()]
_SEGMENTS = st.sampled_from(["", *{path.split("/")[1] for path in ROUTES}, "uri-gin", "azgs", "%2F", "a b"])


@given(path=st.lists(_SEGMENTS, max_size=4).map("/".join))
@example("/search/")
@example("//explain/x")
def test_a_path_reaches_resolve_as_at_the_gateway(path: str) -> None:
    match = choose(_GATEWAY, "GET", f"/{path}")

    is_resolved = match is None or match.route.function == Flow.RESOLVE.name
    assert (flow_of(f"/{path}") is Flow.RESOLVE) == is_resolved
