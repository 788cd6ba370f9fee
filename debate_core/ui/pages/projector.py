"""What the wall shows in each stage of a debate: one of six scenes, large, without controls, the same for every eye.

Shows what a stranger may see, whoever has opened it, and of a sealed vote only how many are in.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from debate_core.engine import judge_view, stage
from debate_core.language import Words, _, message, spoken_list
from debate_core.record.acts import BeliefReported, BeliefsRevealed, MarksRevealed, PollRevealed
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.agenda import agenda
from debate_core.report.facts.counts import Number
from debate_core.report.facts.health import ORIGIN_UNKNOWN
from debate_core.report.facts.people_marks import marking_progress
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, Voters, deciding_bars, letters, vote_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.words.contradictions import contradicting_words
from debate_core.report.words.decision_status import DecisionStatus, decision_status
from debate_core.report.words.evidence import rests_sentence
from debate_core.report.words.tournament import next_words, settled_words
from debate_core.report.words.who_decided import DeciderWords, override_words, rule_words
from debate_core.spec.people import poll_name
from debate_core.text import capitalized, first_words, line
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.face import wall
from debate_core.ui.kit.face.beliefs import beliefs_part, marks_part
from debate_core.ui.kit.face.parts import votes_part
from debate_core.ui.kit.face.ranked import SHOWN, ranked_part
from debate_core.ui.kit.words import day_words
from debate_core.ui.room import invitations, join
from debate_core.ui.room.desks import links, lobby
from debate_core.ui.room.live import transcript
from debate_core.ui.room.live.visibility import sight_of, veil
from debate_core.ui.room.live.wire_types import Item, Row

QUESTION_CHARS = 110
CLAIM_WORDS = 20
SAID_WORDS = 25
"""What is read from the last row while somebody speaks: a claim, and of its quote what is left of the words."""
MIN_QUOTE_WORDS = 5
REVEALED_FOR_S = 20
"""What is revealed to the room while seats speak stands so long at least, and until a turn is given."""
UNVERIFIED = message("Rests on unverified quotes")
SPEAKING = frozenset({"asked", "answering", "thinking"})
ADVICE: Words[Voters] = Words({"debaters": "Seats, advice", "panel": "Panel, advice", "room": "Room, advice"})
SIGNED = Words(
    {
        "accept": "Accepted by",
        "accept_with_changes": "Accepted with changes by",
        "reject": "Rejected by",
        "escalate": "Escalated by",
    }
)


def show(state: State) -> None:
    """The scene of the stage at hand, in its frame."""
    told = accounts.of_reader(state, ())
    scene = _scene(state, told)
    wall.draw_wall(_frame(state, told, scene), scene)


def _scene(state: State, told: Account) -> wall.Scene:
    poll = stage.open_poll(state)
    if poll is not None:
        return _vote(state, poll, _("Sealed until the reveal"))
    now = stage.stage(state)
    if now in ("lobby", "prevote"):
        return _lobby(state)
    if now in ("round", "closing"):
        return _revealed_now(state, told) or _marking(state) or _ranked(told) or _round(state, told)
    if stage.final_decision(state).pending:
        return _pending(state)
    return _decision(told, "signed" if now == "signed" else "reveal")


# --- around every scene


def _frame(state: State, told: Account, scene: wall.Scene) -> wall.FramePart:
    question = line(state.spec.question)
    if len(question) > QUESTION_CHARS:
        question = f"{question[: QUESTION_CHARS - 1].rstrip()}…"
    return wall.FramePart(
        question=question,
        clock=_clock(state, told),
        override=override_words(who_decided(told)),
        chips=_chips(state, told),
        steps=[wall.StepPart(name=step.name, when=step.when, beside=step.beside) for step in agenda(state)],
        foot=[*_foot(state, told)],
        beside="" if scene["scene"] == "lobby" else _beside(state, told),
    )


def _clock(state: State, told: Account) -> str:
    """What is left of the phase; after the end how the decision stands."""
    if state.outcome is not None:
        return "" if stage.final_decision(state).pending else decision_status(told).status
    if state.paused is not None:
        return "" if stage.waits_as_agreed(state) else _("Paused")
    ends = stage.deadline(state)
    if ends is None:
        return ""
    left_s = int((ends - datetime.now(UTC)).total_seconds())
    minutes, seconds = divmod(abs(left_s), 60)
    return f"{'+' if left_s < 0 else ''}{minutes}:{seconds:02}"


def _chips(state: State, told: Account) -> list[str]:
    """Who speaks here, if it is no person and no model; what makes the decision itself doubtful."""
    chips = []
    if session.host().is_origin_unknown(state.debate):
        chips.append(_(ORIGIN_UNKNOWN))
    if state.spec.rehearsal:
        chips.append(_("Rehearsal"))
    elif state.spec.evidence_panel():
        chips.append(_("No model"))
    if words := contradicting_words(told):
        chips.append(words)
    if rests_sentence(told, with_ids=False):
        chips.append(_(UNVERIFIED))
    return chips


def _foot(state: State, told: Account) -> Iterator[tuple[str, str]]:
    decider = decision_status(told).decider
    yield decider.label, _who_words(told, decider)
    signed = told.decision.signed
    if signed is not None:
        if not who_decided(told).by_person:
            yield SIGNED[signed.word.verdict], line(signed.by.name)
        if signed.word.owner:
            yield _("Owner"), line(signed.word.owner)
        return
    if state.outcome is not None:
        if rows := judgements.option_rows(state):
            best = max(rows, key=lambda row: row.mean)
            yield _("Judges"), f"{judgements.percent(best.mean)} {line(best.option)}"
        return
    if progress := _judges(state):
        yield _("Judges"), progress


def _who_words(told: Account, decider: DeciderWords) -> str:
    """`The room: 7 of 12 needed`; once it is decided who decided."""
    who = line(decider.who)
    is_open = who_decided(told).standing in ("open", "vote_due")
    needs = rule_words(told) if is_open else ""
    return _("{who}: {needs}", who=who, needs=needs) if needs else who


def _judges(state: State) -> str:
    judges = [p for p in stage.present(state) if p.role == "judge"]
    number = judge_view.complete_rounds(state)
    if not judges or number <= max(stage.revealed_round(state), 0):
        return ""
    reported = {report.by for report in state.room.of(BeliefReported) if report.fact.round == number}
    return _("{reported} of {judges} in", reported=sum(judge.id in reported for judge in judges), judges=len(judges))


def _beside(state: State, told: Account) -> str:
    """The day it was signed; before the end the way in, for whoever comes late."""
    if told.decision.signed is not None:
        return day_words(datetime.fromisoformat(told.decision.signed.at))
    invite = invitations.open_invite(session.host().door, state) if state.spec.has_people else None
    if invite is None or (state.outcome is not None and stage.open_poll(state) is None):
        return ""
    return f"{invite.shown_code()} · {_address()}"


def _address() -> str:
    """Without the scheme, which nobody types."""
    return join.join_link(links.address()).removeprefix("http://")


# --- 1 lobby, 3 vote


def _lobby(state: State) -> wall.LobbyScene:
    """Code and picture for all: what lets in observers and voters is no secret in the room."""
    door = session.host().door
    come = len(invitations.come(door, state))
    scene = wall.LobbyScene(
        scene="lobby",
        qr=[],
        code="",
        address=_address(),
        here=lobby.here_words(come),
        come=come,
        expected=len(stage.present(state)),
    )
    invite = invitations.open_invite(door, state)
    if invite is not None:
        scene["qr"] = join.qr_rows(join.join_link(links.address(), door.token(invite)))
        scene["code"] = invite.shown_code()
    return scene


def _vote(state: State, poll: PollState | None, words: str, title: str = "") -> wall.VoteScene:
    """How many are in, never what."""
    name = named(poll_name(poll.id)) if poll else title
    rings = [*_rings(state, poll)]
    if len(rings) == 1:
        rings[0]["label"] = ""
    return wall.VoteScene(scene="vote", title=capitalized(name), line=words, options=_choices(state, None), rings=rings)


def _rings(state: State, poll: PollState | None) -> Iterator[wall.RingPart]:
    """One for each electorate in which there is somebody."""
    for electorate in stage.ELECTORATES:
        people = stage.electors(state, poll, electorate) if poll else stage.voters(state, electorate)
        cast = sum(voter.id in poll.ballots for voter in people) if poll else 0
        if people:
            yield wall.RingPart(label=named(electorate), cast=cast, eligible=len(people))


def _marking(state: State) -> wall.VoteScene | None:
    """How many have marked the passages, while nobody speaks: the debate waits, or the marks themselves are asked."""
    progress = marking_progress(state)
    is_marking = state.open is not None and state.open.slot.phase.gives == "review"
    if progress is None or not (is_marking or stage.waits_as_agreed(state)):
        return None
    return wall.VoteScene(
        scene="vote",
        title=_("Mark the passages"),
        line=_("On your phone · sealed until shown"),
        options=_choices(state, None),
        rings=[wall.RingPart(label="", cast=progress.done, eligible=progress.people)],
    )


def _pending(state: State) -> wall.VoteScene:
    """The debate is over, and the vote that decides has not been opened, or not been revealed."""
    final = state.room.polls.get("final")
    if final is None:
        return _vote(state, None, _("The final vote decides"), title=_("The debate is over"))
    return _vote(state, final, _("Closed · sealed until revealed"))


def _choices(state: State, bars: VoteBars | None) -> list[wall.ChoicePart]:
    """The options; with what each has where something is counted."""
    of = bars.of if bars else 0
    has: dict[str, Number] = {}
    if bars and not bars.is_sealed:
        has = {bar.option: bar.has for bar in bars.bars}
    return [
        wall.ChoicePart(letter=letter, option=line(option), has=has.get(option), of=of)
        for option, letter in letters(state.spec.options).items()
    ]


# --- 2 round


def _round(state: State, told: Account) -> wall.RoundScene:
    """Who spoke last and one claim of theirs, and the seats by the letters alone; before that, who speaks."""
    items = [item for item in _as_strangers_see(state) if "!" not in item["id"]]
    given = [item for item in items if _has_spoken(item)]
    bars = next((bars for bars in vote_bars(told) if bars.are_of_seats), None)
    scene = wall.RoundScene(
        scene="round",
        speaker=_now(items),
        letter="",
        doing="",
        claim="",
        quote="",
        source="",
        title=_title_over(bars),
        options=_choices(state, bars),
        named=not given,
    )
    if given:
        _say(state, scene, given[-1])
    elif scene["speaker"] and state.paused is None:
        scene["doing"] = _("speaking")
    return scene


def _title_over(bars: VoteBars | None) -> str:
    """What stands over the options: whose votes they have, if some are counted in sight."""
    if bars is None or bars.is_sealed:
        return _("The options")
    return _("Seats") if bars.decides else _("Seats, advice")


def _has_spoken(item: Item) -> bool:
    return item["state"] == "given" and bool(item.get("rows") or item["text"])


def _as_strangers_see(state: State) -> list[Item]:
    """The turns under the names that a stranger reads, without what is sealed."""
    shown, _veiled = veil(transcript.picture(state, {}, ()), sight_of(state, None), {})
    return shown["items"]


def _now(items: list[Item]) -> str:
    """`Risk`, `Risk and Cost`, `3 seats`: who speaks, or is asked."""
    names = [_name(item) for item in items if item["state"] in SPEAKING]
    if len(names) > 2:
        return _("{names} seats", names=len(names))
    return spoken_list(names)


def _name(item: Item) -> str:
    return capitalized(line(item["name"]))


def _say(state: State, scene: wall.RoundScene, item: Item) -> None:
    scene["speaker"] = _name(item)
    vote = item.get("vote")
    if vote and vote["counts"]:
        scene["letter"] = letters(state.spec.options).get(vote["text"], "")
    row = _row_to_read(item)
    quote = row.get("quote", "")
    scene["claim"] = first_words(row["text"] or quote, CLAIM_WORDS)
    left = SAID_WORDS - len(scene["claim"].split())
    if row["text"] and _holds(row) and left >= MIN_QUOTE_WORDS and not _repeats(row["text"], quote):
        scene["quote"] = first_words(quote, left)
        scene["source"] = line(row.get("links", ""))


def _row_to_read(item: Item) -> Row:
    """The first claim whose quote holds, else the first claim, else the prose."""
    rows = [row for row in item.get("rows", ()) if row["text"] or row.get("quote")]
    rows.append(Row(id="", text=item["text"]))
    return next(filter(_holds, rows), rows[0])


def _repeats(claim: str, quote: str) -> bool:
    """True if most words of a quote stand in the claim already: read twice they only make the type smaller."""
    said, quoted = (re.findall(r"\w+", text.casefold()) for text in (claim, quote))
    return 3 * sum(word in said for word in quoted) >= 2 * len(quoted)


def _holds(row: Row) -> bool:
    """True for a claim with a quote that stands in its source."""
    return bool(row.get("quote")) and not row.get("false")


# --- a tournament, in the place of a round


def _ranked(told: Account) -> wall.RankedScene | None:
    """How the best stand so far, and what is compared now; None where no options are compared."""
    state = told.state
    if not state.spec.protocol.paired:
        return None
    return wall.RankedScene(
        scene="ranked",
        title=settled_words(told),
        now=next_words(told.recorded),
        ranked=ranked_part(told, most=SHOWN),
    )


# --- 4 reveal, 5 signed


def _revealed_now(state: State, told: Account) -> wall.RevealScene | None:
    """What was revealed to the room last, as long as it is new: a vote of people, or what the judges think."""
    revealed = [(done.at, "vote") for done in state.room.of(PollRevealed)]
    revealed += [(done.at, "judges") for done in state.room.of(BeliefsRevealed)]
    revealed += [(done.at, "marks") for done in state.room.of(MarksRevealed)]
    if not revealed:
        return None
    at, what = max(revealed)
    stands_until = datetime.fromisoformat(at) + timedelta(seconds=REVEALED_FOR_S)
    spoken_since = any(turn.at > at for turn in state.all_turns())
    if spoken_since and datetime.now(UTC) > stands_until:
        return None
    match what:
        case "marks":
            return _marks_say(told)
        case "judges":
            return _judges_think(state)
        case _:
            return _poll_says(state, told)


def _marks_say(told: Account) -> wall.RevealScene:
    """How many marks of the room speak for each option."""
    votes = marks_part(told)
    return wall.RevealScene(
        scene="reveal", letter="", headline=_("Marks of the room"), line=_("Evidence, and no votes."), votes=votes
    )


def _poll_says(state: State, told: Account) -> wall.RevealScene | None:
    """The last vote of the electorate that will decide, else of the first."""
    read = [bars for bars in vote_bars(told) if not bars.are_of_seats and not bars.is_sealed]
    if not read:
        return None
    bars = next((bars for bars in read if bars.voters == state.spec.terms.decides), read[0])
    poll = [*state.room.polls.values()][-1]
    words = _(
        "{cast} of {eligible} in the {voters} voted. Nothing is decided by it.",
        cast=bars.cast,
        eligible=bars.eligible,
        voters=named(bars.voters),
    )
    return wall.RevealScene(
        scene="reveal",
        letter="",
        headline=capitalized(named(poll_name(poll.id))),
        line=words,
        votes=votes_part(bars, title="", reveals=True),
    )


def _judges_think(state: State) -> wall.RevealScene | None:
    votes = beliefs_part(state, title=_("per cent"), reveals=True)
    if votes is None:
        return None
    number = votes["cast"]
    words = _("A reading, never the decision.")
    if number > 1:
        words = _("Mean of {number} judges: a reading, never the decision.", number=number)
    return wall.RevealScene(scene="reveal", letter="", headline=_("What the judges think"), line=words, votes=votes)


def _decision(told: Account, scene: str) -> wall.RevealScene:
    """What was decided and the votes that decided it; where a seat decides, without votes."""
    status: DecisionStatus = decision_status(told)
    bars = deciding_bars(told)
    votes = None
    if bars and not bars.is_sealed:
        votes = votes_part(bars, title="", reveals=True)
    return wall.RevealScene(
        scene=scene,
        letter=status.letter,
        headline=line(status.headline),
        line=status.line,
        note=status.of_no_person,
        votes=votes,
        advice=[votes_part(advice, title=ADVICE[advice.voters]) for advice in vote_bars(told) if _advises(advice)],
    )


def _advises(bars: VoteBars) -> bool:
    return not bars.decides and not bars.is_sealed
