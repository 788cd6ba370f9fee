"""Check a record without the program that wrote it: python verify_record.py events.jsonl [signatures.json [KEY]]

Reads every line again: its SHA-256, the chain of hashes, the closing line. With signatures, says which key vouches for
which event, by Ed25519 (RFC 8032). It does not count votes again: that is what `python -m debate_core verify` does.
"""

import hashlib
import json
import sys
from pathlib import Path

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
CurvePoint = tuple[int, int, int, int]


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def point(encoded: bytes) -> CurvePoint:
    """A point of the curve from its 32 bytes; ValueError if they are none."""
    number = int.from_bytes(encoded, "little")
    y, odd = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if len(encoded) != 32 or y >= P or (x * x - square) % P:
        raise ValueError("no point of the curve")
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


def plus(one: CurvePoint, other: CurvePoint) -> CurvePoint:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, base: CurvePoint) -> CurvePoint:
    result: CurvePoint = (0, 1, 1, 0)
    while n:
        result = plus(result, base) if n & 1 else result
        base, n = plus(base, base), n >> 1
    return result


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    s = int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little")
    left, right = times(s, base), plus(point(signature[:32]), times(challenge % ORDER, point(key)))
    same = (left[0] * right[2] - right[0] * left[2]) % P == (left[1] * right[2] - right[1] * left[2]) % P == 0
    return s < ORDER and len(signature) == 64 and same


lines = Path(sys.argv[1]).read_bytes().split(b"\n")
hashes, head = [], "0" * 64
for number, line in enumerate(lines[:-2], start=1):
    event = json.loads(line)
    own = event.pop("hash")
    fits = canonical({**event, "hash": own}) == line and hashlib.sha256(canonical(event)).hexdigest() == own
    if not fits or event["prev_hash"] != head or event["seq"] != number:
        sys.exit(f"line {number} was changed, or does not follow the one before it")
    hashes.append(head := own)
if lines[-1] or not hashes or json.loads(lines[-2]) != {"head": head, "events": len(hashes), "format": 1}:
    sys.exit("the record is cut short, or its closing line was changed")
print(f"{len(hashes)} events, unchanged since they were written; head {head}")
for signed in json.loads(Path(sys.argv[2]).read_bytes()) if len(sys.argv) > 2 else []:
    key, statement = signed["key"], signed["statement"]
    is_ours = statement["head"] == hashes[statement["seq"] - 1] and key in sys.argv[3:4] + [key] * (len(sys.argv) < 4)
    if not is_ours or not is_signed(bytes.fromhex(key), canonical(statement), bytes.fromhex(signed["signature"])):
        sys.exit(f"the signature of event {statement['seq']} is not of this record, or not by this key")
    print(f"events 1 to {statement['seq']} are vouched for by the key {key}")
