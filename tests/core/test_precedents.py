"""Earlier decisions: the search against a plain count of BM25, links, contradictions, and 1,000 records."""

import math
import random
import time
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.passages import terms
from debate_core.engine.rights import HOST
from debate_core.errors import InvalidSpec
from debate_core.host.access.reading import OPERATOR, STRANGER
from debate_core.host.host import Host, HostOptions
from debate_core.host.precedents.archive import Archive, folder_records
from debate_core.host.precedents.index import DecidedRecord, RecordIndex, contradictions, threads
from debate_core.host.precedents.word_index import LEAST_TEXTS, MIN_SHARE, WordIndex, best_places
from debate_core.host.stores.memory import MemoryStore
from debate_core.record.acts import Assumption, AssumptionBroken, OutcomeRecorded, Signed
from debate_core.record.commands import Act, TakeTurn
from debate_core.spec.contents import Argument
from debate_core.spec.presets import compose
from debate_core.spec.protocol import Phase, Protocol
from debate_core.spec.rules import MaxRounds, Threshold
from debate_core.spec.tripwires import read_check
from debate_core.spec.values import Seat

REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "adr"
WORDS = ("kafka", "redis", "queue", "ledger", "ship")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)


def plain_search(texts_of: list[str], query: str) -> list[int]:
    """BM25 of every text, without an index."""
    bags = [Counter(terms(text)) for text in texts_of]
    mean = sum(bag.total() for bag in bags) / len(bags)
    asked = dict.fromkeys(terms(query))
    n_with = {term: sum(term in bag for bag in bags) for term in asked}
    rarity = {term: math.log(1 + (max(LEAST_TEXTS, len(bags)) - n + 0.5) / (n + 0.5)) for term, n in n_with.items()}
    scored = []
    for place, bag in enumerate(bags):
        saturation = 1.5 * (0.25 + 0.75 * bag.total() / mean)
        score = sum(rarity[term] * bag[term] * 2.5 / (bag[term] + saturation) for term in asked)
        share = sum(rarity[term] for term in asked if bag[term])
        if score > 0 and share >= MIN_SHARE * sum(rarity.values()):
            scored.append((-round(score, 9), place))
    return [place for _score, place in sorted(scored)]


@given(st.lists(texts, min_size=1, max_size=6), texts)
def test_search_equals_a_plain_count_of_bm25(texts_of: list[str], query: str):
    records = [DecidedRecord(str(n), "", "in_force", text=text) for n, text in enumerate(texts_of)]
    found = [int(record.id) for record in RecordIndex(records).find(query, most=10)]
    assert found == plain_search(texts_of, query)
    # The same with an index for each text.
    parts = [WordIndex([Counter(terms(text))]) for text in texts_of]
    assert [place.part for place in best_places(parts, query)] == found


links_of = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=9)


@given(st.permutations(range(8)), links_of)
def test_thread_has_all_linked_records_newer_first(order: list[int], links: list[tuple[int, int]]):
    """Links go from a larger number to a smaller one, as in time."""
    pairs = {(str(max(pair)), str(min(pair))) for pair in links if pair[0] != pair[1]}
    newer, older = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for new, old in pairs:
        newer[old].append(new)
        older[new].append(old)
    names = [str(number) for number in order]
    records = [DecidedRecord(n, "", "in_force", replaces=(*older[n],), replaced_by=(*newer[n],)) for n in names]
    found = [[record.id for record in thread] for thread in threads(records)]
    assert sorted(name for thread in found for name in thread) == sorted(names)
    place = {name: (number, at) for number, thread in enumerate(found) for at, name in enumerate(thread)}
    for new, old in pairs:
        assert place[new][0] == place[old][0]
        assert place[new][1] < place[old][1]
    # No smaller threads: each is held together by links.
    assert len(found) == 8 - n_joined(pairs)


def n_joined(pairs: set[tuple[str, str]]) -> int:
    """The number of times that a link joins two groups."""
    group: dict[str, str] = {}

    def top(name: str) -> str:
        return top(group[name]) if name in group else name

    joined = 0
    for new, old in pairs:
        if top(new) != top(old):
            group[top(new)] = top(old)
            joined += 1
    return joined


def test_circle_of_superseding_ends():
    one = DecidedRecord("1", "", "superseded", replaces=("2",), replaced_by=("2",))
    two = DecidedRecord("2", "", "superseded", replaces=("1", "gone"), replaced_by=("1",))
    assert list(threads([two, one])) == [[two, one]]


# --- generated folders

