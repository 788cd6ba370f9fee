"""What a report of a whole debate can say, section by section, as blocks; empty where there is nothing to say.

The report for a terminal and the one in Markdown choose from these and put them in their own order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from debate_core.engine import voting
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import TallyRow, first_tally
from debate_core.report.facts.health import FLAGS, strength_sentence
from debate_core.report.facts.interventions import OverrideRow, steering_sentence
from debate_core.report.facts.judgements import judge_sentences
from debate_core.report.facts.people_marks import by_passage
from debate_core.report.facts.repetition import DebateFinding
from debate_core.report.facts.synthesis import (
    FlagRow,
    SynthesisRow,
    SynthesisVersion,
    sections,
    version_sentence,
)
from debate_core.report.facts.turns import TurnRow, shown_text
from debate_core.report.files.document import (
    Block,
    Code,
    Heading,
    Own,
    Paragraph,
    Quote,
    Speech,
    Strong,
    Verbatim,
    items,
    table,
)
from debate_core.report.words.costs import TABLE_HEAD, cost_lines, cost_table, sum_lines
from debate_core.report.words.counts import robustness_sentence, weights_sentence
from debate_core.report.words.decision import decision_sentences
from debate_core.report.words.evidence import gap_words
from debate_core.report.words.marks import marked_words, marks_words
from debate_core.report.words.outcome import (
    agreed_lines,
    agreement_words,
    final_words,
    first_words,
    not_counted_words,
    outcome_sentence,
    standing_words,
    summary_report,
    tally_words,
)
from debate_core.report.words.polls import poll_sentences
from debate_core.report.words.turns import argues_for_words, left_out_words
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.values import Seat, in_words
from debate_core.text import line

# What was decided


def title(account: Account) -> list[Block]:
    """What has to be said before anything else, and the question."""
    return [*(Paragraph(Strong(words)) for words in first_words(account)), Heading(1, account.state.spec.question)]


def outcome(account: Account) -> list[Block]:
    """How it ended, and the rule that was agreed before the start."""
    return [Paragraph(Strong(outcome_sentence(account))), *map(Paragraph, agreed_lines(account))]


def flagged(account: Account) -> list[Block]:
    """What a reader has to know of this debate before they rely on it."""
    return items((FLAGS[name] for name in account.flags), label="Flag")


def summary(account: Account) -> list[Block]:
    """The nine lines that are the same for every protocol."""
    return [Verbatim(summary_report(account))]


# How it was counted


def tallies(account: Account) -> list[Block]:
    """First and last count as one line each, and how far the ballots agree."""
    state = account.state
    if role := account.ruling.seat_role:
        return [Paragraph(f"Tally: {not_counted_words(role)}")]
    blind = f" ({_BLIND})" if voting.first_is_blind(state.spec.protocol) else ""
    return [
        Paragraph(f"First tally{blind}: {tally_words(first_tally(state))}"),
        Paragraph(f"Final tally: {_final(account)}"),
        Paragraph(f"Agreement: {agreement_words(account)}"),
    ]


def _final(account: Account) -> str:
    """The last count, and how often what it says has held where that matters."""
    held = standing_words(account)
    return f"{final_words(account)}{f'; {held}' if held else ''}"


_BLIND = "before anybody saw another's turn"


def counts(account: Account) -> list[Block]:
    """What each option got in the first and in the last count, as a table, and whether the debaters agree."""
    if role := account.ruling.seat_role:
        return [Heading(2, "Count"), Paragraph(f"{not_counted_words(role).capitalize()}.")]
    agreement = Paragraph(f"Agreement, by code alone: {agreement_words(account)}.")
    return [Heading(2, "Count"), *_count_table(account), agreement]


def _count_table(account: Account) -> list[Block]:
    rows = account.tallies
    if not rows:
        return [Paragraph("No vote was counted yet.")]
    first_id, last_id = rows[0].poll_id, rows[-1].poll_id
    first = [row for row in rows if row.poll_id == first_id]
    last = [row for row in rows if row.poll_id == last_id]
    head = ("option", f"first count ({first_id})", f"last count ({last_id})", "needed", "elected")
    is_blind = voting.first_is_blind(account.state.spec.protocol)
    taken = _BLIND if is_blind else "after the seats could read each other"
    words = f"The first count was taken {taken}. Last count: {_final(account)}."
    return [table(head, map(_count_cells, first, last)), Paragraph(words)]


def _count_cells(first: TallyRow, last: TallyRow) -> tuple[object, ...]:
    elected = "yes" if last.elected else "tie" if last.tie else ""
    return first.option, first.votes, last.votes, last.threshold, elected


def beside_the_count(account: Account) -> list[Block]:
    """Other rules, other weights, and how critiques rate themselves."""
    ruling = account.ruling
    sentences = robustness_sentence(ruling), weights_sentence(ruling), strength_sentence(account.state)
    return [Paragraph(words) for words in sentences if words]


def checks(account: Account) -> list[Block]:
    """What code noticed."""
    return items(map(_finding_words, account.findings), label="Check")


def _finding_words(finding: DebateFinding) -> str:
    return f"{finding.sentence} [{', '.join(finding.turns)}]" if finding.turns else finding.sentence


def health(account: Account) -> list[Block]:
    """What stands beside the count, and what code noticed, or that it noticed nothing."""
    nothing = "Nothing was noticed." if account.state.outcome else "Nothing was noticed so far."
    noticed = checks(account) or [Paragraph(nothing)]
    return [Heading(2, "Health, checked by code"), *beside_the_count(account), *noticed]


# What people said of it: voters, judges, whoever signs


def polls(account: Account) -> list[Block]:
    """Votes of the room."""
    return _titled("Votes of the room", items(poll_sentences(account.state)))


def judges(account: Account) -> list[Block]:
    """What is revealed of the judges."""
    return _titled("Judges", items(judge_sentences(account.state)))


def signature(account: Account) -> list[Block]:
    """What was signed, who dissented, what became of it."""
    return [Quote(words) for words in decision_sentences(account)]


def decision(account: Account) -> list[Block]:
    """What was signed and what became of it, under the title that it has in a file."""
    return _titled("Decision and signature", signature(account))


def decision_and_signer(account: Account) -> list[Block]:
    """What was signed and what became of it, under the title that it has in a terminal."""
    return _titled("The decision and who signed it", signature(account))


def _titled(name: str, blocks: list[Block]) -> list[Block]:
    return [Heading(2, name), *blocks] if blocks else []


# What was said


@dataclass(frozen=True, slots=True)
class _PhaseSpeeches:
    """A phase of a round in which something was said: turns, and what people gave to all seats."""

    words: str
    speeches: tuple[Speech, ...]


def _places(account: Account) -> Iterator[_PhaseSpeeches]:
    state = account.state
    for number, phase in state.ran:
        words = f"round {number}, {phase}"
        here = [row for row in account.turns if (row.round, row.phase) == (number, phase)]
        turns = [_turn(row, words, account.notes[row.turn_id]) for row in here]
        to_all = [
            Speech(words, given.speaker, f" ({given.kind})", given.text)
            for given in account.to_all.get((number, phase), ())
        ]
        if turns or to_all:
            yield _PhaseSpeeches(words, (*turns, *to_all))


def _turn(row: TurnRow, place: str, notes: Sequence[str]) -> Speech:
    found = filter(None, (argues_for_words(row.argues_for), left_out_words(row.left_out)))
    beside = () if row.status == "struck" else (*notes, *found)
    return Speech(place, row.seat, _remark(row), shown_text(row), beside)


def _remark(row: TurnRow) -> str:
    """`, votes adopt, attempt 2; the first: no answer within 60 s`."""
    vote = line(row.vote or "")
    match row.status:
        case "struck":
            return f", struck; its vote stays: {vote}" if vote else ", struck"
        case "ok":
            return f", votes {vote}{_attempts(row)}" if vote else _attempts(row)
        case _:
            partial = ", partial text" if row.text else ""
            return f", no turn: {row.status}{partial}{_attempts(row)}"


_ORDINALS = ("first", "second", "third", "fourth")


def _attempts(row: TurnRow) -> str:
    """`, attempt 2; the first: no answer within 60 s`."""
    if not row.failures:
        return ""
    failed = [f"the {name}: {line(why)}" for name, why in zip(_ORDINALS, row.failures, strict=False)]
    return f", attempt {row.retries + 1}; {'; '.join(failed)}"


def speeches(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, each with its place."""
    return [speech for place in _places(account) for speech in place.speeches]


