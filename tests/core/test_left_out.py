"""Optional parts of a reply never cost a turn or its vote; required ones are never guessed."""

import json

import pytest

from debate_core.engine.reply_parser import read_turn
from debate_core.errors import BadReply
from debate_core.record.commands import TakeTurn
from debate_core.record.events import dump_record, parse_record
from debate_core.record.fold import replay
from debate_core.report.facts.account import account
from debate_core.report.files.export import csv_files, debate_json
from debate_core.report.phrases.turns import left_out_words
from debate_core.seats.reply import read_reply
from debate_core.spec.contents import Argument, Claim, Content, Evaluation, Gives, Linked, Synthesis, Verdict
from debate_core.spec.rules import Elected
from tests.by_hand import preset_spec
from tests.holding import Said, hold, script, turn
from tests.playing import Played
from tests.prompt_views import spec_of

VOTED = '"rationale": "It pays.", "vote": "a"'
LONG = "It is cheap, and so on. " * 100
PLAIN = Argument(rationale="It pays.", vote="a")


def claims(*given: Claim) -> Argument:
    return PLAIN.model_copy(update={"claims": given})


Parts = dict[str, object]

HARMLESS: list[tuple[str, Argument, Parts]] = [
    ('"confidence": "0.8"', PLAIN.model_copy(update={"confidence": 80}), {}),
    ('"confidence": "80"', PLAIN.model_copy(update={"confidence": 80}), {}),
    ('"confidence": "80%"', PLAIN.model_copy(update={"confidence": 80}), {}),
    ('"confidence": "80 of 100"', PLAIN.model_copy(update={"confidence": 80}), {}),
    ('"confidence": "high"', PLAIN, {"confidence": "high"}),
    ('"confidence": true', PLAIN, {"confidence": True}),
    ('"confidence": {"value": 0.8}', PLAIN, {"confidence": {"value": 0.8}}),
    ('"confidence": 70, "confidence": 80', PLAIN, {"confidence": {"named twice": [70, 80]}}),
    ('"strength": "8/10"', PLAIN.model_copy(update={"strength": 8}), {}),
    ('"strength": "strong"', PLAIN, {"strength": "strong"}),
    ('"mood": "good"', PLAIN, {"mood": "good"}),
    ('"reason": "It is cheap.", "option": "a"', PLAIN, {"reason": "It is cheap.", "option": "a"}),
    ('"kind": "opening statement"', PLAIN, {"kind": "opening statement"}),
    ('"stance": ["a"]', PLAIN, {"stance": ["a"]}),
    ('"claims": "It is cheap."', claims(Claim(text="It is cheap.")), {}),
    ('"claims": {"text": "It is cheap."}', claims(Claim(text="It is cheap.")), {}),
    ('"claims": 3', PLAIN, {"claims": 3}),
    ('"claims": ["It is cheap.", 5]', claims(Claim(text="It is cheap.")), {"claims.1": 5}),
    (
        '"claims": [{"text": "One.", "weight": 3}, {"text": "Two.", "quote": ["?"]}]',
        claims(Claim(text="One."), Claim(text="Two.")),
        {"claims.0.weight": 3, "claims.1.quote": ["?"]},
    ),
    (
        '"claims": [{"claim": "It is cheap."}, {"text": "Two."}]',
        claims(Claim(text="Two.")),
        {"claims.0": {"claim": "It is cheap."}},
    ),
    ('"answers": "s1.1.1"', PLAIN.model_copy(update={"answers": ("s1.1.1",)}), {}),
    ('"concedes": "s1.1.1, s2.1.1"', PLAIN.model_copy(update={"concedes": ("s1.1.1", "s2.1.1")}), {}),
    ('"answers": "what s1 said"', PLAIN, {"answers": "what s1 said"}),
    (
        '"answers": ["s1.1.1", {"id": "s2.1.1"}]',
        PLAIN.model_copy(update={"answers": ("s1.1.1",)}),
        {"answers.1": {"id": "s2.1.1"}},
    ),
]


@pytest.mark.parametrize(("field", "content", "left_out"), HARMLESS, ids=[field for field, *_ in HARMLESS])
def test_what_was_not_needed_costs_neither_the_turn_nor_its_vote(field: str, content: Argument, left_out: Parts):
    read = read_turn(preset_spec(3), "argument", read_reply(f"{{{VOTED}, {field}}}"), asks_ballot=True)
    assert read.content == content
    assert {part.field: json.loads(part.raw) for part in read.left_out} == left_out


