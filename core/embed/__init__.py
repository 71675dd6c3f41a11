"""Turning text into vectors: one Protocol, implementations beside it."""
