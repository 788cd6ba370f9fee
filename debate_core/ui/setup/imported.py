"""Set-up drafts from imported files."""

from collections.abc import Sequence

from debate_core.host.imports.accept import ImportedDraft, ImportedDriver
from debate_core.ui.setup.draft import DriverDraft, SetupDraft, evenly_weighted, example
from debate_core.ui.setup.taken import LEAST_OPTIONS


def of_import(imported: ImportedDraft) -> SetupDraft:
    """Return a draft with the question, options, criteria and documents of an imported file."""
    empty = [""] * (LEAST_OPTIONS - len(imported.options))
    draft = example(imported.question, (*imported.options, *empty))
    return draft.replace(drivers=_weighted(imported.drivers), background=imported.background, sources=imported.sources)


def _weighted(drivers: Sequence[ImportedDriver]) -> tuple[DriverDraft, ...]:
    """Return the criteria with the weights of the file if these sum to 100, else with even ones."""
    rows = tuple(DriverDraft(key=f"i{n}", name=driver.name) for n, driver in enumerate(drivers, start=1))
    weights = [driver.weight for driver in drivers if driver.weight is not None]
    if len(weights) < len(drivers) or sum(weights) != 100:
        return evenly_weighted(rows)
    return tuple(row.replace(weight=weight) for row, weight in zip(rows, weights, strict=True))
