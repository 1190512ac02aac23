"""Every outcome of a request. Only types and tests import this module: it imports all that there is."""

from __future__ import annotations

from ginuri.resolution.description_decision import FrontPage, Outcome
from ginuri.service.publications import PublishedOutcome
from ginuri.web.answers.services import ServiceOutcome
from ginuri.web.answers.urn_services import ResolutionOutcome

AnyOutcome = Outcome | FrontPage | ServiceOutcome | PublishedOutcome | ResolutionOutcome
