"""Make the small fonts: `python bench/icons.py` writes `debate_core/ui/server/icons.woff2` with its list of names, and
`latin.woff2`.

Needs fonttools and brotli (`pip install fonttools brotli`), which nothing else here needs. Takes the icons that our
code and Streamlit name, and those of MORE, from the font in Streamlit (Material Symbols, Apache 2.0), and the Latin
letters and signs from its text font (Source Sans, SIL Open Font License). Run it after using a new icon or changing the
version of Streamlit.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from debate_core.ui.server.small_fonts import OTHER_LETTERS, TEXT_FILE  # noqa: E402

SERVER = ROOT / "debate_core" / "ui" / "server"
STREAMLIT = Path(st.__file__).parent
NAMED = re.compile(r":material/([a-z0-9_]+)")
"""`:material/check:`, in our code and in Streamlit's."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
MORE = """
account_circle add_comment add_task alarm analytics apps archive article assessment assignment attach_file autorenew
backspace badge ballot bookmark build calculate cancel category chat chat_bubble checklist_rtl clear cloud cloud_done
comment compare compare_arrows construction copy_all credit_card dangerous database date_range deblur default_off
delete_forever dialogs diversity_3 do_not_disturb done done_all drag_handle drag_indicator dynamic_form east eject
event event_available event_busy event_note explore extension fast_forward feedback file_copy file_download file_open
filter_alt filter_list fingerprint first_page flag_circle folder_open format_align_left forward forward_10 fullscreen
fullscreen_exit gesture grade grid_view group_off handshake hearing hide_source highlight hub image_search
indeterminate_check_box input insert_chart insights inventory_2 keyboard keyboard_arrow_left keyboard_arrow_up
keyboard_return label language last_page launch layers leaderboard library_books linear_scale link_off live_help
location_on lock_clock lock_open loop manage_accounts map mark_chat_read mark_email_read merge mic mic_off
mode_comment more movie network_wifi new_label north note not_started numbers offline_bolt order_approve output outbox
palette pan_tool pause_presentation pending pending_actions people person_add person_off person_remove phone
phone_iphone photo_camera pie_chart pin playlist_add playlist_add_check podium policy poll preview print privacy_tip
progress_activity publish qr_code qr_code_2 qr_code_scanner quickreply quiz radio_button_checked
radio_button_unchecked rate_review read_more redo refresh remove_circle report reset_tv rotate_right rule rule_folder
running_with_errors save saved_search scale science score sell settings share shield shield_lock shuffle sms_failed
sort source space_dashboard spellcheck sports_score stacked_bar_chart stairs sticky_note_2 store stream style subject
summarize support supervised_user_circle swap_calls swap_horiz swap_vert sync sync_problem table_chart table_rows task
task_alt text_fields text_snippet thumbs_up_down timer timer_off timeline toggle_off toggle_on token topic touch_app
trending_down trending_flat trending_up trophy tv unarchive unfold_less unfold_more unknown_document update
verified_user vertical_align_bottom videocam view_agenda view_column view_kanban view_list voice_chat volume_off
volume_up vpn_key west widgets work workspace_premium wysiwyg
"""


def main() -> None:
    """Write both fonts and the names of the icons."""
    write_text_font()
    source = next((STREAMLIT / "static").rglob("MaterialSymbols-Rounded.*.woff2"))
    font = TTFont(source)
    glyphs = dict(_icons(font))
    kept = sorted(name for name in {*_named(), *MORE.split()} if name in glyphs)
    letters = [glyph for code, glyph in font.getBestCmap().items() if chr(code) in LETTERS]
    options = Options()
    options.layout_closure = False
    options.layout_features = ["*"]
    options.flavor = "woff2"
    smaller = Subsetter(options)
    smaller.populate(glyphs=[*(glyphs[name] for name in kept), *letters])
    smaller.subset(font)
    font.flavor = "woff2"
    font.save(SERVER / "icons.woff2")
    (SERVER / "icons.txt").write_text("\n".join([source.name, *kept, ""]), "utf-8")
    print(f"{len(kept)} icons of {len(glyphs)}, {(SERVER / 'icons.woff2').stat().st_size / 1000:.0f} kB")


def write_text_font() -> None:
    """Write the text font without other scripts, under a name of our own, as its license asks."""
    font = TTFont(next((STREAMLIT / "static").rglob(TEXT_FILE)))
    options = Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]
    options.name_IDs = [0, 1, 2, 13, 14]
    smaller = Subsetter(options)
    smaller.populate(unicodes=[code for code in font.getBestCmap() if not _is_other_letter(code)])
    smaller.subset(font)
    for entry in font["name"].names:
        if entry.nameID == 1:
            entry.string = "Debate Latin"
    font.flavor = "woff2"
    font.save(SERVER / "latin.woff2")
    print(f"{(SERVER / 'latin.woff2').stat().st_size / 1000:.0f} kB of text font")


def _is_other_letter(code: int) -> bool:
    """True for a character of the ranges in OTHER_LETTERS, such as `U+370-1FFF`."""
    ranges = (part.removeprefix("U+").split("-") for part in OTHER_LETTERS.split(","))
    return any(int(first, 16) <= code <= int(last, 16) for first, last in ranges)


def _icons(font: TTFont) -> Iterator[tuple[str, str]]:
    """Yield name and glyph of each icon, which is the ligature of its name's letters."""
    letter: dict[str, str] = {}
    for code, glyph in font.getBestCmap().items():
        letter[glyph] = chr(code) if chr(code) in LETTERS else letter.get(glyph, chr(code))
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in (getattr(one, "ExtSubTable", one) for one in lookup.SubTable):
            for first, found in getattr(table, "ligatures", {}).items():
                for ligature in found:
                    yield "".join(letter.get(part, "") for part in (first, *ligature.Component)), ligature.LigGlyph


def _named() -> set[str]:
    ours = [*(ROOT / "debate_core").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    theirs = [*(STREAMLIT / "static").rglob("*.js"), *STREAMLIT.rglob("*.py")]
    return {name for path in (*ours, *theirs) for name in NAMED.findall(path.read_text("utf-8", "ignore"))}


if __name__ == "__main__":
    main()
