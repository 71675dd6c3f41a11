"""The whole collection as graph rules see it."""

from __future__ import annotations

import datetime
import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from docs_agent.core.lint_config import LintConfig
from docs_agent.lint.catalogue import Catalogue
from docs_agent.lint.facts import Facts, LinkFact
from docs_agent.lint.targets import Target, candidates, leaves_root, site_roots, target_of
from docs_agent.lint.tree import Tree
from docs_agent.templates.model import Model


class Graph:
    """Facts of all pages, and what follows from them; worked out once, when asked."""

    def __init__(
        self,
        pages: Sequence[Facts],
        tree: Tree,
        model: Model,
        config: LintConfig,
        *,
        catalogues: Sequence[Catalogue] = (),
        anchor_styles: Callable[[str], tuple[str, ...]] = lambda path: (),
        today: datetime.date | None = None,
    ) -> None:
        """pages: in the order of their paths. anchor_styles: renderers required of a path, empty =
        any one is enough. today: for rules about age."""
        self.pages = tuple(pages)
        self.tree = tree
        self.model = model
        self.config = config
        self.catalogues = tuple(catalogues)
        self.anchor_styles = anchor_styles
        self.today = today or datetime.date.today()
        self._resolved: dict[tuple[str, str], tuple[str, Target]] = {}
        self._anchors: dict[tuple[str, str], frozenset[str]] = {}

    @cached_property
    def by_path(self) -> Mapping[str, Facts]:
        """Pages by path."""
        return {page.path: page for page in self.pages}

    @cached_property
    def by_id(self) -> Mapping[str, tuple[Facts, ...]]:
        """Pages that follow the model by their id, in the order of paths; several = a fault."""
        found: dict[str, list[Facts]] = {}
        for page in self.pages:
            name = page.value("id") if page.is_modelled else ""
            if name:
                found.setdefault(name, []).append(page)
        return {name: tuple(pages) for name, pages in found.items()}

    def page_of(self, reference: str) -> Facts | None:
        """The page a metadata value names: by id, or by path relative to the project root."""
        pages = self.by_id.get(reference)
        return pages[0] if pages else self.by_path.get(reference)

    def refers_to(self, page: Facts, reference: str) -> bool:
        """Whether a metadata value names a document: by id, or by path from the root or the page's
        folder."""
        if self.page_of(reference) is not None:
            return True
        return any(path in self.by_path for path in candidates(reference, page.path, "."))

    def resolve(self, page: Facts, link: LinkFact) -> tuple[str, Target]:
        """(path the link leads to, its target taken apart); the path is empty when it leads
        nowhere, and may be a folder or a file that is no document."""
        key = page.path, link.target
        if key not in self._resolved:
            self._resolved[key] = self._resolve(page, link)
        return self._resolved[key]

    def _resolve(self, page: Facts, link: LinkFact) -> tuple[str, Target]:
        target = target_of(link.target)
        if not target.path:
            return page.path, target
        for path in candidates(target.path, page.path, page.docs_root):
            if self.tree.exists(path):
                return self._index_of(path), target
        return "", target

    def _index_of(self, path: str) -> str:
        """A folder stands for its index page where it has one."""
        if path in self.by_path or not self.tree.is_folder(path):
            return path
        names = ("index.md", "README.md", "readme.md", "index.mdx", "_index.md")
        return next((f"{path}/{n}" for n in names if f"{path}/{n}" in self.by_path), path)

    def _in_other_case(self, page: Facts, target: Target) -> str:
        """The path a dead link would lead to if letter case did not count; empty when none."""
        for path in candidates(target.path, page.path, page.docs_root):
            if found := self.tree.in_other_case(path):
                return found
        return ""

    @cached_property
    def _lost(self) -> tuple[tuple[Facts, LinkFact, Target, str], ...]:
        """Links that lead nowhere inside the project, with the path in another letter case."""
        found = []
        for page in self.pages:
            for link in page.links:
                path, target = self.resolve(page, link)
                if path or leaves_root(target.path, page.path):
                    continue
                if self._is_of_this_site(page, target):
                    found.append((page, link, target, self._in_other_case(page, target)))
        return tuple(found)

    def _is_of_this_site(self, page: Facts, target: Target) -> bool:
        """Whether it can be told where a path leads: one that begins with `/` starts at the root of
        the site, which is only known when its first folder is there."""
        if not target.path.startswith("/"):
            return True
        first = target.path.strip("/").partition("/")[0]
        roots = site_roots(page.path, page.docs_root)
        return any(self.tree.exists(posixpath.join(root, first)) for root in roots)

    @property
    def dead_links(self) -> Iterator[tuple[Facts, LinkFact, Target]]:
        """Links and images whose target does not exist, in any letter case."""
        return ((page, link, target) for page, link, target, real in self._lost if not real)

    @property
    def miscased_links(self) -> Iterator[tuple[Facts, LinkFact, Target, str]]:
        """Links and images whose target exists in another letter case only, with its path."""
        return (lost for lost in self._lost if lost[3])

    @cached_property
    def links_to(self) -> Mapping[str, tuple[str, ...]]:
        """Paths of pages that link to a page, by the path of that page."""
        found: dict[str, dict[str, None]] = {}
        for page in self.pages:
            for link in page.links:
                path = self.resolve(page, link)[0]
                if path and path != page.path:
                    found.setdefault(path, {})[page.path] = None
        return {path: tuple(pages) for path, pages in found.items()}

    def anchors(self, page: Facts, style: str) -> frozenset[str]:
        """Anchors of a page in one renderer, those written in HTML included."""
        key = page.path, style
        if key not in self._anchors:
            found = (*self.heading_anchors(page, style), *page.html_anchors)
            self._anchors[key] = frozenset(found)
        return self._anchors[key]

    def heading_anchors(self, page: Facts, style: str) -> tuple[str, ...]:
        """The anchor of each heading of a page in one renderer."""
        from docs_agent.lint.anchors import HeadingText, anchors_of

        texts = [HeadingText(h.text, h.raw, h.level, h.alt_text) for h in page.headings]
        return anchors_of(style, texts)
