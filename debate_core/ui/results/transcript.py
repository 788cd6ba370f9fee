"""The transcript of the results: every turn, with messages, acts and notes of people where they came.

Knows no rules: draws rows of an account, which contains nothing that is hidden from this person.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import streamlit as st

from debate_core.engine.preparation import shown_texts
from debate_core.engine.stage import speaker_name
from debate_core.language import _
from debate_core.record.state import State, Turn
from debate_core.report.facts.account import Account
from debate_core.report.facts.interventions import Action, OverrideRow, ToAll
from debate_core.report.facts.terms import named
from debate_core.report.facts.turns import TurnRow
from debate_core.report.facts.vote_bars import letters
from debate_core.report.phrases.ending import TURN_STATUS
from debate_core.report.phrases.look_ups import look_up_lines
from debate_core.report.phrases.names import claim_name, giver_name, in_names
from debate_core.report.phrases.overrides import change_words, override_clause
from debate_core.report.phrases.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.spec.contents import Verdict
from debate_core.spec.people import SilentStep
from debate_core.text import capitalized
from debate_core.ui.kit.components.turns import ClaimOfTurn, EntryKind, EntryPart, draw_transcript
from debate_core.ui.results.sections import table_button
from debate_core.ui.results.tabs import TURN, open_claim

_ELSEWHERE: frozenset[Action] = frozenset({"mark", "intervene", "add document", "sign"})
"""Acts that the transcript shows as messages, and acts that other tabs show."""
_LEADING: frozenset[Action] = frozenset({"set options", "extend", "add round", "last round", "pause", "resume"})
"""Acts that give a debate its time and form; all other acts override it."""


def show(account: Account) -> None:
    """Draw the transcript as one component, which stays fast with 1,000 turns."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.header(_("Transcript"), anchor=False, width="content")
        if account.turns:
            table_button(account, _("Transcript (CSV)"), "transcript.csv")
    groups, entries = account.once(_list_entries)
    if not entries:
        st.caption(_("No one has spoken yet."))
        return
    debate, at = account.state.debate, st.query_params.get(TURN, "")
    if at and all(entry["id"] != at for entry in entries):
        st.info(_("The turn of this link is not in the transcript, or you may not read it yet."))
    draw_transcript(debate, groups, entries, at=at, key=f"transcript-{debate}", on={"open": open_claim})


def _list_entries(account: Account) -> tuple[list[str], list[EntryPart]]:
    """The titles of all phases with entries, and the entries in their order."""
    groups = list[str]()
    entries = list[EntryPart]()
    for title, found in _list_groups(account):
        if found and title not in groups[-1:]:
            groups.append(title)
        entries.extend({**entry, "group": len(groups) - 1} for entry in found)
    return groups, entries


def _list_groups(account: Account) -> Iterator[tuple[str, list[EntryPart]]]:
    """Each phase with its title; it may be without entries."""
    yield _("What people knew before the first vote"), _of_notes(account, "facts")
    is_meeting = account.state.spec.held_elsewhere is not None
    turns = {place: [*rows] for place, rows in groupby(account.turns, key=lambda row: (row.round, row.phase))}
    acts = _acts_by_place(account)
    claims = _claims_by_turn(account)
    was = _votes_before(account)
    given = {turn.request: turn for turn in account.readable_turns}
    for place in account.state.ran:
        # Each turn of a meeting has a separate phase.
        title = "" if is_meeting else _("Round {number} · {phase}", number=place[0], phase=named(place[1]))
        said = [
            _of_turn(account, row, given[row.turn_id], claims.get(row.turn_id, ()), was.get(row.turn_id, ""))
            for row in turns.get(place, ())
        ]
        yield title, [*said, *map(_of_message, account.to_all.get(place, ())), *acts.get(place, ())]
    yield _("Premortem: why the decision might be reversed"), _of_notes(account, "premortem")


def _votes_before(account: Account) -> Mapping[str, str]:
    """For each turn with a vote, the last vote of its seat before it; without the first vote of a seat."""
    found, last = dict[str, str](), dict[str, str]()
    for row in account.turns:
        if row.vote and row.status == "ok":
            if row.seat in last:
                found[row.turn_id] = last[row.seat]
            last[row.seat] = row.vote
    return found


def _claims_by_turn(account: Account) -> Mapping[str, list[ClaimOfTurn]]:
    numbers = account.state.claim_numbers()
    found: dict[str, list[ClaimOfTurn]] = {}
    for row in account.claims:
        claim = ClaimOfTurn(id=row.claim_id, number=numbers[row.claim_id], text=row.claim)
        found.setdefault(row.turn_id, []).append(claim)
    return found


