"""Values derived from a state and its events: turns, claims, counts, decision, synthesis, usage, health."""
