"""`export --to-git`: a decision on a branch of a repository, with links, index, record, and pull request."""

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from debate_core.__main__ import main
from debate_core.documents.decision_fields import read_fields
from debate_core.errors import InvalidSpec
from debate_core.host.git.repository import GitFile, open_repository
from debate_core.record.acts import PollOpened
from debate_core.record.events import dump_record, parse_record
from debate_core.report.files.adr.folder import listed_decision, superseded
from tests.commanding import refused
from tests.people import ANN, FAY, room_spec
from tests.playing import Played

RECORDS = Path(__file__).resolve().parents[1] / "records"
RECORD, OTHER = str(RECORDS / "format1_people.jsonl"), str(RECORDS / "format1_split.jsonl")
FILE = "docs/decisions/0001-adopt-the-queue.md"
SECOND = "0002-how-should-checkout-reserve-stock-from-inventory-before-the.md"
TOKEN = "token-not-for-logs"


def git(repository: Path, *words: str, stdin: str = "") -> str:
    """Run git with a name for commits, and return its output."""
    named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", "-C", str(repository), *named, *words], input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def clone_of(bare: Path, path: Path) -> Path:
    """A clone with one commit in its origin."""
    git(bare, "clone", "--quiet", str(bare), str(path))
    git(path, "commit", "--quiet", "--allow-empty", "-m", "Start")
    git(path, "push", "--quiet", "origin", "HEAD:main")
    git(path, "remote", "set-head", "origin", "main")
    return path


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    path = tmp_path / "bare.git"
    path.mkdir()
    git(path, "init", "--quiet", "--bare")
    return path


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with decision records, a link to a folder, and a second work tree."""
    path = tmp_path / "checkout"
    folder = path / "doc" / "adr"
    folder.mkdir(parents=True)
    git(path, "init", "--quiet")
    (folder / "0007-use-a-broker.md").write_text("# 7. Use a broker\n\nDate: 2020-01-02\n\n## Status\n\nAccepted\n")
    (folder / "README.md").write_text("# Ours\n\nWritten by hand.\n")
    (folder / "0006-latin-1.md").write_bytes("# 6. Größe\n\n## Status\n\nAccepted\n".encode("latin-1"))
    (path / "linked").symlink_to("doc")
    git(path, "add", ".")
    git(path, "commit", "--quiet", "-m", "Start")
    git(path, "worktree", "add", "--quiet", "-b", "beside", str(tmp_path / "beside"))
    return path


def test_an_empty_bare_repository_takes_the_decision(bare: Path, capsys):
    assert main(["export", RECORD, "--to-git", str(bare)]) == 0
    assert FILE in capsys.readouterr().err
    branch = "decision/0001-adopt-the-queue"
    assert git(bare, "ls-tree", "-r", "--name-only", branch).split() == [
        FILE,
        "docs/decisions/README.md",
        "docs/decisions/records/.gitattributes",
        "docs/decisions/records/0001-adopt-the-queue.jsonl",
    ]
    kept = git(bare, "show", f"{branch}:docs/decisions/records/0001-adopt-the-queue.jsonl")
    assert kept.encode() == Path(RECORD).read_bytes()
    row = "| [0001-adopt-the-queue](0001-adopt-the-queue.md) | Adopt the queue: adopt | proposed | 2026-01-02 |"
    assert row in git(bare, "show", f"{branch}:docs/decisions/README.md").splitlines()
    assert parse_record(Path(RECORD).read_bytes())[-1].hash in git(bare, "log", "-1", "--format=%B", branch)


def test_the_same_export_again_makes_no_commit(bare: Path, capsys):
    for _ in range(2):
        assert main(["export", RECORD, "--to-git", str(bare), "--branch", "d"]) == 0
    assert "already" in capsys.readouterr().err
    assert git(bare, "rev-list", "--count", "d").strip() == "1"


def test_a_sealed_vote_does_not_reach_a_repository(bare: Path, tmp_path: Path, capsys):
    held = Played(room_spec(decides="panel"))
    held.go_on()
    held.to_the_end().act(FAY, PollOpened(poll="final")).ballot(ANN, "final", "adopt", reason="for myself")
    record = tmp_path / "r.jsonl"
    record.write_text(dump_record(held.events), "utf-8")
    refused(["export", str(record), "--to-git", str(bare)], capsys, "the final vote cannot be read yet")
    assert git(bare, "branch", "--list") == ""


@pytest.mark.parametrize("profile", ["madr", "madr-minimal", "nygard", "log4brains"])
def test_two_records_link_to_each_other_in_every_form(profile: str, bare: Path):
    flags = ["--to-git", str(bare), "--branch", "d", "--profile", profile]
    assert main(["export", RECORD, *flags]) == 0
    assert main(["export", OTHER, *flags, "--supersedes", Path(FILE).name]) == 0
    old = git(bare, "show", f"d:{FILE}")
    assert listed_decision("x.md", old).status.casefold() == f"superseded by {SECOND[:-3]}"
    assert f"]({SECOND})" in old
    assert "Supersedes [0001-adopt-the-queue](0001-adopt-the-queue.md)." in git(
        bare, "show", f"d:docs/decisions/{SECOND}"
    )
    changed = git(bare, "diff", "--numstat", "d~1", "d", "--", FILE).split()
    assert changed[:2] == ["1", "1"]


def test_front_matter_names_record_and_predecessor(bare: Path):
    flags = ["--to-git", str(bare), "--branch", "d"]
    assert main(["export", RECORD, *flags]) == 0
    assert main(["export", OTHER, *flags, "--supersedes", Path(FILE).name]) == 0
    old, new = (read_fields(git(bare, "show", f"d:docs/decisions/{name}")) for name in (Path(FILE).name, SECOND))
    assert (new.supersedes, old.status) == (Path(FILE).name, f"superseded by [{SECOND[:-3]}]({SECOND})")
    assert [found.head for found in (old, new)] == [
        parse_record(Path(record).read_bytes())[-1].hash for record in (RECORD, OTHER)
    ]


def test_a_repository_with_its_own_records_stays_as_it_is(checkout: Path, capsys):
    before = git(checkout, "rev-parse", "main")
    flags = ["--to-git", str(checkout), "--branch", "d", "--supersedes", "0007-use-a-broker.md"]
    assert main(["export", RECORD, *flags]) == 0
    assert "doc/adr/README.md was written by someone else and is not changed." in capsys.readouterr().err
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "rev-parse", "main") == before
    assert git(checkout, "diff", "--stat", "main", "d", "--", "doc/adr/README.md") == ""
    old = git(checkout, "show", "d:doc/adr/0007-use-a-broker.md")
    assert "Superseded by [0008-adopt-the-queue](0008-adopt-the-queue.md)\n" in old
    assert "# Adopt the queue: adopt" in git(checkout, "show", "d:doc/adr/0008-adopt-the-queue.md")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--branch=-x"], "no name of a git branch"),
        (["--branch", "a..b"], "no name of a git branch"),
        (["--branch", "main"], "is checked out in"),
        (["--branch", "beside"], "is checked out in"),
        (["--folder", "../out"], "no folder of a repository"),
        (["--folder", ".git/hooks"], "no folder of a repository"),
        (["--folder", "doc/adr/README.md"], "doc/adr/README.md in"),
        (["--folder", "linked"], "linked in"),
        (["--folder", "linked/below"], "is in the way: name another folder"),
        (["--supersedes", "0009-none.md"], "has no decision record"),
        (["--supersedes", "README.md"], "no status that could be changed"),
        (["--supersedes", "0006-latin-1.md"], "is no text in UTF-8"),
        (["--profile", "other"], "choose one of madr, madr-minimal, nygard, log4brains"),
        (["--pull-request"], "no remote named origin"),
    ],
)
def test_bad_input_changes_nothing_and_is_one_sentence(flags, said, checkout: Path, capsys):
    before = git(checkout, "for-each-ref")
    refused(["export", RECORD, "--to-git", str(checkout), *flags], capsys, said)
    assert git(checkout, "for-each-ref") == before


@pytest.mark.parametrize("place", ["nowhere", "ext::sh -c touch% /tmp/x", "."])
def test_a_place_that_is_no_repository_is_refused(place: str, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    refused(["export", RECORD, "--to-git", place], capsys, place)


def test_hooks_of_a_repository_do_not_run(bare: Path, tmp_path: Path):
    for hook in ("reference-transaction", "pre-push", "post-commit"):
        path = bare / "hooks" / hook
        path.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        path.chmod(0o755)
    assert main(["export", RECORD, "--to-git", str(bare)]) == 0
    assert not (tmp_path / "ran").exists()


def test_a_hook_of_another_repository_does_not_lead_there(bare: Path, checkout: Path, monkeypatch):
    """Git sets these variables for its hooks."""
    monkeypatch.setenv("GIT_DIR", str(checkout / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(checkout / ".git" / "index"))
    assert main(["export", RECORD, "--to-git", str(bare), "--branch", "d"]) == 0
    monkeypatch.undo()
    assert git(bare, "branch", "--list", "d").strip() == "d"
    assert git(checkout, "branch", "--list", "d") == ""


def test_a_branch_that_moves_on_during_an_export_is_kept(bare: Path):
    repository = open_repository(str(bare), bare)
    first, other = (GitFile(name, b"x") for name in ("a.md", "b.md"))
    start = repository.commit("d", None, [first], "Start")
    moved = repository.commit("d", start, [other], "Move on")
    with pytest.raises(InvalidSpec, match="the branch d has moved on meanwhile: try again"):
        repository.commit("d", start, [GitFile("c.md", b"x")], "Late")
    assert repository.tip("d") == moved


def test_a_branch_that_moved_on_is_not_overwritten(bare: Path, tmp_path: Path, capsys):
    clone = tmp_path / "clone"
    assert main(["export", RECORD, "--to-git", str(bare), "--branch", "d"]) == 0
    git(tmp_path, "clone", "--quiet", "--branch", "d", str(bare), str(clone))
    git(clone, "checkout", "--quiet", "-b", "mine")
    (clone / "other.txt").write_text("x")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Elsewhere")
    git(clone, "push", "--quiet", "origin", "mine:d")
    git(clone, "branch", "--quiet", "-D", "d")
    git(clone, "update-ref", "refs/heads/d", "mine~1")
    before = git(bare, "for-each-ref"), git(clone, "for-each-ref")
    capsys.readouterr()
    assert main(["export", OTHER, "--to-git", str(clone), "--branch", "d", "--push"]) == 2
    assert "the branch d has moved on in the remote repository" in capsys.readouterr().err
    assert (git(bare, "for-each-ref"), git(clone, "for-each-ref")) == before


class Server(BaseHTTPRequestHandler):
    """A stand-in for the REST interface of a git server."""

    calls: ClassVar[list[tuple[str, str, dict[str, str], str]]] = []
    refuses: ClassVar[int] = 0

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        token = self.headers["Authorization"] or self.headers["PRIVATE-TOKEN"]
        self.calls.append((self.path, token, body, self.command))
        answer = {"html_url": "https://git.example/1", "web_url": "https://git.example/1", "message": f"no: {TOKEN}"}
        self.send_response(self.refuses or 201)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    Server.calls.clear()
    Server.refuses = 0
    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        http.shutdown()


@pytest.fixture
def cloned(bare: Path, tmp_path: Path) -> Path:
    """A clone with one commit, whose origin is `bare`."""
    path = clone_of(bare, tmp_path / "team" / "shop")
    git(path, "checkout", "--quiet", "--detach")
    return path


@pytest.mark.parametrize(
    ("end", "request_path", "status_path"),
    [
        ("/api/v3", "/api/v3/repos/{project}/pulls", "/api/v3/repos/{project}/statuses/"),
        ("/api/v1", "/api/v1/repos/{project}/pulls", "/api/v1/repos/{project}/statuses/"),
        ("/api/v4", "/api/v4/projects/{quoted}/merge_requests", "/api/v4/projects/{quoted}/statuses/"),
    ],
)
def test_a_pull_request_is_opened(
    end, request_path, status_path, server, cloned: Path, bare: Path, monkeypatch, capsys
):
    monkeypatch.setenv("DEBATE_GIT_API", f"{server}{end}")
    monkeypatch.setenv("DEBATE_GIT_TOKEN", TOKEN)
    assert main(["export", RECORD, "--to-git", str(cloned), "--pull-request"]) == 0
    out = capsys.readouterr()
    assert "pull request: https://git.example/1" in out.err
    assert TOKEN not in out.err + out.out
    project = f"{bare.parent.name}/bare"
    names = {"project": project, "quoted": project.replace("/", "%2F")}
    (path, token, body, _), (status, *_rest) = Server.calls
    assert path == request_path.format(**names)
    assert token.endswith(TOKEN)
    assert "decision/0001-adopt-the-queue" in body.values()
    assert "main" in body.values()
    assert status == status_path.format(**names) + git(bare, "rev-parse", "decision/0001-adopt-the-queue").strip()


def test_a_refused_pull_request_names_no_token(server, cloned: Path, monkeypatch, capsys):
    Server.refuses = 403
    monkeypatch.setenv("DEBATE_GIT_API", f"{server}/api/v1")
    monkeypatch.setenv("DEBATE_GIT_TOKEN", TOKEN)
    assert main(["export", RECORD, "--to-git", str(cloned), "--pull-request"]) == 2
    said = capsys.readouterr().err
    assert "refused: 403 no: …" in said
    assert TOKEN not in said


def test_without_a_token_nothing_is_pushed(cloned: Path, bare: Path, server, monkeypatch, capsys):
    monkeypatch.setenv("DEBATE_GIT_API", f"{server}/api/v1")
    before = git(bare, "for-each-ref") + git(cloned, "for-each-ref")
    refused(["export", RECORD, "--to-git", str(cloned), "--pull-request"], capsys, "DEBATE_GIT_TOKEN")
    assert git(bare, "for-each-ref") + git(cloned, "for-each-ref") == before


def test_flags_for_git_need_a_repository(tmp_path: Path, capsys):
    refused(["export", RECORD, "--to", str(tmp_path), "--push"], capsys, "--push: only with --to-git")
    refused(["export", RECORD], capsys, "name a folder with --to, or a git repository with --to-git")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('---\nstatus: "accepted"\n---\n\n# T\n', 'status: "superseded by [0002-b](0002-b.md)"'),
        ("# 1. T\n\n## Status\n\nAccepted\n\n## Context\n", "Superseded by [0002-b](0002-b.md)"),
        ("# T\n\n- Status: accepted\n- Date: 2020-01-01\n", "- Status: superseded by [0002-b](0002-b.md)"),
        ("# T\n\n* **Status**: accepted\n", "* **Status**: superseded by [0002-b](0002-b.md)"),
    ],
)
def test_a_superseded_record_changes_in_one_line(text: str, status: str):
    new = superseded("0001-a.md", text, "0002-b.md")
    assert [line for line in new.splitlines() if line not in text.splitlines()] == [status]
    assert len(new.splitlines()) == len(text.splitlines())
    assert superseded("0001-a.md", new, "0002-b.md") == new
