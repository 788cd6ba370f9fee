"""A person who practises judging: one practice debate, judged to its end."""

from debate_core.engine import judge_view
from debate_core.evaluation import practice
from debate_core.host.host import Host
from debate_core.record.acts import BeliefReported, Believed
from debate_core.record.commands import Act
from debate_core.record.state import State


def judged_to_the_end(host: Host, case_name: str, name: str, right_percent: int) -> State:
    """Every round of it, with this much for the option that is right; of two options."""
    case, judge = practice.all_cases(host)[case_name], practice.judge_of(name)
    state = practice.begin(host, case_name, name)
    percents = {option: right_percent if option == case.right else 100 - right_percent for option in case.options}
    beliefs = tuple(Believed(option=option, percent=percent) for option, percent in percents.items())
    while (number := judge_view.round_to_judge(state, judge.id)) is not None:
        final = judge_view.is_final(state, number)
        report = BeliefReported(round=number, beliefs=beliefs, final=final, explanation="I did the sum.")
        state = host.submit(state.debate, Act(by=judge.id, act=report))
    return practice.settle(host, state, case)
