"""The language of a browser: the one that was chosen in it, which a cookie keeps, else the first that it asks for."""

import threading
from collections.abc import Mapping

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from debate_core.language import LANGUAGES, Language, ask, current, known, preferred

COOKIE = "language"
ROUTE = "/language/"
"""Followed by the code of a language: keeps it, and leads back to the page from which it was called."""
# At the foot of every page, so that it disturbs nobody.
_STYLE = "font-size:0.8rem;color:light-dark(#65676a,#9fa1a6);text-align:right;margin:0"


def of_cookies(cookies: Mapping[str, str], wishes: str) -> Language:
    """What these cookies keep, else the first language of ours among the `wishes` of an Accept-Language header."""
    return known(cookies.get(COOKIE, "")) or preferred(wishes)


class _Run(threading.local):
    """The run of a page that goes on in this thread: its language is found once, and asked for at every sentence."""

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
    """From now on whoever looks at a page is spoken to in the language of their browser."""
    ask(_of_session)


def others_html() -> str:
    """Links to the same page in the other languages, each under its own name."""
    links = [
        f'<a href="{ROUTE}{code}" target="_self" lang="{code}" hreflang="{code}" style="color:inherit">{name}</a>'
        for code, name in LANGUAGES.items()
        if code != current()
    ]
    return " · ".join(links)


def menu() -> None:
    """The links, small."""
    st.html(f'<p style="{_STYLE}">{others_html()}</p>')
