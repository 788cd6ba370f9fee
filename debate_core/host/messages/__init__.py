"""Messages to people outside the app: channels, a queue that survives a restart, and the sender."""
