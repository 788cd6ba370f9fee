"""Protocols of the five published patterns behind this program, as data of at most 20 lines each.

Each states its purpose, its improvement over the source, and the source.
"""

from debate_core.spec import literature
from debate_core.spec.protocol import Phase, Protocol, Rounds, Sees
from debate_core.spec.rules import (
    AllOf,
    BySeat,
    Ceiling,
    Converged,
    DecisionReached,
    Majority,
    MaxRounds,
    ModeratorDone,
    NoFurtherRound,
    NoProgress,
    Stable,
    Threshold,
)

BEFORE = Sees(turns="earlier_phases")
SHUFFLED = Sees(shuffle=True)
"""For judges: all turns, with stances in place of names, in random order."""
NAMED = Sees(names="seat")
OTHERS = Sees(turns="last_round")
"""Each seat sees the others' turns of the previous round, and all its own."""
ALONE = Sees(turns="own")
BESIDE = Sees(turns="neighbours")
LAST_TURN = Sees(turns="previous")
FRAMED = (
    Phase(name="framing", gives="framing", role="framer"),
    Phase(name="framing_confirmed", gives="framing", role="chair"),
)
"""The framing is given once; a person in the chair accepts it or writes another."""


BOUNDED_VOTE = Protocol(
    name="bounded_vote",
    purpose="Seats vote after each of four short phases until enough agree; without agreement the decision is "
    "escalated, and a tie never goes to the option counted first.",
    source=literature.ORCHESTRATION,
    each_round=(
        Phase(name="proposal", order="at_once", sees=BEFORE),
        Phase(name="marking", gives="review", role="chair"),
        Phase(name="critique"),
        Phase(name="revision"),
        Phase(name="consensus"),
    ),
    stop=(DecisionReached(), MaxRounds()),
    decide=Threshold(votes=2, allows_two_winners=True),
    rounds=Rounds(default=2, warn_above=4, hard_max=8),
)

ADVERSARY = Protocol(
    name="adversary",
    purpose="One critic attacks one proposal, which is revised before a judge reads both; for decisions that do not "
    "justify the cost of a panel.",
    source=f"{literature.ORCHESTRATION}, related move Adversary",
    each_round=(
        Phase(name="proposal", when="first", places=(1,)),
        Phase(name="critique", gives="critique", places=(2,), min_strength=6),
        Phase(name="revision", gives="rebuttal", places=(1,)),
    ),
    after=(Phase(name="verdict", gives="verdict", role="judge", sees=SHUFFLED),),
    stop=(NoProgress(), MaxRounds()),
    decide=BySeat(role="judge"),
    rounds=Rounds(default=1, warn_above=2, hard_max=3),
)

STANCE_JUDGE = Protocol(
    name="stance_judge",
    purpose="Seats argue fixed stances in turn, and a judge who reads no names picks the strongest; the reading "
    "order is drawn from a recorded seed and can be repeated.",
    source=f"{literature.FLOW_STATE} with stances and a judge",
    each_round=(Phase(name="argument"),),
    after=(Phase(name="verdict", gives="verdict", role="judge", sees=SHUFFLED),),
    stop=(MaxRounds(), NoProgress(), Converged()),
    decide=BySeat(role="judge"),
    min_debaters=2,
    stances="required",
    rounds=Rounds(default=2, warn_above=4, hard_max=8),
)

MODERATED_JUDGE = Protocol(
    name="moderated_judge",
    purpose="Stances argue before a judge; a moderator sets speakers, briefing and end of each round, and a chair may "
    "approve, replace or return these instructions.",
    source=f"{literature.FLOW_STATE} with stances, moderator and judge",
    each_round=(
        Phase(name="direction", gives="directive", role="moderator", sees=NAMED),
        Phase(name="gate", gives="directive", role="chair", sees=NAMED),
        Phase(name="redirection", gives="directive", role="moderator", sees=NAMED, after_redo=True),
        Phase(name="second_gate", gives="directive", role="chair", sees=NAMED, after_redo=True),
        Phase(name="argument", directed=True),
    ),
    after=(Phase(name="verdict", gives="verdict", role="judge", sees=SHUFFLED),),
    stop=(MaxRounds(), ModeratorDone()),
    decide=BySeat(role="judge"),
    min_debaters=2,
    stances="required",
    rounds=Rounds(default=2, warn_above=4, hard_max=8),
)

