"""What a room agrees on before the start, as a card: question, electorate, rule in heads, ties, time.

Knows a spec and who has come so far; no record.
"""

from collections.abc import Collection
from typing import assert_never

from debate_core.record.events import EDITION
from debate_core.report.words.rules import STEPS, agreed_sentence, bar_sentence, quorum_sentence
from debate_core.spec.people import Electorate, Person, Room
from debate_core.spec.protocol import Spec
from debate_core.spec.rules import CountedRule
from debate_core.text import plural

DUPLICATES = "Anybody who has the link can vote, so that somebody votes twice cannot be excluded."


def contract(spec: Spec, people: Collection[Person], *, edition: int = EDITION) -> tuple[tuple[str, str], ...]:
    """Label and sentence of each point; `people` are those who take part now. Empty without a room."""
    if not spec.has_people:
        return ()
    room = spec.terms
    of_debaters, of_people = agreed_sentence(spec, edition=edition), poll_sentence(room, people, edition=edition)
    rule = of_debaters if room.decides == "debaters" else of_people
    points = [
        ("Question", spec.question),
        ("Options", " · ".join(spec.options) or "Collected before the first vote"),
        *([("Drivers", " · ".join(f"{d.name} {d.weight}" for d in spec.drivers))] if spec.drivers else []),
        ("Who decides", _who_decides(spec, room, people)),
        ("Rule", rule),
    ]
    if room.decides != "debaters":
        points.append(("If level", ties_sentence(room.vote)))
    if room.preparation:
        points.append(("Before the first vote", _preparation(room)))
    points += [("Votes of people", _votes(room)), ("Time", _time(spec, room)), ("Who may read it", _readers(room))]
    return tuple(points)


def _who_decides(spec: Spec, room: Room, people: Collection[Person]) -> str:
    match room.decides:
        case "debaters":
            return f"The ballots of the {plural(len(spec.debaters()), 'debater')}. All votes of people are advice."
        case "panel":
            return f"The panel of people with a mandate: {len(_heads(people, 'panel'))}. The audience advises."
        case "room":
            return f"The room: everybody who has joined as a voter, {len(_heads(people, 'room'))} so far."
        case _:
            assert_never(room.decides)


def _heads(people: Collection[Person], electorate: Electorate) -> list[int]:
    """What the ballot of each of them weighs."""
    return [p.weight for p in people if p.electorate == electorate]


def poll_sentence(room: Room, people: Collection[Person], *, edition: int = EDITION) -> str:
    """The rule of the polls, worked out for the people of the electorate that decides as far as they are known."""
    electorate: Electorate = "room" if room.decides == "room" else "panel"
    weights = _heads(people, electorate)
    known = weights and (electorate == "panel" or room.joining == "named")
    voters, total = (len(weights), sum(weights)) if known else (None, None)
    said = bar_sentence(room.vote, total)
    quorum = quorum_sentence(room.vote, voters, total, edition=edition)
    heavy = f" The ballots of {len(weights)} people weigh {sum(weights)} together." if set(weights) - {1} else ""
    return f"{said}{f' {quorum}' if quorum else ''}{heavy}"


def ties_sentence(rule: CountedRule) -> str:
    """What happens to level options."""
    if not rule.tie:
        return f"Level options are a tie, and nothing is elected: {rule.if_undecided}."
    steps = ", then ".join(STEPS[step] for step in rule.tie)
    return f"Level options go to {steps}; what is level after that is undecided: {rule.if_undecided}."


def _votes(room: Room) -> str:
    before = {
        "none": "No vote before the start",
        "shown_at_close": "A sealed vote before the start, shown once it is closed",
        "shown_at_end": "A sealed vote before the start, shown at the end",
    }[room.pre_vote]
    after = "a final vote, sealed until it is closed" if room.final_vote == "asked" else "no final vote"
    open_link = (
        f" {DUPLICATES}" if room.joining == "open" else " Only people on the list vote, each by a link of their own."
    )
    return f"{before}; {after}.{open_link}"


def _preparation(room: Room) -> str:
    """`10 minutes in which everybody proposes options and drivers; 5 minutes to read the brief and to ask.`"""
    what = {
        "collect": "in which everybody proposes options and drivers, and the facilitator says which ones count",
        "brief": "to read the question and the documents, and to ask",
    }
    said = [f"{plural(one.minutes, 'minute')} {what[one.step]}" for one in room.preparation]
    return f"{'; then '.join(said)}."


def _readers(room: Room) -> str:
    match room.readers:
        case "members":
            return "Its people, and whoever runs the server. No other host finds it in a list."
        case "link":
            return (
                "Its people, and whoever runs the server; after the end also whoever has the link to the results. "
                "No other host finds it in a list."
            )
        case "hosts":
            return "Its people and every host of the server, who finds it in a list."
        case _:
            assert_never(room.readers)


def _time(spec: Spec, room: Room) -> str:
    rounds = f"At most {plural(spec.max_rounds, 'round')}"
    clock = (
        f", {minutes(room.phase_seconds)} for each phase by the clock" if room.phase_seconds else ", without a clock"
    )
    hold = "; each round waits for the facilitator" if room.hold == "round" else ""
    return f"{rounds}{clock}{hold}."


def minutes(seconds: int) -> str:
    """`4 minutes`, `90 seconds`."""
    return plural(seconds // 60, "minute") if seconds % 60 == 0 else plural(seconds, "second")
