"""Owners of debates, their rights, and a record in which a name was replaced."""

from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import UUID

import pytest

from debate_core.__main__ import main
from debate_core.engine import erasure
from debate_core.engine.audit import measures_texts, verify
from debate_core.engine.rights import HOST
from debate_core.errors import BrokenRecord, Conflict, InvalidSpec, RuleViolation
from debate_core.host.access.accounts import Accounts
from debate_core.host.erasure import Wish, erase_name
from debate_core.host.host import Host
from debate_core.host.signatures import Signatures
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import Archived, Assumption, HandedOver, Owning, Replaced, Shared, Signed
from debate_core.record.commands import Act, Stop
from debate_core.record.events import Event, Predecessor, dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.report import markdown_report
from debate_core.spec.people import Person, Readers
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import MaxRounds, Plurality
from debate_core.spec.values import Seat
from tests.by_hand import small
from tests.people import ABE, ANN, EVERYBODY, FAY, room_spec, whole_workshop
from tests.playing import AT as NOW
from tests.playing import Played

OLA, UNA = "u-ola", "u-una"
WHY = "because"


def over(owner: str = OLA, *, readers: Readers = "hosts") -> Played:
    held = Played(room_spec(readers=readers), owner=owner)
    return held.do(Stop(by=FAY.id, reason="enough"))


def owned(*done: tuple[str, Owning]) -> Played:
    held = over()
    for by, act in done:
        held.do(Act(by=by, act=act))
    return held


GONE = owned((HOST, Replaced(by_debate="d-new", reason=WHY, who="Op")))
THEIRS, SERVERS = "only the owner and the operator", over("")


@pytest.mark.parametrize(
    ("played", "by", "act", "said"),
    [
        (over(), UNA, Shared(reason=WHY), THEIRS),
        (over(), FAY.id, Shared(reason=WHY), THEIRS),
        (over(), "engine", Shared(reason=WHY), THEIRS),
        (SERVERS, OLA, HandedOver(to=OLA, reason=WHY), THEIRS),
        (over(), HOST, Shared(reason=WHY), "fill in who"),
        (over(), OLA, Shared(reason=WHY, who="Una"), "in their own name"),
        (over(), OLA, Shared(reason="  "), "give a reason"),
        (over(), OLA, Replaced(by_debate="d-x", reason=WHY), "only the server itself"),
        (over(), OLA, HandedOver(to=OLA, reason=WHY), "this person owns the debate already"),
        (SERVERS, HOST, HandedOver(reason=WHY, who="Op"), "belongs to the server already"),
        (over(readers="members"), OLA, Shared(reason=WHY), "only its people read it"),
        (over(), OLA, Shared(shared=False, reason=WHY), "it is not open to the organisation"),
        (owned((OLA, Shared(reason=WHY))), OLA, Shared(reason=WHY), "it is open to the organisation already"),
        (SERVERS, HOST, Shared(reason=WHY, who="Op"), "the debate belongs to the server"),
        (Played(room_spec(), owner=OLA), OLA, Archived(reason=WHY), "the debate is still running"),
        (over(), OLA, Archived(archived=False, reason=WHY), "it is not in the archive"),
        (
            Played(room_spec(), owner=OLA),
            HOST,
            Replaced(by_debate="d-x", reason=WHY, who="Op"),
            "the debate is still running",
        ),
        (GONE, OLA, Archived(reason=WHY), "this record was replaced"),
        (owned((OLA, HandedOver(to=UNA, reason=WHY))), OLA, Archived(reason=WHY), THEIRS),
    ],
)
def test_what_an_owner_cannot_do_is_refused_in_one_sentence(played: Played, by: str, act: Owning, said: str):
    before = list(played.events)
    with pytest.raises(RuleViolation, match=said):
        played.copy().do(Act(by=by, act=act))
    assert played.events == before


def test_acts_of_an_owner_are_recorded_and_survive_gaps():
    store = MemoryStore()
    held = owned(
        (OLA, Shared(reason="all decide")),
        (OLA, HandedOver(to=UNA, reason="she leads it")),
        (UNA, Archived(reason="it is built")),
        (HOST, HandedOver(to=OLA, reason="she has left", who="Op")),
    )
    now = held.state.ownership
    assert (now.owner, now.shared, now.archived, now.n_acts) == (OLA, True, True, 4)
    assert verify(held.events) == ()
    store.append("d-room", held.events, after=0)
    (row,) = Host(store).debates()
    assert row.ownership == now


