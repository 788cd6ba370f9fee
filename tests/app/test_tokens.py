"""The page of access tokens: a token is shown once, listed, and revoked, each by its maker alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.host import Host
from tests.app.test_full_disk import full_disk
from tests.app.test_hosting import guest, hosted
from tests.app.test_owners import everything, made
from tests.app.visiting import new_browser, press, told, words
from tests.logging_in import account_of, browser_of, claims, organisation
from tests.reading_api import token_for

__all__ = ["guest", "hosted"]


def page(app: AppTest) -> AppTest:
    app.switch_page("tokens.py").run()
    assert not app.exception, app.exception
    return app


def make(app: AppTest, name: str = "archive", *, reads_all: bool = True, **fields: list[str]) -> AppTest:
    app.text_input(key="token-name").set_value(name)
    app.checkbox(key="token-all").set_value(reads_all)
    for key, value in fields.items():
        app.multiselect(key=f"token-{key}").set_value(value)
    (button,) = [button for button in app.button if button.label == "Create token"]
    button.click().run()
    assert not app.exception, app.exception
    return app


def shown_token(app: AppTest) -> str:
    """The token on the page; empty if there is none."""
    return next((code.value for code in app.code if code.value.startswith("drt_")), "")


def plain(app: AppTest) -> str:
    return words(app).replace("\\", "")


def test_page_is_reached_from_debates(app: AppTest):
    app.run()
    assert "Access tokens for programs" in [link.proto.label for link in app.get("page_link")]


def test_token_may_ask_people_if_its_maker_allows_it(app: AppTest, host: Host):
    page(app).checkbox(key="token-asks").check()
    text = shown_token(make(app))
    assert host.door.tokens.find(text, address="").scopes == ("read", "ask")
    assert "may ask people" in plain(app)
    assert not app.checkbox(key="token-asks").value


def test_new_token_is_shown_until_it_is_copied(app: AppTest, host: Host):
    make(page(app))
    text = shown_token(app)
    token = host.door.tokens.find(text, address="")
    assert (token.name, token.looker, token.debates, token.scopes) == ("archive", OPERATOR, (), ("read",))
    assert [code.value for code in app.code if "curl" in code.value and text in code.value]
    assert "may ask people" not in plain(app)
    app.text_input(key="token-name").set_value("another").run()
    assert shown_token(app) == text
    press(app, "token-copied")
    assert shown_token(app) == ""
    assert text not in everything(page(new_browser()))
    assert "archive · reads all debates · valid until" in plain(app).replace("**", "")


def test_example_has_the_address_of_the_page(app: AppTest, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ContextProxy, "url", "http://debates.lan:8501/tokens")
    (example,) = [code.value for code in page(app).code]
    assert example.endswith(" http://debates.lan:8501/api/v1/debates")
    assert "on this computer only" not in plain(app)
    monkeypatch.setattr(ContextProxy, "url", "http://127.0.0.1:8501/tokens")
    assert "on this computer only" in plain(page(app))


def test_token_for_chosen_debates_reads_only_those(app: AppTest, host: Host):
    first, _second = made(host, ""), made(host, "")
    make(page(app), reads_all=False)
    assert "choose the debates that the token reads, or all of them" in told(app)
    assert not host.door.tokens.exist()
    make(app, reads_all=False, debates=[first])
    assert host.door.tokens.find(shown_token(app), address="").debates == (first,)
    assert "reads 1 debate · " in plain(app)


@pytest.mark.parametrize("name", ["", " "])
def test_token_without_a_name_is_refused(app: AppTest, host: Host, name: str):
    make(page(app), name)
    assert "a token needs a name of 1 to 80 characters" in told(app)
    assert not host.door.tokens.exist()


def test_token_on_a_full_disk_is_not_made(app: AppTest, host: Host):
    page(app)
    with full_disk():
        make(app)
    assert "The token was not made" in told(app)
    assert (shown_token(app), host.door.tokens.exist()) == ("", False)


def test_one_press_revokes_a_token(app: AppTest, host: Host):
    make(page(app))
    token = host.door.tokens.find(shown_token(app), address="")
    press(app, f"revoke-{token.id}")
    assert "You have no tokens." in words(app)
    assert not host.door.tokens.exist()


def test_tokens_of_one_name_have_buttons_of_two_names(app: AppTest):
    page(app)
    for _ in range(2):
        make(app)
    assert [button.label for button in app.button if "Revoke" in button.label] == [
        "Revoke archive",
        "Revoke archive (2)",
    ]


def test_accounts_see_their_own_tokens(guest: AppTest, hosted: Host, tmp_path: Path):
    with organisation(tmp_path):
        ola, una = (Looker("host", account_of(hosted, name)) for name in ("Ola", "Una"))
        mine = hosted.door.tokens.find(token_for(hosted, una), address="")
        other = hosted.door.tokens.find(token_for(hosted, ola), address="")
        app = page(browser_of("Una"))
        assert f"revoke-{mine.id}" in {button.key for button in app.button}
        assert other.id not in everything(app)
        make(app, "of Una")
        assert hosted.door.tokens.find(shown_token(app), address="").looker == una


@pytest.mark.parametrize("do", [make, lambda app: press(app, f"revoke-{app.session_state['_kept']}")])
def test_another_login_since_drawing_changes_nothing(
    guest: AppTest, hosted: Host, tmp_path: Path, do: Callable[[AppTest], object]
):
    with organisation(tmp_path):
        account_of(hosted, "Ola")
        una = Looker("host", account_of(hosted, "Una"))
        kept = hosted.door.tokens.find(token_for(hosted, una), address="")
        app = page(browser_of("Una"))
        app.session_state["_kept"] = kept.id
        app.user = claims("Ola")
        do(app)
        assert "no longer logged in as the account of this page" in told(app)
        assert [listed.token for listed in hosted.door.tokens.of(OPERATOR)] == [kept]


def test_stranger_sees_no_tokens(guest: AppTest, hosted: Host):
    token = hosted.door.tokens.find(token_for(hosted), address="")
    app = page(guest)
    assert "Create token" not in [button.label for button in app.button]
    assert token.id not in everything(app)
