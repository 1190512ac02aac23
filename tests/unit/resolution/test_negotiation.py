"""The choice of a representation: RFC 9110 §12, and our own rules if it leaves the choice."""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable

import pytest

from ginuri.registry.model import Representation, Role
from ginuri.resolution.negotiation.negotiation import Preferences, Roles, choose
from ginuri.resolution.negotiation.preferences import MOST_ELEMENTS
from tests.builders import representation

HTML, PDF, TURTLE, JSON_LD, PLAIN = (
    "text/html",
    "application/pdf",
    "text/turtle",
    "application/ld+json",
    "text/plain",
)
CANONICAL, DEFAULT = frozenset({Role.CANONICAL}), frozenset({Role.DEFAULT})


def _chosen(
    accept: str | None, *offered: str | tuple[str | None, float] | None, language: str | None = None
) -> str | None:
    forms = [
        representation(each[0], quality=each[1]) if isinstance(each, tuple) else representation(each)
        for each in offered
    ]
    chosen = choose(Preferences(accept, language), forms)
    return chosen.media_type if chosen else None


# RFC 9110 §12.5.1, the example "text/*, text/plain, text/plain;format=flowed, */*" and its table of qualities
SPECIFICITY = (
    "text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5"
)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("text/plain;format=flowed", PLAIN),  # 1 before 0.7
        (PLAIN, "image/jpeg"),  # 0.7 before 0.5
        ("image/jpeg", "text/plain;format=fixed"),  # 0.5 before 0.4
        ("text/plain;format=fixed", HTML),  # 0.4 before 0.3
    ],
)
def test_the_most_specific_range_decides(better: str, worse: str) -> None:
    assert _chosen(SPECIFICITY, better, worse) == better
    assert _chosen(SPECIFICITY, worse, better) == better


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c", HTML),  # RFC 9110 §12.5.1
        ("text/turtle;q=1.0, text/html;q=0.1", TURTLE),
        ("text/turtle;q=0.999, text/html;q=1", HTML),
        ("TEXT/TURTLE", TURTLE),  # §8.3.1: type and subtype are case-insensitive
        ("text/turtle;Q=0.1, text/html;q=0.2", HTML),  # §5.6.6: so are names of parameters
        ("application/*, text/html;q=0.9", PDF),
        ("text/html;q=0, */*", TURTLE),  # the first registered of the others
        ("image/png", None),
        ("text/html;q=0, text/turtle;q=0.0, application/pdf;q=0.000", None),
        ("*/*;q=0", None),
        ("text/html;level=1, text/html;q=0.1", HTML),
        ("text/turtle;q=1.000;ext=1, text/html;q=0.9", TURTLE),  # werkzeug misranks this one
    ],
)
def test_the_form_with_the_highest_client_weight_is_chosen(accept: str, chosen: str | None) -> None:
    assert _chosen(accept, TURTLE, HTML, PDF) == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/html, text/turtle", TURTLE),  # 1 x 0.4 < 1 x 0.9
        ("text/html, text/turtle;q=0.4", HTML),  # 1 x 0.4 > 0.4 x 0.9
        ("text/html;q=0.9, text/turtle;q=0.4", "tie"),  # 0.9 x 0.4 = 0.4 x 0.9: the first registered
        (None, TURTLE),
        ("*/*", TURTLE),
    ],
)
def test_a_clients_weight_is_multiplied_with_the_registered_quality(accept: str | None, chosen: str) -> None:
    assert _chosen(accept, (HTML, 0.4), (TURTLE, 0.9)) == (HTML if chosen == "tie" else chosen)


def test_a_form_with_registered_quality_zero_is_never_chosen() -> None:
    assert _chosen("text/html, text/turtle;q=0.1", (HTML, 0.0), (TURTLE, 0.1)) == TURTLE
    assert _chosen(None, (HTML, 0.0)) is None