def test_who_gave_a_debate_away_does_nothing_more_with_it():
    host = Host(MemoryStore())
    seats = [Seat(id=i, occupant="human") for i in ("ana", "ben", "cid")]
    debate = host.create(room_spec(seats=seats), by=FAY.id, owner=OLA)
    host.submit(debate, Act(by=OLA, act=HandedOver(to=UNA, reason=WHY)))
    with pytest.raises(RuleViolation, match=THEIRS):
        host.submit(debate, Act(by=OLA, act=HandedOver(to="u-eve", reason=WHY)))


def test_an_imported_debate_belongs_to_its_importer():
    held = owned((OLA, Shared(reason=WHY)))
    data = dump_record(held.events).encode()
    host = Host(MemoryStore())
    assert host.import_record(data, owner=UNA) == host.import_record(data, owner="u-eve") == "d-room"
    ownership = host.state("d-room").ownership
    assert (ownership.owner, ownership.shared) == (UNA, False)
    assert verify(host.events("d-room")) == ()
    servers = Host(MemoryStore())
    servers.import_record(data)
    assert servers.state("d-room").ownership.owner == ""


LOGIN = {"iss": "https://a.example.org", "sub": "7", "name": "Una", "email": "una@example.org"}


def test_an_account_is_a_random_number_per_subject_and_issuer():
    accounts, store = Accounts(store := MemoryStore()), store
    una = accounts.of_login(LOGIN)
    assert una is not None
    assert una == Accounts(store).of_login(LOGIN) == accounts.by_id(una.id)
    assert "7" not in una.id or "una" not in una.id
    renamed = accounts.of_login({**LOGIN, "name": "Una Lee", "email": "lee@example.org"})
    assert renamed is not None
    assert (renamed.id, renamed.words) == (una.id, "Una Lee")
    assert accounts.by_email(" LEE@example.org ").id == una.id
    others = [{**LOGIN, "sub": "8"}, {**LOGIN, "iss": "https://b.example.org"}]
    assert una.id not in {found.id for other in others if (found := accounts.of_login(other))}
    assert Accounts(MemoryStore()).of_login(LOGIN) != una


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ({"email": "una@example.org"}, False),
        ({"email": "una@example.org", "email_verified": True}, True),
        ({"iss": "https://a.example.org"}, False),
        ({"iss": 7, "sub": 7}, False),
        ({}, False),
    ],
)
def test_who_cannot_be_told_apart_is_nobody(said: dict[str, object], known: bool):
    assert (Accounts(MemoryStore()).of_login(said) is not None) is known


@pytest.mark.parametrize(
    ("email", "said"), [("", "write the e-mail"), ("eve@example.org", "no one has logged in"), ("two@x", "2 people")]
)
def test_nobody_is_found_by_an_address_that_is_not_of_one_person(email: str, said: str):
    accounts = Accounts(MemoryStore())
    for sub in ("1", "2"):
        accounts.of_login({"iss": "i", "sub": sub, "email": "two@x"})
    with pytest.raises(InvalidSpec, match=said):
        accounts.by_email(email)


def without(events: Sequence[Event], name: str) -> erasure.Erased:
    predecessor = Predecessor(
        debate=events[0].debate, head=events[-1].hash, by=OLA, reason=WHY, at="2026-11-23T12:00:00.000000Z"
    )
    names = erasure.names_of(replay(events), events, name)
    return erasure.without_names(events, names, debate_id="d-new", predecessor=predecessor)


@pytest.mark.parametrize("who", [ANN, ABE, FAY, *EVERYBODY[3:6]], ids=lambda who: who.name)
def test_a_workshops_record_verifies_without_names(who: Person):
    held = whole_workshop()
    erased = without(held.events, who.name.upper())
    text = dump_record(erased.events)
    assert who.name not in text
    assert erasure.NOBODY in text
    assert (erased.left, verify(erased.events), measures_texts(erased.events)) == (0, (), False)
    assert parse_record(text.encode()) == erased.events
    report = markdown_report(account(replay(erased.events), erased.events))
    assert who.name not in report
    assert held.state.head in report
    assert len(erased.events) == len(held.events)
    counted = [[e.body for e in events if e.kind == "poll_closed"] for events in (held.events, erased.events)]
    assert counted[0] == counted[1] != []


def test_names_in_assumptions_can_be_removed():
    held = whole_workshop()
    assumption = Assumption(text="Ben keeps the licence", watched_by="Ben")
    held.act(ABE, Signed(verdict="accept", option="adopt", affects=("Ben's laptop",), assumptions=(assumption,)))
    erased = without(held.events, "Ben")
    word = replay(erased.events).room.of(Signed)[-1].fact
    nobody = Assumption(text="N.N. keeps the licence", watched_by="N.N.")
    assert (word.affects, word.assumptions) == (("N.N.'s laptop",), (nobody,))
    assert (erased.left, verify(erased.events)) == (0, ())


