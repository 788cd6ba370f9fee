"""What a report of a whole debate can say, section by section, as blocks; empty where there is nothing to say.

The report for a terminal and the one in Markdown choose from these and put them in their own order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from debate_core.engine import voting
from debate_core.language import _, _n, format_number, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import TallyRow, first_tally
from debate_core.report.facts.health import FLAGS, strength_sentence
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.judgements import judge_sentences
from debate_core.report.facts.people_marks import by_passage
from debate_core.report.facts.reason_labels import as_clause
from debate_core.report.facts.repetition import DebateFinding
from debate_core.report.facts.synthesis import (
    FlagRow,
    SynthesisRow,
    SynthesisVersion,
    sections,
    version_sentence,
)
from debate_core.report.facts.terms import named
from debate_core.report.facts.tournament import RankedRow
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
from debate_core.report.words.baselines import baseline_sentences
from debate_core.report.words.costs import TABLE_HEAD, cost_lines, cost_table, sum_lines
from debate_core.report.words.counts import robustness_sentence, weights_sentence
from debate_core.report.words.decision import decision_sentences
from debate_core.report.words.evidence import gap_words
from debate_core.report.words.foreword import first_words
from debate_core.report.words.marks import marked_words, marks_words
from debate_core.report.words.opinion_groups import (
    group_names,
    groups_words,
    how_found,
    statement_cells,
    titled_statements,
)
from debate_core.report.words.outcome import (
    agreed_lines,
    agreement_words,
    last_count_words,
    not_counted_words,
    outcome_sentence,
    summary_report,
    tally_words,
)
from debate_core.report.words.overrides import change_words, override_words, sides
from debate_core.report.words.polls import poll_sentences
from debate_core.report.words.tournament import found_words, proposals_table
from debate_core.report.words.turns import NO_REASON_GIVEN, argues_for_words, left_out_words
from debate_core.report.words.who_decided import decided_sentence, no_person_sentence
from debate_core.spec.protocol import Phase, Spec
from debate_core.spec.values import Seat
from debate_core.text import capitalized, line

# What was decided


def title(account: Account) -> list[Block]:
    """What has to be said before anything else, and the question."""
    return [*(Paragraph(Strong(words)) for words in first_words(account)), Heading(1, account.state.spec.question)]


def outcome(account: Account) -> list[Block]:
    """The decider, the end, a note if no person voted, and the rule that was agreed before the start."""
    of_no_person = no_person_sentence(account)
    beside = [of_no_person] if of_no_person else []
    return [
        Paragraph(Strong(decided_sentence(account))),
        *map(Paragraph, (outcome_sentence(account), *beside, *agreed_lines(account))),
    ]


def without_a_debate(account: Account) -> list[Block]:
    """What the same models say without a debate, and whether they agreed before it."""
    return [Paragraph(words) for words in baseline_sentences(account)]


def flagged(account: Account) -> list[Block]:
    """What a reader has to know of this debate before they rely on it."""
    return items((FLAGS[name] for name in account.flags), label=_("Flag"))


def summary(account: Account) -> list[Block]:
    """The nine lines that are the same for every protocol."""
    return [Verbatim(summary_report(account))]


# How it was counted


def tallies(account: Account) -> list[Block]:
    """First and last count as one line each, and how far the ballots agree."""
    state = account.state
    if role := account.ruling.seat_role:
        return [Paragraph(_("Tally: {what_it_is}", what_it_is=not_counted_words(role)))]
    if account.ruling.is_compared:
        return ranking(account)
    blind = f" ({_(_BLIND)})" if voting.first_is_blind(state.spec.protocol) else ""
    return [
        Paragraph(_("First tally{blind}: {tally}", blind=blind, tally=tally_words(first_tally(state)))),
        Paragraph(_("Final tally: {final}", final=last_count_words(account))),
        Paragraph(_("Agreement: {agreement}", agreement=agreement_words(account))),
    ]


def ranking(account: Account) -> list[Block]:
    """Options by strength, with what each was compared."""
    head = (_("place"), _("option"), _("strength"), _("95 % interval"), _("comparisons"), _("Elo"))
    ranked: list[Block] = [table(head, map(_ranked_cells, account.ranking)), Paragraph(f"{found_words(account)}.")]
    return [*ranked, *_proposed(account)]


def _proposed(account: Account) -> list[Block]:
    """Who proposed what in the debate itself, and what became of it; nothing where nobody did."""
    rows = proposals_table(account)
    if not rows:
        return []
    return [table([*rows[0]], (tuple(row.values()) for row in rows))]


def _ranked_cells(row: RankedRow) -> tuple[object, ...]:
    strength = _("not known") if row.strength is None else format_number(row.strength, ".2f")
    interval = _("not known")
    if row.low is not None and row.high is not None:
        interval = f"{format_number(row.low, '.2f')} – {format_number(row.high, '.2f')}"
    return row.place, row.option, strength, interval, row.comparisons, f"{row.elo:.0f}"


_BLIND = message("before anybody saw another's turn")


def counts(account: Account) -> list[Block]:
    """What each option got in the first and in the last count, as a table, and whether the debaters agree."""
    if role := account.ruling.seat_role:
        return [Heading(2, _("Count")), Paragraph(f"{capitalized(not_counted_words(role))}.")]
    if account.ruling.is_compared:
        return [Heading(2, _("Ranking")), *ranking(account)]
    agreement = Paragraph(_("Agreement, by code alone: {agreement}.", agreement=agreement_words(account)))
    return [Heading(2, _("Count")), *_count_table(account), agreement]


def _count_table(account: Account) -> list[Block]:
    rows = account.tallies
    if not rows:
        return [Paragraph(_("No vote was counted yet."))]
    first_id = rows[0].poll_id
    last_id = rows[-1].poll_id
    first = [row for row in rows if row.poll_id == first_id]
    last = [row for row in rows if row.poll_id == last_id]
    head = (
        "option",
        _("first count ({first_id})", first_id=first_id),
        _("last count ({last_id})", last_id=last_id),
        "needed",
        "elected",
    )
    is_blind = voting.first_is_blind(account.state.spec.protocol)
    taken = _(_BLIND) if is_blind else _("after the seats could read each other")
    words = _("The first count was taken {taken}. Last count: {final}.", taken=taken, final=last_count_words(account))
    return [table(head, map(_count_cells, first, last)), Paragraph(words)]


def _count_cells(first: TallyRow, last: TallyRow) -> tuple[object, ...]:
    needed = "" if last.threshold is None else last.threshold
    return first.option, first.votes, last.votes, needed, _elected_cell(last)


def _elected_cell(row: TallyRow) -> str:
    if row.elected:
        return "yes"
    return "tie" if row.tie else ""


def beside_the_count(account: Account) -> list[Block]:
    """Other rules, other weights, and how critiques rate themselves."""
    ruling = account.ruling
    sentences = robustness_sentence(ruling), weights_sentence(ruling), strength_sentence(account.state)
    return [Paragraph(words) for words in sentences if words]


def checks(account: Account) -> list[Block]:
    """What code noticed."""
    return items(map(_finding_words, account.findings), label=_("Check"))


def _finding_words(finding: DebateFinding) -> str:
    return f"{finding.sentence}{_in_brackets(finding.turns)}"


def _in_brackets(ids: Sequence[str]) -> str:
    return f" [{', '.join(ids)}]" if ids else ""


def health(account: Account) -> list[Block]:
    """What stands beside the count, and what code noticed, or that it noticed nothing."""
    noticed = checks(account) or [Paragraph(_nothing_noticed(account))]
    return [Heading(2, _("Health, checked by code")), *beside_the_count(account), *noticed]


def _nothing_noticed(account: Account) -> str:
    if account.state.outcome is None:
        return _("Nothing was noticed so far.")
    return _("Nothing was noticed.")


# What people said of it: voters, judges, whoever signs


def polls(account: Account) -> list[Block]:
    """Votes of the room."""
    return _titled(_("Votes of the room"), items(poll_sentences(account.state)))


def judges(account: Account) -> list[Block]:
    """What is revealed of the judges."""
    return _titled(_("Judges"), items(judge_sentences(account.state)))


def signature(account: Account) -> list[Block]:
    """What was signed, who dissented, what became of it."""
    return [Quote(words) for words in decision_sentences(account)]


def decision(account: Account) -> list[Block]:
    """What was signed and what became of it, under the title that it has in a file."""
    return _titled(_("Decision and signature"), signature(account))


def decision_and_signer(account: Account) -> list[Block]:
    """What was signed and what became of it, under the title that it has in a terminal."""
    return _titled(_("The decision and who signed it"), signature(account))


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
        words = _("round {number}, {phase}", number=number, phase=phase)
        here = [row for row in account.turns if (row.round, row.phase) == (number, phase)]
        turns = [_turn(row, words, account.notes[row.turn_id]) for row in here]
        to_all = [
            Speech(words, given.speaker, f" ({given.kind})", given.text)
            for given in account.to_all.get((number, phase), ())
        ]
        if turns or to_all:
            yield _PhaseSpeeches(words, (*turns, *to_all))


def _turn(row: TurnRow, place: str, notes: Sequence[str]) -> Speech:
    if row.status == "struck":
        return Speech(place, row.seat, _remark(row), shown_text(row))
    no_reason = _(NO_REASON_GIVEN) if row.no_reason else ""
    noticed = filter(None, (argues_for_words(row.argues_for), no_reason, left_out_words(row.left_out)))
    return Speech(place, row.seat, _remark(row), shown_text(row), (*notes, *noticed))


def _remark(row: TurnRow) -> str:
    """`, votes adopt, attempt 2; the first: no answer within 60 s`."""
    vote = line(row.vote or "")
    attempts = _attempts(row)
    match row.status:
        case "struck" if vote:
            return _(", struck; its vote stays: {vote}", vote=vote)
        case "struck":
            return _(", struck")
        case "ok" if vote:
            return _(", votes {vote}{attempts}", vote=vote, attempts=attempts)
        case "ok":
            return attempts
        case _:
            partial = _(", partial text") if row.text else ""
            return _(", no turn: {status}{partial}{attempts}", status=row.status, partial=partial, attempts=attempts)


_ORDINALS = ("first", "second", "third", "fourth")


def _attempts(row: TurnRow) -> str:
    """`, attempt 2; the first: no answer within 60 s`."""
    if not row.failures:
        return ""
    failed = [_failed(number, line(why)) for number, why in enumerate(row.failures, start=1)]
    return _(", attempt {retries}; {failed}", retries=row.retries + 1, failed="; ".join(failed))


def _failed(number: int, why: str) -> str:
    if number > len(_ORDINALS):
        return _("attempt {number}: {why}", number=number, why=why)
    return _("the {name}: {why}", name=_ORDINALS[number - 1], why=why)


def speeches(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, each with its place."""
    return [speech for place in _places(account) for speech in place.speeches]


