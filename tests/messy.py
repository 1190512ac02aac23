"""A hundred typical rows of a survey: most are good, and the others have one bad cell."""

from __future__ import annotations

from collections.abc import Sequence

HEADING = ("identifier", "Title", "media_type", "language", "Link", "status", "valid_from", "links.license")
NUMBER = 100
FOLDER = "uri-gin/azgs/"
MAP = "location=Link"

# The column, and its text; {} is the number of the row.
_MESSES = (
    *((4, text) for text in (
        "www.example.org/{}.pdf", "example.org/{}.pdf", "http:/example.org/{}.pdf", "https//example.org/{}",
        "htp://example.org/{}.pdf", "https:\\\\example.org\\maps\\{}.pdf", "https://example.org/map {}.pdf",
        "https://example.org/Übersicht/{}", "<https://example.org/{}.pdf>", '"https://example.org/{}.pdf",',
        "\u201chttps://example.org/{}\u201d", "https://example.org/\u200b{}.pdf", "n/a", "https://bücher.example/{}",
        "https://example.org/{}%", "https://example.org/{}.pdf,", "https://example.org/a%2520{}.pdf",
        "https://example.org/?a={}&amp;b=2", "http://https://example.org/{}", "https://example.org/map\n{}.pdf",
    )),
    *((0, text) for text in (
        "uri-gin/azgs/doc/map {}", "uri-gin/azgs//doc/{}", "uri-gin/AZGS/doc/{}", "uri-gin\\azgs\\doc\\{}",
        "URI-GIN/azgs/doc/{}", "\u200buri-gin/azgs/doc/{}", "uri-gin/azgs/doc/Karte-Süd-{}",
    )),
    *((2, text) for text in ("PDF", "pdf file", "aplication/pdf", "application\\pdf", "application/pdf;",
        "n/a")),
    *((3, text) for text in ("English", "Español", "en_US", "unknown")),
    *((5, text) for text in ("deleted", "Activ", "retird", "n/a", "published")),
    *((6, text) for text in ("2011.08.25", "2011/8/5", "20110825", "25 August 2011", "n/a")),
    *((7, text) for text in ("www.example.org", "TBD")),
)  # fmt: skip


def messy_rows() -> list[Sequence[str]]:
    """Return the rows; every other row is good until each error has occurred."""
    rows: list[Sequence[str]] = []
    for number in range(NUMBER):
        row = [
            f"{FOLDER}doc/{number}",
            f'The "{number}th" map, with = and ; in it' if number % 7 else "Übersicht",
            "application/pdf",
            "en",
            f"https://example.org/{number}.pdf",
            "valid" if number % 3 else "",
            "",
            "",
        ]
        if number % 2 and number // 2 < len(_MESSES):
            column, text = _MESSES[number // 2]
            row[column] = text.replace("{}", str(number))
        rows.append(row)
    return rows


def messes() -> int:
    """Count the bad cells."""
    return min(NUMBER // 2, len(_MESSES))
