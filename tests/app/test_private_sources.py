"""Documents that only some seats read, on screens and at the API: who opens them, and what the end shows."""

from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest

from debate_core.host.host import Host
from debate_core.record.commands import Resume, Stop
from debate_core.spec.contents import Argument, Claim
from debate_core.spec.people import Person
from debate_core.spec.values import Source
from debate_core.ui.setup.draft import SetupDraft
from debate_core.ui.setup.mapping import spec_from
from debate_core.ui.setup.readiness import problem
from tests.app.test_api import everything, hosted
from tests.app.test_setup import ADR, button, fill, page
from tests.app.visiting import HOLDERS, PEOPLE, at, gives, new_browser, results, step, told
from tests.people import EVERYBODY, FAY, GUS, JUNE, MO, OLA, room_spec
from tests.reading_api import token_for

__all__ = ["hosted"]
SAM, SOL = HOLDERS[0], HOLDERS[1]
QUOTE = "The broker costs 900 dollars in every month."
TEXT = f"# Offer\n\n## Priceword\n\n{QUOTE}\n\nIt keeps keptword messages for a week."


def held(host: Host, blind: str = "named", people: Sequence[Person] = EVERYBODY) -> str:
    """A debate in its first round, of which Sam alone reads a document."""
    source = Source(id="E1", title="costs.md", text=TEXT, only_for=("s0",))
    spec = room_spec((*people, *HOLDERS), seats=PEOPLE, final_vote="none", blind=blind)
    debate = host.create(spec.model_copy(update={"sources": (source,)}), by=FAY.id)
    host.submit(debate, Resume(by=FAY.id))
    return debate


def on_page(app: AppTest) -> str:
    """Every text of the page, with those of its components."""
    return "\n".join([told(app), *(element.proto.json or "" for element in app.get("bidi_component"))])


def quotes(host: Host, debate: str) -> None:
    claim = Claim(text="It is dear.", source_id="E1", quote=QUOTE)
    gives(host, debate, Argument(rationale="why", vote="defer", claims=(claim,)))


@pytest.mark.parametrize(
    ("who", "reads"), [(SAM, True), (FAY, True), (MO, True), (SOL, False), (GUS, False), (JUNE, False), (None, False)]
)
def test_a_room_shows_a_private_source_to_its_readers(host: Host, who: Person | None, *, reads: bool) -> None:
    debate = held(host)
    quotes(host, debate)
    seen = on_page(at(new_browser(), debate, who))
    assert "costs.md" in seen
    assert "Read only by " in seen
    assert ("keptword" in seen) == reads


def test_a_blind_room_hides_who_reads_a_private_source(host: Host) -> None:
    debate = held(host, blind="blind")
    assert "Read only by Speaker " in on_page(at(new_browser(), debate, GUS))
    assert "Read only by S0 until" in on_page(at(new_browser(), debate, FAY))


def test_results_open_a_private_source_at_the_end(host: Host) -> None:
    debate = held(host)
    quotes(host, debate)
    for tab in ("Overview", "Evidence", "Transcript"):
        seen = on_page(results(new_browser(), debate, tab, OLA))
        assert "keptword" not in seen
        assert "Priceword" not in seen
    while (state := host.state(debate)).outcome is None:
        if state.paused is not None:
            host.submit(debate, Resume(by=FAY.id))
        else:
            gives(host, debate)
    seen = on_page(results(new_browser(), debate, "Evidence", OLA))
    assert "keptword" in seen
    assert "Of the seats, only S0 could read “costs.md”. 1 claim quotes it, by S0." in seen
    assert "“costs.md”: claims that quote only this source: 0 for adopt, 1 for defer, 0 for reject." in seen


def test_api_has_no_word_of_a_private_source_before_the_end(hosted: Host) -> None:
    debate = held(hosted, people=(FAY,))
    token = token_for(hosted)
    before = everything(hosted, token, debate)
    assert "the documents that only some seats read" in before
    assert not any(word in before for word in ("keptword", "Priceword", QUOTE))
    hosted.submit(debate, Stop(by=FAY.id, reason="enough"))
    assert "keptword" in everything(hosted, token, debate)


def test_set_up_marks_a_document_for_some_seats(app: AppTest, host: Host) -> None:
    page(app)
    fill(app)
    step(app, "material")
    app.text_area(key="setup_paste_text").set_value(ADR)
    button(app, "Add this text").click().run()
    step(app, "material", "readers")
    offered = app.multiselect(key="setup_readers_E1")
    offered.set_value(offered.options[:1]).run()
    assert not app.exception
    draft: SetupDraft = app.session_state["setup_draft"]
    assert problem(draft) is None
    readers = spec_from(draft).sources[0].only_for
    assert readers is not None
    assert "Read only by" in told(app)
    assert f"only {readers[0]} reads a document" in told(app).casefold()