ROUND_ROBIN_PANEL = Protocol(
    name="round_robin_panel",
    purpose="Seats without sides improve one answer in turn while a referee watches how they argue; it ends early "
    "when a round brings no new claim.",
    source="flow-state-dev, pattern Round Robin with a referee",
    each_round=(
        Phase(name="contribution"),
        Phase(name="audit", gives="critique", role="referee"),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(NoProgress(), MaxRounds()),
    decide=BySeat(role="synthesiser"),
    rounds=Rounds(default=5, warn_above=5, hard_max=5),
)

DELIBERATION = Protocol(
    name="deliberation",
    purpose="Two sides open, rebut and close; a neutral synthesiser weighs them, cites the claims that are "
    "established or contested, and names an option or none.",
    source=literature.DELIBERATION,
    each_round=(
        Phase(name="opening", when="first", order="at_once", sees=BEFORE),
        Phase(name="rebuttal", gives="rebuttal", when="middle", order="at_once", sees=BEFORE),
        Phase(name="closing", gives="rebuttal", when="last", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(MaxRounds(), NoProgress(), Converged()),
    decide=BySeat(role="synthesiser"),
    min_debaters=2,
    stances="asked",
    rounds=Rounds(default=3, warn_above=4, hard_max=6),
)

ASSIGNED_POSITIONS = Protocol(
    name="assigned_positions",
    purpose="Every seat without a side is assigned a strong one with claim and reason, which a chair may change; for "
    "questions whose sides are not yet formulated.",
    source=f"{literature.DELIBERATION}, position assigner",
    before=(
        Phase(name="positions", gives="positions", role="assigner"),
        Phase(name="confirmation", gives="positions", role="chair"),
    ),
    each_round=(
        Phase(name="opening", when="first", order="at_once", sees=BEFORE),
        Phase(name="rebuttal", gives="rebuttal", when="after_first", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(NoProgress(), MaxRounds()),
    decide=BySeat(role="synthesiser"),
    rounds=Rounds(default=2, warn_above=4, hard_max=6),
)

EXPERT_PANEL = Protocol(
    name="expert_panel",
    purpose="Experts with different lenses open and criticise in parallel; code counts their votes and reports "
    "consensus, split or incoherence, and a majority must hold twice.",
    source=literature.PANEL,
    each_round=(
        Phase(name="opening", when="first", order="at_once", sees=BEFORE),
        Phase(name="marking", gives="review", role="chair", when="after_first"),
        Phase(name="critique", gives="critique", when="after_first", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(DecisionReached(), MaxRounds(), AllOf(rules=(NoProgress(), Stable()))),
    decide=Majority(ballots_in_a_row=2),
    rounds=Rounds(default=2, warn_above=4, hard_max=6),
)

PROPOSER_CRITIC = Protocol(
    name="proposer_critic",
    purpose="A proposal is attacked and defended before an evaluator who scores arguments, not positions; for "
    "decisions with a large downside.",
    source=literature.DEBATE_AGENT,
    before=FRAMED,
    each_round=(
        Phase(name="proposal", when="first", places=(1,)),
        Phase(name="critique", gives="critique", places=(2,), min_strength=6),
        Phase(name="rebuttal", gives="rebuttal", places=(3,)),
        Phase(name="evaluation", gives="evaluation", role="evaluator"),
    ),
    after=(Phase(name="synthesis", gives="synthesis", role="synthesiser"),),
    stop=(Ceiling(usd="0.50"), NoFurtherRound(), MaxRounds()),
    decide=BySeat(role="synthesiser"),
    rounds=Rounds(default=1, warn_above=2, hard_max=3),
)

MULTI_POSITION = Protocol(
    name="multi_position",
    purpose="One seat argues for each option, all open at the same time, so that no case is written against another; "
    "an evaluator scores the arguments, a synthesiser recommends, and the options are ranked.",
    source=f"{literature.DEBATE_AGENT}, variation Multi-Position Debate",
    before=FRAMED,
    each_round=(
        Phase(name="case", when="first", order="at_once", sees=BEFORE),
        Phase(name="critique", gives="critique", order="at_once", sees=BEFORE),
        Phase(name="evaluation", gives="evaluation", role="evaluator", sees=SHUFFLED),
    ),
    after=(Phase(name="recommendation", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(NoFurtherRound(), MaxRounds()),
    decide=BySeat(role="synthesiser"),
    recommends="ranking",
    rounds=Rounds(default=1, warn_above=2, hard_max=3),
)

PRESETS = (
    BOUNDED_VOTE,
    DELIBERATION,
    ASSIGNED_POSITIONS,
    EXPERT_PANEL,
    STANCE_JUDGE,
    MODERATED_JUDGE,
    ROUND_ROBIN_PANEL,
    PROPOSER_CRITIC,
    MULTI_POSITION,
    ADVERSARY,
)
