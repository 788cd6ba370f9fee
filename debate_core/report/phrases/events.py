"""Acts of people in the room, each as one phrase after the person's name.

A phrase never contains a vote or a judgement, because these may be sealed.
"""

from collections.abc import Mapping
from typing import Literal, assert_never

from debate_core.language import _, _n, message
from debate_core.record import acts
from debate_core.report.facts.decision import RESULTS, VERDICTS
from debate_core.report.facts.terms import named
from debate_core.report.phrases.voters import WITH_A_VOTE
from debate_core.spec.people import PreparationStep, poll_words
from debate_core.spec.values import in_words


def act_phrase(act: acts.RoomAct, names: Mapping[str, str] | None = None) -> str:
    """`opened the pre-vote`, without the reason. `names` maps ids of people to their names."""
    if isinstance(act, acts.PeopleAct):
        return _people_phrase(act, names or {})
    if isinstance(act, acts.PreparingAct):
        return _preparing_phrase(act)
    if isinstance(act, acts.PollAct):
        return _(_POLL_PHRASES[type(act)], poll=poll_words(act.poll))
    if isinstance(act, acts.JudgeAct):
        return _judge_phrase(act)
    if isinstance(act, acts.MarkAct):
        return _mark_phrase(act)
    if isinstance(act, acts.Remark):
        return _remark_phrase(act)
    if isinstance(act, acts.Owning):
        return _owning_phrase(act)
    if isinstance(act, acts.Conclusion):
        return _conclusion_phrase(act)
    return _procedure_phrase(act)


def _procedure_phrase(act: acts.Procedure) -> str:
    match act:
        case acts.SeatTaken():
            return _("took over the seat {seat}", seat=in_words(act.seat))
        case acts.SeatReturned():
            return _("gave back the seat {seat}", seat=in_words(act.seat))
        case acts.Poked():
            return _("reminded {seat}", seat=in_words(act.seat))
        case acts.Extended() if act.rounds:
            return _("added a round")
        case acts.Extended():
            return _("gave {seconds} more seconds", seconds=act.seconds)
        case acts.LastRound():
            return _("declared this the last round")
        case acts.SourceAdded():
            return _("added the document {id}: {title}", id=act.source.id, title=act.source.title)
        case acts.Intervened():
            return _(_TO_ALL[act.kind], words=act.text)
        case _:
            assert_never(act)


_TO_ALL: Mapping[Literal["briefing", "question", "burden"], str] = {
    "briefing": message("gave all seats a briefing: {words}"),
    "question": message("asked all seats: {words}"),
    "burden": message("set the burden of proof for all seats: {words}"),
}


def _conclusion_phrase(act: acts.Conclusion) -> str:
    match act:
        case acts.SynthesisRevised():
            return _("wrote a version of the synthesis")
        case acts.Signed():
            option = f", {act.option}" if act.option else ""
            return _("signed: {verdict}{more}", verdict=VERDICTS[act.verdict], more=option)
        case acts.OutcomeRecorded():
            return _("recorded the later outcome: {result}", result=RESULTS[act.result])
        case acts.AssumptionBroken():
            return _("found an assumption broken: {reason}", reason=act.reason)
        case _:
            assert_never(act)


def _people_phrase(act: acts.PeopleAct, names: Mapping[str, str]) -> str:
    match act:
        case acts.PersonJoined():
            return _("joined as {name}, {role}", name=act.person.name, role=named(act.person.role))
        case acts.PersonChanged():
            return _("set {name} to {role}", name=act.person.name, role=named(act.person.role))
        case acts.PersonLeft():
            withdrawn = _(", and withdrew their ballots in open polls") if act.withdrawn else ""
            return _(
                "removed {person} from the room{withdrawn}",
                person=names.get(act.person, act.person),
                withdrawn=withdrawn,
            )
        case acts.LinkChanged():
            return _link_phrase(act, names)
        case _:
            assert_never(act)


def _mark_phrase(act: acts.MarkAct) -> str:
    match act:
        case acts.PassageMarked() if act.together:
            # Without the author's words, which tell a sealed mark.
            return _("marked a passage together with others")
        case acts.PassageMarked():
            return _("marked a passage")
        case acts.MarksRevealed():
            return _("revealed the marks of the room")
        case _:
            assert_never(act)


