"""The last part of a decision record: how it was counted, judged, overridden, contested, signed, and where to check.

Nothing that is still sealed is in it. Called by `adr`.
"""

from collections.abc import Iterator, Sequence

from debate_core.engine.count import counting
from debate_core.engine.stage import ELECTORATES, known_as, sealed
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report import judgements
from debate_core.report.acts import OverrideRow, override_rows
from debate_core.report.adr_parts import Case
from debate_core.report.adr_text import Block, Heading, Para, Quote, bullets, code, inline
from debate_core.report.contract import poll_sentence, ties_sentence
from debate_core.report.course import steering_sentence
from debate_core.report.decision import VERDICTS, Dissent, Signature, Who, tallies
from debate_core.report.narrative import DirectiveRow, directive_rows
from debate_core.report.participation import share_rows
from debate_core.report.poll_words import deciding_words, swing_words
from debate_core.report.polls import aliases, counted_voters, kind_of
from debate_core.report.rule_words import agreed_sentence
from debate_core.report.sentences import plural
from debate_core.report.synthesis import flag_rows, standing
from debate_core.spec.rules import ballot_kind


def sections(case: Case, events: Sequence[Event]) -> list[tuple[str, list[Block]]]:
    """Title and blocks of every section that has something to say, in order."""
    found = [
        ("How it was counted", counted(case)),
        ("How people judged", judged(case)),
        ("How it was led", led(case)),
        ("Overrides", overrides(case, events)),
        ("Dissent and objections", dissent(case)),
        ("Open points of the synthesis", flagged(case)),
        ("Declared interests", interests(case)),
        ("Signatures", signatures(case)),
        ("What became of it", later(case)),
        ("Revisit", revisit(case)),
        ("Record", record(case.state)),
    ]
    return [(title, blocks) for title, blocks in found if blocks]


def under_headings(case: Case, events: Sequence[Event], level: int = 3) -> list[Block]:
    """The same as one run of blocks."""
    return [b for title, blocks in sections(case, events) for b in (Heading(level, title), *blocks)]


def counted(case: Case) -> list[Block]:
    """The rule that decides, as agreed, and what each electorate said; they are never added up."""
    state = case.state
    room, debaters = state.spec.room, case.say(agreed_sentence(state.spec))
    if room is None or room.decides == "debaters":
        lines = [f"Rule: {debaters}"]
    else:
        there = [p for e in ELECTORATES for p in counted_voters(state, "final", e)]
        decides = f"{poll_sentence(room, there)} {ties_sentence(room.vote)}"
        lines = [f"Rule: {case.say(decides)}", f"Rule of the debaters, as advice: {debaters}"]
    if said := deciding_words(state):
        lines.append(case.say(said))
    lines += [f"{name}: {case.say(said)}" for name, said in tallies(state)]
    lines += [case.say(said) for e in ELECTORATES if (said := swing_words(state, e))]
    return bullets(lines)


def judged(case: Case) -> list[Block]:
    """The judges' mean probabilities and how far they agree; only what was revealed."""
    rows = judgements.option_rows(case.state)
    if not rows:
        return []
    means = ", ".join(f"{case.say(r.option)} {r.mean:.0%}" for r in rows)
    flags = map(case.say, judgements.judge_flags(case.state))
    return bullets([f"Mean probability: {means}", case.say(judgements.agreement_sentence(case.state)), *flags])


def led(case: Case) -> list[Block]:
    """What whoever leads could steer by: how often people stepped in, who spoke how much, what rounds began with."""
    state = case.state
    shares = [f"{inline(case.names.seat(r.seat))} {r.share:.0%} ({plural(r.turns, 'turn')})" for r in share_rows(state)]
    told = [r for r in directive_rows(state) if not r.replaced and r.briefing.strip()]
    return bullets(
        [
            case.say(steering_sentence(state)),
            *([f"Words spoken: {', '.join(shares)}"] if shares else []),
            *(f"Briefing of round {r.round}, by {case.who(r.by)}: {case.say(r.briefing)}" for r in told),
        ]
    )


def overrides(case: Case, events: Sequence[Event]) -> list[Block]:
    """Every act of a person on the course of the debate, with who and why; marks on claims are counted."""
    rows = override_rows(events)
    actors = {e.seq: e.actor for e in events}
    lines = [_override(case, r, actors[r.event_id]) for r in rows if r.action not in ("mark", "sign")]
    lines += [_directive(case, r) for r in directive_rows(case.state) if r.replaced]
    marks = sum(r.action == "mark" for r in rows)
    lines += [f"{plural(marks, 'mark')} of people on claims; each is in the record"] if marks else []
    return bullets(lines) or [Para("Nobody overrode anything.")]


def _override(case: Case, row: OverrideRow, actor: str) -> str:
    role = f", {row.role}" if row.role and not case.names.anonymous else ""
    change = " → ".join(case.say(side) for side in (row.before, row.after) if side.strip())
    why = f"; because {case.say(row.reason)}" if row.reason.strip() else ""
    when = f"event {row.event_id}"
    return (
        f"{case.who(actor)}{role}: {row.action} {case.say(row.target)}{f' ({change})' if change else ''}{why}; {when}"
    )


