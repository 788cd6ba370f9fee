"""Advice on whether and how to debate a question, from the facilitator's answers and published patterns.

Gives a recommendation with a reason for each answer. It refuses nothing, and unknown answers stay unknown. The cost
comes from the forecast.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, assert_never

from debate_core.spec.literature import DEBATE_AGENT, DELIBERATION, FLOW_STATE, ORCHESTRATION
from debate_core.spec.values import Amount, TaskType, Value
from debate_core.text import capitalized

Answer = Literal["yes", "no", "unknown"]
Task = Literal[TaskType, "unknown"]
QuestionKind = Literal["claim", "hypotheses", "risk", "plans", "unknown"]
Advice = Literal["debate", "simpler", "cannot_say"]

DOWNSIDE_TIMES = 50
"""A wrong answer must cost more than this many debates (Debate Agent), until a person accepts another threshold."""


class Answers(Value):
    """The facilitator's answers. The first five are the conditions of a debate; the others are supplementary."""

    confident_wrong: Answer = "unknown"
    contested: Answer = "unknown"
    affordable: Answer = "unknown"
    weighed: Answer = "unknown"
    time: Answer = "unknown"
    check: Answer = "unknown"
    lookup: Answer = "unknown"
    one_critic: Answer = "unknown"
    one_draft: Answer = "unknown"
    lenses: Answer = "unknown"
    modal: Answer = "unknown"
    joint_work: Answer = "unknown"
    same_model: Answer = "unknown"
    handed_on: Answer = "unknown"
    unsure: Answer = "unknown"
    task: Task = "unknown"
    kind: QuestionKind = "unknown"
    downside_usd: Amount | None = None
    """The cost of a wrong decision; None = unknown."""
    debate_usd: Amount | None = None
    """The expected cost of the debate; None = unknown."""

    def to(self, name: str) -> Answer:
        """The answer to one question."""
        given: Answer = getattr(self, name)
        return given


@dataclass(frozen=True, slots=True)
class Alternative:
    """An alternative to a debate. `preset` is the protocol for it here, "" if there is none."""

    name: str
    sentence: str
    preset: str = ""


TEST_RUNNER = Alternative("a test runner", "Run the check, and let its result decide.")
SINGLE_CALL = Alternative("a single call", "Ask once; it is the cheapest thing a debate has to beat.", "single_call")
VOTING = Alternative(
    "self-consistency voting", "Ask the same thing several times unseen and count the answers.", "self_consistency"
)
ADVERSARY = Alternative("a single adversary", "One seat proposes, one attacks, one judges.", "adversary")
ONE_JUDGE = Alternative("one judge on one draft", "One judge reads the draft and says what is missing.")
BACKPRESSURE = Alternative("backpressure", "Send the findings back to the author of the draft.")
CRITICS = Alternative("independent critics", "Each looks through one lens and reads none of the others.")
BOARD = Alternative("a cooperative board", "All add to one shared result instead of opposing each other.")
ROUND_ROBIN = Alternative("a round robin", "Roles without sides work on one answer in turn.", "round_robin_panel")
ROUTED = Alternative("routed specialists", "The best informed seat continues with the open point; no one judges.")
CROSS_FAMILY = Alternative("cross-family", "Seat models of different families, or people, before you debate.")
ESCALATION = Alternative("escalation", "Name first who takes what stays unresolved.")


@dataclass(frozen=True, slots=True)
class Question:
    """One yes-or-no question. `wanted` is the answer in favour of a debate; the other one is against it."""

    name: str
    text: str
    wanted: Literal["yes", "no"]
    agrees: str
    """The reason for the wanted answer."""
    objects: str
    """The reason for the other answer."""
    source: str
    instead: tuple[Alternative, ...] = ()
    decides: bool = True
    """False: an argument against a debate that does not rule it out."""


CONDITIONS = (
    Question(
        "confident_wrong",
        "Are single answers here confident and wrong, again and again for the same reason?",
        "yes",
        "Single answers are confidently wrong for a shared reason, which is what opposing seats can find.",
        "Wrong answers are noise rather than shared error: counting several independent ones removes noise for less.",
        DELIBERATION,
        (VOTING,),
    ),
    Question(
        "contested",
        "Could an informed person defend the other side?",
        "yes",
        "There is another side that an informed person could defend.",
        "No informed person would defend the other side, so the debate would be staged.",
        f"{DELIBERATION}; {DEBATE_AGENT}",
        (SINGLE_CALL,),
    ),
    Question(
        "affordable",
        "Is a wrong decision expensive enough for a debate (6 to 15 times one answer)?",
        "yes",
        "The price of a debate is affordable for what is at stake.",
        "The price of a debate is more than the question is worth.",
        f"{DELIBERATION}; {ORCHESTRATION}",
        (SINGLE_CALL,),
    ),
    Question(
        "weighed",
        "Is there a person or a capable model to weigh the exchange at the end?",
        "yes",
        "A capable person or model weighs the exchange at the end.",
        "No capable person or model weighs the exchange at the end, so only a count of independent answers remains.",
        DELIBERATION,
        (VOTING,),
    ),
    Question(
        "time",
        "Is there time for several rounds, one after the other?",
        "yes",
        "There is time for several rounds.",
        "There is no time for several rounds: independent answers can be given at the same moment.",
        DELIBERATION,
        (VOTING, SINGLE_CALL),
    ),
)
"""The quick test: all five must hold."""

