"""The two reports that people read from top to bottom: text for a terminal, Markdown for a file.

Decision first, then rule, count, agreement, evidence, transcript, what people did, and how to check it again.
Every word of seats and documents goes through the doors of `sentences`.
"""

from collections.abc import Iterable, Iterator, Sequence

from debate_core.engine import voting
from debate_core.record.acts import Intervened
from debate_core.record.events import Event
from debate_core.record.people import Done
from debate_core.record.state import State
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import TallyRow, first_tally, tally_rows
from debate_core.report.facts.health import FLAGS, findings, flags, strength_sentence
from debate_core.report.facts.interventions import OverrideRow, override_rows, said_in, speaker_words, steering_sentence
from debate_core.report.facts.judgements import judge_sentences
from debate_core.report.facts.matrix import weights_sentence
from debate_core.report.facts.office_turns import details
from debate_core.report.facts.repetition import Finding
from debate_core.report.facts.robustness import robustness_sentence
from debate_core.report.facts.synthesis import (
    FlagRow,
    SynthesisRow,
    flag_rows,
    sections,
    synthesis_rows,
    version_sentence,
    versions,
)
from debate_core.report.facts.turns import TurnRow, shown_text, told_claims, turn_rows
from debate_core.report.words.costs import TABLE_HEAD, cost_lines, cost_table, sum_lines
from debate_core.report.words.decision import decision_sentences
from debate_core.report.words.outcome import (
    agreement_words,
    final_words,
    first_words,
    outcome_sentence,
    summary_report,
    tally_words,
)
from debate_core.report.words.polls import poll_sentences
from debate_core.report.words.rules import agreed_words, chance_sentence, drivers_sentence
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.values import Seat, in_words
from debate_core.text import line, md_line, md_text, plain


def _rules(spec: Spec) -> list[str]:
    debaters = len(spec.debaters())
    weight = sum(s.weight for s in spec.debaters())
    chance = chance_sentence(spec.protocol.decide, debaters, len(spec.options), weight=weight)
    said = agreed_words(spec), chance, drivers_sentence(spec.drivers)
    return [text for text in said if text]


def text_report(state: State, events: Iterable[Event] = ()) -> str:
    """The debate for a terminal: outcome, rule, count, the nine lines, turns, acts of people."""
    spec = state.spec
    parts = [
        *first_words(spec),
        line(spec.question),
        "",
        outcome_sentence(state),
        *_rules(spec),
        f"First tally{_blind(state)}: {tally_words(first_tally(state))}",
        f"Final tally: {final_words(state)}",
        f"Agreement: {agreement_words(state)}",
        *_also(state),
        *(f"Flag: {FLAGS[name]}" for name in flags(state)),
        *(f"Check: {line(f.sentence)}{_where(f)}" for f in findings(state)),
        "",
        summary_report(state),
    ]
    for place, rows, said in _places(state):
        for row, beside in rows:
            parts += ["", f"[round {row.round}, {row.phase}] {row.seat}{_turn_mark(row)}"]
            parts += _indented(shown_text(row))
            parts += [f"  - {line(more)}" for more in beside]
        for done in said:
            parts += ["", f"[round {place[0]}, {place[1]}] {line(speaker_words(state, done))} ({done.fact.kind})"]
            parts += _indented(done.fact.text)
    parts += _synthesis_lines(state)
    voted = [f"  {line(said)}" for said in poll_sentences(state)]
    parts += ["", "Votes of the room:", *voted] if voted else []
    parts += _decision_lines(state)
    costs = [f"  {line(said)}" for said in cost_lines(state)]
    parts += ["", "Models and cost:", *costs] if costs else []
    acts = [f"  {a.at} {a.actor}: {a.action} {a.target} {a.after}{_because(a)}" for a in override_rows(events)]
    parts += ["", "What people did:", *map(line, acts)] if acts else []
    return "\n".join(part for i, part in enumerate(parts) if part or (i and parts[i - 1])) + "\n"


def _decision_lines(state: State) -> list[str]:
    said = [part for text in decision_sentences(state) for part in _indented(text)]
    return ["", "The decision and who signed it:", *said] if said else []


def _also(state: State) -> list[str]:
    """What stands beside the count: other rules, other weights, and how critiques rate themselves."""
    told = robustness_sentence(state), weights_sentence(state), strength_sentence(state)
    return [line(said) for said in told if said]


def _where(found: Finding) -> str:
    return f" [{', '.join(found.turns)}]" if found.turns else ""


def _blind(state: State) -> str:
    return " (before anybody saw another's turn)" if voting.first_is_blind(state.spec.protocol) else ""


Place = tuple[int, str]
"""Round and phase."""


def _places(state: State) -> Iterator[tuple[Place, list[tuple[TurnRow, list[str]]], Sequence[Done[Intervened]]]]:
    """Every phase in which something was said: its turns, each with what it says beside its prose, and words to all."""
    rows, beside, said = turn_rows(state), details(state), said_in(state)
    for place in state.ran:
        here = [(r, [] if r.status == "struck" else beside[r.turn_id]) for r in rows if (r.round, r.phase) == place]
        if here or place in said:
            yield place, here, said.get(place, ())


