"""The sections of a report on a whole debate, as blocks; a section without content is empty.

The report for a terminal and the one in Markdown select and order them.
"""

from collections.abc import Iterator
from itertools import chain

from debate_core.engine import voting
from debate_core.engine.reason_labels import as_clause
from debate_core.engine.stage import ELECTORATES
from debate_core.language import _, _n, format_number, message, said, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.claims import ClaimRow
from debate_core.report.facts.counts import TallyRow, first_tally
from debate_core.report.facts.health import FLAGS, strength_sentence
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.judgements import judge_sentences
from debate_core.report.facts.people_marks import by_passage
from debate_core.report.facts.synthesis import SynthesisRow, deliverable_fault, sections, version_sentence
from debate_core.report.facts.terms import named
from debate_core.report.facts.tournament import RankedRow
from debate_core.report.files.document import (
    Block,
    Code,
    Heading,
    Own,
    Paragraph,
    Quote,
    Strong,
    Verbatim,
    items,
    table,
    titled,
)
from debate_core.report.phrases.baselines import baseline_sentences, baseline_table
from debate_core.report.phrases.content_lines import REMARKS, SECTIONS, links_in_brackets, turns_in_brackets
from debate_core.report.phrases.costs import cost_lines
from debate_core.report.phrases.counts import robustness_sentence, weights_sentence
from debate_core.report.phrases.crux import crux_sentences
from debate_core.report.phrases.decision import decision_sentences, escalation_sentence
from debate_core.report.phrases.ending import stops_words
from debate_core.report.phrases.evidence import STATUS_WORDS, gap_words
from debate_core.report.phrases.foreword import FILLED_BY, first_words, voices_words
from debate_core.report.phrases.guesses import guess_sentences
from debate_core.report.phrases.lost_claims import lost_claims_sentence
from debate_core.report.phrases.marks import marked_words, marks_words, reading_words
from debate_core.report.phrases.names import claim_name, in_names
from debate_core.report.phrases.opinion_groups import (
    group_names,
    groups_words,
    how_found,
    statement_cells,
    titled_statements,
)
from debate_core.report.phrases.outcome import (
    agreed_lines,
    agreement_words,
    last_count_words,
    not_counted_words,
    outcome_sentence,
    summary_report,
    tally_words,
)
from debate_core.report.phrases.overrides import change_words, override_clause
from debate_core.report.phrases.people_shares import people_shares_sentence, steering_words_sentence
from debate_core.report.phrases.polls import poll_sentences
from debate_core.report.phrases.protocol_titles import title_of
from debate_core.report.phrases.recommendation import no_count_sentence, place_lines, ranked_by_sentence
from debate_core.report.phrases.source_claims import readers_words, source_sentences
from debate_core.report.phrases.tournament import found_words, matches_table, proposals_table
from debate_core.report.phrases.who_decided import decided_sentence, no_person_sentence
from debate_core.spec.output_schema import indented
from debate_core.spec.protocol import Spec
from debate_core.spec.rotation import seats_by_model
from debate_core.spec.values import Seat, in_words
from debate_core.text import capitalized, line, whole_sentence


def title(account: Account) -> list[Block]:
    """Warnings, and the question."""
    return [*(Paragraph(Strong(words)) for words in first_words(account)), Heading(1, account.state.spec.question)]


def outcome(account: Account) -> list[Block]:
    """The decider, the end, the addressee of open points, a note if no person voted, and the agreed rule."""
    beside = filter(None, (escalation_sentence(account), no_person_sentence(account)))
    return [
        Paragraph(Strong(decided_sentence(account))),
        *map(Paragraph, (outcome_sentence(account), *beside, *agreed_lines(account))),
    ]


def recommendation(account: Account) -> list[Block]:
    """The ranked recommendation, its source, and the remark that it is no count."""
    found = account.recommendation
    if found is None:
        return []
    words = f"{ranked_by_sentence(found)} {no_count_sentence(account)}"
    return [Heading(2, _("Ranked recommendation")), *items(place_lines(found)), Paragraph(words)]


