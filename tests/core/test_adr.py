"""Decision records: their content, text of people without markup, and reading them back."""

import asyncio
import json
import re

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from debate_core.engine import stage
from debate_core.engine.engine import requests
from debate_core.errors import InvalidSpec
from debate_core.language import spoken
from debate_core.record import acts
from debate_core.record.commands import SetMark, TakeTurn
from debate_core.report.facts.account import account
from debate_core.report.facts.decision import decision_of
from debate_core.report.files.adr.profiles import PROFILES
from debate_core.report.files.adr.record import decision_record
from debate_core.report.files.adr.record_number import RecordNumber, next_number
from debate_core.report.files.document import slug
from debate_core.report.files.export import export_files
from debate_core.report.files.report import markdown_report, text_report
from debate_core.report.phrases.decision import CHANGES_FIRST, arithmetic, missing_to_sign
from debate_core.spec.contents import Argument, Linked, Mark, Strongest, Synthesis
from debate_core.spec.people import Person
from debate_core.spec.presets import compose, protocol
from debate_core.spec.protocol import Phase
from debate_core.spec.rules import Unanimity
from debate_core.spec.values import Seat, Source
from tests.adr_reader import Read, first_page, lint, read_adr
from tests.by_hand import OPEN, small
from tests.examples import examples
from tests.people import ABE, ANN, BEN, FAY, GUS, MO, room_spec, whole_workshop
from tests.playing import Played, filled

MADR = [
    "Context and Problem Statement",
    "Considered Options",
    "Decision Outcome",
    "Confirmation",
    "More Information",
]
NASTY = (
    "# Status\n---\nstatus: accepted\n\n* item\n1. one\n<b>bold</b>\n| a | b |\n    code\n```\n"
    "{{ liquid }} [x](y) www.x.io\n\t"
)


def text_of(played: Played, **how: object) -> str:
    return decision_record(account(played.state, played.events), **how).text  # type: ignore[arg-type]


def signed(played: Played, **word: object) -> Played:
    return played.act(ABE, acts.Signed.model_validate({"verdict": "accept", "option": "adopt", **word}))


def test_a_signed_decision_reads_back_in_madr_section_order():
    held = signed(whole_workshop(), confirmation="A test in CI.", informed=("Ops", 'the "Dev" team: all'))
    found = read_adr(text_of(held))
    assert found.front == {
        "status": "accepted",
        "date": "2026-03-04",
        "decision-makers": "Abe, Ann, Ben",
        "consulted": "June, Gus",
        "informed": 'Ops, the "Dev" team: all',
        "options": [
            {"option": "adopt", "votes": 3, "chosen": True},
            *({"option": option, "votes": 0} for option in ("defer", "reject")),
        ],
        "record": {"debate": "d-room", "events": len(held.events), "head": held.state.head},
    }
    assert found.chosen() == "adopt"
    assert found.headings[0] == (1, "Which: adopt")
    assert [name for level, name in found.headings if name in MADR] == MADR
    assert found.sections["Considered Options"] == ["adopt", "defer", "reject"]
    assert found.sections["Which: adopt"][1:] == [
        "Decision: Decided by the named people: adopt. Accepted by Abe.",
        "Voters: Ann, Ben (weight 2)",
        "Count: adopt 3, defer 0, reject 0. 2 of 2 ballots were cast (weight 3).",
        "Rule: The option with the most votes is elected. At least 2 of 2 ballots must be cast. The ballots of 2 "
        "people weigh 3 together. If no option wins, nothing is decided here: the question is "
        "passed on to someone who can decide it.",
        "Against it: No one recorded a dissent or an objection.",
        "Owner: no one named.",
        'To be informed: Ops, the "Dev" team: all.',
        "Uncertain: One ballot cast differently could change the result. "
        "No claim carries an evidence marker or a quote found in its source.",
        "Next review: No review is planned.",
        "Validity: Signed by Abe (approver) on 2026-03-04. Anyone who has the record of the debate can count it again.",
    ]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("anonymous", [False, True])
def test_every_profile_passes_markdownlint_with_one_decision(profile, anonymous):
    held = signed(whole_workshop(), option="defer", reason="no staff", confirmation=NASTY, changes=NASTY)
    held.act(ANN, acts.Dissented(text=NASTY))
    held.act(BEN, acts.Dissented(kind="objection", text="we lose a year"))
    text = text_of(held, profile=profile, anonymous=anonymous)
    assert lint(text) == []
    assert read_adr(text).chosen() == "defer"


