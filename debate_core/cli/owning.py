"""Commands of the operator for the owner or a person of a debate; access to the database is the permission.

`hand-over` gives the debate another owner. `erase` replaces its record by one without a person's name. The record notes
who did it and why.
"""

from argparse import Namespace
from contextlib import closing

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.terminal import answer, say
from debate_core.engine.rights import HOST
from debate_core.errors import InvalidSpec
from debate_core.host.access.accounts import Accounts
from debate_core.host.erasure import Wish, erase_name
from debate_core.host.runner import now
from debate_core.host.settings import Settings
from debate_core.host.signatures import Signatures
from debate_core.host.stores import open_store
from debate_core.record.acts import HandedOver
from debate_core.record.commands import Act
from debate_core.record.fold import replay
from debate_core.spec.protocol import read
from debate_core.text import line, plural

SERVER = "server"
STAYS = "the former record stays in this append-only database and in every exported file: see docs/security.md"


def hand_over(flags: Namespace, settings: Settings) -> int:
    """Give a debate another owner, or to the server; 0. InvalidSpec or RuleViolation in one sentence."""
    _refuse_empty(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        state = replay(store.load(flags.debate_id))
        to = None if flags.to.strip() == SERVER else Accounts(store).by_email(flags.to)
        owner = to.id if to else None
        act = read(HandedOver, {"to": owner, "reason": flags.reason, "who": flags.by})
        submitted(store, settings, state, Act(by=HOST, act=act))
    whose = line(to.words) if to else "the server"
    words = f"{line(state.spec.question)}: it now belongs to {whose}\n"
    answer(flags, {"debate_id": state.debate, "owner": owner}, words)
    return 0


def erase(flags: Namespace, settings: Settings) -> int:
    """Replace a debate by a record without a person's name; 0. InvalidSpec or RuleViolation."""
    _refuse_empty(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        wish = Wish(flags.person, flags.by, flags.reason)
        erased = erase_name(store, Signatures(store, settings.signing_key), flags.debate_id, wish, at=now())
    last = erased.events[-1]
    new_record = {"debate_id": last.debate, "instead_of": flags.debate_id, "head": last.hash, "left": erased.left}
    words = f"{last.debate} replaces {flags.debate_id} now, without this name; its head is {last.hash}\n"
    answer(flags, new_record, words)
    if erased.left:
        say(f"the name still occurs {plural(erased.left, 'time')} in documents, quotes or ids, which are not changed")
    say(STAYS)
    return 0


def _refuse_empty(flags: Namespace) -> None:
    for name, why in (("by", "say who does this"), ("reason", "give a reason: it is kept in the record")):
        if not getattr(flags, name).strip():
            raise InvalidSpec(f"--{name} is empty: {why}")