def without_a_debate(account: Account) -> list[Block]:
    """Comparison with answers without a debate."""
    blocks: list[Block] = [Paragraph(words) for words in baseline_sentences(account)]
    if rows := baseline_table(account):
        blocks.append(table([*rows[0]], (tuple(row.values()) for row in rows)))
    return blocks


def flagged(account: Account) -> list[Block]:
    """Flags: facts that a reader must know before relying on this debate."""
    return items((FLAGS[name] for name in account.flags), label=_("Flag"))


def summary(account: Account) -> list[Block]:
    """The nine lines that are the same for every protocol."""
    return [Verbatim(summary_report(account))]


# The count


def tallies(account: Account) -> list[Block]:
    """First and last count as one line each, and the agreement of the ballots."""
    state = account.state
    if role := account.ruling.seat_role:
        return [Paragraph(_("Tally: {tally}", tally=not_counted_words(role)))]
    if state.spec.held_elsewhere:
        return [Paragraph(FLAGS["held_elsewhere"])]
    if account.ruling.is_compared:
        return ranking(account)
    blind = f" ({_(_BLIND)})" if voting.first_is_blind(state.spec.protocol) else ""
    return [
        Paragraph(_("First tally{blind}: {tally}", blind=blind, tally=tally_words(first_tally(state)))),
        Paragraph(_("Final tally: {final}", final=last_count_words(account))),
        Paragraph(_("Agreement: {agreement}", agreement=agreement_words(account))),
    ]


def ranking(account: Account) -> list[Block]:
    """Options by strength, the short debates about pairs, and the candidates that were proposed in the debate."""
    head = (_("place"), _("option"), _("strength"), _("95 % interval"), _("comparisons"), _("Elo"))
    blocks: list[Block] = [table(head, map(_ranking_cells, account.ranking)), Paragraph(f"{found_words(account)}.")]
    if matches := matches_table(account):
        blocks.append(table([*matches[0]], (tuple(row.values()) for row in matches)))
    if proposals := proposals_table(account):
        blocks.append(table([*proposals[0]], (tuple(row.values()) for row in proposals)))
    return blocks


def _ranking_cells(row: RankedRow) -> tuple[object, ...]:
    strength = _("unknown") if row.strength is None else format_number(row.strength, ".2f")
    interval = _("unknown")
    if row.low is not None and row.high is not None:
        interval = f"{format_number(row.low, '.2f')} – {format_number(row.high, '.2f')}"
    return row.place, row.option, strength, interval, row.comparisons, f"{row.elo:.0f}"


_BLIND = message("before any seat saw another's turn")


def counts(account: Account) -> list[Block]:
    """The end and the rules, points of each option in the first and the last count, and the agreement."""
    ended: list[Block] = [Paragraph(words) for words in (outcome_sentence(account), *agreed_lines(account))]
    if account.ruling.is_compared:
        return [Heading(2, _("Ranking")), *ended, *ranking(account)]
    head: list[Block] = [Heading(2, _("Count")), *ended]
    if role := account.ruling.seat_role:
        return [*head, Paragraph(f"{capitalized(not_counted_words(role))}.")]
    if account.state.spec.held_elsewhere:
        return [*head, Paragraph(FLAGS["held_elsewhere"])]
    agreement = Paragraph(_("Computed agreement: {agreement}.", agreement=agreement_words(account)))
    return [*head, *_count_table(account), agreement, *items(crux_sentences(account, "debaters"))]


def _count_table(account: Account) -> list[Block]:
    rows = account.tallies
    if not rows:
        return [Paragraph(_("No vote was counted yet."))]
    first_id = rows[0].poll_id
    last_id = rows[-1].poll_id
    first = [row for row in rows if row.poll_id == first_id]
    last = [row for row in rows if row.poll_id == last_id]
    head = (
        _("option"),
        _("first count"),
        _("last count"),
        _("needed"),
        _("elected"),
    )
    is_blind = voting.first_is_blind(account.state.spec.protocol)
    taken = _(_BLIND) if is_blind else _("after the seats could read each other")
    words = _("The first count was taken {taken}. Last count: {final}.", taken=taken, final=last_count_words(account))
    return [table(head, map(_count_cells, first, last)), Paragraph(words)]


