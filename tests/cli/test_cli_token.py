"""`token`: makes, lists and revokes tokens of programs."""

from contextlib import closing
from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.access.tokens import ApiToken, Tokens
from debate_core.host.runner import now
from debate_core.host.stores import open_store
from tests.commanding import printed_json, refused


def found(url: str, text: str) -> ApiToken:
    with closing(open_store(url)) as store:
        return Tokens(store, clock=now).find(text, address="")


def test_created_token_is_printed_once_and_works(url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["token", "create", "archive", "--db", url]) == 0
    out, err = capsys.readouterr()
    token = found(url, out.strip())
    assert (token.name, token.scopes, token.debates, token.looker) == ("archive", ("read",), (), OPERATOR)
    assert token.id in err
    assert "shown once" in err
    assert main(["token", "list", "--db", url]) == 0
    listed = capsys.readouterr().out
    assert f"{token.id}  archive: read; all debates of its maker; by machine; until {token.last_day}" in listed
    assert out.strip() not in listed


def test_create_takes_owner_debates_scopes_and_last_day(url: str, capsys: pytest.CaptureFixture[str]):
    last = str(now().date())
    more = ["--owner", "una@example.org", "--debate", "d-room", "--until", last, "--scope", "ask", "--scope", "read"]
    assert main(["token", "create", "bot", *more, "--json", "--db", url]) == 0
    made = printed_json(capsys)
    token = found(url, made["token"])
    with closing(open_store(url)) as store:
        una = Accounts(store).by_email("una@example.org")
    assert token.looker == Looker("host", una.id)
    assert (token.debates, token.scopes, str(token.last_day)) == (("d-room",), ("ask", "read"), last)
    assert (made["id"], made["last_day"], made["used_at"]) == (token.id, last, None)
    assert not {"hash", "of_code"} & made.keys()


@pytest.mark.parametrize(
    ("scopes", "opens"), [([], {"/api/v1"}), (["ask"], {"/mcp"}), (["ask", "read"], {"/api/v1", "/mcp"})]
)
def test_create_names_what_the_token_opens(scopes: list[str], opens: set[str], url: str, capsys):
    assert main(["token", "create", "bot", *(f"--scope={scope}" for scope in scopes), "--db", url]) == 0
    told = capsys.readouterr().err
    assert {path for path in ("/api/v1", "/mcp") if path in told} == opens


def test_revoked_token_is_gone(url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["token", "create", "archive", "--json", "--db", url]) == 0
    made = printed_json(capsys)
    assert main(["token", "revoke", made["id"], "--db", url]) == 0
    assert capsys.readouterr().out == f"{made['id']} (archive) is revoked\n"
    assert main(["token", "list", "--db", url]) == 0
    assert capsys.readouterr().out == "There are no tokens.\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["create"], "needs a name for the token"),
        (["create", "x" * 81], "a name of 1 to 80 characters"),
        (["create", "x", "--until", "soon"], "--until must be a day, as in 2027-01-15, not 'soon'"),
        (["create", "x", "--until", "2020-01-01"], "not 2020-01-01"),
        (["create", "x", "--debate", "d-none"], "there is no debate 'd-none'"),
        (["create", "x", "--owner", "eve@example.org"], "no one has logged in here as eve@example.org"),
        (["create", "x", "--scope", "write"], "invalid choice: 'write'"),
        (["list", "--owner", "una@example.org"], "are for `token create`"),
        (["list", "--scope", "ask"], "are for `token create`"),
        (["revoke"], "needs the id of a token"),
        (["revoke", "t-aaaaaaaaaa"], "there is no token 't-aaaaaaaaaa'"),
        (["rotate"], "invalid choice: 'rotate'"),
    ],
)
def test_unfit_token_command_is_refused(url: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]):
    refused(["token", *words, "--db", url], capsys, said)


def test_token_of_a_missing_database_creates_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    refused(["token", "create", "x", "--db", f"sqlite:///{tmp_path / 'none.db'}"], capsys, "none.db")


def test_copied_database_keeps_tokens_without_uses(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["token", "create", "archive", "--json", "--db", url]) == 0
    text = printed_json(capsys)["token"]
    target = f"sqlite:///{tmp_path / 'copy.db'}"
    for _ in range(2):
        found(url, text)
        assert main(["copy", "--from", url, "--to", target, "--json"]) == 0
        assert printed_json(capsys)["troubles"] == []
        assert found(target, text).name == "archive"