def test_the_first_registered_of_equal_forms_is_chosen() -> None:
    assert _chosen("text/*", HTML, TURTLE) == HTML
    assert _chosen("text/*", TURTLE, HTML) == TURTLE


def test_an_empty_offer_has_no_choice() -> None:
    assert choose(Preferences("*/*"), []) is None


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ('application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', "compacted"),
        ('application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"', "expanded"),
        ("application/ld+json", "compacted"),
        ('application/ld+json;profile="http://www.w3.org/ns/json-ld#flattened"', None),
    ],
)
def test_parameters_distinguish_media_types(accept: str, chosen: str | None) -> None:
    forms = [
        representation(f'{JSON_LD};profile="http://www.w3.org/ns/json-ld#{name}"', part=f"{name}.jsonld")
        for name in ("compacted", "expanded")
    ]

    given = choose(Preferences(accept), forms)

    assert (given and given.part) == (chosen and f"{chosen}.jsonld")


@pytest.mark.parametrize("accept", ["text/html;level=1", 'text/html;level="1"', 'TEXT/HTML ; LEVEL="1"'])
@pytest.mark.parametrize("registered", ["text/html;level=1", 'text/html; level="1"'])
def test_a_parameter_means_the_same_with_quotes_and_without(accept: str, registered: str) -> None:
    assert _chosen(accept, registered) == registered


@pytest.mark.parametrize(
    "accept", ['text/html;charset="UTF-8"', "text/html;charset=UTF-8", "text/html;Charset=utf-8"]
)
def test_case_does_not_matter_in_a_parameter(accept: str) -> None:
    assert _chosen(accept, "text/html;charset=utf-8") == "text/html;charset=utf-8"
    assert _chosen(accept, 'text/html; charset="Utf-8"') == 'text/html; charset="Utf-8"'


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/html;charset=utf-8", HTML),
        ("text/html; charset=UTF-8; q=0.3", HTML),
        ('text/turtle;version="1.1"', TURTLE),
        ("text/*;charset=utf-8", TURTLE),  # the first of equal forms
        ("*/*;charset=utf-8", TURTLE),
        ("text/html;charset=utf-8;q=0.2, text/turtle;charset=utf-8;q=0.1", HTML),  # q keeps its meaning
        ("text/html;charset=utf-8, text/turtle;q=0.1", HTML),
        ("text/html;charset=utf-8, */*;q=0.1", HTML),
        ('text/html;charset=utf-8;profile="https://a.example/p", */*;q=0.1', HTML),
        ("application/*;charset=utf-8, */*;q=0.1", PDF),
        ("*/*;charset=utf-8, text/html;q=0.1", TURTLE),
        ("image/png;charset=utf-8", None),
        ("image/png;charset=utf-8, text/html;q=0.1", HTML),
    ],
)
def test_a_parameter_that_no_form_states_never_refuses(accept: str, chosen: str | None) -> None:
    assert _chosen(accept, TURTLE, HTML, PDF) == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/html;level=1", "text/html;level=1"),
        ("text/html;level=1;charset=utf-8", "text/html;level=1"),  # the stated value has to be the same
        ("text/html;level=3", HTML),  # a form with another level is not chosen, a form without one is
        ("text/html;level=3;q=0.1, text/html;charset=utf-8", "text/html;level=2"),  # the first of equal forms
        ("text/html;level=2;x=1, text/html;x=1;q=0.5", "text/html;level=2"),
    ],
)
def test_a_stated_parameter_has_to_match(accept: str, chosen: str) -> None:
    assert _chosen(accept, "text/html;level=2", "text/html;level=1", HTML) == chosen


def test_another_value_of_a_stated_parameter_refuses() -> None:
    assert _chosen("text/html;level=2", "text/html;level=1") is None
    assert _chosen("text/html;level=2, */*;q=0.1", "text/html;level=1") == "text/html;level=1"


