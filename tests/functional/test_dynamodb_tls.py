"""The functions' own client of DynamoDB trusts only servers with a certificate of its authorities."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from ginuri.aws.dynamodb_http.endpoints import Endpoint, find_authorities, find_endpoint
from ginuri.aws.dynamodb_http.failures import AwsFailure
from ginuri.aws.dynamodb_http.transport import CurlTransport
from tests.scripted_http import ScriptedServer, response, scripted, send

LOOPBACK = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
KEYS = ("testing", "testing", None)
REFUSED = pytest.raises(AwsFailure, match="SSLError")


class Authority:
    """A certificate authority, in a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._certificate = self._issue(name, self._key.public_key(), [], is_authority=True)
        self.bundle = folder / f"{name}.pem"
        self.bundle.write_bytes(self._certificate.public_bytes(Encoding.PEM))

    def serve_as(self, names: list[x509.GeneralName], days: int = 1) -> ssl.SSLContext:
        """Return a server's key and certificate for these names, valid until some days from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._issue("server", key.public_key(), names, days=days)
        file = self._folder / f"server of {self._name}.pem"
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        file.write_bytes(certificate.public_bytes(Encoding.PEM) + private)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context

    def _issue(
        self,
        name: str,
        key: ec.EllipticCurvePublicKey,
        names: list[x509.GeneralName],
        *,
        days: int = 1,
        is_authority: bool = False,
    ) -> x509.Certificate:
        until = datetime.now(UTC) + timedelta(days=days)
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, self._name)]))
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(until - timedelta(days=10))
            .not_valid_after(until)
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )
        if names:
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        return builder.sign(self._key, hashes.SHA256())


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"), "ours")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("stranger"), "another")


def _ask(server: ScriptedServer, authorities: str | None) -> bytes:
    line = CurlTransport(Endpoint(f"{server.url}/", "us-east-1", authorities))
    return line.post("GetItem", "{}", KEYS, None, 5).body


@pytest.fixture
def trusted(authority: Authority) -> Iterator[ScriptedServer]:
    with scripted(send(response({})), tls=authority.serve_as([LOOPBACK])) as running:
        yield running


def test_a_server_with_a_trusted_certificate_is_called(trusted: ScriptedServer, authority: Authority) -> None:
    assert _ask(trusted, str(authority.bundle)) == b"{}"


def test_a_certificate_of_an_unknown_authority_is_refused(authority: Authority, stranger: Authority) -> None:
    with (
        scripted(send(response({})), tls=stranger.serve_as([LOOPBACK])) as server,
        pytest.raises(AwsFailure, match="SSLError"),
    ):
        _ask(server, str(authority.bundle))

    assert server.requests == []


@pytest.mark.parametrize(
    "names",
    [[x509.DNSName("dynamodb.us-east-1.amazonaws.com")], [x509.IPAddress(ipaddress.ip_address("127.0.0.2"))]],
    ids=["a host", "an address"],
)
def test_a_certificate_of_another_name_is_refused(
    authority: Authority, names: list[x509.GeneralName]
) -> None:
    with (
        scripted(send(response({})), tls=authority.serve_as(names)) as server,
        pytest.raises(AwsFailure, match="SSLError"),
    ):
        _ask(server, str(authority.bundle))

    assert server.requests == []


def test_an_expired_certificate_is_refused(authority: Authority) -> None:
    with (
        scripted(send(response({})), tls=authority.serve_as([LOOPBACK], days=-1)) as server,
        pytest.raises(AwsFailure, match="SSLError"),
    ):
        _ask(server, str(authority.bundle))

    assert server.requests == []


def test_old_versions_of_tls_are_refused(authority: Authority) -> None:
    tls = authority.serve_as([LOOPBACK])
    tls.set_ciphers("DEFAULT@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        tls.minimum_version = tls.maximum_version = ssl.TLSVersion.TLSv1_1
    with scripted(send(response({})), tls=tls) as server, REFUSED:
        _ask(server, str(authority.bundle))

    assert server.requests == []


def test_without_certificate_authorities_no_request_is_sent(trusted: ScriptedServer, tmp_path: Path) -> None:
    with REFUSED:
        _ask(trusted, str(tmp_path / "none.pem"))

    assert trusted.requests == []


def test_the_environments_authorities_come_before_others(
    monkeypatch: pytest.MonkeyPatch, authority: Authority
) -> None:
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_CA_BUNDLE", str(authority.bundle))

    endpoint = find_endpoint()

    assert endpoint is not None
    assert endpoint.authorities == str(authority.bundle)


def test_the_systems_authorities_come_before_botocores(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    (tmp_path / "system.pem").touch()

    assert find_authorities((str(tmp_path / "none.pem"), str(tmp_path / "system.pem"))).endswith("system.pem")
    assert Path(find_authorities(())).is_file()
