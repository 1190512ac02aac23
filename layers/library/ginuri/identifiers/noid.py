"""Opaque names by templates, as of NOID (Nice Opaque Identifiers): https://metacpan.org/dist/Noid/view/noid.

The last character of such a name may be a check character, by which a wrong character, or two exchanged
neighbours, are noticed.
"""

from __future__ import annotations

import re

from ginuri.frozen import Frozen

DIGITS = "0123456789"
EXTENDED_DIGITS = "0123456789bcdfghjkmnpqrstvwxz"
"""The characters of names: no vowels, so that they form no words, and no `l`, which looks like `1`."""
MOST_LENGTH = 64
"""The most characters of a name by a template."""
LEAST_NAMES = 1_000
"""The fewest names that a template must have, so that new ones are found."""
# template = [ *( ALPHA / DIGIT / "-" / "_" ) "." ] [ "r" ] 1*( "e" / "d" ) [ "k" ]
# "r" is the generator of random names; the others of NOID, "s" and "z", count, and need a counter.
_TEMPLATE = re.compile(r"(?:(?P<literal>[A-Za-z0-9_-]*)\.)?r?(?P<mask>[ed]+)(?P<check>k?)")
_SETS = {"e": EXTENDED_DIGITS, "d": DIGITS}


class Template(Frozen):
    """The form of opaque names."""

    literal: str
    """The characters that all names begin with."""
    mask: str
    """The set of each following character: `e` for an extended digit, `d` for a digit."""
    has_check: bool

    @property
    def size(self) -> int:
        """The number of names."""
        number = 1
        for letter in self.mask:
            number *= len(_SETS[letter])
        return number

    def write(self, number: int, above: str = "") -> str:
        """Write the name of a number below `size`; the check character is computed with the text above it.

        >>> template = read_template("f5.reedk")
        >>> template.write(0, "13030/"), template.write(template.size - 1, "13030/")
        ('f50005', 'f5zz9x')
        """
        characters = ""
        for letter in reversed(self.mask):
            number, at = divmod(number, len(_SETS[letter]))
            characters = _SETS[letter][at] + characters
        name = self.literal + characters
        return name + check_character(above + name) if self.has_check else name


def read_template(text: str) -> Template | None:
    """Read a template; None if it is none, or too long.

    >>> [read_template(text) is not None for text in ("eedk", "f5.reedeedk", "reek", "eke", "f5.sdd", "xx")]
    [True, True, True, False, False, False]
    """
    found = _TEMPLATE.fullmatch(text)
    if found is None or len(text) > MOST_LENGTH:
        return None
    return Template(found["literal"] or "", found["mask"], bool(found["check"]))


def check_character(text: str) -> str:
    """Return the check character of a text, the whole name without its scheme.

    NOID, "Check Digit Algorithm": each character has the value of its place among the extended digits, others
    have none; the sum of the values times their positions, counted from one, modulo 29.

    >>> check_character("13030/xf93gt2")
    'q'
    """
    total = sum(
        position * EXTENDED_DIGITS.find(character)
        for position, character in enumerate(text, start=1)
        if character in EXTENDED_DIGITS
    )
    return EXTENDED_DIGITS[total % len(EXTENDED_DIGITS)]


def has_valid_check(text: str) -> bool:
    """Return whether the last character of a text is its check character.

    >>> has_valid_check("13030/xf93gt2q"), has_valid_check("13030/xf93tg2q")
    (True, False)
    """
    return bool(text) and check_character(text[:-1]) == text[-1]
