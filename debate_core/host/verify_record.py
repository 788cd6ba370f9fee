"""Check a record without the program that wrote it: python verify_record.py events.jsonl [signatures.json [KEY]]

Reads every line, hash and signature (Ed25519, RFC 8032) again. `python -m debate_core verify` counts the votes too.
"""

import hashlib
import json
import sys
from pathlib import Path

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def point(encoded: bytes) -> tuple[int, ...]:
    """Decode a point of the curve from its 32 bytes; ValueError if they are none."""
    number = int.from_bytes(encoded, "little")
    y, odd = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * ROOT % P
    if len(encoded) != 32 or y >= P or (x * x - square) % P:
        raise ValueError("no point of the curve")
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


def plus(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(n: int, base: tuple[int, ...]) -> tuple[int, ...]:
    result: tuple[int, ...] = (0, 1, 1, 0)
    while n:
        result = plus(result, base) if n & 1 else result
        base, n = plus(base, base), n >> 1
    return result


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    base, s = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")), int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little")
    left, right = times(s, base), plus(point(signature[:32]), times(challenge % ORDER, point(key)))
    same = (left[0] * right[2] - right[0] * left[2]) % P == (left[1] * right[2] - right[1] * left[2]) % P == 0
    return s < ORDER and len(signature) == 64 and same


try:
    record, *others = (Path(name).read_bytes() for name in sys.argv[1:3] or sys.exit(__doc__))
    lines, hashes, head = record.split(b"\n"), list[str](), "0" * 64
    for number, line in enumerate(lines[:-2], start=1):
        event = json.loads(line)
        fits = canonical(event) == line and event["prev_hash"] == head and event["seq"] == number
        hashes.append(head := event.pop("hash"))
        if not fits or hashlib.sha256(canonical(event)).hexdigest() != head:
            sys.exit(f"line {number} was changed, or does not follow the one before it")
    if lines[-1] or json.loads(lines[-2]) != {"head": head, "events": len(hashes), "format": 1}:
        sys.exit("the record is cut short, or its closing line was changed")
    print(f"{len(hashes)} events that fit together; head {head}")
    vouched = "" if others else head
    for key, seal, stated in ((s["key"], s["signature"], s["statement"]) for text in others for s in json.loads(text)):
        seq, vouched = stated["seq"], stated["head"]
        is_ours = hashes[seq - 1 : seq] == [vouched] and key in (sys.argv[3:4] or [key])
        if not is_ours or not is_signed(bytes.fromhex(key), canonical(stated), bytes.fromhex(seal)):
            sys.exit(f"the signature of event {seq} is not of this record, or not by this key")
        print(f"events 1 to {seq} are vouched for by the key {key}, as they stood at {stated['at']}")
    if vouched != head:
        sys.exit("no signature vouches for the end of this record")
except (ValueError, KeyError, IndexError, TypeError, AttributeError, OSError) as error:
    sys.exit(f"this is no such record, or no such signatures: {error!r}")
