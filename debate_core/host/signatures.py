"""Signs records with a key of this installation: the hash chain alone proves nothing to outsiders.

Anyone can write a whole new chain. A signature over the hash of an event covers it and all events before it; others
check it with the public key, by `verify --key` or by the script in the export. Only debates opened here are signed.
"""

import logging
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from debate_core.errors import BrokenRecord, InvalidSpec, StoreError
from debate_core.host import origin
from debate_core.host.stores import Store
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.events import Event, canonical
from debate_core.spec.values import Value

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

SIGNED = frozenset(
    {
        *(
            "phase_ended",
            "stop_verdict",
            "closed",
            "baselines_asked",
            "baseline_held",
            "poll_closed",
            "poll_revealed",
            "signed",
            "dissented",
            "outcome_recorded",
            "assumption_broken",
            "synthesis_revised",
        ),
        *("stopped", "truncated", "deadline_passed", "paused", "resumed", "limit_raised", "turn_skipped", "marked"),
        *("struck", "noted", "intervened", "seat_taken", "seat_returned", "extended", "last_round", "source_added"),
        *("person_changed", "person_left", "link_changed", "options_agreed"),
        *("handed_over", "shared", "archived", "replaced"),
    }
)
"""Kinds of events that are signed when written: counts, results, signatures, and changes by people.

The verdict of a stop function cannot be derived again. The end of a phase covers its turns, the end of a poll its
ballots.
"""
VERIFIER = files("debate_core.host") / "verify_record.py"
"""A script that checks a record and its signatures with Python alone."""

log = logging.getLogger(__name__)


class Statement(Value):
    """The signed statement: the event with this number has this hash."""

    debate: str
    seq: int
    head: str
    at: str


class Attestation(Value):
    """A statement, the signing public key, and the signature of the statement's canonical bytes; both in hex."""

    statement: Statement
    key: str
    signature: str


class Signatures:
    """Signs for one store. `seed`: 32 bytes in hex; empty = the store's key, InvalidSpec if it keeps none."""

    def __init__(self, store: Store, seed: str = "") -> None:
        if not seed and not store.keeps_secrets:
            store.secret("records")
        self._store = store
        self._seed = seed

    @cached_property
    def _key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(self._seed or self._store.secret("records")))

    @property
    def lasts(self) -> bool:
        """True if the key outlives the process."""
        return bool(self._seed) or not isinstance(self._store, MemoryStore)

    @property
    def public_key(self) -> str:
        """The public key, in hex."""
        return self._key.public_key().public_bytes_raw().hex()

    def written(self, events: Sequence[Event]) -> None:
        """Sign those of the new events whose kind is signed, if the debate was opened here.

        They are recorded already, so errors of the store are only logged.
        """
        to_sign = [event for event in events if event.kind in SIGNED]
        try:
            if to_sign and origin.is_own(self._store, to_sign[0].debate):
                self.sign(to_sign)
        except StoreError as error:
            log.warning("events of %s have no signature: %s", to_sign[0].debate, error)

    def sign(self, events: Sequence[Event]) -> None:
        """Store a signature of each of these events beside the record."""
        for event in events:
            self._store.add_note("signature", _note_name(event), self._attest(event).model_dump_json())

    def kept(self, events: Sequence[Event]) -> list[Attestation]:
        """The signatures by this key that were stored when these events were written, in order."""
        notes = [self._store.note("signature", _note_name(event)) for event in events if event.kind in SIGNED]
        kept = [Attestation.model_validate_json(text) for text in notes if text is not None]
        # Signatures by a former key stay stored: today's public key cannot check them.
        return [signature for signature in kept if signature.key == self.public_key]

    def of(self, events: Sequence[Event]) -> list[Attestation]:
        """The stored signatures of these events by this key, and one of the last event, in order."""
        signed = self.kept(events)
        if events and (not signed or signed[-1].statement.head != events[-1].hash):
            signed.append(self._attest(events[-1]))
        return signed

    def of_own(self, events: Sequence[Event]) -> list[Attestation]:
        """The signatures of a debate opened here; none for other debates."""
        return self.of(events) if origin.has_own(self._store, events) else []

    def sign_text(self, text: str) -> str:
        """The signature of a text, in hex."""
        return self._key.sign(text.encode()).hex()

    def _attest(self, event: Event) -> Attestation:
        statement = Statement(debate=event.debate, seq=event.seq, head=event.hash, at=event.at)
        return Attestation(statement=statement, key=self.public_key, signature=self.sign_text(_signed_text(statement)))


_FILE = TypeAdapter(list[Attestation])


def _signed_text(statement: Statement) -> str:
    return canonical(statement.model_dump())


def _note_name(event: Event) -> str:
    return f"{event.debate}/{event.seq}"


def check_signatures(events: Sequence[Event], text: str, key: str) -> str:
    """Check the signatures in a file up to the last event of the record; returns the time of the last one (UTC text).

    BrokenRecord if a signature is of another record or key, or if none covers the last event; InvalidSpec for a
    malformed text or key.
    """
    public = read_public_key(key)
    vouched = 0
    at = ""
    try:
        signatures = _FILE.validate_json(text, strict=True)
    except ValidationError:
        raise InvalidSpec("these are no signatures: give signatures.json as it came with the record") from None
    for signature in signatures:
        statement = signature.statement
        seq = statement.seq
        is_of_record = 1 <= seq <= len(events) and events[seq - 1].hash == statement.head
        is_by_key = signature.key == key.lower() and is_signed(public, _signed_text(statement), signature.signature)
        if not (is_of_record and is_by_key):
            raise BrokenRecord("the signature of event {seq} is not of this record, or not by this key", seq, seq=seq)
        vouched, at = max((vouched, at), (seq, statement.at))
    if vouched < len(events):
        raise BrokenRecord(
            "this key vouches for none of the events from event {vouched} on", vouched + 1, vouched=vouched + 1
        )
    return at


def key_in(text: str) -> str:
    """The public key of a valid file of signatures, in hex; empty for an empty text."""
    return _FILE.validate_json(text)[-1].key if text else ""


def read_public_key(key: str) -> "Ed25519PublicKey":
    """The public key with these hexadecimal digits. InvalidSpec if it is none."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
    except ValueError:
        raise InvalidSpec("a key has 64 hexadecimal digits, and {key!r} has not", key=key[:80]) from None


def is_signed(public: "Ed25519PublicKey", text: str, signature: str) -> bool:
    """True if this is the signature, in hex, of the text by this key."""
    from cryptography.exceptions import InvalidSignature

    try:
        public.verify(bytes.fromhex(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def file_of(signatures: Sequence[Attestation]) -> str:
    """Format `signatures.json`."""
    return _FILE.dump_json(list(signatures), indent=1).decode() + "\n"
