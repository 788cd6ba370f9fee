"""The words for the voters who are counted together, the same on every screen, paper and wall."""

from debate_core.language import Words, message
from debate_core.report.facts.vote_bars import Voters
from debate_core.spec.people import VOTER_NAMES, Electorate

NAMES: Words[Voters] = Words(VOTER_NAMES)
WHO: Words[Voters] = Words({"debaters": "the seats", "panel": "the named people", "room": "the room"})
VOTES_OF: Words[Voters] = Words(
    {"debaters": "Votes of the seats", "panel": "Votes of the named people", "room": "Votes of the room"}
)
ADVICE_OF: Words[Voters] = Words({"debaters": "Seats, advice", "panel": "Named people, advice", "room": "Room, advice"})
WITH_A_VOTE: Words[Electorate] = Words(
    {"panel": "with a vote among the named people", "room": "with a vote in the room"}
)
JOINED_VOTED = message("Every voter voted")
ALL_VOTED: Words[Voters] = Words(
    {"debaters": "Every seat voted", "panel": "All named people voted", "room": "Everyone in the room voted"}
)
