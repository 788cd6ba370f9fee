"""Sections of a decision record that MADR does not define; an empty section is omitted.

Participants, count, judges, facilitation, overrides, dissent, interests, signatures, record; no sealed content.
"""

from collections.abc import Iterator

from debate_core.engine.count.ballots import OBJECTION
from debate_core.engine.stage import ELECTORATES, known_as
from debate_core.language import _, _n, format_number, message
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.decision import DISSENTS, RESULTS, Signature
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.polls import aliases, kind_of
from debate_core.report.facts.premortem import reversal_reasons
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_judged import judge_flags
from debate_core.report.files.adr import participants
from debate_core.report.files.adr.case import Case, Section, blocks_of
from debate_core.report.files.document import Block, Code, Inline, Paragraph, Quote, code, items, table
from debate_core.report.phrases.crux import crux_sentences
from debate_core.report.phrases.decision import signed_words, tallies
from debate_core.report.phrases.guesses import guess_sentences
from debate_core.report.phrases.marks import together_words
from debate_core.report.phrases.overrides import change_words, override_clause
from debate_core.report.phrases.polls import deciding_words, swing_words
from debate_core.report.phrases.rules import agreed_sentence, no_vote_sentence
from debate_core.report.phrases.source_claims import private_source_sentences
from debate_core.report.phrases.tournament import found_words
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import Given
from debate_core.text import capitalized, line


def counted(case: Case) -> list[Block]:
    """The result of each electorate with the rule of those whose vote is advice; electorates are never added up."""
    state = case.state
    if state.spec.held_elsewhere:
        return items([no_vote_sentence()])
    if case.account.ruling.is_compared:
        return _ranked(case)
    lines = list[str]()
    if state.spec.terms.decides != "debaters":
        lines.append(_("Rule of the seats, as advice: {rule}", rule=case.say(agreed_sentence(state.spec))))
    if deciding := deciding_words(state):
        lines.append(case.say(deciding))
    lines += [f"{name}: {case.say(words)}" for name, words in tallies(case.account)]
    lines += map(case.say, crux_sentences(case.account, "debaters"))
    for electorate in ELECTORATES:
        if swing := swing_words(state, electorate):
            lines.append(case.say(swing))
        lines += map(case.say, crux_sentences(case.account, electorate))
        lines += map(case.say, guess_sentences(case.account, electorate))
    return items(lines)


def _ranked(case: Case) -> list[Block]:
    """The options by strength, with the comparisons that each of them won."""
    rows = [
        (row.place, case.say(row.option), _("{won} of {of}", won=format_number(row.points, "g"), of=row.comparisons))
        for row in case.account.ranking
    ]
    head = (_("place"), _("option"), _("comparisons won"))
    return [table(head, rows), Paragraph(f"{case.say(found_words(case.account))}.")] if rows else []


def judged(case: Case) -> list[Block]:
    """Figures of the judges who were revealed together, then each late judge; sealed figures are excluded."""
    state = case.state
    rows = case.account.judged_options
    late = [case.say(sentence) for sentence in judgements.late_sentences(state)]
    if not rows and not late:
        return []
    flags = map(case.say, judge_flags(state))
    if not rows:
        return items([*flags, *late])
    means = ", ".join(f"{case.say(row.option)} {format_number(100 * row.mean, '.0f')} %" for row in rows)
    mean = _("Likely to be right, mean of the judges: {means}", means=means)
    reading = capitalized(case.say(judgements.reading_words(state)))
    return items([mean, reading, case.say(judgements.agreement_sentence(state)), *flags, *late])


def led(case: Case) -> list[Block]:
    """Interventions of people, shares of words, and the briefings of rounds."""
    lines = [case.say(case.account.steering)]
    spoken = [
        f"{case.seat(row.seat)} {format_number(100 * row.share, '.0f')} % ({_n(row.turns, '{n} turn', '{n} turns')})"
        for row in case.account.shares
    ]
    if spoken:
        lines.append(_("Share of all words spoken: {spoken}", spoken=", ".join(spoken)))
    lines += private_source_sentences(case.account, case.seat, case.say)
    for row in case.account.directives:
        if row.briefing.strip() and not row.replaced:
            lines.append(
                _(
                    "Briefing of round {round}, by {who}: {briefing}",
                    round=row.round,
                    who=case.who(row.by),
                    briefing=case.say(row.briefing),
                )
            )
    return items(lines)


