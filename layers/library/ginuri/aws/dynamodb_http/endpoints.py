"""The endpoint of DynamoDB, and its trusted certificate authorities."""

from __future__ import annotations

import os
from collections.abc import Sequence

_DOMAINS = {
    "cn-": "amazonaws.com.cn",
    "eusc-": "amazonaws.eu",
    "eu-isoe-": "cloud.adc-e.uk",
    "us-iso-": "c2s.ic.gov",
    "us-isob-": "sc2s.sgov.gov",
    "us-isof-": "csp.hci.ic.gov",
}
"""The domains of partitions by the beginning of their regions, as in botocore's `partitions.json`."""
_DOMAIN = "amazonaws.com"
_BUNDLES = (
    "/etc/pki/tls/certs/ca-bundle.crt",  # Amazon Linux: the runtime
    "/etc/ssl/certs/ca-certificates.crt",  # Debian and its descendants
    "/etc/ssl/cert.pem",  # Alpine, macOS
)


class Endpoint:
    """The address to call, and the region to sign for.

    `authorities` is a file of certificates, None for plain HTTP.
    """

    __slots__ = ("authorities", "region", "url")

    def __init__(self, url: str, region: str, authorities: str | None) -> None:
        self.url = url
        self.region = region
        self.authorities = authorities


def find_endpoint() -> Endpoint | None:
    """Read the endpoint from the environment; None if botocore has to find it.

    botocore is needed without a region, because a profile may name one, and for FIPS and dual-stack
    endpoints.
    """
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    special = os.environ.get("AWS_USE_FIPS_ENDPOINT", ""), os.environ.get("AWS_USE_DUALSTACK_ENDPOINT", "")
    if not region or "true" in map(str.lower, special):
        return None
    domain = next((domain for start, domain in _DOMAINS.items() if region.startswith(start)), _DOMAIN)
    url = _configured() or f"https://dynamodb.{region}.{domain}"
    authorities = find_authorities() if url.startswith("https:") else None
    return Endpoint(f"{url.rstrip('/')}/", region, authorities)


def find_authorities(bundles: Sequence[str] = _BUNDLES) -> str:
    """Find the file of certificate authorities: of the environment, the system, or botocore."""
    if named := os.environ.get("AWS_CA_BUNDLE"):
        return named
    for bundle in bundles:
        if os.path.exists(bundle):  # noqa: PTH110  pathlib would be imported only for this
            return bundle
    from importlib.util import find_spec

    botocore = find_spec("botocore")  # this does not import botocore
    folders = (botocore and botocore.submodule_search_locations) or [""]
    return os.path.join(folders[0], "cacert.pem")  # noqa: PTH118  without pathlib


def _configured() -> str | None:
    if os.environ.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "").lower() == "true":
        return None
    return os.environ.get("AWS_ENDPOINT_URL_DYNAMODB") or os.environ.get("AWS_ENDPOINT_URL")
