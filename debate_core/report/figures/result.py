"""Charts of a vote in the form that fits its rule: bars against the threshold, rounds, pairs, or consents.

Drawn from rows only. A voter is named only where seats vote: ballots of people have no names.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from debate_core.engine.count.count import Count
from debate_core.engine.count.criteria import Cells
from debate_core.engine.count.methods import METHODS
from debate_core.engine.voting import first_is_blind
from debate_core.language import Words, _, message, spoken_list
from debate_core.report.facts.account import Account
from debate_core.report.facts.counts import (
    Number,
    PairRow,
    RoundRow,
    Stand,
    StandRow,
    ballot_by_ballot,
    pairs_of,
    rounds_of,
    stands_of,
    unweighted_points,
)
from debate_core.report.facts.terms import named
from debate_core.report.facts.vote_bars import OptionBar, VoteBars, Voters, vote_bars
from debate_core.report.figures.chart import Chart, FigureRow, charts_by_voters
from debate_core.report.figures.polls import pair_alt, pair_chart, pair_table
from debate_core.report.figures.votes import (
    FEW,
    NO_VOTE,
    Palette,
    colour_of,
    faint,
    hatched,
    heat_map,
    label_of,
    labels_of,
    layout_of,
    palette_of,
)
from debate_core.report.phrases.counts import percent, points_words
from debate_core.report.phrases.decision import arithmetic
from debate_core.report.phrases.voters import VOTES_OF
from debate_core.spec.rules import most_points
from debate_core.spec.values import in_words

if TYPE_CHECKING:
    from plotly import graph_objects as go

K = TypeVar("K", bound="str | tuple[int, str]")
VoteForm = Literal["bars", "rounds", "pairs", "consents"]
BAR_PX, FRAME_PX = 34, 76
_STANDS: Words[Stand] = Words({"consents": "consents", "concerns": "concerns", "objections": "objections"})
_PATTERNS: Mapping[Stand, str] = {"consents": "", "concerns": "/", "objections": "x"}


def vote_of(account: Account, voters: Voters | None) -> VoteBars | None:
    """The vote of these voters, or the deciding one; None while it is sealed, and without one."""
    for vote in account.once(vote_bars):
        is_asked = vote.decides if voters is None else vote.voters == voters
        if is_asked and vote.bars:
            return vote
    return None


def form_of(vote: VoteBars) -> VoteForm:
    """The form of the chart that shows how this rule counts."""
    if METHODS[vote.rule.kind].compares_pairs:
        return "pairs"
    if vote.rule.kind == "consent":
        return "consents"
    return "rounds" if vote.count and rounds_of(vote.count) else "bars"


# --- tables


def result_table(account: Account, voters: Voters | None = None) -> list[FigureRow]:
    """One row per option, in declared order, then the ballots without a vote; for a run-off, one per round too."""
    vote = vote_of(account, voters)
    if vote is None or vote.count is None:
        return []
    match form_of(vote):
        case "bars":
            return _bar_rows(account, vote, vote.count)
        case "rounds":
            return round_table(vote.count)
        case "pairs":
            count = vote.count
            plain = unweighted_points(count)
            beside = {
                bar.option: {
                    named(vote.unit): bar.has,
                    **_plain_cell(plain, bar.option),
                    _("note"): _note(account, vote, bar),
                }
                for bar in vote.bars
            }
            return pair_table(pairs_of(count.name, count), count.options, beside)
        case "consents":
            return _consent_rows(account, vote, vote.count)


def _consent_rows(account: Account, vote: VoteBars, count: Count) -> list[FigureRow]:
    now = stands_of(count)
    before = stands_of(vote.count_before) if vote.count_before else ()
    rows = list[FigureRow]()
    for bar in vote.bars:
        weights = {_STANDS[one.stand]: one.weight for one in now if one.option == bar.option}
        for one in before:
            if one.option == bar.option:
                weights[_("{stand} before", stand=_STANDS[one.stand])] = one.weight
        rows.append({_("option"): _lettered(bar), **weights, _("note"): _note(account, vote, bar)})
    return rows


def _bar_rows(account: Account, vote: VoteBars, count: Count) -> list[FigureRow]:
    plain = unweighted_points(count)
    rows = list[FigureRow]()
    for bar in vote.bars:
        row: dict[str, str | int | float] = {_("option"): _lettered(bar)}
        if bar.before is not None:
            row[_before_words(account, vote)] = bar.before
        row[named(vote.unit)] = bar.has
        row |= _plain_cell(plain, bar.option)
        if vote.needed is not None:
            row[_("needed")] = vote.needed
        row[_("note")] = _note(account, vote, bar)
        rows.append(row)
    if not vote.in_heads:
        return rows
    return [*rows, *({name: row.get(name, "") for name in rows[0]} for row in _absent_rows(account, vote, count))]


def _absent_rows(account: Account, vote: VoteBars, count: Count) -> Iterator[FigureRow]:
    before = absent(vote.count_before) if vote.count_before else {}
    for words, weight in absent(count).items():
        if weight or before.get(words):
            row: dict[str, str | int | float] = {_("option"): words, named(vote.unit): weight}
            if before:
                row[_before_words(account, vote)] = before[words]
            yield row


def absent(count: Count) -> dict[str, int]:
    """Weight of the abstentions, and of the voters without a ballot."""
    abstained = sum(ballot.weight for ballot in count.ballots if not ballot.says())
    return {NO_VOTE["abstained"]: abstained, _("no ballot"): sum(count.silent.values())}


def _plain_cell(plain: Mapping[K, Number], key: K) -> FigureRow:
    """The cell for equal ballots: empty for a round that they do not reach; no cell if all ballots weigh 1."""
    return {_("every ballot 1"): plain.get(key, "")} if plain else {}


def round_table(count: Count) -> list[FigureRow]:
    """Votes of each option in each round of an elimination, and the options eliminated after it."""
    equal = () if count.weighs_one() else rounds_of(count.unweighted())
    plain = {(row.round, row.option): row.votes for row in equal}
    return [
        {
            _("Round"): row.round,
            _("Option"): row.option,
            _("Votes"): row.votes,
            **_plain_cell(plain, (row.round, row.option)),
            "": _("out") if row.out else "",
            _("Exhausted"): row.exhausted,
        }
        for row in rounds_of(count)
    ]


def _points(points: Number | None, among: Iterable[Number] = ()) -> str:
    return "" if points is None else points_words(points, among)


def _lettered(bar: OptionBar) -> str:
    return f"{bar.letter} {bar.option}".strip()


def _note(account: Account, vote: VoteBars, bar: OptionBar) -> str:
    if bar.option in vote.ties:
        return _("tie")
    if not bar.wins:
        return ""
    is_closed = not vote.are_of_seats or account.ruling.standing == "decided"
    return _("elected") if vote.decides and is_closed else _("ahead")


def _before_words(account: Account, vote: VoteBars) -> str:
    if not vote.are_of_seats:
        return _("before the debate")
    return _("first count, blind") if first_is_blind(account.state.spec.protocol) else _("first count")


def _before_label(vote: VoteBars, points: str) -> str:
    return _("{points} in the first count", points=points) if vote.are_of_seats else _("{points} before", points=points)


def result_alt(account: Account, voters: Voters | None = None) -> str:
    """The chart in words."""
    vote = vote_of(account, voters)
    if vote is None:
        return ""
    if vote.decides:
        return arithmetic(account)
    if form_of(vote) == "pairs" and vote.count:
        return pair_alt(pairs_of(vote.count.name, vote.count))
    return f"{VOTES_OF[vote.voters]}: {spoken_list([f'{bar.option} {_points(bar.has)}' for bar in vote.bars])}."


# --- figures


def result_chart(account: Account, theme: str, voters: Voters | None = None) -> "go.Figure":
    """Draw the vote in the form of its rule."""
    from plotly import graph_objects as go

    palette = palette_of(theme)
    vote = vote_of(account, voters)
    if vote is None or vote.count is None:
        return go.Figure(layout=layout_of(palette, height=FRAME_PX))
    match form_of(vote):
        case "bars":
            return _draw_bars(account, vote, vote.count, palette)
        case "rounds":
            return _draw_rounds(vote.count, palette)
        case "pairs":
            unit = named(vote.unit)
            ends = {bar.option: _note(account, vote, bar) for bar in vote.bars}
            beside = {bar.option: _ended(f"{unit}: {_points(bar.has)}", ends[bar.option]) for bar in vote.bars}
            return pair_chart(pairs_of(vote.count.name, vote.count), vote.count.options, theme, beside=beside)
        case "consents":
            return _draw_consents(account, vote, vote.count, palette)


def _draw_bars(account: Account, vote: VoteBars, count: Count, palette: Palette) -> "go.Figure":
    """Draw one bar per option, a pale one for its votes before, and the threshold as a line."""
    from plotly import graph_objects as go

    gone = _absent_heads(vote, count)
    each = 1 if vote.count_before is None else 2
    height = BAR_PX * (each * len(vote.bars) + len(gone)) + FRAME_PX
    figure = go.Figure(layout=layout_of(palette, height=height))
    figure.update_layout(barmode="stack" if vote.count_before is None else "group")
    _add_options(figure, account, vote, count, palette)
    # Words beside a bar would meet the threshold, so they are on it where it is long enough.
    for bars in figure.data:
        bars.textposition = ["auto" if length else "outside" for length in bars.x]
    figure.update_traces(insidetextanchor="end", textangle=0, constraintext="none")
    if gone:
        figure.add_bar(
            x=[*gone.values()],
            y=[*gone],
            marker=hatched(palette),
            text=[*map(str, gone.values())],
            textposition="outside",
            hoverinfo="skip",
            offsetgroup="now",
        )
    figure.update_traces(orientation="h", cliponaxis=False, showlegend=False, textfont={"color": palette.ink})
    threshold = _threshold(vote, count)
    if threshold is not None:
        _draw_threshold(figure, *threshold, palette)
    return _lying(figure, vote, threshold[0] if threshold else 0.0)


def _absent_heads(vote: VoteBars, count: Count) -> Mapping[str, int]:
    """Words and numbers of those without a vote, such as abstentions; none for points."""
    if not vote.in_heads:
        return {}
    return {words: weight for words, weight in absent(count).items() if weight}


def _add_options(figure: "go.Figure", account: Account, vote: VoteBars, count: Count, palette: Palette) -> None:
    labels = [label_of(_lettered(bar)) for bar in vote.bars]
    colours = [colour_of(palette, place) for place in range(len(labels))]
    points = [bar.has for bar in vote.bars]
    if vote.count_before is not None:
        before = [bar.before or 0 for bar in vote.bars]
        figure.add_bar(
            x=[*map(float, before)],
            y=labels,
            marker={"color": [faint(colour, 0.45) for colour in colours]},
            text=[_before_label(vote, _points(points, before)) for points in before],
            insidetextfont={"color": palette.ink},
            hoverinfo="skip",
            offsetgroup="before",
        )
    figure.add_bar(
        x=[*map(float, points)],
        y=labels,
        marker={"color": colours},
        text=[_ended(_points(bar.has, points), _note(account, vote, bar)) for bar in vote.bars],
        insidetextfont={"color": palette.paper},
        customdata=_voters(vote, count),
        hovertemplate="%{customdata}<extra></extra>",
        offsetgroup="now",
    )


def _ended(points: str, note: str) -> str:
    return f"{points} · {note}" if note else points


def _lying(figure: "go.Figure", vote: VoteBars, threshold: float = 0.0) -> "go.Figure":
    """Set the axes of lying bars, with space for the threshold and for the words at both ends."""
    points = [float(end) for bar in vote.bars for end in (bar.has, bar.before or 0)]
    least, most = min(0.0, *points), max(0.0, *points)
    whole = float(vote.of) if vote.in_heads else 0.0
    longest = max(most, threshold, whole)
    every_number = _every_number(longest) if vote.in_heads else {}
    # A phone needs this space for the words at the end of the longest bar.
    ends = [1.3 * least, max(whole, 1.5 * most, 1.05 * longest, 0.1)]
    figure.update_xaxes(every_number, range=ends, title_text=named(vote.unit), zeroline=False)
    return figure.update_yaxes(autorange="reversed", showgrid=False, type="category", tickfont_size=13)


def _every_number(longest: float) -> Mapping[str, int]:
    """A tick at every number of an axis that is short enough."""
    return {"dtick": 1} if longest <= FEW else {}


def _threshold(vote: VoteBars, count: Count) -> tuple[float, str] | None:
    """The agreed number and its words; for Bucklin more than half of the ranking ballots."""
    if vote.rule.kind == "bucklin" and vote.decides:
        half = float(count.profile().naming() / 2)
        return half, _("more than {half} needed", half=_points(half))
    if vote.needed is None:
        return None
    return float(vote.needed), _("{needed} needed", needed=_points(vote.needed))


def _draw_threshold(figure: "go.Figure", at: float, words: str, palette: Palette) -> None:
    line = {"color": palette.bar, "width": 2}
    figure.add_shape(type="line", x0=at, x1=at, y0=0, y1=1, yref="paper", line=line)
    note = {"text": words, "font": {"color": palette.ink}, "showarrow": False}
    figure.add_annotation(note, x=at, y=1, yref="paper", yanchor="bottom")


def _voters(vote: VoteBars, count: Count) -> list[str]:
    """For each option the text under the pointer: its points, and the seats that they are from."""
    names = names_behind(vote, count)
    told = []
    for bar in vote.bars:
        heading = f"<b>{escape(_lettered(bar))}</b>: {_points(bar.has)} {escape(named(vote.unit))}"
        told.append("<br>".join((heading, *map(escape, names[bar.option]))))
    return told


def names_behind(vote: VoteBars, count: Count) -> Mapping[str, Sequence[str]]:
    """Option -> the seats that its points are from, each with its points unless that is 1; no names of people."""
    each = ballot_by_ballot(count) if vote.are_of_seats else ()
    names: dict[str, list[str]] = {bar.option: [] for bar in vote.bars}
    for ballot in each:
        for option, points in (ballot.points or {}).items():
            if points:
                names[option].append(in_words(ballot.voter) + ("" if points == 1 else f" {_points(points)}"))
    return names


def _draw_rounds(count: Count, palette: Palette) -> "go.Figure":
    """Draw the votes of the remaining options in each round, with a line at half of them."""
    from plotly import graph_objects as go

    figure = go.Figure(layout=layout_of(palette, height=340))
    rows = rounds_of(count)
    halves = _half_of_each_round(rows)
    labels = {n: _round_label(n, half) for n, half in halves.items()}
    for place, option in enumerate(count.options):
        own = [row for row in rows if row.option == option]
        ends = [_ended(_points(row.votes), _("out") if row.out else "") for row in own]
        figure.add_bar(
            x=[labels[row.round] for row in own],
            y=[float(row.votes) for row in own],
            text=ends,
            name=label_of(option),
            marker={"color": colour_of(palette, place)},
            offsetgroup=str(place),
        )
    _add_exhausted(figure, rows, [*labels.values()], palette)
    figure.update_traces(textposition="outside", textfont={"color": palette.ink}, cliponaxis=False)
    figure.update_traces(hovertemplate="%{fullData.name}: %{y}<extra></extra>")
    figure.update_layout(barmode="group", bargap=0.2)
    _draw_halves(figure, halves.values(), palette)
    longest = float(max(max(row.votes, row.exhausted) for row in rows))
    figure.update_yaxes(_every_number(longest), range=[0, 1.15 * longest], title_text=_("votes"))
    return figure.update_xaxes(type="category", showgrid=False, categoryarray=[*labels.values()])


def _draw_halves(figure: "go.Figure", halves: Iterable[float], palette: Palette) -> None:
    line = {"color": palette.bar, "width": 2}
    for place, half in enumerate(halves):
        figure.add_shape(type="line", x0=place - 0.45, x1=place + 0.45, y0=half, y1=half, line=line)


def _add_exhausted(figure: "go.Figure", rows: Iterable[RoundRow], labels: Sequence[str], palette: Palette) -> None:
    """Add the votes without a remaining option, if there are any."""
    exhausted = {row.round: row.exhausted for row in rows}
    if any(exhausted.values()):
        figure.add_bar(
            x=labels,
            y=[float(votes) for votes in exhausted.values()],
            name=_("no remaining option"),
            marker=hatched(palette),
            text=[*map(_points, exhausted.values())],
            offsetgroup="exhausted",
        )


def _half_of_each_round(rows: Iterable[RoundRow]) -> Mapping[int, float]:
    """Round -> half of the votes that still name an option."""
    halves = dict[int, float]()
    for row in rows:
        halves[row.round] = halves.get(row.round, 0.0) + row.votes / 2
    return halves


def _round_label(n: int, half: float) -> str:
    needed = _("more than {half} needed", half=_points(half))
    return f"{_('Round {n}', n=n)}<br>{needed}"


class _ConsentBar(NamedTuple):
    """One bar: `label` is the name and below it the figures, `rows` has one part for each stand."""

    label: str
    rows: Mapping[Stand, StandRow]
    opacity: float


def _consent_bars(account: Account, vote: VoteBars, count: Count) -> list[_ConsentBar]:
    now = stands_of(count)
    before = stands_of(vote.count_before) if vote.count_before else ()
    bars = []
    for bar in vote.bars:
        bars.append(_consent_bar(_ended(_lettered(bar), _note(account, vote, bar)), now, bar.option, opacity=1.0))
        if before:
            bars.append(_consent_bar(_("{letter} before", letter=bar.letter), before, bar.option, opacity=0.45))
    return bars


def _consent_bar(name: str, stands: Sequence[StandRow], option: str, *, opacity: float) -> _ConsentBar:
    rows = {row.stand: row for row in stands if row.option == option}
    weights = ", ".join(f"{row.weight} {_STANDS[stand]}" for stand, row in rows.items())
    return _ConsentBar(f"{label_of(name)}<br>{escape(weights)}", rows, opacity)


def _draw_consents(account: Account, vote: VoteBars, count: Count, palette: Palette) -> "go.Figure":
    """Draw the consents, concerns and objections to each option as one bar, and a pale one for those before."""
    from plotly import graph_objects as go

    bars = _consent_bars(account, vote, count)
    figure = go.Figure(layout=layout_of(palette, height=(BAR_PX + 8) * len(bars) + FRAME_PX + 20))
    labels = [bar.label for bar in bars]
    opacity = [bar.opacity for bar in bars]
    for stand, word in _STANDS.items():
        rows = [bar.rows[stand] for bar in bars]
        weights = [row.weight for row in rows]
        marker = hatched(palette, _PATTERNS[stand], palette.ink if stand == "consents" else "")
        figure.add_bar(
            x=weights,
            y=labels,
            name=word,
            marker={**marker, "opacity": opacity},
            customdata=[_seats_below(row) if vote.are_of_seats else "" for row in rows],
        )
    words = "%{fullData.name}: %{x}%{customdata}<extra></extra>"
    figure.update_traces(orientation="h", hovertemplate=words)
    figure.update_layout(barmode="stack")
    # On a phone, the names leave no room for every number.
    return _lying(figure, vote).update_xaxes(title_text=_("votes"), dtick=None)


def _seats_below(row: StandRow) -> str:
    return "".join(f"<br>{escape(in_words(voter))}" for voter in row.voters)


# --- what is behind the points


def pairs_behind(account: Account, voters: Voters) -> list[PairRow]:
    """The pairs of the current vote of these voters; [] if its ballots do not order the options."""
    vote = vote_of(account, voters)
    return pairs_of(vote.count.name, vote.count) if vote and vote.count else []


def _draw_pairs(account: Account, theme: str, voters: Voters) -> "go.Figure":
    return pair_chart(pairs_behind(account, voters), account.state.spec.options, theme)


def _pairs_in_words(account: Account, voters: Voters) -> str:
    return pair_alt(pairs_behind(account, voters))


def _pairs_in_rows(account: Account, voters: Voters) -> list[FigureRow]:
    return pair_table(pairs_behind(account, voters), account.state.spec.options)


def cells_behind(account: Account, voters: Voters) -> Cells | None:
    """The matrix of weighted criteria of the current vote of these voters."""
    vote = vote_of(account, voters)
    return vote.count.matrix() if vote and vote.count else None


def criteria_table(account: Account, voters: Voters) -> list[FigureRow]:
    """Mean points and weighted sums of the current vote of these voters."""
    cells = cells_behind(account, voters)
    return criteria_rows(cells) if cells else []


def criteria_rows(cells: Cells) -> list[FigureRow]:
    """One row per option: mean points under each driver, and the weighted sum; the highest first."""
    sums = cells.sums()
    return [
        {
            _("Option"): option,
            **{_driver_words(d, w): _read(cells.mean[option, d]) for d, w in cells.weights.items()},
            _("Weighted sum"): _read(sums[option]),
        }
        for option in sorted(cells.options, key=lambda o: -sums[o])
    ]


def _driver_words(driver: str, weight: Fraction) -> str:
    return _("{driver} (weighs {weight:g})", driver=driver, weight=percent(weight))


def _read(points: Fraction) -> float:
    return round(float(points), 3)


def criteria_alt(account: Account, voters: Voters) -> str:
    """Mean points by option and driver in words."""
    rows = [", ".join(f"{name} {cell}" for name, cell in row.items()) for row in criteria_table(account, voters)]
    return _("Mean points of each option under each driver: {rows}.", rows="; ".join(rows))


def criteria_chart(account: Account, theme: str, voters: Voters) -> "go.Figure":
    """Draw the mean points as a heat map of options and drivers, with the weighted sums."""
    palette = palette_of(theme)
    rows = criteria_table(account, voters)
    options = [str(row[_("Option")]) for row in rows]
    names = [*rows[0]][1:] if rows else []
    points = [[float(row[name]) for name in names] for row in rows]
    numbers = [[_points(point, chain(*points)) for point in row] for row in points]
    rule = account.state.spec.protocol.decide if voters == "debaters" else account.state.spec.terms.vote
    return heat_map(palette, points, numbers, labels_of(names), labels_of(options), ends=(0, most_points(rule)))


def charts_behind(account: Account, voters: Voters) -> Iterator[Chart]:
    """The charts that explain the points of the current vote of these voters."""
    vote = vote_of(account, voters)
    if vote is None:
        return
    if form_of(vote) != "pairs" and pairs_behind(account, voters):
        yield PAIRS[voters]
    if cells_behind(account, voters):
        yield CRITERIA[voters]


RESULT = Chart("result", message("Votes in the deciding count"), result_chart, result_alt, result_table)
VOTES = charts_by_voters("result", VOTES_OF, result_chart, result_alt, result_table)
"""The current vote of these voters, whether it decides or not."""
PAIRS = charts_by_voters(
    "pairs", message("Pair by pair"), _draw_pairs, _pairs_in_words, _pairs_in_rows, has_plain_key=True
)
CRITERIA = charts_by_voters("criteria", message("Weighted criteria"), criteria_chart, criteria_alt, criteria_table)
