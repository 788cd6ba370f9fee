"""The pages that are not the room, set-up or results: home, record, protocols, metrics and projector."""