def speeches_by_place(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, each phase of a round under its title."""
    blocks = list[Block]()
    for place in _places(account):
        blocks += [Heading(3, Own(capitalized(place.words))), *place.speeches]
    return blocks or [Paragraph(_("No turn was taken."))]


def transcript(account: Account) -> list[Block]:
    """Every turn and all that was given to all seats, under a title for the whole."""
    return [Heading(2, _("Transcript")), *speeches_by_place(account)]


def evidence(account: Account) -> list[Block]:
    """Every claim with what could be checked about it."""
    return [Heading(2, _("Evidence")), _claims(account), *_marks(account)]


def _claims(account: Account) -> Block:
    if not account.claims:
        return Paragraph(_("No claim was numbered in this debate."))
    head = ("id", "claim", "seat", "evidence", _("quote in the source"), "status", "people's mark")
    return table(head, map(_claim_cells, account.claims))


def _marks(account: Account) -> list[Block]:
    """What the room made of the passages, as it was shown."""
    if not account.marks:
        return []
    lines = [(i, account.state.claims[i].text, marks_words(rows)) for i, rows in by_passage(account.marks).items()]
    head = ("id", "passage", _("people who marked it so"))
    words = _("{marks} Marks are no ballots, and no count reads them.", marks=marked_words(account.marks))
    return [Heading(3, _("Marks of the room")), Paragraph(words), table(head, lines), *_opinion_groups(account)]


def _opinion_groups(account: Account) -> list[Block]:
    """What all groups of people accept and what divides them, or the sentence that says what is missing."""
    found = account.opinion_groups
    if found is None:
        return []
    blocks: list[Block] = [Heading(3, _("What everybody accepts")), Paragraph(groups_words(found))]
    if not found.sizes:
        return blocks
    head = ("id", "passage", _("read as"), *group_names(found))
    for title, nothing, statements in titled_statements(found):
        lines = [(row.claim_id, account.state.claims[row.claim_id].text, *statement_cells(row)) for row in statements]
        blocks += [Heading(4, title), table(head, lines) if lines else Paragraph(nothing)]
    return [*blocks, Paragraph(how_found(found))]


def _claim_cells(row: ClaimRow) -> tuple[object, ...]:
    known_by = ", ".join(row.marker_matches) or row.evidence_type
    return row.claim_id, row.claim, row.seat, known_by, _quote_words(row), row.status, row.mark


def _quote_words(row: ClaimRow) -> str:
    if not row.evidence_text:
        return ""
    quote = f"{named(row.quote_verified)}{gap_words(row.left_out_of_quote)}: “{row.evidence_text}”"
    if row.source_ref:
        return f"{quote} ({row.source_ref})"
    return quote


# The synthesis


def revised_synthesis(account: Account) -> list[Block]:
    """What no turn has: the lines of the synthesis, and its answer where a person wrote it anew."""
    rows = account.synthesis
    drafts = account.versions
    if not rows:
        return []
    own = (
        _("own judgement: {line} (reason: {reason})", line=word.line, reason=word.reason)
        for word in drafts[-1].own_words
    )
    lines = items([*_synthesis_lines(rows), *own, *_flags(account)])
    if len(drafts) == 1:
        return lines
    return [
        Heading(2, _("Synthesis. {versions}", versions=version_sentence(drafts))),
        Quote(rows[0].text),
        *lines,
    ]


def synthesis(account: Account) -> list[Block]:
    """The version that stands, what was flagged, and every version before it."""
    rows = account.synthesis
    drafts = account.versions
    if not rows:
        return []
    own = (
        _("the synthesiser's own judgement: {line}, because {reason}", line=word.line, reason=as_clause(word.reason))
        for word in drafts[-1].own_words
    )
    earlier = (_version(number, version) for number, version in enumerate(drafts[:-1], start=1))
    return [
        Heading(2, _("Synthesis")),
        Paragraph(version_sentence(drafts)),
        Quote(rows[0].text),
        *items([*_synthesis_lines(rows), *own, *_flags(account)]),
        *(block for blocks in earlier for block in blocks),
    ]


def _synthesis_lines(rows: tuple[SynthesisRow, ...]) -> Iterator[str]:
    """Everything but the answer, which is the first row."""
    return (f"{row.section}: {line(row.text)}{_links(row)}" for row in rows[1:])


def _links(row: SynthesisRow) -> str:
    links = _in_brackets(row.links)
    return f"{links} ({', '.join(row.flags)})" if row.flags else links


def _flags(account: Account) -> Iterator[str]:
    return map(_flag_words, account.synthesis_flags)


def _flag_words(flag: FlagRow) -> str:
    why = _because(flag.reason)
    end = _("; not settled")
    if flag.resolved:
        end = _("; settled by {resolved_by}: {resolved}", resolved_by=flag.resolved_by, resolved=flag.resolved)
    return _("flag {flag} by {by} on “{line}”{why}{end}", flag=flag.flag, by=flag.by, line=flag.line, why=why, end=end)


def _because(reason: str) -> str:
    return _(", because {reason}", reason=as_clause(reason)) if reason else ""


def _version(number: int, version: SynthesisVersion) -> list[Block]:
    head = Heading(3, _("Version {number}, by {words}, {at}", number=number, words=version.words, at=version.at[:16]))
    said = [f"{name}: {text}" for name, texts in sections(version.content).items() for text in texts]
    return [head, *items(said)]


# What it took, and what people did


def cost_by_line(account: Account) -> list[Block]:
    """What every seat of a model used, each on a line."""
    return _titled(_("Models and cost"), items(cost_lines(account)))


def costs(account: Account) -> list[Block]:
    """What every seat of a model used, as a table, and the sums."""
    rows = cost_table(account)
    head = Heading(2, _("Models and cost"))
    if not rows:
        return [head, Paragraph(_("No model sat in this debate, and no call was made."))]
    return [head, table(TABLE_HEAD, rows), *items(sum_lines(account))]


def acts_by_line(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate, each on a line."""
    return _titled(_("What people did"), [Paragraph(_act_words(row)) for row in account.overrides])


def _act_words(row: OverrideRow) -> str:
    change = f" ({words})" if (words := change_words(row)) else ""
    return f"{row.at} {row.actor}: {override_words(row)}{change}{_because(row.reason)}"


def acts(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate as a table, and how often people stepped in."""
    return [Heading(2, _("What people did")), _act_table(account.overrides), Paragraph(account.steering)]


def _act_table(rows: Sequence[OverrideRow]) -> Block:
    if not rows:
        return Paragraph(_("Nobody skipped, paused, stopped or marked anything."))
    head = ("event", _("when (UTC)"), "who", "role", "what", "before", "after", "reason")
    cells = [
        (row.event_id, row.at, row.actor, named(row.role), override_words(row), *sides(row), row.reason) for row in rows
    ]
    return table(head, cells)


# What was agreed, and how to check all of it


def agreed(account: Account) -> list[Block]:
    """Protocol, seats and sources."""
    spec = account.state.spec
    phases = ", ".join(map(_phase_words, spec.protocol.phases()))
    stops = ", ".join(rule.kind for rule in spec.protocol.stop)
    rounds = _n(
        spec.max_rounds, "at most {n} round; stops by {stops}", "at most {n} rounds; stops by {stops}", stops=stops
    )
    head = ("seat", "role", _("who sits there"), "stance", "persona")
    seats = [(seat.id, seat.role, _sitter(spec, seat), seat.stance, seat.persona) for seat in spec.seats]
    sources = (
        _("{id}: {title} ({length} characters)", id=source.id, title=line(source.title), length=len(source.text))
        for source in spec.sources
    )
    return [
        Heading(2, _("Seats, rules and sources")),
        Paragraph(
            Own(
                _(
                    "Protocol {name}: {phases}; {rounds}; seed {seed}.",
                    name=spec.protocol.name,
                    phases=phases,
                    rounds=rounds,
                    seed=spec.seed,
                )
            )
        ),
        table(head, seats),
        *items(sources),
    ]


def _sitter(spec: Spec, seat: Seat) -> str:
    model = spec.line(seat)
    if model is None:
        return seat.model or seat.occupant
    return f"{model.model or model.id} ({model.provider})"


def _phase_words(phase: Phase) -> str:
    order = _("side by side") if phase.order == "at_once" else _("in turn")
    return f"{phase.name} ({order})"


def recheck(account: Account) -> list[Block]:
    """Where the record ends, and the command that counts it again."""
    state = account.state
    return [
        Heading(2, _("How to check this again")),
        Paragraph(
            (
                _("Record of debate {debate}: {version} events, head ", debate=state.debate, version=state.version),
                Code(state.head),
                ".",
            )
        ),
        Verbatim(_("python -m debate_core verify events.jsonl")),
        Paragraph(_("reads every event again, counts again, and names the first one that was changed.")),
    ]
