"""Detection of changed records: by their own arithmetic, and by the signature of their head.

A forger who knows the format tries each kind of tampering on exported records: once with changed lines only, and once
with recomputed hashes and closing line, so that only the rules can reveal the change. Prints a table, and exits with 1
if a change passed a signed head. `python -m bench.tampering 500`.
"""

import contextlib
import copy
import io
import json
import random
import runpy
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from debate_core.engine.audit import refuse_broken
from debate_core.errors import DebateError
from debate_core.host.signatures import SIGNED, VERIFIER, Signatures, check_signatures, file_of
from debate_core.host.stores.memory import MemoryStore
from debate_core.record import acts
from debate_core.record.events import GENESIS, Event, canonical, dump_record, parse_record
from debate_core.spec.presets import compose, protocol
from debate_core.spec.values import Seat
from tests.people import ABE, FAY, MO, whole_workshop
from tests.playing import Played

TRIES = 500
Line = dict[str, Any]
"""One event of a record as JSON."""
Tampering = Callable[[random.Random, list[Line]], list[Line]]


@dataclass(frozen=True, slots=True)
class Exported:
    """An exported record with its signatures and its public key."""

    record: bytes
    signatures: str
    key: str


# Records to tamper with


def exported(events: Sequence[Event]) -> Exported:
    """Export a record with the signatures of a server."""
    signer = Signatures(MemoryStore())
    signer.sign([event for event in events if event.kind in SIGNED])
    return Exported(dump_record(events).encode(), file_of(signer.of(events)), signer.public_key)


def records() -> list[Exported]:
    """Build the records: a workshop signed twice, one with overrides and a dissent, and a vote of weighted seats."""
    signed = whole_workshop()
    signed.act(ABE, acts.Signed(verdict="reject", reason="too dear"))
    steered = whole_workshop()
    steered.act(MO, acts.Struck(turn="1.reply.s1", reason="not on the question"))
    steered.act(FAY, acts.Dissented(text="it was too soon"))
    seats = [Seat(id=name, occupant="human", weight=weight) for name, weight in (("ana", 2), ("ben", 1), ("cy", 1))]
    voted = Played(compose("Which store?", ["a", "b"], protocol("bounded_vote"), seats))
    voted.to_the_end("a")
    return [exported(held.events) for held in (signed, steered, voted)]


# Changes by a forger


def lines_of(record: bytes) -> list[Line]:
    """Parse the events of a record, without its closing line."""
    return [json.loads(line) for line in record.splitlines()[:-1]]


def as_they_are(lines: Iterable[Line], closing: bytes) -> bytes:
    """Rebuild the record with its former hashes and closing line."""
    return b"".join(canonical(line).encode() + b"\n" for line in lines) + closing


def made_anew(lines: Iterable[Line]) -> bytes:
    """Rebuild the record with valid numbers, hashes and closing line.

    A ballot refers to the hash of the last event that its voter had read; it gets the new hash.
    """
    made, head, anew = list[str](), GENESIS, dict[str, str]()
    for seq, line in enumerate(lines, start=1):
        event = {name: value for name, value in line.items() if name != "hash"} | {"seq": seq, "prev_hash": head}
        if transcript := event["body"].get("transcript"):
            event["body"] = event["body"] | {"transcript": anew.get(transcript, transcript)}
        head = anew[line["hash"]] = sha256(canonical(event).encode()).hexdigest()
        made.append(canonical(event | {"hash": head}))
    closing = canonical({"head": head, "events": len(made), "format": 1})
    return "\n".join([*made, closing, ""]).encode()