def test_a_stated_parameter_makes_a_range_more_specific() -> None:
    accept = "text/html;level=1;x=1;q=0.2, text/html;x=1;q=0.5"

    assert _chosen(accept, "text/html;level=1", ("text/html;level=2", 0.9)) == "text/html;level=2"


@pytest.mark.parametrize(
    "accept",
    [
        "text/html;q=0, text/html;charset=utf-8",
        "text/html;charset=utf-8, text/html;q=0",
        "text/html;charset=utf-8;q=0",
        "text/html;q=0, text/*;charset=utf-8",
        "text/html;q=0, text/html;charset=utf-8, */*",
        "text/turtle;charset=utf-8, text/*;q=0, */*;charset=utf-8",
    ],
)
def test_a_refused_form_stays_refused_when_parameters_are_ignored(accept: str) -> None:
    assert _chosen(accept, HTML) is None


@pytest.mark.parametrize(
    "accept",
    [
        "text/html;level=1;q=0, */*",
        "text/html;level=1;q=0, text/*;level=1",
        "text/html;level=1;q=0, text/html;q=0.1",
        "text/html;level=1;q=0, text/html;charset=utf-8;q=0.1",
    ],
)
def test_a_refusal_with_a_parameter_refuses_only_forms_that_state_it(accept: str) -> None:
    assert _chosen(accept, HTML) == HTML
    assert _chosen(accept, "text/html;level=1", (HTML, 0.1)) == HTML
    assert _chosen(accept, "text/html;level=1") is None


def test_a_literal_range_outranks_one_with_an_ignored_parameter() -> None:
    accept = "text/html;charset=utf-8, text/html;q=0.2, text/turtle;q=0.5"

    assert _chosen(accept, HTML, TURTLE) == TURTLE
    assert _chosen(accept, "text/html;charset=utf-8", TURTLE) == "text/html;charset=utf-8"
    assert (
        _chosen("text/html;level=1;x=1, text/html;q=0.2, text/turtle;q=0.5", "text/html;level=1", TURTLE)
        == TURTLE
    )


def test_a_parameter_that_another_form_of_the_type_states_is_heeded() -> None:
    accept = "text/html;level=1, */*;q=0.1"

    assert _chosen(accept, HTML, "text/html;level=1") == "text/html;level=1"
    assert _chosen(accept, HTML, "text/html;level=2") == HTML  # both by */*: the first registered
    assert _chosen(accept, PDF, HTML, "text/html;level=2") == PDF
    assert _chosen("text/*;level=1, */*;q=0.1", TURTLE, "text/html;level=1") == "text/html;level=1"
    assert _chosen("text/turtle;level=1, */*;q=0.1", "text/html;level=1", TURTLE) == TURTLE


@pytest.mark.parametrize(
    "accept", ["*/*;q=0, text/html;charset=utf-8", "text/*;q=0, text/html;charset=utf-8"]
)
def test_a_range_of_a_type_outweighs_the_refusal_of_all_others(accept: str) -> None:
    assert _chosen(accept, PDF, HTML) == HTML


# RFC 9110 §5.6.1.2: empty elements are ignored; a malformed header has no effect on the choice.
@pytest.mark.parametrize(
    "accept",
    [
        "",
        "   ",
        ",,,",
        ";;;",
        "html",
        "*",
        "text",
        "/",
        "text/",
        "*/html",
        "text/html;q=high",
        "text/html;q=2",
        "text/html;q=-1",
        "text/html;q=",
        "text/html;q=1.5, nonsense",
        "text/html text/turtle",
        "\x00\xff",
        'text/html;a="b',
    ],
)
def test_an_unreadable_accept_header_counts_as_absent(accept: str) -> None:
    assert _chosen(accept, TURTLE, HTML) == TURTLE


