"""Plotly figures drawn from rows; each has a table with the same numbers."""
