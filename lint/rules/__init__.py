"""One rule, one file; the order they run in is `lint/registry.py`."""
