"""Is the host and the port of a location possible?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ginuri.files.schema.web_hosts import fault_of_host, repair_host
from ginuri.registry.locations import is_location
from tests.steward import LINES, line, recent, settled

DOC = "uri-gin/azgs/doc/1"


@pytest.mark.parametrize(
    "host",
    [
        *("example.org", "example.org.", "EXAMPLE.org:8080", "a:1", "a:65535", "a:0080", "a:", "localhost"),
        *(
            "xn--bcher-kva.example",
            "my_maps.example.org",
            "3d.example",
            "a--b.example",
            "192.0.2.1",
            "1.2.3.4:80",
        ),
        *("[2001:db8::1]", "[::1]:8080", f"{'a' * 63}.example"),
    ],
)
@pytest.mark.parametrize("rest", ["", "/", "/a..b:0", "?a", "#a", "/{+rest}"])
def test_a_possible_host_has_no_fault(host: str, rest: str) -> None:
    assert fault_of_host(f"https://{host}{rest}") is None


@pytest.mark.parametrize(
    ("host", "words"),
    [
        *((f"a.example:{port}", f"There is no port {port}.") for port in ("0", "00", "65536", "99999")),
        ("a..example", "cannot be the name of a host"),
        (".example", "cannot be the name of a host"),
        ("a.example..", "cannot be the name of a host"),
        ("a-.example", "cannot be the name of a host"),
        ("-a.example", "cannot be the name of a host"),
        ("a.example-", "cannot be the name of a host"),
        ("a%20b.example", "cannot be the name of a host"),
        ("a,b.example", "cannot be the name of a host"),
        (f"{'a' * 64}.example", "cannot be the name of a host"),
        (".".join(["a" * 60] * 5), "cannot be the name of a host"),
        *((host, "is not an IP address") for host in ("256.1.1.1", "1.2.3", "1", "0x7f.1", "maps.example.1")),
        *((f"[{host}]", "is not an IP address") for host in ("::g", "1:2", "1.2.3.4")),
    ],
)
def test_an_impossible_host_or_port_is_a_fault(host: str, words: str) -> None:
    assert words in str(fault_of_host(f"http://{host}/a"))


@pytest.mark.parametrize("port", ["abc", "-1", "80a"])
@pytest.mark.parametrize("host", ["a.example", "::1"])
def test_a_port_with_letters_and_an_address_without_brackets_are_no_location(host: str, port: str) -> None:
    assert not is_location(f"http://{host}:{port}/")


def test_repeated_dots_in_a_host_are_repaired() -> None:
    assert repair_host("http://.www..example.org:80/a..b") == "http://www.example.org:80/a..b"
    assert repair_host("http://a-.example/") is None
    assert repair_host("http://a.example/") is None


@pytest.mark.parametrize(
    "fields",
    [
        {"location": "http://a..b/"},
        {"representations": [{"location": "http://a..b/"}]},
        {"record": "rule", "location": "http://a..b/{+rest}"},
    ],
)
def test_a_location_with_an_impossible_host_is_refused(fields: dict[str, object]) -> None:
    report = recent().upload(LINES, line(f"{DOC}/", **fields))

    [finding] = [each for each in report.verdicts[0].findings if each["level"] == "refused"]
    assert (finding["rule"], finding["field"].split(".")[-1]) == ("possible host", "location")
    assert (finding["suggestion"] or "").startswith("http://a.b/")


def test_a_host_from_before_the_rule_is_registered_on_replay() -> None:
    report = settled().upload(LINES, line(DOC, location="http://a..b/"))

    assert report.counts == {"registered": 1}


def test_no_host_of_the_real_registries_is_refused(shared_data: Path) -> None:
    paths = [*shared_data.rglob("*.csv"), *shared_data.rglob("*.jsonl")]
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in paths]
    locations = {found for text in texts for found in re.findall(r"https?://[^\s\"'<>|,]+", text)}

    faulty = {location for location in locations if is_location(location) and fault_of_host(location)}

    assert len(locations) > 1_000
    assert faulty == set()
