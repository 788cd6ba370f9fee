"""Sentences for what could not be saved or read, as everyone but the operator may read them: without any path."""

from debate_core.language import message

BUSY = message("The server cannot read or save its debates at the moment: try again in a minute.")
NOT_RECORDED = message(
    "What you just sent, such as a vote or a turn, is not in: the server cannot save at the moment. Try again in a "
    "minute."
)
UNSAVED = message(
    "Your draft is not saved, and your vote, turn or signature is not in: the server cannot save at the moment. Leave "
    "this page open, and try again in a minute."
)
UNSAVED_CHANGE = message(
    "Your draft is not saved, and your vote is not changed: the server cannot save at the moment. What you voted "
    "before counts. Leave this page open, and try again in a minute."
)
UNSAVED_SETTING = message("This setting is not saved: the server cannot save at the moment. It holds until you reload.")
UNSAVED_CLOCK = message(
    "Your time is not saved: the server cannot save at the moment. The clock begins again if you reload the page."
)
UNSAVED_LINK = message(
    "The record says that this link was changed, but the link itself is as it was: the server cannot save at the "
    "moment. Change it again in a minute."
)
UNSAVED_SETUP = message(
    "This draft is not saved: the server cannot save at the moment. Leave this page open, and try again in a minute."
)
BROKEN = message(
    "Something in this program went wrong, and what you just sent may not be in: load the page again and look. The "
    "log of the server says what it was."
)
LINK_GONE = message(
    "Nothing was recorded: your link was taken back or replaced, has expired, or you were removed. Ask whoever leads "
    "for a new one."
)
SOMEONE_ELSE = message(
    "Nothing was recorded: this browser came in as {name} since the page was drawn. Look at it again, then decide."
)
OTHER_ROLE = message(
    "Nothing was recorded: your role is {now}, and the page was drawn for the role {before}. Look at it again, "
    "then decide."
)
NO_HOST = message("Nothing was done: this browser may not host debates any more. Log in, or type the host code again.")
NOT_YOURS = message("Nothing was changed: this debate is not yours any more, or you are not logged in.")
NOT_IN = message(
    "This browser was not let into this debate. Type the code that is on the screen, or open your link again."
)
READS_ONLY = message("You read this debate, and its owner leads it: nothing was changed.")
