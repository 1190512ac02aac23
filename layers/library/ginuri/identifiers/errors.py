"""All exceptions of ginuri.

    GinuriError
    ├── MalformedIdentifier      the text is no identifier; has the segment, the rule and the position
    │   └── UnknownScheme        the scheme has no grammar
    ├── RegistryUnavailable      the registry is throttled or unreachable; try again later
    ├── RevisionConflict         a record changed between reading and writing; read again, apply again
    ├── RecordTooLarge           a record, or its displaced values, exceed the limit of the registry
    ├── FolderUnsuitable         a folder is no registry, or may not become one
    ├── UnreadableRequest        an event lacks parts of the request: a fault of the deployment
    ├── ContentMissing           a stored file that a record pins is not in the store
    ├── PartsMissing             intermediate data of an upload are no longer in the store
    ├── RecordsMissing           records of an upload are no longer in the registry
    ├── UnreadableFile           a registry file is not in the format of its name
    └── those of `ginuri.client.errors`

Expected outcomes (an unregistered identifier, a refused line) are values, never exceptions.
"""

from __future__ import annotations

from ginuri.identifiers.messages import Message, Words, message


class GinuriError(Exception):
    """The base class of all exceptions that ginuri raises."""


class MalformedIdentifier(GinuriError, ValueError):
    """The text is not an identifier.

    `text` is the input, `segment` the number of the faulty segment (the scheme is segment 1; None for the
    whole text), `value` the faulty piece, `rule` the name of the broken rule, `position` its offset in `text`
    in characters, `reason` the rule in words, `words` the whole message.
    """

    def __init__(  # noqa: PLR0913  an error has all details
        self,
        text: str,
        reason: Message,
        *,
        rule: str,
        value: str = "",
        segment: int | None = None,
        position: int = 0,
    ) -> None:
        self.words = _fault(text, value, segment, position, reason)
        super().__init__(str(self.words))
        self.text = text
        self.reason = reason
        self.rule = rule
        self.value = value
        self.segment = segment
        self.position = position

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def within(self, text: str, offset: int) -> MalformedIdentifier:
        """Return the same error for a longer text that contains this one at an offset."""
        return type(self)(
            text,
            self.reason,
            rule=self.rule,
            value=self.value,
            segment=self.segment,
            position=self.position + offset,
        )


def _fault(text: str, value: str, segment: int | None, position: int, reason: Message) -> Message:
    if segment is None:
        return message(
            "{text} is not an identifier: {value} at character {position}: {reason}",
            text=repr(text),
            value=repr(value),
            position=str(position),
            reason=reason,
        )
    return message(
        "{text} is not an identifier: segment {segment}, {value} at character {position}: {reason}",
        text=repr(text),
        segment=str(segment),
        value=repr(value),
        position=str(position),
        reason=reason,
    )


class UnknownScheme(MalformedIdentifier):
    """The first segment is not a known scheme."""


class RegistryUnavailable(GinuriError):
    """The registry did not answer; `retry_after` is the number of seconds to wait before the next try.

    `words` is the message.
    """

    def __init__(self, reason: Words, *, retry_after: int = 5) -> None:
        self.words = message("The registry did not answer: {reason}", reason=reason)
        super().__init__(str(self.words))
        self.retry_after = retry_after


class TooManySteps(RegistryUnavailable):
    """The rules that may match an identifier would take too long to match."""

    def __init__(self) -> None:
        super().__init__(message("the rules for this identifier take too long to match"), retry_after=300)


class RevisionConflict(GinuriError):
    """The record of `identifier` changed meanwhile: read it and apply the registration again."""

    def __init__(self, identifier: str) -> None:
        super().__init__(f"{identifier} was changed by another process in the meantime")
        self.identifier = identifier


class RecordTooLarge(GinuriError):
    """The record of `identifier` would have `size` bytes, more than the store accepts."""

    def __init__(self, identifier: str, size: int) -> None:
        super().__init__(f"{identifier} would have {size:,} bytes in the registry, which is too much")
        self.identifier = identifier
        self.size = size


class ContentMissing(GinuriError):
    """The stored file `key` is missing although a record pins it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the stored file {key} is missing")
        self.key = key


class PartsMissing(GinuriError):
    """The intermediate data `key` of an upload are missing; begin the upload again."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key}, which was put aside, is missing")
        self.key = key


class RecordsMissing(GinuriError):
    """The registry lost records of an upload, such as after a restore; begin the upload again."""


class UploadExists(GinuriError):
    """There is an upload of this `key` already, and it was to be the first one."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was uploaded before")
        self.key = key


class FolderUnsuitable(GinuriError):
    """A folder is no registry, or may not become one; `words` has the folder, the reason and the remedy."""

    def __init__(self, words: Message) -> None:
        self.words = words
        super().__init__(str(words))


class UnreadableRequest(GinuriError):
    """The event lacks parts of the request: it is of another kind, or of a gateway that loses data.

    No client can cause this. The error is meant to be loud: behind such a gateway any answer may be wrong.
    """


class UnreadableFile(GinuriError, ValueError):
    """A registry file is unreadable: the broken rule, the value that breaks it, and the remedy."""

    def __init__(self, rule: str, value: object, reason: Words, /, **values: str | Message) -> None:
        words = reason if isinstance(reason, Message) else Message(reason, values)
        super().__init__(str(words))
        self.rule = rule
        self.value = value
        self.reason = words


def refused_at(text: str, reason: Message, rule: str, position: int, value: str) -> MalformedIdentifier:
    """Return the error at a position of an identifier whose segments end in a colon or a slash."""
    segment = 1 + text.count(":", 0, position) + text.count("/", 0, position)
    return MalformedIdentifier(text, reason, rule=rule, value=value, segment=segment, position=position)