def _option(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Change the option of a ballot."""
    options = lines[0]["body"]["spec"]["options"]
    bodies = [line["body"] for line in lines]
    ballots = [(b["content"], "vote") for b in bodies if b.get("content", {}).get("vote")]
    ballots += [(b, "choice") for b in bodies if b.get("choice")]
    ballot, field = rng.choice(ballots)
    ballot[field] = rng.choice([option for option in options if option != ballot[field]])
    return lines


def _weight(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Raise the weight of a voter."""
    spec = lines[0]["body"]["spec"]
    voter = rng.choice([*spec["seats"], *(p for p in spec.get("room", {}).get("people", ()) if p.get("electorate"))])
    voter["weight"] = voter.get("weight", 1) + rng.randint(1, 3)
    return lines


def _left_out(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Remove an event other than the last one; see `_cut_off`."""
    del lines[rng.randrange(len(lines) - 1)]
    return lines


def _swapped(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Swap two events."""
    a, b = rng.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return lines


def _put_in(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Insert an event twice, or an invented question, which the rules allow at any time."""
    again = copy.deepcopy(rng.choice(lines))
    asked = again | {"actor": "p-gus", "kind": "asked", "body": {"kind": "question", "text": "Who pays for it?"}}
    place = rng.randint(1, len(lines))
    asked["key"] = f"asked:{place + 1}"
    lines.insert(place, rng.choice([again, asked]))
    return lines


def _text(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Change the text of a turn or of a question."""
    texts = [found for line in lines for found in _texts(line["body"])]
    holder, field = rng.choice(texts)
    holder[field] += rng.choice((" not", " never", ".", " at once"))
    return lines


_TEXTS = ("question", "context", "rationale", "text", "reason", "answer", "owner", "message")


def _texts(value: Any) -> list[tuple[Line, str]]:
    """Return all prose texts in a body."""
    if isinstance(value, list):
        return [found for part in value for found in _texts(part)]
    if not isinstance(value, dict):
        return []
    own = [(value, name) for name in _TEXTS if isinstance(value.get(name), str) and value[name]]
    return own + [found for part in value.values() for found in _texts(part)]


def _cut_off(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Remove the end."""
    return lines[: rng.randint(1, len(lines) - 1)]


def _by_another(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Replace the author of an act, a vote, a turn or the opening."""
    acts_of_people = [line for line in lines if line["actor"] != "engine"]
    people = [p["id"] for p in lines[0]["body"]["spec"].get("room", {}).get("people", ())] + ["The CTO"]
    act = rng.choice(acts_of_people)
    act["actor"] = rng.choice([person for person in people if person != act["actor"]])
    return lines


def _by_any(rng: random.Random, lines: list[Line]) -> list[Line]:
    """Apply any of the other changes."""
    return rng.choice([_option, _weight, _text, _by_another])(rng, lines)


KINDS: dict[str, Tampering] = {
    "a ballot for another option": _option,
    "another weight": _weight,
    "an event left out": _left_out,
    "two events swapped": _swapped,
    "an event put in": _put_in,
    "another text": _text,
    "the end cut off": _cut_off,
    "another person acted": _by_another,
    "signed by another key": _by_any,
}
ANOTHER_KEY = "signed by another key"


# Checks


def notices(record: bytes, signatures: str = "", key: str = "") -> bool:
    """True if `verify` refuses the record, with signatures if given."""
    try:
        events = parse_record(record)
        refuse_broken(events, "record")
        if key:
            check_signatures(events, signatures, key)
    except DebateError:
        return True
    return False


def script_notices(record: bytes, signatures: str = "", key: str = "") -> bool:
    """True if the stand-alone script refuses the record, in a sentence."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "events.jsonl").write_bytes(record)
        (Path(folder) / "signatures.json").write_text(signatures)
        files = [f"{folder}/events.jsonl", f"{folder}/signatures.json", key]
        argv = ["verify_record.py", *(files if key else files[:1])]
        with patch.object(sys, "argv", argv), contextlib.redirect_stdout(io.StringIO()):
            try:
                runpy.run_path(str(VERIFIER), run_name="__main__")
            except SystemExit as refusal:
                return isinstance(refusal.code, str)
    return False


def tried(kind: str, source: Exported, rng: random.Random) -> Counter[str]:
    """Try one change; returns the checks that noticed it."""
    changed = KINDS[kind](rng, lines_of(source.record))
    closing = source.record.splitlines(keepends=True)[-1]
    edited, forged = as_they_are(changed, closing), made_anew(changed)
    signatures = source.signatures
    if kind == ANOTHER_KEY:
        with contextlib.suppress(DebateError):
            signatures = exported(parse_record(forged)).signatures
    return Counter(
        tried=1,
        edited=notices(edited),
        edited_script=script_notices(edited),
        anew=notices(forged),
        anew_script=script_notices(forged),
        signed=notices(forged, signatures, source.key),
        signed_script=script_notices(forged, signatures, source.key),
    )


def table(tries: int, *, seed: int = 1) -> dict[str, Counter[str]]:
    """Count for each kind how often each check noticed it."""
    rng, sources = random.Random(seed), records()
    return {kind: sum((tried(kind, rng.choice(sources), rng) for _ in range(tries)), Counter()) for kind in KINDS}


HEAD = ("lines alone changed", "script", "chain made anew", "script", "with signed head", "script")
COLUMNS = ("edited", "edited_script", "anew", "anew_script", "signed", "signed_script")


def main(tries: int) -> int:
    """Print the table; returns 1 if a change passed a signed head."""
    found = table(tries)
    print(f"{'caught by verify, and by the script':<36}tried  " + "  ".join(f"{head:>19}" for head in HEAD))
    for kind, counts in found.items():
        cells = "  ".join(f"{counts[column]:>19}" for column in COLUMNS)
        print(f"{kind:<36}{counts['tried']:>5}  {cells}")
    passed = [kind for kind, counts in found.items() if not counts["signed"] == counts["signed_script"] == tries]
    print(f"passed a signed head: {', '.join(passed) or 'nothing'}")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIES))
