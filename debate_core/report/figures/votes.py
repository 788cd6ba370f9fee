"""Figures of votes by phase and of usage, and the table of the count. Drawn from rows only.

Each chart has a table with the same numbers and a sentence. Knows the palettes of the two themes and no screens; plotly
loads when the first figure is drawn.
"""

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from typing import TYPE_CHECKING, Literal, NamedTuple

from debate_core.language import Words, _, format_number, message
from debate_core.report.facts.account import Account
from debate_core.report.facts.ballots import SEVERAL, BallotRow
from debate_core.report.facts.counts import TallyRow, rows_so_far
from debate_core.report.facts.terms import named
from debate_core.report.facts.usage import Used
from debate_core.report.facts.vote_bars import PollBallots, Voters, polls_of
from debate_core.report.figures.chart import Chart, FigureRow, charts_by_voters
from debate_core.report.phrases.costs import UNKNOWN, usd_words, used_words
from debate_core.spec.people import poll_name
from debate_core.spec.values import BallotStatus, Usage, in_words

if TYPE_CHECKING:
    from plotly import graph_objects as go

LABEL_CHARS, LINE_CHARS = 60, 22


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one theme; an option has the same colour in every chart and in the transcript."""

    options: tuple[str, ...]
    neutral: str
    """Colour of uncounted ballots."""
    ink: str
    paper: str
    """Colour of the ground, for words on an option."""
    grid: str
    bar: str
    """Colour of the threshold."""


PALETTES: Mapping[str, Palette] = {
    "light": Palette(
        ("#2360c5", "#b84a00", "#00796b", "#8a3fa0", "#7a6300", "#5d6673", "#126c98", "#9e325f"),
        neutral="#a9b0bc",
        ink="#16181d",
        paper="#ffffff",
        grid="#dfe2e8",
        bar="#16181d",
    ),
    "dark": Palette(
        ("#82b1ff", "#ffa15c", "#5fd0bd", "#d59be6", "#e3c558", "#9aa3b2", "#70c0de", "#ea92b3"),
        neutral="#646c7a",
        ink="#e9ebf0",
        paper="#101216",
        grid="#2d323c",
        bar="#e9ebf0",
    ),
}
NO_VOTE: Words[BallotStatus] = Words(
    {"abstained": "abstained", "failed": "failed", "unparseable": "not readable", "struck": "struck"}
)
_PATTERNS = ("\\", "", "/", "x", ".", "-")
"""Patterns that distinguish ballots without a vote, and missing ones, without colour."""
FEW = 12
"""Up to this many votes every number has a tick on a lying axis."""
MAX_STEPS = 6
"""Steps of an upright axis that a phone has room for."""


def standing(account: Account) -> list[TallyRow]:
    """Rows of the current count: the last one taken, or the current ballots while seats speak in turn."""
    state = account.state
    counted = account.tallies
    is_in_turn = state.open is not None and state.open.slot.phase.order == "in_turn"
    if is_in_turn and state.ballots and not state.outcome:
        return rows_so_far(state, state.ballots)
    if counted:
        return [row for row in counted if row.poll_id == counted[-1].poll_id]
    return rows_so_far(state, {})


def tally_table(account: Account) -> list[FigureRow]:
    """One row per option of the current count, including options without a vote."""
    rows: list[FigureRow] = []
    for row in standing(account):
        needed = "" if row.threshold is None else row.threshold
        rows.append({_("option"): row.option, _("votes"): row.votes, _("needed"): needed, _("note"): _note(row)})
    return rows


def _note(row: TallyRow) -> str:
    if row.elected:
        return _("elected")
    return _("tie") if row.tie else ""


def sureness_table(account: Account) -> list[FigureRow]:
    """One row per ballot with a stated confidence; only this table shows it."""
    stated = [row for row in account.votes if row.confidence is not None and row.status == "cast"]
    return [
        {
            _("Seat"): in_words(row.voter),
            _("Round"): row.round,
            _("Phase"): named(row.phase),
            _("Ballot"): row.said or row.top(),
            _("Sure"): f"{row.confidence} %",
        }
        for row in stated
    ]


def rounds_table(account: Account, voters: Voters = "debaters") -> list[FigureRow]:
    """One row per count of these voters: votes per option, and the ballots without a vote by status."""
    options = account.state.spec.options
    rows: list[FigureRow] = []
    for poll in polls_of(account, voters):
        row: dict[str, str | int] = _place_cells(poll)
        for option in options:
            row[option_column(option, (_("round"), _("phase"), _("vote")))] = _votes_for(option, poll.ballots)
        row |= {_column(options, word): number for word, number in _without_one(poll).items()}
        rows.append(row)
    return rows


def _place_cells(poll: PollBallots) -> dict[str, str | int]:
    if poll.phase:
        return {_("round"): poll.round, _("phase"): named(poll.phase)}
    return {_("vote"): named(poll_name(poll.poll))}


def _votes_for(option: str, ballots: Sequence[BallotRow]) -> int:
    """Number of ballots that put this option alone highest."""
    return sum(ballot.tops == (option,) for ballot in ballots)


def _without_one(poll: PollBallots) -> dict[str, int]:
    """Word -> number of ballots that put no option alone highest, and of voters without a ballot."""
    several = sum(len(ballot.tops) > 1 for ballot in poll.ballots)
    statuses = {word: sum(ballot.status == status for ballot in poll.ballots) for status, word in NO_VOTE.items()}
    return {_(SEVERAL): several, **statuses, _("no ballot"): poll.missing}


def option_column(option: str, headings: Collection[str]) -> str:
    """Heading of an option's column, distinct from the other headings of its table."""
    return _("option {option}", option=option) if option in headings else option


