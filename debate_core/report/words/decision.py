"""The decision of record as sentences for reports and as one object for JSON.

Knows no file format but JSON's values. Called by `documents` and `files`.
"""

from collections.abc import Iterator, Mapping, Sequence

from debate_core.record.state import State
from debate_core.report.facts.decision import VERDICTS, Decision, Dissent, Later, Signature, Who, decision_of

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
        said.insert(0, f"What decided by count: {found.arithmetic}")
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
        "counted": _counted(found),
        "signed": _signed_json(found.signed) if found.signed else None,
        "earlier_signatures": [_signed_json(s) for s in found.earlier],
        "dissent": [_dissent_json(d) for d in found.dissents],
        "outcomes": [
            {"result": o.result, "option": o.option, "reason": o.reason, "by": _who_json(o.by), "at": o.at}
            for o in found.outcomes
        ],
    }


def _counted(found: Decision) -> Fact:
    return {
        "option": found.counted,
        "by": found.counted_by,
        "pending": found.pending,
        "ties": found.ties,
        "sentence": found.arithmetic,
    }


def _signed_json(given: Signature) -> Fact:
    said = {"by": _who_json(given.by), "at": given.at, "event": given.seq, "differs_from_count": given.differs}
    return {**given.word.model_dump(mode="json"), **said}


def _dissent_json(said: Dissent) -> Fact:
    return {"kind": said.kind, "text": said.text, "by": _who_json(said.by) if said.by else None, "at": said.at}


def _who_json(by: Who) -> Fact:
    return {"id": by.id, "name": by.name, "role": by.role}
