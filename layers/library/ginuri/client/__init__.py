"""The client of the HTTP API: registers, reads reports and undoes with a token, without AWS credentials.

It needs the standard library only. Begin with `Client`.

>>> Client("https://id.example.org", "gin_…").service
'https://id.example.org'
"""

from __future__ import annotations

from ginuri.client.client import Client, Writing
from ginuri.client.errors import (
    ConditionFailed,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    RegistrationRefused,
    ReportMissing,
    ServiceError,
    ServiceUnreachable,
    TooManyRequests,
)
from ginuri.client.options import UploadOptions
from ginuri.client.values import (
    Change,
    Finding,
    FolderRights,
    ListedUpload,
    Me,
    Minted,
    NewToken,
    Problem,
    Record,
    Report,
    Row,
    Submitted,
    TokenFacts,
    Waiting,
)

__all__ = [
    "Change",
    "Client",
    "ConditionFailed",
    "Finding",
    "FolderRights",
    "ListedUpload",
    "Me",
    "Minted",
    "NewToken",
    "NotAllowed",
    "NotAuthenticated",
    "NotFound",
    "Problem",
    "Record",
    "RegistrationRefused",
    "Report",
    "ReportMissing",
    "Row",
    "ServiceError",
    "ServiceUnreachable",
    "Submitted",
    "TokenFacts",
    "TooManyRequests",
    "UploadOptions",
    "Waiting",
    "Writing",
]
