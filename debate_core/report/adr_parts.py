"""The parts of a decision record that argue: context, options, outcome, consequences, confirmation, pros and cons.

Whether a claim speaks for an option is never guessed: people have marked it, or it is said only who made it and whom
that seat voted for. Called by `adr`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from debate_core.engine.count import counting
from debate_core.evidence import ClaimRow
from debate_core.record.state import State
from debate_core.report.adr_text import Block, Heading, Items, Para, Quote, bullets, heading_text, inline
from debate_core.report.decision import VERDICTS, Decision, Signature
from debate_core.report.labels import not_a_debate_words
from debate_core.report.names import Names
from debate_core.report.rows import told_claims, told_turns
from debate_core.report.synthesis import standing
from debate_core.spec.contents import Argument, Framing, Linked
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import in_words

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
    found, count = case.decision, case.say(case.decision.arithmetic)
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
