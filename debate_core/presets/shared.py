"""What several presets have in common: what their phases show their seats, and how they begin."""

from debate_core.protocol import Phase, Sees

BEFORE = Sees(turns="earlier_phases")
SHUFFLED = Sees(shuffle=True)
"""For whoever judges: everything, under stances instead of names, in an order that favours nobody."""
NAMED = Sees(names="seat")
OTHERS = Sees(turns="last_round")
"""Each sees what the others said in the round before, and all that it said itself."""
ALONE = Sees(turns="own")
BESIDE = Sees(turns="neighbours")
LAST_TURN = Sees(turns="previous")
FRAMED = (
    Phase(name="framing", gives="framing", role="framer"),
    Phase(name="framing_confirmed", gives="framing", role="chair"),
)
"""What the debate is about is said once, and a person who chairs takes it or writes their own."""
