"""Animation of a workshop: the projector and one phone side by side, from the lobby to the signed decision."""

import io
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Page

WALL, PHONE = (800, 500), (226, 500)
GAP, MARGIN = 16, 16
GROUND, FRAME = (236, 238, 242), (201, 206, 214)
COLOURS = 96
SETTLES_MS = 900


class Film:
    """Successive screenshots of the projector and of the phone."""

    def __init__(self, wall: Page, phone: Page) -> None:
        self.wall, self.phone = wall, phone
        self.pictures: list[tuple[Image.Image, int]] = []

    def shot(self, hold_ms: int = 2_200) -> None:
        """Capture both screens and hold the frame for this long."""
        for page in (self.wall, self.phone):
            page.wait_for_timeout(SETTLES_MS)
        self.pictures.append((self._side_by_side(), hold_ms))

    def _side_by_side(self) -> Image.Image:
        size = (WALL[0] + PHONE[0] + GAP + 2 * MARGIN, WALL[1] + 2 * MARGIN)
        picture = Image.new("RGB", size, GROUND)
        left = MARGIN
        for page, (width, height) in ((self.wall, WALL), (self.phone, PHONE)):
            seen = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            picture.paste(seen.resize((width, height), Image.Resampling.LANCZOS), (left, MARGIN))
            ImageDraw.Draw(picture).rectangle((left, MARGIN, left + width, MARGIN + height), outline=FRAME)
            left += width + GAP
        return picture

    def _all(self) -> Image.Image:
        """Stack all pictures vertically, for one shared palette: an option keeps its colour in all frames."""
        width, height = self.pictures[0][0].size
        together = Image.new("RGB", (width, height * len(self.pictures)))
        for place, (picture, _) in enumerate(self.pictures):
            together.paste(picture, (0, place * height))
        return together

    def save(self, path: Path) -> None:
        """Save the frames as a GIF that loops."""
        palette = self._all().quantize(COLOURS, method=Image.Quantize.MAXCOVERAGE)
        pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture, _ in self.pictures]
        first, *others = pictures
        holds = [hold for _, hold in self.pictures]
        first.save(path, save_all=True, append_images=others, duration=holds, loop=0, optimize=True)
