"""Every word of an answer that is ours, in both languages. Nothing else in this package speaks."""

from __future__ import annotations

from typing import NamedTuple


class Wording(NamedTuple):
    """Templates of one language; fields in braces are filled with `str.format`."""

    no_answer: str
    """terms: the words nobody mentions, quoted and joined."""
    no_answer_terms: str
    no_files: str
    nearest: str
    """paths: documents, joined by commas."""
    main_flow: str
    alternatives: str
    errors: str
    request: str
    response: str
    integrations: str
    ask_me: str
    """Answer to a greeting: what can be asked."""
    documents: str
    more_documents: str
    """count: how many are not listed."""
    more_lines: str
    """count: lines left out of a block that is too long."""
    more_items: str
    reason_path: str
    reason_named: str
    reason_endpoint: str
    """endpoint: as the frontmatter writes it."""
    reason_alias: str
    """alias: as the frontmatter writes it."""
    reason_title: str
    reason_mentions: str
    """section: heading under which the document mentions it."""
    reason_close: str
    reason_text: str
    quoted: str
    """text: a heading or a word, in quotation marks of the language."""


ENGLISH = Wording(
    no_answer="The documentation does not answer this question.",
    no_answer_terms=(
        "The documentation does not answer this question: no document speaks of {terms}."
    ),
    no_files="No document matches this question.",
    nearest="Nearest: {paths}",
    main_flow="Main flow",
    alternatives="Otherwise",
    errors="Errors",
    request="Request",
    response="Response",
    integrations="Integrations",
    ask_me=(
        "Ask what the documentation says: how something works, which API methods there are, which "
        "document describes something, what a document is related to."
    ),
    documents="Documents",
    more_documents="and {count} more",
    more_lines="… {count} more lines",
    more_items="… {count} more",
    reason_path="path",
    reason_named="named in the question",
    reason_endpoint="endpoint {endpoint} in its frontmatter",
    reason_alias="alias {alias}",
    reason_title="title",
    reason_mentions="mentions it in {section}",
    reason_close="close in meaning: {section}",
    reason_text="mentions it",
    quoted="“{text}”",
)

RUSSIAN = Wording(
    no_answer="В документации нет ответа на этот вопрос.",
    no_answer_terms=(
        "В документации нет ответа на этот вопрос: ни один документ не говорит про {terms}."
    ),
    no_files="Под этот вопрос не подходит ни один документ.",
    nearest="Ближайшее: {paths}",
    main_flow="Основной сценарий",
    alternatives="Иначе",
    errors="Ошибки",
    request="Запрос",
    response="Ответ",
    integrations="Интеграции",
    ask_me=(
        "Спросите, о чём говорит документация: как что-то работает, какие есть методы API, в каком "
        "документе что-то описано, с чем связан документ."
    ),
    documents="Документы",
    more_documents="и ещё {count}",
    more_lines="… ещё строк: {count}",
    more_items="… ещё {count}",
    reason_path="путь",
    reason_named="назван в вопросе",
    reason_endpoint="endpoint {endpoint} в его frontmatter",
    reason_alias="псевдоним {alias}",
    reason_title="заголовок",
    reason_mentions="упоминает в разделе {section}",
    reason_close="близко по смыслу: {section}",
    reason_text="упоминает в тексте",
    quoted="«{text}»",
)


def wording(language: str) -> Wording:
    """Russian for `ru`, English for everything else."""
    return RUSSIAN if language == "ru" else ENGLISH
