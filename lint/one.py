"""Everything lint learns from one file alone: hits of the page rules, facts, suppressions."""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.core.lint_config import LintConfig, LintOverride
from docs_agent.lint.collect import facts_of
from docs_agent.lint.facts import Facts
from docs_agent.lint.finding import Span
from docs_agent.lint.read import Unreadable, read_page
from docs_agent.lint.registry import NOT_UTF8, RULES, UNREADABLE
from docs_agent.lint.rule import Hit
from docs_agent.lint.scope import Scope
from docs_agent.lint.suppressions import Suppression, suppressions_of, widened
from docs_agent.templates.model import Model

_PAGE_RULES = tuple(rule for rule in RULES if rule.page is not None)
_GUESSED = ("encoding-guessed", "encoding-invalid-bytes")


class Task(NamedTuple):
    """A file to look at and what counts for it."""

    path: str
    docs_root: str
    data: bytes
    documents: str


class Looked(NamedTuple):
    """What was learnt. `facts` is None for a file that is no document."""

    hits: tuple[tuple[str, Hit], ...]
    """(code, hit) of all page rules, whether they are on or not: the cache serves every choice."""
    facts: Facts | None = None
    suppressions: tuple[Suppression, ...] = ()


class Look:
    """Looks at files with one configuration."""

    def __init__(self, model: Model, config: LintConfig, max_bytes: int) -> None:
        self._model = model
        self._config = config
        self._max_bytes = max_bytes

    def at(self, task: Task) -> Looked:
        """Take a file apart and ask all page rules."""
        try:
            read = read_page(task.path, task.data, task.docs_root, self._max_bytes)
        except Unreadable as fault:
            return Looked(((UNREADABLE.code, Hit(Span(1, 1, 1, 1), fault.message)),))
        page = read.page
        scope = Scope(self._model, self._config, task.documents, page)
        hits = [
            (rule.code, hit) for rule in _PAGE_RULES if rule.page for hit in rule.page(page, scope)
        ]
        if read.decoded.code in _GUESSED:
            span = page.line_span(read.decoded.line) if read.decoded.line else Span(1, 1, 1, 1)
            hits.append((NOT_UTF8.code, Hit(span, read.decoded.message)))
        suppressions = widened(suppressions_of(page), page)
        return Looked(tuple(hits), facts_of(page, scope), suppressions)


def documents_of(config: LintConfig, overrides: tuple[LintOverride, ...]) -> str:
    """How a file is looked at: what the last override that says it says."""
    return next((one.documents for one in reversed(overrides) if one.documents), config.documents)
