"""What phases of several presets show their seats."""

from debate_core.protocol import Sees

BEFORE = Sees(turns="earlier_phases")
SHUFFLED = Sees(shuffle=True)
"""For whoever judges: everything, under stances instead of names, in an order that favours nobody."""
NAMED = Sees(names="seat")
OTHERS = Sees(turns="last_round")
"""Each sees what the others said in the round before, and all that it said itself."""
ALONE = Sees(turns="own")
BESIDE = Sees(turns="neighbours")
LAST_TURN = Sees(turns="previous")
