"""The sections of a decision record, each a list of blocks; empty where there is nothing to say.

Whether a claim speaks for an option is never guessed: people have marked it, or it is said only who made it and whom
that seat voted for. Nothing that is still sealed is in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from debate_core.engine.count import counting
from debate_core.engine.stage import ELECTORATES, known_as, sealed
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.decision import VERDICTS, Decision, Dissent, Signature, Who
from debate_core.report.facts.interventions import OverrideRow, override_rows, steering_sentence
from debate_core.report.facts.office_turns import DirectiveRow, directive_rows
from debate_core.report.facts.polls import aliases, counted_voters, kind_of
from debate_core.report.facts.synthesis import flag_rows, standing
from debate_core.report.facts.turns import share_rows, told_claims, told_turns
from debate_core.report.files.anonymise import Names
from debate_core.report.files.markdown import Block, Heading, Items, Para, Quote, bullets, code, heading_text, inline
from debate_core.report.words.agreement import poll_sentence, ties_sentence
from debate_core.report.words.decision import arithmetic, tallies
from debate_core.report.words.outcome import not_a_debate_words
from debate_core.report.words.polls import deciding_words, swing_words
from debate_core.report.words.rules import agreed_sentence
from debate_core.spec.contents import Argument, Framing, Linked
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import in_words
from debate_core.text import plural

MAX_CLAIMS = 12
"""Of one option; the rest is counted, and stands in the evidence table."""


@dataclass(frozen=True, slots=True)
class Case:
    """One decision, and how to call those who took part in it."""

    state: State
    decision: Decision
    names: Names

    def say(self, text: str) -> str:
        """Text of people, ready for a line of Markdown."""
        return inline(self.names.text(text))

    def who(self, actor: str) -> str:
        """A person or seat, ready for a line of Markdown."""
        return inline(self.names.person(actor))


def warning(state: State) -> list[Block]:
    """What has to be said before anything else."""
    if state.spec.rehearsal:
        return [Para("> Rehearsal: scripted seats spoke here. Nobody held this debate, and nothing was decided by it.")]
    label = not_a_debate_words(state.spec)
    return [Para(f"> {label}")] if label else []


def context(case: Case) -> list[Block]:
    """The question and the brief."""
    spec = case.state.spec
    brief: list[Block] = [Quote(case.names.text(spec.context))] if spec.context.strip() else []
    return [Para(case.say(spec.question)), *brief]


def drivers(case: Case) -> list[Block]:
    """What was agreed to weigh, out of 100, and what a good answer must meet, as the framing says."""
    framings = [t.content for t in told_turns(case.state) if isinstance(t.content, Framing)]
    agreed = [f"{case.say(d.name)} (weight {d.weight} of 100)" for d in case.state.spec.drivers]
    return bullets([*agreed, *map(case.say, framings[-1].criteria if framings else ())])


def options(case: Case, marker: str = "*") -> list[Block]:
    """Every option, in the order in which they were agreed."""
    return bullets(map(case.say, case.state.spec.options), marker)


def outcome(case: Case) -> list[Block]:
    """What was chosen and why; where the approver decided otherwise than the count, both."""
    found = case.decision
    chosen = "none" if found.option is None else f'"{case.say(found.option)}"'
    blocks: list[Block] = [Para(f"Chosen option: {chosen}, because {_because(case)}")]
    signed = found.signed
    if signed is None:
        return [*blocks, Para(_unsigned(found))]
    if signed.differs:
        counted = f'"{case.say(found.counted)}"' if found.counted else "nothing"
        blocks.append(Para(f"Counted: {counted}. Signed: {chosen}. Both stand in the record."))
    if signed.word.changes.strip():
        blocks += [Para("Accepted with these changes:"), Quote(case.names.text(signed.word.changes))]
    if signed.word.verdict == "escalate":
        blocks.append(Para("Escalated: it stays proposed until somebody with the mandate signs."))
    return blocks


def _because(case: Case) -> str:
    found, count = case.decision, case.say(arithmetic(case.state))
    signed = found.signed
    if signed is None:
        return f"the count says: {count}"
    by, reason = case.who(signed.by.id), _reason(case, signed)
    if signed.differs:
        return f"{by} decided so{reason}. The count says otherwise: {count}"
    if signed.word.verdict in ("reject", "escalate"):
        return f"{by} {VERDICTS[signed.word.verdict]} it{reason}. The count says: {count}"
    return f"{by} {VERDICTS[signed.word.verdict]} what the count says{reason}: {count}"


def _reason(case: Case, signed: Signature) -> str:
    return f" ({case.say(signed.word.reason)})" if signed.word.reason.strip() else ""


def _unsigned(found: Decision) -> str:
    if found.counted is None:
        return "Proposed: the count decides nothing, so somebody has to, and nobody has signed yet."
    return "Proposed: nobody has signed this decision yet."


def consequences(case: Case) -> list[Block]:
    """What the synthesis calls established. Good or bad only where people's marks on its claims say so."""
    held = standing(case.state)
    if held is None or case.decision.option is None:
        return []
    return bullets(_consequence(case, line) for line in held.content.established)


