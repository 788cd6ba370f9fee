"""Assumptions as lines of text: `Load stays below 2,000 a minute (claim 4) @Ana [number load.csv load under 2000]`.

The name of a claim links the assumption to it, the name after an @ at the end is who watches it, and the check in
brackets is evaluated by `watch`.
"""

import re
from collections.abc import Iterable, Mapping

from debate_core.record.acts import Assumption
from debate_core.report.phrases.names import mentions
from debate_core.spec.tripwires import check_text, read_check

_WATCHED_BY = re.compile(r"\s@(?P<who>[^\s@][^@]*)$")
"""`... a minute @Ana Lima`; not the address `ana@example.org`."""
_CHECK = re.compile(r"\s\[(?P<check>(?:files|number|version|quote|date|ask) .*)\]$")
"""`... @Ana [date 2027-03-01]`; not `[see the plan]`."""


def read_assumptions(text: str, claims: Mapping[str, str]) -> tuple[Assumption, ...]:
    """Read one assumption per line. `claims`: id of each claim -> its name. InvalidSpec for an unusable check."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return tuple(_read(line, claims) for line in lines)


def _read(line: str, claims: Mapping[str, str]) -> Assumption:
    checked = _CHECK.search(line)
    check = read_check(checked["check"]) if checked else None
    line = line[: checked.start()].rstrip() if checked else line
    watched = _WATCHED_BY.search(line)
    text = line[: watched.start()].rstrip() if watched else line
    who = watched["who"].strip() if watched else ""
    ids = {name.casefold(): claim_id for claim_id, name in claims.items()}
    any_name = "|".join(map(re.escape, ids)) or "(?!)"
    named = re.findall(rf"(?<!\w)(?:{any_name})(?!\w)", text, re.IGNORECASE)
    if not named:
        return Assumption(text=text, watched_by=who, check=check)
    bare = text.removesuffix(f"({named[-1]})").rstrip()
    claim = named[0] if bare == text else named[-1]
    return Assumption(text=bare or text, watched_by=who, claim_id=ids[claim.casefold()], check=check)


def write_assumptions(assumptions: Iterable[Assumption], claims: Mapping[str, str]) -> str:
    """Write one assumption per line, as `read_assumptions` reads it."""
    return "\n".join(_write(assumption, claims) for assumption in assumptions)


def _write(assumption: Assumption, claims: Mapping[str, str]) -> str:
    text = " ".join(assumption.text.split())
    name = claims.get(assumption.claim_id or "", "")
    claim = f" ({name})" if name and not mentions(text, name) else ""
    watched = f" @{assumption.watched_by}" if assumption.watched_by else ""
    check = f" [{check_text(assumption.check)}]" if assumption.check else ""
    return f"{text}{claim}{watched}{check}"
