"""Who may come in: invitations, admission, lists of people, and a limit on attempts."""