def _column(options: Sequence[str], word: str) -> str:
    """Distinguish the column of failed ballots from that of an option called `failed`."""
    return f"({word})" if word in options else word


def rounds_alt(account: Account, voters: Voters = "debaters") -> str:
    """The chart of votes by phase in words."""
    told = []
    for poll in polls_of(account, voters):
        votes = ", ".join(f"{option} {_votes_for(option, poll.ballots)}" for option in account.state.spec.options)
        others = sum(_without_one(poll).values())
        told.append(
            _(
                "{poll_id}: {votes}, without one option {ballots}",
                poll_id=_poll_label(poll),
                votes=votes,
                ballots=others,
            )
        )
    return _("Votes by phase. {told}.", told="; ".join(told) or _("No ballot was counted yet"))


def _poll_label(poll: PollBallots) -> str:
    return f"{poll.round}. {named(poll.phase)}" if poll.phase else named(poll_name(poll.poll))


def rounds_chart(account: Account, theme: str, voters: Voters = "debaters") -> "go.Figure":
    """Draw stacked ballots of each count by their highest option; those without a vote in gray."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    polls = polls_of(account, voters)
    labels = labels_of(_poll_label(poll) for poll in polls)
    figure = go.Figure(layout=layout_of(palette, height=320))
    for place, option in enumerate(account.state.spec.options):
        counts = [_votes_for(option, poll.ballots) for poll in polls]
        figure.add_bar(x=labels, y=counts, name=label_of(option), marker={"color": colour_of(palette, place)})
    _add_without_one(figure, polls, labels, palette)
    figure.update_traces(hovertemplate="%{x}, %{fullData.name}: %{y}<extra></extra>")
    figure.update_layout(barmode="stack")
    most = max((len(poll.ballots) + poll.missing for poll in polls), default=1)
    figure.update_yaxes(dtick=ceil(most / MAX_STEPS) or 1, title_text=_("ballots"))
    figure.update_xaxes(type="category", showgrid=False)
    return figure


def _add_without_one(
    figure: "go.Figure", polls: Sequence[PollBallots], labels: Sequence[str], palette: Palette
) -> None:
    """Stack the ballots without one highest option, and the missing ones, on those of the options."""
    others = [_without_one(poll) for poll in polls]
    for word, pattern in zip(others[0] if others else (), _PATTERNS, strict=False):
        counts = [other[word] for other in others]
        if any(counts):
            figure.add_bar(x=labels, y=counts, name=word, marker=hatched(palette, pattern))


ROUNDS = charts_by_voters(
    "rounds", message("Votes of every count"), rounds_chart, rounds_alt, rounds_table, has_plain_key=True
)


def _use(account: Account) -> dict[tuple[int, str], Used]:
    """Usage by round and seat."""
    use: dict[tuple[int, str], Used] = {}
    for row in account.usage:
        use[row.round, row.seat] = use.get((row.round, row.seat), Used()) + row.used
    return dict(sorted(use.items(), key=lambda item: item[0][0]))


def usage_table(account: Account) -> list[FigureRow]:
    """One row per round and seat with a call; unknown values are marked."""
    rows: list[FigureRow] = []
    for (number, seat), used in _use(account).items():
        rows.append({_("round"): number, _("seat"): in_words(seat), **_use_cells(used)})
    return rows


def _use_cells(used: Used) -> FigureRow:
    known = used.tokens()
    return {
        _("calls"): used.calls,
        _("calls of unknown use"): used.unknown_calls,
        _("tokens in"): _token_cell(known, "input_tokens"),
        _("cached"): _token_cell(known, "cached_tokens"),
        _("written"): _or_unknown(used.written_tokens()),
        _("tokens out"): _token_cell(known, "output_tokens"),
        _("USD"): _or_unknown(used.cost_usd),
    }


def _token_cell(known: Usage | None, kind: Literal["input_tokens", "cached_tokens", "output_tokens"]) -> str | int:
    return _or_unknown(None if known is None else int(getattr(known, kind)))


def _or_unknown(cell: str | int | None) -> str | int:
    return _(UNKNOWN) if cell is None else cell


def usage_alt(account: Account) -> str:
    """The usage chart in words."""
    told = [
        _("round {number}, {seat}: {used}", number=number, seat=in_words(seat), used=used_words(used))
        for (number, seat), used in _use(account).items()
    ]
    return _("Tokens by round and seat. {told}.", told="; ".join(told) or _("No call was made"))


def usage_chart(account: Account, theme: str) -> "go.Figure":
    """Draw token bars (from a cache, into one, other input, output) by round and seat, with the cost at their ends."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    use = _use(account)
    labels = labels_of(f"{number}. {in_words(seat)}" for number, seat in use)
    bars = [_token_parts(used.known()) for used in use.values()]
    figure = go.Figure(layout=layout_of(palette, height=90 + 34 * len(use)))
    for part in (
        _TokenPart(_("input into a cache"), palette.neutral, "x", is_optional=True),
        _TokenPart(_("input from a cache"), palette.neutral, "/"),
        _TokenPart(_("input"), palette.neutral, ""),
        _TokenPart(_("output"), palette.ink, ""),
    ):
        tokens = [bar[part.name] for bar in bars]
        if part.is_optional and not any(tokens):
            continue
        marker = hatched(palette, part.pattern, part.colour)
        figure.add_bar(x=tokens, y=labels, name=part.name, orientation="h", marker=marker)
    figure.update_traces(hovertemplate="%{y}, %{fullData.name}: %{x:,} tokens<extra></extra>")
    most = 0
    for label, used in zip(labels, use.values(), strict=True):
        length = used.known().input_tokens + used.known().output_tokens
        most = max(most, length)
        end = {"x": length, "y": label, "xanchor": "left", "showarrow": False}
        cost = _("cost unknown") if used.cost_usd is None else usd_words(used.cost_usd)
        figure.add_annotation(end, text=cost, font={"color": palette.ink})
    figure.update_layout(barmode="stack")
    # Leaves space for the cost at the ends of the bars.
    figure.update_xaxes(title_text=_("tokens"), range=[0, most * 1.4 or 1])
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category")
    return figure


