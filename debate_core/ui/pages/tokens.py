"""The page of access tokens: make one, see it once, list those of this person, revoke them.

The text of a new token is in this browser session until its owner has copied it, and in no store.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta

import streamlit as st

from debate_core.errors import InvalidSpec, NotAllowed
from debate_core.host.access.tokens import MAX_DAYS, MAX_NAME_CHARS, USUAL_DAYS, ListedToken, TokenScope
from debate_core.host.runner import now
from debate_core.language import _, _n
from debate_core.spec.panels.addresses import is_loopback
from debate_core.ui.kit import failures, session
from debate_core.ui.kit.dates import day_words, field_form
from debate_core.ui.kit.text import safe_label, safe_line
from debate_core.ui.pages import debate_rows
from debate_core.ui.room import join

_NAME, _DEBATES, _ALL, _ASKS = "token-name", "token-debates", "token-all", "token-asks"
_UNTIL, _MADE = "token-until", "token-made"


def link() -> None:
    """Draw a link to this page."""
    st.page_link("tokens.py", label=_("Access tokens for programs"), icon=":material/key:")


def show() -> None:
    """Draw the new token, the form for another one, and the list."""
    st.title(_("Access tokens"), anchor=False)
    session.show_problem()
    st.markdown(_("With a token a program, such as a dashboard or a build server, reads debates without logging in."))
    owner = session.owner()
    with st.container():
        _draw_made()
    left, right = st.columns([58, 42], gap="large")
    with left:
        _draw_form(owner)
    with right, st.container(border=True, key="token-rights"):
        st.markdown(_("**What a token may do**"))
        st.markdown(
            _(
                ":material/check: Read what you may read: the list of debates, their events and files  \n"
                ":material/check: Ask people a question, if you allow it; a person starts the debate, or does not  \n"
                ":material/block: Vote, speak or change a debate: never"
            )
        )
        st.caption(_("It is shown once, like a password. You can revoke it here at any time."))
        st.markdown(_("**For example:** list the debates"))
        _draw_example("$TOKEN")
    _draw_list(owner)


def _draw_made() -> None:
    made = st.session_state.get(_MADE, "")
    if not made:
        return
    with st.container(border=True, key="new-token"):
        st.markdown(_("**Copy the token now: it is not shown again.** Keep it like a password."))
        st.code(made, language=None, wrap_lines=True)
        st.caption(_("To try it:"))
        _draw_example(made)
        st.button(_("I have copied it"), key="token-copied", on_click=lambda: st.session_state.pop(_MADE, None))


def _draw_example(token: str) -> None:
    """Draw a command that lists the debates."""
    address = join.page_address(st.context.url or "", public_url=session.host().public_url)
    example = f'curl -H "Authorization: Bearer {token}" {address}/api/v1/debates'
    st.code(example, language=None, wrap_lines=True)
    if is_loopback(address):
        st.caption(_("This address works on this computer only: others need the one at which they open this page."))


def _draw_form(owner: str) -> None:
    today = now().date()
    # Without cookies: a token does not take part in the debates of its maker.
    rows = session.host().debates_for({}, session.looker())
    # Streamlit takes a choice by its label: debates with the same question are numbered.
    nth = debate_rows.numbers(rows)
    labels = {row.id: row.question if nth[row.id] == 1 else f"{row.question} ({nth[row.id]})" for row in rows}
    with st.container(key="making-a-token"), st.form("token", border=False, enter_to_submit=False):
        st.text_input(
            _("Program that uses it"), key=_NAME, max_chars=MAX_NAME_CHARS, placeholder=_("For example: build server")
        )
        st.multiselect(
            _("Debates that it reads"),
            list(labels),
            key=_DEBATES,
            format_func=lambda debate_id: safe_label(labels[debate_id]),
            placeholder=_("choose debates"),
        )
        st.checkbox(_("All debates that you may read, also later ones"), key=_ALL)
        st.checkbox(
            _("It may ask people a question"),
            key=_ASKS,
            help=_("Its questions wait on the page Debates until a person starts one. MCP address: /mcp"),
        )
        st.date_input(
            _("Valid until"),
            value=today + timedelta(days=USUAL_DAYS),
            min_value=today,
            max_value=today + timedelta(days=MAX_DAYS),
            key=_UNTIL,
            format=field_form(),
        )
        st.form_submit_button(_("Create token"), type="primary", on_click=_make, args=(owner,))


def _make(owner: str) -> None:
    """Make a token of the fields, unless the login has changed since the page was drawn."""
    name = str(st.session_state.get(_NAME, ""))
    debates = tuple(st.session_state.get(_DEBATES, ()))
    until: date = st.session_state[_UNTIL]
    scopes: tuple[TokenScope, ...] = ("read", "ask") if st.session_state.get(_ASKS) else ("read",)

    def make_token() -> None:
        if not debates and not st.session_state.get(_ALL):
            raise InvalidSpec(_("choose the debates that the token reads, or all of them"))
        tokens = session.host().door.tokens
        _token, text = tokens.make(name, session.looker(), until=until, debates=debates, scopes=scopes)
        st.session_state[_MADE] = text

    if _keep(owner, make_token, unsaved=_("The token was not made: the server cannot save at the moment.")):
        st.session_state[_NAME] = ""
        st.session_state[_DEBATES] = []
        st.session_state[_ALL] = st.session_state[_ASKS] = False


def _draw_list(owner: str) -> None:
    listed = session.host().door.tokens.of(session.looker())
    st.header(_("Your tokens"), anchor=False)
    if not listed:
        st.caption(_("You have no tokens."))
        return
    times = Counter[str]()
    for one in listed:
        name = safe_label(one.token.name, max_chars=40)
        times[name] += 1
        with st.container(horizontal=True, vertical_alignment="center", key=f"token-{one.token.id}"):
            st.markdown(_describe(one), width="stretch")
            # No two buttons may have the same name.
            label = _("Revoke {name}", name=name if times[name] == 1 else f"{name} ({times[name]})")
            st.button(label, key=f"revoke-{one.token.id}", on_click=_revoke, args=(owner, one.token.id))


def _describe(listed: ListedToken) -> str:
    """Name, rights, last day and last use."""
    token = listed.token
    until = day_words(token.last_day)
    n = len(token.debates)
    parts = [
        f"**{safe_line(token.name)}**",
        _n(n, "reads {n} debate", "reads {n} debates") if n else _("reads all debates"),
    ]
    if "ask" in token.scopes:
        parts.append(_("may ask people"))
    parts.append(_("expired after {day}", day=until) if listed.expired else _("valid until {day}", day=until))
    used = day_words(date.fromisoformat(listed.used_at[:10])) if listed.used_at else ""
    parts.append(_("last used on {day}", day=used) if used else _("never used"))
    return " · ".join(parts)


def _revoke(owner: str, token_id: str) -> None:
    def revoke_token() -> None:
        session.host().door.tokens.revoke(token_id, session.looker())

    _keep(owner, revoke_token, unsaved=_("The token was not revoked: the server cannot save at the moment."))


def _keep(owner: str, write: Callable[[], None], *, unsaved: str) -> bool:
    def write_as_drawn() -> None:
        if session.owner() != owner:
            raise NotAllowed(failures.OTHER_ACCOUNT)
        write()

    return session.keep_as_host(write_as_drawn, unsaved=unsaved)
