"""Under whom an identifier is listed: its name authority, or what stands above that."""

from __future__ import annotations

TOP = "/"
"""Under which schemes and hosts are listed."""


def steward(normal_form: str) -> str:
    """Tell under what an identifier is listed: the second of its ancestors, the first, or `TOP`.

    >>> [steward(name) for name in ("uri-gin/azgs/map/x", "uri-gin/azgs/", "uri-gin/", "//a.example/")]
    ['uri-gin/azgs/', 'uri-gin/', '/', '/']
    """
    return steward_below(normal_form[:-1])  # a final slash is its own, and nothing that stands above it


def steward_below(prefix: str) -> str:
    """Tell under what the identifiers that go on from a prefix are listed.

    >>> [steward_below(prefix) for prefix in ("uri-gin/azgs/", "uri-gin/azgs/map/D", "uri-gin/", "//a.")]
    ['uri-gin/azgs/', 'uri-gin/azgs/', 'uri-gin/', '/']
    """
    if prefix.startswith("/"):  # a host, which stands above all schemes
        return TOP
    scheme, slash, path = prefix.partition("/")
    if not slash:
        return TOP
    authority, slash, _ = path.partition("/")
    return f"{scheme}/{authority}/" if slash else f"{scheme}/"
