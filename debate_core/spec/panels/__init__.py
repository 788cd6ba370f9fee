"""Panels: the models in the seats of a debate, read from a file, and their diversity.

Data and pure functions: no files, no keys, no servers, no model known by name.
"""

from debate_core.spec.panels.addresses import (
    calls_at_once,
    check_base_url,
    is_loopback,
    server_of,
    split_url,
    url_warning,
)
from debate_core.spec.panels.assign import adhoc_line, family_of, lines_to_argue, panel_of, seat_panel
from debate_core.spec.panels.diversity import Diversity, diversity
from debate_core.spec.panels.file import Panel, PanelFile, read_panels

__all__ = [
    "Diversity",
    "Panel",
    "PanelFile",
    "adhoc_line",
    "calls_at_once",
    "check_base_url",
    "diversity",
    "family_of",
    "is_loopback",
    "lines_to_argue",
    "panel_of",
    "read_panels",
    "seat_panel",
    "server_of",
    "split_url",
    "url_warning",
]