def _count_cells(first: TallyRow, last: TallyRow) -> tuple[object, ...]:
    needed = "" if last.threshold is None else last.threshold
    elected = _("tie") if last.tie else ""
    if last.elected:
        elected = _("yes")
    return first.option, first.votes, last.votes, needed, elected


def beside_the_count(account: Account) -> list[Block]:
    """Results under other rules and weights, and the self-ratings of critiques."""
    if account.state.spec.held_elsewhere:
        return []
    ruling = account.ruling
    sentences = robustness_sentence(ruling), weights_sentence(ruling), strength_sentence(account.state)
    return [Paragraph(words) for words in sentences if words]


def checks(account: Account) -> list[Block]:
    """Findings of the automatic checks."""
    findings = (f"{f.sentence}{turns_in_brackets(account, f.turns)}" for f in account.findings)
    return items(findings, label=_("Check"))


def health(account: Account) -> list[Block]:
    """Results under other rules, flags, and findings of the automatic checks."""
    is_over = account.state.outcome is not None
    nothing = _("No findings.") if is_over else _("No findings so far.")
    findings = checks(account) or [Paragraph(nothing)]
    return [Heading(2, _("Automatic checks")), *beside_the_count(account), *flagged(account), *findings]


# Voters, judges, signers


def polls(account: Account) -> list[Block]:
    """Votes of the room, the claims that decided them, and surprisingly popular options."""
    advice = [one(account, voters) for one in (crux_sentences, guess_sentences) for voters in ELECTORATES]
    return titled(_("Votes of the room"), items([*poll_sentences(account.state), *chain(*advice)]))


def judges(account: Account) -> list[Block]:
    """Revealed figures of the judges."""
    return titled(_("Judges"), items(judge_sentences(account.state)))


def decision(account: Account) -> list[Block]:
    """Signatures, dissent and later outcomes."""
    return titled(_("Decision and signature"), [Quote(words) for words in decision_sentences(account)])


# Turns and claims


def evidence(account: Account) -> list[Block]:
    """Every claim with its quote, its check and its mark, then the sources and the marks of the room."""
    claims: list[Block] = [block for row in account.claims for block in _claim(account, row)]
    nothing = Paragraph(_("No claim was numbered in this debate."))
    return [Heading(2, _("Evidence")), *(claims or [nothing]), *sources_shown(account), *_marks_of_room(account)]


def _claim(account: Account, row: ClaimRow) -> list[Block]:
    name = capitalized(claim_name(account, row.claim_id))
    quote: list[Block] = [Quote(row.evidence_text)] if row.evidence_text else []
    source = f" ({row.source_ref})" if row.source_ref else ""
    checked = f"{named(row.quote_verified)}{gap_words(row.left_out_of_quote)}{source}" if quote else ""
    given = account.state.marks.get(row.claim_id)
    mark = _("marked {reading}", reading=reading_words(given.mark)) if given else ""
    notes = items(filter(None, (checked, row.claim_id, mark)))
    return [
        Heading(3, f"{name} · {in_words(row.seat)} · {STATUS_WORDS[row.status]}"),
        Paragraph(row.claim),
        *quote,
        *notes,
    ]


def sources_shown(account: Account) -> list[Block]:
    """The claims that rest on documents of some seats, and the options that each document alone speaks for."""
    return titled(_("What each source showed"), items(source_sentences(account)), level=3)


def _marks_of_room(account: Account) -> list[Block]:
    if not account.marks:
        return []
    lines = [(i, account.state.claims[i].text, marks_words(rows)) for i, rows in by_passage(account.marks).items()]
    head = (_("id"), _("passage"), _("people and their marks"))
    words = _("{marks} Marks are no ballots, and no count reads them.", marks=marked_words(account.marks))
    return [Heading(3, _("Marks of the room")), Paragraph(words), table(head, lines), *_opinion_groups(account)]


