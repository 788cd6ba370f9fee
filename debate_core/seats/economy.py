"""Who debates when a key is set and nobody is named: of each family whose key is there, its cheapest model.

Knows the panel file, prices and which keys are set, never what a key is worth elsewhere.
"""

from collections.abc import Mapping
from decimal import Decimal

from debate_core.seats.pricing import price_of_a_call
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import Panel, PanelFile
from debate_core.spec.presets import CHECKED_ANSWERS, EXPERT_PANEL
from debate_core.spec.protocol import Protocol
from debate_core.spec.rules import Ceiling

MAX_FAMILIES = 3
USUAL_USD = "0.50"
"""What such a debate may cost unless somebody says otherwise."""


def economy_panel(file: PanelFile, keys: Mapping[str, str]) -> Panel | None:
    """One line of each of up to three families, the cheapest first; None if no key leads to a known price."""
    cheapest: dict[str, tuple[Decimal, ModelLine]] = {}
    for line in file.lines:
        if not _can_be_asked(line, keys):
            continue
        price = price_of_a_call(line)
        if price is None:
            continue
        if line.family not in cheapest or price < cheapest[line.family][0]:
            cheapest[line.family] = price, line
    by_price = sorted(cheapest.values(), key=lambda priced: priced[0])
    debaters = tuple(line.id for _, line in by_price[:MAX_FAMILIES])
    return Panel(name="economy", debaters=debaters) if debaters else None


def usual_protocol(panel: Panel, file: PanelFile) -> Protocol:
    """What the models of this panel are asked for if nobody chose: a debate only where they are of several families.

    Models of one family share errors: what they say to each other is little evidence, at several times the price.
    """
    families = {file.line(line_id).family for line_id in panel.line_ids()}
    return EXPERT_PANEL if len(families) > 1 else CHECKED_ANSWERS


def _can_be_asked(line: ModelLine, keys: Mapping[str, str]) -> bool:
    return bool(line.model and line.family and keys.get(line.key_env))


def with_usual_limit(rules: Protocol) -> Protocol:
    """The rules with the usual limit of USD, unless they have one."""
    own = rules.ceiling() or Ceiling()
    if own.usd is not None:
        return rules
    return rules.with_ceiling(own.model_copy(update={"usd": USUAL_USD}))
