"""Stability of a page while it is drawn: a moving control is missed by the next press."""

from playwright.sync_api import Page

_LOOK = """selector => {
  globalThis.tops = new Set()
  const look = () => {
    const found = document.querySelector(selector)
    const scrolled = document.querySelector("[data-testid=stMain]").scrollTop
    if (found) tops.add(Math.round(found.getBoundingClientRect().top + scrolled))
    requestAnimationFrame(look)
  }
  look()
}"""


def look_at(page: Page, selector: str) -> None:
    """From now on, each time the browser draws, the position of the first of these in the page, without scrolling."""
    page.evaluate(_LOOK, selector)


def heights(page: Page) -> int:
    """At how many heights it has stood since; 0 if it was never there."""
    return int(page.evaluate("tops.size"))