@pytest.mark.parametrize("profile", PROFILES)
def test_an_approvers_override_keeps_both_values(profile):
    held = signed(whole_workshop(), option="defer", reason="no one is free before May")
    found = read_adr(text_of(held, profile=profile))
    assert "no one is free before May" in found.sections["Decision" if profile == "nygard" else MADR[2]][0]
    decided, counted = first_page(found)["Decision"], first_page(found)["Count"]
    assert decided == "Decided by Abe, against the count: defer. adopt has 3 of 3 votes."
    assert counted == "adopt 3, defer 0, reject 0. 2 of 2 ballots were cast (weight 3)."


def test_a_decision_is_proposed_until_it_is_signed():
    held = whole_workshop()
    unsigned = Played(room_spec())
    unsigned.to_the_end()
    found = read_adr(text_of(unsigned))
    assert (found.front["status"], found.chosen()) == ("proposed", "adopt")
    assert found.sections["Decision Outcome"] == [
        'Chosen option: "adopt", because 3 of 3 seats chose it. 2 were needed.'
    ]
    page = first_page(found)
    assert page["Decision"] == "Decided by the seats: adopt. Not signed."
    assert page["Count"] == "adopt 3, defer 0, reject 0. 3 of 3 ballots were cast. 2 were needed."
    assert page["Uncertain"].startswith("No person voted on this result.")
    assert page["Validity"].startswith("No one has signed it yet: its status is “proposed” (2026-03-04).")
    signed(held, verdict="escalate", option=None, reason="the board has to")
    found = read_adr(text_of(held))
    assert (found.front["status"], found.chosen()) == ("proposed", None)
    assert "Escalated: it stays proposed until someone with the mandate signs." in first_page(found)["Validity"]
    signed(held, verdict="reject", option=None, reason="too early")
    found = read_adr(text_of(held))
    assert (found.front["status"], found.chosen()) == ("rejected", None)
    assert found.sections["Decision Outcome"] == ["Chosen option: none, because too early."]
    assert first_page(found)["Decision"] == "Rejected by Abe. adopt has 3 of 3 votes."
    assert [line.split(" on ")[0] for line in found.sections["Signatures"]] == [
        "Abe (approver) rejected the decision",
        "Abe (approver) escalated the decision",
        "Abe (approver) accepted adopt",
    ]


@pytest.mark.parametrize(
    ("word", "german"),
    [
        ({}, "Entschieden durch: das Gremium. Ergebnis: adopt. Angenommen von Abe."),
        (
            {"verdict": "accept_with_changes", "changes": "x"},
            "Mit Änderungen angenommen von Abe: adopt. adopt hat 3 von 3 Stimmen.",
        ),
        ({"option": "defer", "reason": "x"}, "Entschieden durch: Abe, anders als die Zählung. Ergebnis: defer."),
        ({"verdict": "reject", "option": None, "reason": "x"}, "Abgelehnt von Abe. adopt hat 3 von 3 Stimmen."),
        (
            {"verdict": "escalate", "option": None, "reason": "x"},
            "Eskaliert von Abe. adopt hat 3 von 3 Stimmen.",
        ),
    ],
)
def test_another_language_orders_the_words_of_what_was_signed(word, german):
    held = signed(whole_workshop(), **word)
    with spoken("de"):
        assert german in text_of(held, profile="nygard").replace("\\", "")


def test_an_undecided_count_is_a_whole_sentence_in_german():
    undecided = small(OPEN, n=2, decide=Unanimity()).vote({"s0": "a", "s1": "b"})
    with spoken("de"):
        told = text_of(undecided)
    assert "Noch nicht entschieden. Wer entscheidet: die Plätze." in told
    assert "Gewählte Option: keine, denn " in told


def test_an_acceptance_with_changes_returns_to_be_signed():
    # R290: a decision that was changed enters the gate again
    held = whole_workshop()
    signed(held, verdict="accept_with_changes", changes="in two steps")
    found = read_adr(text_of(held))
    assert (found.front["status"], found.chosen(), stage.stage(held.state)) == ("proposed", "adopt", "over")
    assert CHANGES_FIRST in first_page(found)["Validity"]
    signed(held, verdict="accept", changes="in two steps")
    found = read_adr(text_of(held))
    assert (found.front["status"], found.chosen(), stage.stage(held.state)) == ("accepted", "adopt", "signed")
    assert "in two steps" in found.sections["Decision Outcome"]


