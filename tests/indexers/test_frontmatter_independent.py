"""Our frontmatter reader against an independent one, on documents both can read."""

from __future__ import annotations

from typing import Any

import frontmatter
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.parse import parse

_KEYS = st.sampled_from(("id", "title", "domain", "tags", "entities", "Владелец", "связи"))
_TEXTS = st.text(
    st.characters(codec="utf-8", categories=("Lu", "Ll", "Nd", "Zs", "Po", "Pd")), max_size=40
)
_VALUES = st.recursive(
    _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.dictionaries(_KEYS, _VALUES, min_size=1, max_size=5), _TEXTS)
def test_both_readers_agree_on_quoted_values(values: dict[str, Any], body: str) -> None:
    # Quoted, every scalar is text for any YAML reader: what may differ is only the reading itself.
    block = yaml.safe_dump(values, allow_unicode=True, default_style='"', sort_keys=False)
    text = f"---\n{block}---\n\n# Заголовок\n\n{body}\n"

    expected = frontmatter.loads(text).metadata
    found = parse("docs/a.md", text.encode("utf-8"))

    assert isinstance(found, ParsedDocument)
    assert dict(found.frontmatter.values) == expected == values