def overrides(case: Case) -> list[Block]:
    """Every act of a person on the course of the debate, with name and reason; marks on claims are only counted."""
    rows = case.account.overrides
    actors = {event.seq: event.actor for event in case.account.events}
    lines = [_override_line(case, row, actors[row.event_id]) for row in rows if row.action not in ("mark", "sign")]
    marks = sum(row.action == "mark" for row in rows)
    counted = _n(
        marks,
        "{n} mark of people on claims; each is in the record",
        "{n} marks of people on claims; each is in the record",
    )
    together = together_words(given.mark for given in case.account.state.marks.values())
    return items([*lines, *_replaced_directives(case), *([counted] if marks else ()), *filter(None, [together])])


def _replaced_directives(case: Case) -> Iterator[str]:
    for directive in case.account.directives:
        if directive.replaced:
            yield _(
                "Round {round}: the proposal of {who} ({speakers}) was replaced",
                round=directive.round,
                who=case.who(directive.by),
                speakers=case.say(", ".join(directive.next_speakers) or _("no one")),
            )


def _override_line(case: Case, row: OverrideRow, actor: str) -> str:
    role = f", {named(row.role)}" if row.role and not case.names.anonymous else ""
    what = override_clause(row, case.say)
    if change := change_words(row, case.say):
        what += f" ({change})"
    return _(
        "{who}{role}: {what}{why}; event {event_id}",
        who=case.who(actor),
        role=role,
        what=what,
        why=_because(case, row.reason),
        event_id=row.event_id,
    )


def _because(case: Case, reason: str) -> str:
    return _("; because {reason}", reason=case.within(reason)) if reason.strip() else ""


def dissent(case: Case) -> list[Block]:
    """Dissent word for word, with the name unless it was given without one."""
    blocks = list[Block]()
    for dissent in case.decision.dissents:
        by = case.who(dissent.by.id) if dissent.by else _("without a name")
        blocks.append(Paragraph(f"{DISSENTS[dissent.kind]}, {by}, {dissent.at[:10]}:"))
        blocks.append(Quote(case.names.text(dissent.text)))
    return blocks + items(ballot_objections(case))


def ballot_objections(case: Case) -> Iterator[str]:
    """Objections on deciding consent ballots; without names of people."""
    for voter, points in _consent_ballots(case):
        for each in points:
            if each.points == OBJECTION and each.reason.strip():
                yield _(
                    "Objection on a ballot ({voter}) to {option}: {reason}",
                    voter=line(voter),
                    option=case.say(each.option),
                    reason=case.say(each.reason),
                )


def _consent_ballots(case: Case) -> Iterator[tuple[str, tuple[Given, ...]]]:
    """Voters and ballots of consent votes: in other votes the same points are no objection."""
    state = case.state
    final = case.state.room.polls.get("final")
    if state.outcome is not None and ballot_kind(state.spec.protocol.decide) == "consent":
        for seat, ballot in state.ballots.items():
            yield case.names.seat(seat), ballot.given
    if final is not None and final.revealed and kind_of(state) == "consent":
        voters = aliases(state)
        for person, done in final.ballots.items():
            yield voters[person], done.fact.given


def flagged(case: Case) -> list[Block]:
    """Unsettled flags, and lines that are the synthesiser's own judgement."""
    lines = [
        _("Flagged: {line}{why}", line=case.say(flag.line), why=case.in_brackets(flag.reason))
        for flag in case.account.synthesis_flags
        if not flag.resolved
    ]
    synthesis = case.account.standing
    for word in synthesis.own_words if synthesis else ():
        why = case.in_brackets(word.reason)
        lines.append(_("Synthesiser's own judgement: {line}{why}", line=case.say(word.line), why=why))
    return items(lines)


