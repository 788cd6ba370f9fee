"""Practice: judge debates with a known answer."""

from debate_core.ui.pages import practice

practice.show()
