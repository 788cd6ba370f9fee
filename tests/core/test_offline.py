"""The evidence panel quotes, finds nothing it has not got, and votes only as people marked."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.engine import requests
from debate_core.engine.quotes import verify_quote
from debate_core.engine.seat_view import view
from debate_core.record.commands import AnyCommand, SetMark, TakeTurn
from debate_core.record.state import State
from debate_core.seats import fillers_for
from debate_core.seats.code_synthesis import draft_synthesis
from debate_core.seats.offline import NOTHING_TO_QUOTE, PASSES, lens_of, next_votes
from debate_core.spec.contents import ARGUMENT_KINDS, Argument, Gives, Mark, Synthesis
from debate_core.spec.presets import PERSONAS, compose, default_seats, protocol, synthesiser
from debate_core.spec.protocol import Spec
from debate_core.spec.protocol_changes import with_synthesis_each_round
from debate_core.spec.values import ABSTAIN, Seat, Source, Usage
from tests.playing import Played, filled

ADRS = Path(__file__).resolve().parents[3] / "shared" / "data" / "adr"
QUESTION = "Should we adopt the new store?"
NOTE = Source(
    id="E1",
    title="A note on the store",
    text=(
        "The cost of the store is $300/month, paid from the budget of the platform team.\n\n"
        "An outage of the store stops every order until somebody restores it by hand.\n\n"
        "The licence costs nothing for the first year, and the price after it is unknown.\n\n"
        "A rollback to the old store takes two days and has been tried once."
    ),
)
SEATS = (
    Seat(id="cost_analyst", occupant="offline"),
    Seat(id="risk_manager", occupant="offline", persona="Outage, rollback, compliance."),
)


def spec_with(*sources: Source, seats: tuple[Seat, ...] = SEATS, name: str = "expert_panel", rounds: int = 2) -> Spec:
    return compose(QUESTION, ["adopt", "defer"], protocol(name), seats, sources=sources, max_rounds=rounds)


def turns(state: State) -> list[Argument]:
    return [t.content for t in state.all_turns() if isinstance(t.content, Argument)]


def test_each_lens_quotes_its_passages_and_names_its_gaps():
    state = asyncio.run(filled(spec_with(NOTE))).state
    cost, risk = turns(state)[:2]
    assert [c.quote for c in risk.claims] == [
        "A rollback to the old store takes two days and has been tried once.",
        "An outage of the store stops every order until somebody restores it by hand.",
    ]
    assert {(c.quote or "").split()[1] for c in cost.claims} == {"cost", "licence"}
    assert risk.rationale.splitlines() == [
        "No model speaks here: this seat only quotes passages of the sources, and argues nothing.",
        "It quotes 2 passages from A note on the store.",
        "It abstains until people have marked its passages.",
    ]
    assert turns(state)[3].rationale.splitlines()[1] == "No passage is left for it: each is quoted once."
    assert all(t.usage == Usage(calls=0, cost_usd="0") for t in state.turns)


def test_unmarked_passages_decide_nothing():  # consensus is never claimed from unmarked passages
    state = asyncio.run(filled(spec_with(NOTE, seats=(*SEATS, synthesiser("offline"))))).state
    assert {t.vote for t in turns(state)} == {ABSTAIN}
    assert {t.confidence for t in turns(state)} == {None}
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decision, state.outcome.tally.cast) == ("undecided", "escalate", 0)


def test_without_a_source_it_says_so():
    state = asyncio.run(filled(spec_with())).state
    assert turns(state)[0].claims == ()
    assert turns(state)[0].rationale.splitlines()[1:] == [
        "There is no source to quote from.",
        "It has no passages, so it abstains.",
    ]


def test_panel_quotes_passage_that_fits_no_lens():
    other = Source(id="E1", title="t", text="The gardeners water the lawn in front of the house every morning.")
    state = asyncio.run(filled(spec_with(other))).state
    assert [[c.quote for c in t.claims] for t in turns(state)] == [[other.text], [], [], []]


def test_panel_texts_hold_no_word_of_the_lens():
    """A blind judge would know the seat by what it looked for, and "640 EUR" is a price without the word."""
    text = "A month of the managed store comes to 640 EUR for the whole team."
    state = asyncio.run(filled(spec_with(Source(id="E1", title="t", text=text)))).state
    for seat in SEATS:
        said = " ".join(turn.rationale for turn in turns(state)).casefold()
        lens = {word for word in lens_of(seat).casefold().replace(",", " ").replace(".", " ").split() if len(word) > 3}
        assert lens.isdisjoint(said.replace(".", " ").split())


def test_a_source_without_prose_is_said_to_have_none():
    code = Source(id="E1", title="t", text="```\nThe words in a block of code are not a sentence of anybody.\n```\n")
    state = asyncio.run(filled(spec_with(code))).state
    assert [t.claims for t in turns(state)] == [(), (), (), ()]
    assert turns(state)[0].rationale.splitlines()[1] == NOTHING_TO_QUOTE


RECORD = """# 12. Move the orders to the new store

