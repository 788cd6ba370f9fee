"""The tools of programs, as plain functions over a host: ask, read, search, wait and verify.

They know no protocol of tools. A program sees exactly what an outside reader of the files may see, and can change
nothing but the inbox.
"""

import io
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import segno

from debate_core.engine import audit
from debate_core.engine.stage import stage
from debate_core.errors import InvalidSpec, UnknownDebate
from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.agents.answers import SignedAnswer, sign_answer
from debate_core.host.agents.inbox import InboxQuestion
from debate_core.host.host import Host
from debate_core.host.precedents.archive import archive_of
from debate_core.host.precedents.debates import MAX_REASONS, rejected_options, shortened
from debate_core.host.precedents.index import RejectedOption
from debate_core.host.precedents.word_index import EVERY_WORD
from debate_core.host.runner import now
from debate_core.host.withheld import why_withheld
from debate_core.record.events import dump_record, utc_text
from debate_core.record.state import State
from debate_core.report.facts.account import Account, account
from debate_core.report.facts.decision import Since
from debate_core.report.facts.who_decided import BY_THE_COUNT, WhoDecided, who_decided
from debate_core.report.files.export import export_files
from debate_core.report.phrases.decision import since_sentences
from debate_core.report.phrases.who_decided import count_sentence, decided_sentence, decider_words
from debate_core.spec.values import Value

AnswerStatus = Literal["waiting", "declined", "expired", "running", "to_sign", "decided", "rejected", "undecided"]
"""`to_sign`: counted, and a person still has to sign; `expired`: not decided by the deadline."""
FINAL: frozenset[AnswerStatus] = frozenset({"declined", "expired", "decided", "rejected"})
"""These do not change, except by a later signature."""
USUAL_APP_URL = "http://localhost:8501"
MAX_FOUND = 10
MAX_QUERY_CHARS = 200
MAX_WAIT_S = 300
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class AskedRoom(Value):
    """A question that was put into the inbox."""

    id: str
    """Of the question, and of the debate that a person may start from it."""
    digest: str
    """SHA-256 of the question, options, context and deadline, which the signed answer repeats."""
    status: AnswerStatus
    link: str
    """Address of the filled-in set-up, for people with the right to start debates."""
    qr: str
    """The QR code of the link, as lines of blocks."""
    deadline: str
    explanation: str


class DecisionAnswer(Value):
    """The state of a question or a debate. `outcome` is None unless an option was decided in time."""

    id: str
    status: AnswerStatus
    explanation: str
    """The status in words, with the fate of a decision."""
    question: str
    options: tuple[str, ...]
    link: str
    deadline: str = ""
    outcome: str | None = None
    count: str = ""
    """The counted result, which a person who signs may override."""
    decided_by: str = ""
    decided_at: str = ""
    since: Since = ""
    """The known fate of the decision: challenged, held, revised or reversed; empty if none is known."""
    signature: Literal["", "waiting", "signed"] = ""
    signed_by: str = ""
    why: tuple[str, ...] = ()
    """The reason of the person who signed, and reasons of voters for the outcome."""
    rejected: tuple[RejectedOption, ...] = ()
    rehearsal: bool = False
    answer: SignedAnswer | None = None
    """Save it as a file: `python -m debate_core verify FILE --key KEY` checks it offline."""


class FoundDecisions(Value):
    """Decided debates with all words of a query, best first."""

    decisions: tuple[DecisionAnswer, ...]
    n_left: int = 0
    """Number of further ones."""