_SYSTEMS = (
    "orders",
    "invoices",
    "search",
    "billing",
    "catalogue",
    "shipping",
    "payroll",
    "tickets",
    "reports",
    "carts",
)
_PARTS = ("message queue", "cache", "database", "log format", "deployment", "login", "monitoring", "build tool")
_TOOLS = ("Kestrel", "Osprey", "Merlin", "Harrier", "Condor", "Falcon")
_ASKS = ("Which {part} does {system} use?", "How do we run the {part} of {system}?", "Choose the {part} for {system}")
_FILLER = "The team compared cost, risk, effort and time of every option with the services that run today."


def write(
    folder: Path, number: int, title: str, options: list[str], *, status: str = "accepted", note: str = ""
) -> str:
    name = f"{number:04}-record.md"
    listed = "\n".join(f"* {option}" for option in options)
    against = "\n\n".join(f"### {option}\n\n* Bad, because {option} is slow" for option in options[1:])
    text = f"""# {title}

* Status: {status}
* Date: 2026-01-{1 + number % 28:02}

{note}

## Context

{_FILLER}

## Considered Options

{listed}

## Decision Outcome

Chosen option: "{options[0]}", because it fits.

## Pros and Cons of the Options

{against}
"""
    (folder / name).write_text(text, "utf-8")
    return name


