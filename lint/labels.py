"""Labels of reference links."""

from __future__ import annotations


def label_form(label: str) -> str:
    """The form in which labels are compared (CommonMark: no case, runs of blanks are one)."""
    return " ".join(label.casefold().split())