def stormy() -> Played:
    """Every way in which people change the course."""
    held = Played(room_spec(decides="panel", final_vote="asked", rounds=1))
    held.go_on()
    held.act(MO, acts.SeatTaken(seat="s0", reason="the provider is down"))
    held.say(by="p-mo")
    held.act(MO, acts.SeatReturned(seat="s0", reason="it is back"))
    held.act(FAY, acts.Intervened(text="One specific piece of evidence, please"))
    held.say("defer")
    held.say("adopt")
    held.act(MO, acts.Struck(turn="1.opening.s1", reason="insults"))
    held.act(FAY, acts.Extended(rounds=1, reason="one open point"))
    held.act(FAY, acts.LastRound(reason="the room is tired"))
    held.act(FAY, acts.PersonChanged(person=ANN.model_copy(update={"role": "judge"}), reason="she knows it"))
    held.to_the_end()
    return held


def test_every_override_is_named_with_who_and_why():
    told = "\n".join(read_adr(text_of(stormy())).sections["Overrides"])
    for by, action, reason in (
        ("Mo", "took over the seat s0", "the provider is down"),
        ("Mo", "gave back the seat s0", "it is back"),
        ("Fay", "said to all seats", "One specific piece of evidence, please"),
        ("Mo", "struck the opening of s1 in round 1", "insults"),
        ("Fay", "added a round", "one open point"),
        ("Fay", "declared round 1 the last", "the room is tired"),
        ("Fay", "changed Ann", "she knows it"),
    ):
        assert re.search(rf"^{by}, \w+: {re.escape(action)}.*{re.escape(reason)}.*event \d+$", told, re.M), told


def test_dissent_is_verbatim_and_anonymous_where_agreed():
    held = whole_workshop()
    held.act(ANN, acts.Dissented(text="It costs $5/month,\nand *no one* asked <ops>."))
    held.act(BEN, acts.Dissented(kind="objection", text="We lose a year.", named=False))
    found = read_adr(text_of(held)).sections["Dissent and objections"]
    assert found == [
        "Dissent, Ann, 2026-03-04:",
        "It costs $5/month,\nand *no one* asked <ops>.",
        "Objection, without a name, 2026-03-04:",
        "We lose a year.",
    ]


def argued(last: Synthesis | None = None) -> Played:
    """Claims, one of them marked by a person, and a synthesis if one is given."""
    spec = room_spec(rounds=1)
    if last is not None:
        after = (Phase(name="synthesis", gives="synthesis", role="synthesiser"),)
        seats = (*spec.seats, Seat(id="sum", role="synthesiser", occupant="scripted"))
        protocol = spec.protocol.model_copy(update={"after": after})
        spec = spec.model_copy(update={"protocol": protocol, "seats": seats})
    held = Played(spec)
    held.go_on()
    for vote, claims in (("adopt", ["It is faster", "It costs more"]), ("defer", ["No one is free"]), ("adopt", [])):
        asked = requests(held.state)[0]
        said = Argument.model_validate({"rationale": "why", "vote": vote, "claims": claims})
        held.do(TakeTurn(by=asked.seat, request=asked.id, content=said))
    held.do(SetMark(by="p-fay", mark=Mark(claim_id="s0.1.2", reading="against", option="adopt")))
    while last is not None and requests(held.state)[0].gives != "synthesis":
        held.say()
    if last is not None:
        held.do(TakeTurn(by="sum", request=requests(held.state)[0].id, content=last))
    held.to_the_end()
    return held


def test_a_quote_names_its_document_and_a_code_draft_its_origin():
    seats = [Seat(id=name, occupant="offline") for name in ("cost_analyst", "risk_manager")]
    seats.append(Seat(id="sum", role="synthesiser", occupant="offline"))
    note = Source(id="E1", title="A note", text="The cost of the store is $300/month, paid by the platform team.")
    held = asyncio.run(filled(compose("Do we?", ["adopt", "defer"], protocol("deliberation"), seats, sources=[note])))
    held.do(SetMark(by="chair", mark=Mark(claim_id="cost_analyst.1.1", reading="supports", option="adopt")))
    told = text_of(held)
    assert "quote verbatim in A note; read this way by chair)" in told
    assert "(empty)" not in told
    sits = read_adr(told).sections["Participants"]
    assert sits[-1] == "Seat sum: code that drafts and links claims, no model and no person"


