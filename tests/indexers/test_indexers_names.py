"""Further keys of names: by ear, by a word of the title, by heading."""

from __future__ import annotations

from docs_agent.core.records import KnownName
from docs_agent.indexers.document import ParsedDocument
from docs_agent.indexers.extract import extract
from docs_agent.indexers.parse import parse


def _names(document: str) -> tuple[KnownName, ...]:
    doc = parse("docs/page.md", document.encode(), docs_root="docs")
    assert isinstance(doc, ParsedDocument)
    return extract(doc).names


def _of(kind: str, document: str) -> list[tuple[str, str]]:
    return [(name.key, name.value) for name in _names(document) if name.kind == kind]


def test_every_short_name_is_also_known_by_its_sound() -> None:
    aliases = "aliases: [health check, биллинг, one two three four]"
    page = f"---\n{aliases}\ndomain: delivery\n---\n# Оплата\n"
    assert _of("sound", page) == [
        ("~*pl*t", "Оплата"),
        ("~h*ltch*k", "health check"),
        ("~h*lsch*k", "health check"),
        ("~b*l*ng", "биллинг"),
        ("~d*l*v*r", "delivery"),
    ]


def test_words_with_a_subject_stand_for_the_title() -> None:
    assert _of("title_word", "# Начисление баллов за покупку\n") == [
        ("+начислен", "Начисление баллов за покупку"),
        ("+балл", "Начисление баллов за покупку"),
        ("+покупк", "Начисление баллов за покупку"),
    ]
    assert _of("title_word", "# Refund of the purchase\n") == [
        ("+refund", "Refund of the purchase"),
        ("+purchas", "Refund of the purchase"),
    ]
    assert _of("title_word", "# One long title alpha bravo charlie delta echo foxtrot golf\n") == []


def test_headings_of_level_two_that_name_something_are_names() -> None:
    headings = "## Dead letters\n## Summary\n## Очередь повторов\n### Inner part\n"
    headings += "## Alone\n## GET /x y\n"
    page = f"# Page\n{headings}"
    assert _of("heading", page) == [
        ("dead letter", "Dead letters"),
        ("очеред повтор", "Очередь повторов"),
    ]


def test_a_page_of_many_headings_has_none_of_them_for_a_name() -> None:
    many = "".join(f"## Change number {chr(97 + i % 26)}{chr(97 + i // 26)}\n" for i in range(31))
    assert _of("heading", f"# Changes\n{many}") == []
