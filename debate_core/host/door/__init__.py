"""Who may come in: links and codes, invites, cookies, admission, lists of people, and a limit on wrong tries."""