OBJECTIONS = (
    Question(
        "check",
        "Does a test or a comparison that can be run decide it?",
        "no",
        "No check that can be run decides it.",
        "A check that can be run decides it, and is a stronger signal than two seats that disagree.",
        f"{ORCHESTRATION}; {DELIBERATION}",
        (TEST_RUNNER,),
    ),
    Question(
        "lookup",
        "Is it a fact to look up, or a matter of course?",
        "no",
        "It is more than a fact to look up.",
        "It is a fact to look up or a matter of course: seats would agree by the second round.",
        f"{FLOW_STATE}; {DELIBERATION}",
        (SINGLE_CALL,),
    ),
    Question(
        "one_critic",
        "Would one critic be enough?",
        "no",
        "One critic would be too narrow.",
        "One critic is enough.",
        ORCHESTRATION,
        (ADVERSARY,),
    ),
    Question(
        "one_draft",
        "Is there one draft that only has to become better?",
        "no",
        "It is a choice, not one draft to improve.",
        "One draft has to become better: that is one judge's work, and a reviser's.",
        f"{ORCHESTRATION}; {DELIBERATION}",
        (ONE_JUDGE, BACKPRESSURE),
    ),
    Question(
        "lenses",
        "Do you want separate looks (security, speed, style) that need not answer each other?",
        "no",
        "The sides have to answer each other.",
        "Separate looks that need not answer each other gain nothing from rounds.",
        DELIBERATION,
        (CRITICS,),
    ),
    Question(
        "modal",
        "Do you want the most frequent of many independent answers?",
        "no",
        "The most frequent answer is not what is wanted.",
        "The most frequent of many independent answers is counted for less without a debate.",
        DELIBERATION,
        (VOTING,),
    ),
    Question(
        "joint_work",
        "Is it a work to be made together rather than a decision?",
        "no",
        "It is a decision, not a work to be made together.",
        "It is a work to be made together: opposing sides get in its way.",
        f"{FLOW_STATE}; {DELIBERATION}",
        (BOARD, ROUND_ROBIN, ROUTED),
    ),
    Question(
        "same_model",
        "Would the same model with the same prompt sit in every seat?",
        "no",
        "The seats differ.",
        "The same model with the same prompt in every seat shares its errors: agreement would be no evidence.",
        f"{ORCHESTRATION}; {DELIBERATION}",
        (CROSS_FAMILY,),
    ),
)
"""Reasons against a debate, independent of the other answers."""

REMARKS = (
    Question(
        "handed_on",
        "Will someone take up what stays unresolved?",
        "yes",
        "Someone takes up what stays unresolved.",
        "No one takes up what stays unresolved, and a debate may end undecided.",
        ORCHESTRATION,
        (ESCALATION,),
        decides=False,
    ),
    Question(
        "unsure",
        "Does a single answer hedge, or say that it is not sure?",
        "yes",
        "A single answer shows that it is not sure.",
        "A single answer shows no doubt; it may be right, or wrong with confidence.",
        DEBATE_AGENT,
        decides=False,
    ),
)
"""Supplementary: one source looks for confident errors, the other for doubt, so neither rules a debate out."""

QUESTIONS = (*CONDITIONS, *OBJECTIONS, *REMARKS)


