"""`run --matches debate`: each pair of a tournament is compared in a short debate with its own record."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.fillers import SeatSetup
from debate_core.host.stores import open_store
from debate_core.record.fold import replay
from debate_core.record.state import State
from tests.commanding import asking, refused
from tests.model_faults import Fault
from tests.model_server import ModelServer

URL = "sqlite:///d.db"
ASKED = ["run", "Which one?", "--protocol", "tournament", "--options", "brick,timber,steel,clay", "--rounds", "1"]
DEBATED = [*ASKED, "--matches", "debate", "--db", URL, "--out", "r.jsonl", "--json"]


def loaded(debate_id: str) -> State:
    with closing(open_store(URL)) as store:
        return replay(store.load(debate_id))


def test_each_pair_is_debated_and_judged(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    server.set(votes=["brick"])
    assert main([*DEBATED, *asking(server)]) == 3
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert "each pair is compared in a short debate of 5 calls: about 10 calls at an unknown price" in err
    assert (told["usage"]["calls"], len(server.log)) == (10, 10)
    rows = told["matches"]
    assert [row["round"] for row in rows] == [1, 1]
    for row in rows:
        match = loaded(row["match"])
        assert match.outcome is not None
        assert match.outcome.decision == row["preferred"]
        assert match.spec.match_of is not None
        assert match.spec.match_of.debate == told["debate_id"]
        assert [turn.phase for turn in match.turns] == ["opening"] * 2 + ["rebuttal"] * 2 + ["verdict"]
        assert main(["verify", f"r.matches/{row['match']}.jsonl"]) == 0
    assert main(["verify", "r.jsonl"]) == 0
    assert main(["export", "r.jsonl", "--format", "csv", "--to", "files"]) == 0
    assert rows[0]["match"] in Path("files/matches.csv").read_text("utf-8")


def test_a_budget_ends_the_tournament_between_matches(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    assert main([*DEBATED, *asking(server), "--rounds", "9", "--max-calls", "16", "--max-seconds", "900"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["usage"]["calls"] == len(server.log)
    assert len(server.log) <= 16
    assert {row["round"] for row in told["matches"]} == {1}
    ceiling = loaded(told["matches"][0]["match"]).spec.ceiling()
    assert ceiling is not None
    assert ceiling.calls == 7
    assert ceiling.seconds is not None
    assert ceiling.seconds <= 900


def test_an_interrupted_match_is_continued_by_its_tournament(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    assert main([*DEBATED, *asking(server), "--options", "brick,timber"]) == 3
    told = json.loads(capsys.readouterr().out)
    match = told["matches"][0]["match"]
    with closing(open_store(URL)) as whole, closing(open_store("sqlite:///cut.db")) as cut:
        for debate_id, last in ((told["debate_id"], "attempt_started"), (match, "turn_taken")):
            events = whole.load(debate_id)
            end = next(place for place, event in enumerate(events, start=1) if event.kind == last)
            SeatSetup().keep(cut, debate_id)
            cut.append(debate_id, events[:end], after=0)
    why = f"this is a comparison of the tournament {told['debate_id']}: act there"
    refused(["resume", match, "--db", "sqlite:///cut.db"], capsys, why)
    before = len(server.log)
    assert main(["resume", told["debate_id"], "--db", "sqlite:///cut.db", "--json"]) == 3
    again = json.loads(capsys.readouterr().out)
    # The opening whose answer was lost is asked again, and counts twice.
    assert (again["matches"][0]["match"], again["usage"]["calls"], len(server.log) - before) == (match, 6, 4)


def test_matches_of_an_unreachable_server_wait_and_go_on(
    server: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "1")
    server.set(faults=[Fault("503", first=3)])
    assert main([*DEBATED, *asking(server)]) == 5
    out, err = capsys.readouterr()
    assert "the short debate waits: " in err
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "30")
    server.set(faults=[])
    assert main(["resume", json.loads(out)["debate_id"], "--db", URL, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (len(told["matches"]), told["usage"]["calls"]) == (2, len(server.log))


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--protocol", "expert_panel", "--matches", "debate"], "--matches belongs to a tournament, not to"),
        (["--matches", "debate", "--human", "reviewer"], "only models compare pairs in a short debate"),
        (["--matches", "debate", "--offline"], "only models compare pairs in a short debate"),
    ],
)
def test_matches_without_models_are_refused(
    flags: list[str], said: str, server: ModelServer, capsys: pytest.CaptureFixture[str]
):
    models = [] if "--offline" in flags else asking(server)
    refused([*ASKED, *models, *flags], capsys, said)
    assert server.log == []