def _turn_mark(row: TurnRow) -> str:
    if row.status == "struck":
        return f", struck{f'; its vote stays: {line(row.vote)}' if row.vote else ''}"
    if row.status == "ok":
        return (f", votes {line(row.vote)}" if row.vote else "") + _attempts(row)
    return f", no turn: {row.status}" + (", partial text" if row.text else "") + _attempts(row)


_ORDINALS = ("first", "second", "third", "fourth")


def _attempts(row: TurnRow) -> str:
    """`, attempt 2; the first: no answer within 60 s`."""
    if not row.failures:
        return ""
    told = "; ".join(f"the {name}: {line(why)}" for name, why in zip(_ORDINALS, row.failures, strict=False))
    return f", attempt {row.retries + 1}; {told}"


def _indented(text: str) -> list[str]:
    return [f"  {part}" for part in plain(text).splitlines()]


def _synthesis_lines(state: State) -> list[str]:
    """The synthesis that stands; where a person wrote it, its answer too, which no turn has."""
    rows, revised = synthesis_rows(state), len(versions(state)) > 1
    if not rows:
        return []
    head = ["", f"Synthesis. {line(version_sentence(state))}", *_indented(rows[0].text)] if revised else []
    lines = [f"  {s.section}: {line(s.text)}{_links(s)}" for s in rows[1:]]
    lines += [f"  own judgement: {line(w.line)} (reason: {line(w.reason)})" for w in versions(state)[-1].own_words]
    return [*head, *lines, *(f"  {line(_flag_words(f))}" for f in flag_rows(state))]


def _links(row: SynthesisRow) -> str:
    flagged = f" ({', '.join(row.flags)})" if row.flags else ""
    return (f" [{line(', '.join(row.links))}]" if row.links else "") + flagged


def _flag_words(flag: FlagRow) -> str:
    why = f", because {flag.reason}" if flag.reason else ""
    end = f"; settled by {flag.resolved_by}: {flag.resolved}" if flag.resolved else "; not settled"
    return f"flag {flag.flag} by {flag.by} on “{flag.line}”{why}{end}"


def _because(row: OverrideRow) -> str:
    return f", because {row.reason}" if row.reason else ""


def markdown_report(state: State, events: Iterable[Event] = ()) -> str:
    """The whole debate as one Markdown document."""
    events = tuple(events)
    spec = state.spec
    parts = [f"**{text}**\n" for text in map(md_text, first_words(spec))]
    parts += [f"# {md_line(spec.question)}\n", f"**{md_text(outcome_sentence(state))}**\n"]
    parts += [md_text(text) + "\n" for text in _rules(spec)]
    parts += [f"- {md_text(FLAGS[name])}" for name in flags(state)]
    parts += ["\n## Count\n", *_counts(state), f"\nAgreement, by code alone: {agreement_words(state)}.\n"]
    judged = judge_sentences(state)
    voted = [f"- {md_text(text)}" for text in poll_sentences(state)]
    parts += ["\n## Votes of the room\n", *voted] if voted else []
    parts += ["\n## Judges\n", *(f"- {md_text(text)}" for text in judged)] if judged else []
    parts += ["\n## Health, checked by code\n", *_health(state)]
    signed = [part for text in decision_sentences(state) for part in (*_quoted(text), "")]
    parts += ["\n## Decision and signature\n", *signed] if signed else []
    parts += _synthesis(state)
    parts += ["\n## Evidence\n", *_evidence(told_claims(state))]
    parts += ["\n## Transcript\n", *_transcript(state)]
    parts += ["\n## Models and cost\n", *_costs(state)]
    parts += ["\n## What people did\n", *_acts(override_rows(events)), "", steering_sentence(state)]
    parts += ["\n## Seats, rules and sources\n", *_agreed(state)]
    parts += ["\n## How to check this again\n", *_recheck(state)]
    return "\n".join(parts).replace("\n\n\n", "\n\n").lstrip("\n") + "\n"


