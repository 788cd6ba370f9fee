"""A deliverable in the three dialects: asked for by the schema of the reply, and asked for again once."""

import asyncio
import json

import pytest

from debate_core.record.commands import Resume
from debate_core.report.facts.account import account
from debate_core.report.files.export import run_json
from debate_core.spec.models import Dialect
from debate_core.spec.protocol import Spec
from tests.model_replies import schema_of
from tests.model_server import ModelServer
from tests.wire.rig import DIALECTS, HEALTHY, Held, check, hold, line, panel


def asks_for(spec: Spec, **fields: object) -> Spec:
    schema = json.dumps({"type": "object", "properties": fields, "required": [*fields]})
    return spec.model_copy(update={"protocol": spec.protocol.model_copy(update={"output_schema": schema})})


def result_of(held: Held) -> dict[str, object]:
    return dict(run_json(account(held.state, held.events)))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_deliverable_is_asked_for_again_once_and_kept(dialect: Dialect):
    short, long = {"type": "string"}, {"type": "string", "minLength": 3}
    with ModelServer(votes=["adopt", "keep"]) as server:
        # The server answers a text of any other name with an empty one.
        for fields, again in (({"answer": long}, 0), ({"answer": long, "owner": short | long}, 1)):
            server.log.clear()
            held = asyncio.run(hold(asks_for(panel(line(server, dialect)), **fields), then=(Resume(by="operator"),)))
            check(held, server)
            assert [failed.error for failed in held.failures()] == ["mismatch"] * again
            assert len(server.log) == HEALTHY + again
            asked = schema_of(server.log[-1].body or {})
            assert asked is not None
            assert list(asked["properties"]["deliverable"]["properties"]) == [*fields]
            result = result_of(held)
            assert ("$.owner" in str(result["deliverable_mismatch"])) == bool(again)
            assert ("deliverable_mismatch" in str(result["flags"])) == bool(again)
