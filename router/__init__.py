"""From a question to a route."""
