"""What has happened: events, the acts of people, commands, and the state that the events fold to."""
