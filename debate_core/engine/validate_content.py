"""Validation of contents: the reason why the protocol refuses one, as a sentence; None = accepted.

Unknown claim or source ids and false quotes never refuse a turn or its ballot: they are kept, flagged elsewhere, and
count as no support.
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, assert_never

from pydantic import TypeAdapter, ValidationError

from debate_core.engine.count.ballots import fault_under, how
from debate_core.engine.field_aliases import BALLOT_FIELDS, spelt, with_ballot
from debate_core.engine.option_names import name_stated, no_option
from debate_core.engine.word_forms import stem
from debate_core.errors import BadReply
from debate_core.sentence import Sentence
from debate_core.spec import contents
from debate_core.spec.decode import Undecodable
from debate_core.spec.output_schema import deliverable_text, mismatch, unreadable
from debate_core.spec.protocol import Spec, first_problem
from debate_core.spec.rules import ballot_kind, most_points
from debate_core.spec.values import ABSTAIN

CONTENT: TypeAdapter[contents.Content] = TypeAdapter(contents.Content)


def fault_in_content(
    spec: Spec, gives: contents.Gives, content: contents.Content, *, is_measured: bool = True
) -> Sentence | None:
    """The reason why this content does not answer a request for `gives`, or None.

    `is_measured=False` skips checks that depend on text measures, for records made with other measures.
    """
    are_arguments = gives in contents.ARGUMENT_KINDS and content.kind in contents.ARGUMENT_KINDS
    if content.kind != gives and not are_arguments:
        return Sentence("this request asks for {gives}, not for {kind}", gives=gives, kind=content.kind)
    if content.PROSE_FIELD and not content.prose.strip():
        return Sentence(
            "the {field} is empty: {asked}",
            field=content.PROSE_FIELD,
            asked=_ASKED_PROSE.get(content.PROSE_FIELD, Sentence("write it")),
        )
    match content:
        case contents.Argument():
            return ballot_fault(spec, content)
        case contents.Synthesis():
            return _unknown_option(spec, content.option) or _fault_in_deliverable(spec, content)
        case contents.Verdict():
            return _unknown_option(spec, content.option)
        case contents.Review():
            return _review_fault(spec, content)
        case contents.Positions():
            return _positions_fault(spec, content, is_measured=is_measured)
        case contents.Directive():
            return _directive_fault(spec, content)
        case (
            contents.Evaluation()
            | contents.Framing()
            | contents.Candidates()
            | contents.CruxAnswer()
            | contents.Premortem()
        ):
            return None
        case _:
            assert_never(content)


def _review_fault(spec: Spec, review: contents.Review) -> Sentence | None:
    for mark in review.marks:
        if why := mark_fault(spec, mark):
            return why
    return None


def fault_in_comparison(pair: tuple[str, str] | None, content: contents.Content) -> Sentence | None:
    """The reason why this content compares anything but the two options of its turn."""
    if pair is None or not isinstance(content, contents.Verdict) or content.option in (None, *pair):
        return None
    return Sentence(
        "option {option!r} is not compared here: name {first!r} or {second!r}, or neither for a tie",
        option=content.option,
        first=pair[0],
        second=pair[1],
    )


def fault_in_given(spec: Spec, gives: contents.Gives, content: contents.Content) -> Sentence | None:
    """`fault_in_content` for new contents; also refuses a reason that only repeats the question."""
    fault = fault_in_content(spec, gives, content)
    if fault is None and not spec.held_elsewhere and _repeats_what_was_asked(spec, content):
        return Sentence("the rationale only repeats the question or an option: say why")
    return fault


_ASKED_PROSE = {"rationale": Sentence("say why"), "answer": Sentence("say what the debate showed")}


def ballot_fault(spec: Spec, content: contents.Argument) -> Sentence | None:
    """The reason why the vote of an argument cannot be counted; no vote and no ballot = abstention."""
    if content.vote is None and not content.ballot:
        return None
    if spec.held_elsewhere:
        return Sentence("no one votes in the record of a transcript: leave the vote out")
    return fault_under(spec.protocol.decide, spec.options, spec.drivers, content.vote, content.ballot)


def _positions_fault(spec: Spec, content: contents.Positions, *, is_measured: bool) -> Sentence | None:
    """Check for one strong position per debater without a stance: a name, a claim and a reason."""
    names = set[str]()
    for number, position in enumerate(content.positions, start=1):
        if empty := _empty_field(position):
            return Sentence(
                "position {number} has no {empty}: each position needs a name, a claim and a reason (because)",
                number=number,
                empty=empty,
            )
        if is_measured and (why := _weak_frame(position)):
            return Sentence("position {number} is weak: {why}", number=number, why=why)
        name = position.name.strip().casefold()
        if name in names:
            return Sentence("two positions are called {name!r}: give each its own name", name=position.name[:60])
        names.add(name)
    needed = len(spec.without_stance())
    if len(content.positions) != needed:
        return Sentence(
            "there must be {needed} positions, one for each debater without a stance, not {n_names}",
            needed=needed,
            n_names=len(content.positions),
        )
    return None


def _empty_field(position: contents.Position) -> str | None:
    for field in ("name", "claim", "because"):
        if not getattr(position, field).strip():
            return field
    return None


_TAKES_NO_SIDE = re.compile(
    r"\b(both|all|each|either) (of the )?(sides?|options?|views?|perspectives?|positions?)\b"
    r"|\bpros and cons\b|\bit depends\b|\bbalanced (view|approach|look|position)\b"
)
"""Claims without an opposite: `consider both sides`, `weigh the pros and cons`."""
_SAYS_NOTHING = re.compile(
    r"about|all|also|always|and?|any|are|as|at|balanced|be|because|best|better|both|but|by|can|clear|clearly|common"
    r"|could|do|does|everybody|everyone|fair|for|from|good|great|has|have|having|i|ideal|important|in|is|it|its|just"
    r"|know|known|knows|makes|more|most|must|needed|necessary|no|not|obvious|obviously|of|on|one|only|option|or|our"
    r"|reasonable|right|sense|sensible|should|sides?|so|some|sound|that|the|their|them|there|these|they|things?|think"
    r"|this|to|true|us|very|views?|way|we|well|what|which|wise|with|would|you"
)
"""Words that are no reason: `it is fair`, `it makes sense`, `because it is the best option`."""
_WORD = re.compile(r"[^\W_]+")


_OF_VOTING = (
    "a an I my our position recommendation question answer option options vote votes voting choose choice support "
    "recommend yes means opened seat speak speaks look first others may miss know side defend "
    "decision measured much weighs"
)
"""Words around a vote or around a seat's card, as in `My position: adopt.`, `The options: adopt`."""
NO_REASON = "No reason given."
"""Text of a turn without a reason; English in all records."""


