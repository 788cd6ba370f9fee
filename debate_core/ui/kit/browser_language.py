"""The language of a browser: the choice in its cookie, else its first preference that has a translation."""

import threading
from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from debate_core.language import LANGUAGES, Language, ask, current, known, preferred

COOKIE = "language"
ROUTE = "/language/"
"""Prefix of the route that stores a language code in the cookie and redirects back to the page."""
_STYLE = "font-size:0.8rem;color:light-dark(#65676a,#9fa1a6);text-align:right;margin:0"


def of_cookies(cookies: Mapping[str, str], wishes: str) -> Language:
    """Return the language in the cookies, else the first available one in an Accept-Language header (`wishes`)."""
    return known(cookies.get(COOKIE, "")) or preferred(wishes)


class _Run(threading.local):
    """The language of the page run in this thread, cached because every sentence needs it."""

    context: object = None
    language: Language = "en"


_run = _Run()


def _of_session() -> Language | None:
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return None
    if _run.context is not context:
        _run.language = of_cookies(st.context.cookies, st.context.locale or "")
        _run.context = context
    return _run.language


def begin() -> None:
    """Translate all pages into the language of their browser from now on."""
    ask(_of_session)


def others_html() -> str:
    """Return links to this page in the other languages, each named in its language."""
    links = [
        f'<a href="{ROUTE}{code}" target="_self" lang="{code}" hreflang="{code}" style="color:inherit">{facts.name}</a>'
        for code, facts in LANGUAGES.items()
        if code != current()
    ]
    return " · ".join(links)


def menu() -> None:
    """Draw these links in small print."""
    st.html(f'<p style="{_STYLE}">{others_html()}</p>')
