"""`migrate` and `copy`: what is done with a whole database. For whoever runs the server."""

from argparse import Namespace

from debate_core.host.settings import Settings
from debate_core.host.stores import refuse_without_packages, without_password
from debate_core.text import plural


def migrate(_flags: Namespace, settings: Settings) -> int:
    """Make the tables of a database, or bring them to this version. Whatever has been recorded stays as it is."""
    refuse_without_packages()
    from debate_core.host.stores.migrate import migrate as take_steps

    taken = take_steps(settings.database_url)
    place = without_password(settings.database_url)
    print(f"{place}: {plural(taken, 'step')} taken" if taken else f"{place} is of this version: nothing to do")
    return 0
