"""`token`: makes, lists and revokes the tokens with which programs read debates.

For the operator: access to the database is the permission. The text of a token is printed once and not stored.
"""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date, timedelta

from debate_core.cli.files import refuse_missing
from debate_core.cli.terminal import answer, say
from debate_core.errors import InvalidSpec
from debate_core.host.access.accounts import Accounts
from debate_core.host.access.reading import OPERATOR, Looker
from debate_core.host.access.tokens import USUAL_DAYS, ListedToken, Tokens, TokenScope
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.stores import Store, open_store
from debate_core.spec.values import Json
from debate_core.text import line

ONCE = "This is shown once: keep it like a password."
_OPENS: Mapping[TokenScope, str] = {
    "read": "It reads debates at /api/v1, see docs/api.md.",
    "ask": "It asks people at /mcp, see docs/mcp.md.",
}


def token(flags: Namespace, settings: Settings) -> int:
    """Make, list or revoke tokens; 0. InvalidSpec explains a fault."""
    refuse_missing(settings.database_url)
    if flags.action != "create" and (flags.debate or flags.owner or flags.until or flags.scope):
        raise InvalidSpec("--debate, --owner, --scope and --until are for `token create`")
    with closing(open_store(settings.database_url)) as store:
        tokens = Tokens(store, clock=now)
        match flags.action:
            case "create":
                _create(flags, store, tokens)
            case "list":
                listed = tokens.of(OPERATOR)
                answer(flags, [_json(one) for one in listed], _list_words(listed))
            case _:
                revoked = tokens.revoke(_name(flags, "the id of a token: `token list` shows them"), OPERATOR)
                answer(flags, {"id": revoked.id, "revoked": True}, f"{revoked.id} ({line(revoked.name)}) is revoked\n")
    return 0


def _create(flags: Namespace, store: Store, tokens: Tokens) -> None:
    for debate_id in flags.debate:
        store.load(debate_id)
    maker = Looker("host", Accounts(store).by_email(flags.owner).id) if flags.owner else OPERATOR
    made, text = tokens.make(
        _name(flags, "a name for the token, such as the program that uses it"),
        maker,
        until=_day(flags.until) if flags.until else now().date() + timedelta(days=USUAL_DAYS),
        scopes=tuple(dict.fromkeys(flags.scope or ["read"])),
        debates=tuple(dict.fromkeys(flags.debate)),
    )
    answer(flags, {**_json(ListedToken(token=made)), "token": text}, f"{text}\n")
    opens = " ".join(_OPENS[scope] for scope in made.scopes)
    say(f"{made.id}, valid to the end of {made.last_day} (UTC). {ONCE} {opens}")


def _name(flags: Namespace, what: str) -> str:
    if not flags.what:
        raise InvalidSpec(f"`token {flags.action}` needs {what}")
    return str(flags.what)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidSpec(f"--until must be a day, as in 2027-01-15, not {text[:40]!r}") from None


def _json(listed: ListedToken) -> dict[str, Json]:
    shown = listed.token.model_dump(mode="json", exclude={"hash", "of_code"})
    return {
        **shown,
        "last_day": str(listed.token.last_day),
        "used_at": listed.used_at or None,
        "expired": listed.expired,
    }


def _list_words(listed: Sequence[ListedToken]) -> str:
    return "".join(f"{_line_words(one)}\n" for one in listed) or "There are no tokens.\n"


def _line_words(listed: ListedToken) -> str:
    made = listed.token
    reads = ", ".join(made.debates) or "all debates of its maker"
    until = "expired" if listed.expired else f"until {made.last_day}"
    used = f"last used {listed.used_at[:16]}Z" if listed.used_at else "never used"
    maker = made.owner or made.standing
    return f"{made.id}  {line(made.name)}: {', '.join(made.scopes)}; {reads}; by {maker}; {until}; {used}"
