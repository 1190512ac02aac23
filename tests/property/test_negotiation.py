"""For all headers: a refused form is never sent."""

from __future__ import annotations

import warnings
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ginuri.i18n.catalogue import spoken_languages
from ginuri.i18n.translation import page_language
from ginuri.registry.model import Representation, Role
from ginuri.resolution.negotiation.languages import choose_text, read_languages
from ginuri.resolution.negotiation.negotiation import (
    Preferences,
    choose,
    drop_refused_profiles,
    find_acceptable,
    weigh_media_types,
)
from tests.builders import representation
from tests.property.strategies import HEADER_TEXTS

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # webob uses a removed module of Python
    from webob.acceptparse import create_accept_header

TYPES = ["text/html", "text/turtle", "application/pdf", "application/ld+json", "image/png"]
RANGES = [*TYPES, "text/*", "application/*", "image/*", "*/*"]
WEIGHTS = st.sampled_from(["0", "0.0", "0.001", "0.3", "0.5", "0.50", "1", "1.000"])
ACCEPTS = st.lists(
    st.tuples(st.sampled_from(RANGES), WEIGHTS), min_size=1, max_size=6, unique_by=lambda it: it[0]
)
OFFERS = st.lists(
    st.builds(
        lambda media_type, quality, language, roles: representation(
            media_type, quality=quality, language=language, roles=roles
        ),
        st.none() | st.sampled_from(TYPES),
        st.sampled_from([0.0, 0.3, 0.5, 1.0]),
        st.none() | st.sampled_from(["en", "de", "en-GB"]),
        st.frozensets(st.sampled_from(list(Role))),
    ),
    max_size=6,
)
LANGUAGES = st.lists(st.tuples(st.sampled_from(["en", "de", "fr", "en-US", "*"]), WEIGHTS), max_size=4)
REFUSALS = st.lists(
    st.tuples(st.sampled_from(["en", "en-GB", "de", "es", "fr", "*"]), WEIGHTS), min_size=1, max_size=5
)
PARAMETERS = st.dictionaries(
    st.sampled_from(["charset", "level", "profile"]), st.sampled_from(["1", "2", "utf-8"]), max_size=2
)
ROWS = st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(["0.001", "0.3", "1"])), max_size=6)
PROFILES = ["urn:a", "urn:b", "urn:c"]
PROFILED = st.lists(
    st.builds(
        lambda media_type, profile, quality: representation(media_type, profile=profile, quality=quality),
        st.sampled_from(TYPES),
        st.none() | st.sampled_from(PROFILES),
        st.sampled_from([0.3, 1.0]),
    ),
    max_size=6,
)
WISHES = st.lists(st.tuples(st.sampled_from([*PROFILES, "urn:none"]), WEIGHTS), max_size=5)
STATED = st.lists(st.tuples(st.sampled_from(TYPES[:3]), PARAMETERS), min_size=1, max_size=5)
PRECISE = st.lists(st.tuples(st.sampled_from([*TYPES[:3], "text/*", "*/*"]), PARAMETERS, WEIGHTS), max_size=6)
SPACES = st.sampled_from(["", " ", "\t", "  "])


def _header(elements: list[tuple[str, str]]) -> str:
    return ", ".join(f"{name};q={weight}" for name, weight in elements)


@given(ACCEPTS, LANGUAGES, OFFERS)
def test_a_form_that_the_client_refuses_is_never_chosen(
    accept: list[tuple[str, str]], languages: list[tuple[str, str]], offered: list[Representation]
) -> None:
    chosen = choose(Preferences(_header(accept), _header(languages)), offered)

    refused = {name for name, weight in accept if float(weight) == 0}
    assert chosen is None or (chosen.quality > 0 and chosen.media_type not in refused)


def _precise(elements: list[tuple[str, dict[str, str], str]]) -> str:
    return ", ".join(f"{_typed(name, parameters)};q={weight}" for name, parameters, weight in elements)


def _typed(name: str, parameters: dict[str, str]) -> str:
    return name + "".join(f";{each}={value}" for each, value in parameters.items())


def _weigh(
    accept: list[tuple[str, dict[str, str], str]],
    media_type: str,
    stated: dict[str, str],
    offers: list[tuple[str, dict[str, str]]],
) -> float:
    """Weigh by RFC 9110 §12.5.1, each range by itself, without parameters that no offered form states."""
    taking = []
    for name, parameters, q in accept:
        if _takes(name, media_type):
            known = {each for other, others in offers if _takes(name, other) for each in others}
            heeded = {each: value for each, value in parameters.items() if each in known or not float(q)}
            if heeded.items() <= stated.items():
                same = len(parameters.items() & stated.items())
                taking.append((name != "*/*", "*" not in name, same == len(parameters), same, float(q)))
    return (max(taking)[-1] if taking else 0.0) if accept else 1.0


