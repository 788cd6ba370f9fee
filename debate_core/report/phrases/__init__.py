"""Sentences for facts, one place for each fact."""
