"""The forms in which a person gives one turn."""