@pytest.mark.parametrize("field", [field for field, *_ in HARMLESS])
def test_in_a_debate_its_ballot_is_counted(field: str):
    others = [turn(seat, "b", repeat=True) for seat in ("critic", "operator")]
    said: Said = {"seat": "planner", "raw": f"{{{VOTED}, {field}}}", "repeat": True}
    state, _ = hold(script([said, *others], options=("a", "b", "c"), settings={"rounds": 1, "threshold": 3}))
    assert {t.status for t in state.turns} == {"ok"}
    assert (state.ballots["planner"].status, state.ballots["planner"].choice) == ("cast", "a")
    assert state.counted[0].tally.as_dict() == {"a": 1, "b": 2}


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_what_is_no_number_is_left_out(number: str):
    read = read_turn(preset_spec(3), "argument", read_reply(f'{{{VOTED}, "confidence": {number}}}'), asks_ballot=True)
    assert (read.content, [part.field for part in read.left_out]) == (PLAIN, ["confidence"])


@pytest.mark.parametrize(
    ("gives", "fields", "left_out"),
    [
        ("argument", {"rationale": "It pays.", "claims": ["It is cheap.", LONG]}, "claims.1"),
        ("argument", {"rationale": "It pays.", "claims": LONG}, "claims.0"),
        ("synthesis", {"answer": "It pays.", "option": "a", "established": [LONG]}, "established.0"),
        ("evaluation", {"synthesis": "So far.", "recommend_another_round": True, "resolved": LONG}, "resolved.0"),
    ],
)
def test_a_line_of_plain_text_that_is_too_long_is_left_out(gives: Gives, fields: dict[str, object], left_out: str):
    read = read_turn(preset_spec(), gives, fields, asks_ballot=False)
    assert [part.field for part in read.left_out] == [left_out]


def test_claims_beyond_the_last_allowed_one_are_left_out():
    data = {"rationale": "r", "vote": "a", "claims": [f"Claim {n}." for n in range(23)]}
    read = read_turn(preset_spec(3), "argument", data, asks_ballot=True)
    assert isinstance(read.content, Argument)
    assert len(read.content.claims) == 20
    assert [(p.field, p.raw) for p in read.left_out] == [(f"claims.{n}", f'"Claim {n}."') for n in (20, 21, 22)]
    assert len(data["claims"]) == 23  # what the seat gave is not changed


def test_without_a_vote_another_spelling_is_no_second_option():
    data = {"rationale": "It pays.", "choice": "b"}
    read = read_turn(preset_spec(3), "argument", data, asks_ballot=False)
    assert (read.content, [part.field for part in read.left_out]) == (Argument(rationale="It pays."), ["choice"])


def test_a_reply_of_more_unknown_fields_than_are_kept_is_none():
    """A turn keeps at most fifty parts that were left out."""
    data: dict[str, object] = {"rationale": "r", "vote": "a"} | {f"more_{n}": n for n in range(50)}
    assert len(read_turn(preset_spec(3), "argument", data, asks_ballot=True).left_out) == 50
    with pytest.raises(BadReply, match="extra inputs are not permitted"):
        read_turn(preset_spec(3), "argument", {**data, "more_50": 50}, asks_ballot=True)


NEEDED = [
    ('"rationale": "r"', "no vote"),
    ('"rationale": "r", "mood": "good"', "no vote"),
    ('"rationale": "r", "vote": "b or so"', "none of the options"),
    ('"rationale": "r", "vote": 7', "argument.vote: input should be a valid string"),
    ('"rationale": "r", "vote": ["a"]', "argument.vote: input should be a valid string"),
    ('"rationale": "r", "vote": {"option": "a"}', "argument.vote: input should be a valid string"),
    ('"rationale": "r", "vote": "a", "vote": "b"', "argument.vote: input should be a valid string"),
    ('"rationale": "r", "vote": "a", "Vote": "b"', "says vote twice"),
    ('"rationale": "r", "vote": "a", "verdict": "b"', "names 'b' as 'verdict' and another option as its vote"),
    ('"rationale": "r", "vote": null, "choice": "B"', "names 'b' as 'choice'"),
    ('"rationale": "r", "thesis": "t", "vote": "a"', "says rationale twice"),
    ('"vote": "a", "confidence": "high"', "argument.rationale: field required"),
    ('"rationale": 5, "vote": "a"', "argument.rationale: input should be a valid string"),
    ('"rationale": NaN, "vote": "a"', "argument.rationale: input should be a valid string"),
    ('"rationale": " ", "vote": "a"', "the rationale is empty"),
    ('"kind": "synthesis", "answer": "a", "vote": "a"', "is no field of synthesis, and option is missing"),
]


@pytest.mark.parametrize(("fields", "why"), NEEDED, ids=[fields for fields, _ in NEEDED])
def test_what_was_needed_is_never_guessed(fields: str, why: str):  # R062
    with pytest.raises(BadReply, match=why):
        read_turn(preset_spec(3), "argument", read_reply(f"{{{fields}}}"), asks_ballot=True)


@pytest.mark.parametrize(
    "said",
    [
        {"ranking": ["a", "b", "c"], "ballot": [{"option": "b", "points": 1}]},
        {"ranking": [{"option": "a", "points": 1, "veto": True}]},
        {"ranking": ["a", "nobody"]},
        {"ranking": "a"},
        {"ranking": {"named twice": [["a"], ["b"]]}},
    ],
)
def test_nothing_in_a_ballot_is_left_out(said: dict[str, object]):
    spec = preset_spec(3)
    ranked = spec.model_copy(
        update={"protocol": spec.protocol.model_copy(update={"decide": Elected(kind="borda", if_undecided="open")})}
    )
    with pytest.raises(BadReply):
        read_turn(ranked, "argument", {"rationale": "r", **said}, asks_ballot=True)


