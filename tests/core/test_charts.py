"""Charts show what the tables say: zero options, the bar, ballots that do not count, in both themes."""

from debate_core.language import spoken
from debate_core.report.facts.account import account
from debate_core.report.facts.counts import PairRow
from debate_core.report.figures import votes
from debate_core.report.figures.polls import pair_alt, pair_chart, pair_table
from tests.holding import SEATS, Said, hold, script, steady, turn

SPLIT = steady({"planner": "release", "critic": "revise", "operator": None})


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