class CheckedRecord(Value):
    """The result of the checks of `verify`. `key` signed the record up to its last event; empty for other records."""

    id: str
    ok: bool
    events: int
    head: str
    findings: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class AgentTools:
    """The tools over one host. `looker`: the person whose debates a program may read.

    With an access token, `token` is its id, and `named` gives the only debates that it reads (None = all); it also
    reads the decisions about its own questions.
    """

    host: Host
    app_url: str = USUAL_APP_URL
    looker: Looker = OPERATOR
    clock: Callable[[], datetime] = now
    token: str = ""
    named: Callable[[], Collection[str] | None] = lambda: None

    def ask_room(
        self, question: str, options: Sequence[str], *, context: str = "", deadline: str = "", by: str = ""
    ) -> AskedRoom:
        """Put a question into the inbox; returns at once. InvalidSpec or TooMany if it is refused."""
        asked = self.host.inbox.ask(
            question, options, context=context, deadline=deadline, by=by, token=self.token
        ).asked
        link = f"{self.app_url}/setup?asked={asked.id}"
        drawn = io.StringIO()
        segno.make_qr(link, error="l").terminal(drawn, compact=True, border=2)
        return AskedRoom(
            id=asked.id,
            digest=asked.digest,
            status="waiting",
            link=link,
            qr=drawn.getvalue(),
            deadline=asked.deadline,
            explanation=_WAITS,
        )

    def read_decision(self, given_id: str) -> DecisionAnswer:
        """The state of a question or a debate. UnknownDebate if there is none with this id."""
        state = self._find(given_id)
        if state is not None:
            is_own = self._is_own(state.debate) or self._is_own(given_id)
            return self._of_debate(self._account(state.debate if is_own else self._readable(state, given_id)))
        return self._of_question(self._question(given_id))

    def _question(self, given_id: str) -> InboxQuestion:
        """A question that waits. UnknownDebate if there is none, or another token asked it."""
        question = self.host.inbox.find(given_id) if _ID.fullmatch(given_id) else None
        if question is None or (self.token and question.token != self.token):
            raise _unknown(given_id)
        return question

    def _is_own(self, debate_id: str) -> bool:
        """True for the debate about a question that was asked with this token."""
        question = self.host.inbox.find(debate_id) if self.token else None
        return question is not None and question.token == self.token

    def is_final(self, answer: DecisionAnswer) -> bool:
        """True if waiting longer would bring nothing new."""
        return answer.status in FINAL or (answer.status == "undecided" and answer.signature != "waiting")

    def search_decisions(self, query: str) -> FoundDecisions:
        """Decided debates with every word of the query; no rehearsals. InvalidSpec without a word."""
        if not query.split() or len(query) > MAX_QUERY_CHARS:
            raise InvalidSpec("a search needs 1 to {most} characters", most=MAX_QUERY_CHARS)
        named = self.named()
        readable = [row for row in self.host.debates_for({}, self.looker) if named is None or row.id in named]
        records = archive_of(self.host).index_of(readable).find(query, None, min_share=EVERY_WORD)
        found = list[DecisionAnswer]()
        for n_before, record in enumerate(records):
            if len(found) == MAX_FOUND:
                return FoundDecisions(decisions=tuple(found), n_left=len(records) - n_before)
            decision = self._of_debate(self._account(record.id))
            if decision.status == "decided":
                found.append(decision.model_copy(update={"answer": None}))
        return FoundDecisions(decisions=tuple(found))

    def verify_record(self, debate_id: str) -> CheckedRecord:
        """Check hashes, counts and origin of a record. UnknownDebate without one; InvalidSpec while it is sealed."""
        debate = self._whole(debate_id)
        findings = tuple(f"event {found.seq}: {found.message}" for found in audit.verify(debate.events))
        is_signed = bool(self.host.signatures.of_own(debate.events))
        return CheckedRecord(
            id=debate.recorded.debate,
            ok=not findings,
            events=len(debate.events),
            head=debate.events[-1].hash,
            findings=findings,
            key=self.host.signatures.public_key if is_signed else "",
        )

    def record(self, debate_id: str) -> str:
        """The record, as its download. UnknownDebate if there is none; InvalidSpec while it is sealed."""
        return dump_record(self._whole(debate_id).events)

    def decision_record(self, debate_id: str) -> str:
        """The decision record in MADR's form. UnknownDebate if there is none; InvalidSpec before the end."""
        debate = self._whole(debate_id)
        return b"".join(export_files(debate, "adr").values()).decode()

    def _find(self, given_id: str) -> State | None:
        """The debate of this id, or the one whose record replaces it; None if there is none."""
        if not _ID.fullmatch(given_id):
            return None
        try:
            return self.host.state_now(self.host.stands_for(given_id))
        except UnknownDebate:
            return None

    def _readable(self, state: State, given_id: str) -> str:
        """The id of a debate that the program may read. UnknownDebate for others, as for a missing one."""
        if state.spec.practice is not None or state.spec.match_of is not None:
            raise _unknown(given_id)
        named = self.named()
        is_named = named is None or state.debate in named
        if not is_named or not self.host.may_look(state.debate, {}, self.looker):
            raise _unknown(given_id)
        return state.debate

    def _account(self, debate_id: str) -> Account:
        state = self.host.state_now(debate_id)
        # The record may have grown meanwhile.
        events = self.host.events(debate_id)[: state.version]
        is_unknown = self.host.is_origin_unknown(debate_id)
        return account(state, events, origin_unknown=is_unknown, joint_errors=self.host.joint_errors(state))

    def _whole(self, given_id: str) -> Account:
        """A debate whose record may be read as a whole."""
        state = self._find(given_id)
        if state is None:
            id = self._question(given_id).asked.id
            raise InvalidSpec("no debate about the question {id!r} has begun, so there is no record of it", id=id)
        debate_id = self._readable(state, given_id)
        debate = self._account(debate_id)
        if why := why_withheld(debate, imported=self.host.is_imported(debate_id)):
            raise InvalidSpec("the record of {debate} cannot be read yet: {why}", debate=debate_id, why=why)
        return debate

    def _of_question(self, question: InboxQuestion) -> DecisionAnswer:
        asked = question.asked
        status: AnswerStatus = "waiting"
        why: str = _WAITS
        if question.declined is not None:
            status = "declined"
            why = f"{question.declined.by} declined the question: {question.declined.reason}"
        elif self.host.inbox.is_expired(question):
            status = "expired"
            why = "The deadline passed before a person started the debate: nothing was decided."
        return DecisionAnswer(
            id=asked.id,
            status=status,
            explanation=why,
            question=asked.question,
            options=question.options,
            link=f"{self.app_url}/setup?asked={asked.id}",
            deadline=asked.deadline,
        )

    def _of_debate(self, debate: Account) -> DecisionAnswer:
        state = debate.recorded
        page = "room" if state.outcome is None else "results"
        seen = DecisionAnswer(
            id=state.debate,
            status="running",
            explanation="",
            question=state.spec.question,
            options=state.spec.options,
            link=f"{self.app_url}/{page}?id={state.debate}",
            deadline=state.spec.asked.deadline if state.spec.asked else "",
            rehearsal=state.spec.rehearsal,
        )
        told = debate.once(who_decided)
        sealed = why_withheld(debate, imported=self.host.is_imported(state.debate))
        is_open = bool(sealed) or told.standing in ("open", "vote_due")
        status: AnswerStatus = "running" if is_open else _status_of(told)
        when = debate.decision.at if status in ("decided", "rejected") else ""
        if status != "undecided" and self._is_late(seen.deadline, when):
            late = "The deadline passed before a decision: a later one does not answer the question."
            return seen.model_copy(update={"status": "expired", "explanation": late})
        if is_open:
            is_counted = told.standing not in ("open", "vote_due")
            return seen.model_copy(update={"explanation": sealed if is_counted else _progress(state)})
        return self._of_ended(seen.model_copy(update={"status": status, "decided_at": when}), debate, told)

    def _is_late(self, deadline: str, when: str) -> bool:
        """True if the deadline has passed and was not met; `when` is empty before a decision."""
        is_met = bool(when) and when <= deadline
        return bool(deadline) and not is_met and utc_text(self.clock()) > deadline

    def _of_ended(self, seen: DecisionAnswer, debate: Account, told: WhoDecided) -> DecisionAnswer:
        changes: dict[str, object] = {
            "explanation": " ".join(filter(None, (decided_sentence(debate), *since_sentences(debate)))),
            "since": debate.decision.since,
            "count": count_sentence(told),
            "decided_by": decider_words(told).who if told.is_decided else "",
            "signed_by": told.signed.by.name if told.signed else "",
        }
        if told.waits_for:
            changes["signature"] = "waiting"
        elif told.signed:
            changes["signature"] = "signed"
        if seen.status == "decided":
            changes |= {
                "outcome": told.option,
                "why": tuple(_reasons_for_outcome(debate, told)),
                "rejected": rejected_options(debate, told),
                "answer": self._signed(debate, told),
            }
        return seen.model_copy(update=changes)

    def _signed(self, debate: Account, told: WhoDecided) -> SignedAnswer | None:
        """The signed answer; None for a rehearsal, a record from a file, and a decision that was reversed."""
        state = debate.recorded
        if debate.decision.since == "reversed" or state.spec.rehearsal or self.host.is_imported(state.debate):
            return None
        return sign_answer(debate, told, self.host.signatures, self.clock())