OFFICES: list[tuple[Gives, dict[str, object], Content, list[str]]] = [
    (
        "verdict",
        {"reasoning": "r", "option": "move", "confidence": "sure", "champion": "move"},
        Verdict(reasoning="r", option="move"),
        ["confidence", "champion"],
    ),
    (
        "synthesis",
        {"answer": "So.", "option": None, "established": "It pays.", "contested": [{"claim": "x"}], "note": 1},
        Synthesis(answer="So.", established=(Linked(text="It pays."),)),
        ["contested.0", "note"],
    ),
    (
        "evaluation",
        {"synthesis": "s", "quality": {"a": "8/10", "b": "good"}, "confidenceLevel": "sure"},
        Evaluation.model_validate({"synthesis": "s", "quality": [{"seat": "a", "score": 8}]}),
        ["quality.1", "confidence_level"],
    ),
    ("argument", {"rationale": "r", "vote": "somebody"}, Argument(rationale="r"), ["vote"]),
]


@pytest.mark.parametrize(("gives", "said", "content", "left_out"), OFFICES, ids=[gives for gives, *_ in OFFICES])
def test_the_same_holds_where_no_ballot_is_asked(
    gives: Gives, said: dict[str, object], content: Content, left_out: list[str]
):
    read = read_turn(spec_of(), gives, said, asks_ballot=False)
    assert read.content == content
    assert sorted(part.field for part in read.left_out) == sorted(left_out)


@pytest.mark.parametrize(
    ("gives", "said", "why"),
    [
        ("verdict", {"reasoning": "r", "champion": "move"}, "'champion' is no field of verdict, and option is missing"),
        ("verdict", {"reasoning": "r", "option": "move", "winner": "stay"}, "says option twice"),
        ("verdict", {"reasoning": "r", "option": None, "champion": "move"}, "names 'move' as 'champion'"),
        ("verdict", {"reasoning": "r", "option": "the bold one"}, "none of the options"),
        ("evaluation", {"synthesis": "s", "go_on": True}, "recommend_another_round is missing"),
        ("evaluation", {"synthesis": "s", "recommendAnotherRound": "perhaps"}, "recommend_another_round: input should"),
        ("directive", {"next_speakers": ["nobody"], "done": False}, "there is no debater 'nobody'"),
        ("directive", {"next_speakers": ["risk"], "done": "soon"}, "directive.done: input should"),
    ],
)
def test_what_decides_or_steers_is_never_left_out(gives: Gives, said: dict[str, object], why: str):
    with pytest.raises(BadReply, match=why):
        read_turn(spec_of(), gives, said, asks_ballot=False)


@pytest.mark.parametrize(("asks", "recommended", "left_out"), [(True, False, 0), (False, None, 1)])
def test_a_synthesis_advises_on_rounds_only_if_asked(asks: bool, recommended: bool | None, left_out: int):
    said = {"answer": "So far.", "option": "move", "recommend_another_round": False}
    read = read_turn(spec_of(), "synthesis", said, asks_ballot=False, asks_another_round=asks)
    assert isinstance(read.content, Synthesis)
    assert (read.content.recommend_another_round, len(read.left_out)) == (recommended, left_out)


def test_what_was_left_out_is_recorded_and_shown_with_the_turn():
    played = Played(preset_spec(2, threshold=2))
    data = read_reply(f'{{{VOTED}, "confidence": "höher", "claims": [{{"text": "One.", "weight": 3}}]}}')
    read = read_turn(played.state.spec, "argument", data, asks_ballot=True)
    played.do(TakeTurn(by="s0", request="1.proposal.s0.1", content=read.content, left_out=read.left_out))
    played.do(TakeTurn(by="s1", request="1.proposal.s1.1", content=Argument(rationale="r", vote="a")))
    again = replay(parse_record(dump_record(played.events).encode()))
    first, second = again.turns[:2]
    assert [(p.field, p.raw) for p in first.left_out] == [("claims.0.weight", "3"), ("confidence", '"höher"')]
    assert left_out_words(first.left_out) == 'left out as unreadable: claims.0.weight 3; confidence "höher"'
    assert second.left_out == ()
    assert "left_out" not in [e for e in played.events if e.kind == "turn_taken"][1].body_json
    assert again.ballots["s0"].choice == "a"
    assert account(again).turns[0].left_out == first.left_out
    assert "confidence" in csv_files(account(again, played.events))["turns.csv"]
    whole = debate_json(account(again, played.events))
    assert isinstance(whole, dict)
    assert '"left_out": [{"field": "claims.0.weight", "raw": "3"}' in json.dumps(whole["turns"])
