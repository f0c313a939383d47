"""Verifies a signed receipt of the market (compact JWS, ES256) with Python alone: python3 verify_receipt.py RECEIPT JWKS

RECEIPT is a file with the JWS, or with JSON that has one as `receipt` or `signature`. JWKS is the issuer's
/.well-known/jwks.json. It prints the statement and ends with 0, or says what does not fit and ends with 1.
"""

import base64
import hashlib
import json
import re
import sys

# The curve P-256 (FIPS 186-4, D.1.2.3): y^2 = x^3 - 3x + B over the field of P; G has the order N.
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def add(one, other):
    """Adds two points; None is the point at infinity."""
    if one is None or other is None:
        return one or other
    if one[0] == other[0] and (one[1] + other[1]) % P == 0:
        return None
    if one == other:
        slope = (3 * one[0] * one[0] - 3) * pow(2 * one[1], -1, P)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, P)
    x = (slope * slope - one[0] - other[0]) % P
    return x, (slope * (one[0] - x) - one[1]) % P


def multiply(factor, point):
    """Multiplies a point by doubling and adding. Nothing here is secret, so its time may vary."""
    found = None
    while factor:
        if factor & 1:
            found = add(found, point)
        point = add(point, point)
        factor >>= 1
    return found


def is_signed(message, signature, key):
    """ECDSA with SHA-256 (FIPS 186-4, 6.4)."""
    x, y = key
    if not (0 <= x < P and 0 <= y < P) or (y * y - (x * x * x - 3 * x + B)) % P != 0:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if len(signature) != 64 or not (0 < r < N and 0 < s < N):
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, N)
    point = add(multiply(digest * inverse % N, G), multiply(r * inverse % N, key))
    return point is not None and point[0] % N == r


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def find(value):
    """The compact JWS in a text or in JSON."""
    if isinstance(value, str):
        return value.strip() if re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", value.strip()) else None
    if not isinstance(value, dict):
        return None
    return find(value.get("receipt")) or find(value.get("signature"))


def verify(text, keys):
    try:
        signed = find(text) or find(json.loads(text))
    except ValueError:
        signed = None
    if signed is None:
        raise ValueError("there is no signed receipt")
    head, body, signature = signed.split(".")
    header = json.loads(decode(head))
    if header.get("alg") != "ES256":
        raise ValueError("the algorithm is not ES256")
    name = header.get("kid", "").split("#")[-1]
    key = next((it for it in keys["keys"] if it["kid"] == name), None)
    if key is None:
        raise ValueError("the issuer has no key " + name)
    point = tuple(int.from_bytes(decode(key[axis]), "big") for axis in ("x", "y"))
    if not is_signed(f"{head}.{body}".encode(), decode(signature), point):
        raise ValueError("the signature is not valid")
    return json.loads(decode(body))


if __name__ == "__main__":
    try:
        with open(sys.argv[1]) as receipt, open(sys.argv[2]) as jwks:
            print(json.dumps(verify(receipt.read(), json.load(jwks)), indent=2))
    except (ValueError, KeyError, OSError) as error:
        sys.exit(f"Not verified: {error}")