@pytest.mark.parametrize(
    "accept",
    [
        "nonsense, text/html",
        "text/html, nonsense;q=0",
        ", ,text/html;q=0.5,",
        "text/turtle;q=5, text/html",
        "text/html ; q = 0.5",
        "text/html;;q=0.3",
        'text/turtle;a=",", text/html, text/turtle;q=0',
        "text/html, image/gif, image/jpeg, *; q=.2, image/*; q=.2",  # Java's default header, for twenty years
    ],
)
def test_only_the_bad_element_of_a_header_is_ignored(accept: str) -> None:
    assert _chosen(accept, TURTLE, HTML) == HTML


@pytest.mark.parametrize(
    "header",
    [
        '"\\' * 5000,
        '"' + '\\"' * 4999 + "\\\n",
        '"' * 10_000,
        'a/b;x="' + '\\"' * 5000,
        ";" * 10_000,
        "a/b" + " ;" * 5000,
        "<" * 10_000,
    ],
)
def test_the_longest_header_is_read_quickly(header: str) -> None:
    started = time.process_time()

    choose(Preferences(header, header, header), [representation(HTML)])

    assert time.process_time() - started < 0.1


@pytest.mark.untraced
def test_unique_headers_do_not_fill_the_memory() -> None:
    tracemalloc.start()
    for number in range(50):
        header = ",".join([f"a/b{number}"] * 1500)[:10_000]
        choose(Preferences(header, header, header), [representation(HTML)])

    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < 5_000_000


