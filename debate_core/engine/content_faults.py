"""What content the protocol refuses, in words. None means accepted.

Unknown claim or source ids and unverified quotes never refuse a turn or its ballot: they are kept, flagged
elsewhere, and count as no support.
"""

import re
from collections.abc import Sequence
from typing import Any, assert_never

from pydantic import TypeAdapter, ValidationError

from debate_core.engine.count.ballots import fault_under, how
from debate_core.engine.field_aliases import BALLOT_FIELDS, spelt, with_ballot
from debate_core.errors import BadReply
from debate_core.record.events import EDITION
from debate_core.sentence import Sentence
from debate_core.spec.contents import (
    ARGUMENT_KINDS,
    Argument,
    Candidates,
    Content,
    Directive,
    Evaluation,
    Framing,
    Gives,
    Mark,
    Position,
    Positions,
    Review,
    Synthesis,
    Verdict,
)
from debate_core.spec.protocol import Spec, first_problem
from debate_core.spec.rules import ballot_kind, most_points
from debate_core.spec.values import ABSTAIN

CONTENT: TypeAdapter[Content] = TypeAdapter(Content)


def fault_in_content(spec: Spec, gives: Gives, content: Content, *, edition: int = EDITION) -> Sentence | None:
    """Why this content is no answer to a request for `gives` under this edition of the rules, or None."""
    if content.kind != gives and not (gives in ARGUMENT_KINDS and content.kind in ARGUMENT_KINDS):
        return Sentence("this request asks for {gives}, not for {kind}", gives=gives, kind=content.kind)
    if content.PROSE_FIELD and not content.prose.strip():
        return Sentence(
            "the {field} is empty: {asked}",
            field=content.PROSE_FIELD,
            asked=_ASKED_PROSE.get(content.PROSE_FIELD, Sentence("write it")),
        )
    match content:
        case Argument():
            return ballot_fault(spec, content)
        case Synthesis() | Verdict():
            return _unknown_option(spec, content.option)
        case Review():
            return next((why for m in content.marks if (why := mark_fault(spec, m))), None)
        case Positions():
            return _positions_fault(spec, content, edition)
        case Directive():
            return _directive_fault(spec, content)
        case Evaluation() | Framing() | Candidates():
            return None
        case _:
            assert_never(content)


def fault_in_comparison(pair: tuple[str, str] | None, content: Content) -> Sentence | None:
    """Why this content compares something else than the two options of its turn."""
    if pair is None or not isinstance(content, Verdict) or content.option in (None, *pair):
        return None
    return Sentence(
        "option {option!r} is not compared here: name {first!r} or {second!r}, or neither for a tie",
        option=content.option,
        first=pair[0],
        second=pair[1],
    )


def fault_in_given(spec: Spec, gives: Gives, content: Content) -> Sentence | None:
    """The same of what somebody gives now; also that its reason is none. A turn that was taken is not read so again."""
    return fault_in_content(spec, gives, content) or _no_reason(spec, content)


_ASKED_PROSE = {"rationale": Sentence("say why"), "answer": Sentence("say what the debate showed")}


def ballot_fault(spec: Spec, given: Argument) -> Sentence | None:
    """Why the vote of an argument cannot be counted; without a vote and without a ballot it is an abstention."""
    if given.vote is None and not given.ballot:
        return None
    return fault_under(spec.protocol.decide, spec.options, spec.drivers, given.vote, given.ballot)


def _positions_fault(spec: Spec, given: Positions, edition: int) -> Sentence | None:
    """One strong frame for each debater without a stance: a name, a claim and what it rests on (R147, R148)."""
    names, needed = [p.name.strip().casefold() for p in given.positions], len(spec.without_stance())
    for number, position in enumerate(given.positions, start=1):
        empty = [w for w in ("name", "claim", "because") if not getattr(position, w).strip()]
        if empty:
            return Sentence(
                "position {number} has no {empty}: each needs a name, a claim and because of what",
                number=number,
                empty=empty[0],
            )
        if edition >= 2 and (why := _weak_frame(position)):
            return Sentence("position {number} is weak: {why}", number=number, why=why)
        if names.index(names[number - 1]) < number - 1:
            return Sentence("two positions are called {name!r}: each needs a name of its own", name=position.name[:60])
    if len(names) != needed:
        return Sentence(
            "there must be {needed} positions, one for each debater without a stance, not {n_names}",
            needed=needed,
            n_names=len(names),
        )
    return None