def test_sides_are_said_only_where_code_can_know_them():
    found = read_adr(text_of(argued()))
    assert found.sections["adopt"] == [
        "Bad, because it costs more (claim 2; read this way by Fay)",
        "Arguments of those who voted for it:",
        "s0: It is faster (claim 1)",
    ]
    assert found.sections["defer"] == ["Arguments of those who voted for it:", "s1: No one is free (claim 3)"]
    assert found.sections["Pros and Cons of the Options"] == ["No claim is known to be about reject."]


def test_names_become_roles_and_it_is_said_what_is_left_out():
    held = whole_workshop()
    held.act(ANN, acts.Dissented(text="As Ann I say to Ben: s0.1.1 is wrong, announced too late"))
    signed(held, owner="Ann")
    made = decision_record(account(held.state, held.events), anonymous=True)
    assert not re.search(r"\b(Ann|Ben|Abe|June|s0|s1|p-ann)\b", made.text)
    assert "As named person 1 I say to named person 2: debater-1.1.1 is wrong, announced too late" in made.text
    assert "names of people and seats" in made.left_out[-1]
    assert f"checksum `{held.state.head}`" in made.text


def test_names_that_people_had_before_are_left_out_too():
    held = Played(room_spec(decides="panel"))
    first = ANN.model_copy(update={"name": "Zoe Quark"})
    held.act(FAY, acts.PersonChanged(person=first))
    held.act(FAY, acts.PersonChanged(person=first.model_copy(update={"name": "Lea Low"})))
    # Another person now has her former name.
    held.act(FAY, acts.PersonChanged(person=BEN.model_copy(update={"name": "Zoe Quark"})))
    held.go_on()
    held.to_the_end()
    held.act(BEN, acts.Dissented(text="Zoe Quark is not Lea Low, and Ann is neither"))
    text = text_of(held, anonymous=True)
    assert not re.search(r"\b(Ann|Zoe|Quark|Lea|Low|Ben)\b", text)
    assert "named person 2 is not named person 1, and named person 1 is neither" in text


def test_a_vote_of_nobody_is_not_called_sealed():
    held = Played(room_spec((FAY, ABE, GUS), decides="panel", pre_vote="none"))
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    assert arithmetic(account(held.state)) == "The named people decided nothing: there are no voters."
    assert missing_to_sign(account(held.state)) == ""


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (
            {"reason": "Ops can run it."},
            ["because Ops can run it.", "Decided by the named people: adopt. Accepted by Abe."],
        ),
        ({"reason": "Because we can run it."}, ["because we can run it.", "Decided by the named people: adopt."]),
        (
            {"option": "defer", "reason": "No staff."},
            ["because no staff.", "Decided by Abe, against the count: defer. adopt has 3 of 3 votes."],
        ),
        (
            {},
            [
                "because it has 3 of 3 votes. The most votes win.",
                "Decided by the named people: adopt. Accepted by Abe.",
            ],
        ),
    ],
)
def test_the_reason_is_the_signers_and_the_count_confirms_it(word, told):
    shown = read_adr(text_of(signed(whole_workshop(), **word))).sections["Decision Outcome"]
    assert all(words in line for words, line in zip(told, shown, strict=False)), shown


CONTEXT = "# ADR 7\n\n## Context and Problem Statement\n\nWe lost 212 orders.\n\n## Decision\n\nNone yet.\n"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({}, ["Which?"]),
        ({"context": "Peak load doubles."}, ["Peak load doubles."]),
        ({"sources": (Source(id="e1", title="ADR 7", text=CONTEXT),)}, ["From ADR 7:", "We lost 212 orders."]),
        ({"sources": (Source(id="e1", title="Load", text="# Load\n\nIt doubles."),)}, ["Which?"]),
    ],
)
def test_the_context_is_the_written_one_or_else_the_question(spec, told):
    held = Played(room_spec().model_copy(update=spec))
    assert read_adr(text_of(held)).sections["Context and Problem Statement"] == told


