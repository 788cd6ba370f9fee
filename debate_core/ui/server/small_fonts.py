"""Serve small fonts in place of Streamlit's: 38 kB instead of 375 for icons, 57 kB instead of 170 for text.

`bench/icons.py` makes them from Streamlit's: the icons that the pages use (Material Symbols, Apache 2.0), and the Latin
letters and signs of the text font (Source Sans, SIL Open Font License). The whole text font is at the same address with
`?whole`; a browser loads it for Greek, Cyrillic and other letters. Another version of Streamlit has its fonts under
other names and serves them whole until these are rebuilt.
"""

import hashlib
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

_HERE = Path(__file__).parent
FILE, *NAMES = (_HERE / "icons.txt").read_text("utf-8").split()
"""Streamlit's font file of icons, and the names of the icons that the small font contains."""
TEXT_FILE = "SourceSansVF-Upright.ttf.BsWL4Kly.woff2"
"""Streamlit's font file of text."""
WHOLE = b"whole"
OTHER_LETTERS = "U+180-2FF,U+370-1FFF,U+2C00-2E7F,U+A640-ABFF"
"""The characters for which a browser needs the whole text font."""
FACES = "".join(
    f"@font-face{{font-family:'Source Sans';src:url(/static/media/{TEXT_FILE}{query}) format('woff2');"
    f"font-weight:100 900;font-display:swap{letters}}}"
    for query, letters in (("", ""), (f"?{WHOLE.decode()}", f";unicode-range:{OTHER_LETTERS}"))
)
"""The text font as a style: the small one, and for other letters the whole one."""


class SmallFonts:
    """ASGI middleware: answers requests for these files."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        fonts = {FILE: "icons.woff2", TEXT_FILE: "latin.woff2"}
        self.fonts = {f"/static/media/{name}": (_HERE / file).read_bytes() for name, file in fonts.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer requests for a small font; pass on all others."""
        font = self.fonts.get(scope["path"]) if scope["type"] == "http" else None
        if font is None or scope["query_string"] == WHOLE:
            await self.app(scope, receive, send)
            return
        # Browsers revalidate at each visit, because the address stays the same when an icon is added.
        tag = f'"{hashlib.sha256(font).hexdigest()[:16]}"'
        headers = {"Cache-Control": "no-cache", "ETag": tag}
        answer = Response(font, media_type="font/woff2", headers=headers)
        if tag in Headers(scope=scope).get("if-none-match", ""):
            answer = Response(status_code=304, headers=headers)
        await answer(scope, receive, send)
