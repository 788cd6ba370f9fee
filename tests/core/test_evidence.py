"""Quotes, markers, links and passages: what is found by code must be exact."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.engine.checkable_claims import has_marker, markers
from debate_core.engine.passages import index_of, passages_of, scores, terms
from debate_core.engine.quotes import PIECE_CHARS, check_quote, pieces, verify_quote
from debate_core.report.facts.claims import claim_rows, unknown_ids
from debate_core.seats.scripted import read_script, spec_of
from debate_core.spec.values import Source
from tests.playing import filled

ADRS = Path(__file__).resolve().parents[3] / "shared" / "data" / "adr"
SAID = (
    "We measured p95 at 480 ms under 1,200 requests per second, i.e. “twice” the load. The team should not adopt the "
    "new store before June. It costs $4,100/month (±5%), and [the vendor](https://example.org/x) is *not* certified."
)


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("We measured p95 at 480 ms under 1,200 requests per second", "verbatim"),
        ('p95 at 480\u00a0ms under 1200 Requests per second, i.e. "twice" the load', "verbatim"),
        ("The team should not adopt the new store", "verbatim"),
        ("It costs $4,100/month (±5%), and the vendor is not certified", "verbatim"),
        ("We measured p95 ... 480 ms under 1,200 requests per second", "verbatim"),
        ("the team should [...] adopt the new store before June", "altered"),
        ("We measured p95 at 480 ms … requests per second", "verbatim"),
        ("We measured p95 ... It costs $4,100/month", "near"),
        ("twice the load ... should not adopt the new store", "near"),
        ("The team should ... not certified", "near"),
        ("The team should not adopt new store before June", "near"),
        ("480 ms", "near"),
        ("p95 at 380 ms under 1,200 requests per second", "altered"),
        ("p95 at 480 s under 1,200 requests per second", "altered"),
        ("It costs €4,100/month (±5%), and the vendor", "altered"),
        ("It costs $4,100/month (5%), and the vendor", "altered"),
        ("The team should adopt the new store before June", "altered"),
        ("The team should ... adopt the new store before June", "altered"),
        ("We never measured p95 at 480 ms under 1,200 requests", "altered"),
        ("The database was moved to another region over a weekend", "not_found"),
        ("the … store … certified", "not_found"),
        ("…", "not_found"),
        ("", "not_found"),
    ],
)
def test_a_quote_is_compared_word_by_word(quote: str, verdict: str):
    assert verify_quote(SAID, quote) == verdict


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("The old queue … messages in May", "verbatim"),
        ("The old queue … Nobody noticed it", "near"),
        ("The queue lost nine messages in May", "near"),
        ("in May", "near"),
        ("The old queue lost two messages in May", "altered"),
        ("The new cache is slow under load", "not_found"),
    ],
)
def test_the_examples_that_explain_the_verdicts_are_true(quote: str, verdict: str):
    assert verify_quote("The old queue lost nine messages in May. Nobody noticed it.", quote) == verdict


TOLD = (
    "The cache is new. The team found that the cache is slow, and that the cache (which we did not size) is safe for "
    "reads. Nobody says that it is, after all the work of the last two years, not broken."
)


@pytest.mark.parametrize(
    ("quote", "verdict", "left_out"),
    [
        # The nearest place counts, not the first one.
        ("that the cache ... is safe for reads", "altered", ("which we did not size",)),
        ("the team found that ... cache is slow", "verbatim", ("the",)),
        ("is new … the cache is slow", "near", ("the team found that",)),
        ("Nobody says that it is ... broken", "near", ("after all the work of the last two years not",)),
        ("safe for reads", "verbatim", ()),
    ],
)
def test_what_an_ellipsis_leaves_out_is_shown_and_judged(quote: str, verdict: str, left_out: tuple[str, ...]):
    check = check_quote(TOLD, quote)
    assert (check.verdict, check.left_out) == (verdict, left_out)


BOUNDS = (
    "One to do. Abcdefgh ijk. Lmnopqr stu. Here it is 1 2 3 4 5 6 7 8 is the end. "
    "There it was 1 2 3 4 5 6 7 8 9 is the end."
)


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        # Three words, or twelve signs, are enough.
        ("one to do", "verbatim"),
        ("to do", "near"),
        ("abcdefgh ijk", "verbatim"),
        ("lmnopqr stu", "near"),
        # An ellipsis may leave out eight words of a sentence.
        ("here it is … is the end", "verbatim"),
        ("there it was … is the end", "near"),
    ],
)
def test_the_bounds_of_a_quote_are_as_they_are_told(quote: str, verdict: str):
    assert verify_quote(BOUNDS, quote) == verdict


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("", [0]),
        ("a" * PIECE_CHARS, [PIECE_CHARS]),
        ("a" * (PIECE_CHARS + 1), [PIECE_CHARS, 1]),
        ("a" * (PIECE_CHARS - 1) + " bcd", [PIECE_CHARS, 3]),
        ("a" * PIECE_CHARS + " bcd", [PIECE_CHARS, 4]),
        ("one two\n" + "a" * PIECE_CHARS, [8, PIECE_CHARS]),
    ],
)
def test_a_long_text_is_read_in_pieces_that_end_with_a_word(text: str, lengths: list[int]):
    assert [len(piece) for piece in pieces(text)] == lengths
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(("with_more_in_place", "verdict"), [(0, "near"), (2, "near"), (3, "not_found")])
def test_a_quote_is_compared_with_its_three_best_stretches(with_more_in_place: int, verdict: str):
    """Two words were left out of its middle, so that each half alone is in place: six words; others have seven."""
    quote = ALPHABET.split()[:12]
    source = [*range(6), *quote[:6], "very", "old", *quote[6:], *range(40)]
    for _ in range(with_more_in_place):
        source += [*quote[:7], *range(45)]
    assert verify_quote(" ".join(map(str, source)), " ".join(quote)) == verdict


ALPHABET = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec"


@pytest.mark.parametrize(
    ("kept", "left_out", "verdict"),
    [(6, 0, "verbatim"), (6, 2, "near"), (6, 3, "altered"), (12, 3, "near"), (12, 4, "altered"), (14, 4, "altered")],
)
def test_a_quote_with_few_omitted_words_is_near(kept: int, left_out: int, verdict: str):
    words, half = ALPHABET.split(), kept // 2
    quote = words[:half] + words[half + left_out : kept + left_out]
    assert verify_quote(ALPHABET, " ".join(quote)) == verdict


WORDS = st.lists(
    st.sampled_from(["the", "store", "holds", "all", "our", "orders", "and", "fails", "twice", "a", "year"]), min_size=6
)


@given(WORDS, st.integers(2, 9), st.sampled_from(["not", "never", "17", "-3", "$", "%", "without"]), st.data())
def test_an_inserted_number_or_negation_never_verifies(words: list[str], count: int, extra: str, data: st.DataObject):
    source = f"Before it we say {' '.join(words)} and stop."
    at = data.draw(st.integers(1, len(words) - 1))
    tampered = " ".join([*words[:at], extra, *words[at:]])
    assert verify_quote(source, " ".join(words)) == "verbatim"
    assert verify_quote(source, tampered) in ("altered", "not_found")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p95 of 4.2 s at 1,200 rps", ("p95", "4.2 s", "1,200 rps")),
        ("$300/month, €40k and 40% of it", ("$300/month", "€40k", "40%")),
        ("3 of 5 nodes, 2.5x, 12 GB, 3 weeks", ("3 of 5", "2.5x", "12 GB", "3 weeks")),
        ("paid in $/month", ("$/month",)),
        ("It held 9,000 writes a second, and a rollback takes four hours", ("9,000 writes a second", "four hours")),
        ("We pay 300 USD per month", ("300 USD per month",)),
        (
            "Two of three nodes failed, one in four requests is three times slower",
            ("Two of three", "one in four", "three times"),
        ),
        ("a dozen releases each week for 8 million users", ("a dozen releases each week", "8 million")),
        ("A load test measured it", ("load test", "measured")),
        ("One of us should decide in one go, for a hundred reasons, as in section 3 of 2008", ()),
        ("S3 and EC2 on db.r6g.4xlarge, 24/7, O(n^2), v1.2.3, since the 1990s, chapter 7", ()),
        ("", ()),
    ],
)
def test_markers_of_the_seed(text: str, found: tuple[str, ...]):  # R203, R204
    assert markers(text) == found
    assert has_marker(text) is bool(found)


MARKDOWN = """---
status: accepted
# not a heading of the text
---

