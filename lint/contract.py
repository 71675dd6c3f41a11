"""What a page says about an interface: endpoints, parameters, errors, integrations.

One place reads them, page rules and graph rules use them.
"""

from __future__ import annotations

from typing import NamedTuple

from docs_agent.lint.finding import Span
from docs_agent.lint.page import Page
from docs_agent.templates.model import Model


class EndpointFact(NamedTuple):
    """An endpoint a page says it documents."""

    method: str
    path: str
    span: Span
    source: str
    """`frontmatter`, `summary` or `contract`."""


class ErrorFact(NamedTuple):
    """A row of an errors table."""

    error_id: str
    http_code: str
    """Empty when the table has no such column or the cell is empty."""
    span: Span
    """Of the cell with the id."""
    code_span: Span


class IntegrationFact(NamedTuple):
    """A row of an integrations table, or an integration in the metadata."""

    target: str
    direction: str
    interaction: str
    target_type: str
    span: Span


class ContractFacts(NamedTuple):
    """All of it."""

    endpoints: tuple[EndpointFact, ...] = ()
    errors: tuple[ErrorFact, ...] = ()
    integrations: tuple[IntegrationFact, ...] = ()


def contract_of(page: Page, model: Model) -> ContractFacts:
    """Read the contract of a page that follows the document model."""
    return ContractFacts()
