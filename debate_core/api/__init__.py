"""The read API: routes for programs with a token, under `/api/v1`, as JSON, files and server-sent events.

`routes` has one table, from which `app` answers and `openapi` describes. Knows no page. It is imported once the first
token exists.
"""