# A heading that is long enough to be taken for a passage

A paragraph that goes on
over two lines, and is one passage of the source.

- The first item of a list, which is long enough to quote.
  It has a second line.
- #### A heading inside an item must not be quoted either
- short item

```python
raise ValueError("code is never a passage, whatever it says in its strings")
```

| column | another column of the table |
|--------|-----------------------------|
| 12 ms | what the row says about the second column |

A heading that is underlined and long enough to quote
=====================================================
"""


def test_passages_are_prose_only():
    source = Source(id="E1", title="t", text=MARKDOWN)
    assert [(p.id, p.text) for p in passages_of(source)] == [
        ("E1.p1", "A paragraph that goes on\nover two lines, and is one passage of the source."),
        ("E1.p2", "The first item of a list, which is long enough to quote.\n  It has a second line."),
    ]


@given(st.text(alphabet="ab .!?\n\r-#>`|é\u2028", max_size=2_000))
def test_a_passage_is_a_slice_of_its_source(text: str):
    for passage in passages_of(Source(id="E1", title="t", text=text)):
        assert text[passage.start : passage.end] == passage.text
        assert 40 <= len(passage.text) <= 600


@pytest.mark.skipif(not ADRS.is_dir(), reason="no shared decision records beside the checkout")
def test_passages_of_real_records_are_slices_and_verify():
    files = sorted(ADRS.glob("*.md"))
    assert files
    for path in files:
        source = Source(id="E1", title=path.name, text=path.read_bytes().decode("utf-8-sig"))
        passages = passages_of(source)
        assert bool(passages) is ("short-template" not in path.name), path.name
        for passage in passages:
            assert source.text[passage.start : passage.end] == passage.text
            assert verify_quote(source.text, passage.text) == "verbatim", (path.name, passage)


def test_ranking_finds_the_subject_and_prefers_checkable_text():
    text = (
        "The office moved to another street in the last summer.\n\n"
        "The cost of the licence is a matter of taste and talk.\n\n"
        "The cost of the licence is 300 $/month for the team."
    )
    passages = passages_of(Source(id="E1", title="t", text=text))
    index = index_of(passages)
    office, talk, price = scores(index, dict.fromkeys(terms("costs, licences"), 1.0))
    assert price > talk > office
    assert scores(index, {"unheard": 1.0}) == (0, 0, 0)


def test_word_forms_meet():
    assert len(set(terms("deprecate deprecated deprecation deprecations"))) == 1
    assert len(set(terms("version versions versioning"))) == 1


SCRIPT = """{"question": "Which way?", "options": ["a", "b"], "protocol": "bounded_vote",
 "settings": {"rounds": 1, "threshold": 2},
 "seats": [{"id": "x", "stance": "for a"}, {"id": "y"}],
 "sources": [{"id": "E1", "title": "t", "text": "It took 31 hours to restore the table."}],
 "turns": [
  {"seat": "x", "phase": "proposal", "content": {"rationale": "r", "vote": "a", "claims": [
     {"text": "The restore is slow.", "source_id": "E1", "quote": "It took 31 hours to restore the table."},
     {"text": "It is slow", "source_id": "E9", "quote": "31 hours"}, "A bare claim, 40% sure."]}},
  {"seat": "y", "phase": "proposal", "content": {"rationale": "r", "vote": "b", "claims": ["the restore is slow"]}},
  {"seat": "y", "phase": "critique", "content": {"rationale": "r", "vote": "b", "concedes": ["x.1.1", "no.1.1"],
     "claims": [{"text": "Not so sure.", "answers": ["x.1.3", "y.1.1"]}]}},
  {"seat": "y", "phase": "revision", "content": {"rationale": "r", "vote": "b", "answers": ["x.1.1"]}},
  {"content": {"rationale": "r", "vote": "abstain"}, "repeat": true}]}"""


def test_the_evidence_table_has_one_row_per_claim():  # R195, R203
    script = read_script(SCRIPT)
    state = asyncio.run(filled(spec_of(script), script)).state
    rows = claim_rows(state)
    assert [
        (r.claim_id, r.turn_id, r.stance, r.quote_verified, r.status, r.attacked_by, r.conceded_by, r.duplicate_of)
        for r in rows
    ] == [
        ("x.1.1", "1.proposal.x.1", "for a", "verbatim", "established", ("1.revision.y.1",), ("1.critique.y.1",), ""),
        ("x.1.2", "1.proposal.x.1", "for a", "no_source", "unanswered", (), (), ""),
        ("x.1.3", "1.proposal.x.1", "for a", "no_source", "contested", ("y.1.2",), (), ""),
        ("y.1.1", "1.proposal.y.1", "", "no_source", "established", (), (), "x.1.1"),
        ("y.1.2", "1.critique.y.1", "", "no_source", "unanswered", (), (), ""),
    ]
    assert [(r.has_evidence_marker, r.marker_matches, r.evidence_type) for r in rows[:3]] == [
        (True, ("31 hours",), "quote"),
        (False, (), "quote"),  # R263: there is no such source
        (True, ("40%",), "statistic"),
    ]
    assert [(u.where, u.kind, u.id) for u in unknown_ids(state)] == [
        ("1.critique.y.1", "claim", "no.1.1"),
        ("x.1.2", "source", "E9"),
    ]
