"""The threshold of triage on the command line: `metrics` proposes it, a person answers, `triage` uses it."""

from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.stores import open_store
from tests.commanding import printed_json, refused
from tests.outcomes import keep_outcomes

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """20 outcomes, of which 5 correct the first proposal."""
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    with closing(open_store(url)) as store:
        keep_outcomes(store, corrected=5, same=15)
    return url


def test_a_proposal_is_printed_and_answered(url: str, capsys: Capture):
    assert main(["metrics", "--db", url]) == 0
    printed = capsys.readouterr().out
    assert "  A debate is advised if a wrong decision costs more than 50 times the debate.\n  Proposal for " in printed
    assert "In 5 of 20 decisions only the debate was right, in 0 only the single answer;" in printed
    argv = ["metrics", "--db", url, "--threshold", "accept", "--by", "Ana", "--reason", "seen\nby all", "--json"]
    assert main(argv) == 0
    told = printed_json(capsys)["threshold"]
    (answer,) = told["answers"]
    assert (told["current"], told["proposal"]["times"], answer["by"], answer["accepted"]) == (4, 4, "Ana", True)
    assert main(["metrics", "--db", url]) == 0
    printed = capsys.readouterr().out
    assert "costs more than 4 times the debate." in printed
    assert not [words for words in ("Proposal for", "The outcomes confirm") if words in printed]
    assert f": Ana accepted 4 times on {answer['at'][:10]}. seen by all\n" in printed
    refused(["metrics", "--db", url, "--threshold", "decline"], capsys, "is answered already")


def test_a_filter_does_not_change_the_proposal(url: str, capsys: Capture):
    assert main(["metrics", "--db", url, "--protocol", "bounded_vote", "--rehearsals", "--json"]) == 0
    told = printed_json(capsys)
    assert (told["debates"], told["threshold"]["proposal"]["n"]) == (20, 20)


def test_triage_uses_the_accepted_threshold(url: str, capsys: Capture):
    advised = []
    for answer in ([], ["--threshold", "accept"]):
        assert main(["metrics", "--db", url, *answer]) == 0
        capsys.readouterr()
        assert main(["triage", "--db", url, "--downside-usd", "5", "--debate-usd", "1", "--json"]) == 0
        told = printed_json(capsys)
        advised.append((told["threshold"], told["advice"]))
    assert advised == [(50, "simpler"), (4, "debate")]


def test_an_answer_needs_a_proposal(tmp_path: Path, capsys: Capture):
    url = f"sqlite:///{tmp_path / 'few.db'}"
    with closing(open_store(url)) as store:
        keep_outcomes(store, corrected=1, same=0)
    refused(["metrics", "--db", url, "--threshold", "accept"], capsys, "lead to no proposal")
    refused(["metrics", "--db", url, "--by", "Ana"], capsys, "add --threshold accept or --threshold decline")
    refused(["triage", "--db", "sqlite:///none.db"], capsys, "there is no database none.db")
    assert main(["metrics", "--db", url]) == 0
    assert "No proposal from outcomes yet: it needs 20 decisions" in capsys.readouterr().out
