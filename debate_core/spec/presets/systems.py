"""Protocols of other systems, and the three baselines for debates, as data of at most 20 lines each.

Each states its purpose, its improvement over the source, and the source.
"""

from debate_core.spec import literature
from debate_core.spec.presets.seeds import ALONE, BEFORE, BESIDE, LAST_TURN, OTHERS, SHUFFLED
from debate_core.spec.protocol import Phase, Protocol, Rounds, Sees
from debate_core.spec.rules import (
    AllAgree,
    BySeat,
    DecisionReached,
    Majority,
    MaxRounds,
    Plurality,
    Stable,
    Supermajority,
    Threshold,
    TopSettled,
    Tournament,
)

AUTOGPT_DEBATE = Protocol(
    name="autogpt_debate",
    purpose="Independent proposals are criticised, revised and voted on, and the result is written up; critiques "
    "reach the proposers, and too few votes decide nothing.",
    source="AutoGPT classic, multi-agent debate strategy",
    each_round=(
        Phase(name="proposal", when="first", order="at_once", sees=BEFORE),
        Phase(name="critique", gives="critique", order="at_once", sees=BEFORE),
        Phase(name="revision", gives="rebuttal", order="at_once", sees=BEFORE),
        Phase(name="consensus", order="at_once", sees=BEFORE),
    ),
    after=(Phase(name="handoff", gives="synthesis", role="synthesiser", sees=SHUFFLED),),
    stop=(DecisionReached(), MaxRounds()),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

AUTOGEN_ROUND_ROBIN = Protocol(
    name="autogen_round_robin",
    purpose="All seats read and extend one thread in turn; after an interruption the next speaker continues, and the "
    "debate always ends with a stated reason.",
    source="AutoGen, RoundRobinGroupChat",
    each_round=(Phase(name="message"),),
    stop=(AllAgree(), MaxRounds()),
    decide=Majority(),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

TIT_FOR_TAT = Protocol(
    name="tit_for_tat",
    purpose="Two sides contradict each other until the judge sees an answer; a final review of the whole debate "
    "settles what is still open.",
    source="Liang et al. 2023, Multi-Agents-Debate (MAD)",
    each_round=(
        Phase(name="argument", sees=BESIDE),
        Phase(name="reading", gives="verdict", role="judge"),
    ),
    after=(
        Phase(name="candidates", gives="evaluation", role="judge", sees=SHUFFLED, unless_decided=True),
        Phase(name="verdict", gives="verdict", role="judge", sees=SHUFFLED, unless_decided=True),
    ),
    stop=(DecisionReached(), MaxRounds()),
    decide=BySeat(role="judge"),
    check_after="round",
    rounds=Rounds(default=3, warn_above=4, hard_max=6),
)

SOCIETY = Protocol(
    name="society",
    purpose="Equal seats answer alone, read each other and answer again, and the most frequent answer wins; ties stay "
    "undecided, and it ends early when no answer changes.",
    source="Du et al. 2023, multi-agent debate (society of minds)",
    each_round=(Phase(name="answer", order="at_once", sees=OTHERS),),
    stop=(AllAgree(), Stable(), MaxRounds()),
    decide=Plurality(),
    rounds=Rounds(default=2, warn_above=3, hard_max=6),
)

MALLM_MEMORY = Protocol(
    name="mallm_memory",
    purpose="All seats read the whole debate and speak in turn until two thirds agree; agreement means votes, not "
    "words in a text.",
    source="MALLM, paradigm memory",
    each_round=(Phase(name="message"),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MALLM_RELAY = Protocol(
    name="mallm_relay",
    purpose="Each seat reads only the turn before its own, which shows how a message changes when it is passed on.",
    source="MALLM, paradigm relay",
    each_round=(Phase(name="message", sees=LAST_TURN),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MALLM_REPORT = Protocol(
    name="mallm_report",
    purpose="One hub seat reads everything; the others report to it and learn only what it says, which shows the "
    "effect of its filter.",
    source="MALLM, paradigm report",
    each_round=(
        Phase(name="hub", places=(1,)),
        Phase(name="report", places=(2, 3), order="at_once", sees=LAST_TURN),
    ),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MALLM_DEBATE = Protocol(
    name="mallm_debate",
    purpose="One seat drafts, and the others argue over the draft twice before it drafts again; each reads only the "
    "latest turns of its neighbours.",
    source="MALLM, paradigm debate",
    each_round=(
        Phase(name="draft", places=(1,), sees=BESIDE),
        Phase(name="first_exchange", gives="critique", places=(2, 3), sees=BESIDE),
        Phase(name="second_exchange", gives="rebuttal", places=(2, 3), sees=BESIDE),
    ),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=2, warn_above=4, hard_max=8),
)

MALLM_COLLECTIVE_REFINEMENT = Protocol(
    name="mallm_collective_refinement",
    purpose="All seats answer at the same time and refine their answer by the others' latest ones until two thirds "
    "agree; the first ballots are independent.",
    source="MALLM, paradigm collective refinement",
    each_round=(Phase(name="answer", order="at_once", sees=OTHERS),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MEDIATED_ROUNDS = Protocol(
    name="mediated_rounds",
    purpose="A mediator answers alone first and again after every round, which shows the contribution of each round.",
    source="mad_llm, mediated debate with a single-agent round 0",
    before=(Phase(name="baseline", gives="verdict", role="judge"),),
    each_round=(
        Phase(name="argument"),
        Phase(name="mediation", gives="verdict", role="judge", sees=SHUFFLED),
    ),
    stop=(MaxRounds(),),
    decide=BySeat(role="judge"),
    rounds=Rounds(default=3, warn_above=4, hard_max=6),
)

REFEREES_ONE_BY_ONE = Protocol(
    name="referees_one_by_one",
    purpose="Referees compare answers one after the other, hear each other, and vote; code counts their votes.",
    source="ChatEval, one by one",
    each_round=(Phase(name="assessment"),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

REFEREES_SIMULTANEOUS = Protocol(
    name="referees_simultaneous",
    purpose="Referees compare answers at the same time and read each other only afterwards, so that the first does not "
    "influence the rest.",
    source="ChatEval, simultaneous talk",
    each_round=(Phase(name="assessment", order="at_once", sees=BEFORE),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

REFEREES_SUMMARISED = Protocol(
    name="referees_summarised",
    purpose="Referees compare answers at the same time and read only a summary of each other, which keeps long "
    "rounds short and names no winner.",
    source="ChatEval, simultaneous talk with a summariser",
    each_round=(
        Phase(name="assessment", order="at_once", sees=LAST_TURN),
        Phase(name="summary", gives="synthesis", role="synthesiser", sees=SHUFFLED),
    ),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

REFEREES_SWAPPED = Protocol(
    name="referees_swapped",
    purpose="Referees compare answers at the same time, half of them in reverse order, so that a bias for the first "
    "place decides nothing.",
    source="ChatEval, simultaneous talk with reversed input",
    each_round=(Phase(name="assessment", order="at_once", sees=Sees(turns="earlier_phases", swaps=True)),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

TWO_ANSWERS = Protocol(
    name="two_answers",
    purpose="Two seats commit to answers without seeing each other and argue for them in turn, while the judge gives "
    "probabilities after every statement.",
    source="Irving et al. 2018, AI safety via debate",
    before=(Phase(name="answers", order="at_once", sealed=True, sees=ALONE),),
    each_round=(
        Phase(name="first_statement", places=(1,)),
        Phase(name="first_reading", gives="verdict", role="judge"),
        Phase(name="second_statement", places=(2,)),
        Phase(name="second_reading", gives="verdict", role="judge"),
    ),
    stop=(MaxRounds(),),
    decide=BySeat(role="judge"),
    rounds=Rounds(default=3, warn_above=4, hard_max=6),
)

SELF_CONSISTENCY = Protocol(
    name="self_consistency",
    purpose="Independent answers to one question are counted once, as the baseline for a debate with as many calls; "
    "ties stay undecided.",
    source="Wang et al. 2022, self-consistency",
    each_round=(Phase(name="answer", order="at_once", sees=ALONE, sealed=True),),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

CHECKED_ANSWERS = Protocol(
    name="checked_answers",
    purpose="Several independent answers to one question are counted, and one critic names their faults; for models "
    "of one family, whose debate adds little evidence.",
    source="Wang et al. 2022, self-consistency, with the critic of the adversary pattern",
    each_round=(Phase(name="answer", order="at_once", sees=ALONE, sealed=True),),
    after=(Phase(name="objections", gives="critique", role="referee", min_strength=6, sees=SHUFFLED),),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

SINGLE_CALL = Protocol(
    name="single_call",
    purpose="One seat answers once, as the cheapest baseline for a debate, recorded and priced in the same way.",
    source="the usual baseline of the studies cited here",
    each_round=(Phase(name="answer"),),
    decide=Threshold(votes=1),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

SUPERVISED_ANSWER = Protocol(
    name="supervised_answer",
    purpose="One seat answers, a supervisor checks the answer and asks for one correction, and the corrected answer "
    "counts; as the baseline between a single answer and a debate.",
    source=f"{literature.DEBATE_AGENT}, trade-off with a supervisor and validation",
    each_round=(
        Phase(name="answer", places=(1,)),
        Phase(name="validation", gives="critique", role="referee"),
        Phase(name="correction", gives="rebuttal", places=(1,)),
    ),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

TOURNAMENT = Protocol(
    name="tournament",
    purpose="Many candidates are compared in pairs, the most informative pair next, and ranked with intervals; for "
    "choosing the few of thirty designs that are worth a debate.",
    source="AI co-scientist, tournament of hypotheses; Bradley and Terry 1952",
    each_round=(Phase(name="comparison", gives="verdict", order="at_once", paired=True),),
    stop=(TopSettled(), MaxRounds()),
    decide=Tournament(top=3, at_limit="applies"),
    rounds=Rounds(default=24, warn_above=32, hard_max=50),
)

_IN_ROUND_7 = (7,)
"""After six comparisons of each candidate, enough to know which ones to build on."""
_EVOLUTION = (
    Phase(name="evolution", gives="candidates", role="generator", only_in=_IN_ROUND_7),
    Phase(name="second_reflection", gives="screening", role="evaluator", only_in=_IN_ROUND_7),
    Phase(name="second_selection", gives="screening", role="chair", only_in=_IN_ROUND_7),
)
CO_SCIENTIST = Protocol(
    name="co_scientist",
    purpose="One seat proposes candidates, another strikes the infeasible ones, and the rest are compared in pairs, "
    "with new candidates derived from the best; for questions without options.",
    source="AI co-scientist: Generation, Reflection, Ranking, Evolution, Meta-review",
    before=(
        Phase(name="generation", gives="candidates", role="generator", order="at_once", sees=ALONE, sealed=True),
        Phase(name="reflection", gives="screening", role="evaluator"),
        Phase(name="selection", gives="screening", role="chair"),
    ),
    each_round=(
        *_EVOLUTION,
        Phase(name="comparison", gives="verdict", order="at_once", paired=True),
    ),
    after=(Phase(name="meta_review", gives="synthesis", role="synthesiser"),),
    stop=(TopSettled(), MaxRounds()),
    decide=Tournament(top=3, at_limit="applies"),
    rounds=Rounds(default=12, warn_above=24, hard_max=50),
)

TAKE_A_THRESHOLD = frozenset(
    rules.name
    for rules in (
        AUTOGPT_DEBATE,
        MALLM_MEMORY,
        MALLM_RELAY,
        MALLM_REPORT,
        MALLM_DEBATE,
        MALLM_COLLECTIVE_REFINEMENT,
    )
)
"""Presets whose sources accept any share of the votes, even half: they get a warning, and ties decide nothing."""
PRESETS = (
    AUTOGPT_DEBATE,
    AUTOGEN_ROUND_ROBIN,
    TIT_FOR_TAT,
    SOCIETY,
    MALLM_MEMORY,
    MALLM_RELAY,
    MALLM_REPORT,
    MALLM_DEBATE,
    MALLM_COLLECTIVE_REFINEMENT,
    MEDIATED_ROUNDS,
    REFEREES_ONE_BY_ONE,
    REFEREES_SIMULTANEOUS,
    REFEREES_SUMMARISED,
    REFEREES_SWAPPED,
    TWO_ANSWERS,
    SELF_CONSISTENCY,
    CHECKED_ANSWERS,
    SINGLE_CALL,
    SUPERVISED_ANSWER,
    TOURNAMENT,
    CO_SCIENTIST,
)
