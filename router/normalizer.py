"""The question as it is shown and searched."""

from __future__ import annotations


def normalize_query(question: str) -> str:
    """White space collapsed to single spaces and cut at both ends; nothing else is changed."""
    return " ".join(question.split())
