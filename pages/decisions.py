"""Decisions: all earlier decisions as a timeline, and a search in all texts."""

from debate_core.ui.pages import decisions

decisions.show()