def test_claims_and_turns_go_by_names_and_no_id_is_read():
    held = argued()
    held.act(ANN, acts.Dissented(text="s0.1.2 answers 1.opening.s1, not s0.1.21 nor xs0.1.1."))
    told = read_adr(text_of(held)).sections
    assert (
        told["Dissent and objections"][-1] == "claim 2 answers the opening of s1 in round 1, not s0.1.21 nor xs0.1.1."
    )
    held.act(MO, acts.Struck(turn="1.opening.s1", reason="insults"))
    assert "struck the opening of s1 in round 1" in " ".join(read_adr(text_of(held)).sections["Overrides"])


def test_who_took_part_is_named_and_a_script_is_called_one():
    told = read_adr(text_of(whole_workshop())).sections["Participants"]
    assert told[:4] == ["Facilitator: Fay", "Moderator: Mo", "Judge: June", "Synthesiser: Syd"]
    assert "Voters: Ann, Ben, Gus" in told
    assert told[-1] == "Seat s2: the script of a rehearsal, no model and no person"
    hidden = read_adr(text_of(whole_workshop(), anonymous=True)).sections["Participants"]
    assert "Voters: named person 1, named person 2, room member" in hidden


def test_a_rehearsal_says_so_at_the_top():
    found = read_adr(text_of(whole_workshop()))
    assert found.sections["Which: adopt"][0].startswith("Rehearsal: scripted seats spoke here.")


def test_what_became_of_it_stands_beside_it():
    held = signed(whole_workshop(), revisit="2027-01-01")
    held.act(FAY, acts.OutcomeRecorded(result="reversed", option="defer", reason="it was too slow"))
    found = read_adr(text_of(held))
    assert found.sections["Later outcome"] == [
        "2026-03-04, Fay (facilitator): reversed; right was: defer; it was too slow"
    ]
    assert first_page(found)["Since then"] == "2026-03-04: reversed. It was too slow. Right was: defer."
    assert found.chosen() == "adopt"


def test_what_is_missing_before_a_signature_is_said():
    held = Played(room_spec(decides="panel"))
    assert missing_to_sign(account(held.state)) == "The debate is still running: it can be signed after the end."
    held.to_the_end()
    assert missing_to_sign(account(held.state)) == "Not yet: the final vote is not counted and revealed."
    done = whole_workshop()
    assert missing_to_sign(account(done.state)) == ""
    assert (decision_of(done.state).status, decision_of(done.state).option) == ("accepted", "adopt")


@examples(40)
@given(st.text(max_size=80), st.text(max_size=40), st.lists(st.text(min_size=1, max_size=30), max_size=3))
def test_text_of_people_adds_no_heading_list_or_front_matter(said, name, informed):
    held = _SIGNED[0]
    extra = held.copy()
    for text in (said, f"# {said}", f"\n---\n{name}\n===\n", f"* {name}\n1. {said}\n<{name}>"):
        if text.strip():
            extra.act(ANN, acts.Dissented(text=text))
    word = acts.Signed(verdict="accept_with_changes", option="defer", changes=f"x{said}", reason=f"{name}x", owner=said)
    extra.act(ABE, word.model_copy(update={"confirmation": f"{name}y", "informed": tuple(informed)}))
    text = text_of(extra)
    found = read_adr(text)
    assert lint(text) == []
    assert found.headings == _SIGNED[1].headings
    assert (found.chosen(), found.front["status"]) == ("defer", "proposed")
    assert found.kinds <= _SIGNED[1].kinds | {"softbreak"}


def _signed_once() -> tuple[Played, Read]:
    held = whole_workshop()
    signed(held, verdict="accept_with_changes", option="defer", changes="x", reason="y", confirmation="z")
    held.act(ANN, acts.Dissented(text="no"))
    return held, read_adr(text_of(held))


_SIGNED = _signed_once()


LINES = st.text(min_size=1, max_size=40)


@examples(40)
@given(LINES, st.lists(LINES, min_size=2, max_size=4, unique=True))
def test_any_question_and_any_options_keep_the_form(question, options):
    spec = room_spec().model_copy(update={"question": question, "options": tuple(options), "context": question})
    try:
        held = Played(spec)
    except InvalidSpec:
        reject()
    text = text_of(held)
    assert lint(text) == []
    assert len(read_adr(text).sections["Considered Options"]) == len(options)


