"""An identifier: a scheme and a path. In most schemes, the host that dereferences it is not part of it."""

from __future__ import annotations

from ginuri.frozen import Frozen
from ginuri.identifiers.roots import NAMESPACED, Kind, ancestors_of, path_of, root_of, separators_of
from ginuri.identifiers.service_paths import is_service_name

__all__ = ["MOST_STEMS", "Identifier", "Kind"]

MOST_STEMS = 8
"""The most dots of a last segment that are tried as the beginning of a part."""


class Identifier(Frozen):
    """A well-formed identifier, which equals every other one with the same normal form.

    `str()` prints the normal form; parsing that gives the same identifier.
    """

    normal_form: str
    """`uri-gin/azgs/doc/map/DGM37/`, `urn:isbn:0451450523`, `//purl.example.org/net/x`; a host's is
    `//resources.usgin.org/`."""
    scheme: str
    """`uri-gin`; `http` for a name bound to a host; empty for a host, which is above all schemes."""
    segments: tuple[str, ...]
    """The segments after the scheme or host, in normal form, without the empty one after a final slash."""
    kind: Kind
    """The kind implied by the syntax; a registration may state another."""
    written: str
    """The original spelling, without a host that is not part of the identifier."""
    host: str | None = None
    """The host in the original text, if any."""

    def __eq__(self, other: object) -> bool:
        return self.normal_form == other.normal_form if isinstance(other, Identifier) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.normal_form)

    def __str__(self) -> str:
        return self.normal_form

    @property
    def is_normal(self) -> bool:
        """Whether the original spelling is the normal form."""
        return self.written == self.normal_form

    @property
    def is_terminated(self) -> bool:
        """Whether other identifiers may be under it: it ends in a slash, or as a URN in a colon.

        `x` and `x/` are two identifiers.
        """
        return self.normal_form == self.root or self.normal_form[-1] in separators_of(self.normal_form)

    @property
    def is_namespaced(self) -> bool:
        """Whether it belongs to a namespace of its scheme, not to a name authority or a host."""
        scheme = self.scheme
        # fast path for most identifiers: every redirect asks
        return not scheme.startswith("uri-") and (scheme in NAMESPACED or self.is_of_registered_scheme)

    @property
    def is_of_registered_scheme(self) -> bool:
        """Whether its scheme ends in a colon and has no grammar of its own, such as `doi:`."""
        scheme = self.scheme
        if scheme in NAMESPACED or scheme == "http":  # as the name of a bound one may be `//host:80/`
            return False
        return bool(scheme) and self.normal_form.startswith(":", len(scheme))

    @property
    def is_bound(self) -> bool:
        """Whether the host is part of the identifier."""
        return self.normal_form.startswith("//")

    @property
    def is_of_service(self) -> bool:
        """Whether it is bound to a host and begins with a path of the service (`Host.pages`)."""
        return self.is_bound and bool(self.segments) and is_service_name(self.segments[0])

    @property
    def is_scheme(self) -> bool:
        """Whether it is a scheme: `uri-gin/`, also without the final slash."""
        return not self.segments and bool(self.scheme)

    @property
    def root(self) -> str:
        """The identifier of its scheme, or of the host it is bound to."""
        return root_of(self.normal_form)

    @property
    def path(self) -> str:
        """Its relative reference (`ginuri.identifiers.roots.path_of`)."""
        return path_of(self.normal_form)

    @property
    def name_authority(self) -> str | None:
        """The steward's token (`azgs`, or the namespace `isbn`); None for a scheme or a host.

        A name of a registered scheme without a slash, `orcid:0000-0002-1825-0097`, has none either.
        """
        is_whole = len(self.segments) == 1 and self.is_of_registered_scheme and not self.is_terminated
        return self.segments[0] if self.segments and not is_whole else None

    @property
    def ancestors(self) -> tuple[str, ...]:
        """The normal forms above it, from the scheme or host down to its parent."""
        return ancestors_of(self.normal_form)

    @property
    def stems(self) -> tuple[str, ...]:
        """The identifiers it may be a part of: itself cut before a dot of its last segment, longest first.

        `…/X.shp.zip` may be the part `.shp.zip` of `…/X`, or `.zip` of `…/X.shp`. A name that ends in a slash
        is no part. At most `MOST_STEMS` are tried.
        """
        name = self.normal_form
        if name.endswith("/"):  # fast path for most identifiers
            return ()
        start = max(name.rfind(separator) for separator in separators_of(name)) + 1
        last = name[start:]
        cuts = [at for at, character in enumerate(last) if character == "." and at]
        return tuple(name[: start + cut] for cut in reversed(cuts[-MOST_STEMS:]))

    def uri(self, host: str) -> str:
        """Return the `http` URI that `host` dereferences."""
        return f"http://{host}/{self.normal_form[len(self.root) :] if self.is_bound else self.normal_form}"
