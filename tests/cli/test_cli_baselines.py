"""`run --baselines`: the same question without a debate, after its end, told and recorded beside it."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.stores import open_store
from debate_core.record.events import parse_record
from tests.commanding import asking, printed_json, refused
from tests.model_faults import Fault
from tests.model_server import ModelServer

ASKED = ["run", "Adopt it?", "--out", "r.jsonl", "--json"]
WITH = ["--baselines", "single_call,self_consistency"]


def test_a_run_tells_what_it_is_compared_with(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    assert main([*ASKED, *asking(server), *WITH]) == 0
    out, err = capsys.readouterr()
    assert "about 8 calls more at an unknown price, at most as many as in the debate" in err
    told = json.loads(out)
    assert (told["decision"], told["usage"]["calls"], len(server.log)) == ("adopt", 4, 9)
    shown = [(one["name"], one["answer"], one["same"], one["answered"], one["calls"]) for one in told["baselines"]]
    assert shown == [("single_call", "adopt", True, 1, 1), ("self_consistency", "adopt", True, 4, 4)]
    assert [one["price_multiple"] for one in told["baselines"]] == [None, None]
    assert told["baselines"][1]["latency_multiple"] > 0
    assert len(told["baselines"][1]["replies"]) == 4
    assert main(["verify", "r.jsonl"]) == 0
    assert main(["report", "r.jsonl"]) == 0
    report = capsys.readouterr().out
    assert "A single answer without the debate is the same: adopt." in report
    assert "For comparison, in addition: 5 calls" in report


def test_without_the_flag_nothing_is_asked_and_nothing_is_told(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    assert main([*ASKED, *asking(server)]) == 0
    assert (printed_json(capsys)["baselines"], len(server.log)) == ([], 4)


def test_a_provider_that_is_down_changes_no_exit_status(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    server.set(faults=[Fault("401", first=5)])
    assert main([*ASKED, *asking(server), *WITH]) == 0
    told = printed_json(capsys)
    assert told["decision"] == "adopt"
    assert [(one["answer"], one["answered"], one["calls"]) for one in told["baselines"]] == [(None, 0, 1), (None, 0, 4)]
    assert main(["verify", "r.jsonl"]) == 0


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (
            ["--baselines", "vote"],
            "unknown baseline 'vote': choose one of single_call, self_consistency, supervised_answer",
        ),
        (["--baselines", ""], "unknown baseline ''"),
        (["--offline", *WITH], "a baseline asks the models of the debate, and no model sits in it"),
        (["--protocol", "tournament", *WITH], "there is no single answer to compare it with"),
    ],
)
def test_bad_wishes_are_refused_before_anybody_is_asked(
    flags: list[str], said: str, server: ModelServer, capsys: pytest.CaptureFixture[str]
):
    models = [] if "--offline" in flags else asking(server)
    refused(["run", "Adopt it?", "--out", "r.jsonl", *models, *flags], capsys, said)
    assert server.log == []


def test_what_was_cut_off_is_asked_when_the_debate_is_resumed(server: ModelServer, capsys: pytest.CaptureFixture[str]):
    url = f"sqlite:///{Path('d.db').resolve()}"
    assert main([*ASKED, "--db", url, *asking(server)]) == 0
    told = printed_json(capsys)
    with closing(open_store(url)) as store:
        store.put_note("baselines", told["debate_id"], "single_call")
    assert main(["resume", told["debate_id"], "--db", url, "--json"]) == 0
    assert [one["answer"] for one in printed_json(capsys)["baselines"]] == ["adopt"]
    before = parse_record(Path("r.jsonl").read_bytes())
    with closing(open_store(url)) as store:
        assert store.load(told["debate_id"])[: len(before)] == before
