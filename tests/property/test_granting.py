"""Whatever was granted, ended and delegated: an upload registers a name if brute force says that it may."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from hypothesis import event, given
from hypothesis import strategies as st

from ginuri.ingest.principals import Principal, write_principal
from ginuri.registration.authorization import Right, scope_of
from ginuri.registration.grants_reader import read_grants
from tests.steward import Steward, line, settled

API = "AROAJQABLZS4A3QDU576Q"
AZGS, USGIN = "uri-gin/azgs/", "uri-gin/usgin/"
PREFIXES = [AZGS, f"{AZGS}doc/", f"{AZGS}doc/a/", f"{AZGS}doc2/", f"{AZGS}Doc/"]
NAMES = [f"{AZGS}doc/a/1", f"{AZGS}doc/1", f"{AZGS}doc2/1", f"{AZGS}Doc/1", f"{AZGS}doc%2Fa/1", f"{AZGS}doc"]
JANE, JOE = "mailto:jane@example.org", "mailto:joe@example.org"
DAYS = ["", "", "2011-08-24", "2011-08-25", "2011-08-26"]
TODAY = "2011-08-25"


@dataclass(frozen=True)
class Granted:
    """A grant that is uploaded, or the end of one."""

    prefix: str
    to: str
    may: frozenset[Right]
    until: str

    def line(self) -> str:
        stated = {"record": "grant", "identifier": self.prefix, "to": self.to, "may": sorted(self.may)}
        return json.dumps({**stated, **({"valid_until": self.until} if self.until and self.may else {})})


@dataclass(frozen=True)
class Handed:
    """A delegation that is uploaded, or the end of one."""

    prefix: str
    is_ended: bool

    def line(self) -> str:
        to = None if self.is_ended else USGIN
        return json.dumps({"record": "delegation", "identifier": self.prefix, "to": to})


_EVENTS = st.lists(
    st.builds(
        Granted,
        st.sampled_from([AZGS, *PREFIXES]),
        st.sampled_from([JANE, JANE, JOE]),
        st.sampled_from([frozenset[Right](), frozenset({Right.READ}), *[frozenset({Right.REGISTER})] * 3]),
        st.sampled_from(DAYS),
    )
    | st.builds(Handed, st.sampled_from(PREFIXES[1:]), st.booleans()),
    min_size=1,
    max_size=6,
)


def _may_register(events: Sequence[Granted | Handed], name: str) -> bool:
    """Follow the uploads in order, one after the other."""
    handed, granted = set[str](), dict[tuple[str, str], Granted]()
    for stated in events:
        if isinstance(stated, Handed):
            (handed.discard if stated.is_ended else handed.add)(stated.prefix)
        elif not stated.may or not any(stated.prefix.startswith(each) for each in handed):
            granted[stated.prefix, stated.to] = stated
    if any(name.startswith(each) for each in handed):
        return False
    return any(
        grant.to == JANE
        and name.startswith(grant.prefix)
        and Right.REGISTER in grant.may
        and grant.until in {"", "2011-08-25", "2011-08-26"}
        for grant in granted.values()
    )


def _put_with_token(steward: Steward, folder: str, content: str) -> None:
    """Upload a file as the API does, with what Jane may in a folder."""
    grants, handed_over = read_grants(steward.registry, folder, datetime(2011, 8, 25, 18, tzinfo=UTC))
    scope = scope_of([JANE], folder, list(grants), handed_over, TODAY)
    steward.identity = f"{API}:ginuri-api"
    steward.upload(f"{folder}docs.jsonl", content, **write_principal(Principal(JANE, scope, "ab" * 32)))


@given(_EVENTS, st.sampled_from([AZGS, *PREFIXES[:3]]))
def test_an_upload_registers_what_the_grants_of_its_owner_allow(
    events: list[Granted | Handed], folder: str
) -> None:
    steward = settled()
    steward.api_identity = API
    for each in events:
        steward.upload(f"{AZGS}events.jsonl", each.line())

    _put_with_token(steward, folder, "".join(line(name, title="Jane's") for name in NAMES))

    # The folder itself decides for it with the grants on it and above it: those below need their own folder.
    above = [each for each in events if isinstance(each, Handed) or folder.startswith(each.prefix)]
    expected = {name for name in NAMES if name.startswith(folder) and _may_register(above, name)}
    event("some are registered" if expected else "none is registered")
    assert {name for name in NAMES if steward.values(name) is not None} == expected