def _opinion_groups(account: Account) -> list[Block]:
    """Common ground and differences of opinion groups, or the data that are missing to find any."""
    found = account.opinion_groups
    if found is None:
        return []
    blocks: list[Block] = [Heading(3, _("Common ground")), Paragraph(groups_words(found))]
    if not found.sizes:
        return blocks
    head = (_("id"), _("passage"), _("read as"), *group_names(found))
    for title, nothing, statements in titled_statements(found):
        lines = [(row.claim_id, account.state.claims[row.claim_id].text, *statement_cells(row)) for row in statements]
        blocks += [Heading(4, title), table(head, lines) if lines else Paragraph(nothing)]
    return [*blocks, Paragraph(how_found(found))]


# The synthesis


def revised_synthesis(account: Account) -> list[Block]:
    """The lines of the synthesis, which no turn shows, and its answer if a person rewrote it."""
    rows = account.synthesis
    drafts = account.versions
    if not rows:
        return []
    own = (
        _("own judgement: {line} (reason: {reason})", line=word.line, reason=word.reason)
        for word in drafts[-1].own_words
    )
    lines = [
        *items([*_synthesis_lines(account, rows), *own, *_flag_lines(account)]),
        *_lost_claims(account),
        *_deliverable(account),
    ]
    if len(drafts) == 1:
        return lines
    return [
        Heading(2, _("Synthesis. {versions}", versions=version_sentence(drafts))),
        Quote(rows[0].text),
        *lines,
    ]


def synthesis(account: Account) -> list[Block]:
    """The version in force, its flags, and every earlier version."""
    rows = account.synthesis
    drafts = account.versions
    if not rows:
        return []
    own = (
        _("the synthesiser's own judgement: {line}, because {reason}", line=word.line, reason=as_clause(word.reason))
        for word in drafts[-1].own_words
    )
    blocks: list[Block] = [
        Heading(2, _("Synthesis")),
        Paragraph(version_sentence(drafts)),
        Quote(rows[0].text),
        *items([*_synthesis_lines(account, rows), *own, *_flag_lines(account)]),
        *_lost_claims(account),
        *_deliverable(account),
    ]
    for number, draft in enumerate(drafts[:-1], start=1):
        title = _("Version {number}, by {words}, {at}", number=number, words=draft.words, at=draft.at[:16])
        lines = [f"{name}: {text}" for name, texts in sections(draft.content).items() for text in texts]
        blocks += [Heading(3, title), *items(lines)]
    return blocks


def _lost_claims(account: Account) -> list[Block]:
    words = lost_claims_sentence(account)
    return [Paragraph(words)] if words else []


def _deliverable(account: Account) -> list[Block]:
    """The deliverable of the version in force, and where it does not match the output schema."""
    if account.state.spec.protocol.output_schema is None:
        return []
    text = account.versions[-1].content.deliverable
    blocks: list[Block] = [Heading(3, _("Deliverable"))]
    if why := deliverable_fault(account.state):
        blocks.append(Paragraph(whole_sentence(said(why))))
    return [*blocks, Verbatim(indented(text))] if text else blocks


def _synthesis_lines(account: Account, rows: tuple[SynthesisRow, ...]) -> Iterator[str]:
    """Every line except the answer, which is the first row."""
    for row in rows[1:]:
        flags = f" ({', '.join(REMARKS[flag] for flag in row.flags)})" if row.flags else ""
        yield f"{SECTIONS[row.section]}: {line(row.text)}{links_in_brackets(account, row.links)}{flags}"


def _flag_lines(account: Account) -> Iterator[str]:
    for flag in account.synthesis_flags:
        end = _("; not settled")
        if flag.resolved:
            end = _("; settled by {resolved_by}: {resolved}", resolved_by=flag.resolved_by, resolved=flag.resolved)
        yield _(
            "flag {flag} by {by} on “{line}”{why}{end}",
            flag=flag.flag,
            by=flag.by,
            line=flag.line,
            why=_because(flag.reason),
            end=end,
        )


def _because(reason: str) -> str:
    return _(", because {reason}", reason=as_clause(reason)) if reason else ""


# Cost, and acts of people


def cost_by_line(account: Account) -> list[Block]:
    """Use of every seat of a model, each on a line; nothing without a model."""
    return titled(_("Models and cost"), items(cost_lines(account)))