def _takes(name: str, media_type: str) -> bool:
    return name in {media_type, media_type.partition("/")[0] + "/*", "*/*"}


@given(PRECISE, STATED)
def test_a_media_type_has_the_weight_of_trying_every_range(
    accept: list[tuple[str, dict[str, str], str]], offers: list[tuple[str, dict[str, str]]]
) -> None:
    weighed = weigh_media_types(_precise(accept), tuple(_typed(*offer) for offer in offers))

    assert list(weighed) == [_weigh(accept, *offer, offers) for offer in offers]


@given(PRECISE, STATED)
def test_parameters_are_ignored_only_if_otherwise_no_form_is_acceptable(
    accept: list[tuple[str, dict[str, str], str]], offers: list[tuple[str, dict[str, str]]]
) -> None:
    offered = [representation(_typed(*offer), part=str(number)) for number, offer in enumerate(offers)]
    weighed = {str(number): _weigh(accept, *offer, offers) for number, offer in enumerate(offers)}

    found = {each.part: weight for each, weight in find_acceptable(_precise(accept), offered)}

    assert found == {it: q for it, q in weighed.items() if q} or not any(weighed.values())


@given(ROWS, STATED, st.sampled_from([[], [("*/*", "0.001")], [("text/*", "0.3"), ("*/*", "0.001")]]))
def test_a_parameter_that_no_form_states_changes_no_choice(
    rows: list[tuple[str, str]],
    offers: list[tuple[str, dict[str, str]]],
    rest: list[tuple[str, str]],
) -> None:
    offered = [representation(_typed(*offer), part=str(number)) for number, offer in enumerate(offers)]
    stating = [(f"{name};none=1", q) for name, q in rows]

    assert choose(Preferences(_header(stating + rest)), offered) is choose(
        Preferences(_header(rows + rest)), offered
    )


@given(ACCEPTS, WISHES, PROFILED)
def test_a_wanted_profile_never_refuses(
    accept: list[tuple[str, str]], wishes: list[tuple[str, str]], offered: list[Representation]
) -> None:
    profiles = ", ".join(f"<{name}>;q={weight}" for name, weight in wishes)

    chosen = choose(Preferences(_header(accept), None, profiles), offered)
    plain = choose(Preferences(_header(accept)), drop_refused_profiles(profiles, offered))

    assert (chosen is None) == (plain is None)


@given(ACCEPTS, WISHES, PROFILED)
def test_no_header_leads_to_a_refused_profile_beside_another(
    accept: list[tuple[str, str]], wishes: list[tuple[str, str]], offered: list[Representation]
) -> None:
    profiles = ", ".join(f"<{name}>;q={weight}" for name, weight in wishes)
    wanted = {name for name, weight in wishes if float(weight)}
    refused = {name for name, weight in wishes} - wanted

    chosen = choose(Preferences(_header(accept), None, profiles), offered)

    if chosen is not None and chosen.profile in refused:
        assert {each.profile for each in offered} <= refused


@given(ACCEPTS, WISHES, PROFILED)
def test_the_form_with_the_best_acceptable_profile_is_chosen(
    accept: list[tuple[str, str]], wishes: list[tuple[str, str]], offered: list[Representation]
) -> None:
    highest = {name: max(float(q) for each, q in wishes if each == name) for name, _ in wishes}
    profiles = ", ".join(f"<{name}>;q={weight}" for name, weight in wishes)
    acceptable = {each.profile for each, _ in find_acceptable(_header(accept), offered)}

    chosen = choose(Preferences(_header(accept), None, profiles), offered)

    best = max((highest.get(profile or "", 0.0) for profile in acceptable), default=0.0)
    if best:
        assert chosen is not None
        assert highest[chosen.profile or ""] == best


@given(ACCEPTS, OFFERS)
def test_a_form_without_a_media_type_weighs_as_everything(
    accept: list[tuple[str, str]], offered: list[Representation]
) -> None:
    of_anything = float(dict(accept).get("*/*", "0"))

    acceptable = find_acceptable(_header(accept), offered)

    typed = [weight for form, weight in acceptable if form.media_type]
    untyped = [(form, weight) for form, weight in acceptable if form.media_type is None]
    assert len(untyped) == sum(form.media_type is None and form.quality > 0 for form in offered)
    if of_anything:
        assert all(weight == of_anything * form.quality for form, weight in untyped)
    else:
        assert all(weight < min([*typed, 0.0011]) for _, weight in untyped)


@given(PRECISE, OFFERS)
def test_an_unstated_parameter_never_refuses(
    accept: list[tuple[str, dict[str, str], str]], offered: list[Representation]
) -> None:
    # In `text/html;q=0, text/html;level=1` the refusal counts; other tests check refused types.
    wanted = [each for each in accept if float(each[-1])]

    given = choose(Preferences(_precise(wanted)), offered)
    plain = choose(Preferences(_header([(name, q) for name, _, q in wanted])), offered)

    assert (given is None) == (plain is None)