def _adds_nothing(text: str, *said: str) -> bool:
    """True if every word of a text was said before or is no reason."""
    new_words = _words(text) - _words(" ".join(said))
    return all(_SAYS_NOTHING.fullmatch(word) for word in new_words)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def gives_no_reason(spec: Spec, content: contents.Content) -> bool:
    """True for an argument whose text gives no reason for its ballot; the turns of a transcript have no ballots."""
    if spec.held_elsewhere or not isinstance(content, contents.Argument):
        return False
    return content.rationale == NO_REASON or _repeats_what_was_asked(spec, content)


def _repeats_what_was_asked(spec: Spec, content: contents.Content) -> bool:
    """True if an argument without claims only repeats the question, an option or a seat's card."""
    if not isinstance(content, contents.Argument) or content.claims:
        return False
    said = _stems(content.rationale)
    asked = _stems(" ".join((spec.question, *spec.options)))
    cards = [card for card in map(_stems, _cards(spec)) if _is_repeated(card, said)]
    is_echo = bool(cards) or not asked.isdisjoint(said)
    new = said - asked.union(_stems(_OF_VOTING), *cards)
    return is_echo and all(_SAYS_NOTHING.fullmatch(word) for word in new)


def _is_repeated(card: Collection[str], said: Collection[str]) -> bool:
    """True if a text repeats several words of a card; a single one, such as `cost`, may be a reason."""
    telling = [word for word in card if not _SAYS_NOTHING.fullmatch(word)]
    there = [word for word in telling if word in said]
    return len(there) >= max(2, min(3, len(telling)))


