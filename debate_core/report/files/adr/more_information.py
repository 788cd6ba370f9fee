"""Everything that MADR has no place for, each a section that is left out where there is nothing to say.

Who took part, how it was counted, judged and led, who was of another mind, what was signed, and where it can be
checked. Nothing that is still sealed is in it.
"""

from collections.abc import Iterator

from debate_core.engine.count.ballots import OBJECTION
from debate_core.engine.stage import ELECTORATES, known_as
from debate_core.language import _, _n, format_number, message
from debate_core.report.facts import judgements
from debate_core.report.facts.decision import DISSENTS, RESULTS, Dissent, Signature, Who
from debate_core.report.facts.interventions import OverrideRow
from debate_core.report.facts.office_turns import DirectiveRow
from debate_core.report.facts.polls import aliases, kind_of
from debate_core.report.facts.terms import named
from debate_core.report.facts.who_judged import judge_flags
from debate_core.report.files.adr import participants
from debate_core.report.files.adr.case import Case, Section, blocks_of
from debate_core.report.files.document import Block, Code, Inline, Paragraph, Quote, code, items
from debate_core.report.words.agreement import poll_sentence, ties_sentence
from debate_core.report.words.decision import signed_words, tallies
from debate_core.report.words.overrides import change_words, override_words
from debate_core.report.words.polls import deciding_words, swing_words
from debate_core.report.words.rules import agreed_sentence
from debate_core.spec.people import Room
from debate_core.spec.rules import ballot_kind
from debate_core.spec.values import Given
from debate_core.text import capitalized, line

# How it was counted, judged and led


def counted(case: Case) -> list[Block]:
    """The rule that decides, as agreed, and what each electorate said; they are never added up."""
    state = case.state
    lines = _rules(case)
    if deciding := deciding_words(state):
        lines.append(case.say(deciding))
    lines += [f"{name}: {case.say(words)}" for name, words in tallies(case.account)]
    for electorate in ELECTORATES:
        if swing := swing_words(state, electorate):
            lines.append(case.say(swing))
    return items(lines)


def _rules(case: Case) -> list[str]:
    terms = case.state.spec.terms
    debaters = case.say(agreed_sentence(case.state.spec))
    if terms.decides == "debaters":
        return [_("Rule: {rule}", rule=debaters)]
    return [
        _("Rule: {rule}", rule=case.say(_rule_of_people(case, terms))),
        _("Rule of the debaters, as advice: {rule}", rule=debaters),
    ]


def _rule_of_people(case: Case, terms: Room) -> str:
    voters = [person for electorate in ELECTORATES for person in case.account.final_voters(electorate)]
    return f"{poll_sentence(terms, voters)} {ties_sentence(terms.vote)}"


def judged(case: Case) -> list[Block]:
    """Figures of the judges who were revealed together, then each late judge; only what was revealed."""
    state = case.state
    rows = case.account.judged_options
    late = [case.say(sentence) for sentence in judgements.late_sentences(state)]
    if not rows and not late:
        return []
    flags = map(case.say, judge_flags(state))
    if not rows:
        return items([*flags, *late])
    means = ", ".join(f"{case.say(row.option)} {format_number(row.mean, '.0%')}" for row in rows)
    mean = _("Mean probability: {means}", means=means)
    reading = capitalized(case.say(judgements.reading_words(state)))
    return items([mean, reading, case.say(judgements.agreement_sentence(state)), *flags, *late])


def led(case: Case) -> list[Block]:
    """What whoever leads could steer by: how often people stepped in, who spoke how much, what rounds began with."""
    lines = [case.say(case.account.steering)]
    if shares := case.account.shares:
        spoken = [
            f"{case.seat(row.seat)} {format_number(row.share, '.0%')} ({_n(row.turns, '{n} turn', '{n} turns')})"
            for row in shares
        ]
        lines.append(_("Words spoken: {spoken}", spoken=", ".join(spoken)))
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
    """Every act of a person on the course of the debate, with who and why; marks on claims are counted."""
    rows = case.account.overrides
    actors = {event.seq: event.actor for event in case.account.events}
    lines = [_override(case, row, actors[row.event_id]) for row in rows if row.action not in ("mark", "sign")]
    lines += [_replaced(case, row) for row in case.account.directives if row.replaced]
    marks = sum(row.action == "mark" for row in rows)
    if marks:
        lines.append(
            _n(
                marks,
                "{n} mark of people on claims; each is in the record",
                "{n} marks of people on claims; each is in the record",
            )
        )
    return items(lines) or [Paragraph(_("Nobody overrode anything."))]


def _override(case: Case, row: OverrideRow, actor: str) -> str:
    role = f", {named(row.role)}" if row.role and not case.names.anonymous else ""
    what = override_words(row, case.say)
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


def _replaced(case: Case, row: DirectiveRow) -> str:
    """A proposal for a round that did not stand."""
    speakers = ", ".join(row.next_speakers) or _("nobody")
    return _(
        "Round {round}: the proposal of {who} ({speakers}) was replaced",
        round=row.round,
        who=case.who(row.by),
        speakers=case.say(speakers),
    )


# Who was of another mind


def dissent(case: Case) -> list[Block]:
    """Word for word, with a name if it was given with one."""
    blocks = list[Block]()
    for words in case.decision.dissents:
        blocks += [Paragraph(_dissenter(case, words)), Quote(case.names.text(words.text))]
    return blocks + items(_objections(case))


