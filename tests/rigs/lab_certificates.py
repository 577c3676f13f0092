"""Certificates of an authority that only a test trusts."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)
LOOPBACK = ("localhost", "127.0.0.1")


class LabAuthority:
    """file: its own certificate."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = 0
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("p2pcards lab")
        now = datetime.now(UTC)
        own = (
            x509.CertificateBuilder(self._name, self._name, self._key.public_key(), x509.random_serial_number())
            .not_valid_before(now - 40 * 365 * DAY)
            .not_valid_after(now + 40 * 365 * DAY)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_for_signing_certificates(), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        self.file = folder / "authority.pem"
        self.file.write_bytes(own.public_bytes(serialization.Encoding.PEM))

    def trusted(self) -> ssl.SSLContext:
        """For a client that trusts this authority alone."""
        context = ssl.create_default_context(cafile=str(self.file))
        context.verify_flags |= ssl.VERIFY_X509_STRICT  # as it is by default from Python 3.13 on
        return context

    def certificate(
        self, names: tuple[str, ...] = LOOPBACK, since: timedelta = -DAY, until: timedelta = DAY
    ) -> tuple[Path, Path]:
        """(a certificate, its key) as files. since, until: from now."""
        self._made += 1
        files = self._folder / f"server{self._made}.pem", self._folder / f"server{self._made}.key"
        key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        made = (
            x509.CertificateBuilder(self._name, _named(names[0]), key.public_key(), x509.random_serial_number())
            .not_valid_before(now + since)
            .not_valid_after(now + until)
            .add_extension(x509.SubjectAlternativeName([_alternative(name) for name in names]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(signer, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _for_signing_certificates() -> x509.KeyUsage:
    return x509.KeyUsage(
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


def server_context(files: tuple[Path, Path]) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context
