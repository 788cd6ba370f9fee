"""Controls access: links and codes, invites, cookies, admission, lists of people, and rate limits."""
