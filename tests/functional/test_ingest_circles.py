"""Circular redirects are refused with all their steps; long ones that end get a warning."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from ginuri.ingest.collaborators import IngestCollaborators, Limits
from tests.steward import LINES, Report, Steward, line, settled

CANONICAL = "resources.example.org"
ELSEWHERE = "https://maps.example.org/1"
DOC = "uri-gin/azgs/doc/"
X, Y, Z = f"{DOC}x", f"{DOC}y", f"{DOC}z"
PURL = "http://id.example/"
PURLS = "id.example/purls.jsonl"
HOSTS = "".join(line(f"http://{host}/", record="host") for host in ("id.example", "old.example:8080"))


class _Served(Steward):
    """A steward of a stack with a canonical host."""

    @property
    def collaborators(self) -> IngestCollaborators:
        return replace(super().collaborators, canonical_host=CANONICAL)


@pytest.fixture
def steward() -> Steward:
    """Return a steward whose authority is trusted on one host, beside two registered hosts."""
    return _settled(_Served())


def _settled(steward: Steward) -> Steward:
    other = settled()
    for (key, version), body in other.files.uploads.items():
        steward.upload(key, body) if version else None
    steward.upload("_host/hosts.jsonl", HOSTS)
    trusting = line("uri-gin/azgs/", record="authority", trusted_hosts=["trusted.example"])
    steward.upload("_host/azgs.jsonl", trusting)
    return steward


def _broken(report: Report) -> list[tuple[str, str]]:
    return [broken for each in report.verdicts for broken in each.broken]


def _warned(report: Report) -> list[tuple[str, str]]:
    return [warned for each in report.verdicts for warned in each.warned if warned[0] == "location"]


def _message(report: Report, rule: str) -> str:
    [message] = [
        finding["message"] for each in report.verdicts for finding in each.findings if finding["rule"] == rule
    ]
    return message


# -- the hosts of this registry, and their spellings


@pytest.mark.parametrize(
    "host",
    [
        CANONICAL,
        "RESOURCES.example.org",
        f"{CANONICAL}:80",
        f"{CANONICAL}:443",
        f"{CANONICAL}.",
        "trusted.example",
        "id.example",
        "old.example:8080",
    ],
)
@pytest.mark.parametrize("protocol", ["http", "https", "HTTPS"])
@pytest.mark.untraced
def test_a_location_that_is_the_identifier_itself_is_refused(
    steward: Steward, host: str, protocol: str
) -> None:
    report = steward.upload(LINES, line(X, location=f"{protocol}://{host}/{X}"))

    assert _broken(report) == [("location", "itself")]
    assert f"{X} → {X}" in _message(report, "itself")
    assert steward.values(X) is None


@pytest.mark.parametrize("host", ["maps.example.org", "id.example:8080", "old.example", "trusted.example:81"])
def test_a_location_on_an_unknown_host_is_not_checked(steward: Steward, host: str) -> None:
    report = steward.upload(LINES, line(X, location=f"http://{host}/{X}"))

    assert (_broken(report), _warned(report)) == ([], [])


@pytest.mark.parametrize(
    "written",
    [
        X.replace("gin", "%67in"),
        X.replace("x", "%78"),
        X.replace("uri-", "uri%2D"),
        f"{X}?format=pdf",
        f"{X}#page=1",
        f"resolve?uri={X}",
        f"resolve?uri=http://any.example/{X}",
        f"resolve?uri=http%3A%2F%2Fany.example%2F{X.replace('/', '%2F')}",
        f"uri-res/N2L?{X}",
        f"uri-res/N2R?{X}",
    ],
)
@pytest.mark.untraced
def test_another_spelling_does_not_hide_a_location_on_the_identifier_itself(
    steward: Steward, written: str
) -> None:
    report = steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{written}"))

    assert _broken(report) == [("location", "itself")]


@pytest.mark.parametrize(
    "page", ["", f"about/{X}", f"explain/{X}", "search?q=x", "resolve", "resolve?uri=", f"uri-res/N2C?{X}"]
)
def test_a_location_on_a_page_of_the_service_is_accepted(steward: Steward, page: str) -> None:
    report = steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{page}"))

    assert (_broken(report), _warned(report)) == ([], [])


def test_a_name_bound_to_a_host_loops_only_on_that_host(steward: Steward) -> None:
    report = steward.upload(
        PURLS, line(f"{PURL}a", location="https://ID.example:443/a") + line(f"{PURL}b", location=ELSEWHERE)
    )
    other = steward.upload(PURLS, line(f"{PURL}c", location=f"https://{CANONICAL}/c"))

    assert _broken(report) == [("location", "itself")]
    assert _broken(other) == []


def test_a_final_slash_that_is_corrected_can_close_a_loop(steward: Steward) -> None:
    report = steward.upload(LINES, line(f"{X}/", location=f"https://{CANONICAL}/{X}"))

    assert _broken(report) == [("location", "itself")]
    assert f"{X}/ → {X} → {X}/" in _message(report, "itself")


# -- circles


def test_the_later_of_two_lines_that_close_a_loop_is_refused(steward: Steward) -> None:
    report = steward.upload(
        LINES,
        line(X, location=f"https://{CANONICAL}/{Y}") + line(Y, location=f"https://trusted.example/{X}"),
    )

    assert [(each.identifier, each.verdict) for each in report.verdicts] == [
        (X, "registered"),
        (Y, "refused"),
    ]
    assert f"{Y} → {X} → {Y}" in _message(report, "itself")


def test_the_later_of_two_uploads_that_close_a_loop_is_refused(steward: Steward) -> None:
    first = steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{Y}"))

    second = steward.upload(LINES, line(Y, location=f"https://{CANONICAL}/{X}"))

    assert (_broken(first), _broken(second)) == ([], [("location", "itself")])
    assert _warned(first) == [("location", "leads back")]


def test_a_loop_through_an_alias_is_refused_in_either_order(steward: Steward) -> None:
    alias = line(Y, record="alias", stands_for=X)
    other = _settled(_Served())

    steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{Y}"))
    other.upload(LINES, alias)

    assert _broken(steward.upload(LINES, alias)) == [("stands_for", "itself")]
    assert _broken(other.upload(LINES, line(X, location=f"http://{CANONICAL}/{Y}"))) == [
        ("location", "itself")
    ]


def test_a_loop_of_forms_with_identifiers_is_refused(steward: Steward) -> None:
    lines = [line(a, representations=[{"identifier": b}]) for a, b in ((X, Y), (Y, Z), (Z, X))]

    at_once = steward.upload(LINES, "".join(lines))
    other = _settled(_Served())
    apart = [other.upload(LINES, each) for each in lines]

    assert _broken(at_once) == [("identifier", "itself")]
    assert [_broken(each) for each in apart] == [[], [], [("identifier", "itself")]]


def test_a_part_located_at_itself_is_refused(steward: Steward) -> None:
    forms = [
        {"part": "map.pdf", "media_type": "application/pdf", "location": f"http://id.example/{X}/map.pdf"},
        {"media_type": "text/html", "role": "default", "location": ELSEWHERE},
    ]

    report = steward.upload(LINES, line(f"{X}/", representations=forms))

    assert _broken(report) == [("location", "itself")]


def test_restoring_a_retired_identifier_may_close_a_loop(steward: Steward) -> None:
    steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{Y}", status="retired"))
    steward.upload(LINES, line(Y, location=f"https://{CANONICAL}/{X}"))

    report = steward.upload(LINES, line(X, status="valid"))

    assert _broken(report) == [("location", "itself")]


def test_two_lines_of_an_upload_may_reverse_a_redirect(steward: Steward) -> None:
    steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{Y}") + line(Y, location=ELSEWHERE))
    turned = line(Y, location=f"https://{CANONICAL}/{X}") + line(X, location=ELSEWHERE)

    tried = steward.try_out(LINES, turned)
    report = steward.upload(LINES, turned)

    assert report.counts == {"changed": 2, "warned": 1}
    assert tried.counts == report.counts


def test_an_endless_chain_of_redirects_is_refused(steward: Steward) -> None:
    names = [f"{DOC}{number}" for number in range(8)]
    chain = [line(a, location=f"https://{CANONICAL}/{b}") for a, b in pairwise(names)]

    report = steward.upload(LINES, "".join(reversed(chain)))

    assert [each.identifier for each in report.verdicts if each.broken] == [names[1]]
    assert _broken(report) == [("location", "circle")]
    assert "After 5 redirects" in _message(report, "circle")


def test_a_location_that_leads_into_a_loop_shows_it(steward: Steward) -> None:
    record = line(Y, location=f"https://late.example/{Y}")
    steward.upload(LINES, record)
    steward.upload("_host/late.jsonl", line("http://late.example/", record="host"))

    report = steward.upload(LINES, line(X, location=f"https://{CANONICAL}/{Y}"))

    assert _broken(report) == [("location", "circle")]
    assert f"{X} → {Y} → {Y}" in _message(report, "circle")


# -- rules


@pytest.mark.parametrize("host", [CANONICAL, f"{CANONICAL}:443", "trusted.example", "id.example"])
@pytest.mark.parametrize("protocol", ["http", "https"])
@pytest.mark.untraced
def test_a_rule_that_matches_its_own_location_is_refused_with_an_example(
    steward: Steward, protocol: str, host: str
) -> None:
    location = f"{protocol}://{host}/{DOC}{{+rest}}"

    report = steward.upload(LINES, line(DOC, record="rule", location=location))

    assert _broken(report) == [("location", "itself")]
    assert f"{DOC}rest → {DOC}rest" in _message(report, "itself")


def test_two_rules_that_lead_to_each_other_are_a_loop(steward: Steward) -> None:
    old = line(
        "uri-gin/azgs/old/", record="rule", pattern="{id:digits}", location=f"http://id.example/{DOC}{{id}}"
    )
    new = line(DOC, record="rule", location=f"https://{CANONICAL}/uri-gin/azgs/old/{{+rest}}")

    first, second = steward.upload(LINES, new), steward.upload(LINES, old)

    assert (_broken(first), _broken(second)) == ([], [("location", "itself")])
    assert f"uri-gin/azgs/old/1 → {DOC}1 → uri-gin/azgs/old/1" in _message(second, "itself")


def test_a_rule_that_leads_under_another_authoritys_rule_gets_a_warning(steward: Steward) -> None:
    steward.upload(
        "uri-gin/usgin/rules.jsonl",
        line("uri-gin/usgin/doc/", record="rule", location=f"{ELSEWHERE}/{{+rest}}"),
    )

    report = steward.upload(
        LINES, line(DOC, record="rule", location=f"https://{CANONICAL}/uri-gin/usgin/doc/{{+rest}}")
    )

    assert report.counts == {"registered": 1, "warned": 1}
    assert _warned(report) == [("location", "leads back")]
    assert f"{DOC}rest → uri-gin/usgin/doc/rest" in _message(report, "leads back")


def test_a_rule_that_makes_names_ever_longer_is_refused(steward: Steward) -> None:
    report = steward.upload(
        LINES, line(DOC, record="rule", location=f"https://{CANONICAL}/{DOC}more/{{+rest}}")
    )

    assert _broken(report) == [("location", "circle")]


OLD = "uri-gin/azgs/old/"


def _leading(prefix: str, pattern: str, name: str) -> str:
    return line(prefix, record="rule", pattern=pattern, location=f"https://{CANONICAL}/{name}")


@pytest.mark.parametrize(
    ("stated", "registered", "shown"),
    [
        # only one of ten names goes round
        (
            _leading(DOC, "{a:[0-9]}", f"{OLD}{{a}}"),
            _leading(OLD, "7", f"{DOC}7"),
            f"{DOC}7 → {OLD}7 → {DOC}7",
        ),
        (
            _leading(DOC, "{a:upper}-{b}", f"{OLD}{{b}}/{{a}}"),
            _leading(OLD, "x/Q", f"{DOC}Q-x"),
            f"{DOC}Q-x →",
        ),
        (_leading(DOC, "X[/{+rest}]", f"{OLD}y/{{+rest}}"), _leading(OLD, "y/q", f"{DOC}X/q"), f"{DOC}X/q →"),
        (_leading(DOC, "{a}", f"{OLD}{{a}}"), _leading(OLD, "{+b}%3Ac", f"{DOC}{{+b}}%3Ac"), f"{DOC}1%3Ac →"),
    ],
)
@pytest.mark.untraced
def test_a_loop_of_a_few_names_of_a_rule_is_refused(
    steward: Steward, stated: str, registered: str, shown: str
) -> None:
    first, second = steward.upload(LINES, registered), steward.upload(LINES, stated)

    assert (_broken(first), _broken(second)) == ([], [("location", "itself")])
    assert shown in _message(second, "itself")


@pytest.mark.parametrize("begin", range(3))
def test_a_loop_of_a_few_names_through_three_rules_is_refused(steward: Steward, begin: int) -> None:
    lines = [
        _leading(f"{DOC}a/", "{x:[0-8](1)}", f"{DOC}b/{{x}}"),
        _leading(f"{DOC}b/", "{x:[6-9](1)}", f"{DOC}c/{{x}}"),
        _leading(f"{DOC}c/", "7", f"{DOC}a/7"),
    ]

    reports = [steward.upload(LINES, lines[(begin + step) % 3]) for step in range(3)]

    assert [_broken(report) for report in reports] == [[], [], [("location", "itself")]]


def test_a_resource_that_loops_through_a_rule_is_refused(steward: Steward) -> None:
    steward.upload(LINES, line(DOC, record="rule", location="http://id.example/{+rest}"))

    report = steward.upload(PURLS, line(f"{PURL}x", location=f"https://{CANONICAL}/{X}"))

    assert _broken(report) == [("location", "itself")]
    assert f"{PURL}x → {X} → {PURL}x" in _message(report, "itself")


# -- checks that are repeated or distributed


@pytest.mark.parametrize("rows", [1, 2, 3_000])
@pytest.mark.untraced
def test_loops_are_found_the_same_in_parts_and_dry_runs(rows: int) -> None:
    names = [f"{DOC}{number}" for number in range(6)]
    lines = [
        line(a, location=f"https://{CANONICAL}/{b}")
        for a, b in zip(names, names[1:] + names[:1], strict=True)
    ]
    lines += [line(f"{DOC}plain-{number}", location=ELSEWHERE) for number in range(6)]
    lines[3] = line(names[3], location=ELSEWHERE)
    lines += [
        line(f"{DOC}back", location=f"http://id.example/{DOC}there"),
        line(f"{DOC}there", location=f"http://id.example/{DOC}back"),
    ]
    steward = _settled(_Served(limits=Limits(task_rows=rows, chunk_rows=rows)))

    tried = steward.try_out(LINES, "".join(lines))
    upload = steward.put(LINES, "".join(lines))
    report = steward.deliver(upload)

    assert report.counts == {"registered": 13, "refused": 1, "warned": 6}
    [refused] = [each for each in report.verdicts if each.broken]
    assert refused.identifier in {
        f"{DOC}back",
        f"{DOC}there",
    }  # of a file in parts, not always the lower line
    assert tried.whole["verdicts"] == report.whole["verdicts"]
    assert report.refused_lines == lines[refused.lines[0] - 1].encode()


@pytest.mark.untraced
def test_a_location_elsewhere_needs_no_further_call() -> None:
    plain = [line(f"{DOC}{number}") for number in range(250)]
    located = [line(f"{DOC}{number}", location=f"{ELSEWHERE}{number}") for number in range(250)]

    calls = []
    for lines in (plain, located):
        steward = _settled(_Served())
        before = steward.memory.calls
        steward.upload(LINES, "".join(lines))
        calls.append(steward.memory.calls - before)

    assert calls[0] == calls[1]


BOX = "ark:12345/x8"


@pytest.fixture
def archive(steward: Steward) -> Steward:
    """Return a steward of ARKs as well."""
    roots = line("ark:", record="scheme") + line("ark:12345/", record="namespace")
    steward.upload("_host/ark.jsonl", roots)
    return steward


def _ark(name: str, location: str) -> str:
    return line(name, representations=[{"media_type": "text/html", "location": location}])


# `x8/a` is not registered: it leads where `x8` does, with the suffix, which is `x8/a/a`.
@pytest.mark.parametrize("suffix", ["/a", ".a"])
def test_an_ark_that_passes_a_suffix_to_itself_is_a_loop(archive: Steward, suffix: str) -> None:
    report = archive.upload("ark:12345/names.jsonl", _ark(BOX, f"http://{CANONICAL}/{BOX}{suffix}"))

    assert _broken(report) == [("location", "circle")]


def test_two_arks_that_pass_a_suffix_to_each_other_are_a_loop(archive: Steward) -> None:
    other = "ark:12345/x9"
    first = archive.upload("ark:12345/names.jsonl", _ark(BOX, f"http://{CANONICAL}/{other}/a"))
    second = archive.upload("ark:12345/more.jsonl", _ark(other, f"http://{CANONICAL}/{BOX}/b"))

    assert _broken(first) == []
    assert _broken(second) == [("location", "circle")]


# The ARK itself ends at its own form, which leads elsewhere; what is appended never does.
def test_an_ark_with_looping_suffixes_is_refused_although_it_resolves_itself(archive: Steward) -> None:
    forms = [
        {"part": ".pdf", "media_type": "application/pdf", "location": ELSEWHERE},
        {"media_type": "text/html", "location": f"http://{CANONICAL}/{BOX}.pdf"},
    ]

    report = archive.upload("ark:12345/names.jsonl", line(BOX, representations=forms))

    assert _broken(report) == [("location", "circle")]


def test_passing_a_suffix_to_an_ark_that_resolves_gets_a_warning(archive: Steward) -> None:
    archive.upload("ark:12345/names.jsonl", _ark("ark:12345/x9", ELSEWHERE))

    report = archive.upload("ark:12345/more.jsonl", _ark(BOX, f"http://{CANONICAL}/ark:12345/x9"))

    assert (_broken(report), _warned(report)) == ([], [("location", "leads back")])


@pytest.mark.parametrize("embargoed", [X, Y])
def test_a_circle_that_begins_after_an_embargo_is_refused(steward: Steward, embargoed: str) -> None:
    def stated(name: str, location: str) -> str:
        embargo = {"status": "embargoed", "until": "2999-01-01"} if name == embargoed else {}
        return line(name, location=f"https://{CANONICAL}/{location}", **embargo)

    first, second = (steward.upload(LINES, stated(*names)) for names in ((X, Y), (Y, X)))

    assert (_broken(first), _broken(second)) == ([], [("location", "itself")])
