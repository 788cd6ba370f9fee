"""`issue`: a debate played in the comments of an issue, on a local repository and a stand-in for the server."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from debate_core.__main__ import main
from debate_core.record.events import parse_record
from debate_core.record.fold import replay
from tests.cli.test_cli_git import clone_of, git
from tests.commanding import refused
from tests.model_faults import Fault
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "token-not-for-logs"
BODY = """We need a queue for the orders.

## Options

- kafka
- rabbit

Kafka costs 300 USD a month. RabbitMQ lost 2 of 40 messages in our test. We have not run Kafka before.
"""


class Handler(BaseHTTPRequestHandler):
    """The REST calls of one issue, as GitHub answers them."""

    server: "IssueServer"

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.endswith("/comments"):
            page = int(re.findall(r"[?&]page=(\d+)", self.path)[0])
            self.answer(200, self.server.comments[100 * (page - 1) : 100 * page])
        elif path.endswith("/pulls/12"):
            self.answer(200, self.server.pull)
        elif path.endswith("/issues/12"):
            self.answer(200, self.server.issue)
        else:
            self.answer(404, {"message": "Not Found"})

    def do_POST(self) -> None:
        fields = self.fields()
        if self.path.endswith("/issues/12/comments"):
            self.answer(201, self.server.say("debate[bot]", fields["body"], "NONE"))
        else:
            self.server.calls.append((self.path, fields))
            self.answer(201, {"html_url": "https://git.example/team/shop/pull/13"})

    def do_PATCH(self) -> None:
        number = int(self.path.rpartition("/")[2])
        found = next(one for one in self.server.comments if one["id"] == number)
        found["body"] = self.fields()["body"]
        self.answer(200, found)

    def fields(self) -> dict[str, Any]:
        return dict(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, status: int, body: object) -> None:
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            status, body = 401, {"message": "Bad credentials"}
        self.send_response(status)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


class IssueServer(ThreadingHTTPServer):
    """One issue with its comments."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.issue: dict[str, Any] = {"title": "Which queue do the orders take?", "body": BODY}
        self.pull: dict[str, Any] = {}
        self.comments: list[dict[str, Any]] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def say(self, who: str, text: str, association: str = "MEMBER") -> dict[str, Any]:
        """Add a comment. Numbers of accounts follow from their names."""
        user = {"login": who, "id": int(sha256(who.encode()).hexdigest()[:6], 16)}
        comment = {"id": 1000 + len(self.comments), "user": user, "author_association": association, "body": text}
        self.comments.append(comment)
        return comment

    @property
    def post(self) -> str:
        """The text of the comment of the program."""
        (own,) = [one["body"] for one in self.comments if one["user"]["login"] == "debate[bot]"]
        return str(own)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[IssueServer]:
    with IssueServer() as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        monkeypatch.setenv("DEBATE_GIT_API", f"http://127.0.0.1:{http.server_address[1]}/api/v3")
        monkeypatch.setenv("DEBATE_GIT_TOKEN", TOKEN)
        yield http
        http.shutdown()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with one commit; its origin is a bare repository beside it."""
    bare = tmp_path / "shop.git"
    bare.mkdir()
    git(bare, "init", "--quiet", "--bare")
    return clone_of(bare, tmp_path / "shop")


def update(clone: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    """Run the command as a workflow does, and return what it prints."""
    status = main(["issue", "12", "--repository", str(clone), "--json", *flags])
    out, err = capsys.readouterr()
    assert status == 0, err
    assert TOKEN not in out + err
    return dict(json.loads(out))


def digest(option: str, key: str) -> str:
    return sha256(f"{option} {key}".encode()).hexdigest()


def record(clone: Path, tmp_path: Path) -> str:
    """The record of the branch at the server, as a file."""
    path = tmp_path / "record.jsonl"
    path.write_text(git(clone.parent / "shop.git", "show", "debate/issue-12:record.jsonl"))
    return str(path)


def test_a_sealed_vote_from_question_to_decision_record(server: IssueServer, clone: Path, tmp_path: Path, capsys):
    server.say("ann", "/debate")
    update(clone, capsys)
    assert "The vote is open: 0 of 1 ballot in." in server.post
    # The panel has quoted the issue.
    assert "Kafka costs 300 USD a month" in server.post
    keys = {"ann": "k" * 16, "ben": "another-key-of-ben", "cyd": "a-key-of-cyd-for-this"}
    choices = {"ann": "kafka", "ben": "rabbit", "cyd": "rabbit"}
    for who, option in choices.items():
        server.say(who, f"/commit {digest(option, keys[who])}")
    update(clone, capsys)
    assert "3 committed" in server.post
    for who, option in choices.items():
        server.say(who, f"/reveal {option} {keys[who]} because @{who} wants it")
    server.say("ann", "/close")
    told = update(clone, capsys)
    assert told["refused"] == []
    assert "Decided by the room: rabbit." in server.post
    assert "Decision record: https://git.example/team/shop/pull/13" in server.post
    # No one is mentioned.
    assert "@ann" not in server.post
    assert main(["verify", record(clone, tmp_path)]) == 0
    capsys.readouterr()
    bare = clone.parent / "shop.git"
    branch = next(one for one in git(bare, "branch", "--list", "decision/*").split() if one != "*")
    assert "rabbit" in git(bare, "show", f"{branch}:docs/decisions/{branch.partition('/')[2]}.md")
    assert [path.split("/")[-1 if "pulls" in path else -2] for path, _ in server.calls] == ["pulls", "statuses"]
    # Another run without a new comment changes nothing.
    before = git(bare, "rev-parse", "debate/issue-12")
    update(clone, capsys)
    assert (git(bare, "rev-parse", "debate/issue-12"), len(server.calls)) == (before, 2)


def test_an_open_vote_in_one_step(server: IssueServer, clone: Path, capsys):
    server.say("ann", "/debate open\n\n- move now\n- wait a year\n")
    server.say("ben", "I like this.")
    server.say("ben", "/vote Wait a year because there is no time")
    server.say("ben", "/vote move now")
    server.say("ann", "/vote move now because it is cheap")
    server.say("ann", "/close")
    assert update(clone, capsys)["refused"] == []
    assert "Decided by the room: move now." in server.post


def test_what_is_refused_is_named_and_changes_nothing(server: IssueServer, clone: Path, tmp_path: Path, capsys):
    server.say("eve", "/debate", "NONE")
    server.say("ben", "/vote kafka")
    server.say("ann", "/debate quickly")
    server.say("ann", "/debate")
    server.say("ann", "/debate")
    server.say("eve", f"/commit {digest('kafka', 'k' * 16)}", "CONTRIBUTOR")
    server.say("ben", "/commit kafka")
    server.say("ben", "/vote kafka")
    server.say("ben", f"/commit {digest('kafka', 'k' * 16)}")
    server.say("ben", f"/reveal rabbit {'k' * 16}")
    server.say("ben", f"/reveal zeromq {'k' * 16}")
    server.say("ben", "/reveal kafka short")
    server.say("ben", "/close")
    said = [sentence.partition(": ") for sentence in update(clone, capsys)["refused"]]
    assert [(who, why.partition(":")[0]) for who, _, why in said] == [
        ("eve, /debate", "only people of this repository take part"),
        ("ben, /vote", "there is no debate yet"),
        ("ann, /debate", "/debate takes nothing, open or sealed, not quickly"),
        ("ann, /debate", "the debate of this issue is over"),
        ("eve, /commit", "only people of this repository take part"),
        ("ben, /commit", "/commit takes the 64 hex digits of a SHA-256, not kafka"),
        ("ben, /vote", "this vote is sealed"),
        ("ben, /reveal", "this ballot does not match the commitment"),
        ("ben, /reveal", "zeromq is none of kafka, rabbit, abstain"),
        ("ben, /reveal", "/reveal takes an option and its key"),
        ("ben, /close", said[-1][2].partition(":")[0]),
    ]
    assert "is for the facilitator" in said[-1][2]
    assert main(["verify", record(clone, tmp_path)]) == 0


def test_an_issue_without_options_asks_for_them(server: IssueServer, clone: Path, capsys):
    server.issue["body"] = None
    server.say("ann", "/debate")
    (told,) = update(clone, capsys)["refused"]
    assert "name the options: a list below /debate" in told
    server.say("ann", "/debate\n- a\n- b")
    update(clone, capsys)
    assert "The vote is open" in server.post


def test_a_fork_never_asks_models(server: IssueServer, clone: Path, capsys, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OUR_KEY", "key-not-for-forks")
    server.issue["pull_request"] = {}
    server.pull = {"head": {"repo": {"full_name": "eve/shop"}}, "base": {"repo": {"full_name": "team/shop"}}}
    server.say("ann", "/debate")
    flags = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--key-env", "OUR_KEY")
    update(clone, capsys, *flags)
    assert "an evidence panel without a model" in server.post.casefold()


def test_a_debate_out_of_reach_waits_and_continues(
    server: IssueServer, clone: Path, tmp_path: Path, capsys, monkeypatch
):
    monkeypatch.setenv("DEBATE_TURN_DEADLINE_S", "1")
    with ModelServer(votes=["kafka"], faults=[Fault("503")]) as models:
        flags = ("--model", "m", "--base-url", models.base_url("chat"), "--rounds", "1")
        server.say("ann", "/debate")
        update(clone, capsys, *flags)
        assert "`/debate` continues it." in server.post
        models.set(faults=[])
        server.say("ann", "/debate")
        assert update(clone, capsys, *flags)["refused"] == []
    assert "The vote is open" in server.post
    assert main(["verify", record(clone, tmp_path)]) == 0


def test_a_run_that_is_killed_loses_one_phase_at_most(
    server: IssueServer, clone: Path, tmp_path: Path, capsys, monkeypatch
):
    with ModelServer(votes=["kafka"], faults=[Fault("hang", at=(4,))]) as models:
        flags = ["--repository", str(clone), "--model", "m", "--base-url", models.base_url("chat"), "--rounds", "2"]
        server.say("ann", "/debate")
        command = [sys.executable, "-m", "debate_core", "issue", "12", *flags]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as killed:
            models.wait_for("received_at", calls=4)
            killed.kill()
        # The opening of three seats is on the branch at the server.
        assert len(replay(parse_record(Path(record(clone, tmp_path)).read_bytes())).turns) == 3
        models.set(faults=[])
        assert main(["issue", "12", *flags]) == 0
    capsys.readouterr()
    assert "The vote is open" in server.post
    # Three openings, and three critiques of which one was asked twice.
    assert len(models.log) <= 3 + 3 + 3 + 1


def test_a_changed_record_is_refused(server: IssueServer, clone: Path, tmp_path: Path, capsys):
    server.say("ann", "/debate")
    update(clone, capsys)
    changed = Path(record(clone, tmp_path)).read_text().replace("kafka", "kapka")
    git(clone, "fetch", "--quiet")
    git(clone, "switch", "--quiet", "debate/issue-12")
    (clone / "record.jsonl").write_text(changed)
    git(clone, "commit", "--quiet", "--all", "-m", "Change the record")
    git(clone, "switch", "--quiet", "--detach", "origin/main")
    server.say("ann", "/close")
    why = "the branch debate/issue-12 was changed by someone else: line 1"
    refused(["issue", "12", "--repository", str(clone)], capsys, why)


def test_a_server_that_is_no_git_server_is_named(clone: Path, server: IssueServer, capsys, monkeypatch):
    refused(["issue", "0", "--repository", str(clone)], capsys, "NUMBER is the number of an issue, from 1, not 0")
    refused(["issue", "99", "--repository", str(clone)], capsys, "refused: 404 Not Found")
    monkeypatch.setenv("DEBATE_GIT_TOKEN", "wrong")
    refused(["issue", "12", "--repository", str(clone)], capsys, "refused: 401 Bad credentials")
