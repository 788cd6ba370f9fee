"""Error messages about saving and reading, without file paths, which only the operator may see."""

from debate_core.language import message

BUSY = message("The server cannot read or save its debates at the moment: try again in a minute.")
NOT_RECORDED = message(
    "Your last action, such as a vote or a turn, was not recorded: the server cannot save at the moment. "
    "Try again in a minute."
)
UNSAVED = message(
    "Your draft is not saved, and your vote, turn or signature is not recorded: the server cannot save at the moment. "
    "Leave this page open, and try again in a minute."
)
UNSAVED_CHANGE = message(
    "Your draft is not saved, and your vote is not changed: the server cannot save at the moment. Your previous vote "
    "counts. Leave this page open, and try again in a minute."
)
UNSAVED_SETTING = message("This setting is not saved: the server cannot save at the moment. It holds until you reload.")
UNSAVED_CLOCK = message(
    "Your time is not saved: the server cannot save at the moment. The clock restarts if you reload the page."
)
UNSAVED_PLACE = message(
    "Your place in the reading is not saved: the server cannot save at the moment. A reload begins the round again."
)
UNSAVED_LINK = message(
    "The change of this link is recorded but not in effect yet: the server cannot save at the moment. Change it again "
    "in a minute."
)
UNSAVED_SETUP = message(
    "This draft is not saved: the server cannot save at the moment. Leave this page open, and try again in a minute."
)
BROKEN = message(
    "An internal error occurred, and your last input may not be recorded: reload the page and check. The log of the "
    "server has the details."
)
LINK_GONE = message(
    "Nothing was recorded: your link was withdrawn or replaced, has expired, or you were removed. Ask the facilitator "
    "for a new one."
)
SOMEONE_ELSE = message(
    "Nothing was recorded: this browser has joined as {name} since the page was loaded. Check the page, then decide."
)
OTHER_ROLE = message(
    "Nothing was recorded: your role is now {now}, and the page was loaded for the role {before}. Check the page, "
    "then decide."
)
NO_HOST = message("Nothing was done: this browser can no longer host debates. Log in, or type the host code again.")
NOT_YOURS = message("Nothing was changed: this debate is no longer yours, or you are not logged in.")
OTHER_ACCOUNT = message("Nothing was changed: you are no longer logged in as the account of this page.")
NOT_IN = message("This browser has no access to this debate. Type the code on the screen, or open your link again.")
READS_ONLY = message("Nothing was changed: you can only read this debate. Its owner leads it.")
