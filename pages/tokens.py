"""Access tokens: let programs read debates."""

from debate_core.ui.pages import tokens

tokens.show()