def _cards(spec: Spec) -> Iterator[str]:
    """Texts about seats and drivers that accompany the question."""
    for seat in spec.seats:
        yield f"speak as {seat.id}"
        yield seat.persona
        yield seat.stance
    for driver in spec.drivers:
        yield f"{driver.name} {driver.weight}"


def _stems(text: str) -> set[str]:
    """The words of a text, stemmed so that `moving` and `moved` are equal."""
    return {stem(word) if not _SAYS_NOTHING.fullmatch(word) else word for word in _words(text)}


def _weak_frame(position: contents.Position) -> Sentence | None:
    """The reason why this position cannot be argued: no side, or only a repeated reason."""
    if _TAKES_NO_SIDE.search(position.claim.casefold()):
        return Sentence(
            "its claim {claim!r} takes no side: claim something that can be attacked", claim=position.claim[:80]
        )
    if _adds_nothing(position.because, position.name, position.claim):
        return Sentence(
            "its reason {because!r} says nothing that its claim does not: say what it rests on",
            because=position.because[:80],
        )
    return None


def _directive_fault(spec: Spec, content: contents.Directive) -> Sentence | None:
    """Check that the next speakers are debaters; a directive without any must say done."""
    if content.redo:
        return _redo_fault(content)
    debaters = spec.ids_of("debater")
    unknown = [name for name in content.next_speakers if name not in debaters]
    if unknown:
        return Sentence(
            "there is no debater {unknown!r}: next_speakers can name {names}",
            unknown=unknown[0][:60],
            names=", ".join(debaters),
        )
    if not content.next_speakers and not content.done:
        return Sentence(
            "next_speakers is empty and done is false: name who speaks ({names}), or say done",
            names=", ".join(debaters),
        )
    return None


def _redo_fault(content: contents.Directive) -> Sentence | None:
    """Check that a directive that sends back contains nothing else."""
    steers = content.next_speakers or content.briefing or content.new_angle or content.done
    if not steers:
        return None
    return Sentence("a directive with redo gives no new instructions: fill in reason and nothing else")


def weak(min_strength: int | None, content: contents.Content) -> Sentence | None:
    """The reason for asking for a stronger critique, quoting its own rating; None = it is strong enough."""
    rating = content.strength if isinstance(content, contents.Argument) else None
    if min_strength is None or rating is None or rating >= min_strength:
        return None
    return Sentence(
        "it rates its own strength {given} of 10, below {min_strength}: strike harder, and at what matters most",
        given=rating,
        min_strength=min_strength,
    )


def mark_fault(spec: Spec, mark: contents.Mark) -> Sentence | None:
    """The reason why a mark is invalid: a mark that is not neutral has to name an option."""
    if mark.reading == "neutral" or mark.option in spec.options:
        return None
    return Sentence(
        "say which option {claim_id} {reading}: {options}",
        claim_id=mark.claim_id,
        reading=mark.reading,
        options=", ".join(spec.options),
    )


def _unknown_option(spec: Spec, option: str | None) -> Sentence | None:
    if option is None or option in spec.options:
        return None
    return Sentence(
        "the option {given!r} is none of the options: {options}", given=option[:80], options=", ".join(spec.options)
    )


def _fault_in_deliverable(spec: Spec, content: contents.Synthesis) -> Sentence | None:
    """The reason why a deliverable cannot be kept; one that only fails to match its schema is kept and flagged."""
    if content.deliverable is None:
        return None
    if spec.protocol.output_schema is None:
        return Sentence("{name} has no output schema, so a synthesis has no deliverable", name=spec.protocol.name)
    return unreadable(content.deliverable)


def mismatch_of(spec: Spec, content: contents.Content) -> Sentence | None:
    """The point in which the deliverable of a synthesis does not match the output schema; None = it matches, or none
    is asked for."""
    schema = spec.protocol.output_schema
    if schema is None or not isinstance(content, contents.Synthesis):
        return None
    return mismatch(schema, content.deliverable)


def read_content(spec: Spec, gives: contents.Gives, data: Any, *, asks_ballot: bool) -> contents.Content:
    """Read all of a person's content from a JSON object. Raises BadReply with a sentence.

    People can correct their input. `reply_parser.read_turn` reads replies of models.
    """
    mended = mended_fields(spec, gives, data, asks_ballot=asks_ballot)
    try:
        content = CONTENT.validate_python(mended)
    except ValidationError as error:
        raise BadReply(first_problem(error)) from None
    fault = fault_in_given(spec, gives, content)
    if fault:
        raise BadReply(fault)
    return content