def planted(folder: Path, seed: int, n: int) -> tuple[dict[str, str], set[frozenset[str]]]:
    """Write `n` records on random questions; returns the superseding links and the planted contradictions."""
    chance = random.Random(seed)
    topics = [(system, part, f"zone{zone}") for system in _SYSTEMS for part in _PARTS for zone in range(n // 60)]
    chance.shuffle(topics)
    links, pairs = dict[str, str](), set[frozenset[str]]()
    number = 1
    for system, part, zone in topics:
        if number + 1 > n:
            break
        tools = chance.sample(_TOOLS, 3)
        asked = [ask.format(part=part, system=f"{system} in {zone}") for ask in chance.sample(_ASKS, 2)]
        kind = chance.choice(("alone", "superseded", "contradiction"))
        if kind == "superseded":
            new = f"{number + 1:04}-record.md"
            old = write(folder, number, asked[0], tools, status=f"superseded by [{number + 1:04}]({new})")
            links[write(folder, number + 1, asked[1], [tools[1], tools[0]])] = old
        else:
            first = write(folder, number, asked[0], tools)
            if kind == "contradiction":
                second = write(folder, number + 1, asked[1], [tools[1], tools[0]])
                pairs.add(frozenset((first, second)))
        number += 1 if kind == "alone" else 2
    return links, pairs


@pytest.mark.slow
def test_thousand_records_meet_the_bars(tmp_path: Path):
    links, pairs = planted(tmp_path, seed=7, n=1000)
    records = folder_records(tmp_path)
    assert len(records) >= 990
    index = RecordIndex(records)
    began_s = time.process_time()
    RecordIndex(records).find("none")
    built_s = time.process_time() - began_s
    assert len(index.timeline) == len(list(threads(index.timeline))) + len(links)
    began_s = time.process_time()
    found = index.find("Which message queue does billing use in zone3?", most=3)
    assert time.process_time() - began_s <= built_s
    assert len(found) == 3
    by_id = {record.id: record for record in records}
    assert {new: by_id[new].replaces for new in links} == {new: (old,) for new, old in links.items()}
    hits = 0
    for new, old in links.items():
        others = [record.id for record in index.find(by_id[new].question, most=6) if record.id != new]
        hits += old in others[:5]
    told = {frozenset((pair.first.id, pair.second.id)) for pair in contradictions(records)}
    print(f"{len(links)} links, {hits} in the first five; {len(told & pairs)} of {len(told)} contradictions true")
    assert hits >= 0.9 * len(links) > 0
    assert len(told & pairs) >= 0.8 * len(told) > 0
    assert len(told & pairs) >= 0.8 * len(pairs)


def test_rejected_options_have_their_reasons(tmp_path: Path):
    write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"])
    [record] = folder_records(tmp_path)
    assert (record.chosen, record.status) == ("Redis", "in_force")
    assert [(option.option, option.why) for option in record.rejected] == [("Memcached", ("Memcached is slow",))]


@pytest.mark.parametrize(
    ("note", "old_status"),
    [
        ("Supersedes [ADR 1](0001-record.md)", "superseded"),
        ("Supersedes: 1", "superseded"),
        ("Ersetzt ADR-0001", "superseded"),
        ("Supersedes 1 and 7", "superseded"),
        ("Supersedes [1](0001-record.md)", "superseded"),
        ("Supersedes parts of [ADR 1](0001-record.md)", "in_force"),
    ],
)
def test_link_in_the_newer_record_is_found_in_both(tmp_path: Path, note: str, old_status: str):
    old = write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"])
    new = write(tmp_path, 2, "Which cache do we use?", ["Memcached", "Redis"], note=note)
    first, second = folder_records(tmp_path)
    assert (first.status, first.replaced_by, second.replaces) == (old_status, (new,), (old,))
    assert [*contradictions((first, second))] == []


@pytest.mark.parametrize("note", ["It replaces 1 server.", "It replaced 1.5 GB of memory.", "Replaced by 1% of users"])
def test_number_of_things_is_no_link(tmp_path: Path, note: str):
    write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"])
    write(tmp_path, 2, "How do we log?", ["JSON", "Text"], note=note)
    assert [record.status for record in folder_records(tmp_path)] == ["in_force", "in_force"]


def test_link_to_a_missing_record_and_a_binary_file_are_left_out(tmp_path: Path):
    write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"], note="Supersedes ADR 77")
    (tmp_path / "0002-broken.md").write_bytes(b"\x00\xff\x00")
    [record] = folder_records(tmp_path)
    assert record.replaces == ()


def test_missing_folder_is_refused(tmp_path: Path):
    with pytest.raises(InvalidSpec, match="is no folder"):
        folder_records(tmp_path / "none")


@pytest.mark.skipif(not REAL.is_dir(), reason="the real decision records are not beside the checkout")
def test_real_records_are_read_and_do_not_contradict():
    records = folder_records(REAL)
    assert len(records) >= 20
    assert [*contradictions(records)] == []
    index = RecordIndex(records)
    found = [index.find(record.question, most=5) for record in records]
    first = sum(bool(five) and five[0] is record for record, five in zip(records, found, strict=True))
    assert first >= 0.9 * len(records)


RULES = Protocol(name="own", each_round=(Phase(name="talk"),), stop=(MaxRounds(),), decide=Threshold(votes=2))


def test_debate_is_found_once_decided_by_those_who_may_read_it(tmp_path: Path):
    write(tmp_path, 1, "Which cache do we use?", ["Redis", "Memcached"])
    host = Host(MemoryStore(), HostOptions(worker="none"))
    archive = Archive(host, tmp_path)
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose("Where does the queue live?", ["Postgres", "Kafka"], RULES, seats, max_rounds=1)
    debate = host.create(spec, by="ana")
    assert archive.index().find("queue") == ()
    for seat in ("ana", "ben"):
        said = Argument(rationale="Zebra stripes", vote="Kafka")
        host.submit(debate, TakeTurn(by=seat, request=f"1.talk.{seat}.1", content=said))
    [found] = archive.index(OPERATOR).find("queue")
    assert (found.id, found.chosen, found.votes) == (debate, "Kafka", "2")
    assert [(option.option, option.votes) for option in found.rejected] == [("Postgres", "0")]
    assert [record.id for record in archive.index(STRANGER).records] == ["0001-record.md"]
    host.close()


def decided_again(host: Host, question: str, *, parent: str | None = None) -> str:
    seats = [Seat(id=name, occupant="human") for name in ("ana", "ben")]
    spec = compose(question, ["Postgres", "Kafka"], RULES, seats, max_rounds=1, parent=parent)
    debate = host.create(spec, by="ana")
    for seat in ("ana", "ben"):
        said = Argument(rationale="why", vote="Kafka")
        host.submit(debate, TakeTurn(by=seat, request=f"1.talk.{seat}.1", content=said))
    return debate


def test_debate_set_up_from_a_decision_supersedes_it():
    host = Host(MemoryStore(), HostOptions(worker="none"))
    old = decided_again(host, "Where does the queue live?")
    other = decided_again(host, "Which log format?", parent=old)
    records = {record.id: record for record in Archive(host, None).index().records}
    assert (records[old].status, records[old].replaced_by, records[other].replaces) == ("in_force", (), ())
    new = decided_again(host, "Where does the queue live?", parent=old)
    records = {record.id: record for record in Archive(host, None).index().records}
    assert (records[old].status, records[old].replaced_by) == ("superseded", (new,))
    assert (records[new].status, records[new].replaces) == ("in_force", (old,))
    host.close()


def test_debate_has_the_state_of_its_decision():
    host = Host(MemoryStore(), HostOptions(worker="none"))
    archive = Archive(host, None)
    debate = decided_again(host, "Where does the queue live?")
    assumption = Assumption(text="Kafka stays cheap", check=read_check("date 2026-01-01"))
    host.submit(debate, Act(by="ana", act=Signed(verdict="accept", option="Kafka", assumptions=(assumption,))))
    assert [record.status for record in archive.index().records] == ["in_force"]
    broken = AssumptionBroken(signature=host.events(debate)[-1].seq, assumption=1, reason="the day has come")
    host.submit(debate, Act(by=HOST, act=broken))
    assert [record.status for record in archive.index().records] == ["challenged"]
    host.submit(debate, Act(by="ana", act=OutcomeRecorded(result="reversed", reason="too slow")))
    assert [(record.status, record.outcome) for record in archive.index().records] == [("withdrawn", "reversed")]
    host.close()
