"""The decision of record as sentences for reports and as one object for JSON.

Knows no file format but JSON's values.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from debate_core.engine.stage import final_decision, result_of
from debate_core.record.state import State
from debate_core.report.facts.counts import number
from debate_core.report.facts.decision import VERDICTS, Decision, Dissent, Later, Signature, Who, decision_of
from debate_core.report.words.outcome import final_words, outcome_sentence
from debate_core.spec.people import PollResult, poll_name, poll_words
from debate_core.spec.rules import BySeat
from debate_core.spec.values import in_words
from debate_core.text import spoken_list

Fact = str | int | float | bool | None | Sequence["Fact"] | Mapping[str, "Fact"]


def decision_sentences(state: State) -> tuple[str, ...]:
    """What was signed, by whom, and who dissented; empty as long as nobody said anything on the decision."""
    found = decision_of(state)
    signed = [found.signed, *reversed(found.earlier)] if found.signed else []
    said = [
        *(_signature(s, "" if s is found.signed else "Earlier signature, replaced: ") for s in signed if s),
        *(f"{d.kind.capitalize()}, {d.by.name if d.by else 'without a name'}: {d.text}" for d in found.dissents),
        *(_later(seen) for seen in found.outcomes),
    ]
    if found.signed and found.counted_by != "debaters":
        said.insert(0, f"What decided by count: {arithmetic(state)}")
    return tuple(said)


def _signature(given: Signature, label: str) -> str:
    word = given.word
    option = f" {word.option}" if word.option else ""
    also = f"; the count says {given.counted or 'nothing'}, and both values are kept" if given.differs else ""
    return f"{label}{_person(given.by)} {VERDICTS[word.verdict]}{option} at {given.at}{also}{''.join(_fields(given))}."


def _fields(given: Signature) -> Iterator[str]:
    word = given.word
    for label, text in (
        ("changes", word.changes),
        ("reason", word.reason),
        ("owner", word.owner),
        ("confirmation", word.confirmation),
        ("revisit", word.revisit),
        ("to be informed", ", ".join(name for name in word.informed if name.strip())),
    ):
        if text.strip():
            yield f"; {label}: {text}"


def _later(seen: Later) -> str:
    right = f", right was {seen.option}" if seen.option else ""
    return f"Later, {_person(seen.by)} at {seen.at}: {seen.result}{right}: {seen.reason}"


def _person(by: Who) -> str:
    return f"{by.name} ({by.role})" if by.role else by.name


def decision_json(state: State) -> dict[str, Fact]:
    """Counted, signed, dissent and outcome, each as it was given."""
    found = decision_of(state)
    return {
        "status": found.status,
        "option": found.option,
        "counted": _counted(state, found),
        "signed": _signed_json(found.signed) if found.signed else None,
        "earlier_signatures": [_signed_json(s) for s in found.earlier],
        "dissent": [_dissent_json(d) for d in found.dissents],
        "outcomes": [
            {"result": o.result, "option": o.option, "reason": o.reason, "by": _who_json(o.by), "at": o.at}
            for o in found.outcomes
        ],
    }


def _counted(state: State, found: Decision) -> Fact:
    return {
        "option": found.counted,
        "by": found.counted_by,
        "pending": found.pending,
        "ties": found.ties,
        "sentence": arithmetic(state),
    }


def _signed_json(given: Signature) -> Fact:
    said = {"by": _who_json(given.by), "at": given.at, "event": given.seq, "differs_from_count": given.differs}
    return {**given.word.model_dump(mode="json"), **said}


def _dissent_json(said: Dissent) -> Fact:
    return {"kind": said.kind, "text": said.text, "by": _who_json(said.by) if said.by else None, "at": said.at}


def _who_json(by: Who) -> Fact:
    return {"id": by.id, "name": by.name, "role": by.role}


def arithmetic(state: State) -> str:
    """The count that decides, in one sentence with its numbers."""
    final = final_decision(state)
    if final.by == "debaters":
        return outcome_sentence(state)
    result = result_of(state, "final", final.by)
    if final.pending:
        return f"The final vote of the {final.by} decides; it is not counted and revealed yet."
    if result is None:
        return f"The {final.by} decided nothing: nobody belongs to it."
    return f"{_elected(result)}: {poll_points(result)}."


def _elected(result: PollResult) -> str:
    if len(result.winners) == 1:
        return f"The {result.electorate} elected {result.winners[0]}"
    if not result.quorum_met:
        return f"The {result.electorate} decided nothing, its quorum was not met"
    level = f", {spoken_list(result.winners)} stand level" if result.winners else ""
    return f"The {result.electorate} decided nothing{level}"


def poll_points(result: PollResult) -> str:
    """`adopt 2, defer 0 (2 of 3 ballots cast, 1 abstained, weight 3 of 4; rule plurality)`."""
    points = ", ".join(f"{p.option} {number(Fraction(p.points))}" for p in result.points)
    weighed = result.weight_eligible != result.eligible
    weight = f", weight {result.weight_cast} of {result.weight_eligible}" if weighed else ""
    abstained = f", {result.abstained} abstained" if result.abstained else ""
    tries = "".join(f", {s.step} left {spoken_list(s.left)}" for s in result.steps)
    cast = f"{result.cast} of {result.eligible} ballots cast{abstained}{weight}"
    return f"{points} ({cast}; rule {in_words(result.rule)}{tries})"


def tallies(state: State) -> Iterator[tuple[str, str]]:
    """Every count that may be read, with its name: the debaters, then each electorate in each revealed poll."""
    if state.counted and not isinstance(state.spec.protocol.decide, BySeat):
        yield "debaters", final_words(state)
    for poll in state.room.polls.values():
        for result in poll.closed.fact.results if poll.closed and poll.revealed else ():
            yield f"{poll_name(poll.id)} of the {result.electorate}", poll_points(result)


def missing_to_sign(state: State) -> str:
    """What keeps everybody from signing, in one sentence; empty if a signature can be given."""
    if state.outcome is None:
        return "The debate goes on: it is signed when it is over."
    hidden = [p.id for p in state.room.polls.values() if p.closed is None or not p.revealed]
    if final_decision(state).pending and "final" not in state.room.polls:
        hidden.append("final")
    return f"Not yet: {_polls_words(hidden)} not counted and revealed." if hidden else ""


def _polls_words(polls: list[str]) -> str:
    named = [poll_words(p) for p in polls]
    return f"{spoken_list(named)} {'is' if len(named) == 1 else 'are'}"