def _directive(case: Case, row: DirectiveRow) -> str:
    """A proposal for a round that did not stand."""
    speakers = ", ".join(row.next_speakers) or "nobody"
    return f"Round {row.round}: the proposal of {case.who(row.by)} ({case.say(speakers)}) was replaced"


def dissent(case: Case) -> list[Block]:
    """Word for word, with a name if it was given with one."""
    blocks: list[Block] = []
    for said in case.decision.dissents:
        blocks += [Para(_dissenter(case, said)), Quote(case.names.text(said.text))]
    return blocks + bullets(_objections(case))


def _objections(case: Case) -> Iterator[str]:
    """Paramount objections on the ballots that decide, under a rule that asks for them; never with a person's name."""
    state, final = case.state, case.state.room.polls.get("final")
    # Two points of a score or of a place are no objection.
    asked = state.outcome is not None and ballot_kind(state.spec.protocol.decide) == "consent"
    cast = [(case.names.seat(s), b.given) for s, b in state.ballots.items()] if asked else []
    if final is not None and final.revealed and kind_of(state) == "consent":
        voters = aliases(state)
        cast += [(voters[person], d.fact.given) for person, d in final.ballots.items()]
    for voter, given in cast:
        for said in given:
            if said.points == counting.OBJECTION and said.reason.strip():
                yield f"Objection on a ballot ({inline(voter)}) to {case.say(said.option)}: {case.say(said.reason)}"


def _dissenter(case: Case, said: Dissent) -> str:
    by = case.who(said.by.id) if said.by else "without a name"
    return f"{said.kind.capitalize()}, {by}, {said.at[:10]}:"


def flagged(case: Case) -> list[Block]:
    """Flags that nobody settled, and lines that the synthesiser answers for alone."""
    unsettled = [f for f in flag_rows(case.state) if not f.resolved]
    lines = [f"Flagged: {case.say(f.line)}{_why(case, f.reason)}" for f in unsettled]
    held = standing(case.state)
    own = held.own_words if held else ()
    lines += [f"Synthesiser's own judgement: {case.say(o.line)}{_why(case, o.reason)}" for o in own]
    return bullets(lines)


def _why(case: Case, reason: str) -> str:
    return f" ({case.say(reason)})" if reason.strip() else ""


def interests(case: Case) -> list[Block]:
    """What people declared of themselves; what they took back is told too, and as taken back."""
    return bullets(line for person in case.state.room.people for line in _declared(case, person))


def _declared(case: Case, person: str) -> Iterator[str]:
    known = known_as(case.state, person)
    for said in dict.fromkeys(p.interest.strip() for p in known if p.interest.strip()):
        stands = "" if said == known[-1].interest.strip() else " (taken back later)"
        yield f"{case.who(person)}: {case.say(said)}{stands}"


def signatures(case: Case) -> list[Block]:
    """The signature that stands, then those that it replaced."""
    found = case.decision
    if found.signed is None:
        return []
    standing = f"{_signature(case, found.signed)}; it stands"
    return bullets([standing, *(f"{_signature(case, s)}; replaced" for s in reversed(found.earlier))])


def _signature(case: Case, given: Signature) -> str:
    word = given.word
    option = f" {case.say(word.option)}" if word.option else ""
    owner = f"; owner: {case.say(word.owner)}" if word.owner.strip() else ""
    reason = f"; because {case.say(word.reason)}" if word.reason.strip() else ""
    return f"{_named(case, given.by)} {VERDICTS[word.verdict]}{option} on {given.at[:10]}{reason}{owner}"


def _named(case: Case, by: Who) -> str:
    role = f" ({by.role})" if by.role and not case.names.anonymous else ""
    return f"{case.who(by.id)}{role}"


def later(case: Case) -> list[Block]:
    """What was recorded of the decision afterwards."""
    lines = []
    for seen in case.decision.outcomes:
        right = f"; right was: {case.say(seen.option)}" if seen.option else ""
        lines.append(f"{seen.at[:10]}, {_named(case, seen.by)}: {seen.result}{right}; {case.say(seen.reason)}")
    return bullets(lines)


def revisit(case: Case) -> list[Block]:
    """A date, or what would have to happen."""
    signed = case.decision.signed
    return [Para(case.say(signed.word.revisit))] if signed and signed.word.revisit.strip() else []


def record(state: State) -> list[Block]:
    """Where it can be checked: the number of events and the hash of the last one."""
    lines = [f"Debate {code(state.debate)}, {plural(state.version, 'event')}, checksum {code(state.head)}"]
    lines += [f"Forked from debate {code(state.spec.parent)}"] if state.spec.parent else []
    hidden = sealed(state)
    lines += [f"Not in here, because it is sealed: {', '.join(hidden)}"] if hidden else []
    return bullets(lines)
