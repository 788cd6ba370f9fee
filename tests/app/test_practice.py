"""Practice: debates with a known answer are judged blind at the desk, and the answer is shown after each."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.__main__ import main
from debate_core.evaluation import practice
from debate_core.host.host import Host, HostOptions
from debate_core.host.stores import open_store
from debate_core.language import spoken
from debate_core.record import acts
from debate_core.record.events import dump_record
from debate_core.ui.room.role_panels.judge.desk import sentence
from tests.app.visiting import drawings, lists, new_browser, press, press_row, tells, words
from tests.practising import judged_to_the_end

CASES = practice.shipped_cases()
INVENTED = "Teams may shorten the period for payment events to 90 days at their own discretion."


def page(app: AppTest, **address: str) -> AppTest:
    for key, value in address.items():
        app.query_params[key] = value
    app.switch_page("practice.py").run()
    assert not app.exception, app.exception
    return app


def listed(app: AppTest) -> dict[str, tuple[str, str, bool]]:
    """Case -> its button, the text beside it, and whether it is the next one."""
    return {row["name"]: (row["button"], row["count"], row["primary"]) for row in lists(app)["Practice debates"]}


def give(app: AppTest, case: str, right_percent: int) -> None:
    """Answer the current question with this share for the right option."""
    (asked,) = drawings(app, "probs")
    right = CASES[case].right
    tells(app, "probs", [right_percent if o["option"] == right else 100 - right_percent for o in asked["options"]])
    if "final" in app.button(key="give-beliefs").label:
        app.text_area[0].set_value("I did the sum.").run()
    press(app, "give-beliefs")


def judge(app: AppTest, case: str, right_percent: int) -> None:
    for _round in CASES[case].rounds:
        give(app, case, right_percent)


def test_it_is_reached_from_debates_and_from_the_track_record(app: AppTest):
    app.run()
    assert "Practise judging" in [link.proto.label for link in app.get("page_link")]
    app.switch_page("metrics.py").run()
    assert "Practise judging" in [link.proto.label for link in app.get("page_link")]


def test_practice_asks_for_a_name_and_refuses_none(app: AppTest):
    page(app)
    assert "it is no password, and everyone here who types it sees them" in words(app)
    assert not drawings(app, "list")
    app.button[0].click().run()
    assert [e.value for e in app.error] == ["Type a name first: your results are kept under it."]
    app.text_input[0].set_value(" Ann  Lee ")
    app.button[0].click().run()
    assert app.get("progress")[0].proto.text == "Ann Lee: 0 of 6 judged"
    assert {row[0] for row in listed(app).values()} == {"Judge"}
    assert [key for key, row in listed(app).items() if row[2]] == ["chain_availability"]


def test_practice_is_judged_blind_by_round_and_then_explained(app: AppTest, host: Host):
    case = CASES["retention_rule"]
    page(app, who="Ann")
    press_row(app, "retention_rule")
    before = words(app)
    # Blind and without the answer: the invented quote is shown like any other.
    assert "You read blind" in before
    assert INVENTED in before.replace("\\", "")
    assert "Retention rule for events" in [e.label for e in app.expander]
    assert "side_a" not in before
    assert "This quote is invented" not in before
    give(app, "retention_rule", 60)
    assert "After round 2" in words(app)
    assert "This quote is invented" not in words(app)
    give(app, "retention_rule", 80)
    after = words(app).replace("\\", "")
    assert f"**{case.right}** was right. You gave it 80 %." in after
    assert "Your Brier score is 0.04: 0 is best, 1 is worst, and equal shares for all options give 0.25" in after
    assert "Your log score is -0.32 bits" in after
    assert case.truth in after
    state = practice.begun(host, case, "Ann")
    assert state
    speaker = practice.speaker_of(state, "Yes, the team may decide that itself", practice.judge_of("Ann").id)
    assert re.search(f"Round 1, {speaker}: “{re.escape(INVENTED)}”.*This quote is invented", after, re.DOTALL)
    # The record has the right answer, and differs from the record of a decision.
    (recorded,) = state.room.of(acts.OutcomeRecorded)
    assert (recorded.fact.option, state.spec.practice) == (case.right, "retention_rule")
    press(app, "practice-next")
    assert app.query_params["case"] == "slowest_answers"
    assert "You gave it" not in words(app)


def test_whoever_favoured_the_wrong_answer_is_told_so(app: AppTest):
    page(app, who="Ann", case="pool_size")
    judge(app, "pool_size", 20)
    assert [e.value for e in app.warning] == ["**20 connections are enough** was right. You gave it 20 %."]
    assert "Your Brier score is 0.64" in words(app)


def test_it_is_taken_up_again_by_name_in_another_browser(app: AppTest):
    page(app, who="Ann", case="pool_size")
    judge(app, "pool_size", 90)
    press(app, "practice-next")
    give(app, app.query_params["case"], 60)
    # In the same browser the menu drops the address.
    app.query_params.clear()
    app.run()
    assert app.get("progress")[0].proto.text == "Ann: 1 of 6 judged"
    again = page(new_browser(), who="  ann ")
    rows = listed(again)
    assert rows["pool_size"] == ("See again", "Brier 0.01", False)
    assert [name for name, row in rows.items() if row[:2] == ("Go on", "begun")] == ["queue_backlog"]
    press_row(again, "queue_backlog")
    assert "After round 2" in words(again)
    # Another person starts with the first debate.
    assert page(new_browser(), who="Bea").get("progress")[0].proto.text == "Bea: 0 of 6 judged"


def test_in_german_no_english_word_joins_the_options(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "cookies", {"language": "de"})
    page(app, who="Ann", case="disk_space")
    assert "0 von 6 beurteilt" in words(app)
    (asked,) = drawings(app, "probs")
    with spoken("de"):
        told = sentence([option["option"] for option in asked["options"]], asked["given"])
    assert re.search(r"gleich wahrscheinlich gehalten: \*They.*fit\* und \*They", told)


def test_a_case_that_is_not_there_is_said_in_one_sentence(app: AppTest):
    page(app, who="Ann", case="../nothing")
    assert [e.value for e in app.error] == ["This practice debate does not exist. Choose one from the list."]
    assert len(listed(app)) == len(CASES)


@pytest.mark.slow
def test_practice_counts_in_its_own_track_record_only(app: AppTest, host: Host):
    page(app, who="Ann")
    for name in CASES:
        app.query_params["case"] = name
        app.run()
        judge(app, name, 80)
    assert "That was the last one" in words(app)
    app.query_params.pop("case")
    app.run()
    assert "Your mean Brier score is 0.04" in words(app)
    assert host.debates() == ()
    app.query_params.clear()
    app.switch_page("metrics.py").run()
    assert not app.exception
    assert "Practice" in [h.value for h in app.subheader]
    # No decision is counted: the page is as empty as before, but for this table and the closed example.
    assert "No debate is over yet" in app.info[0].value
    (table,) = app.dataframe
    assert not app.get("plotly_chart")
    (row,) = table.value.to_dict("records")
    assert (row["Of"], row["Practice debates"], row["Right"]) == ("Ann", 6, "100 % (61 to 100)")
    assert row["Brier score, 0 is best"].startswith("0.040")


def test_too_few_practice_debates_make_no_row_but_a_sentence(app: AppTest):
    page(app, who="Ann", case="pool_size")
    judge(app, "pool_size", 90)
    # Begun and not given to its end: it does not count, though others know its truth.
    page(app, who="Bea", case="pool_size")
    give(app, "pool_size", 60)
    app.query_params.clear()
    app.switch_page("metrics.py").run()
    assert "A row needs 5 practice debates: Ann has 1." in words(app).replace("\\", "")
    assert (len(app.get("plotly_chart")), len(app.dataframe)) == (0, 0)


def test_practice_uses_debates_of_a_file_and_refuses_a_bad_one(app: AppTest):
    page(app, who="Ann")
    row = {"id": "x", "question": "Who won?", "answers": ["fox", "hare"], "correct_index": 1}
    said = [{"round": 1, "kind": "speech", "role": f"Debater {side}", "text": f"{side} says so."} for side in "AB"]
    data = json.dumps({**row, "turns": said}).encode()
    app.file_uploader(key="practice_file").set_value(("debates.jsonl", data, "application/jsonl")).run()
    assert "1 debate is in the list now." in words(app)
    (name,) = listed(app).keys() - CASES.keys()
    app.file_uploader(key="practice_file").set_value(("debates.jsonl", b"{", "application/jsonl")).run()
    assert [e.value.replace("\\", "") for e in app.error] == ["debates.jsonl, line 1, is no JSON"]
    assert name in listed(app)
    press_row(app, name)
    tells(app, "probs", [50, 50])
    app.text_area[0].set_value("I guess.").run()
    press(app, "give-beliefs")
    # Neither right nor wrong.
    assert "**hare** was right. You gave it 50 %." in app.info[0].value
    assert "The file gives the right answer, but no reason." in words(app)


@pytest.mark.parametrize(("debates", "is_hinted"), [(19, False), (20, True)])
def test_after_twenty_practices_a_hint_explains_the_figures(app: AppTest, host: Host, debates: int, is_hinted: bool):
    turns = [{"text": "It is."}, {"text": "It is not."}]
    for number in range(debates):
        said = {"question": f"Is it, {number}?", "options": ["yes", "no"], "rounds": [turns], "right": "no"}
        host.drafts.keep_practice_debate(f"case-{number:02}", json.dumps(said))
        # Nine times in ten this judge is right, and says 99 %.
        judged_to_the_end(host, f"case-{number:02}", "Ann", 99 if number % 10 else 1)
    app.switch_page("metrics.py").run()
    assert not app.exception
    hints = [m.value for m in app.markdown if "the record suggests" in m.value]
    assert len(hints) == is_hinted
    if hints:
        assert "from 20 judgements" in hints[0]
        assert "A test of the hint needs 5 later judgements" in hints[0]


def test_an_imported_practice_is_listed_and_counts_nowhere(
    app: AppTest, host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    # Anyone can write a file in which a judge is always right.
    url = f"sqlite:///{tmp_path / 'elsewhere.db'}"
    with closing(open_store(url)) as store:
        there = Host(store, HostOptions(worker="none"))
        for name in CASES:
            state = judged_to_the_end(there, name, "Ann", 99)
            host.import_record(dump_record(there.events(state.debate)).encode())
    assert len(host.debates()) == len(CASES)
    app.switch_page("metrics.py").run()
    assert not app.exception
    assert (len(app.get("plotly_chart")), len(app.dataframe)) == (0, 0)
    assert "Practice" not in [h.value for h in app.subheader]
    assert main(["metrics", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["debates"], told["practice"]) == (0, [])