_TAKES_NO_SIDE = re.compile(
    r"\b(both|all|each|either) (of the )?(sides?|options?|views?|perspectives?|positions?)\b"
    r"|\bpros and cons\b|\bit depends\b|\bbalanced (view|approach|look|position)\b"
)
"""Claims that nobody can be against: `consider both sides`, `weigh the pros and cons`."""
_SAYS_NOTHING = re.compile(
    r"about|all|also|always|and?|any|are|as|at|balanced|be|because|best|better|both|but|by|can|clear|clearly|common"
    r"|could|do|does|everybody|everyone|fair|for|from|good|great|has|have|having|i|ideal|important|in|is|it|its|just"
    r"|know|known|knows|makes|more|most|must|needed|necessary|no|not|obvious|obviously|of|on|one|only|option|or|our"
    r"|reasonable|right|sense|sensible|should|sides?|so|some|sound|that|the|their|them|there|these|they|things?|think"
    r"|this|to|true|us|very|views?|way|we|well|what|which|wise|with|would|you"
)
"""Words that give no reason by themselves: `it is fair`, `it makes sense`, `because it is the best option`."""
_WORD = re.compile(r"[^\W_]+")


_OF_VOTING = "I my our position recommendation question answer option vote votes voting choose choice support recommend"
"""Words around what is voted for, as in `My position: adopt.`"""


def _adds_nothing(text: str, *said: str) -> bool:
    """True if each word of a text was said already, or gives no reason by itself."""
    known = set(_WORD.findall(" ".join(said).casefold()))
    return all(w in known or _SAYS_NOTHING.fullmatch(w) for w in _WORD.findall(text.casefold()))


def _no_reason(spec: Spec, content: Content) -> Sentence | None:
    """Why the prose of a turn is no reason: it gives the question or an option back, and nobody claims anything."""
    if content.PROSE_FIELD != "rationale" or (isinstance(content, Argument) and content.claims):
        return None
    asked = f"{spec.question} {' '.join(spec.options)}"
    repeats = set(_WORD.findall(asked.casefold())) & set(_WORD.findall(content.prose.casefold()))
    if not repeats or not _adds_nothing(content.prose, asked, _OF_VOTING):
        return None
    return Sentence("the rationale only repeats the question or an option: say why")


def _weak_frame(position: Position) -> Sentence | None:
    """Why this position cannot be argued: it takes no side, or gives no reason of its own (R148); None if it can."""
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


def _directive_fault(spec: Spec, given: Directive) -> Sentence | None:
    """R095, R096. What sends back says nothing else."""
    if given.redo:
        steers = given.next_speakers or given.briefing or given.new_angle or given.done
        if steers:
            return Sentence("redo sends a directive back and gives no other: say why in reason, leave the rest")
        return None
    names = [s.id for s in spec.debaters()]
    unknown = [n for n in given.next_speakers if n not in names]
    if unknown:
        return Sentence(
            "there is no debater {unknown!r}: next_speakers can name {names}",
            unknown=unknown[0][:60],
            names=", ".join(names),
        )
    if not given.next_speakers and not given.done:
        return Sentence(
            "next_speakers is empty and done is false: name who speaks ({names}), or say done", names=", ".join(names)
        )
    return None


def weak(min_strength: int | None, content: Content) -> Sentence | None:
    """Why a critique should be given once more, with its own rating quoted; None if it may stand (R238)."""
    given = content.strength if isinstance(content, Argument) else None
    if min_strength is None or given is None or given >= min_strength:
        return None
    return Sentence(
        "it rates its own strength {given} of 10, below {min_strength}: strike harder, and at what matters most",
        given=given,
        min_strength=min_strength,
    )


def mark_fault(spec: Spec, mark: Mark) -> Sentence | None:
    """What is wrong with a mark as such: one that is not neutral names an option."""
    if mark.reading == "neutral" or mark.option in spec.options:
        return None
    return Sentence(
        "say which option {claim_id} {reading}: {options}",
        claim_id=mark.claim_id,
        reading=mark.reading,
        options=", ".join(spec.options),
    )


