"""The offer after the blind first ballot: its price, one press, and nothing while a price is unknown."""

import os
from contextlib import closing

from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.host.stores import open_store
from debate_core.report.phrases.costs import usd_words
from debate_core.seats.early_end import early_end
from tests.app.visiting import room, words
from tests.core.test_early_end import balloted, priced
from tests.paid import Hand, begin, paid_spec


def kept(hand: Hand) -> str:
    with closing(open_store(os.environ["DEBATE_DB"])) as store:
        store.append(hand.state.debate, hand.events, after=0)
    return hand.state.debate


def test_price_and_one_press_stop_after_the_first_ballot(app: AppTest, host: Host):
    hand = balloted(priced())
    debate = kept(hand)
    room(app, debate, "facilitator")
    offer = early_end(hand.state, "")
    assert offer is not None
    assert offer.usage.cost_usd is not None
    price = usd_words(offer.usage.cost_usd)
    shown = words(app).replace("\\", "")
    assert f"Going on takes {offer.usage.calls} more calls, forecast at {price}." in shown, shown[:900]
    next(b for b in app.button if b.label == "Stop here").click().run()
    assert not app.exception
    state = host.state(debate)
    assert state.stopped is not None
    assert state.stopped.reason == "ended after the blind first ballot"
    assert "Stop here" not in [b.label for b in app.button]


def test_an_unknown_price_offers_no_press(app: AppTest):
    room(app, kept(balloted(begin(paid_spec(), "d-unpriced"))), "facilitator")
    assert "The price of going on is unknown." in words(app)
    assert "Stop here" not in [b.label for b in app.button]


def test_no_offer_before_the_first_ballot(app: AppTest):
    room(app, kept(priced()), "facilitator")
    assert "first ballot" not in words(app)