def _consequence(case: Case, line: Linked) -> str:
    marks = [case.state.marks.get(i) for i in line.links]
    readings = {m.mark.words() if m else "" for m in marks}
    option = case.decision.option
    side = {f"supports {option}": "Good, because ", f"against {option}": "Bad, because "}
    known = side.get(next(iter(readings)), "") if len(readings) == 1 else ""
    rests = f" (rests on {case.say(', '.join(line.links))})" if line.links else " (rests on no claim)"
    return f"{known or 'Established: '}{case.say(line.text)}{rests}"


def confirmation(case: Case) -> list[Block]:
    """How it will be checked, as signed."""
    signed = case.decision.signed
    return [Quote(case.names.text(signed.word.confirmation))] if signed and signed.word.confirmation.strip() else []


def pros_and_cons(case: Case, taken: set[str]) -> list[Block]:
    """Every option with the claims that are known to be about it."""
    found, blocks = _placed(case), list[Block]()
    for option in case.state.spec.options:
        lines = [*_strongest(case, option), *found[option]]
        blocks.append(Heading(3, heading_text(case.names.text(option), taken)))
        blocks += [Items(tuple(lines[:MAX_CLAIMS]))] if lines else [Para("No claim is known to be about this option.")]
        if len(lines) > MAX_CLAIMS:
            blocks.append(Para(f"{len(lines) - MAX_CLAIMS} more are in the evidence table of the record."))
    return blocks


def _strongest(case: Case, option: str) -> Iterator[str]:
    held = standing(case.state)
    for said in held.content.strongest if held else ():
        if said.option == option:
            rests = f" ({case.say(', '.join(said.links))})" if said.links else ""
            yield f"Strongest, by the synthesis: {case.say(said.text)}{rests}"


def _placed(case: Case) -> Mapping[str, list[str]]:
    """Option -> its claims: those that people marked first, then those of seats whose ballot is for it."""
    marked: dict[str, list[str]] = {o: [] for o in case.state.spec.options}
    said: dict[str, list[str]] = {o: [] for o in case.state.spec.options}
    votes = _votes(case.state)
    for row in claims(case.state):
        given = case.state.marks.get(row.claim_id)
        option = given.mark.option if given else votes.get(row.turn_id)
        if option not in marked:
            continue
        if given is None:
            seat = inline(case.names.seat(row.seat))
            said[option].append(f"Said by {seat}, whose ballot was for it: {_claim(case, row)}")
        elif given.mark.reading != "neutral":
            side = "Good" if given.mark.reading == "supports" else "Bad"
            marked[option].append(f"{side}, because {_claim(case, row, by=given.by)}")
    return {o: [*marked[o], *said[o]] for o in marked}


def claims(state: State) -> Iterator[ClaimRow]:
    """Claims without those of struck turns and those that repeat an earlier one."""
    struck = {t.request for t in told_turns(state) if t.status == "struck"}
    return (r for r in told_claims(state) if r.turn_id not in struck and not r.duplicate_of)


def _votes(state: State) -> Mapping[str, str]:
    """Turn id -> the one option that its ballot puts highest."""
    kind, found = ballot_kind(state.spec.protocol.decide), {}
    for turn in told_turns(state):
        if isinstance(turn.content, Argument):
            ballot = counting.Cast(turn.seat, turn.content.vote, turn.content.ballot)
            tops = counting.tops(kind, ballot, state.spec.drivers) if ballot.says() else ()
            if len(tops) == 1:
                found[turn.request] = tops[0]
    return found


def _claim(case: Case, row: ClaimRow, by: str = "") -> str:
    """The claim with its id and whatever code or people know of it."""
    known = [case.say(row.claim_id)]
    known += [f"contested by {case.say(', '.join(row.attacked_by))}"] if row.status == "contested" else []
    known += [f"conceded by {case.say(', '.join(row.conceded_by))}"] if row.conceded_by else []
    if row.evidence_text:
        known.append(f"quote {in_words(row.quote_verified)} in {case.say(row.source_ref or 'no source')}")
    known += [f"read so by {case.who(by)}"] if by else []
    return f"{case.say(row.claim)} ({'; '.join(known)})"


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
