"""The projector page: one of six large scenes, chosen by the stage of the debate, without controls.

Shows what a stranger may see, regardless of the viewer, and of a sealed vote only the number of ballots.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from debate_core.engine import judge_view, preparation, stage
from debate_core.engine.anchoring import is_vote_ahead
from debate_core.language import _, _n, message, quoted, spoken_list
from debate_core.record.acts import BeliefReported, BeliefsRevealed, MarksRevealed, PollRevealed
from debate_core.record.people import PollState
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.agenda import AgendaStep, agenda
from debate_core.report.facts.counts import Number
from debate_core.report.facts.decision import Signature
from debate_core.report.facts.health import ORIGIN_UNKNOWN
from debate_core.report.facts.people_marks import marking_progress
from debate_core.report.facts.recommendation import RankedOptions
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import VoteBars, deciding_bars, letters, vote_bars
from debate_core.report.facts.who_decided import who_decided
from debate_core.report.phrases.contradictions import contradicting_words
from debate_core.report.phrases.crux import crux_headline
from debate_core.report.phrases.decision import SIGNED_BY
from debate_core.report.phrases.decision_status import decision_status
from debate_core.report.phrases.evidence import rests_sentence
from debate_core.report.phrases.foreword import held_elsewhere_words
from debate_core.report.phrases.recommendation import place_lines, place_words
from debate_core.report.phrases.tournament import next_words, settled_words
from debate_core.report.phrases.voters import ADVICE_OF, NAMES
from debate_core.report.phrases.who_decided import count_name, of_voters, override_words, rule_words
from debate_core.spec.people import SilentStep, poll_name
from debate_core.text import capitalized, first_words, line
from debate_core.ui.kit import accounts, session
from debate_core.ui.kit.components import wall
from debate_core.ui.kit.components.beliefs import beliefs_part, marks_part
from debate_core.ui.kit.components.parts import votes_part
from debate_core.ui.kit.components.ranked import n_shown, ranked_part
from debate_core.ui.kit.dates import spell_days
from debate_core.ui.room import invitations, join
from debate_core.ui.room.live import transcript
from debate_core.ui.room.live.visibility import sight_of, veil
from debate_core.ui.room.live.wire_types import Item, Row
from debate_core.ui.room.role_panels import links, lobby
from debate_core.ui.room.role_panels.preparation import ASKED

QUESTION_CHARS = 110
REASON_WORDS, REVIEW_WORDS = 9, 4
SAID_WORDS = 15
"""Longest text of a claim and its quote together: with the names of the options 40 words, which the last row reads."""
WRITTEN_ON_WALL = 8
"""Maximum number of texts of a silent step: as many as there can be options."""
REVEALED_FOR_S = 20
"""A reveal during a round is shown at least this long, and until the next turn is given."""
UNVERIFIED = message("Rests on unverified quotes")
SPEAKING = frozenset({"asked", "answering", "thinking"})


def show(state: State) -> None:
    """Draw the scene of the current stage in its frame."""
    account = accounts.at_page(state, ())
    scene = _choose_scene(state, account)
    foot = [] if _decides_nothing(state) else [*_list_deciders(state, account)]
    # The lobby has it in large, and beside a claim the wall has more than 40 words.
    has_way_in = scene["scene"] != "lobby" and not scene.get("claim")
    frame = wall.FramePart(
        question=_shorten(line(state.spec.question)),
        clock=_format_clock(state, account),
        override=override_words(who_decided(account)),
        chips=_list_chips(state, account),
        steps=[_step_part(state, step, scene) for step in agenda(state)],
        foot=foot,
        beside=_describe_way_in(state) if has_way_in else "",
    )
    wall.draw_wall(frame, scene)


def _step_part(state: State, step: AgendaStep, scene: wall.Scene) -> wall.StepPart:
    """A step of the agenda; beside a claim the phase without its progress, which dots show."""
    beside = step.beside
    if step.when == "now" and scene.get("claim") and state.open is not None:
        beside = named(state.open.slot.phase.name)
    return wall.StepPart(name=step.name, when=step.when, beside=beside)


def _shorten(question: str) -> str:
    return question if len(question) <= QUESTION_CHARS else f"{question[: QUESTION_CHARS - 1].rstrip()}…"


def _decides_nothing(state: State) -> bool:
    """True while a vote is open that decides nothing: the rule of the final vote below it would be read as its own."""
    poll = stage.open_poll(state)
    return poll is not None and poll.id != "final"


def _choose_scene(state: State, account: Account) -> wall.Scene:
    poll = stage.open_poll(state)
    if poll is not None:
        words = _("Sealed until the reveal")
        return _vote_scene(state, poll, _("Decides nothing · sealed") if _decides_nothing(state) else words)
    now = stage.stage(state)
    if step := preparation.silent(state):
        return _silent_scene(state, step)
    if now in ("lobby", "prevote"):
        return _written_scene(state, "facts") or _lobby_scene(state)
    if now in ("round", "closing"):
        scene = _revealed_scene(state, account) or _marking_scene(state) or _ranked_scene(account)
        return scene or _round_scene(state, account)
    return _choose_last_scene(state, account)


def _choose_last_scene(state: State, account: Account) -> wall.Scene:
    """The scene after the debate: the premortem, the final vote, the decision."""
    now = stage.stage(state)
    final = state.room.polls.get("final")
    if now == "over" and final is None and (shown := _written_scene(state, "premortem")):
        return shown
    if not stage.final_decision(state).pending:
        if now == "over" and state.spec.terms.decides == "debaters" and (ranked := _ranked_scene(account)):
            return ranked
        return _decision_scene(account, "signed" if now == "signed" else "reveal")
    if final is None:
        return _vote_scene(state, None, _("The final vote decides"), title=_("The debate is over"))
    return _vote_scene(state, final, _("The result is not revealed yet"), title=_("The vote is closed"))


# --- around every scene


def _format_clock(state: State, account: Account) -> str:
    """The time of the phase, such as `4:05 left`; after the end the status of the decision."""
    if state.outcome is not None:
        return "" if stage.final_decision(state).pending else decision_status(account).status
    if state.paused is not None:
        return "" if stage.waits_as_agreed(state) else _("Paused")
    ends = stage.deadline(state)
    if ends is None:
        return ""
    left_s = int((ends - datetime.now(UTC)).total_seconds())
    minutes, seconds = divmod(abs(left_s), 60)
    time = f"{minutes}:{seconds:02}"
    return _("{time} over", time=time) if left_s < 0 else _("{time} left", time=time)


def _list_chips(state: State, account: Account) -> list[str]:
    """Labels of transcripts, imported records, rehearsals and debates without models, and doubts about the decision."""
    chips = []
    if words := held_elsewhere_words(state.spec.held_elsewhere):
        chips.append(words)
    if session.host().is_origin_unknown(state.debate):
        chips.append(_(ORIGIN_UNKNOWN))
    if state.spec.rehearsal:
        chips.append(_("Rehearsal"))
    elif state.spec.evidence_panel():
        chips.append(_("No model"))
    if words := contradicting_words(account):
        chips.append(words)
    if rests_sentence(account, with_ids=False):
        chips.append(_(UNVERIFIED))
    return chips


def _list_deciders(state: State, account: Account) -> Iterator[tuple[str, str]]:
    """`The room: 7 of 12 needed`, then signer and owner, or the judges."""
    decider = decision_status(account).decider
    decided = who_decided(account)
    needs = rule_words(account) if decided.standing in ("open", "vote_due") else ""
    if needs:
        who = line(capitalized(count_name(decided.counted)))
        yield decider.label, _("{who}: {needs}", who=who, needs=needs)
    elif decided.standing != "accepted" or not _says_who_voted(account):
        yield decider.label, line(decider.who)
    signed = account.decision.signed
    if signed is not None:
        yield from _list_signature(signed, by_person=decided.by_person)
    elif words := _judges_words(state):
        yield _("Judges") if state.outcome is None else _("Judges' mean"), words


def _list_signature(signed: Signature, *, by_person: bool) -> Iterator[tuple[str, str]]:
    """Signer, owner and review; the signer is drawn above if a person decided."""
    if not by_person:
        # The status above names the verdict; `Approver` is shorter than `Accepted by`.
        role = signed.by.role
        yield capitalized(named(role)) if role else SIGNED_BY[signed.word.verdict], line(signed.by.name)
    if signed.word.owner:
        yield _("Owner"), line(signed.word.owner)
    if signed.word.revisit:
        yield _("Review"), line(first_words(spell_days(signed.word.revisit), REVIEW_WORDS))


def _says_who_voted(account: Account) -> bool:
    """True if the line below the decision says how many of the voters chose it."""
    bars = deciding_bars(account)
    return bars is not None and bars.counts_everybody


def _judges_words(state: State) -> str:
    """The number of judges who answered, or after the end their most probable option, once votes are counted."""
    if state.outcome is None:
        return _count_judges(state)
    rows = judgements.option_rows(state)
    if stage.final_decision(state).pending or not rows:
        return ""
    best = max(rows, key=lambda row: row.mean)
    letter = letters(state.spec.options)[best.option]
    return _("{option}: {percent}", option=letter, percent=judgements.percent(best.mean))


def _count_judges(state: State) -> str:
    judges = [p for p in stage.present(state) if p.role == "judge"]
    number = judge_view.complete_rounds(state)
    if not judges or number <= max(stage.revealed_round(state), 0):
        return ""
    reported = {report.by for report in state.room.of(BeliefReported) if report.fact.round == number}
    return _("{reported} of {judges} in", reported=sum(judge.id in reported for judge in judges), judges=len(judges))


def _describe_way_in(state: State) -> str:
    """The code and the address for latecomers."""
    invite = invitations.open_invite(session.host().door, state) if state.spec.has_people else None
    is_past = state.outcome is not None and stage.open_poll(state) is None
    if invite is None or is_past or not links.address().is_for_phones:
        return ""
    return _("Join: {address} · {code}", address=_address(), code=invite.shown_code())


def _address() -> str:
    """The address as people type it."""
    return join.typed(join.join_link(links.address()))


# --- 1 lobby, 3 vote


def _lobby_scene(state: State) -> wall.LobbyScene:
    """The public code and its QR code: the access of observers and voters is no secret in the room.

    While phones cannot open the address, the code would lead nowhere: only the facilitator reads it.
    """
    door = session.host().door
    come = len(invitations.come(door, state))
    expected = len(stage.present(state))
    address = links.address()
    invite = invitations.open_invite(door, state)
    scene = wall.LobbyScene(
        scene="lobby",
        qr=[],
        code="",
        address="",
        closed="",
        here=lobby.here_words(come, expected),
        come=come,
        expected=expected,
        title=_shorten(line(state.spec.question)),
        options=_list_options(state, None),
    )
    if invite is None:
        return scene
    if address.is_for_phones:
        scene["qr"] = join.qr_rows(join.join_link(address, door.token(invite)))
        scene["code"] = invite.shown_code()
        scene["address"] = _address()
    else:
        scene["closed"] = _("Phones cannot join yet")
    return scene


def _vote_scene(state: State, poll: PollState | None, words: str, title: str = "") -> wall.VoteScene:
    """The number of ballots of each electorate, never their content."""
    name = title or (named(poll_name(poll.id)) if poll else "")
    rings, options = _list_rings(state, poll), _list_options(state, None)
    scene = wall.VoteScene(scene="vote", title=capitalized(name), line=words, options=options, rings=rings)
    if poll is not None and poll.closed is None:
        scene["way"] = _("Vote on your phone") if links.address().is_for_phones else _("Vote on your own screen")
    return scene


def _list_rings(state: State, poll: PollState | None) -> list[wall.RingPart]:
    """A ring for each electorate, which has a label beside another one."""
    rings = []
    for electorate in stage.ELECTORATES:
        people = stage.electors(state, poll, electorate) if poll else stage.voters(state, electorate)
        cast = sum(voter.id in poll.ballots for voter in people) if poll else 0
        if people:
            rings.append(wall.RingPart(label=NAMES[electorate], cast=cast, eligible=len(people)))
    if len(rings) == 1:
        rings[0]["label"] = ""
    return rings


def _silent_scene(state: State, step: SilentStep) -> wall.VoteScene:
    """The question of a silent step, and the number of people who are done."""
    asked = {person.id for person in preparation.asked(state)}
    done = len(preparation.prepared(state, step) & asked)
    rings = [wall.RingPart(label="", cast=done, eligible=len(asked))] if asked else []
    line_below = _("On your phone · sealed until shown")
    return wall.VoteScene(scene="vote", title=ASKED[step], line=line_below, options=[], rings=rings)


def _written_scene(state: State, step: SilentStep) -> wall.VoteScene | None:
    """The texts of a silent step once they are shown; None before, and without any."""
    texts = preparation.shown_texts(state, step)
    if not texts:
        return None
    rows = [
        wall.ChoicePart(letter="", option=f"{number}. {line(text)}", has=None, of=0)
        for number, text in enumerate(texts[:WRITTEN_ON_WALL], start=1)
    ]
    left = len(texts) - len(rows)
    more = _n(left, "{n} more on the phones", "{n} more on the phones") if left else ""
    return wall.VoteScene(scene="vote", title=ASKED[step], line=more, options=rows, rings=[])


def _marking_scene(state: State) -> wall.VoteScene | None:
    """The number of people who have marked the passages; None while seats speak."""
    progress = marking_progress(state)
    is_marking = state.open is not None and state.open.slot.phase.gives == "review"
    if progress is None or not (is_marking or stage.waits_as_agreed(state)):
        return None
    return wall.VoteScene(
        scene="vote",
        title=_("Mark the passages"),
        line=_("On your phone · sealed until shown"),
        options=_list_options(state, None),
        rings=[wall.RingPart(label="", cast=progress.done, eligible=progress.people)],
    )


def _list_options(state: State, bars: VoteBars | None) -> list[wall.ChoicePart]:
    """The options, with their votes if `bars` has a count that is not sealed."""
    of = bars.of if bars else 0
    has: dict[str, Number] = {}
    if bars and not bars.is_sealed:
        has = {bar.option: bar.has for bar in bars.bars}
    return [
        wall.ChoicePart(letter=letter, option=line(option), has=has.get(option), of=of)
        for option, letter in letters(state.spec.options).items()
    ]


# --- 2 round


def _round_scene(state: State, account: Account) -> wall.RoundScene:
    """The last speaker with one claim, or the seats that are asked now; the votes of the seats by letters."""
    items = _turns_for_strangers(state)
    given = [item for item in items if _has_words(item)]
    bars = _seat_bars(account)
    scene = wall.RoundScene(
        scene="round",
        speaker=_name_speakers(items),
        letter="",
        doing="",
        claim="",
        quote="",
        source="",
        now="",
        given=len(state.open.answers) if state.open else 0,
        planned=len(state.open.asked) if state.open else 0,
        title=_title_of_votes(bars),
        options=_list_options(state, bars),
        named=not given,
    )
    if given:
        if scene["speaker"] and state.paused is None:
            scene["now"] = _("Now: {names}", names=scene["speaker"])
        _fill_in_claim(state, scene, given[-1])
    elif scene["speaker"] and state.paused is None:
        scene["doing"] = _("speaking")
    return scene


def _turns_for_strangers(state: State) -> list[Item]:
    """The turns without real names and sealed text, and without messages to all seats."""
    shown, _veiled = veil(transcript.picture(state, {}, ()), sight_of(state, None), {})
    return [item for item in shown["items"] if "!" not in item["id"]]


def _has_words(item: Item) -> bool:
    return item["state"] == "given" and bool(item.get("rows") or item["text"])


def _seat_bars(account: Account) -> VoteBars | None:
    """The votes of the seats; None before a vote of people."""
    if is_vote_ahead(account.state):
        return None
    return next((bars for bars in vote_bars(account) if bars.are_of_seats), None)


def _title_of_votes(bars: VoteBars | None) -> str:
    return _("The options") if bars is None or bars.is_sealed else _("Seats")


def _name_speakers(items: list[Item]) -> str:
    """`Risk`, `Risk and Cost`, `3 seats`."""
    names = [_name(item) for item in items if item["state"] in SPEAKING]
    return _("{names} seats", names=len(names)) if len(names) > 2 else spoken_list(names)


def _name(item: Item) -> str:
    return capitalized(line(item["name"]))


def _fill_in_claim(state: State, scene: wall.RoundScene, item: Item) -> None:
    scene["speaker"], scene["doing"] = _name(item), _("said:")
    vote = item.get("vote")
    if vote and vote["counts"]:
        scene["letter"] = letters(state.spec.options).get(vote["text"], "")
    row = _choose_claim(item)
    quote = row.get("quote", "")
    scene["claim"] = first_words(row["text"] or quote, SAID_WORDS)
    left = SAID_WORDS - len(scene["claim"].split())
    fits = len(quote.split()) <= left
    # Half a quote may say the opposite of the whole.
    if row["text"] and _has_verified_quote(row) and fits and not _repeats(row["text"], quote):
        scene["quote"] = quoted(line(quote))
        scene["source"] = line(row.get("links", ""))


def _choose_claim(item: Item) -> Row:
    """The first claim with a verified quote, else the first claim, else the prose."""
    rows = [row for row in item.get("rows", ()) if row["text"] or row.get("quote")]
    rows.append(Row(id="", text=item["text"]))
    return next(filter(_has_verified_quote, rows), rows[0])


def _repeats(claim: str, quote: str) -> bool:
    """True if the claim already contains two thirds of the words of the quote."""
    claimed = re.findall(r"\w+", claim.casefold())
    found = re.findall(r"\w+", quote.casefold())
    return 3 * sum(word in claimed for word in found) >= 2 * len(found)


def _has_verified_quote(row: Row) -> bool:
    return bool(row.get("quote")) and row.get("verdict_colour") != "red"


# --- a tournament, instead of a round


def _ranked_scene(account: Account) -> wall.RankedScene | None:
    """The best options, who compares now, and after the end the result; None in a debate without comparisons."""
    if not account.state.spec.protocol.paired:
        return None
    title, now = settled_words(account), next_words(account.recorded)
    if account.state.outcome is not None:
        status = decision_status(account)
        title, now = line(status.headline), status.line
    return wall.RankedScene(
        scene="ranked",
        title=title,
        now=now,
        ranked=ranked_part(account, most=n_shown(len(account.ranking))),
    )


# --- 4 reveal, 5 signed


def _revealed_scene(state: State, account: Account) -> wall.RevealScene | None:
    """The last reveal (vote, judges or marks) while it is new."""
    revealed = [(done.at, "vote") for done in state.room.of(PollRevealed)]
    revealed += [(done.at, "judges") for done in state.room.of(BeliefsRevealed)]
    revealed += [(done.at, "marks") for done in state.room.of(MarksRevealed)]
    if not revealed:
        return None
    at, what = max(revealed)
    shown_until = datetime.fromisoformat(at) + timedelta(seconds=REVEALED_FOR_S)
    spoken_since = any(turn.at > at for turn in state.all_turns())
    if spoken_since and datetime.now(UTC) > shown_until:
        return None
    if what == "marks":
        headline = _("Marks of the room")
        votes = marks_part(account)
        return wall.RevealScene(
            scene="reveal", letter="", headline=headline, line=_("Evidence, and no votes."), votes=votes
        )
    return _judges_scene(state) if what == "judges" else _poll_scene(state, account)


def _poll_scene(state: State, account: Account) -> wall.RevealScene | None:
    """The last vote of the electorate that will decide, else of the first."""
    revealed = [bars for bars in vote_bars(account) if not bars.are_of_seats and not bars.is_sealed]
    if not revealed:
        return None
    bars = next((bars for bars in revealed if bars.voters == state.spec.terms.decides), revealed[0])
    poll = [*state.room.polls.values()][-1]
    words = _("{cast} {of_voters} voted. This vote decides nothing.", cast=bars.cast, of_voters=of_voters(bars))
    votes = votes_part(bars, title="", reveals=True)
    headline = capitalized(named(poll_name(poll.id)))
    return wall.RevealScene(scene="reveal", letter="", headline=headline, line=words, votes=votes)


def _judges_scene(state: State) -> wall.RevealScene | None:
    votes = beliefs_part(state, title=_("per cent"), reveals=True)
    if votes is None:
        return None
    words = _("It decides nothing.")
    if votes["cast"] > 1:
        words = _("Mean of {number} judges; it decides nothing.", number=votes["cast"])
    return wall.RevealScene(scene="reveal", letter="", headline=_("What the judges think"), line=words, votes=votes)


def _decision_scene(account: Account, scene: str) -> wall.RevealScene:
    """The decision, the votes that made it (none if a seat decides), and until the signature the advisory votes."""
    status = decision_status(account)
    bars = deciding_bars(account)
    votes = None
    if bars and not bars.is_sealed:
        votes = votes_part(bars, title="", reveals=True)
    advisory = [] if scene == "signed" else _shown_advice(account)
    words, note, scale = status.line, status.of_no_person, ""
    if not note:
        words, note, scale = _words_below(account, status.line, fills_wall=scene == "signed" and votes is not None)
    drawn = wall.RevealScene(
        scene=scene,
        letter=status.letter,
        headline=line(status.headline),
        line=words,
        note=note,
        scale=scale,
        votes=votes,
        advice=[votes_part(advice, title=ADVICE_OF[advice.voters]) for advice in advisory],
    )
    if account.recommendation:
        drawn["recommended"] = _recommended_part(account.recommendation, letters(account.state.spec.options))
    return drawn


def _words_below(account: Account, arithmetic: str, *, fills_wall: bool) -> tuple[str, str, str]:
    """The arithmetic, the reason or what decided it, and the number of voters.

    Beside signed votes, which fill the wall, the reason takes the place of the arithmetic of a plain win.
    """
    reason = _reason_words(account)
    if not fills_wall:
        return arithmetic, reason or line(crux_headline(account)), ""
    voters = _plain_win(account)
    return ("", reason, voters) if reason and voters else (arithmetic, "", "")


def _plain_win(account: Account) -> str:
    """`of 12`, which leaves room for the reason of the signature; empty where the count needs a sentence."""
    bars = deciding_bars(account)
    if bars is None or who_decided(account).standing != "accepted" or not bars.counts_everybody:
        return ""
    needs_words = bars.needed is None or bars.tie_steps or bars.in_a_row > 1
    return "" if needs_words else _("of {of}", of=bars.of)


def _shown_advice(account: Account) -> list[VoteBars]:
    return [bars for bars in vote_bars(account) if not (bars.decides or bars.is_sealed)]


def _reason_words(account: Account) -> str:
    """The reason of the signature, shortened."""
    signed = account.decision.signed
    said = line(first_words(signed.word.reason, REASON_WORDS)) if signed else ""
    return quoted(said) if said else ""


def _recommended_part(found: RankedOptions, letter: Mapping[str, str]) -> wall.RecommendationPart:
    title = _("Ranking, decides nothing")
    rows = [
        wall.RecommendedPart(place=place_words(row), letter=letter[row.option], option=line(row.option))
        for row in found.rows
    ]
    return wall.RecommendationPart(title=title, alt=f"{title}. {'. '.join(place_lines(found))}", rows=rows)
