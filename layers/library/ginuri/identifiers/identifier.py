"""An identifier: scheme and what follows. The host that dereferences it is mostly no part of it."""

from __future__ import annotations

from ginuri.frozen import Frozen
from ginuri.identifiers.roots import NAMESPACED, Kind, ancestors_of, path_of, root_of, separators_of

__all__ = ["MOST_STEMS", "Identifier", "Kind"]

MOST_STEMS = 8
"""How many dots of a last segment are tried as the place where a part begins."""


class Identifier(Frozen):
    """A well-formed identifier. Equal when the normal forms are equal, whatever host or escapes were written.

    `str()` prints the normal form, and parsing what it prints gives the same identifier.
    """

    normal_form: str
    """`uri-gin/azgs/doc/map/DGM37/`, `urn:isbn:0451450523`, `//purl.example.org/net/x`; a host's is
    `//resources.usgin.org/`."""
    scheme: str
    """`uri-gin`; `http` where it is bound to a host; empty for a host, which stands above all schemes."""
    segments: tuple[str, ...]
    """What follows the scheme, or the host, in normal form, without the empty piece after a final slash."""
    kind: Kind
    """What the syntax tells; a registration may say otherwise."""
    written: str
    """The identifier as it was written, without a host that is no part of it."""
    host: str | None = None
    """The host it was written with."""

    def __eq__(self, other: object) -> bool:
        return self.normal_form == other.normal_form if isinstance(other, Identifier) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.normal_form)

    def __str__(self) -> str:
        return self.normal_form

    @property
    def is_normal(self) -> bool:
        """Whether it was written in its normal form."""
        return self.written == self.normal_form

    @property
    def is_terminated(self) -> bool:
        """Whether others may stand under it: it ends in a slash, a URN also in a colon.

        `x` and `x/` are two identifiers.
        """
        return self.normal_form == self.root or self.normal_form[-1] in separators_of(self.normal_form)

    @property
    def is_namespaced(self) -> bool:
        """Whether a namespace of its scheme gives it out, not a name authority or a host."""
        return self.scheme in NAMESPACED

    @property
    def is_bound(self) -> bool:
        """Whether its host is a part of it."""
        return self.normal_form.startswith("//")

    @property
    def is_scheme(self) -> bool:
        """Whether it names a scheme: `uri-gin/`, also without its final slash."""
        return not self.segments and bool(self.scheme)

    @property
    def root(self) -> str:
        """The identifier of its scheme, or of the host it is bound to."""
        return root_of(self.normal_form)

    @property
    def path(self) -> str:
        """The reference that leads to it (`ginuri.identifiers.roots.path_of`)."""
        return path_of(self.normal_form)

    @property
    def name_authority(self) -> str | None:
        """The steward's token (`azgs`, or the namespace `isbn`); None for a scheme or a host."""
        return self.segments[0] if self.segments else None

    @property
    def ancestors(self) -> tuple[str, ...]:
        """The normal forms that stand above it, from the scheme or host down to its parent."""
        return ancestors_of(self.normal_form)

    @property
    def stems(self) -> tuple[str, ...]:
        """The identifiers it may be a part of: itself cut before a dot of its last segment, longest first.

        `…/X.shp.zip` may be the part `.shp.zip` of `…/X`, or `.zip` of `…/X.shp`. A name that ends in a slash
        is no part. At most `MOST_STEMS` are tried.
        """
        name = self.normal_form
        if name.endswith("/"):  # as most do, and pay for nothing here
            return ()
        start = max(name.rfind(separator) for separator in separators_of(name)) + 1
        last = name[start:]
        cuts = [at for at, character in enumerate(last) if character == "." and at]
        return tuple(name[: start + cut] for cut in reversed(cuts[-MOST_STEMS:]))

    def uri(self, host: str) -> str:
        """Write it as the `http` URI that `host` dereferences."""
        return f"http://{host}/{self.normal_form[len(self.root) :] if self.is_bound else self.normal_form}"
