"""Answers composed from records, offline: explain one thing, find files, overview of the whole."""

from docs_agent.retrieval.answers.compose import compose

__all__ = ["compose"]
