"""The secret of a token."""

from __future__ import annotations

import pytest

from ginuri.access.secrets import is_well_formed, make_secret, token_id


def test_a_secret_has_a_prefix_and_a_fixed_length() -> None:
    secret = make_secret()

    assert secret.startswith("gin_")
    assert len(secret) == 4 + 43 + 6
    assert is_well_formed(secret)


def test_two_secrets_differ() -> None:
    assert make_secret() != make_secret()


@pytest.mark.parametrize("at", [4, 30, 46, 47, 52])
def test_a_checksum_finds_each_wrong_character(at: int) -> None:
    secret = make_secret()

    assert not is_well_formed(secret[:at] + ("A" if secret[at] != "A" else "B") + secret[at + 1 :])


@pytest.mark.parametrize("text", ["", "gin_", "gin_é" + "A" * 48, "Bearer x", "gin_" + "A" * 43 + "0U25GA\n"])
def test_another_text_is_no_secret(text: str) -> None:
    assert not is_well_formed(text)


def test_a_checksum_is_the_crc_in_base_62() -> None:
    # zlib.crc32(b"gin_" + b"A" * 43) is 443786958, the digits 0, 30, 2, 5, 16 and 10 of base 62.
    assert is_well_formed("gin_" + "A" * 43 + "0U25GA")


def test_a_token_is_identified_by_the_hash_of_its_secret() -> None:
    # printf gin_ | sha256sum
    assert token_id("gin_") == "b1f348a22b24ce7bd4641fd5a1cf513568db395b6d58fd6e89f73f50157571bf"
