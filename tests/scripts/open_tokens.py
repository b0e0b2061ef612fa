#!/usr/bin/env python3
"""Opens the tokens of tests/data/known_answers.json without any of folio's code.

It needs `pip install cryptography`, and prints one line a token. The layout is described in runtime/src/crypt/mod.rs:
version 1 | key id 3 | salt 16 | ciphertext | tag 16, in base64url; AES-256-GCM under a key made as in C2SP's
XAES-256-GCM from HKDF-SHA256(ring key, "purpose:" + label), with the salt and eight zero bytes as the nonce.
"""

import base64
import json
import pathlib
import struct
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def derive(key: bytes, info: str) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=info.encode()).derive(key)


def xaes_key(key: bytes, nonce: bytes) -> bytes:
    """The AES key of one message: a CMAC of the first half of the nonce, with two counters."""
    def encrypt(block: bytes) -> bytes:
        encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        return encryptor.update(block) + encryptor.finalize()

    number = int.from_bytes(encrypt(bytes(16)), "big")
    k1 = ((number << 1) & ((1 << 128) - 1)) ^ (0b10000111 if number >> 127 else 0)
    mask = k1.to_bytes(16, "big")
    blocks = (bytes([0, counter]) + b"X\0" + nonce[:12] for counter in (1, 2))
    return b"".join(encrypt(bytes(a ^ b for a, b in zip(block, mask))) for block in blocks)


def open_token(key: bytes, purpose: str, scope: list[str], token: str) -> bytes:
    raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    header, salt, sealed = raw[:4], raw[4:20], raw[20:]
    assert header[0] in (1, 2, 3) and header[1:] == derive(key, "key-id")[:3], "another version or key"
    parts = [header, purpose.encode(), *(part.encode() for part in scope)]
    aad = b"".join(struct.pack(">Q", len(part)) + part for part in parts)
    nonce = salt + bytes(8)
    return AESGCM(xaes_key(derive(key, f"purpose:{purpose}"), nonce)).decrypt(nonce[12:], sealed, aad)


def main() -> int:
    path = pathlib.Path(__file__).parent.parent / "data" / "known_answers.json"
    answers = json.loads(path.read_text())
    for case in answers["cases"]:
        key = base64.b64decode(case["key"])
        opened = open_token(key, case["purpose"], case["scope"], case["token"])
        assert opened.decode() == case["plaintext"], f"{case['token']} opened to {opened!r}"
        try:
            open_token(key, case["purpose"], [*case["scope"], "more"], case["token"])
        except InvalidTag:
            print(f"{case['purpose']:20} {opened.decode().rstrip()}")
        else:
            raise AssertionError("a token opened in another scope")
    print(f"{len(answers['cases'])} tokens opened")
    return 0


if __name__ == "__main__":
    sys.exit(main())
