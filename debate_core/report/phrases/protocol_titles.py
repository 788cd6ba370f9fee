"""Titles of protocols for readers."""

from debate_core.language import Words
from debate_core.spec.values import in_words
from debate_core.text import capitalized

_TITLES = Words(
    {
        "bounded_vote": "Bounded vote",
        "deliberation": "Deliberation",
        "assigned_positions": "Assigned positions",
        "expert_panel": "Expert panel",
        "stance_judge": "Stances and a judge",
        "moderated_judge": "Stances, moderator and judge",
        "round_robin_panel": "One answer in turn",
        "proposer_critic": "Proposer and critic",
        "multi_position": "A seat for each option",
        "adversary": "One critic",
        "autogpt_debate": "Proposals, critiques and revision",
        "autogen_round_robin": "One thread in turn",
        "tit_for_tat": "Tit for tat",
        "society": "Equal seats",
        "mallm_memory": "Shared memory",
        "mallm_relay": "Relay",
        "mallm_report": "Reports to a hub",
        "mallm_debate": "A draft and its critics",
        "mallm_collective_refinement": "Collective refinement",
        "mediated_rounds": "Mediated rounds",
        "referees_one_by_one": "Referees one by one",
        "referees_simultaneous": "Referees at the same time",
        "referees_summarised": "Referees with summaries",
        "referees_swapped": "Referees with reversed order",
        "two_answers": "Two answers",
        "self_consistency": "Independent answers",
        "checked_answers": "Independent answers and a critic",
        "single_call": "Single answer",
        "supervised_answer": "Supervised answer",
        "tournament": "Tournament",
        "co_scientist": "Tournament with new candidates",
        "own": "Own rules",
    }
)


def title_of(name: str) -> str:
    """The title of a shipped protocol; `Own rules` for the file `own_rules`."""
    return _TITLES.get(name) or capitalized(in_words(name))