def _link_phrase(act: acts.LinkChanged, names: Mapping[str, str]) -> str:
    vote = f" {WITH_A_VOTE[act.electorate]}" if act.electorate else ""
    whose = _("everyone ({role})", role=named(act.role))
    if act.person:
        whose = names.get(act.person, _("a new {role}{vote}", role=named(act.role), vote=vote))
    match act.what:
        case "made":
            return _("made a link for {whose}", whose=whose)
        case "replaced":
            return _("replaced the link for {whose}", whose=whose)
        case "taken_back":
            return _("revoked the link for {whose}", whose=whose)
        case _:
            assert_never(act.what)


_BEGUN: Mapping[PreparationStep, str] = {
    "collect": message("opened the collection of options"),
    "brief": message("opened the reading of the brief"),
    "facts": message("asked everyone what the others may not know"),
    "premortem": message("asked everyone why the decision might be reversed"),
}
_PREPARED: Mapping[PreparationStep, str] = {
    "collect": message("had nothing more to propose"),
    "brief": message("had read the brief"),
    "facts": message("had nothing to write"),
    "premortem": message("had nothing to write"),
}


def _preparing_phrase(act: acts.PreparingAct) -> str:
    match act:
        case acts.PreparationBegun():
            return _(_BEGUN[act.step])
        case acts.Suggested() if act.kind == "option":
            return _("proposed the option: {words}", words=act.text)
        case acts.Suggested():
            return _("proposed the driver: {words}", words=act.text)
        case acts.Prepared():
            return _(_PREPARED[act.step])
        case acts.TextsWritten():
            # The texts are sealed, and may be without names afterwards.
            return _n(len(act.texts), "wrote {n} text, sealed", "wrote {n} texts, sealed")
        case acts.TextsShown() if act.step == "facts":
            return _("showed what people know")
        case acts.TextsShown():
            return _("showed the reasons for which it might be reversed")
        case acts.OptionsAgreed():
            return _("set the options of the debate: {options}", options=", ".join(act.options))
        case _:
            assert_never(act)


_POLL_PHRASES: Mapping[type[acts.PollAct], str] = {
    acts.PollOpened: message("opened {poll}"),
    acts.PollClosed: message("closed {poll}"),
    acts.PollRevealed: message("revealed {poll}"),
    acts.BallotCommitted: message("committed to a ballot in {poll}"),
    acts.BallotCast: message("voted in {poll}"),
    acts.Supposed: message("answered what they would choose if a claim of {poll} were false"),
}


def _judge_phrase(act: acts.JudgeAct) -> str:
    match act:
        case acts.BeliefReported():
            if act.final:
                return _("gave final probabilities after round {round}", round=act.round)
            return _("gave probabilities after round {round}", round=act.round)
        case acts.BeliefsRevealed():
            return _("revealed the judges' probabilities up to round {round}", round=act.round)
        case acts.Judged():
            return _("filled in the rubric")
        case acts.Compared():
            return _("compared {one} with {other}", one=act.a, other=act.b)
        case _:
            assert_never(act)


def _owning_phrase(act: acts.Owning) -> str:
    did = _owner_act(act)
    return _("{did}, for {who}", did=did, who=act.who) if act.who else did


def _owner_act(act: acts.Owning) -> str:
    match act:
        case acts.HandedOver() if act.to:
            return _("handed the debate over to another owner")
        case acts.HandedOver():
            return _("handed the debate over to the server")
        case acts.Shared() if act.shared:
            return _("opened the debate to the organisation")
        case acts.Shared():
            return _("closed the debate to the organisation")
        case acts.Archived() if act.archived:
            return _("archived the debate")
        case acts.Archived():
            return _("restored the debate from the archive")
        case acts.Replaced():
            return _("replaced this record with one without the name of a person")
        case _:
            assert_never(act)


def _remark_phrase(act: acts.Remark) -> str:
    match act:
        case acts.Struck():
            return _("struck the turn {turn}", turn=act.turn)
        case acts.Noted():
            return _("corrected {claim_id}", claim_id=act.claim_id)
        case acts.Asked(kind="question"):
            return _("asked: {text}", text=act.text)
        case acts.Asked():
            return _("raised a concern: {text}", text=act.text)
        case acts.Upvoted():
            return _("supported question {question}", question=act.question)
        case acts.Flagged():
            return _("flagged a line of the synthesis: {line}", line=act.line)
        case acts.FlagResolved():
            return _("settled flag {flag}", flag=act.flag)
        case acts.Dissented(kind="dissent"):
            return _("recorded a dissent: {words}", words=act.text)
        case acts.Dissented():
            return _("recorded an objection: {words}", words=act.text)
        case _:
            assert_never(act)
