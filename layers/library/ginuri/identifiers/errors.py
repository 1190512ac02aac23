"""All exceptions of ginuri.

    GinuriError
    ├── MalformedIdentifier      the text cannot be an identifier; says which segment, which rule, where
    │   └── UnknownScheme        no grammar for its scheme is known here
    ├── RegistryUnavailable      the registry is throttled or away; asking again later may help
    ├── RevisionConflict         a record changed between reading and writing; read again, apply again
    ├── RecordTooLarge           a record, or what goes into its history, is more than the registry keeps
    ├── UnreadableRequest        an event does not tell what was sent; only a deployment can do that
    ├── ContentMissing           a stored file that a record pins is not in the store
    ├── PartsMissing             what an upload's parts put aside for each other is not there any more
    ├── RecordsMissing           what an upload registered so far is not in the registry any more
    └── UnreadableFile           a registry file cannot be read as what its name says

Expected outcomes (an unregistered identifier, a refused line) are values, never exceptions.
"""

from __future__ import annotations

from ginuri.identifiers.messages import Message, Words, message


class GinuriError(Exception):
    """The base class of all exceptions that ginuri raises."""


class MalformedIdentifier(GinuriError, ValueError):
    """The text is not an identifier.

    `text` is what was given, `segment` the number of the offending segment (the scheme is segment 1; None
    where the whole text is at fault), `value` the offending piece, `rule` the name of the broken rule,
    `position` its offset in `text` in characters, `reason` the rule in words, `words` all of it as a message.
    """

    def __init__(  # noqa: PLR0913  an error says everything it knows
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
    """The registry did not answer; `retry_after` is how many seconds to wait before asking again.

    `words` says so as a message.
    """

    def __init__(self, reason: Words, *, retry_after: int = 5) -> None:
        self.words = message("The registry did not answer: {reason}", reason=reason)
        super().__init__(str(self.words))
        self.retry_after = retry_after


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
    """The stored file `key` is not there although a record pins it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the stored file {key} is missing")
        self.key = key


class PartsMissing(GinuriError):
    """What was put aside under `key` while an upload was taken in is not there any more; begin again."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key}, which was put aside, is missing")
        self.key = key


class RecordsMissing(GinuriError):
    """The registry has lost records that an upload registered, as a restored table has; begin again."""


class UnreadableRequest(GinuriError):
    """The event does not tell what was sent: it is of another kind, or of a gateway that loses some of it.

    No client can bring this about. It is meant to be loud: behind such a gateway every answer may be wrong.
    """


class UnreadableFile(GinuriError, ValueError):
    """A registry file cannot be read: the rule it breaks, the value that does, and the way out."""

    def __init__(self, rule: str, value: object, reason: Words, /, **values: str | Message) -> None:
        words = reason if isinstance(reason, Message) else Message(reason, values)
        super().__init__(str(words))
        self.rule = rule
        self.value = value
        self.reason = words
