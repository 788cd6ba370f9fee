"""Diversity of the debating models: sameness is reported, and unknown families are no difference."""

from pathlib import Path

import pytest

from debate_core.__main__ import main
from debate_core.cli.models import concerns
from debate_core.host.settings import read_panel_file, read_settings
from debate_core.spec import presets
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Diversity, diversity, panel_of, seat_panel
from debate_core.spec.protocol import Spec
from debate_core.spec.values import Role, Seat


def spec_with(panel: str, *debaters: str) -> Spec:
    file = read_panel_file(read_settings(environ={}, secrets=Path("/nowhere")))
    seated, lines = seat_panel((*[Seat(id=i) for i in debaters], presets.synthesiser("model")), file.panel(panel), file)
    return presets.compose("Adopt it?", ("adopt", "wait"), presets.EXPERT_PANEL, seated, models=lines)


def test_different_families_are_said_to_be_different():
    # R059, R163
    assert diversity(spec_with("balanced", "risk_manager", "cost_analyst")) == Diversity(
        families=("anthropic", "openai"),
        models=("claude-sonnet-5-5", "gpt-6.1-terra"),
        n_seats=2,
        n_unknown=0,
        single_family=False,
        same_model=False,
        same_text=True,
        all_advocates=False,
        synthesiser_shares=False,
    )


def test_one_family_and_one_model_are_warned_of():
    # R057, R165, R267, R059, R169, R201
    one = diversity(spec_with("one_family", "risk_manager", "cost_analyst"))
    assert (one.single_family, one.same_model, one.synthesiser_shares) == (True, False, True)
    assert one.warnings == (
        "all 2 debating models are of one family (anthropic): "
        "they may share errors, so their agreement is weak evidence",
        "the synthesiser is of a family that also debates: it may favour that side",
    )
    file = panel_of(
        ModelLine(id="m", model="mystery-1", provider="acme", dialect="chat", base_url="http://acme.test/v1")
    )
    seated, lines = seat_panel([Seat(id="a"), Seat(id="b")], file.panels[0], file)
    same = diversity(presets.compose("Q?", ("x", "y"), presets.BOUNDED_VOTE, seated, models=lines))
    assert (len(same.families), same.n_models, same.n_unknown, same.single_family) == (0, 1, 2, True)
    assert [w.partition(":")[0] for w in same.warnings] == [
        "all 2 debating models are the same one (mystery-1)",
        "of 2 of 2 debating models the family is not known",
    ]


def test_an_unknown_family_is_no_other_family():
    line = {"provider": "acme", "dialect": "chat", "base_url": "http://acme.test/v1"}
    lines = (
        ModelLine.model_validate({"id": "one", "model": "m1", "family": "acme", **line}),
        ModelLine.model_validate({"id": "two", "model": "m2", **line}),
    )
    seated = (Seat(id="a", model="one"), Seat(id="b", model="two"))
    found = diversity(presets.compose("Q?", ("x", "y"), presets.BOUNDED_VOTE, seated, models=lines))
    assert (len(found.families), found.n_unknown, found.single_family) == (1, 1, False)
    assert [w.partition(":")[0] for w in found.warnings] == ["of 1 of 2 debating models the family is not known"]


def test_advocates_alone_are_warned_of():
    # R201
    found = diversity(spec_with("balanced", "database_expert", "platform_architect"))
    assert found.warnings == ("every debater argues for change: seat a sceptic or a pragmatist",)


def test_without_models_there_is_nothing_to_warn_of():
    spec = presets.compose("Q?", ("x", "y"), presets.BOUNDED_VOTE, [Seat(id=i, occupant="human") for i in ("a", "b")])
    found = diversity(spec)
    assert (found.n_seats, found.single_family, found.warnings) == (0, False, ())


@pytest.mark.parametrize("role", ["evaluator", "judge", "referee"])
def test_whoever_rates_arguments_of_its_own_family_is_warned_of(role: Role):
    # R247
    line = {"provider": "acme", "dialect": "chat", "base_url": "http://acme.test/v1"}
    lines = tuple(
        ModelLine.model_validate({"id": f, "model": f"{f}-1", "family": f, **line}) for f in ("one", "two", "three")
    )
    seated = (Seat(id="a", model="one"), Seat(id="b", model="two"), Seat(id="c", role=role, model="two"))
    spec = presets.compose("Q?", ("x", "y"), presets.BOUNDED_VOTE, seated[:2], models=lines)
    shared = diversity(spec.model_copy(update={"seats": seated}))
    assert shared.warnings == (f"the {role} is of a family that also debates: it may favour its own side",)
    apart = seated[2].model_copy(update={"model": "three"})
    assert diversity(spec.model_copy(update={"seats": (*seated[:2], apart)})).warnings == ()


@pytest.mark.slow
def test_an_estimate_warns_of_an_evaluator_of_its_own_family(capsys: pytest.CaptureFixture[str]):
    # R247
    assert main(["estimate", "Adopt it?", "--panel", "two_families", "--protocol", "proposer_critic"]) == 0
    assert "the evaluator is of a family that also debates: it may favour its own side" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("closing", "warned"), [("small", True), ("large", False), ("other", False), ("unpriced", False)]
)
def test_a_cheaper_model_of_the_family_that_sums_up_is_warned_of(closing: str, warned: bool):
    # R138: across families, and without a price, nobody ranks them
    line = {"provider": "acme", "dialect": "chat", "base_url": "http://acme.test/v1"}
    prices = {"small": ("north", "1"), "large": ("north", "9"), "other": ("south", "1"), "unpriced": ("north", None)}
    lines = tuple(
        ModelLine.model_validate(
            {"id": i, "model": i, "family": family, "price": price and {"input": price, "output": price}, **line}
        )
        for i, (family, price) in prices.items()
    )
    seats = [Seat(id="a", model="large"), Seat(id="b", model="other"), presets.synthesiser("model")]
    seats[2] = seats[2].model_copy(update={"model": closing})
    used = [one for one in lines if one.id in {"large", "other", closing}]
    told = concerns(presets.compose("Q?", ("x", "y"), presets.DELIBERATION, seats, models=used))
    sentence = "small summarises the arguments of large, and is the cheaper model of the same family"
    assert (sentence in told) is warned