def _dissenter(case: Case, words: Dissent) -> str:
    by = case.who(words.by.id) if words.by else _("without a name")
    return f"{DISSENTS[words.kind]}, {by}, {words.at[:10]}:"


def _objections(case: Case) -> Iterator[str]:
    """Paramount objections on the ballots that decide, under a rule that asks for them; never with a person's name."""
    for voter, points in _consents(case):
        for each in points:
            if each.points == OBJECTION and each.reason.strip():
                yield _(
                    "Objection on a ballot ({voter}) to {option}: {reason}",
                    voter=line(voter),
                    option=case.say(each.option),
                    reason=case.say(each.reason),
                )


def _consents(case: Case) -> Iterator[tuple[str, tuple[Given, ...]]]:
    """Ballots on which points mean consent: two points of a score or of a place are no objection."""
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
    """Flags that nobody settled, and lines that the synthesiser answers for alone."""
    unsettled = [flag for flag in case.account.synthesis_flags if not flag.resolved]
    lines = [
        _("Flagged: {line}{why}", line=case.say(flag.line), why=case.in_brackets(flag.reason)) for flag in unsettled
    ]
    synthesis = case.account.standing
    for word in synthesis.own_words if synthesis else ():
        why = case.in_brackets(word.reason)
        lines.append(_("Synthesiser's own judgement: {line}{why}", line=case.say(word.line), why=why))
    return items(lines)


def interests(case: Case) -> list[Block]:
    """What people declared of themselves; what they took back is told too, and as taken back."""
    return items(declared for person in case.state.room.people for declared in _declared(case, person))


def _declared(case: Case, person: str) -> Iterator[str]:
    told = [known.interest.strip() for known in known_as(case.state, person)]
    for interest in dict.fromkeys(filter(None, told)):
        stands = "" if interest == told[-1] else _(" (taken back later)")
        yield f"{case.who(person)}: {case.say(interest)}{stands}"


# What was signed, and what became of it


def signatures(case: Case) -> list[Block]:
    """The signature that stands, then those that it replaced."""
    decision = case.decision
    if decision.signed is None:
        return []
    replaced = [
        _("{signature}; replaced", signature=_signature(case, signature)) for signature in reversed(decision.earlier)
    ]
    return items([_("{signature}; it stands", signature=_signature(case, decision.signed)), *replaced])


def _signature(case: Case, signature: Signature) -> str:
    word = signature.word
    reason = ""
    if word.reason.strip():
        reason = _("; because {reason}", reason=case.within(word.reason))
    owner = _("; owner: {owner}", owner=case.say(word.owner)) if word.owner.strip() else ""
    option = case.say(word.option) if word.option else None
    act = signed_words(_named(case, signature.by), word.verdict, option)
    return f"{_('{act} on {day}', act=act, day=signature.at[:10])}{reason}{owner}"


def _named(case: Case, by: Who) -> str:
    role = f" ({named(by.role)})" if by.role and not case.names.anonymous else ""
    return f"{case.who(by.id)}{role}"


def later(case: Case) -> list[Block]:
    """What was recorded of the decision afterwards."""
    lines = list[str]()
    for later in case.decision.later:
        right = _("; right was: {option}", option=case.say(later.option)) if later.option else ""
        words = f"{RESULTS[later.result]}{right}; {case.say(later.reason)}"
        lines.append(f"{later.at[:10]}, {_named(case, later.by)}: {words}")
    return items(lines)


def revisit(case: Case) -> list[Block]:
    """A date, or what would have to happen."""
    signed = case.decision.signed
    if signed is None or not signed.word.revisit.strip():
        return []
    return [Paragraph(case.say(signed.word.revisit))]


_AFTER_OWN_ID = ", "
"""Follows the id of its debate in a decision record of whatever language; the id of a parent ends its line."""


def is_decision_record_of(text: str, debate_id: str) -> bool:
    """True if a decision record names this debate as its own, as `record` writes it."""
    return f" {code(debate_id)}{_AFTER_OWN_ID}" in text


def record(case: Case) -> list[Block]:
    """Where it can be checked: the number of events and the hash of the last one."""
    state = case.state
    events = _n(state.version, "{n} event", "{n} events")
    checksum = _("{events}, checksum ", events=events)
    lines: list[Inline] = [(_("Debate "), Code(state.debate), _AFTER_OWN_ID, checksum, Code(state.head))]
    if state.spec.parent:
        lines.append((_("Forked from debate "), Code(state.spec.parent)))
    if case.account.secrets:
        lines.append(_("Not in here, because it is sealed: {secrets}", secrets=", ".join(case.account.secrets)))
    return items(lines)


MORE = (
    Section(3, message("Who took part"), participants.took_part),
    Section(3, message("How it was counted"), counted),
    Section(3, message("How people judged"), judged),
    Section(3, message("How it was led"), led),
    Section(3, message("Overrides"), overrides),
    Section(3, message("Dissent and objections"), dissent),
    Section(3, message("Open points of the synthesis"), flagged),
    Section(3, message("Declared interests"), interests),
    Section(3, message("Signatures"), signatures),
    Section(3, message("What became of it"), later),
    Section(3, message("Revisit"), revisit),
    Section(3, message("Record"), record),
)


def more_information(case: Case) -> list[Block]:
    """Everything that MADR has no place for."""
    return blocks_of(case, MORE)