@dataclass(frozen=True, slots=True)
class AdviceReason:
    """One sentence of the recommendation with its published pattern."""

    name: str
    says: Literal["for", "against", "open"]
    sentence: str
    source: str
    decides: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """A side to assign: its role, and the claim to complete with a reason."""

    name: str
    claim: str


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The recommendation, its reasons, and the alternatives."""

    advice: Advice
    sentence: str
    reasons: tuple[AdviceReason, ...]
    alternatives: tuple[Alternative, ...]
    """Each once, in the order of the reasons that name it."""
    frames: tuple[Frame, ...]

    @property
    def open(self) -> tuple[AdviceReason, ...]:
        """The reasons with unknown answers."""
        return tuple(r for r in self.reasons if r.says == "open")


def recommend(answers: Answers, options: Sequence[str] = (), *, times: int = DOWNSIDE_TIMES) -> Recommendation:
    """Recommend a debate if all five conditions hold and nothing speaks against it.

    If the stakes are high, unknown answers do not prevent a debate; known reasons against it do. `times`: the number
    of debates that a wrong decision has to cost.
    """
    asked = tuple(_reason(q, answers.to(q.name)) for q in QUESTIONS)
    reasons = (*asked, _stake(answers, times), _category(answers.task))
    advice = _advice(reasons)
    sentence = _sentence(advice, reasons)
    objecting = {reason.name for reason in reasons if reason.says == "against"}
    alternatives: list[Alternative] = []
    for question in QUESTIONS:
        if question.name in objecting:
            alternatives += question.instead
    if "stake" in objecting:
        alternatives.append(SINGLE_CALL)
    return Recommendation(advice, sentence, reasons, tuple(dict.fromkeys(alternatives)), frames(answers.kind, options))


def _reason(question: Question, answer: Answer) -> AdviceReason:
    if answer == "unknown":
        return AdviceReason(question.name, "open", f"Not known: {question.text}", question.source, question.decides)
    if answer == question.wanted:
        return AdviceReason(question.name, "for", question.agrees, question.source, question.decides)
    return AdviceReason(question.name, "against", question.objects, question.source, question.decides)


def _stake(answers: Answers, times: int) -> AdviceReason:
    """The gate of the Debate Agent: the cost of a wrong decision against the price of the debate."""
    source = DEBATE_AGENT
    if answers.downside_usd is None or answers.debate_usd is None:
        missing = []
        if answers.downside_usd is None:
            missing.append("what a wrong decision would cost")
        if answers.debate_usd is None:
            missing.append("what the debate would cost")
        return AdviceReason("stake", "open", f"Not known: {' and '.join(missing)}.", source, decides=False)
    bar = Decimal(answers.debate_usd) * times
    told = f"${answers.downside_usd}; {times} times the debate is ${bar.normalize():f}"
    if Decimal(answers.downside_usd) > bar:
        return AdviceReason("stake", "for", f"A wrong decision would cost more than that many debates: {told}.", source)
    return AdviceReason("stake", "against", f"A wrong decision would not cost enough: {told}.", source)


def _category(task: Task) -> AdviceReason:
    match task:
        case "unknown":
            return AdviceReason("task", "open", "Not known: what kind of decision it is.", DEBATE_AGENT, decides=False)
        case "other":
            told = "It is not of the kinds that are known as high risk."
            return AdviceReason("task", "against", told, DEBATE_AGENT, decides=False)
        case "contract" | "security" | "architecture" | "investment" | "compliance":
            return AdviceReason("task", "for", f"{capitalized(task)} decisions are known as high risk.", DEBATE_AGENT)
        case _:
            assert_never(task)


def _advice(reasons: Sequence[AdviceReason]) -> Advice:
    deciding = {(reason.name, reason.says) for reason in reasons if reason.decides}
    answers = {says for _, says in deciding}
    if "against" in answers:
        return "simpler"
    if "open" not in answers or ("stake", "for") in deciding:
        return "debate"
    return "cannot_say"


def _sentence(advice: Advice, reasons: Sequence[AdviceReason]) -> str:
    deciding = [reason.says for reason in reasons if reason.decides]
    unknown = deciding.count("open")
    still_open = "1 question is still open" if unknown == 1 else f"{unknown} questions are still open"
    match advice:
        case "simpler":
            against = deciding.count("against")
            speaking = "1 answer speaks" if against == 1 else f"{against} answers speak"
            return f"Something simpler: {speaking} against a debate."
        case "cannot_say":
            return f"Cannot say: {still_open}."
        case "debate" if unknown:
            return f"Debate it by default: enough is at stake, and nothing known rules it out; {still_open}."
        case "debate":
            return "Debate it: all conditions hold and nothing rules it out."
        case _:
            assert_never(advice)


def frames(kind: QuestionKind, options: Sequence[str] = ()) -> tuple[Frame, ...]:
    """Sides to assign for a kind of question, each a claim that needs a reason."""
    match kind:
        case "claim":
            return (
                Frame("consensus", "The accepted answer holds, because ..."),
                Frame("contrarian", "The accepted answer is wrong, because ..."),
            )
        case "hypotheses":
            return (
                Frame("first hypothesis", "The first explanation is the better one, because ..."),
                Frame("second hypothesis", "The second explanation is the better one, because ..."),
            )
        case "risk":
            return (
                Frame("optimist", "It will go well, because ..."),
                Frame("pessimist", "It will go wrong, because ..."),
            )
        case "plans":
            named = options or ("the first plan", "the second plan")
            return tuple(Frame(name, f"{name} is the best plan, because ...") for name in named)
        case "unknown":
            return ()
        case _:
            assert_never(kind)


def words(found: Recommendation) -> str:
    """The recommendation as stored with a debate: its sentence, reasons for and against, and open points."""
    lines = [f"Whether to debate this was asked before the start. {found.sentence}"]
    for says, title in (("for", "For a debate"), ("against", "Against it"), ("open", "Open")):
        told = [r.sentence for r in found.reasons if r.says == says]
        if told:
            lines.append(f"{title}: {' '.join(told)}")
    return "\n".join(lines)
