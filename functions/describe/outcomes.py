"""Every outcome of a request. Only types and tests import this module, because it imports all others."""

from __future__ import annotations

from describe.publications import PublishedOutcome
from ginuri.resolution.description_decision import FrontPage, Outcome
from ginuri.web.answers.services import ServiceOutcome
from ginuri.web.answers.urn_services import ResolutionOutcome

AnyOutcome = Outcome | FrontPage | ServiceOutcome | PublishedOutcome | ResolutionOutcome
