"""One form of a report, one file."""
