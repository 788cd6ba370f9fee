"""The OpenAPI 3.1 document of the API, made from the table of its routes."""

import json
from collections.abc import Iterable
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from pydantic.json_schema import models_json_schema

from debate_core.api.answers import ApiError
from debate_core.api.parameters import ApiParameter
from debate_core.spec.values import Json, Value

if TYPE_CHECKING:
    from debate_core.api.routes import ApiRoute

REF = "#/components/schemas/{model}"
MEANINGS = {
    HTTPStatus.BAD_REQUEST: "A parameter is unknown or unfit, or the address contains a token.",
    HTTPStatus.UNAUTHORIZED: "The token is missing, wrong, revoked or expired.",
    HTTPStatus.FORBIDDEN: "The token has another scope.",
    HTTPStatus.NOT_FOUND: "There is no such debate for this token, no such format or page, or no token at all.",
    HTTPStatus.METHOD_NOT_ALLOWED: "Only GET and HEAD are allowed.",
    HTTPStatus.CONFLICT: "The record is withheld now, or the debate has no such file.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests: see Retry-After.",
    HTTPStatus.SERVICE_UNAVAILABLE: "The database cannot be read now.",
}
OF_ALL = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
"""Refusals of every route."""


@lru_cache(maxsize=1)
def text(routes: "tuple[ApiRoute, ...]") -> str:
    """The document as JSON."""
    return json.dumps(document(routes), ensure_ascii=False, indent=2) + "\n"


def document(routes: "Iterable[ApiRoute]") -> dict[str, Json]:
    """The document. Its server is its own folder, so that it holds behind a proxy with a path."""
    routes = tuple(routes)
    models: list[type[Value]] = [ApiError, *(route.model for route in routes if route.model)]
    _refs, schemas = models_json_schema([(model, "serialization") for model in models], ref_template=REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Debate room: read API", "version": "1"},
        "servers": [{"url": "."}],
        "security": [{"token": []}],
        "paths": {route.path: {"get": _operation(route)} for route in routes},
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas["$defs"],
        },
    }


def _operation(route: "ApiRoute") -> dict[str, Json]:
    answers: dict[str, Json] = {"200": {"description": route.meaning, "content": _content(route)}}
    of_scope = (HTTPStatus.FORBIDDEN,) if route.scope else ()
    for status in sorted({*OF_ALL, *of_scope, *route.refusals}):
        schema = {"$ref": REF.format(model=ApiError.__name__)}
        answers[str(status.value)] = {
            "description": MEANINGS[status],
            "content": {"application/json": {"schema": schema}},
        }
    scope = f" Scope of the token: {route.scope}." if route.scope else ""
    return {
        "operationId": route.name,
        "description": f"{route.meaning}{scope}",
        "parameters": [_parameter(parameter) for parameter in route.parameters],
        "responses": answers,
    }


def _content(route: "ApiRoute") -> dict[str, Json]:
    ref = {"$ref": REF.format(model=route.model.__name__)} if route.model else None
    content: dict[str, Json] = {}
    for media_type in route.media_types:
        if media_type == "application/json":
            content[media_type] = {"schema": ref or {"type": ["object", "array"]}}
        elif ref:
            # OpenAPI 3.1 has no word for the data of server-sent events; 3.2 calls it itemSchema.
            content[media_type] = {"schema": {"type": "string"}, "x-itemSchema": ref}
        elif media_type == "application/zip":
            # OpenAPI 3.1 describes bytes by a media type without a schema.
            content[media_type] = {}
        else:
            content[media_type] = {"schema": {"type": "string"}}
    return content


def _parameter(parameter: ApiParameter) -> dict[str, Json]:
    return {
        "name": parameter.name,
        "in": parameter.where,
        "required": parameter.where == "path",
        "description": parameter.meaning,
        "schema": parameter.schema(),
    }
