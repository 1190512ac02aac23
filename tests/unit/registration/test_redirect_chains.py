"""Redirects within the registry are followed as they would be answered."""

from __future__ import annotations

from ginuri.registration.redirects.own_addresses import OwnAddresses
from ginuri.registration.redirects.redirect_chains import ProposedRegistry, RedirectChain, RedirectFollower
from tests.builders import PUT
from tests.resolving import HOST, Service

AZGS = "uri-gin/azgs/"


def _followed(service: Service) -> RedirectChain | None:
    """Follow an example of the only rule of the authority."""
    proposed = service.registry.fetch([AZGS])[AZGS]
    [rule] = proposed.rules
    reader = ProposedRegistry(service.registry, proposed)
    addresses = OwnAddresses(service.registry, HOST)
    return RedirectFollower(reader, addresses, PUT.format(0), {}).follow_rule(AZGS, rule)


def test_a_rule_whose_names_take_too_long_to_match_is_not_followed() -> None:
    service = Service()
    names = "a/b/{x:alnum(255)}-{y:alnum(255)}-{z:alnum(255)}"
    service.rule(AZGS, names, location=f"http://{HOST}/{AZGS}{{x}}")
    assert _followed(service) is not None

    for prefix in (f"{AZGS}a/", f"{AZGS}a/b/"):
        for number in range(250):
            pattern = f"{{a}}-{{b}}x{{n:digits(1,{number + 1})}}"
            service.rule(prefix, pattern, number=number, location="https://a.example/")

    assert _followed(service) is None
