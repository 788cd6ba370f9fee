"""The Markdown parser: markdown-it-py with CommonMark, tables and strikethrough, made when it is first needed."""

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@lru_cache(maxsize=1)
def markdown_parser() -> "MarkdownIt":
    """The parser of blocks; inline text is read on demand, which most of a long document never is.

    Imported here: it takes a tenth of a second, and most commands read no document.
    """
    from markdown_it import MarkdownIt

    class MarkdownReader(MarkdownIt):
        def normalizeLinkText(self, link: str) -> str:  # noqa: N802
            """Show an address as its writer wrote it."""
            return link

    parser = MarkdownReader("commonmark", {"maxNesting": 100}).enable(["table", "strikethrough"])
    parser.core.ruler.disable(["inline", "text_join"])
    return parser
