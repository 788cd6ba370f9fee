"""Models for the seats of a draft: the available ones, their labels, and reasons why others are not available.

The host knows servers and keys; no key is ever shown. Servers added on the page are in `servers`.
"""

from collections import Counter

from debate_core.errors import InvalidSpec
from debate_core.language import _, said
from debate_core.spec.models import ModelLine
from debate_core.spec.panels import is_loopback
from debate_core.ui.kit import session
from debate_core.ui.setup.draft import SetupDraft


def label(line: ModelLine) -> str:
    """Return the name of the model and its family: `NAME · FAMILY`."""
    return " · ".join(filter(None, (line.model or line.id, line.family)))


def needs_key(line: ModelLine) -> bool:
    """Return whether the model's key is missing; servers on this machine need none."""
    return bool(line.key_env) and not session.host().access.keys.get(line.key_env) and not is_loopback(line.base_url)


def known(draft: SetupDraft) -> tuple[ModelLine, ...]:
    """Return every line with a model, from the panel file and from the draft."""
    lines = {line.id: line for line in session.host().access.panels.lines}
    for line in draft.lines:
        # The file may leave the model of a line open.
        if line.id not in lines or not lines[line.id].model:
            lines[line.id] = line
    return tuple(line for line in lines.values() if line.model)


def usable(draft: SetupDraft) -> tuple[ModelLine, ...]:
    """Return the lines that this server can call, as far as it knows without calling them."""
    return tuple(line for line in known(draft) if why_not(line) is None)


def why_not(line: ModelLine) -> str | None:
    """Return why this server cannot call a line, or None."""
    if needs_key(line):
        return _(
            "the model {model} needs a key: set {key_env} in the environment or in .streamlit/secrets.toml",
            model=line.model,
            key_env=line.key_env,
        )
    try:
        session.host().access.refuse_address(line)
    except InvalidSpec as error:
        return said(error)
    return None


def choices(draft: SetupDraft) -> dict[str, str]:
    """Return the unique label of each usable line, by its id."""
    labels = {line.id: label(line) for line in usable(draft)}
    times = Counter(labels.values())
    return {i: words if times[words] == 1 else f"{words} ({i})" for i, words in labels.items()}


def _ids_in_seats(draft: SetupDraft) -> set[str]:
    return {seat.model for seat in draft.everybody() if seat.who == "model"}


def with_named_lines(draft: SetupDraft) -> SetupDraft:
    """Return the draft with the lines of its seats, as the panel file has them now, and the lines added by hand."""
    in_file = {line.id for line in session.host().access.panels.lines if line.model}
    not_needed = in_file - _ids_in_seats(draft)
    return draft.replace(lines=tuple(line for line in known(draft) if line.id not in not_needed))


def cannot_sit(draft: SetupDraft) -> str | None:
    """Return why a chosen model cannot be called, or None. A key may have been removed since it was chosen."""
    ids = _ids_in_seats(draft)
    reasons = (why_not(line) for line in draft.lines if line.id in ids)
    return next((reason for reason in reasons if reason), None)