@given(PRECISE, STATED)
def test_the_chosen_form_matches_an_accepted_range_and_its_stated_parameters(
    accept: list[tuple[str, dict[str, str], str]], offers: list[tuple[str, dict[str, str]]]
) -> None:
    offered = [representation(_typed(*offer), part=str(number)) for number, offer in enumerate(offers)]

    chosen = choose(Preferences(_precise(accept)), offered)

    if chosen is not None and accept:
        media_type, stated = offers[int(str(chosen.part))]
        ranges = {media_type, media_type.partition("/")[0] + "/*", "*/*"}
        assert any(
            name in ranges
            and float(q)
            and all(stated.get(it, value) == value for it, value in wanted.items())
            for name, wanted, q in accept
        )
        named = [float(q) for name, wanted, q in accept if name == media_type and wanted == stated]
        assert not named or max(named) > 0


@given(ACCEPTS, st.lists(st.sampled_from(TYPES), min_size=1, max_size=5, unique=True))
def test_the_choice_has_the_weights_of_webobs(accept: list[tuple[str, str]], types: list[str]) -> None:
    weighed = dict(create_accept_header(_header(accept)).acceptable_offers(types))

    chosen = choose(Preferences(_header(accept)), [representation(each) for each in types])

    if chosen is None:
        assert weighed == {}
    else:
        assert weighed[str(chosen.media_type)] == max(weighed.values())


@given(ACCEPTS, LANGUAGES, OFFERS, st.lists(SPACES, min_size=4, max_size=4))
def test_white_space_does_not_matter(
    accept: list[tuple[str, str]],
    languages: list[tuple[str, str]],
    offered: list[Representation],
    spaces: list[str],
) -> None:
    one, two, three, four = spaces

    def spaced(elements: list[tuple[str, str]]) -> str:
        return f"{one},{two}".join(f"{name}{three};{four}q={weight}" for name, weight in elements)

    tidy = choose(Preferences(_header(accept), _header(languages)), offered)
    untidy = choose(Preferences(spaced(accept), spaced(languages)), offered)

    assert untidy is tidy


@given(ACCEPTS, OFFERS, st.randoms(use_true_random=False))
def test_the_order_of_ranges_does_not_matter(
    accept: list[tuple[str, str]], offered: list[Representation], random: Random
) -> None:
    shuffled = random.sample(accept, len(accept))

    assert choose(Preferences(_header(shuffled)), offered) is choose(Preferences(_header(accept)), offered)


@given(LANGUAGES, OFFERS)
def test_a_language_never_refuses(languages: list[tuple[str, str]], offered: list[Representation]) -> None:
    chosen = choose(Preferences(None, _header(languages)), offered)

    assert (chosen is None) == all(each.quality == 0 for each in offered)


@given(HEADER_TEXTS, HEADER_TEXTS, HEADER_TEXTS, OFFERS)
def test_any_header_is_accepted(
    accept: str, language: str, profile: str, offered: list[Representation]
) -> None:
    chosen = choose(Preferences(accept, language, profile), offered)

    assert chosen is None or chosen in offered


def _is_refused(languages: list[tuple[str, str]], tag: str | None) -> bool:
    """Return whether a language is refused by RFC 4647 §3.3.1: by the longest range that matches it."""
    if not tag:
        return False
    under = [(len(name), float(q)) for name, q in languages if f"{tag}-".startswith(f"{name}-")]
    others = [(0, float(q)) for name, q in languages if name == "*"]
    return max(under or others, default=(0, 1.0))[1] == 0


@given(ACCEPTS, REFUSALS, OFFERS)
def test_a_refused_language_is_chosen_only_without_alternatives(
    accept: list[tuple[str, str]], languages: list[tuple[str, str]], offered: list[Representation]
) -> None:
    chosen = choose(Preferences(_header(accept), _header(languages)), offered)

    acceptable = find_acceptable(_header(accept), offered)
    if chosen is not None and _is_refused(languages, chosen.language):
        assert all(_is_refused(languages, each.language) for each, _ in acceptable)


@given(
    REFUSALS, st.dictionaries(st.sampled_from(["en", "de", "en-GB", "es", "fr", ""]), st.text(), min_size=1)
)
def test_a_text_in_a_refused_language_is_shown_only_without_alternatives(
    languages: list[tuple[str, str]], texts: dict[str, str]
) -> None:
    _, shown = choose_text(texts, read_languages(_header(languages)))

    assert not _is_refused(languages, shown) or all(_is_refused(languages, each) for each in texts)


@given(REFUSALS)
def test_a_page_in_a_refused_language_is_shown_only_without_alternatives(
    languages: list[tuple[str, str]],
) -> None:
    spoken = page_language(read_languages(_header(languages)))

    assert not _is_refused(languages, spoken) or all(
        _is_refused(languages, each) for each in spoken_languages()
    )