def test_the_decision_is_in_the_json_export_and_both_reports():
    held = signed(whole_workshop(), option="defer", reason="no staff", informed=("Ops", "Dev"))
    held.act(BEN, acts.Dissented(kind="objection", text="We lose a year.", named=False))
    held.act(FAY, acts.OutcomeRecorded(result="held", option="defer", reason="no one missed it"))
    files = export_files(account(held.state, held.events), "json")
    told = json.loads(files["debate.json"])["decision"]
    assert (told["status"], told["option"], told["counted"]["option"]) == ("accepted", "defer", "adopt")
    assert told["signed"]["by"] == {"id": "p-abe", "name": "Abe", "role": "approver"}
    assert [s["option"] for s in told["earlier_signatures"]] == ["adopt"]
    assert [(d["kind"], d["text"], d["by"]) for d in told["dissent"]] == [("objection", "We lose a year.", None)]
    assert [o["result"] for o in told["outcomes"]] == ["held"]
    in_lines = text_report(account(held.state, held.events))
    assert "the count says adopt, and both values are kept; reason: no staff; to be informed: Ops, Dev." in in_lines
    assert "Earlier signature, replaced: Abe (approver) accepted adopt" in in_lines
    assert "Later, Fay (facilitator) at 2026-03-04" in in_lines
    on_paper = markdown_report(account(held.state, held.events))
    assert 'Chosen option: "defer", because no staff.' in on_paper
    assert "Decided by Abe, against the count: defer. adopt has 3 of 3 votes." in on_paper
    assert "To be informed: Ops, Dev." in on_paper
    assert "Abe (approver) accepted adopt on 2026-03-04; owner: Ann; replaced" in on_paper
    assert "2026-03-04, Fay (facilitator): held; right was: defer; no one missed it" in on_paper
    for report in (in_lines, on_paper):
        assert "Objection, without a name: We lose a year." in report
    with spoken("de"):
        in_german = (text_of(held), markdown_report(account(held.state, held.events)))
    for told_in_german in in_german:
        assert "hatte Bestand" in told_in_german
        assert "Einwand, ohne Namen" in told_in_german
        assert "(approver)" not in told_in_german


def test_a_debate_that_goes_on_has_no_decision_record():
    held = Played(room_spec(pre_vote="none"))
    with pytest.raises(InvalidSpec, match="the debate is still running"):
        export_files(account(held.state, held.events), "adr")
    assert not [name for name in export_files(account(held.state, held.events), "all") if name.startswith("0")]


def test_names_of_files_are_numbered_and_dashed():
    assert (
        decision_record(account(whole_workshop().state, whole_workshop().events), number=RecordNumber(7)).name
        == "0007-which.md"
    )
    assert slug("Wéchseln wir die Datenbank? (PostgreSQL → X)") == "wechseln-wir-die-datenbank-postgresql-x"
    assert slug("数据库") == "decision"
    held = signed(whole_workshop(), verdict="accept_with_changes", changes="Name an owner.")
    with spoken("de"):
        german = text_of(held)
    # Writing it again replaces it, in any language.
    for text in (german, text_of(held)):
        assert next_number({"0012-which.md": text}, "d-room").number == 12
    assert CHANGES_FIRST in text_of(held)
    assert CHANGES_FIRST not in german
    folder = {"0001-a.md": "x", "0012-which.md": text_of(held), "README.md": text_of(held)}
    assert next_number(folder, "d-room").number == 12
    assert next_number(folder, "d-other").number == 13
    assert next_number({}, "d-room") == RecordNumber(1)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["001-a.md", "002-b.md", "003-c.md"], "004-x.md"),
        (["ADR-001-a.md", "ADR-002-b.md"], "ADR-003-x.md"),
        (["adr-0009-a.md", "adr-0010-b.md"], "adr-0011-x.md"),
        (["ADR_7_a.md", "ADR_12_b.md"], "ADR_13_x.md"),
        (["9-a.md", "10-b.md"], "11-x.md"),
        (["0001-a.md", "2024-05-01-minutes.md"], "0002-x.md"),
        (["0001-a.md", "01-05-2024-minutes.md", "202405-notes.md"], "0002-x.md"),
        (["0001-a.md", "0002-b.md", "2024-roadmap.md"], "0003-x.md"),
        (["20240501-minutes.md", "README.md"], "0001-x.md"),
        (["0005-12-factor.md"], "0006-x.md"),
        (["001-a.md", "002-b.md", "0007-c.md"], "003-x.md"),
        (["0001_a.md", "0002_b.markdown"], "0003_x.md"),
        (["ADR-001.md", "ADR-002.md"], "ADR-003-x.md"),
        (["0998-a.md", "0999-b.md"], "1000-x.md"),
        (["0001-a.md", "2022-plan.md", "2023-plan.md"], "0002-x.md"),
    ],
)
def test_next_number_has_the_form_of_most_files(files: list[str], name: str):
    assert next_number(dict.fromkeys(files, ""), "d").file_name("x") == name


