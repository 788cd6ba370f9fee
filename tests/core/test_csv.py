"""The CSV pack: exact rows, cells that no spreadsheet runs, text that comes back as it was."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from debate_core.errors import InvalidSpec
from debate_core.report.facts.account import account
from debate_core.report.files.adr.record_number import RecordNumber
from debate_core.report.files.csv import safe_cell
from debate_core.report.files.export import csv_files, export_files
from tests.holding import SEATS, Said, hold, script, steady, turn

NASTY = "=cmd|' /C calc'!A0\nline \"two\", and, commas; ☕ élan\r\nlast"


def _read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@sum",
        "|x",
        "%x",
        "\tx",
        "\rx",
        "\nx",
        "  =1",
        "\ufeff=1",
        "\u200b\u200b@x",
        "＝1",
        "＋1",
        "－1",
        "＠x",
    ],
)
def test_what_a_spreadsheet_would_run_is_neutralised(text: str):
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize("text", ["", "adopt", "a=b", "5 %", "'quoted", " leading blank", "émile", "1.5"])
def test_other_text_is_left_as_it_is(text: str):
    assert safe_cell(text) == text


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=80))
def test_text_comes_back_as_it_was_but_for_the_apostrophe(text: str):
    assert safe_cell(text).removeprefix("'") == text.removeprefix("'")


@pytest.mark.slow
def test_a_nasty_text_survives_pandas():
    # Only here: it takes half a second, which every run of the core's tests would wait for.
    import pandas as pd

    said = [turn(s, "release", repeat=True, rationale=NASTY) for s in SEATS]
    state, events = hold(script(said))
    table = pd.read_csv(io.StringIO(csv_files(account(state, events))["turns.csv"], newline=""))
    assert list(table["text"]) == ["'" + NASTY] * 3
    assert list(table["round"]) == [1, 1, 1]


def test_what_is_not_known_is_empty_and_numbers_stay_numbers():
    state, events = hold(script(steady(dict.fromkeys(SEATS, "release"))))
    row = _read(csv_files(account(state, events))["turns.csv"])[0]
    known = {name: row[name] for name in ("seq", "n_claims", "is_human", "retries", "status", "current_vote")}
    assert known == {
        "seq": "1",
        "n_claims": "0",
        "is_human": "false",
        "retries": "0",
        "status": "ok",
        "current_vote": "release",
    }
    assert [row[name] for name in ("provider", "model", "vote_confidence")] == [""] * 3


def test_the_transcript_has_the_fields_of_the_seeds():
    # R081
    state, events = hold(script(steady(dict.fromkeys(SEATS, "release"))))
    rows = _read(csv_files(account(state, events))["transcript.csv"])
    assert rows[0] == {
        "round": "1",
        "agentName": "planner",
        "stance": "planner position",
        "text": "planner rationale",
        "vote": "release",
    }


def test_a_lost_turn_is_a_row_of_turns_but_not_of_the_transcript():
    lost: Said = {"seat": "operator", "error": "cut", "text": "I th", "repeat": True}
    state, events = hold(script([*steady({"planner": "release", "critic": "release"}), lost]))
    files = csv_files(account(state, events))
    assert [(r["seat_id"], r["status"], r["text"], r["current_vote"]) for r in _read(files["turns.csv"])][-1] == (
        "operator",
        "cut",
        "I th",
        "",
    )
    assert len(_read(files["transcript.csv"])) == 2
    assert [r["status"] for r in _read(files["votes.csv"])] == ["cast", "cast", "failed"]


def test_the_tally_shows_options_without_a_vote():
    state, events = hold(script(steady(dict.fromkeys(SEATS, "release"))))
    rows = _read(csv_files(account(state, events))["tally.csv"])
    told = [(r["option"], r["value"], r["rank"], r["elected"], r["threshold"]) for r in rows]
    assert told == [
        ("release", "3", "1", "true", "2"),
        ("revise", "0", "2", "false", "2"),
        ("escalate", "0", "2", "false", "2"),
    ]


def test_an_export_is_what_was_asked():
    state, events = hold(script(steady(dict.fromkeys(SEATS, "release"))))
    pack = {
        *("turns.csv", "claims.csv", "usage.csv", "votes.csv", "tally.csv", "overrides.csv", "synthesis.csv"),
        *("directives.csv", "evaluations.csv", "health.csv", "transcript.csv", "decision.csv"),
    }
    assert set(export_files(account(state, events), "csv")) == pack
    assert set(export_files(account(state, events), "json")) == {"debate.json", "events.jsonl"}
    assert set(export_files(account(state, events), "md")) == {"report.md", "transcript.md"}
    assert set(export_files(account(state, events), "all")) == {
        *pack,
        "debate.json",
        "events.jsonl",
        "report.md",
        "transcript.md",
        "0001-release-the-migration.md",
    }
    assert set(export_files(account(state, events), "adr", adr_number=RecordNumber(12))) == {
        "0012-release-the-migration.md"
    }
    with pytest.raises(InvalidSpec, match="no export format 'pdf'"):
        export_files(account(state, events), "pdf")
