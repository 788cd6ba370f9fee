"""Charts show what the tables say, on screen and as SVG: zero options, the bar, both themes, no text as markup."""

import struct
import xml.etree.ElementTree as ET
from collections.abc import Iterable

import pytest

from debate_core.errors import InvalidSpec
from debate_core.language import spoken
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.counts import PairRow
from debate_core.report.figures import votes
from debate_core.report.figures.charts import charts_of
from debate_core.report.figures.plane import SWATCH_PX
from debate_core.report.figures.polls import pair_alt, pair_chart, pair_table
from debate_core.report.figures.svg import chart_svg, svg_file, svg_of
from debate_core.report.figures.votes import PALETTES
from debate_core.report.files.export import export_files
from debate_core.spec.rules import Elected
from tests.core.test_ballots_in_debates import tennessee
from tests.holding import SEATS, Said, hold, script, steady, turn
from tests.people import whole_workshop

SVG = "{http://www.w3.org/2000/svg}"
SPLIT = steady({"planner": "release", "critic": "revise", "operator": None})


def _account(turns: list[dict[str, object]], **fields: object) -> Account:
    return account(*hold(script(turns, **fields)))


def _chart(drawn: Account, key: str) -> ET.Element:
    chart = next(chart for chart in charts_of(drawn) if chart.key == key)
    return ET.fromstring(chart_svg(drawn, chart))


def _rects(parent: ET.Element, colour: str) -> list[dict[str, float]]:
    """The bars of a colour, without the swatch of the legend."""
    found = [rect.attrib for rect in parent.iter(f"{SVG}rect") if rect.get("fill") == colour]
    found = [rect for rect in found if rect["width"] != f"{SWATCH_PX}"]
    return [{name: float(rect[name]) for name in ("x", "y", "width", "height")} for rect in found]


def _texts(parent: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in parent.iter(f"{SVG}text")]


def test_bars_are_as_long_as_their_votes():
    drawn = _chart(_account(steady({"planner": "release", "critic": "release", "operator": "revise"})), "result")
    two, one = (_rects(drawn, PALETTES["light"].options[place])[0] for place in (0, 1))
    assert two["width"] == pytest.approx(2 * one["width"], abs=0.3)
    assert two["x"] == one["x"]
    assert not _rects(drawn, PALETTES["light"].options[2])
    assert {"A release", "B revise", "C escalate", "2", "1", "0"} <= set(_texts(drawn))


def test_the_threshold_is_a_line_at_its_number():
    drawn = _chart(_account(steady({"planner": "release", "critic": "release", "operator": "revise"})), "result")
    bar = _rects(drawn, PALETTES["light"].options[0])[0]
    (line,) = [line for line in drawn.iter(f"{SVG}line") if line.get("stroke") == PALETTES["light"].bar]
    assert float(line.attrib["x1"]) == pytest.approx(bar["x"] + bar["width"], abs=0.3)


def test_stacked_bars_stand_on_each_other():
    drawn = _chart(_account(SPLIT, settings={"rounds": 1, "threshold": 2}), "rounds")
    first, second = (_rects(drawn, PALETTES["light"].options[place]) for place in (0, 1))
    assert len(first) == len(second) == 4
    assert [bar["y"] for bar in first] == pytest.approx([bar["y"] + bar["height"] for bar in second], abs=0.3)
    assert "abstained" in _texts(drawn)


def test_every_part_lies_within_the_drawing():
    drawn = _workshop()
    for chart in charts_of(drawn):
        svg = ET.fromstring(chart_svg(drawn, chart))
        _, _, width, height = map(float, svg.attrib["viewBox"].split())
        places = [*_numbers(svg, "x", "x1", "x2", "cx")]
        assert all(-1 <= x <= width + 1 for x in places), chart.key
        assert all(-1 <= y <= height + 1 for y in _numbers(svg, "y", "y1", "y2", "cy")), chart.key


def _workshop() -> Account:
    held = whole_workshop()
    return account(held.state, held.events)


