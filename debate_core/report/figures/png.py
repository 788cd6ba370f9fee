"""Charts as PNG, drawn from their SVG with the fonts of this machine."""

from functools import cache

from debate_core.errors import InvalidSpec

PIXELS_A_POINT = 2
"""Sharp on screens of twice the usual density, and in print."""
_A_TEXT = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9" font-family="sans-serif">M</text></svg>'
)


@cache
def has_fonts() -> bool:
    """True if this machine has a font, which PNG files need."""
    from resvg_py import svg_to_bytes

    return svg_to_bytes(svg_string=_A_TEXT) != svg_to_bytes(svg_string=_A_TEXT, skip_system_fonts=True)


def png_file(svg: str) -> bytes:
    """A PNG file of this SVG file. InvalidSpec without fonts here: its texts would be missing."""
    from resvg_py import svg_to_bytes

    if not has_fonts():
        raise InvalidSpec(
            "a PNG file needs a font, and none is installed here: install one, such as DejaVu Sans, or take `svg`"
        )
    return svg_to_bytes(svg_string=svg, zoom=PIXELS_A_POINT)