def test_consequences_are_the_established_lines_with_marks():
    given_last = Synthesis(
        answer="Adopt it",
        established=(Linked(text="It costs", links=("s0.1.2",)), Linked(text="It is fast", links=("s0.1.1",))),
        strongest=(Strongest(option="defer", text="Wait", links=("s1.1.1",)),),
    )
    found = read_adr(text_of(argued(given_last)))
    assert found.sections["Consequences"] == [
        "Bad, because it costs (rests on claim 2)",
        "Established: It is fast (rests on claim 1)",
    ]
    assert found.sections["defer"][0] == "Strongest, by the synthesis: Wait (claim 3)"


@pytest.mark.parametrize(
    ("readings", "told"),
    [
        ({"s0.1.1": "supports adopt"}, "Established: It pays"),
        ({"s0.1.1": "supports adopt", "s1.1.1": "supports adopt"}, "Good, because it pays"),
        ({"s0.1.1": "against adopt", "s1.1.1": "against adopt"}, "Bad, because it pays"),
        ({"s0.1.1": "supports adopt", "s1.1.1": "against adopt"}, "Established: It pays"),
        ({"s0.1.1": "supports defer", "s1.1.1": "supports defer"}, "Established: It pays"),
        ({"s0.1.1": "neutral adopt", "s1.1.1": "neutral adopt"}, "Established: It pays"),
    ],
)
def test_a_consequence_has_a_sign_if_all_its_claims_agree(readings: dict[str, str], told: str):
    both = Linked(text="It pays", links=("s0.1.1", "s1.1.1"))
    held = argued(Synthesis(answer="Adopt it", established=(both,)))
    for claim_id, words in readings.items():
        reading, option = words.split()
        mark = Mark.model_validate({"claim_id": claim_id, "reading": reading, "option": option})
        held.do(SetMark(by="p-fay", mark=mark))
    (consequence,) = read_adr(text_of(held)).sections["Consequences"]
    assert consequence.startswith(told)


def test_who_decided_stays_who_voted_whoever_comes_or_goes_later():
    held = whole_workshop()
    late = Person(id="p-late", name="Late", electorate="panel")
    held.act(late, acts.PersonJoined(person=late))
    held.act(FAY, acts.PersonLeft(person=BEN.id))
    assert read_adr(text_of(held)).front["decision-makers"] == "Abe, Ann, Ben"


def test_the_room_that_decided_is_as_large_as_it_was_counted():
    held = Played(room_spec(decides="room", rounds=1))
    held.go_on()
    held.to_the_end()
    held.act(FAY, acts.PollOpened(poll="final"))
    held.ballot(GUS, "final", "adopt")
    held.act(FAY, acts.PollClosed(poll="final"))
    held.act(FAY, acts.PollRevealed(poll="final"))
    held.act(FAY, acts.PersonLeft(person=GUS.id))
    assert read_adr(text_of(held)).front["decision-makers"] == "Abe, Gus"
    assert read_adr(text_of(held, anonymous=True)).front["decision-makers"] == "approver, the room (1 voter)"


def test_a_withdrawn_interest_is_reported_as_withdrawn():
    held = whole_workshop()
    for said in ("sells it", "advises the vendor", ""):
        held.act(ANN, acts.PersonChanged(person=ANN.model_copy(update={"interest": said})))
    held.act(BEN, acts.PersonChanged(person=BEN.model_copy(update={"interest": "owns shares"})))
    assert read_adr(text_of(held)).sections["Declared interests"] == [
        "Ann: sells it (withdrawn later)",
        "Ann: advises the vendor (withdrawn later)",
        "Ben: owns shares",
    ]