def _numbers(svg: ET.Element, *names: str) -> Iterable[float]:
    for part in svg.iter():
        yield from (float(part.attrib[name]) for name in names if name in part.attrib)


def test_a_workshop_has_its_charts_with_words_and_titles():
    drawn = _workshop()
    assert [chart.key for chart in charts_of(drawn)] == [
        "result",
        "moves-debaters",
        "rounds",
        "moves-panel",
        "moves-room",
        "probabilities",
    ]
    for chart in charts_of(drawn):
        svg = ET.fromstring(chart_svg(drawn, chart))
        title, words = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
        assert title is not None
        assert words is not None
        assert svg.attrib["aria-labelledby"].split() == [title.get("id"), words.get("id")]
        assert (title.text, words.text) == (chart.title, chart.alt(drawn))


def test_pairs_of_ranked_ballots_are_cells_with_numbers():
    drawn = _chart(account(*hold(tennessee(Elected(kind="schulze")))), "result")
    assert {"42 : 58", "83 : 17"} <= set(_texts(drawn))


def test_flows_start_and_end_at_their_options():
    drawn = _chart(_workshop(), "moves-panel")
    assert _texts(drawn) == ["adopt (1)", "defer (1)", "adopt (2)", "Before", "After"]
    assert len(list(drawn.iter(f"{SVG}path"))) == 2


def test_hostile_names_stay_text_in_a_chart():
    option = "</text><script>alert(1)</script>\ufffe&amp;<br>"
    drawn = _account(steady(dict.fromkeys(SEATS, option)), options=[option, "b"])
    for chart in charts_of(drawn):
        svg = ET.fromstring(chart_svg(drawn, chart))
        assert not list(svg.iter(f"{SVG}script"))
        assert "</text><script>" in "".join("".join(_texts(svg)).split())


def test_numbers_of_axes_are_written_in_the_language():
    from plotly import graph_objects as go

    from debate_core.report.figures.votes import layout_of

    figure = go.Figure(layout=layout_of(PALETTES["light"], height=200))
    figure.add_bar(x=[2500], y=["a"], orientation="h", marker={"color": "#2360c5"})
    with spoken("de"):
        assert "2.000" in _texts(ET.fromstring(svg_of(figure, key="k", title="t", words="w")))


def test_a_file_has_a_white_ground_and_a_declaration():
    drawn = _account(SPLIT)
    text = svg_file(chart_svg(drawn, next(charts_of(drawn))))
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg ')
    assert ET.fromstring(text.encode())[0].attrib == {"width": "100%", "height": "100%", "fill": "#ffffff"}


def test_the_export_writes_one_file_per_chart():
    drawn = _workshop()
    assert list(export_files(drawn, "svg")) == [f"chart-{chart.key}.svg" for chart in charts_of(drawn)]


def test_png_export_has_the_size_of_each_chart_twice():
    drawn = _workshop()
    svgs, pngs = export_files(drawn, "svg"), export_files(drawn, "png")
    assert list(pngs) == [name.replace(".svg", ".png") for name in svgs]
    for svg, png in zip(svgs.values(), pngs.values(), strict=True):
        box = [round(2 * float(side)) for side in ET.fromstring(svg).attrib["viewBox"].split()[2:]]
        assert png.startswith(b"\x89PNG")
        assert list(struct.unpack(">II", png[16:24])) == box


def test_an_export_without_a_chart_is_refused():
    state, events = hold(script([], seats=[{"id": seat, "occupant": "human"} for seat in SEATS]))
    with pytest.raises(InvalidSpec, match="there is no chart"):
        export_files(account(state, events), "svg")


def _state(turns: list[Said], **fields: object):
    return hold(script(turns, **fields))[0]


