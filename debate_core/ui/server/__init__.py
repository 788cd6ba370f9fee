"""The web server around the pages: launch, routes, login."""
