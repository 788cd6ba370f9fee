"""What is beside the pages in the web server: launch, routes for joining, login."""