def transcript_markdown(state: State) -> str:
    """The turns alone, as Markdown."""
    head = [f"**{md_text(text)}**\n" for text in first_words(state.spec)]
    return "\n".join([*head, f"# {md_line(state.spec.question)}\n", *_transcript(state)]) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    cells = [f"| {' | '.join(md_line(str(cell)) for cell in row)} |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *cells]


def _counts(state: State) -> list[str]:
    rows = tally_rows(state)
    if not rows:
        return ["No votes are counted, or none was yet."]
    first = [r for r in rows if r.poll_id == rows[0].poll_id]
    last = [r for r in rows if r.poll_id == rows[-1].poll_id]
    head = ("option", f"first count ({rows[0].poll_id})", f"last count ({rows[-1].poll_id})", "needed", "elected")
    table = _table(head, (_count_cells(a, b) for a, b in zip(first, last, strict=True)))
    blind = _blind(state).strip(" ()") or "after the seats could read each other"
    words = f"\nThe first count was taken {blind}. Last count: {md_text(final_words(state))}."
    return [*table, words]


def _count_cells(first: TallyRow, last: TallyRow) -> tuple[object, ...]:
    elected = "yes" if last.elected else "tie" if last.tie else ""
    return first.option, first.votes, last.votes, last.threshold, elected


def _health(state: State) -> list[str]:
    found = [f"- {md_line(f.sentence + _where(f))}" for f in findings(state)]
    none = "Nothing was noticed." if state.outcome else "Nothing was noticed so far."
    return [*(md_text(said) + "\n" for said in _also(state)), *(found or [none])]


def _synthesis(state: State) -> list[str]:
    """The version that stands, what was flagged, and every version before it."""
    rows, held = synthesis_rows(state), versions(state)
    if not rows:
        return []
    said = [f"- {row.section}: {md_line(row.text)}{md_text(_links(row))}" for row in rows[1:]]
    said += [
        f"- the synthesiser's own judgement: {md_line(w.line)}, because {md_line(w.reason)}" for w in held[-1].own_words
    ]
    said += [f"- {md_line(_flag_words(flag))}" for flag in flag_rows(state)]
    parts = ["\n## Synthesis\n", f"{md_line(version_sentence(state))}\n", *_quoted(rows[0].text), "", *said]
    for number, version in enumerate(held[:-1], start=1):
        parts.append(f"\n### Version {number}, by {md_line(version.words)}, {version.at[:16]}\n")
        parts += [f"- {name}: {md_line(text)}" for name, texts in sections(version.content).items() for text in texts]
    return parts


def _evidence(rows: Sequence[ClaimRow]) -> list[str]:
    if not rows:
        return ["No claim was numbered in this debate."]
    head = ("id", "claim", "seat", "evidence", "quote in the source", "status", "people's mark")
    return _table(head, (_claim_cells(row) for row in rows))


def _claim_cells(row: ClaimRow) -> tuple[object, ...]:
    found = ", ".join(row.marker_matches) or row.evidence_type
    quote = f"{in_words(row.quote_verified)}: “{row.evidence_text}”" if row.evidence_text else ""
    where = f"{quote} ({row.source_ref})" if quote and row.source_ref else quote
    return row.claim_id, row.claim, row.seat, found, where, row.status, row.mark


def _transcript(state: State) -> list[str]:
    parts = list[str]()
    for (number, phase), rows, said in _places(state):
        parts.append(f"### Round {number}, {phase}\n")
        for row, beside in rows:
            parts += [f"**{md_line(row.seat)}**{md_line(_turn_mark(row))}\n", *_quoted(shown_text(row)), ""]
            parts += [*(f"- {md_line(more)}" for more in beside), ""] if beside else []
        for done in said:
            parts += [f"**{md_line(speaker_words(state, done))}** ({done.fact.kind})\n", *_quoted(done.fact.text), ""]
    return parts or ["No turn was taken."]


def _quoted(text: str) -> list[str]:
    return [f"> {part}".rstrip() for part in md_text(text).splitlines()]


def _acts(rows: Sequence[OverrideRow]) -> list[str]:
    if not rows:
        return ["Nobody skipped, paused, stopped or marked anything."]
    head = ("event", "when (UTC)", "who", "role", "what", "on", "before", "after", "reason")
    return _table(
        head, ((r.event_id, r.at, r.actor, r.role, r.action, r.target, r.before, r.after, r.reason) for r in rows)
    )


def _costs(state: State) -> list[str]:
    rows = cost_table(state)
    if not rows:
        return ["No model sat in this debate, and no call was made."]
    return [*_table(TABLE_HEAD, rows), "", *(f"- {md_line(said)}" for said in sum_lines(state))]


def _agreed(state: State) -> list[str]:
    spec = state.spec
    phases = ", ".join(map(_phase_words, spec.protocol.phases()))
    seats = _table(
        ("seat", "role", "who sits there", "stance", "persona"),
        ((s.id, s.role, _sitter(spec, s), s.stance, s.persona) for s in spec.seats),
    )
    sources = [f"- {md_line(s.id)}: {md_line(s.title)} ({len(s.text)} characters)" for s in spec.sources]
    rounds = f"at most {spec.max_rounds} rounds; stops by {', '.join(r.kind for r in spec.protocol.stop)}"
    return [f"Protocol {spec.protocol.name}: {phases}; {rounds}; seed {spec.seed}.\n", *seats, "", *sources]


def _sitter(spec: Spec, seat: Seat) -> str:
    found = spec.line(seat)
    return f"{found.model or found.id} ({found.provider})" if found else seat.model or seat.occupant


def _phase_words(phase: Phase) -> str:
    return f"{phase.name} ({'side by side' if phase.order == 'at_once' else 'in turn'})"


def _recheck(state: State) -> list[str]:
    return [
        f"Record of debate {md_line(state.debate)}: {state.version} events, head `{state.head}`.\n",
        "    python -m debate_core verify events.jsonl\n",
        "reads every event again, counts again, and names the first one that was changed.",
    ]
