"""Practice: judge debates whose truth is known, and be told at once which answer held."""

from debate_core.ui.pages import practice

practice.show()
