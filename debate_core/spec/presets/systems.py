"""Protocols of other systems, and the two baselines for debates, as data of at most 20 lines each.

Each states its purpose, its improvement over the source, and the source.
"""

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
    purpose="Independent proposals are criticised, revised and voted on, and the result is handed over in writing; "
    "here critiques do reach those who proposed, and too few votes decide nothing.",
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
    purpose="One thread that everybody reads and adds to in turn, interrupted and resumed at the next speaker; it "
    "always has a last round and says why it ended.",
    source="AutoGen, RoundRobinGroupChat",
    each_round=(Phase(name="message"),),
    stop=(AllAgree(), MaxRounds()),
    decide=Majority(),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

TIT_FOR_TAT = Protocol(
    name="tit_for_tat",
    purpose="Two sides contradict each other until the judge sees an answer, and a last look settles what stayed "
    "open; replies are data that is checked, and the last look reads the whole debate, not only its first round.",
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
    purpose="Equals answer alone, then read each other and answer again, and the most frequent answer is taken; "
    "level answers stay undecided, what cannot be read is no vote, and it ends early when nothing moves.",
    source="Du et al. 2023, multi-agent debate (society of minds)",
    each_round=(Phase(name="answer", order="at_once", sees=OTHERS),),
    stop=(AllAgree(), Stable(), MaxRounds()),
    decide=Plurality(),
    rounds=Rounds(default=2, warn_above=3, hard_max=6),
)

MALLM_MEMORY = Protocol(
    name="mallm_memory",
    purpose="All read all that was said and speak in turn until two thirds agree; agreement is the vote a seat "
    "gives, not a word found in its text.",
    source="MALLM, paradigm memory",
    each_round=(Phase(name="message"),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MALLM_RELAY = Protocol(
    name="mallm_relay",
    purpose="Each reads only the turn before its own, to see what a message becomes on its way; the rule that "
    "decides fires here as everywhere.",
    source="MALLM, paradigm relay",
    each_round=(Phase(name="message", sees=LAST_TURN),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MALLM_REPORT = Protocol(
    name="mallm_report",
    purpose="One seat reads everything and the others report to it without reading each other; what the hub says is "
    "all that they learn, so its filter can be studied.",
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
    purpose="One seat drafts and the others argue over the draft twice before it drafts again; nobody reads more "
    "than the last words of those beside them, and the rule that decides does fire.",
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
    purpose="All answer at the same time and refine their answer by the others' last ones until two thirds agree; "
    "the first ballots are independent, so that movement can be told from agreement.",
    source="MALLM, paradigm collective refinement",
    each_round=(Phase(name="answer", order="at_once", sees=OTHERS),),
    decide=Supermajority(numerator=2, denominator=3),
    check_after="round",
    rounds=Rounds(default=3, warn_above=5, hard_max=10),
)

MEDIATED_ROUNDS = Protocol(
    name="mediated_rounds",
    purpose="A mediator answers alone first and again after every round, to show what each round adds; the number "
    "of rounds is yours, and all answers stay in the record.",
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
    purpose="Referees compare answers aloud, one after the other, and vote; their votes are counted, where the "
    "source only stores their text.",
    source="ChatEval, one by one",
    each_round=(Phase(name="assessment"),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

REFEREES_SIMULTANEOUS = Protocol(
    name="referees_simultaneous",
    purpose="Referees compare answers at the same time and read each other only afterwards, so that the first does "
    "not lead the rest; their votes are counted, where the source only stores their text.",
    source="ChatEval, simultaneous talk",
    each_round=(Phase(name="assessment", order="at_once", sees=BEFORE),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

REFEREES_SUMMARISED = Protocol(
    name="referees_summarised",
    purpose="Referees compare answers at the same time and read only a summary of each other, which keeps long "
    "rounds short; their votes are counted, and the summary names no winner for them.",
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
    purpose="Referees compare answers at the same time, every other one with the last answer first, so that a liking "
    "for the first place elects nothing; their votes are counted, where the source only stores their text.",
    source="ChatEval, simultaneous talk with reversed input",
    each_round=(Phase(name="assessment", order="at_once", sees=Sees(turns="earlier_phases", swaps=True)),),
    stop=(MaxRounds(),),
    decide=Majority(),
    rounds=Rounds(default=2, warn_above=3, hard_max=4),
)

TWO_ANSWERS = Protocol(
    name="two_answers",
    purpose="Two seats commit to an answer unseen and then state their case in turn, while the judge says after "
    "every statement how likely each is; the course of that judgement is kept, not only its end.",
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
    purpose="Independent answers to the same question, counted once: no debate, but what a debate with as many "
    "calls has to beat; level answers stay undecided.",
    source="Wang et al. 2022, self-consistency",
    each_round=(Phase(name="answer", order="at_once", sees=ALONE, sealed=True),),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

CHECKED_ANSWERS = Protocol(
    name="checked_answers",
    purpose="One question is answered several times unseen and the answers are counted, then one critic says what is "
    "wrong with them; for models of one family, whose debate with each other adds little evidence.",
    source="Wang et al. 2022, self-consistency, with the critic of the adversary pattern",
    each_round=(Phase(name="answer", order="at_once", sees=ALONE, sealed=True),),
    after=(Phase(name="objections", gives="critique", role="referee", min_strength=6, sees=SHUFFLED),),
    stop=(MaxRounds(),),
    decide=Plurality(),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

SINGLE_CALL = Protocol(
    name="single_call",
    purpose="One seat answers once: no debate, but the cheapest thing that a debate has to beat, recorded and "
    "priced in the same way.",
    source="the usual baseline of the studies cited here",
    each_round=(Phase(name="answer"),),
    decide=Threshold(votes=1),
    rounds=Rounds(default=1, warn_above=1, hard_max=1),
)

TOURNAMENT = Protocol(
    name="tournament",
    purpose="Many candidates are compared two at a time, the pairs that say most next, and ranked with an interval; "
    "for choosing which few of thirty designs are worth a debate.",
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
    purpose="A seat proposes candidates, another one strikes what cannot work, the rest is compared two at a time, and "
    "half-way new ones are made of the best; for questions whose options nobody has named yet.",
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
    TOURNAMENT,
    CO_SCIENTIST,
)