def test_the_tally_against_its_bar_with_zero_options():
    # R010
    state = _state(SPLIT)
    assert votes.tally_table(account(state)) == [
        {"option": "release", "votes": 1, "needed": 2, "note": "tie"},
        {"option": "revise", "votes": 1, "needed": 2, "note": "tie"},
        {"option": "escalate", "votes": 0, "needed": 2, "note": ""},
    ]


def test_votes_by_phase_keep_ballots_that_do_not_count_apart():
    state = _state(SPLIT, settings={"rounds": 1, "threshold": 2})
    table = votes.rounds_table(account(state))
    assert [row["phase"] for row in table] == ["proposal", "critique", "revision", "consensus"]
    assert {"release": 1, "revise": 1, "escalate": 0, "abstained": 1, "failed": 0}.items() <= table[0].items()
    bars = {bar.name: (list(bar.y), bar.marker.color) for bar in votes.rounds_chart(account(state), "dark").data}
    palette = votes.PALETTES["dark"]
    assert bars == {
        "release": ([1] * 4, palette.options[0]),
        "revise": ([1] * 4, palette.options[1]),
        "escalate": ([0] * 4, palette.options[2]),
        "abstained": ([1] * 4, palette.neutral),
    }


def test_the_table_of_sureness_has_headings_in_german():
    state = _state([turn(s, "release", confidence=80, repeat=True) for s in SEATS])
    with spoken("de"):
        (row, *_others) = votes.sureness_table(account(state))
    assert list(row) == ["Platz", "Runde", "Phase", "Stimmzettel", "Sicher"]


def test_options_have_distinct_colours_across_charts():
    for palette in votes.PALETTES.values():
        assert len({*palette.options, palette.neutral}) == 9


def test_before_any_ballot_the_charts_are_empty_and_say_so():
    seats = [{"id": s, "occupant": "human"} for s in SEATS]
    state = _state([], seats=seats)
    assert [row["votes"] for row in votes.tally_table(account(state))] == [0, 0, 0]
    assert votes.rounds_table(account(state)) == []
    assert len(votes.rounds_chart(account(state), "light").data) == 3
    assert votes.rounds_alt(account(state)) == "Votes by phase. No ballot was counted yet."


def test_labels_are_text_and_not_markup():
    option = "<a href='http://e.example'>click</a>"
    state = _state(steady(dict.fromkeys(SEATS, option)), options=[option, "b"])
    assert all("<a" not in bar.name for bar in votes.rounds_chart(account(state), "light").data)


def test_a_long_word_is_cut_and_not_lost():
    option = "x" * 100
    state = _state(steady(dict.fromkeys(SEATS, option)), options=[option, "b"])
    label = votes.rounds_chart(account(state), "light").data[0].name
    assert label.replace("<br>", "") == "x" * 59 + "…"


def test_figures_carry_no_tools_and_no_margins():
    layout = votes.rounds_chart(account(_state(SPLIT)), "light").layout
    assert (layout.margin.l, layout.margin.r, layout.margin.b, layout.dragmode) == (0, 0, 0, False)


def test_every_pair_is_a_cell_and_has_no_full_colour():
    pairs = [
        PairRow("1.v", "a", "b", 3, 1, 1),
        PairRow("1.v", "a", "<b>c", 0, 0, 5),
        PairRow("1.v", "b", "<b>c", 2, 2, 1),
    ]
    options = ("a", "b", "<b>c")
    heat = pair_chart(pairs, options, "dark").data[0]
    assert [list(row) for row in heat.z] == [[None, 0.75, None], [0.25, None, 0.5], [None, 0.5, None]]
    assert [list(row) for row in heat.text] == [["", "3 : 1", "0 : 0"], ["1 : 3", "", "2 : 2"], ["0 : 0", "2 : 2", ""]]
    assert heat.x == ("a", "b", "&lt;b&gt;c")
    assert pair_table(pairs, options)[1] == {"Above ↓ below →": "b", "a": "1", "b": "", "<b>c": "2"}
    assert pair_alt(pairs[:1]) == "Ballots that prefer each option, pair by pair: a 3, b 1, tied 1."