def speeches_by_place(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, each phase of a round under its title."""
    blocks = list[Block]()
    for place in _places(account):
        blocks += [Heading(3, Own(place.words.capitalize())), *place.speeches]
    return blocks or [Paragraph("No turn was taken.")]


def transcript(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, under a title for the whole."""
    return [Heading(2, "Transcript"), *speeches_by_place(account)]


def evidence(account: Account) -> list[Block]:
    """Every claim with what could be checked about it."""
    rows = account.claims
    head = ("id", "claim", "seat", "evidence", "quote in the source", "status", "people's mark")
    claims = table(head, map(_claim_cells, rows)) if rows else Paragraph("No claim was numbered in this debate.")
    return [Heading(2, "Evidence"), claims, *_marks(account)]


def _marks(account: Account) -> list[Block]:
    """What the room made of the passages, as it was shown."""
    if not account.marks:
        return []
    lines = [(i, account.state.claims[i].text, marks_words(rows)) for i, rows in by_passage(account.marks).items()]
    head = ("id", "passage", "people who marked it so")
    words = f"{marked_words(account.marks)} Marks are no ballots, and no count reads them."
    return [Heading(3, "Marks of the room"), Paragraph(words), table(head, lines)]


def _claim_cells(row: ClaimRow) -> tuple[object, ...]:
    known_by = ", ".join(row.marker_matches) or row.evidence_type
    return row.claim_id, row.claim, row.seat, known_by, _quote_words(row), row.status, row.mark


def _quote_words(row: ClaimRow) -> str:
    if not row.evidence_text:
        return ""
    quote = f"{in_words(row.quote_verified)}{gap_words(row.left_out_of_quote)}: “{row.evidence_text}”"
    return f"{quote} ({row.source_ref})" if row.source_ref else quote


# The synthesis


def revised_synthesis(account: Account) -> list[Block]:
    """What no turn has: the lines of the synthesis, and its answer where a person wrote it anew."""
    rows, drafts = account.synthesis, account.versions
    if not rows:
        return []
    own = (f"own judgement: {word.line} (reason: {word.reason})" for word in drafts[-1].own_words)
    lines = items([*_synthesis_lines(rows), *own, *_flags(account)])
    if len(drafts) == 1:
        return lines
    return [Heading(2, f"Synthesis. {version_sentence(drafts)}"), Quote(rows[0].text), *lines]


def synthesis(account: Account) -> list[Block]:
    """The version that stands, what was flagged, and every version before it."""
    rows, drafts = account.synthesis, account.versions
    if not rows:
        return []
    own = (f"the synthesiser's own judgement: {word.line}, because {word.reason}" for word in drafts[-1].own_words)
    earlier = (_version(number, version) for number, version in enumerate(drafts[:-1], start=1))
    return [
        Heading(2, "Synthesis"),
        Paragraph(version_sentence(drafts)),
        Quote(rows[0].text),
        *items([*_synthesis_lines(rows), *own, *_flags(account)]),
        *(block for blocks in earlier for block in blocks),
    ]


def _synthesis_lines(rows: tuple[SynthesisRow, ...]) -> Iterator[str]:
    """Everything but the answer, which is the first row."""
    return (f"{row.section}: {line(row.text)}{_links(row)}" for row in rows[1:])


def _links(row: SynthesisRow) -> str:
    links = f" [{', '.join(row.links)}]" if row.links else ""
    return f"{links} ({', '.join(row.flags)})" if row.flags else links


def _flags(account: Account) -> Iterator[str]:
    return map(_flag_words, account.synthesis_flags)


def _flag_words(flag: FlagRow) -> str:
    why = f", because {flag.reason}" if flag.reason else ""
    end = f"; settled by {flag.resolved_by}: {flag.resolved}" if flag.resolved else "; not settled"
    return f"flag {flag.flag} by {flag.by} on “{flag.line}”{why}{end}"


def _version(number: int, version: SynthesisVersion) -> list[Block]:
    head = Heading(3, f"Version {number}, by {version.words}, {version.at[:16]}")
    said = [f"{name}: {text}" for name, texts in sections(version.content).items() for text in texts]
    return [head, *items(said)]


# What it took, and what people did


def cost_by_line(account: Account) -> list[Block]:
    """What every seat of a model used, each on a line."""
    return _titled("Models and cost", items(cost_lines(account)))


def costs(account: Account) -> list[Block]:
    """What every seat of a model used, as a table, and the sums."""
    rows = cost_table(account)
    head = Heading(2, "Models and cost")
    if not rows:
        return [head, Paragraph("No model sat in this debate, and no call was made.")]
    return [head, table(TABLE_HEAD, rows), *items(sum_lines(account))]


def acts_by_line(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate, each on a line."""
    return _titled("What people did", [Paragraph(_act_words(row)) for row in account.overrides])


def _act_words(row: OverrideRow) -> str:
    why = f", because {row.reason}" if row.reason else ""
    return f"{row.at} {row.actor}: {row.action} {row.target} {row.after}{why}"


def acts(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate as a table, and how often people stepped in."""
    head = ("event", "when (UTC)", "who", "role", "what", "on", "before", "after", "reason")
    rows = [
        (row.event_id, row.at, row.actor, row.role, row.action, row.target, row.before, row.after, row.reason)
        for row in account.overrides
    ]
    nobody = Paragraph("Nobody skipped, paused, stopped or marked anything.")
    steering = Paragraph(steering_sentence(account.state))
    return [Heading(2, "What people did"), table(head, rows) if rows else nobody, steering]


# What was agreed, and how to check all of it


def agreed(account: Account) -> list[Block]:
    """Protocol, seats and sources."""
    spec = account.state.spec
    phases = ", ".join(map(_phase_words, spec.protocol.phases()))
    stops = ", ".join(rule.kind for rule in spec.protocol.stop)
    rounds = f"at most {spec.max_rounds} rounds; stops by {stops}"
    head = ("seat", "role", "who sits there", "stance", "persona")
    seats = [(seat.id, seat.role, _sitter(spec, seat), seat.stance, seat.persona) for seat in spec.seats]
    sources = (f"{source.id}: {line(source.title)} ({len(source.text)} characters)" for source in spec.sources)
    return [
        Heading(2, "Seats, rules and sources"),
        Paragraph(Own(f"Protocol {spec.protocol.name}: {phases}; {rounds}; seed {spec.seed}.")),
        table(head, seats),
        *items(sources),
    ]


def _sitter(spec: Spec, seat: Seat) -> str:
    model = spec.line(seat)
    if model is None:
        return seat.model or seat.occupant
    return f"{model.model or model.id} ({model.provider})"


def _phase_words(phase: Phase) -> str:
    order = "side by side" if phase.order == "at_once" else "in turn"
    return f"{phase.name} ({order})"


def recheck(account: Account) -> list[Block]:
    """Where the record ends, and the command that counts it again."""
    state = account.state
    return [
        Heading(2, "How to check this again"),
        Paragraph((f"Record of debate {state.debate}: {state.version} events, head ", Code(state.head), ".")),
        Verbatim("python -m debate_core verify events.jsonl"),
        Paragraph("reads every event again, counts again, and names the first one that was changed."),
    ]
