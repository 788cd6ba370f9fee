"""Search in all texts: access, seals, growth and erasure; the decisions of the archive are dropped with the debate."""

import gc
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from debate_core.host.access.reading import OPERATOR, STRANGER, Looker
from debate_core.host.erasure import Wish
from debate_core.host.host import Host, HostOptions
from debate_core.host.precedents.archive import Archive
from debate_core.host.precedents.debates import read_account
from debate_core.host.precedents.texts import QUOTE_CHARS
from debate_core.host.stores.memory import MemoryStore
from debate_core.host.withheld import why_withheld
from debate_core.record.acts import Signed
from debate_core.record.commands import TakeTurn
from debate_core.record.events import Event
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Readers
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.values import Seat, Source
from tests.core.test_precedents import write
from tests.people import ABE, FAY, room_spec, whole_workshop
from tests.playing import Played

OLA, UNA = "u-ola", "u-una"
LOOKERS = (OPERATOR, STRANGER, Looker("host"), Looker("host", OLA), Looker("stranger", UNA), Looker("machine", UNA))
SEALED = Protocol(
    name="own",
    each_round=(Phase(name="talk", order="at_once", sealed=True),),
    stop=(MaxRounds(),),
    decide=Threshold(votes=2),
)


def host_of(*records: Sequence[Event]) -> Host:
    store = MemoryStore()
    for events in records:
        store.append(events[0].debate, events, after=0)
    return Host(store, HostOptions(worker="none"))


def found_words(archive: Archive, looker: Looker, words: Sequence[str]) -> set[str]:
    return {word for word in words if archive.find_texts(word, looker)}


class Private(NamedTuple):
    """A debate with its readers, and how many of its three sealed turns were given."""

    owner: str
    shared: bool
    readers: Readers
    turns: int
    blind: bool

    @property
    def is_sealed(self) -> bool:
        """While some turns of the sealed phase are given, and in a blind room until the end, the record is withheld."""
        return self.turns in (1, 2) or (self.blind and self.turns == 0)

    def is_read_by(self, looker: Looker) -> bool:
        if looker == OPERATOR:
            return True
        if self.owner:
            is_shared = self.shared and self.readers == "hosts"
            return bool(looker.account) and (is_shared or looker.account == self.owner)
        return looker.standing != "stranger" and self.readers == "hosts"


privates = st.builds(
    Private,
    st.sampled_from(("", OLA, UNA)),
    st.booleans(),
    st.sampled_from(("hosts", "members", "link")),
    st.integers(0, 3),
    st.booleans(),
)


def played(number: int, private: Private) -> Played:
    """Debate 2 is about `topic2`, has the document `paper2`, and `word2x1` in its second turn and claim."""
    seats = [Seat(id=f"s{seat}", occupant="offline") for seat in range(3)]
    agreed: dict[str, Any] = {"readers": private.readers, "blind": "blind" if private.blind else "named"}
    spec = room_spec((FAY, ABE), seats=seats, rounds=1, **agreed).model_copy(
        update={
            "question": f"Do we want topic{number}?",
            "protocol": SEALED,
            "sources": (Source(id="E1", title="Note", text=f"This is paper{number} for all"),),
        }
    )
    held = Played(spec, f"d{number}", owner=private.owner, shared=bool(private.owner) and private.shared).go_on()
    for turn in range(private.turns):
        word = f"word{number}x{turn}"
        held.say(
            Argument(rationale=f"Fay and we want {word} now", vote="adopt", claims=(Claim(text=f"It has {word}"),))
        )
    if held.state.outcome:
        held.act(ABE, Signed(verdict="accept", option="adopt"))
    return held


@settings(max_examples=25, deadline=None)
@given(st.lists(privates, min_size=1, max_size=4))
def test_reader_finds_what_he_may_read_and_no_more(debates: list[Private]):
    host = host_of(*(played(number, private).events for number, private in enumerate(debates)))
    archive = Archive(host, None)
    every_word, readable = list[str](), dict[str, Private]()
    for number, private in enumerate(debates):
        own = [f"topic{number}", f"paper{number}", *(f"word{number}x{turn}" for turn in range(private.turns))]
        every_word += own
        if not private.is_sealed:
            readable |= dict.fromkeys(own, private)
    # The same archive serves all readers, one after the other.
    for looker in LOOKERS:
        expected = {word for word, private in readable.items() if private.is_read_by(looker)}
        assert found_words(archive, looker, every_word) == expected
        decided = {f"d{number}" for number, own in enumerate(debates) if own.turns == 3 and own.is_read_by(looker)}
        assert {record.id for record in archive.index(looker).records} == decided
    host.close()


def test_no_text_is_found_while_a_workshop_is_sealed():
    events = whole_workshop().events
    n_sealed = 0
    for end in range(1, len(events) + 1):
        host = host_of(events[:end])
        [row] = host.debates()
        sealed = bool(why_withheld(read_account(host, row), imported=False))
        n_sealed += sealed
        found = Archive(host, None).find_texts("which")
        reasons = Archive(host, None).find_texts("early")
        assert (found, reasons) == ([], []) if sealed else reasons == [] or end == len(events), end
        host.close()
    assert 0 < n_sealed < len(events)


def test_growing_debate_is_found_by_its_newest_words():
    host = Host(MemoryStore(), HostOptions(worker="none"))
    rules = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(MaxRounds(),), decide=Threshold(votes=2))
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    debate = host.create(compose("Which queue?", ["Postgres", "Kafka"], rules, seats, max_rounds=1), by="ana")
    archive = Archive(host, None)
    assert archive.find_texts("zebra stripes") == []
    said = Argument(rationale="It is cheap. Its <zebra> has\n\nstripes, and more.", vote="Kafka")
    host.submit(debate, TakeTurn(by="ana", request="1.talk.ana.1", content=said))
    [found] = archive.find_texts("stripe ZEBRA")
    assert (found.source.id, found.source.is_over, found.text.kind, found.text.author) == (debate, False, "turn", "ana")
    assert found.quote() == ("It is cheap. Its <", "zebra", "> has\n\nstripes, and more.")
    assert archive.find_texts("zebra kafka") == []
    host.close()


def test_file_is_found_with_a_short_quote(tmp_path: Path):
    write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"])
    [found] = Archive(None, tmp_path).find_texts("memcached slow")
    assert (found.source.id, found.source.is_debate, found.text.kind) == ("0001-record.md", False, "document")
    before, word, _after = found.quote()
    assert (word, before[0], len(before) <= QUOTE_CHARS) == ("Memcached", "…", True)


def test_erased_name_is_gone_from_every_index_at_once():
    host = host_of(played(0, Private("", False, "hosts", turns=3, blind=False)).events)
    archive = Archive(host, None)
    [old] = archive.index().records
    assert archive.find_texts("Fay want")
    kept: list[weakref.ref[object]] = [
        weakref.ref(archive.index()),
        weakref.ref(archive.find_texts("want")[0].source.words),
    ]
    host.erase_name(old.id, Wish("Fay", "Op", "asked"))
    assert archive.find_texts("Fay want") == []
    [new] = archive.index().records
    assert new.id == host.stands_for(old.id) != old.id
    assert archive.find_texts("want")
    del old
    gc.collect()
    assert [ref() for ref in kept] == [None, None]
    host.close()
