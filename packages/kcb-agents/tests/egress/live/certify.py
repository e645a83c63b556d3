"""An authority and a certificate for the internet of the live test: ``certify.py FOLDER NAME…``.

It runs in the environment of the proxy, which has the library for it.
"""

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

folder, names = Path(sys.argv[1]), sys.argv[2:]
now = datetime.now(UTC)
keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
subjects = [
    x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)]) for text in ("authority", "host")
]


def certificate(number, *extensions):
    """Of one of the two, signed by the first."""
    builder = (
        x509.CertificateBuilder()
        .subject_name(subjects[number])
        .issuer_name(subjects[0])
        .public_key(keys[number].public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
    )
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    signed = builder.sign(keys[0], hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


own = x509.SubjectKeyIdentifier.from_public_key(keys[0].public_key())
issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(keys[0].public_key())
may = dict.fromkeys(
    ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment",
     "key_agreement", "key_cert_sign", "crl_sign", "encipher_only", "decipher_only"), False,
)  # fmt: skip
signs = x509.KeyUsage(**{**may, "key_cert_sign": True, "crl_sign": True})
is_authority = (x509.BasicConstraints(ca=True, path_length=None), True)
(folder / "authority.pem").write_bytes(
    certificate(0, is_authority, (signs, True), (own, False), (issuer, False))
)
alternatives = x509.SubjectAlternativeName([x509.DNSName(name) for name in names])
key = keys[1].private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)
(folder / "host.pem").write_bytes(key + certificate(1, (alternatives, False), (issuer, False)))
