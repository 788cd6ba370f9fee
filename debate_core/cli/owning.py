"""What whoever runs the server does with a debate for its owner or for a person in it: the database is the right to it.

`hand-over`: it belongs to somebody else from now on. `erase`: a record without the name of a person stands for it. Both
are on record with who did it and why.
"""

from argparse import Namespace
from contextlib import closing

from debate_core.cli.files import refuse_missing, submitted
from debate_core.cli.terminal import answer, say
from debate_core.engine.rights import HOST
from debate_core.errors import InvalidSpec
from debate_core.host.door.accounts import Accounts
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
STAYS = (
    "the former record stays in this database, which forgets nothing, and in every file that was taken of it: "
    "what that means is in docs/security.md"
)


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
    words = f"{line(state.spec.question)}: it belongs to {whose} from now on\n"
    answer(flags, {"debate_id": state.debate, "owner": owner}, words)
    return 0


def erase(flags: Namespace, settings: Settings) -> int:
    """Put a record without the name of a person in the place of a debate; 0. InvalidSpec or RuleViolation."""
    _refuse_empty(flags)
    refuse_missing(settings.database_url)
    with closing(open_store(settings.database_url)) as store:
        wish = Wish(flags.person, flags.by, flags.reason)
        erased = erase_name(store, Signatures(store, settings.signing_key), flags.debate_id, wish, at=now())
    last = erased.events[-1]
    new_record = {"debate_id": last.debate, "instead_of": flags.debate_id, "head": last.hash, "left": erased.left}
    words = f"{last.debate} stands for {flags.debate_id} now, without this name; its head is {last.hash}\n"
    answer(flags, new_record, words)
    if erased.left:
        say(f"the name still stands {plural(erased.left, 'time')} in documents, quotes or ids, which stay as they are")
    say(STAYS)
    return 0


def _refuse_empty(flags: Namespace) -> None:
    for name, why in (("by", "say who does this"), ("reason", "give a reason: it is kept in the record")):
        if not getattr(flags, name).strip():
            raise InvalidSpec(f"--{name} is empty: {why}")