def acts_by_line(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate, each on a line."""
    lines: list[Block] = [
        Paragraph(f"{row.at} {row.actor}: {_act_words(account, row)}{_because(row.reason)}")
        for row in account.overrides
    ]
    return titled(_("Acts of people"), lines)


def _act_words(account: Account, row: OverrideRow) -> str:
    clause, change = in_names(account, override_clause(row)), change_words(row)
    return f"{clause} ({change})" if change else clause


def _act_cells(account: Account, row: OverrideRow) -> tuple[str, ...]:
    who = f"{row.actor}, {named(row.role)}" if row.role else row.actor
    return row.at[:16].replace("T", " "), who, _act_words(account, row), row.reason


def acts(account: Account) -> list[Block]:
    """Every act of a person on the course of the debate as a table, and the number of interventions."""
    listed: Block = Paragraph(_("No turn was skipped, the debate was not paused or stopped, and nothing was marked."))
    if account.overrides:
        head = (_("when (UTC)"), _("who"), _("what"), _("reason"))
        listed = table(head, [_act_cells(account, row) for row in account.overrides])
    led = (account.steering, people_shares_sentence(account), steering_words_sentence(account))
    return [Heading(2, _("Acts of people")), listed, *map(Paragraph, filter(None, led))]


# Ground rules, and the check of the record


def agreed(account: Account) -> list[Block]:
    """Occupants, protocol, seats and sources."""
    spec = account.state.spec
    phases = list[str]()
    for phase in spec.protocol.phases():
        order = _("side by side") if phase.order == "at_once" else _("in turn")
        phases.append(f"{named(phase.name)} ({order})")
    rounds = _n(
        spec.max_rounds,
        "at most {n} round; it ends {stops}",
        "at most {n} rounds; it ends {stops}",
        stops=stops_words(spec.protocol),
    )
    head = (_("seat"), _("role"), _("occupant"), _("stance"), _("persona"))
    seats = [
        (in_words(seat.id), named(seat.role), _occupant_words(spec, seat), seat.stance, seat.persona)
        for seat in spec.seats
    ]
    protocol = _(
        "Protocol {name}: {phases}; {rounds}; seed {seed}.",
        name=title_of(spec.protocol.name),
        phases=", ".join(phases),
        rounds=rounds,
        seed=spec.seed,
    )
    sources = [
        _("{id}: {title} ({length} characters)", id=source.id, title=line(source.title), length=len(source.text))
        + (f". {readers}" if (readers := readers_words(source)) else "")
        for source in spec.sources
    ]
    return [
        Heading(2, _("Seats, rules and sources")),
        *map(Paragraph, voices_words(account.state)),
        Paragraph(Own(protocol)),
        table(head, seats),
        *items(_instructions(spec)),
        *items(sources),
    ]


def _instructions(spec: Spec) -> Iterator[str]:
    """The additional instructions of models, by role and by seat."""
    for agreed in spec.protocol.instructions or ():
        yield _("Instructions for every {role}: {text}", role=agreed.role, text=line(agreed.text))
    for seat in spec.seats:
        if seat.instructions:
            yield _("Instructions for {seat}: {text}", seat=seat.id, text=line(seat.instructions))


def _occupant_words(spec: Spec, seat: Seat) -> str:
    return spoken_list([_model_words(spec, held) for held in seats_by_model(spec, seat)])


def _model_words(spec: Spec, seat: Seat) -> str:
    model = spec.line(seat)
    if model is None:
        return seat.model or FILLED_BY[seat.occupant]
    return f"{model.model or model.id} ({model.provider})"


def recheck(account: Account, file: str = "events.jsonl") -> list[Block]:
    """The head of the record, and the command that verifies it in this file."""
    state = account.state
    head = _("Record of debate {debate}: {version} events, head ", debate=state.debate, version=state.version)
    return [
        Heading(2, _("How to verify this report")),
        Paragraph((head, Code(state.head), ".")),
        Verbatim(_("python -m debate_core verify {file}", file=file)),
        Paragraph(_("reads and counts every event again, and names the first one that was changed.")),
    ]
