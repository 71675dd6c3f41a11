"""The index: one Protocol, one SQLite implementation. The only package that contains SQL."""
