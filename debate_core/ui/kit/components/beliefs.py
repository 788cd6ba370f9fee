"""Estimates of judges and marks of the room, drawn like votes but without a threshold: neither decides."""

from collections.abc import Mapping

from debate_core.language import _
from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.account import Account
from debate_core.report.facts.people_marks import by_option
from debate_core.report.facts.vote_bars import letters
from debate_core.ui.kit.components.parts import BarPart, VotesPart


def beliefs_part(state: State, *, title: str, reveals: bool = False) -> VotesPart | None:
    """Return the mean of the revealed estimates; None if there are none. Unless it `reveals`, it has rings."""
    rows = judgements.option_rows(state)
    if not rows:
        return None
    told = judgements.latest_forecasts(state)
    has = {row.option: round(100 * row.mean) for row in rows}
    alt = _("What the judges think: {each}.", each=_each_percent(has))
    part = _reading(has, title=title, alt=alt, unit="", of=100, number=len(told), reveals=reveals)
    if len(told) > 1 and not reveals:
        part |= {"clause": _("○ each judge  ● mean"), "unit": _("lowest to highest")}
        people = state.room.people
        for bar in part["bars"]:
            bar["each"] = [(people[judge].name, round(100 * given[bar["option"]])) for judge, given in told.items()]
    return part


def own_part(percents: Mapping[str, int], state: State | None = None) -> VotesPart:
    """Return the probabilities that a judge gave, by option in the order of set-up, as plain bars.

    With a `state`, also the revealed mean of the judges.
    """
    part = _reading(percents, title="", alt=_each_percent(percents), unit="", of=100, number=1, reveals=False)
    part["plain"] = True
    if state is None:
        return part
    mean = {row.option: round(100 * row.mean) for row in judgements.option_rows(state)}
    number = len(judgements.latest_forecasts(state))
    if number > 1 and set(mean) == set(percents):
        part["alt"] = _("{mine}. Mean of {n} judges: {mean}.", mine=part["alt"], n=number, mean=_each_percent(mean))
        part["clause"] = _("line: mean of {n} judges, as revealed", n=number)
        for bar in part["bars"]:
            bar["mean"] = mean[bar["option"]]
    return part


def _each_percent(has: Mapping[str, int]) -> str:
    return "; ".join(f"{option} {percent} %" for option, percent in has.items())


def marks_part(told: Account) -> VotesPart:
    """Return the number of marks for each option, over all passages."""
    has = {option: supports for option, (supports, _) in by_option(told.state, told.marks).items()}
    each = "; ".join(f"{option} {number}" for option, number in has.items())
    longest = max(1, *has.values())
    alt = _("Marks of the room for each option: {each}.", each=each)
    drawn = _reading(has, title=_("marks"), alt=alt, unit="marks", of=longest, number=0, reveals=True)
    drawn["clause"] = _("advice")
    return drawn


def _reading(
    has: Mapping[str, int], *, title: str, alt: str, unit: str, of: int, number: int, reveals: bool
) -> VotesPart:
    """Return a poll from bar lengths by option, in the order of set-up."""
    letter = letters(tuple(has))
    return VotesPart(
        part="votes",
        title=title,
        alt=alt,
        heads=False,
        sealed=False,
        advice=True,
        unit=unit,
        of=of,
        needed=None,
        clause="",
        ends="",
        cast=number,
        eligible=number,
        bars=[BarPart(letter=letter[o], option=o, has=n, before=None, wins=False) for o, n in has.items()],
        reveals=reveals,
    )
