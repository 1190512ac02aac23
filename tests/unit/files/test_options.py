"""Options of an upload travel as metadata, which holds ASCII only."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.options import UploadOptions, read_options, report_language, warn_of_language, write_options

TEXTS = st.text(st.characters(exclude_categories=["C", "Z"]), max_size=40)
FLAGS = st.booleans()


@given(st.builds(UploadOptions, *[FLAGS] * 5, *[TEXTS] * 9))
def test_options_are_read_back_from_ascii(options: UploadOptions) -> None:
    metadata = write_options(options)
    assert read_options(metadata) == options
    assert all(text.isascii() and text.isprintable() for text in metadata.values())


@pytest.mark.parametrize(
    ("said", "is_dry_run"), [("true", True), ("yes", True), ("", True), ("False", False), ("false", False)]
)
def test_a_dry_run_is_recognised_in_any_spelling(said: str, is_dry_run: bool) -> None:  # noqa: FBT001  a table
    assert read_options({"dry-run": said}).is_dry_run is is_dry_run


@pytest.mark.parametrize("said", ["", "yes", "1", "false"])
def test_the_options_many_and_correction_need_the_exact_value(said: str) -> None:
    options = read_options({"many": said, "correction": said})
    assert not options.is_many
    assert not options.is_correction


def test_a_reason_without_escapes_is_read_unchanged() -> None:
    assert read_options({"reason": "100% certain"}).reason == "100% certain"


@pytest.mark.parametrize(
    ("asked", "language"), [("", "en"), ("es", "es"), ("ES-mx", "es"), ("es-419-x-a", "es"), ("en", "en")]
)
def test_a_report_is_in_the_requested_language(asked: str, language: str) -> None:
    options = UploadOptions(language=asked)

    assert (report_language(options), warn_of_language(options)) == (language, None)


@pytest.mark.parametrize("asked", ["tlh", "español", "e", "-", "en;q=1"])
def test_a_report_in_an_unknown_language_is_in_english_with_notice(asked: str) -> None:
    options = UploadOptions(language=asked)
    finding = warn_of_language(options)

    assert report_language(options) == "en"
    assert finding is not None
    assert (finding.field, finding.value) == ("language", asked)
    assert str(finding.message).endswith("Ask for one of: en, es.")