def _calls(work: Callable[[], object]) -> int:
    """Count the called functions, including those of Python itself."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def _list(element: str, number: int) -> str:
    return ",".join(element.format(each) for each in range(number))


@pytest.mark.parametrize(
    "element", ["a/b{}", "text/x{}", "text/x;p={}", "text/x;p={};q=0.5", "{}", ",{}", "de-{}", "<urn:{}>"]
)
def test_the_cost_of_a_choice_is_linear_in_headers_and_forms(element: str) -> None:
    forms = [
        representation(f"text/x{each}", language=f"de-a{each}", profile=f"urn:p{each}") for each in range(200)
    ]
    header = _list(element, 2000)

    cost = _calls(lambda: choose(Preferences(header, header, header), forms))

    assert cost < 50 * (MOST_ELEMENTS + len(forms))


@pytest.mark.parametrize("element", ["a/b{}", "text/*;p={}", "*/*;p={};q=0"])
def test_many_wanted_profiles_take_little_time_for_each_form(element: str) -> None:
    forms = [representation(f"text/x{each};p=0", profile=f"urn:p{each}") for each in range(200)]
    profiles = _list("<urn:p{}>", 2000)

    cost = _calls(lambda: choose(Preferences(_list(element, 2000), None, profiles), forms))

    assert cost < 3 * MOST_ELEMENTS * len(forms)


@pytest.mark.parametrize("element", ["text/x;p={}", "text/x;y={};q=0.5", "text/*;p={}", "*/*;p={};y=1"])
def test_ranges_that_differ_in_parameters_only_take_little_time_for_each_form(element: str) -> None:
    forms = [representation(f"text/x;y={each}") for each in range(200)]

    cost = _calls(lambda: choose(Preferences(_list(element, 1000)), forms))

    assert cost < 3 * MOST_ELEMENTS * len(forms)


def test_headers_are_parsed_once_per_request() -> None:
    header = _list("text/x-once-{};q=0.5", 400)
    forms = [representation(f"text/x-{each}") for each in range(50)]
    preferences = Preferences(header, header, header)

    first, second = (_calls(lambda: choose(preferences, forms)) for _ in range(2))

    assert second < first / 3


def test_elements_beyond_the_hundredth_are_ignored() -> None:
    beyond = _list("a/b{}", MOST_ELEMENTS)

    assert _chosen(f"{beyond}, {HTML}", HTML) is None
    assert _chosen(f"{_list('a/b{}', MOST_ELEMENTS - 1)}, {HTML}", HTML) == HTML
    assert _chosen(f"{',' * 1000}{HTML}", HTML) == HTML  # an empty element is ignored
    english = f"{_list('de-a{}', MOST_ELEMENTS)}, en"
    assert choose(Preferences(accept_language=english), _in("fr", "en")) == _in("fr")[0]
    profiles = f"{_list('<urn:{}>', MOST_ELEMENTS)}, <urn:one>"
    turtle = representation(TURTLE)
    assert (
        choose(Preferences(accept_profile=profiles), [turtle, representation(PDF, profile="urn:one")])
        == turtle
    )


# -- a form without a media type


@pytest.mark.parametrize(
    "accept",
    [None, "", "*/*", "*/*;q=0.1", "*/*;q=0", "image/png", "image/*;q=0.1", "*/*;level=1", "text/html;q=0"],
)
def test_a_single_form_without_a_media_type_satisfies_any_request(accept: str | None) -> None:
    anything = representation(None)

    assert choose(Preferences(accept), [anything]) == anything
    assert choose(Preferences(accept, None, "<urn:none>"), [anything]) == anything


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, None),
        ("*/*", None),
        ("*/*;q=0.3", None),
        (BROWSER, HTML),
        ("text/html, */*", None),  # of equal forms the default
        ("text/html;q=0.5, */*;q=0.6", None),
        ("text/html;q=0.7, */*;q=0.6", HTML),
        ("text/turtle", TURTLE),
        ("text/turtle;q=0.0001", TURTLE),  # before any form without a media type
        ("text/turtle;q=0.5, application/rdf+xml", TURTLE),
        ("text/*;q=0.001", HTML),
        ("text/turtle;charset=utf-8", TURTLE),
        ("text/turtle;version=1.2, */*;q=0.5", TURTLE),
        ("*/*;q=0, text/turtle", TURTLE),
        ("*/*;q=0", None),
        ("text/html;q=0, text/turtle;q=0", None),
        ("image/png", None),
        ("application/ld+json, application/rdf+xml;q=0.9", None),
    ],
)
def test_a_default_without_a_media_type_weighs_what_everything_weighs(
    accept: str | None, chosen: str | None
) -> None:
    forms = [representation(HTML), representation(TURTLE), representation(None, roles=DEFAULT)]

    given = choose(Preferences(accept), forms)

    assert given is not None
    assert given.media_type == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/html;q=0.5, */*;q=0.9", HTML),  # 0.5 > 0.9 x 0.4
        ("text/html;q=0.3, */*;q=0.9", None),  # 0.3 < 0.9 x 0.4
        ("text/html;q=0.4, */*;q=1", HTML),  # a tie: the first registered
        ("*/*", HTML),  # the best quality
    ],
)
def test_the_quality_of_a_form_without_a_media_type_is_multiplied(accept: str, chosen: str | None) -> None:
    assert _chosen(accept, HTML, (None, 0.4)) == chosen


def test_several_forms_without_a_media_type_are_ranked_by_quality() -> None:
    best = representation(None, quality=0.8, part="best")
    forms = [representation(HTML), representation(None, quality=0.5), best]

    assert choose(Preferences("image/png"), forms) == best
    assert choose(Preferences("image/png"), [*forms, representation(None, roles=DEFAULT)]) != best


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("text/html;level=2", HTML),  # its parameter is ignored before an unstated format is given
        ("text/html;level=1", "text/html;level=1"),
        ("*/*;level=1", "text/html;level=1"),
        ("*/*;level=2", None),
        ("*/*;charset=utf-8;q=0.5, text/html;q=0.1", None),
    ],
)
def test_an_ignored_parameter_precedes_a_form_without_a_media_type(accept: str, chosen: str | None) -> None:
    assert _chosen(accept, None, "text/html;level=1", HTML) == chosen


def test_languages_precede_the_weight_of_a_form_without_a_media_type() -> None:
    german, anything = representation(TURTLE, language="de"), representation(None)

    assert choose(Preferences(TURTLE, "en"), [german, anything]) == anything
    assert choose(Preferences(TURTLE, "de"), [german, anything]) == german


def test_profiles_precede_the_weight_of_a_form_without_a_media_type() -> None:
    dcat, turtle = representation(None, profile="urn:dcat"), representation(TURTLE)

    assert choose(Preferences(TURTLE, None, "<urn:dcat>"), [turtle, dcat]) == dcat
    assert choose(Preferences(TURTLE, None, "<urn:dcat>;q=0"), [turtle, dcat]) == turtle
    assert choose(Preferences(HTML, None, "<urn:dcat>;q=0"), [turtle, dcat]) is None
    assert choose(Preferences(HTML, None, "<urn:dcat>;q=0"), [dcat]) == dcat


# -- roles


def test_without_a_preference_the_default_is_chosen_at_any_quality() -> None:
    default = representation(HTML, quality=0.1, roles=DEFAULT)
    forms = [representation(PDF), representation(TURTLE, roles=CANONICAL), default]

    for accept in (None, "", "*/*", "*/*;q=0.1", "*/*, */*;q=0.5"):
        assert choose(Preferences(accept), forms) == default
    assert choose(Preferences("*/*", "*"), forms) == default


def test_without_a_default_the_canonical_one_is_given() -> None:
    canonical = representation(TURTLE, quality=0.1, roles=CANONICAL)

    assert choose(Preferences(), [representation(PDF), canonical]) == canonical


def test_without_roles_the_best_quality_is_given() -> None:
    best = representation(TURTLE, quality=0.9)

    assert choose(Preferences(), [representation(PDF, quality=0.8), best]) == best


def test_roles_break_ties() -> None:
    default = representation(HTML, roles=DEFAULT)

    assert choose(Preferences("text/*"), [representation(TURTLE), default]) == default


def test_a_role_does_not_outweigh_the_preferences_of_the_client() -> None:
    turtle = representation(TURTLE)
    forms = [representation(HTML, roles=DEFAULT), turtle]

    assert choose(Preferences("text/turtle, text/html;q=0.9"), forms) == turtle


def test_a_resource_type_assigns_the_roles_that_representations_lack() -> None:
    html, turtle = representation(HTML), representation(TURTLE)

    assert choose(Preferences(), [html, turtle], Roles(default_media_type=TURTLE)) == turtle
    assert choose(Preferences(), [html, turtle], Roles(canonical_media_type=TURTLE)) == turtle
    assert choose(Preferences(), [turtle, html], Roles(HTML, TURTLE)) == html


def test_a_representations_own_role_comes_before_its_types() -> None:
    own = representation(PDF, roles=DEFAULT)

    assert choose(Preferences(), [representation(HTML), own], Roles(default_media_type=HTML)) == own


# -- languages


def _in(*languages: str | None, **fields: object) -> list[Representation]:
    return [representation(HTML, language=each, **fields) for each in languages]


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("da, en-gb;q=0.8, en;q=0.7", "da"),  # RFC 9110 §12.5.4
        ("en", "en-GB"),  # RFC 4647 §3.3.1: a range matches tags that it begins
        ("EN-gb", "en-GB"),
        ("en-US", "en-GB"),  # §3.4: falls back, with a slightly lower q
        ("en-US, de;q=0.1", "de"),
        ("en;q=0.2, da;q=0.3", "da"),
        ("*;q=0.1, de;q=0.5", "de"),
        ("en;q=0.1, *", "da"),
        ("de;q=0, da;q=0.1", "da"),
        ("da;q=0, *;q=0.5", "en-GB"),  # the longest range decides
        ("d", "da"),  # no range for "da" or "de": no form matches, and the first is chosen
        ("de;q=high, da;q=0.1", "da"),
    ],
)
def test_the_language_with_the_highest_weight_is_chosen(header: str, chosen: str) -> None:
    given = choose(Preferences(accept_language=header), _in("da", "en-GB", "de"))

    assert given is not None
    assert given.language == chosen


def test_an_unavailable_language_never_refuses_and_the_default_is_chosen() -> None:
    default = representation(HTML, language="en", quality=0.5, roles=DEFAULT)
    forms = [representation(PDF, language="de"), default]

    assert choose(Preferences(accept_language="fr, it;q=0.5"), forms) == default


def test_a_form_without_a_language_precedes_one_in_a_foreign_language() -> None:
    image = representation("image/png")

    assert choose(Preferences(accept_language="fr"), [*_in("de", "en"), image]) == image


def test_a_form_without_a_language_satisfies_any_reader() -> None:
    image = representation("image/png", quality=0.9)

    assert choose(Preferences("*/*;q=0.9", "de"), [*_in("en"), image, *_in("de", quality=0.5)]) == image


def test_the_media_type_is_weighed_before_the_language() -> None:
    pdf = representation(PDF, language="de")

    assert choose(Preferences("application/pdf, text/html;q=0.9", "en"), [*_in("en"), pdf]) != pdf
    assert choose(Preferences("application/pdf, text/html;q=0.9", "en, de;q=0.1"), [*_in("en"), pdf]) == pdf


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("en;q=0", "de"),
        ("EN;q=0.000", "de"),
        ("en;q=0, *", "de"),
        ("*, en;q=0", "de"),
        ("*;q=0.1, en;q=0", "de"),
        ("en;q=0, fr", "de"),  # no form is in a wanted language: one that is not refused
        ("fr, en;q=0, de;q=0", "es"),
        ("de;q=0", "en-GB"),
        ("en-US;q=0", "en-GB"),  # refuses only this English
        ("en-GB;q=0", "de"),
        ("en-GB;q=0, en", "de"),  # the longest range decides
        ("en;q=0, en-GB", "en-GB"),
        ("*;q=0", "en-GB"),  # the only form
        ("en;q=0, de;q=0, es;q=0", "en-GB"),
        ("*;q=0, es", "es"),
        ("*;q=0, fr", "en-GB"),
        ("en, en;q=0", "en-GB"),  # the highest q of a repeated range counts
    ],
)
def test_a_refused_language_is_the_last_choice(header: str, chosen: str) -> None:
    given = choose(Preferences(accept_language=header), _in("en-GB", "de", "es"))

    assert given is not None
    assert given.language == chosen


def test_the_default_is_chosen_among_forms_that_are_not_refused() -> None:
    default = representation(HTML, language="es", roles=DEFAULT)

    for header in ("en;q=0", "en;q=0, *", "en;q=0, fr"):
        assert choose(Preferences(accept_language=header), [*_in("en", "de"), default]) == default


def test_a_form_without_a_language_is_never_refused_for_it() -> None:
    image = representation("image/png")

    for header in ("*;q=0", "en;q=0", "en-GB, *;q=0", "en;q=0, fr"):
        assert choose(Preferences(accept_language=header), [*_in("en"), image]) == image


def test_refused_languages_are_dropped_before_media_types_are_weighed() -> None:
    pdf = representation(PDF, language="en")

    assert choose(Preferences("application/pdf, text/html;q=0.1", "en;q=0"), [pdf, *_in("de")]) != pdf
    assert choose(Preferences("application/pdf", "en;q=0"), [pdf, *_in("de")]) == pdf


def test_a_malformed_language_header_is_ignored() -> None:
    forms = [*_in("de"), representation(HTML, language="en", roles=DEFAULT)]

    for header in ("", "*", "english_language", "123", "de;q=2", "\xff", ";;", "abcdefghi"):
        assert choose(Preferences(accept_language=header), forms) == forms[1]


# -- profiles (W3C Content Negotiation by Profile)


DCAT, ONE, OTHER = "http://www.w3.org/ns/dcat", "urn:one", "urn:other"


def _of(media_type: str, profile: str | None = None, **fields: object) -> Representation:
    return representation(media_type, profile=profile, part=f"{media_type} {profile}", **fields)


def test_a_profile_is_weighed_before_the_media_type() -> None:
    dcat = _of(TURTLE, DCAT, quality=0.1)

    assert choose(Preferences(accept_profile=f"<{DCAT}>"), [_of(TURTLE), dcat, _of(HTML)]) == dcat
    assert choose(Preferences("text/html, text/turtle;q=0.1", None, f"<{DCAT}>"), [_of(HTML), dcat]) == dcat


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (TURTLE, (TURTLE, ONE)),
        (PDF, (PDF, OTHER)),  # the next wanted profile
        (HTML, (HTML, None)),  # a form without a profile
        (PLAIN, (PLAIN, DCAT)),  # a profile that the client did not name
        ("text/turtle;charset=utf-8, application/pdf;q=0.1", (TURTLE, ONE)),
        ("text/turtle;v=1, text/html", (TURTLE, ONE)),  # its parameter is ignored before the profile is
        ("image/png", None),
    ],
)
def test_a_wanted_profile_never_makes_a_406(accept: str, chosen: tuple[str, str | None] | None) -> None:
    forms = [
        _of(PLAIN, DCAT),
        _of(HTML, DCAT),
        _of(HTML),
        _of(PDF),
        _of(PDF, OTHER),
        _of(TURTLE, ONE),
        _of("text/turtle;v=2", ONE),
    ]

    given = choose(Preferences(accept, accept_profile=f"<{ONE}>, <{OTHER}>;q=0.5"), forms)

    assert given == (chosen and _of(*chosen))


def test_the_most_wanted_profile_is_chosen() -> None:
    one, other = _of(TURTLE, ONE), _of(TURTLE, OTHER)

    assert choose(Preferences(accept_profile=f"<{ONE}>;q=0.5, <{OTHER}>"), [one, other]) == other
    assert choose(Preferences(accept_profile=f"<urn:none>, <{OTHER}>;q=0.1"), [one, other]) == other


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        (f"<{ONE}>;q=0", OTHER),
        (f"<{OTHER}>;q=0", ONE),
        (f"<{ONE}>;q=0.0, <{OTHER}>;q=0", None),
        (f"<{ONE}>;q=0, <{OTHER}>;q=0, <{DCAT}>", None),
        (f"<{ONE}>;q=0, <{ONE}>;q=0.1", ONE),  # the highest q of a repeated profile counts
        (f"<{OTHER}>;q=0.5, <{ONE}>, <{OTHER}>;q=0.1, <{ONE}>;q=0", ONE),
        (f"<{OTHER}>;q=0.5, <{ONE}>;q=0.1, <{OTHER}>;q=0, <{ONE}>;q=0.4", OTHER),
        ("<urn:none>;q=0", ONE),
    ],
)
def test_a_form_with_a_refused_profile_is_left_out(header: str, chosen: str | None) -> None:
    forms = [_of(TURTLE, ONE), _of(TURTLE, OTHER), _of(TURTLE, quality=0.1)]

    given = choose(Preferences(accept_profile=header), forms)

    assert given is not None
    assert given.profile == chosen


def test_a_refused_profile_is_chosen_only_if_all_are_refused() -> None:
    one, other, html = _of(TURTLE, ONE), _of(PDF, OTHER), _of(HTML)
    refusing = f"<{ONE}>;q=0, <{OTHER}>;q=0"

    assert choose(Preferences(TURTLE, accept_profile=refusing), [one, other]) == one
    assert choose(Preferences(TURTLE, accept_profile=refusing), [one, other, html]) is None


def test_an_unavailable_profile_changes_no_choice() -> None:
    turtle = representation(TURTLE)

    for header in ("<urn:none>", "urn:one", "<urn:one>;q=0", "", "<>", "<urn:one", "<urn:one>;q=high"):
        assert choose(Preferences(accept_profile=header), [turtle]) == turtle
