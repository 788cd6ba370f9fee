"""Default panel for a key without a panel: the cheapest model of each family with a key.

Knows the panel file, prices and which keys are set.
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
"""Default limit of USD."""


def economy_panel(file: PanelFile, keys: Mapping[str, str]) -> Panel | None:
    """The cheapest line of each of up to three families, the cheapest family first; None without a key for a known
    price."""
    cheapest: dict[str, tuple[Decimal, ModelLine]] = {}
    for line in file.lines:
        price = price_of_a_call(line) if _can_be_called(line, keys) else None
        known = cheapest.get(line.family)
        if price is not None and (known is None or price < known[0]):
            cheapest[line.family] = price, line
    by_price = sorted(cheapest.values(), key=lambda priced: priced[0])
    debaters = tuple(line.id for _, line in by_price[:MAX_FAMILIES])
    return Panel(name="economy", debaters=debaters) if debaters else None


def _can_be_called(line: ModelLine, keys: Mapping[str, str]) -> bool:
    return bool(line.model and line.family and keys.get(line.key_env))


def usual_protocol(panel: Panel, file: PanelFile) -> Protocol:
    """The default protocol of a panel: a debate only for models of several families.

    Models of one family share errors: their arguments are little evidence, at several times the price.
    """
    families = {file.line(line_id).family for line_id in panel.line_ids()}
    return EXPERT_PANEL if len(families) > 1 else CHECKED_ANSWERS


def with_usual_limit(rules: Protocol) -> Protocol:
    """Add the default limit of USD to the rules, unless they have one."""
    own = rules.ceiling() or Ceiling()
    if own.usd is not None:
        return rules
    return rules.with_ceiling(own.model_copy(update={"usd": USUAL_USD}))
