"""The certificates of a run over TLS: its own authority, and the certificate of the stub."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from botocore.httpsession import DEFAULT_CA_BUNDLE
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_LIFETIME = timedelta(days=1)
_BITS = 2048
"""The size of the keys, as DynamoDB's."""
# RFC 5280 §4.2.1.3: an authority must have the key usage; from Python 3.13 on `ssl` refuses one without it.
_SIGNS_CERTIFICATES = x509.KeyUsage(
    digital_signature=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True, slots=True)
class Certificates:
    """The two files of a run, in PEM."""

    server: Path
    """The server's key and certificate."""
    authorities: Path
    """All authorities of this system, and the run's own: a client reads the whole list."""


def make_certificates(folder: Path, host: str) -> Certificates:
    """Make an authority and its certificate for a server at an IP address."""
    authority_key, server_key = (generate_private_key(65537, _BITS) for _ in range(2))
    authority_name = _name("The authority of the bench")
    authority = (
        _certificate(authority_name, authority_name, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(_SIGNS_CERTIFICATES, critical=True)
        .sign(authority_key, SHA256())
    )
    server = (
        _certificate(_name("The stub of the bench"), authority_name, server_key)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False
        )
        .sign(authority_key, SHA256())
    )
    files = Certificates(folder / "server.pem", folder / "authorities.pem")
    key = server_key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    files.server.write_bytes(key + server.public_bytes(Encoding.PEM))
    files.authorities.write_bytes(_trusted() + b"\n" + authority.public_bytes(Encoding.PEM))
    return files


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _certificate(subject: x509.Name, issuer: x509.Name, key: RSAPrivateKey) -> x509.CertificateBuilder:
    now, public = datetime.now(UTC), key.public_key()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _LIFETIME)
        .not_valid_after(now + _LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
    )


def _trusted() -> bytes:
    # On a system without a list, botocore's is nearly the same.
    return Path(ssl.get_default_verify_paths().cafile or DEFAULT_CA_BUNDLE).read_bytes()