def _acts_by_place(account: Account) -> Mapping[tuple[int, str], list[EntryPart]]:
    """Acts on the course of the debate in the phase during which they were done; earlier ones in the first phase."""
    begun = [(row.started_at or row.submitted_at, (row.round, row.phase)) for row in account.turns]
    found: dict[tuple[int, str], list[EntryPart]] = {}
    for act in account.overrides:
        if account.state.ran and act.action not in _ELSEWHERE:
            before = [place for at, place in begun if at and at <= act.at]
            place = before[-1] if before else account.state.ran[0]
            found.setdefault(place, []).append(_of_act(account, act))
    return found


def _entry(kind: EntryKind, who: str, text: str, *, beside: str = "") -> EntryPart:
    return EntryPart(
        id="",
        group=0,
        kind=kind,
        seat="",
        options=[],
        who=who,
        beside=beside,
        vote="",
        letter="",
        was="",
        was_letter="",
        concedes=[],
        status="",
        remarks=[],
        text=text,
        claims=[],
    )


def _of_notes(account: Account, step: SilentStep) -> list[EntryPart]:
    return [_entry("note", _("The room"), text) for text in shown_texts(account.state, step)]


def _of_message(given: ToAll) -> EntryPart:
    return _entry("moderation", given.speaker, given.text, beside=named(given.kind))


def _of_act(account: Account, act: OverrideRow) -> EntryPart:
    """`struck the reply of planner in round 2 (given → struck): off topic`."""
    change = in_names(account, change_words(act))
    words = f"{in_names(account, override_clause(act))}{f' ({change})' if change else ''}"
    role = "" if act.role in ("", act.actor) else named(act.role)
    kind: EntryKind = "moderation" if act.action in _LEADING else "override"
    return _entry(kind, act.actor, capitalized(f"{words}: {act.reason}" if act.reason else words), beside=role)


def _of_turn(account: Account, row: TurnRow, turn: Turn, claims: Sequence[ClaimOfTurn], was: str) -> EntryPart:
    state = account.state
    name = capitalized(speaker_name(state, row.seat))
    giver = giver_name(account, row)
    # A seat that votes for its side has the name of the option beside its vote.
    stance = "" if row.stance in ("", row.seat, row.vote) else _("assigned: {side}", side=row.stance)
    beside = (giver if giver != name else "", stance, _compared_words(state, turn), _time_words(account, row))
    vote = row.vote or ""
    part = _entry(_kind_of(row), name, "", beside=" · ".join(filter(None, beside)))
    letter = letters(state.spec.options)
    part |= {"id": row.turn_id, "seat": name, "vote": vote, "letter": letter.get(vote, "")}
    part |= {"was": was, "was_letter": letter.get(was, "")}
    part["options"] = [*state.compared.get(turn.address(), ())]
    if row.status != "ok":
        part["status"] = f"{TURN_STATUS[row.status]} {in_names(account, row.message)}".strip()
    if row.status != "struck":
        conceded = (*row.concedes, *(claim for made in turn.claims for claim in made.concedes))
        concedes = [claim_name(account, claim) for claim in dict.fromkeys(conceded)]
        remarks = [*_list_remarks(account, row)]
        part |= {"concedes": concedes, "remarks": remarks, "text": in_names(account, row.text), "claims": [*claims]}
    return part


def _compared_words(state: State, turn: Turn) -> str:
    """The result of a comparison of two options; empty for other turns."""
    pair = state.compared.get(turn.address())
    if pair is None or not isinstance(turn.content, Verdict):
        return ""
    better = turn.content.option
    if better not in pair:
        return _("{first} and {second}: neither is better", first=pair[0], second=pair[1])
    other = pair[1] if better == pair[0] else pair[0]
    return _("prefers {better} to {other}", better=better, other=other)


def _kind_of(row: TurnRow) -> EntryKind:
    if row.role in ("moderator", "referee", "chair", "framer", "assigner"):
        return "moderation"
    return "person" if row.occupant == "human" else "seat"


def _time_words(account: Account, row: TurnRow) -> str:
    """`1:00:20`: the time of a turn within a meeting, if its file gives it."""
    meeting = account.state.spec.held_elsewhere
    seconds = meeting.starts_s[row.seq - 1] if meeting and row.seq <= len(meeting.starts_s) else None
    return "" if seconds is None else f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _list_remarks(account: Account, row: TurnRow) -> Iterator[str]:
    """Failed attempts, doubts about the turn, and look-ups before it."""
    if row.failures:
        failed = "; ".join(
            _("attempt {number}: {why}", number=n, why=why) for n, why in enumerate(row.failures, start=1)
        )
        yield _("attempt {retries} ({failed})", retries=row.retries + 1, failed=failed)
    if row.status == "ok":
        doubts = (left_out_words(row.left_out), argues_for_words(row.argues_for))
        yield from filter(None, (*doubts, _(NO_REASON_GIVEN) if row.no_reason else ""))
    yield from look_up_lines(account.look_ups(row))