def _unknown_option(spec: Spec, given: str | None) -> Sentence | None:
    if given is None or given in spec.options:
        return None
    return Sentence(
        "the option {given!r} is none of the options: {options}", given=given[:80], options=", ".join(spec.options)
    )


def read_content(spec: Spec, gives: Gives, data: Any, *, asks_ballot: bool) -> Content:
    """Content from what somebody gave (a JSON object), all of it. BadReply says in one sentence what is wrong.

    For people, who can mend what they gave. What a seat without a person replies is read by `replies.read_turn`.
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


def mended_fields(spec: Spec, gives: Gives, data: Any, *, asks_ballot: bool) -> dict[str, Any]:
    """The fields of a reply as a content has them, not yet checked. BadReply if it is no object, or has no vote.

    Lenient in form only: other spellings of a field (`field_aliases`), case and blanks around the name of an option
    or a speaker are mended. A vote that was asked for and is missing makes the whole reply unparseable: it is never
    guessed.
    """
    if not isinstance(data, dict):
        raise BadReply("the reply is not a JSON object with the fields of {gives}", gives=gives)
    kind = ballot_kind(spec.protocol.decide)
    mended = {"kind": gives, **spelt(gives, data)}
    if gives in ARGUMENT_KINDS:
        mended = with_ballot(kind, mended)
        _mend_ballot(spec, mended)
    if asks_ballot and not mended.keys() & {"vote", "ballot"}:
        points = how(kind, most_points(spec.protocol.decide))
        asked = ", ".join(spec.options) if kind == "one" else f"{BALLOT_FIELDS[kind]} ({points})"
        raise BadReply(
            "the reply has no vote, and this phase asks for one: {asked} or {abstain}", asked=asked, abstain=ABSTAIN
        )
    _mend_named(spec, mended)
    if isinstance(mended.get("next_speakers"), list | tuple):
        mended["next_speakers"] = [_mend_seat(spec, name) for name in mended["next_speakers"]]
    if isinstance(mended.get("marks"), list | tuple):
        mended["marks"] = [_mend_named(spec, dict(m)) if isinstance(m, dict) else m for m in mended["marks"]]
    return mended


def no_option(options: Sequence[str]) -> str:
    """What a reply says that names no option: "none", or a word like it that is not an option itself."""
    taken = {o.casefold() for o in options}
    return next(w for w in ("none", *(f"none {n}" for n in range(len(taken)))) if w not in taken)


def _mend_named(spec: Spec, data: dict[str, Any]) -> dict[str, Any]:
    """Where an option may be named or none, an empty text or the word for none says that none is."""
    given = data.get("option")
    if isinstance(given, str):
        plain = given.strip().casefold()
        data["option"] = None if plain in ("", no_option(spec.options)) else _mend_option(spec, given)
    return data


def _mend_ballot(spec: Spec, data: dict[str, Any]) -> None:
    if isinstance(data.get("vote"), str):
        data["vote"] = _mend_option(spec, data["vote"])
    if isinstance(data.get("ballot"), list | tuple):
        data["ballot"] = [
            {**g, "option": _mend_option(spec, g["option"]), **_mended_driver(spec, g)}
            if isinstance(g, dict) and _names(g)
            else g
            for g in data["ballot"]
        ]


def _mended_driver(spec: Spec, given: dict[str, Any]) -> dict[str, str]:
    said = given.get("driver")
    plain = said.strip().casefold() if isinstance(said, str) else None
    return next(({"driver": d.name} for d in spec.drivers if d.name.strip().casefold() == plain), {})


def _names(given: dict[str, Any]) -> bool:
    return isinstance(given.get("option"), str)


def _mend_seat(spec: Spec, given: Any) -> Any:
    plain = given.strip().casefold() if isinstance(given, str) else None
    return next((s.id for s in spec.debaters() if s.id.casefold() == plain), given)


def _mend_option(spec: Spec, given: str) -> str:
    plain = given.strip().casefold()
    return next((o for o in (*spec.options, ABSTAIN) if o.casefold() == plain), given)
