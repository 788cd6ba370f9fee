"""Every route of the app as it is served: ours, and those of the Streamlit that is installed."""

from unittest.mock import Mock

from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from streamlit.web.server.starlette.starlette_app import create_streamlit_routes

from debate_core.api.routes import ROUTES
from debate_core.ui.server import launch


def streamlits_own() -> list[BaseRoute]:
    """Not to be called: there is nothing that they would serve. A real runtime would be one for the whole process."""
    return create_streamlit_routes(Mock())


def all_paths() -> set[str]:
    """List all paths with parameter names in braces; for a folder of files its root."""
    every = [*launch.routes, *streamlits_own()]
    assert all(isinstance(route, (Route, WebSocketRoute, Mount)) for route in every)
    of_the_api = {f"/api/v1{route.path}" for route in ROUTES}
    return {getattr(route, "path", "") or "/" for route in every} | of_the_api
