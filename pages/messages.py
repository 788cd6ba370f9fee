"""Messages: the channels of this server, and what could not be delivered."""

from debate_core.ui.pages import messages

messages.show()
