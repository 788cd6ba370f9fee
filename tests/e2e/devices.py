"""Windows of the browser that tests share: one after another in a window whose scripts the browser has compiled.

A page in a new window costs 0.7 seconds of CPU time more. The next test finds a window without cookies, permissions
and routes, on an empty page. A test that changes a window for good, as with a script before each page, needs a new one.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page

TIMEOUT_MS = 60_000
Free = dict[str, list[Page]]


class Devices:
    """Free windows of one browser by the options of their contexts."""

    def __init__(self, browser: Browser) -> None:
        self.browser, self._free = browser, Free()

    @contextmanager
    def lend(self, width: int, height: int, **options: Any) -> Iterator[Page]:
        """A window of this size, in a context with these options of playwright, which has no other page."""
        free = self._free.setdefault(json.dumps([width, height, options], sort_keys=True), [])
        page = free.pop() if free else self._open(width, height, options)
        try:
            yield page
        finally:
            if page.is_closed():
                page.context.close()
            else:
                _empty(page, width, height)
                free.append(page)

    def _open(self, width: int, height: int, options: dict[str, Any]) -> Page:
        context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(TIMEOUT_MS)
        return context.new_page()


def _empty(page: Page, width: int, height: int) -> None:
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")
    page.set_viewport_size({"width": width, "height": height})
    page.context.clear_cookies()
    page.context.clear_permissions()