def interests(case: Case) -> list[Block]:
    """Declared interests of people; withdrawn ones are marked."""
    lines = list[str]()
    for person in case.state.room.people:
        declared = [known.interest.strip() for known in known_as(case.state, person)]
        for interest in dict.fromkeys(filter(None, declared)):
            withdrawn = "" if interest == declared[-1] else _(" (withdrawn later)")
            lines.append(f"{case.who(person)}: {case.say(interest)}{withdrawn}")
    return items(lines)


def signatures(case: Case) -> list[Block]:
    """The signature in force, then the signatures that it replaced; a single one is on the first page."""
    decision = case.decision
    if decision.signed is None or not decision.earlier:
        return []
    replaced = [
        _("{signature}; replaced", signature=_signature(case, signature)) for signature in reversed(decision.earlier)
    ]
    return items([_("{signature}; in force", signature=_signature(case, decision.signed)), *replaced])


def _signature(case: Case, signature: Signature) -> str:
    signed = signature.word
    owner = _("; owner: {owner}", owner=case.say(signed.owner)) if signed.owner.strip() else ""
    option = case.say(signed.option) if signed.option else None
    act = signed_words(participants.name_and_role(case, signature.by), signed.verdict, option)
    return f"{_('{act} on {day}', act=act, day=signature.at[:10])}{_because(case, signed.reason)}{owner}"


def later(case: Case) -> list[Block]:
    """Outcomes of the decision that were recorded later."""
    lines = list[str]()
    for later in case.decision.later:
        right = _("; right was: {option}", option=case.say(later.option)) if later.option else ""
        words = f"{RESULTS[later.result]}{right}; {case.say(later.reason)}"
        lines.append(f"{later.at[:10]}, {participants.name_and_role(case, later.by)}: {words}")
    return items(lines)


_AFTER_OWN_ID = ", "
"""Text after the id of the own debate in every language; the id of a parent ends its line."""


def is_decision_record_of(text: str, debate_id: str) -> bool:
    """True if a decision record was written by `record` for this debate."""
    return f" {code(debate_id)}{_AFTER_OWN_ID}" in text


def record(case: Case) -> list[Block]:
    """Debate, number of events and hash of the last one, for a check of the record."""
    state = case.state
    events = _n(state.version, "{n} event", "{n} events")
    checksum = _("{events}, checksum ", events=events)
    lines: list[Inline] = [(_("Debate "), Code(state.debate), _AFTER_OWN_ID, checksum, Code(state.head))]
    if state.spec.parent:
        lines.append((_("Forked from debate "), Code(state.spec.parent)))
    if case.account.secrets:
        lines.append(_("Not in here, because it is sealed: {secrets}", secrets=", ".join(case.account.secrets)))
    return items(lines)


def premortem(case: Case) -> list[Block]:
    return items(map(case.say, premortem_lines(case.state)))


def facts(case: Case) -> list[Block]:
    """Facts that people wrote before the first vote."""
    return items(case.say(fact.text) for fact in case.state.facts)


MORE = (
    Section(3, message("Participants"), participants.took_part),
    Section(3, message("What people knew before the first vote"), facts),
    Section(3, message("Count"), counted),
    Section(3, message("Judgements"), judged),
    Section(3, message("Facilitation"), led),
    Section(3, message("Overrides"), overrides),
    Section(3, message("Dissent and objections"), dissent),
    Section(3, message("Open points of the synthesis"), flagged),
    Section(3, message("Declared interests"), interests),
    Section(3, message("Signatures"), signatures),
    Section(3, message("Later outcome"), later),
    Section(3, message("Premortem"), premortem),
    Section(3, message("Record"), record),
)


def more_information(case: Case) -> list[Block]:
    """All sections of this module."""
    return blocks_of(case, MORE)


def premortem_lines(state: State) -> tuple[str, ...]:
    """Every reason, else one sentence if a premortem of the seats was agreed; () without one, or before the end."""
    if reasons := reversal_reasons(state):
        return reasons
    phases = [phase.name for phase in state.spec.protocol.phases() if phase.gives == "premortem"]
    if not phases or state.outcome is None:
        return ()
    if any(name in phases for _round, name in state.ran):
        return (_("No seat gave a reason in the premortem."),)
    return (_("The agreed premortem was not held: the debate ended before its last vote."),)