def test_a_ballot_is_bound_to_the_same_event_in_the_new_chain():
    held = whole_workshop()
    erased = without(held.events, "Ann").events
    places = [[e.hash for e in events] for events in (held.events, erased)]
    bound = [
        [hashes.index(e.body.transcript) for e in events if e.kind == "ballot_cast"]  # type: ignore[union-attr]
        for hashes, events in zip(places, (held.events, erased), strict=True)
    ]
    assert bound[0] == bound[1] != []


def test_a_second_name_gets_another_word_and_documents_stay():
    first = without(whole_workshop().events, "Ann").events
    second = dump_record(without(first, "Ben").events)
    assert erasure.NOBODY in second
    assert f"{erasure.NOBODY} 2" in second


@pytest.mark.parametrize(
    ("record", "name"), [("people", "bert"), ("split", "operator"), ("change_of_mind", "operator")]
)
def test_records_of_released_formats_hold_without_a_name(record: str, name: str):
    path = Path(__file__).resolve().parents[1] / "records" / f"format1_{record}.jsonl"
    erased = without(parse_record(path.read_bytes()), name)
    assert name not in dump_record(erased.events)
    assert verify(erased.events) == ()


def nameless() -> Sequence[Event]:
    held = small(Phase(name="opening"), decide=Plurality(), stop=(MaxRounds(),))
    while held.requests():
        held.say("a")
    return held.events


def running() -> list[Event]:
    return Played(room_spec()).events


@pytest.mark.parametrize(
    ("events", "name", "said"),
    [
        (lambda: whole_workshop().events, "Zoe", "no one in this debate is called 'Zoe'; its people are Abe, Ann"),
        (lambda: whole_workshop().events, " ", "enter the name"),
        (running, "Ann", "the debate is still running"),
        (nameless, "Ann", "this record contains no names of people"),
    ],
)
def test_a_name_that_cannot_be_taken_out_is_told_in_one_sentence(
    events: Callable[[], Sequence[Event]], name: str, said: str
):
    with pytest.raises(InvalidSpec, match=said):
        without(events(), name)


def test_ids_of_debates_are_uuids_of_version_4(tmp_path: Path):
    """A new debate, a record without a name, and a command of the terminal; the second one repeats its id."""
    spec = room_spec()
    people = tuple(seat.model_copy(update={"occupant": "human"}) for seat in spec.seats)
    opened = Host(MemoryStore()).create(spec.model_copy(update={"seats": people}), by=FAY.id)
    ids = []
    for _ in range(2):
        store = MemoryStore()
        store.append("d-room", over().events, after=0)
        ids.append(erase_name(store, Signatures(store), "d-room", Wish("Ann", "Op", WHY), at=NOW).events[-1].debate)
    assert len({*ids}) == 1
    assert main(["run", "Adopt it?", "--offline", "--out", str(tmp_path / "r.jsonl")]) == 3
    run = parse_record((tmp_path / "r.jsonl").read_bytes())[0].debate
    for debate_id in (opened, *ids, run):
        assert (UUID(debate_id).version, str(UUID(debate_id))) == (4, debate_id)
    assert len({opened, ids[0], run}) == 3


def test_an_interrupted_erasure_is_finished_on_request():
    class Full(MemoryStore):
        full = True

        def append(self, debate_id: str, events: Sequence[Event], **more: object) -> None:
            if self.full and debate_id != "d-room":
                raise Conflict("the disk is full")
            super().append(debate_id, events, **more)  # type: ignore[arg-type]

    store = Full()
    store.append("d-room", whole_workshop().events, after=0)
    wish, signatures = Wish("Ann", "Op", WHY), Signatures(store)
    with pytest.raises(Conflict):
        erase_name(store, signatures, "d-room", wish, at=NOW)
    store.full = False
    erased = erase_name(store, signatures, "d-room", wish, at=NOW)
    assert store.load("d-room")[-1].body == Replaced(by_debate=erased.events[0].debate, reason=WHY, who="Op")
    assert [row.id for row in Host(store).debates()] == [erased.events[0].debate]
    with pytest.raises(RuleViolation, match="this record was replaced"):
        erase_name(store, signatures, "d-room", wish, at=NOW)
    with pytest.raises(BrokenRecord, match="this record was replaced"):
        Host(_emptied(store)).import_record(dump_record(whole_workshop().events).encode())


def _emptied(store: MemoryStore) -> MemoryStore:
    """A store that remembers of the former record only that another one stands for it."""
    fresh = MemoryStore()
    for debate_id, new in store.notes("replaced").items():
        fresh.put_note("replaced", debate_id, new)
    return fresh
