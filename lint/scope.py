"""What a page rule may know besides its page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from docs_agent.core.lint_config import LintConfig
from docs_agent.lint.page import Page
from docs_agent.templates.model import Model, TypeSpec


@dataclass(frozen=True)
class Scope:
    """Settings and document model as they count for one page."""

    model: Model
    config: LintConfig
    documents: str
    """`auto`, `model` or `plain`, overrides applied."""
    page: Page

    @cached_property
    def type(self) -> TypeSpec | None:
        """The page's type, None when it names none or an unknown one."""
        if not self.is_modelled:
            return None
        return self.model.type_of(self.page.front.text("doc_type"))

    @cached_property
    def is_modelled(self) -> bool:
        """Whether the page is to follow the document model: rules about metadata and sections ask
        this first, so that plain Markdown is left alone."""
        return is_modelled(self.page, self.documents)


def is_modelled(page: Page, documents: str) -> bool:
    """Whether a page follows the document model.

    By itself (`auto`) a page does when its metadata name an `id` or a `doc_type`: site generators
    know neither together with others of the model's keys.
    """
    if documents != "auto":
        return documents == "model"
    return page.front.key("doc_type") is not None or page.front.key("id") is not None
