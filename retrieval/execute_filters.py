"""Filters of a plan: which rows may be candidates, and what to give up when none is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from docs_agent.core.plans import RetrievalPlan
from docs_agent.core.store.protocol import RowFilter

DOCS_PREFIX: Final = "docs/"
"""Stands for every docs root of the session."""


class Relaxed(NamedTuple):
    """A filter with the parts that were given up."""

    where: RowFilter
    given_up: tuple[str, ...]
    """Printable phrases, in order."""


def values(plan: RetrievalPlan, key: str) -> tuple[str, ...]:
    """The values of one filter key, none when it is absent or empty."""
    value = plan.filters.get(key, ())
    found = (value,) if isinstance(value, str) else tuple(value)
    return tuple(v for v in found if v.strip())


def hard_filter(plan: RetrievalPlan, roots: tuple[str, ...]) -> RowFilter:
    """What restricts the candidates before they are ranked."""
    return RowFilter(
        path_prefixes=_mapped(values(plan, "path_prefixes"), roots),
        exclude_path_prefixes=_mapped(values(plan, "exclude_path_prefixes"), roots),
        domain="".join(values(plan, "metadata.domain")[:1]),
        subdomain="".join(values(plan, "metadata.subdomain")[:1]),
    )


def relaxations(where: RowFilter) -> Iterator[Relaxed]:
    """The filter as it is, then with more and more given up: sub-domain, domain, folders.

    Excluded folders stay excluded: nothing is found by looking where one must not.
    """
    given_up: list[str] = []
    yield Relaxed(where, ())
    if where.subdomain:
        given_up.append(f"metadata.subdomain = {where.subdomain}")
        where = where._replace(subdomain="")
        yield Relaxed(where, tuple(given_up))
    if where.domain:
        given_up.append(f"metadata.domain = {where.domain}")
        where = where._replace(domain="")
        yield Relaxed(where, tuple(given_up))
    if where.path_prefixes:
        given_up.append(f"path_prefixes = {', '.join(where.path_prefixes)}")
        yield Relaxed(where._replace(path_prefixes=()), tuple(given_up))


def in_roots(path: str, roots: tuple[str, ...]) -> tuple[str, ...]:
    """The places a plan's path may stand for: itself, and `docs/…` under each docs root."""
    path = path.strip().replace("\\", "/").removeprefix("./").lstrip("/")
    places = [path]
    if path.startswith(DOCS_PREFIX):
        rest = path.removeprefix(DOCS_PREFIX)
        places += [rest if root in ("", ".") else f"{root}/{rest}" for root in roots]
    return tuple(dict.fromkeys(places))


def _mapped(prefixes: tuple[str, ...], roots: tuple[str, ...]) -> tuple[str, ...]:
    places = tuple(dict.fromkeys(p for prefix in prefixes for p in in_roots(prefix, roots)))
    # An empty prefix is the project itself: it restricts nothing.
    return () if "" in places else places