_WAITS = "The question waits in the inbox of the app: a person opens it, starts the debate, or declines it."


def _unknown(given_id: str) -> UnknownDebate:
    return UnknownDebate("there is no question and no debate {id!r} here", id=given_id[:64])


def _progress(state: State) -> str:
    if state.outcome is not None:
        return "The rounds are over, and the final vote is not counted yet."
    if stage(state) == "lobby":
        return "People are joining; the debate has not begun."
    if stage(state) == "prevote":
        return "People vote before the debate, which has not begun."
    return f"The debate is in round {state.current_round()} of {state.spec.max_rounds}; nothing is decided."


def _status_of(told: WhoDecided) -> AnswerStatus:
    """The status of a debate that is over and counted."""
    if told.standing == "changes" or (told.standing in BY_THE_COUNT and told.waits_for):
        return "to_sign"
    if told.standing == "rejected":
        return "rejected"
    return "decided" if told.is_decided and told.option is not None else "undecided"


def _reasons_for_outcome(debate: Account, told: WhoDecided) -> Iterator[str]:
    """The reason of the signature, then reasons on the latest ballots of people for the outcome."""
    if told.signed and told.signed.word.reason:
        yield shortened(told.signed.word.reason)
    given = [
        row.reason
        for row in debate.poll_votes
        if row.poll == "final" and row.reason and row.choice == told.option and not row.replaced_by
    ]
    yield from map(shortened, [*dict.fromkeys(given)][:MAX_REASONS])


def qr_png(link: str) -> bytes:
    """The QR code of a link as a PNG file."""
    out = io.BytesIO()
    segno.make_qr(link, error="m").save(out, kind="png", scale=6, border=4)
    return out.getvalue()
