"""The chosen form in an explanation: the names of the forms, and the reason for the choice."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.i18n.labels import language_name, media_type_name
from ginuri.identifiers.messages import Message, Words, message
from ginuri.registry.model import Representation, Role
from ginuri.registry.ports import Found
from ginuri.resolution.decision import roles_of
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences, choose
from ginuri.resolution.negotiation.preferences import read_profiles


def wanted_profiles(preferences: Preferences) -> Sequence[str]:
    """Return the profiles that are wanted, the most wanted first."""
    return [profile for profile, q in read_profiles(preferences.accept_profile or "") if q > 0]


def reason_for(
    chosen: Representation, offered: Sequence[Representation], found: Found, preferences: Preferences
) -> Message:
    """Describe the reason for choosing a form: no preference, or the one that suffices by itself."""
    roles = roles_of(found)

    def wins(stated: Preferences) -> bool:
        return choose(stated, offered, roles) == chosen

    if len(offered) == 1:
        return message("It is the only one.")
    if wins(NO_PREFERENCES):
        if Role.DEFAULT in chosen.roles or chosen.media_type == roles.default_media_type:
            return message("You prefer no other, and it is the default.")
        return message("You prefer no other, and it comes first: by role, then as they are registered.")
    alone = (
        (
            Preferences(accept=preferences.accept),
            message("You prefer its format to the others.")
            if chosen.media_type
            else message("Its format is not stated, and you prefer none of the stated ones."),
        ),
        (
            Preferences(accept_language=preferences.accept_language),
            message("You prefer its language to the others."),
        ),
        (
            Preferences(accept_profile=preferences.accept_profile),
            message("It has the profile that you prefer.")
            if chosen.profile in wanted_profiles(preferences)
            else message("Formats with a profile that you refuse are left out."),
        ),
    )
    together = message("Of all that you prefer together, it has most.")
    return next((reason for stated, reason in alone if wins(stated)), together)


def name_form(form: Representation) -> Words:
    """Name a form by its media type, its roles and its language."""
    words = (
        media_type_name(form.media_type) or message("{name}", name=form.media_type)
        if form.media_type
        else message("Format not stated")
    )
    roles = sorted(str(role) for role in form.roles)
    named = message("{format} ({role})", format=words, role=", ".join(roles)) if roles else words
    if form.language:
        return message("{name}, in {language}", name=named, language=language_name(form.language))
    return named
