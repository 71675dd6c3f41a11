"""What kind of document a path promises: readme, spec, runbook, adr, …"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

KINDS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("readme", ("readme", "прочти")),
    (
        "changelog",
        ("changelog", "changes", "release-notes", "releases", "news", "история-изменений"),
    ),
    ("index", ("index", "_index", "home", "оглавление")),
    ("adr", ("adr", "adrs", "decisions", "решения")),
    ("runbook", ("runbook", "runbooks", "playbook", "playbooks", "operations", "эксплуатация")),
    ("glossary", ("glossary", "глоссарий", "термины")),
    ("errors", ("errors", "error-catalog", "ошибки")),
    ("architecture", ("architecture", "arch", "архитектура")),
    ("api", ("api", "apis", "endpoints", "openapi")),
    ("ui", ("ui", "pages", "screens")),
    ("logic", ("logic", "логика")),
    ("entity", ("entity", "entities", "domain", "domains", "сущности", "домены")),
    ("integration", ("integration", "integrations", "интеграции")),
    ("spec", ("spec", "specs", "specification", "requirements", "rfc", "требования")),
    ("reference", ("reference", "references", "справочник")),
    (
        "guide",
        (
            "guide",
            "guides",
            "tutorial",
            "tutorials",
            "how-to",
            "howto",
            "getting-started",
            "quickstart",
            "learn",
            "руководство",
            "руководства",
            "инструкции",
        ),
    ),
)
"""Kinds in order of preference, with the file or folder names that stand for them."""

DEFAULT_KIND: Final = "doc"
_SEPARATORS = re.compile(r"[\s_.]+")


@lru_cache(maxsize=4096)
def doc_kind(path: str) -> str:
    """Kind of the document at `path` (relative, with `/`): the file's own name decides, then its
    first word (`api-create-order.md`), then the nearest folder that has a meaning."""
    *folders, name = path.split("/")
    stem = _form(name.rpartition(".")[0] or name)
    for candidate in (stem, stem.partition("-")[0], *(_form(f) for f in reversed(folders))):
        for kind, names in KINDS:
            if candidate in names:
                return kind
    return DEFAULT_KIND


def _form(name: str) -> str:
    return name if name == "_index" else _SEPARATORS.sub("-", name.lower()).strip("-")
