"""The decision as a file for a folder of decision records: MADR 4.0.0 whole or minimal, Nygard's form, log4brains.

Proposed until somebody signs; what was escalated stays proposed and says so.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

from debate_core.engine.stage import present, sealed
from debate_core.record.events import Event
from debate_core.record.state import State
from debate_core.report.facts.decision import decision_of
from debate_core.report.facts.polls import counted_voters
from debate_core.report.facts.turns import told_turns
from debate_core.report.files import adr_sections as more
from debate_core.report.files import adr_sections as parts
from debate_core.report.files.adr_sections import Case
from debate_core.report.files.anonymise import names_of
from debate_core.report.files.markdown import (
    Block,
    Heading,
    Items,
    Para,
    bullets,
    code,
    heading_text,
    inline,
    render,
    slug,
)
from debate_core.text import plural

Profile = Literal["madr", "madr_minimal", "nygard", "log4brains"]
PROFILES: Mapping[Profile, str] = {
    "madr": "MADR 4, full",
    "madr_minimal": "MADR 4, minimal",
    "nygard": "Nygard",
    "log4brains": "log4brains",
}
assert set(PROFILES) == set(get_args(Profile))
TITLES = (
    "Context and Problem Statement",
    "Decision Drivers",
    "Considered Options",
    "Decision Outcome",
    "Consequences",
    "Confirmation",
    "Pros and Cons of the Options",
    "More Information",
)


@dataclass(frozen=True, slots=True)
class Adr:
    """A decision record: its file name, its text, and what the debate has beside it."""

    name: str
    text: str
    left_out: tuple[str, ...]


def decision_record(
    state: State, events: Sequence[Event], *, profile: Profile = "madr", anonymous: bool = False, number: int = 1
) -> Adr:
    """The decision as it stands now; `number` is its place in the folder that it will lie in."""
    case = Case(state, decision_of(state), names_of(state, events, anonymous=anonymous))
    title = case.names.text(state.spec.question)
    match profile:
        case "madr" | "madr_minimal":
            text = render(_madr(case, events, title, whole=profile == "madr"), _front(case))
        case "nygard":
            text = render(_nygard(case, events, title, number))
        case "log4brains":
            text = render(_log4brains(case, events, title))
        case _:
            assert_never(profile)
    return Adr(f"{number:04d}-{slug(title)}.md", text, left_out(case, profile))


def next_number(folder: Mapping[str, str], debate_id: str) -> int:
    """The number for a debate in a folder, file name -> text: the one it has there, else one above the highest."""
    numbers = {int(m[1]): text for name, text in folder.items() if (m := re.match(r"(\d{4,6})-.*\.md$", name))}
    own = [n for n, text in numbers.items() if f"Debate {code(debate_id)}," in text]
    return own[0] if own else max(numbers, default=0) + 1


def _madr(case: Case, events: Sequence[Event], title: str, *, whole: bool) -> list[Block]:
    taken = {t.casefold() for t in TITLES}
    head: list[Block] = [Heading(1, heading_text(title, taken)), *parts.warning(case.state)]
    taken |= {name.casefold() for name, _ in more.sections(case, events)}
    body = [
        (2, TITLES[0], parts.context(case)),
        (2, TITLES[1], parts.drivers(case) if whole else []),
        (2, TITLES[2], parts.options(case)),
        (2, TITLES[3], parts.outcome(case)),
        (3, TITLES[4], parts.consequences(case)),
        (3, TITLES[5], parts.confirmation(case) if whole else []),
        (2, TITLES[6], parts.pros_and_cons(case, taken) if whole else []),
        (2, TITLES[7], more.under_headings(case, events)),
    ]
    return head + _with_headings(body)


def _with_headings(body: Iterable[tuple[int, str, list[Block]]]) -> list[Block]:
    return [b for level, title, blocks in body if blocks for b in (Heading(level, title), *blocks)]


def _front(case: Case) -> dict[str, str | tuple[str, ...]]:
    """The front matter of MADR 4; keys without a value are left out."""
    return {
        "status": case.decision.status,
        "date": _date(case),
        "decision-makers": _makers(case),
        "consulted": _consulted(case),
        "informed": _informed(case),
    }


def _date(case: Case) -> str:
    signed = case.decision.signed
    return (signed.at if signed else case.state.closed_at or case.state.opened_at)[:10]


def _makers(case: Case) -> tuple[str, ...]:
    """Who signs or signed, and the panel where there is one, as the final vote was counted against it."""
    state, signed = case.state, case.decision.signed
    makers = [signed.by.id] if signed else []
    makers += [p.id for p in present(state) if p.role == "approver"]
    makers += [p.id for p in counted_voters(state, "final", "panel")]
    names = [case.names.person(i) for i in dict.fromkeys(makers)]
    if state.spec.room and state.spec.room.decides == "room":
        names.append(f"the room ({plural(len(counted_voters(state, 'final', 'room')), 'voter')})")
    return tuple(names)


def _consulted(case: Case) -> tuple[str, ...]:
    """The debaters, with what sits there, and the judges."""
    seats = [f"{case.names.seat(s.id)} ({_sits(case.state, s.id)})" for s in case.state.spec.debaters()]
    judges = [case.names.person(p.id) for p in present(case.state) if p.role == "judge"]
    return (*seats, *judges)


def _sits(state: State, seat_id: str) -> str:
    seat = state.spec.seat(seat_id)
    found = state.spec.line(seat)
    return (
        (found.model or found.id)
        if found
        else {"human": "a person", "offline": "no model"}.get(seat.occupant, seat.occupant)
    )


def _informed(case: Case) -> tuple[str, ...]:
    signed = case.decision.signed
    return tuple(case.names.text(n) for n in signed.word.informed if n.strip()) if signed else ()


def _labelled(label: str, names: Iterable[str]) -> list[str]:
    """`Deciders: Abe, Ann`, for forms that have no front matter; nothing without names."""
    shown = ", ".join(map(inline, names))
    return [f"{label}: {shown}"] if shown else []


def _nygard(case: Case, events: Sequence[Event], title: str, number: int) -> list[Block]:
    options: list[Block] = [Para("The options were:"), *parts.options(case)]
    accepted = parts.consequences(case) or [Para("The debate established none.")]
    check = parts.confirmation(case)
    so: list[Block] = [Para("It will be confirmed so:"), *check] if check else []
    taken = {"status", "context", "decision", "consequences"}
    body: list[tuple[int, str, list[Block]]] = [
        (2, "Status", [Para(case.decision.status.capitalize())]),
        (2, "Context", [*parts.context(case), *options]),
        (2, "Decision", [*parts.outcome(case), *so, *map(Para, _labelled("To be informed", _informed(case)))]),
        (2, "Consequences", [*accepted, *more.under_headings(case, events)]),
    ]
    head: list[Block] = [Heading(1, f"{number}. {heading_text(title, taken)}"), Para(f"Date: {_date(case)}")]
    return [*head, *parts.warning(case.state), *_with_headings(body)]


def _log4brains(case: Case, events: Sequence[Event], title: str) -> list[Block]:
    """MADR 2 with bullets instead of front matter: a tool that does not know the status reads another one into it."""
    head = [f"Status: {case.decision.status}", *_labelled("Deciders", _makers(case))]
    head += [*_labelled("Informed", _informed(case)), f"Date: {_date(case)}", "Tags: debate"]
    bulleted: list[Block] = bullets(head)
    first, *rest = _madr(case, events, title, whole=True)
    return [_dashed(b) for b in (first, *bulleted, *rest)]


def _dashed(block: Block) -> Block:
    """One list marker in the whole file, the one that the tool reads."""
    return Items(block.items, "-") if isinstance(block, Items) else block


def left_out(case: Case, profile: Profile) -> tuple[str, ...]:
    """What the debate has and this file has not."""
    state = case.state
    said = [f"the transcript ({plural(len(told_turns(state)), 'turn')})", "ballots one by one"]
    claims = sum(1 for _ in parts.claims(state))
    said += [f"the evidence table ({plural(claims, 'claim')})"] if claims else []
    if profile in ("madr_minimal", "nygard"):
        said.append("drivers, pros and cons" + (", confirmation" if profile == "madr_minimal" else ""))
    said += [f"what is sealed: {', '.join(sealed(state))}"] if sealed(state) else []
    if case.names.anonymous:
        said.append("names of people and seats; what they wrote stays, so its style may still tell who it was")
    return tuple(said)
