"""What one process tells its operators beside its pages: figures, lines of its log, spans. Off until a setting asks."""