def mended_fields(spec: Spec, gives: contents.Gives, data: Any, *, asks_ballot: bool) -> dict[str, Any]:
    """Normalise the fields of a reply before validation. Raises BadReply if it is no object or has no vote.

    Lenient in form only: other spellings of fields (`field_aliases`), case and blanks around names of options and
    speakers. A missing vote is never guessed; it makes the whole reply unparseable.
    """
    if not isinstance(data, dict):
        raise BadReply("the reply is not a JSON object with the fields of {gives}", gives=gives)
    fields = {"kind": gives, **spelt(gives, data)}
    if gives in contents.ARGUMENT_KINDS:
        fields = with_ballot(ballot_kind(spec.protocol.decide), fields)
        _mend_ballot(spec, fields)
    if asks_ballot and not fields.keys() & {"vote", "ballot"}:
        raise _no_vote(spec)
    if gives == "synthesis" and "deliverable" in fields:
        _mend_deliverable(fields)
    _mend_named(spec, fields)
    for name, mend in (("next_speakers", _mend_seat), ("marks", _mend_mark), ("supposed", _mend_mark)):
        if isinstance(fields.get(name), list | tuple):
            fields[name] = [mend(spec, one) for one in fields[name]]
    return fields


def _mend_deliverable(fields: dict[str, Any]) -> None:
    """Keep the deliverable as JSON text, whether a seat gives it as a value or as a text that holds JSON."""
    try:
        fields["deliverable"] = deliverable_text(fields["deliverable"])
    except Undecodable as error:
        raise BadReply("the deliverable is not readable JSON: {error}", error=str(error)) from None


def _no_vote(spec: Spec) -> BadReply:
    kind = ballot_kind(spec.protocol.decide)
    points = how(kind, most_points(spec.protocol.decide))
    asked = ", ".join(spec.options) if kind == "one" else f"{BALLOT_FIELDS[kind]} ({points})"
    return BadReply(
        "the reply has no vote, and this phase asks for one: {asked} or {abstain}", asked=asked, abstain=ABSTAIN
    )


def _mend_named(spec: Spec, fields: dict[str, Any]) -> None:
    """Read an empty option, or the word for none, as no option."""
    option = fields.get("option")
    if not isinstance(option, str):
        return
    none = no_option(spec.options)
    stated = name_stated(option, (*spec.options, none))
    is_none = stated == none or not option.strip()
    fields["option"] = None if is_none else stated or option


def _mend_mark(spec: Spec, mark: Any) -> Any:
    if not isinstance(mark, dict):
        return mark
    mended = dict(mark)
    _mend_named(spec, mended)
    return mended


def _mend_ballot(spec: Spec, fields: dict[str, Any]) -> None:
    if isinstance(fields.get("vote"), str):
        fields["vote"] = _mend_option(spec, fields["vote"])
    if isinstance(fields.get("ballot"), list | tuple):
        fields["ballot"] = [_mend_line(spec, line) for line in fields["ballot"]]


def _mend_line(spec: Spec, line: Any) -> Any:
    """A ballot line with the exact names of its option and driver."""
    if not isinstance(line, dict) or not isinstance(line.get("option"), str):
        return line
    mended = {**line, "option": _mend_option(spec, line["option"])}
    if isinstance(line.get("driver"), str):
        mended["driver"] = _mend_driver(spec, line["driver"])
    return mended


def _mend_driver(spec: Spec, name: str) -> str:
    return name_stated(name, [driver.name for driver in spec.drivers]) or name


def _mend_seat(spec: Spec, name: Any) -> Any:
    if not isinstance(name, str):
        return name
    return name_stated(name, spec.ids_of("debater")) or name


def _mend_option(spec: Spec, name: str) -> str:
    return option_spelt(spec, name) or name


def option_spelt(spec: Spec, text: str) -> str | None:
    """The option or abstention that this text spells, ignoring case, blanks and marks around it."""
    return name_stated(text, (*spec.options, ABSTAIN))
