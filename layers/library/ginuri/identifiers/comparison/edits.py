"""Counts the edits between two words.

An edit is an inserted, missing or replaced letter, or two transposed neighbours (Damerau 1964,
https://doi.org/10.1145/363958.363994).
"""

from __future__ import annotations


def edits_between(word: str, other: str, most: int) -> int | None:
    """Count the edits between two words; None for more than `most`.

    >>> edits_between("geolgoic", "geologic", 2), edits_between("mpa", "tap", 1)
    (1, None)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(word, 1):
        following = [place]
        for column, another in enumerate(other, 1):
            edits = min(row[column] + 1, following[-1] + 1, row[column - 1] + (letter != another))
            if column > 1 and place > 1 and letter == other[column - 2] and word[place - 2] == another:
                edits = min(edits, before[column - 2] + 1)
            following.append(edits)
        if min(following) > most:
            return None
        before, row = row, following
    return row[-1] if row[-1] <= most else None