USAGE = Chart("usage", message("What every seat used in every round"), usage_chart, usage_alt, usage_table)


class _TokenPart(NamedTuple):
    """A segment of the usage bars."""

    name: str
    colour: str
    pattern: str
    is_optional: bool = False
    """True for a segment that is left out if it is always 0."""


def _token_parts(used: Usage) -> Mapping[str, int]:
    """Segment -> tokens; plain input was neither read from a cache nor written into one."""
    written = used.cache_write_tokens or 0
    return {
        _("input into a cache"): written,
        _("input from a cache"): used.cached_tokens,
        _("input"): max(used.input_tokens - used.cached_tokens - written, 0),
        _("output"): used.output_tokens,
    }


def column(table: Iterable[FigureRow], name: str) -> list[str | int | float]:
    """The cells of one column."""
    return [row[name] for row in table]


def palette_of(theme: str) -> Palette:
    """The colours of a theme; of the light one for an unknown name."""
    return PALETTES.get(theme, PALETTES["light"])


def colour_of(palette: Palette, place: int) -> str:
    """The colour of the option at this index."""
    return palette.options[place % len(palette.options)]


def faint(colour: str, share: float) -> str:
    """Make a colour such as `#2360c5` transparent, so that text on it is legible."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{share})"


def label_of(text: str) -> str:
    """Escape a name for plotly, which interprets markup in labels; shorten and wrap a long one."""
    short = text if len(text) <= LABEL_CHARS else f"{text[: LABEL_CHARS - 1].rstrip()}…"
    lines = textwrap.wrap(short, LINE_CHARS) or [short]
    return "<br>".join(escape(part, quote=False) for part in lines)


def hatched(palette: Palette, pattern: str = "/", colour: str = "") -> Mapping[str, object]:
    """Marker of bars with a pattern, neutral if no colour is named; the pattern "" has no lines."""
    return {"color": colour or palette.neutral, "pattern": {"shape": pattern, "fgcolor": palette.ink}}


def labels_of(texts: Iterable[str]) -> list[str]:
    return [label_of(text) for text in texts]


def heat_map(
    palette: Palette,
    cells: Sequence[Sequence[float | None]],
    numbers: Sequence[Sequence[str]],
    columns: Sequence[str],
    rows: Sequence[str],
    *,
    ends: tuple[float, float],
) -> "go.Figure":
    """Draw cells with their numbers, darker from the first of `ends` to the second."""
    from plotly import graph_objects as go

    heat = go.Heatmap(
        z=cells,
        x=columns,
        y=rows,
        text=numbers,
        texttemplate="%{text}",
        textfont={"color": palette.ink, "size": 14},
        # Pale shades of ink keep the numbers legible in both themes, and colours are for options.
        colorscale=[[0, faint(palette.ink, 0.0)], [0.5, faint(palette.ink, 0.06)], [1, faint(palette.ink, 0.36)]],
        zmin=ends[0],
        zmax=ends[1],
        showscale=False,
        xgap=3,
        ygap=3,
        hovertemplate="%{y}, %{x}: %{text}<extra></extra>",
    )
    figure = go.Figure(heat, layout=layout_of(palette, height=80 + 44 * len(rows)))
    figure.update_xaxes(side="top", showgrid=False, type="category")
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category")


def layout_of(palette: Palette, *, height: int) -> Mapping[str, object]:
    """Layout shared by all figures: transparent background, ink of the theme, no zoom."""
    ink = {"color": palette.ink}
    axis = {"gridcolor": palette.grid, "zerolinecolor": palette.grid, "fixedrange": True}
    # Set explicitly, because Streamlit's chart theme draws unset texts in a pale gray.
    axis |= {"tickfont": ink, "title": {"font": ink}}
    return {
        "height": height,
        "separators": f"{format_number(0.5, '.1f')[1]}{format_number(1_000, ',')[1]}",
        "margin": {"l": 0, "r": 0, "t": 24, "b": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 13},
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 1.03,
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": {"color": palette.ink},
        },
        "xaxis": {**axis, "automargin": True},
        "yaxis": {**axis, "automargin": True},
        "dragmode": False,
        "bargap": 0.35,
    }
