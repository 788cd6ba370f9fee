"""What the judges think, drawn like votes: a bar of per cent for each option and no line, for they decide nothing."""

from debate_core.record.state import State
from debate_core.report.facts import judgements
from debate_core.report.facts.vote_bars import letters
from debate_core.ui.kit.face.parts import BarPart, VotesPart


def beliefs_part(state: State, *, title: str, reveals: bool = False) -> VotesPart | None:
    """The mean of what was revealed; None if nothing was."""
    rows = judgements.option_rows(state)
    if not rows:
        return None
    letter = letters(state.spec.options)
    bars = [
        BarPart(letter=letter[row.option], option=row.option, has=round(100 * row.mean), before=None, wins=False)
        for row in rows
    ]
    number = len(judgements.latest_forecasts(state))
    each = "; ".join(f"{bar['option']} {bar['has']} %" for bar in bars)
    return VotesPart(
        part="votes",
        title=title,
        alt=f"What the judges think: {each}.",
        heads=False,
        sealed=False,
        advice=True,
        unit="%",
        of=100,
        needed=None,
        cast=number,
        eligible=number,
        bars=bars,
        reveals=reveals,
    )
