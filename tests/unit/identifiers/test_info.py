"""The grammar of `info:` identifiers against RFC 4452: its examples, its normal form, its refusals."""

from __future__ import annotations

import pytest

from ginuri import MalformedIdentifier, parse
from ginuri.identifiers import Kind

SICI = "0363-0277(19950315)120:5%3C%3E1.0.TX;2-V"
# RFC 4452 §4.3, examples a to e: the namespace and the identifier of each
EXAMPLES = [
    ("info:ddc/22/eng//004.678", "ddc", "22/eng//004.678"),
    ("info:lccn/2002022641", "lccn", "2002022641"),
    (f"info:sici/{SICI}", "sici", SICI),
    ("info:bibcode/2003Icar..163..263Z", "bibcode", "2003Icar..163..263Z"),
    ("info:pmid/12376099", "pmid", "12376099"),
]  # fmt: skip


@pytest.mark.parametrize(("uri", "namespace", "name"), EXAMPLES)
def test_the_examples_of_the_source_are_read_and_are_normal(uri: str, namespace: str, name: str) -> None:
    identifier = parse(uri)

    assert (str(identifier), identifier.is_normal) == (uri, True)
    assert (identifier.scheme, identifier.name_authority) == ("info", namespace)
    assert identifier.normal_form == f"info:{namespace}/{name}"
    assert identifier.kind is Kind.THING
    assert parse(f"http://resources.usgin.org/{uri}") == identifier


@pytest.mark.parametrize(
    ("step", "written", "normal_form"),
    [
        ("a", "INFO:pmid/12376099", "info:pmid/12376099"),
        ("a", "inf%6F:pmid/12376099", "info:pmid/12376099"),
        ("b", "info:PMID/12376099", "info:pmid/12376099"),
        ("b", "info:Lanl-Repo/x", "info:lanl-repo/x"),
        ("c", "info:%70mid/12376099", "info:pmid/12376099"),
        ("c", "info:pmid/1237%36099", "info:pmid/12376099"),
        ("c", "info:x/%41%2d%2E%5f%7E", "info:x/A-._~"),
        ("c", "info:x/a%2Fb", "info:x/a%2Fb"),  # reserved: %2F is no slash
        ("c", "info:x/%28%2B%29", "info:x/%28%2B%29"),
        ("d", "info:sici/120:5%3c%3e1", "info:sici/120:5%3C%3E1"),
        ("d", "info:x/caf%c3%a9", "info:x/caf%C3%A9"),
    ],
)
def test_the_normal_form_follows_section_5(step: str, written: str, normal_form: str) -> None:
    identifier = parse(written)

    assert identifier.normal_form == normal_form, step
    assert not identifier.is_normal or written == normal_form


# §4.1: the identifier is case-sensitive, and no slash is only a separator.
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("info:x/a", "info:x/A"),
        ("info:x/a", "info:x/a/"),
        ("info:x/a/b", "info:x/a//b"),
        ("info:x/a", "info:x//a"),
        ("info:x/a", "info:x/./a"),
        ("info:x/a/b", "info:x/a/c/../b"),
        ("info:x/a/b", "info:x/a%2Fb"),
        ("info:x/(a)", "info:x/%28a%29"),
        ("info:x/a", "info:y/a"),
        ("info:x/a:", "info:x/a"),
    ],
)
def test_any_other_difference_makes_another_identifier(one: str, other: str) -> None:
    assert parse(one) != parse(other)


@pytest.mark.parametrize(
    ("text", "rule", "position", "value"),
    [
        ("info:pmid", "info-identifier", 5, "pmid"),
        ("info:/12376099", "namespace", 5, ""),
        ("info:2pmid/1", "namespace", 5, "2pmid"),
        ("info:p_mid/1", "namespace", 5, "p_mid"),
        ("info:p%2Fmid/1", "namespace", 5, "p%2Fmid"),
        ("info:pmid/1 2", "pchar", 11, " "),
        ("info:sici/120:5<>1.0", "pchar", 15, "<"),
        ("info:x/a[b]", "pchar", 8, "["),
        ("info:x/é", "pchar", 7, "é"),
        ("info:x/a%2", "pct-encoded", 8, "%2"),
        ("info:x/a%zz", "pct-encoded", 8, "%zz"),
        ("info:ddc/22/eng//004.678#top", "fragment", 24, "#top"),
        ("info:x/a#", "fragment", 8, "#"),
        ("info:x/a?b", "query", 8, "?b"),
        ("info:x#a/b", "fragment", 6, "#a/b"),
    ],
)
def test_a_malformed_info_identifier_is_refused_with_rule_and_position(
    text: str, rule: str, position: int, value: str
) -> None:
    with pytest.raises(MalformedIdentifier) as caught:
        parse(text)

    error = caught.value
    assert (error.rule, error.position, error.value) == (rule, position, value)


def test_the_scheme_and_its_namespaces_are_ancestors_of_names() -> None:
    scheme, namespace, name = parse("info:"), parse("info:pmid/"), parse("info:pmid/12376099")

    assert (scheme.segments, namespace.segments) == ((), ("pmid",))
    assert scheme.is_terminated
    assert namespace.is_terminated
    assert not name.is_terminated
    assert not parse("info:x/a:").is_terminated
    assert name.ancestors == ("info:", "info:pmid/")


@pytest.mark.parametrize(
    ("text", "position"),
    [("info:x/a/../b", 9), ("info:x/./a", 7), ("info:x/..", 7), ("info:x/a/%2e%2E/b", 9)],
)
def test_a_dot_segment_is_a_name_that_the_strict_reading_warns_of(text: str, position: int) -> None:
    assert parse(text).normal_form == text.replace("%2e%2E", "..")
    with pytest.raises(MalformedIdentifier) as caught:
        parse(text, strict=True)

    assert (caught.value.rule, caught.value.position) == ("dot-segment", position)


@pytest.mark.parametrize(
    "text", ["info:ddc/22/eng//004.678", "info:bibcode/2003Icar..163..263Z", "info:x/..a"]
)
def test_dots_within_a_name_and_empty_segments_are_strict_enough(text: str) -> None:
    assert parse(text, strict=True) == parse(text)