* Status: proposed
* Deciders: Ann, Bob

<!-- This is an optional element of the template, and nobody should ever read it in a debate. -->

## Context

The orders live in a database that nobody has had time to look after since 2021.

See [the minutes of the meeting about orders and stores](https://example.org/minutes).

| store | what one order costs in it |
|-------|----------------------------|
| old   | the cost of one order in the old store is four cents |

## Options

### Adopt the new store

The new store answers a query for one order in 12 ms, three times as fast as today.

It makes the team depend on one vendor, and nobody has yet tried to move away from it.

### Defer to next year

To defer saves 300 $/month for now, and the old disks are full in ten months.

An outage of the old disks would then stop every order for a day, as it did in March.

```bash
echo "The script that moves all orders to the new store must never be quoted"
```

## Consequences

Whoever is on call has to learn how the new store is restored before the first order is in it.

The colours of the office are a matter for another record and another meeting.

## Links

- The minutes of the meeting say which orders were looked at, and who was there that day.
"""
"""Of our own, as messy as real ones are: 8 passages."""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_passage_appears_once_for_any_line_ending(end: str):
    text = RECORD.replace("\n", end)
    seats = (*SEATS, Seat(id="delivery_lead", occupant="offline"))
    opened = asyncio.run(filled(spec_with(Source(id="E1", title="t", text=text), seats=seats, rounds=1))).state
    quotes = [claim.quote or "" for turn in turns(opened) for claim in turn.claims]
    assert sorted(quote.split()[0] for quote in quotes) == ["An", "It", "The", "The", "The", "To", "Whoever"]
    assert [len(turn.claims) for turn in turns(opened)] == [3, 2, 2]
    assert all(verify_quote(text, quote) == "verbatim" for quote in quotes)
    assert turns(opened)[0].rationale.splitlines()[1] == (
        "It quotes 3 passages from t, under “Options / Defer to next year” and “Consequences”."
    )


def test_the_question_orders_passages_and_the_lens_assigns_them():
    filling = [f"Chapter {n} tells of gardens, trees and rivers far from here." for n in range(9)]
    text = "\n\n".join([*filling, "The cost of paint was told us.", "What we know of the store: one team keeps it."])
    cost, risk = turns(asyncio.run(filled(spec_with(Source(id="E1", title="t", text=text)))).state)[:2]
    assert (cost.claims[0].quote or "").startswith("What we know of the store")
    assert (risk.claims[0].quote or "").startswith("Chapter")


def test_a_late_document_is_quoted_next_and_moves_nothing():
    late = Source(id="E2", title="u", text="An audit of the new store found that its licence ends.", from_round=2)
    state = asyncio.run(filled(spec_with(Source(id="E1", title="t", text=RECORD), late))).state
    first, later = [t.claims for t in turns(state)[:2]], [t.claims for t in turns(state)[2:]]
    assert [len(claims) for claims in first] == [4, 3]
    assert [claim.source_id for claims in later for claim in claims] == ["E2"]


def answer(state: State, seat: str) -> AnyCommand:
    request = next(r for r in requests(state) if r.seat == seat)
    filler = fillers_for(state, script=None, pace_cps=0)[seat]
    return asyncio.run(filler(request, view(state, request), lambda *_: None))


def after_openings(*marks: Mark) -> State:
    return marked(spec_with(NOTE), *marks).state


def marked(spec: Spec, *marks: Mark) -> Played:
    """The openings, and the marks on their claims."""
    played = Played(spec)
    for seat in SEATS:
        played.do(answer(played.state, seat.id))
    for mark in marks:
        played.do(SetMark(by="ada", mark=mark))
    return played


FIRST, SECOND = "risk_manager.1.1", "risk_manager.1.2"


@pytest.mark.parametrize(
    ("marks", "vote", "why"),
    [
        ((), ABSTAIN, "It abstains until people have marked its passages."),
        (
            (Mark(claim_id="cost_analyst.1.1", reading="supports", option="adopt"),),
            ABSTAIN,
            "It abstains until people have marked its passages.",
        ),
        (
            (Mark(claim_id=FIRST, reading="supports", option="adopt"),),
            "adopt",
            "It votes adopt by people's marks on its passages (adopt: 1 for, 0 against).",
        ),
        (
            (
                Mark(claim_id=FIRST, reading="supports", option="adopt"),
                Mark(claim_id=SECOND, reading="against", option="adopt"),
            ),
            ABSTAIN,
            "It abstains: people's marks favour no option (adopt: 1 for, 1 against).",
        ),
        (
            (
                Mark(claim_id=FIRST, reading="supports", option="adopt"),
                Mark(claim_id=SECOND, reading="supports", option="defer"),
            ),
            ABSTAIN,
            "It abstains: people's marks are level (adopt: 1 for, 0 against; defer: 1 for, 0 against).",
        ),
        (
            (Mark(claim_id=FIRST, reading="against", option="adopt"),),
            ABSTAIN,
            "It abstains: people's marks favour no option (adopt: 0 for, 1 against).",
        ),
        (
            (Mark(claim_id=FIRST, reading="neutral"), Mark(claim_id=SECOND, reading="neutral")),
            ABSTAIN,
            "It abstains: people's marks favour no option (all neutral).",
        ),
    ],
)
def test_it_votes_only_by_the_marks_on_its_own_passages(marks: tuple[Mark, ...], vote: str, why: str):
    command = answer(after_openings(*marks), "risk_manager")
    assert isinstance(command, TakeTurn)
    assert isinstance(command.content, Argument)
    assert (command.content.vote, command.content.rationale.splitlines()[-1]) == (vote, why)


def test_no_passage_is_quoted_twice():
    text = "\n\n".join(f"The cost of part {n} is {n}00 $/month, paid by the team that owns it." for n in range(1, 12))
    spec = spec_with(Source(id="E1", title="t", text=text), name="bounded_vote")
    state = asyncio.run(filled(spec)).state
    quotes = [c.quote for t in turns(state) for c in t.claims]
    assert len(quotes) == len(set(quotes)) == 11
    assert [len(t.claims) for t in turns(state)[:4]] == [4, 4, 2, 1]


def test_a_deliberation_of_the_panel_asks_for_no_vote():
    seats = (*SEATS, synthesiser("offline"))
    state = asyncio.run(filled(spec_with(NOTE, seats=seats, name="deliberation", rounds=3))).state
    assert {t.vote for t in turns(state)} == {None}
    assert not any("abstains" in t.rationale for t in turns(state))
    assert state.outcome is not None
    assert (state.outcome.status, state.outcome.decided_by) == ("undecided", None)


def test_draft_of_one_claim_counts_in_the_singular():
    played = marked(spec_with(NOTE, seats=(*SEATS, synthesiser("offline"))))
    while (asked := played.requests()) and asked[0].seat != "synthesiser":
        played.do(answer(played.state, asked[0].seat))
    seen = view(played.state, asked[0])
    alone = replace(seen, claims=dict([*seen.claims.items()][:1]))
    assert "1 claim by 1 seat, 1 with a quote" in draft_synthesis(alone).answer


def test_the_draft_only_links_claims_that_were_made():  # R194, R210
    marks = (
        Mark(claim_id=FIRST, reading="supports", option="defer"),
        Mark(claim_id="cost_analyst.1.1", reading="supports", option="adopt"),
    )
    played = marked(spec_with(NOTE, seats=(*SEATS, synthesiser("offline"))), *marks)
    while asked := played.requests():
        played.do(answer(played.state, asked[0].seat))
    draft = played.state.turns[-1].content
    assert isinstance(draft, Synthesis)
    assert draft.option is None
    assert draft.answer == (
        "Automatic draft, no recommendation: it only links claims. 4 claims by 2 seats, 4 with a quote, 2 marked by "
        "people. Points: 0 established, 0 contested, 4 open."
    )
    assert [(s.option, s.links) for s in draft.strongest] == [("adopt", ("cost_analyst.1.1",)), ("defer", (FIRST,))]


def test_the_automatic_synthesis_ends_rounds_without_new_claims():
    rules = with_synthesis_each_round(protocol("deliberation"), 1)
    seats = (*SEATS, synthesiser("offline"))
    spec = compose(QUESTION, ["adopt", "defer"], rules, seats, sources=[NOTE], max_rounds=6)
    state = asyncio.run(filled(spec)).state
    advice = [t.content.recommend_another_round for t in state.turns if isinstance(t.content, Synthesis)]
    assert advice == [True, False, None]
    assert state.outcome is not None
    assert "synthesiser_done" in state.outcome.fired


def test_it_gives_nothing_but_quotes_and_the_draft():
    seats = (Seat(id="chair", role="chair", occupant="offline"), *SEATS)
    state = asyncio.run(filled(spec_with(NOTE, seats=seats))).state
    skipped = [(t.seat, t.message) for t in state.turns if t.status == "skipped"]
    assert skipped == [("chair", PASSES["review"])]


def test_what_code_cannot_say_it_passes_over_in_words_of_its_own():
    given = {*ARGUMENT_KINDS, "synthesis"}
    assert set(PASSES) == set(get_args(Gives)) - given
    assert len(set(PASSES.values())) == len(PASSES)


PROSE = st.lists(
    st.sampled_from(["cost", "risk", "outage", "team", "$300/month", "…", "the", "a.", "\n\n", "- ", "`code`", "\r\n"])
)


@given(PROSE)
def test_every_quote_is_one_slice_of_its_source(words: list[str]):
    source = Source(id="E1", title="t", text=" ".join(words))
    state = asyncio.run(filled(spec_with(source))).state
    assert all(c.quote is not None and c.quote in source.text for c in state.claims.values())


@pytest.mark.skipif(not ADRS.is_dir(), reason="no shared decision records beside the checkout")
def test_quotes_of_real_documents_are_slices_and_repeatable():
    for path in sorted(ADRS.glob("00[01]*.md")):
        source = Source(id="E1", title=path.name, text=path.read_bytes().decode("utf-8-sig"))
        rules, options = protocol("expert_panel"), ["adopt", "defer", "reject"]
        spec = compose(
            path.stem, options, rules, default_seats(rules, path.stem, options, "offline", 4), sources=[source]
        )
        whole = asyncio.run(filled(spec))
        events, state = whole.events, whole.state
        quotes = [c.quote or "" for c in state.claims.values()]
        assert len(set(quotes)) == len(quotes) >= (6 if path.stat().st_size >= 3_000 else 1), path.name
        assert all(quote and quote in source.text for quote in quotes)
        assert asyncio.run(filled(spec)).events == events


def test_every_persona_has_a_lens():
    words = " ".join(lens for _, lens in PERSONAS.values())
    source = Source(id="E1", title="t", text=f"Here is one sentence with every word: {words[:500]}")
    seats = tuple(Seat(id=name, occupant="offline") for name in PERSONAS)
    state = asyncio.run(filled(spec_with(source, seats=seats, rounds=1))).state
    assert [t.seat for t in state.turns] == list(PERSONAS)


MARKED = st.lists(
    st.tuples(
        st.sampled_from(["cost_analyst.1.1", "cost_analyst.1.2", FIRST, SECOND]),
        st.sampled_from(["supports", "against", "neutral"]),
        st.sampled_from(["adopt", "defer"]),
    ),
    max_size=6,
)


@given(MARKED)
def test_next_votes_are_what_the_seats_vote_next(given_marks: list[tuple[str, str, str]]):
    """The forecast for a chair who marks nothing equals the votes of the seats."""
    marks = [
        Mark.model_validate({"claim_id": i, "reading": r, "option": None if r == "neutral" else o})
        for i, r, o in given_marks
    ]
    state = after_openings(*marks)
    foretold = next_votes(state)
    said = [answer(state, seat.id) for seat in SEATS]
    cast = {c.by: c.content.vote for c in said if isinstance(c, TakeTurn) and isinstance(c.content, Argument)}
    assert cast == foretold


def test_next_votes_are_none_without_a_ballot_to_come():
    seats = (*SEATS, synthesiser("offline"))
    assert next_votes(Played(spec_with(NOTE, seats=seats, name="deliberation")).state) == {}
