"""Does every answer depend on one moment, that of its request?"""

from __future__ import annotations

import pytest

from tests.front import Front
from tests.steward import settled

THING = "uri-gin/azgs/doc/78/"
_PATHS = (
    *(f"/{THING}", f"/about/{THING}", "/members/uri-gin/azgs/", f"/explain/{THING}", "/", "/search?q=map"),
    *(f"/qr/{THING}", f"/timemap/link/{THING}", "/suggest?q=map", f"/uri-res/N2L?{THING}"),
    f"/resolve?uri={THING}",
)


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    steward = settled()
    steward.upload("uri-gin/azgs/maps.jsonl", f'{{"identifier": "{THING}", "title": "A map"}}\n')
    return Front(steward.memory, tmp_path_factory.mktemp("published"))


@pytest.mark.functions
@pytest.mark.parametrize("path", _PATHS)
def test_a_request_reads_the_clock_once(front: Front, path: str) -> None:
    before = front.times_read

    front.ask(path.partition("?")[0], query=path.partition("?")[2])

    assert front.times_read == before + 1
